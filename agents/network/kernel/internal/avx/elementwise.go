package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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

// exp does what archExp of Go's package math does where the processor has fused products, which
// are the only ones here, for four numbers at a time: the same operations in the same order.
func exp() {
	function("exp4", "(y *float64, x *float64, factors *float64, blocks int) int",
		"exp4 sets y = eˣ in blocks of four numbers up to the first that has one beyond ±708, and returns how many it did.")
	y, x, factors, blocks := pointer("y"), pointer("x"), pointer("factors"), pointer("blocks")
	const sign, limit, log2e, upper, lower, sixteenth, series, one, two = 0, 1, 2, 3, 4, 5, 6, 13, 14 // of expFactors
	factor := func(i int) Mem { return at(factors, i) }
	number, power, part := YMM(), YMM(), YMM()
	whole, within, done := XMM(), GP32(), GP64()
	XORQ(done, done)
	Label("exp4next")
	VMOVUPD(at(x, 0), number)
	VANDPD(factor(sign), number, part)
	VCMPPD(Imm(2), factor(limit), part, part) // at most, and a number
	VMOVMSKPD(part, within)
	CMPL(within, Imm(15))
	JNE(LabelRef("exp4done"))
	VMULPD(factor(log2e), number, part)
	VCVTPD2DQY(part, whole) // rounds as a conversion of one number does
	VCVTDQ2PD(whole, part)
	VMOVUPD(factor(upper), power)
	VFNMADD231PD(power, part, number)
	VMOVUPD(factor(lower), power)
	VFNMADD231PD(power, part, number)
	VMULPD(factor(sixteenth), number, number)
	VMOVUPD(factor(series), part)
	for i := series + 1; i <= one; i++ {
		VFMADD213PD(factor(i), number, part)
	}
	VMULPD(part, number, number)
	for i := range 4 {
		VADDPD(factor(two), number, part)
		if i < 3 {
			VMULPD(part, number, number)
		}
	}
	VFMADD213PD(factor(one), part, number)
	VPMOVSXDQ(whole, power)
	bias := YMM()
	VPCMPEQQ(bias, bias, bias)
	VPSRLQ(Imm(54), bias, bias) // 1023
	VPADDQ(bias, power, power)
	VPSLLQ(Imm(52), power, power)
	VMULPD(power, number, number)
	VMOVUPD(number, at(y, 0))
	ADDQ(Imm(32), x)
	ADDQ(Imm(32), y)
	INCQ(done)
	CMPQ(done, blocks)
	JL(LabelRef("exp4next"))
	Label("exp4done")
	Store(done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// sumSquares keeps a sum in each place of a vector, as the plain loop does in four variables.
func sumSquares() {
	function("sumSquares4", "(sums *float64, x *float32, blocks int)", "sumSquares4 adds the squares of x [4 blocks] to four sums by turns.")
	to, x, blocks := pointer("sums"), pointer("x"), pointer("blocks")
	sums, number := YMM(), YMM()
	VMOVUPD(at(to, 0), sums)
	Label("sumSquares4next")
	VCVTPS2PD(Mem{Base: x}, number)
	VMULPD(number, number, number)
	VADDPD(number, sums, sums)
	ADDQ(Imm(16), x)
	DECQ(blocks)
	JNZ(LabelRef("sumSquares4next"))
	VMOVUPD(sums, at(to, 0))
	VZEROUPPER()
	RET()
}
