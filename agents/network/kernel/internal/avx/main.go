// Command avx writes the assembly of package kernel:
//
//	go generate ./agents/network/kernel
//
// Products are rounded before they are added (VMULPS and VADDPS, never a fused
// VFMADD), so that every kernel gives what its plain counterpart in plain.go gives.
// What processors with AVX-512 do in wider registers is the same arithmetic.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	for rows := 1; rows <= 6; rows++ {
		tile(avx, rows)
	}
	for _, rows := range []int{1, 2, 3, 4, 6, 8, 12} {
		tile(avx512, rows)
	}
	for _, vectors := range []int{8, 2} {
		gather(avx, vectors)
	}
	for _, vectors := range []int{16, 4} {
		gather(avx512, vectors)
	}
	for _, vectors := range []int{2, 1} {
		row(vectors)
	}
	transpose8()
	for _, vectors := range []int{2, 4} {
		copyRows(vectors)
	}
	nonzero()
	fetch()
	sumSquares()
	for _, vectors := range []int{8, 1} {
		sumRows(vectors)
	}
	relu()
	reluGradient()
	adam()
	exp()
	Generate()
}

// function begins a function whose pointers do not escape.
func function(name, signature, doc string) {
	TEXT(name, NOSPLIT, "func"+signature)
	Pragma("noescape")
	Doc(doc)
}

// pointer loads a parameter, stride one that counts numbers, in bytes.
func pointer(name string) Register { return Load(Param(name), GP64()) }

func stride(name string) Register {
	r := Load(Param(name), GP64())
	SHLQ(U8(2), r)
	return r
}

// A set is one of vector instructions: numbers are how many float32s its registers hold.
type set struct {
	register func() VecVirtual
	numbers  int
}

var avx, avx512 = set{YMM, 8}, set{ZMM, 16}

// vectors returns n registers.
func (s set) vectors(n int) []VecVirtual {
	list := make([]VecVirtual, n)
	for i := range list {
		list[i] = s.register()
	}
	return list
}

// at is the i-th vector behind a pointer.
func (s set) at(base Register, i int) Mem { return Mem{Base: base, Disp: 4 * s.numbers * i} }

// vectors returns n vector registers of AVX.
func vectors(n int) []VecVirtual { return avx.vectors(n) }

// at is the vector of eight numbers i vectors behind a pointer.
func at(base Register, i int) Mem { return avx.at(base, i) }

// tile multiplies rows rows by the columns of two vectors. Sums, two vectors of b, one
// number of a and one product fill the sixteen registers of AVX at six rows, and 28 of the
// 32 of AVX-512 at twelve.
func tile(s set, rows int) {
	cols := 2 * s.numbers
	name := fmt.Sprintf("tile%dx%d", rows, cols)
	function(name, "(c *float32, cStride int, a *float32, aRow, aStep int, b *float32, k int)",
		fmt.Sprintf("%s adds a [%d, k] times b [k, %d] to c [%[2]d, %[3]d]. Successive numbers of a row of a are aStep apart.", name, rows, cols))
	c, cStride := pointer("c"), stride("cStride")
	a, aRow, aStep := pointer("a"), stride("aRow"), stride("aStep")
	b, k := pointer("b"), pointer("k")
	sums := s.vectors(2 * rows)
	low, high, product, number := s.register(), s.register(), s.register(), s.register()

	row := GP64()
	eachRow := func(do func(i int)) {
		MOVQ(c, row)
		for i := range rows {
			do(i)
			if i < rows-1 {
				ADDQ(cStride, row)
			}
		}
	}
	eachRow(func(i int) {
		VMOVUPS(s.at(row, 0), sums[2*i])
		VMOVUPS(s.at(row, 1), sums[2*i+1])
	})
	thirds := []Register{a} // every third row of a: an address reaches two rows further
	for 3*len(thirds) < rows {
		next := GP64()
		LEAQ(Mem{Base: thirds[len(thirds)-1], Index: aRow, Scale: 2}, next)
		ADDQ(aRow, next)
		thirds = append(thirds, next)
	}
	of := func(i int) Mem {
		if i%3 == 0 {
			return Mem{Base: thirds[i/3]}
		}
		return Mem{Base: thirds[i/3], Index: aRow, Scale: uint8(i % 3)}
	}
	step := func(offset int) {
		VMOVUPS(s.at(b, 2*offset), low)
		VMOVUPS(s.at(b, 2*offset+1), high)
		for i := range rows {
			VBROADCASTSS(of(i), number)
			VMULPS(number, low, product)
			VADDPS(product, sums[2*i], sums[2*i])
			VMULPS(number, high, number)
			VADDPS(number, sums[2*i+1], sums[2*i+1])
		}
		for _, third := range thirds {
			ADDQ(aStep, third)
		}
	}
	unrolled(name, k, min(4, 24/rows), step, func(steps int) { ADDQ(I32(4*cols*steps), b) })
	eachRow(func(i int) {
		VMOVUPS(sums[2*i], s.at(row, 0))
		VMOVUPS(sums[2*i+1], s.at(row, 1))
	})
	VZEROUPPER()
	RET()
}

// unrolled repeats step n times, by times a turn as long as there are as many left,
// and advances the pointers behind each turn.
func unrolled(name string, n Register, by int, step func(offset int), advance func(steps int)) {
	SUBQ(Imm(uint64(by)), n)
	JL(LabelRef(name + "rest"))
	Label(name + "turn")
	for i := range by {
		step(i)
	}
	advance(by)
	SUBQ(Imm(uint64(by)), n)
	JGE(LabelRef(name + "turn"))
	Label(name + "rest")
	ADDQ(Imm(uint64(by)), n)
	JZ(LabelRef(name + "done"))
	Label(name + "one")
	step(0)
	advance(1)
	DECQ(n)
	JNZ(LabelRef(name + "one"))
	Label(name + "done")
}

// gather multiplies a sparse row by a number of vectors' columns.
func gather(s set, count int) {
	name := fmt.Sprintf("gather%d", s.numbers*count)
	if s.numbers == avx512.numbers {
		name += "wide"
	}
	function(name, "(c *float32, list *uint64, n int, b *float32)",
		fmt.Sprintf("%s adds to c [%d] the rows of b that the n entries of a list name, times their values.", name, s.numbers*count))
	c, list, n, b := pointer("c"), pointer("list"), pointer("n"), pointer("b")
	sums := s.vectors(count)
	value, product, from := s.register(), s.register(), GP64()
	for i := range count {
		VMOVUPS(s.at(c, i), sums[i])
	}
	TESTQ(n, n)
	JZ(LabelRef(name + "done"))
	Label(name + "next")
	VBROADCASTSS(Mem{Base: list}, value)
	MOVLQSX(Mem{Base: list, Disp: 4}, from)
	for i := range count {
		VMULPS(Mem{Base: b, Index: from, Scale: 4, Disp: 4 * s.numbers * i}, value, product)
		VADDPS(product, sums[i], sums[i])
	}
	ADDQ(Imm(8), list)
	DECQ(n)
	JNZ(LabelRef(name + "next"))
	Label(name + "done")
	for i := range count {
		VMOVUPS(sums[i], s.at(c, i))
	}
	VZEROUPPER()
	RET()
}

// row multiplies blocks of eight rows and eight columns of w and turns the products in
// the registers. Two blocks are two chains of additions beside each other.
func row(count int) {
	name := fmt.Sprintf("row%d", 8*count)
	function(name, "(y *float32, w *float32, stride int, x *float32, blocks *int32, n int)",
		fmt.Sprintf("%s adds to y [%d] the products of w [%[2]d, ...] with x over the n blocks of eight columns that begin where the list says.", name,
			8*count))
	y, w, rowStride, x, blocks, n := pointer("y"), pointer("w"), stride("stride"), pointer("x"), pointer("blocks"), pointer("n")
	sums, groups := vectors(count), []Register{w}
	for i := range count {
		VMOVUPS(at(y, i), sums[i])
		if i > 0 {
			group := GP64()
			LEAQ(Mem{Base: groups[i-1], Index: rowStride, Scale: 8}, group)
			groups = append(groups, group)
		}
	}
	TESTQ(n, n)
	JZ(LabelRef(name + "done"))
	Label(name + "next")
	from, fromX, fromW := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: blocks}, from)
	LEAQ(Mem{Base: x, Index: from, Scale: 4}, fromX)
	for i, group := range groups {
		LEAQ(Mem{Base: group, Index: from, Scale: 4}, fromW)
		for _, column := range turn(fromW, rowStride, fromX) {
			VADDPS(column, sums[i], sums[i])
		}
	}
	ADDQ(Imm(4), blocks)
	DECQ(n)
	JNZ(LabelRef(name + "next"))
	Label(name + "done")
	for i := range count {
		VMOVUPS(sums[i], at(y, i))
	}
	VZEROUPPER()
	RET()
}

// turn returns the columns of the block of eight rows and eight columns at a
// pointer, which it moves, each row times the eight numbers at another pointer, if any.
func turn(from, rowStride, factors Register) []VecVirtual {
	// Rows i and i+4 share a register, columns 0 to 3 and 4 to 7 are apart, so that
	// what is left lies within halves of registers. A load of both halves, of which
	// one is then replaced, costs what a load of one half does.
	lower := GP64()
	LEAQ(Mem{Base: from, Index: rowStride, Scale: 4}, lower)
	var left, right [4]VecVirtual
	var factor [2]VecVirtual
	if factors != nil {
		for i := range factor {
			factor[i] = YMM()
			VBROADCASTF128(Mem{Base: factors, Disp: 16 * i}, factor[i])
		}
	}
	for i := range 4 {
		left[i], right[i] = YMM(), YMM()
		VBROADCASTF128(Mem{Base: from}, left[i])
		VINSERTF128(Imm(1), Mem{Base: lower}, left[i], left[i])
		VBROADCASTF128(Mem{Base: from, Disp: 16}, right[i])
		VINSERTF128(Imm(1), Mem{Base: lower, Disp: 16}, right[i], right[i])
		if factors != nil {
			VMULPS(factor[0], left[i], left[i])
			VMULPS(factor[1], right[i], right[i])
		}
		if i < 3 {
			ADDQ(rowStride, from)
			ADDQ(rowStride, lower)
		}
	}
	var columns []VecVirtual
	for _, rows := range [][4]VecVirtual{left, right} {
		pairs := vectors(4)
		VUNPCKLPS(rows[1], rows[0], pairs[0]) // columns 0 and 1 of rows 0 and 1
		VUNPCKHPS(rows[1], rows[0], pairs[1]) // columns 2 and 3
		VUNPCKLPS(rows[3], rows[2], pairs[2])
		VUNPCKHPS(rows[3], rows[2], pairs[3])
		out := vectors(4)
		VUNPCKLPD(pairs[2], pairs[0], out[0])
		VUNPCKHPD(pairs[2], pairs[0], out[1])
		VUNPCKLPD(pairs[3], pairs[1], out[2])
		VUNPCKHPD(pairs[3], pairs[1], out[3])
		columns = append(columns, out...)
	}
	return columns
}

func transpose8() {
	function("transpose8", "(dst *float32, dstStride int, src *float32, srcStride, blocks int)",
		"transpose8 writes the transpose of src [8, 8 blocks] to dst [8 blocks, 8].")
	dst, dstStride, src, srcStride, blocks := pointer("dst"), stride("dstStride"), pointer("src"), stride("srcStride"), pointer("blocks")
	Label("transpose8next")
	from := GP64()
	MOVQ(src, from)
	for _, column := range turn(from, srcStride, nil) {
		VMOVUPS(column, Mem{Base: dst})
		ADDQ(dstStride, dst)
	}
	ADDQ(Imm(32), src)
	DECQ(blocks)
	JNZ(LabelRef("transpose8next"))
	VZEROUPPER()
	RET()
}

func copyRows(count int) {
	name := fmt.Sprintf("copy%d", 8*count)
	function(name, "(dst *float32, src *float32, stride, n int)",
		fmt.Sprintf("%s copies n rows [%d], at least one, of src behind each other.", name, 8*count))
	dst, src, srcStride, n := pointer("dst"), pointer("src"), stride("stride"), pointer("n")
	parts := vectors(count)
	Label(name + "next")
	for i, part := range parts {
		VMOVUPS(at(src, i), part)
	}
	for i, part := range parts {
		VMOVUPS(part, at(dst, i))
	}
	ADDQ(srcStride, src)
	ADDQ(Imm(uint64(32*count)), dst)
	DECQ(n)
	JNZ(LabelRef(name + "next"))
	VZEROUPPER()
	RET()
}

func nonzero() {
	function("nonzero8", "(mask *uint8, x *float32, blocks int)",
		"nonzero8 sets bit j of mask [blocks] where number j of x [8 blocks] is not 0.")
	mask, x, blocks := pointer("mask"), pointer("x"), pointer("blocks")
	zero, different, found := YMM(), YMM(), GP32()
	VXORPS(zero, zero, zero)
	Label("nonzero8next")
	VCMPPS(Imm(4), Mem{Base: x}, zero, different) // not equal, or not a number
	VMOVMSKPS(different, found)
	MOVB(found.As8(), Mem{Base: mask})
	ADDQ(Imm(32), x)
	INCQ(mask)
	DECQ(blocks)
	JNZ(LabelRef("nonzero8next"))
	VZEROUPPER()
	RET()
}

func fetch() {
	function("fetch", "(columns *uint16, numbers *float32)", "fetch lets the first cache read what is at the two pointers and some way on.")
	columns, numbers := pointer("columns"), pointer("numbers")
	for line := range 2 {
		PREFETCHT0(Mem{Base: columns, Disp: 64 * line})
	}
	for line := range 4 {
		PREFETCHT0(Mem{Base: numbers, Disp: 64 * line})
	}
	RET()
}

// sumRows keeps the sums of a number of vectors' columns in registers.
func sumRows(count int) {
	name := fmt.Sprintf("sumRows%d", 8*count)
	function(name, "(sum *float32, rows *float32, stride, n int)",
		fmt.Sprintf("%s adds the n rows [%d], at least one, to sum.", name, 8*count))
	sum, rows, rowStride, n := pointer("sum"), pointer("rows"), stride("stride"), pointer("n")
	sums := vectors(count)
	for i := range count {
		VMOVUPS(at(sum, i), sums[i])
	}
	Label(name + "next")
	for i := range count {
		VADDPS(at(rows, i), sums[i], sums[i])
	}
	ADDQ(rowStride, rows)
	DECQ(n)
	JNZ(LabelRef(name + "next"))
	for i := range count {
		VMOVUPS(sums[i], at(sum, i))
	}
	VZEROUPPER()
	RET()
}
