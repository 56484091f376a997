// Command avx writes the assembly of package kernel:
//
//	go generate ./agents/network/kernel
//
// Products are rounded before they are added (VMULPS and VADDPS, never a fused
// VFMADD), so that every kernel gives what its plain counterpart in plain.go gives.
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
		tile(rows)
	}
	for _, vectors := range []int{8, 2} {
		gather(vectors)
	}
	for _, vectors := range []int{2, 1} {
		row(vectors)
	}
	transpose8()
	copy16()
	nonzero()
	for _, vectors := range []int{8, 1} {
		sumRows(vectors)
	}
	relu()
	reluGradient()
	adam()
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

// vectors returns n vector registers.
func vectors(n int) []VecVirtual {
	list := make([]VecVirtual, n)
	for i := range list {
		list[i] = YMM()
	}
	return list
}

// at is the vector of eight numbers i vectors behind a pointer.
func at(base Register, i int) Mem { return Mem{Base: base, Disp: 32 * i} }

// tile multiplies rows rows by sixteen columns: twelve sums, two vectors of b, one
// number of a and one product fill the sixteen registers at six rows.
func tile(rows int) {
	name := fmt.Sprintf("tile%d", rows)
	function(name, "(c *float32, cStride int, a *float32, aRow, aStep int, b *float32, k int)",
		fmt.Sprintf("%s adds a [%d, k] times b [k, 16] to c [%d, 16]. Successive numbers of a row of a are aStep apart.", name, rows, rows))
	c, cStride := pointer("c"), stride("cStride")
	a, aRow, aStep := pointer("a"), stride("aRow"), stride("aStep")
	b, k := pointer("b"), pointer("k")
	sums := vectors(2 * rows)
	low, high, product, number := YMM(), YMM(), YMM(), YMM()

	row := GP64()
	MOVQ(c, row)
	for i := range rows {
		VMOVUPS(at(row, 0), sums[2*i])
		VMOVUPS(at(row, 1), sums[2*i+1])
		if i < rows-1 {
			ADDQ(cStride, row)
		}
	}
	fourth := GP64() // the row of a from which addresses are counted on
	if rows > 3 {
		LEAQ(Mem{Base: a, Index: aRow, Scale: 2}, fourth)
		ADDQ(aRow, fourth)
	}
	of := func(i int) Mem {
		base := a
		if i >= 3 {
			base, i = fourth, i-3
		}
		if i == 0 {
			return Mem{Base: base}
		}
		return Mem{Base: base, Index: aRow, Scale: uint8(i)}
	}
	step := func(offset int) {
		VMOVUPS(at(b, 2*offset), low)
		VMOVUPS(at(b, 2*offset+1), high)
		for i := range rows {
			VBROADCASTSS(of(i), number)
			VMULPS(number, low, product)
			VADDPS(product, sums[2*i], sums[2*i])
			VMULPS(number, high, number)
			VADDPS(number, sums[2*i+1], sums[2*i+1])
		}
		ADDQ(aStep, a)
		if rows > 3 {
			ADDQ(aStep, fourth)
		}
	}
	unrolled(name, k, 4, step, func(steps int) { ADDQ(I32(64*steps), b) })
	MOVQ(c, row)
	for i := range rows {
		VMOVUPS(sums[2*i], at(row, 0))
		VMOVUPS(sums[2*i+1], at(row, 1))
		if i < rows-1 {
			ADDQ(cStride, row)
		}
	}
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
func gather(count int) {
	name := fmt.Sprintf("gather%d", 8*count)
	function(name, "(c *float32, list *uint64, n int, b *float32)",
		fmt.Sprintf("%s adds to c [%d] the rows of b that the n entries of a list name, times their values.", name, 8*count))
	c, list, n, b := pointer("c"), pointer("list"), pointer("n"), pointer("b")
	sums := vectors(count)
	value, product, from := YMM(), YMM(), GP64()
	for i := range count {
		VMOVUPS(at(c, i), sums[i])
	}
	TESTQ(n, n)
	JZ(LabelRef(name + "done"))
	Label(name + "next")
	VBROADCASTSS(Mem{Base: list}, value)
	MOVLQSX(Mem{Base: list, Disp: 4}, from)
	for i := range count {
		VMULPS(Mem{Base: b, Index: from, Scale: 4, Disp: 32 * i}, value, product)
		VADDPS(product, sums[i], sums[i])
	}
	ADDQ(Imm(8), list)
	DECQ(n)
	JNZ(LabelRef(name + "next"))
	Label(name + "done")
	for i := range count {
		VMOVUPS(sums[i], at(c, i))
	}
	VZEROUPPER()
	RET()
}

// row multiplies blocks of eight rows and eight columns of w and turns the products in
// the registers. Two blocks are two chains of additions beside each other.
func row(count int) {
	name := fmt.Sprintf("row%d", 8*count)
	function(name, "(y *float32, w *float32, stride int, x *float32, blocks *int32, n int)",
		fmt.Sprintf("%s adds to y [%d] the products of w [%[2]d, ...] with x over the n blocks of eight columns that begin where the list says.", name, 8*count))
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

func copy16() {
	function("copy16", "(dst *float32, src *float32, stride, n int)", "copy16 copies n rows [16], at least one, of src behind each other.")
	dst, src, srcStride, n := pointer("dst"), pointer("src"), stride("stride"), pointer("n")
	left, right := YMM(), YMM()
	Label("copy16next")
	VMOVUPS(at(src, 0), left)
	VMOVUPS(at(src, 1), right)
	VMOVUPS(left, at(dst, 0))
	VMOVUPS(right, at(dst, 1))
	ADDQ(srcStride, src)
	ADDQ(Imm(64), dst)
	DECQ(n)
	JNZ(LabelRef("copy16next"))
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

// elementwise goes through slices by eight numbers at a time.
func elementwise(name string, blocks Register, slices []Register, eight func()) {
	Label(name + "next")
	eight()
	for _, s := range slices {
		ADDQ(Imm(32), s)
	}
	DECQ(blocks)
	JNZ(LabelRef(name + "next"))
	VZEROUPPER()
	RET()
}

func relu() {
	function("relu8", "(y *float32, x *float32, blocks int)", "relu8 sets y = max(x, +0).")
	y, x, blocks := pointer("y"), pointer("x"), pointer("blocks")
	zero, largest := YMM(), YMM()
	VXORPS(zero, zero, zero)
	elementwise("relu8", blocks, []Register{y, x}, func() {
		VMAXPS(at(x, 0), zero, largest) // of a NaN and of -0 it is what x has
		VADDPS(zero, largest, largest)  // -0 becomes +0
		VMOVUPS(largest, at(y, 0))
	})
}

func reluGradient() {
	function("reluGradient8", "(dx *float32, dy *float32, y *float32, blocks int)", "reluGradient8 sets dx = dy where y is not 0, else +0.")
	dx, dy, y, blocks := pointer("dx"), pointer("dy"), pointer("y"), pointer("blocks")
	zero, on := YMM(), YMM()
	VXORPS(zero, zero, zero)
	elementwise("reluGradient8", blocks, []Register{dx, dy, y}, func() {
		VCMPPS(Imm(4), at(y, 0), zero, on) // not equal, or not a number
		VANDPS(at(dy, 0), on, on)
		VMOVUPS(on, at(dx, 0))
	})
}

func adam() {
	function("adam8", "(w *float32, gradient *float32, m *float32, v *float32, factors *float32, blocks int)",
		"adam8 is Adam for whole vectors.")
	w, g, m, v, factors, blocks := pointer("w"), pointer("gradient"), pointer("m"), pointer("v"), pointer("factors"), pointer("blocks")
	f := vectors(8) // the fields of AdamFactors
	for i := range f {
		VBROADCASTSS(Mem{Base: factors, Disp: 4 * i}, f[i])
	}
	const scale, decay1, rest1, decay2, rest2, rate, correct, epsilon = 0, 1, 2, 3, 4, 5, 6, 7
	gradient, part, first, second := YMM(), YMM(), YMM(), YMM()
	elementwise("adam8", blocks, []Register{w, g, m, v}, func() {
		VMULPS(at(g, 0), f[scale], gradient)
		VMULPS(at(m, 0), f[decay1], first)
		VMULPS(gradient, f[rest1], part)
		VADDPS(part, first, first)
		VMOVUPS(first, at(m, 0))
		VMULPS(at(v, 0), f[decay2], second)
		VMULPS(gradient, f[rest2], part)
		VMULPS(gradient, part, part)
		VADDPS(part, second, second)
		VMOVUPS(second, at(v, 0))
		VSQRTPS(second, second)
		VMULPS(f[correct], second, second)
		VADDPS(f[epsilon], second, second)
		VMULPS(f[rate], first, first)
		VDIVPS(second, first, first)
		VMOVUPS(at(w, 0), part)
		VSUBPS(first, part, part)
		VMOVUPS(part, at(w, 0))
	})
}
