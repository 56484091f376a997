//go:build !purego

package kernel

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/klauspost/cpuid/v2"
	"gonum.org/v1/gonum/blas/blas32"
)

// with runs f with assembly of AVX, with that of AVX-512 as well, or with neither.
func with(some, more bool, f func()) {
	defer func(a, w, t, p bool) { assembly, wide, wideTiles, powers = a, w, t, p }(assembly, wide, wideTiles, powers)
	assembly, wide, wideTiles, powers = some, more, more, some && powers
	f()
}

// plain runs f without assembly.
func plain(f func()) { with(false, false, f) }

// agree holds the assembly against the plain kernels, whatever the numbers.
func agree(t *testing.T, p product, a, b, c blas32.General) {
	t.Helper()
	want := clone(c)
	plain(func() { Gemm(p.ta, p.tb, a, b, want) })
	for _, more := range []bool{false, true} {
		if more && !wide {
			continue
		}
		got := clone(c)
		with(true, more, func() { Gemm(p.ta, p.tb, a, b, got) })
		if i, ok := same(got.Data, want.Data); !ok {
			t.Fatalf("AVX-512 %t: %v: number %d is %v, plainly %v", more, p, i, got.Data[i], want.Data[i])
		}
	}
}

func TestAssemblyAgreesWithPlain(t *testing.T) {
	if !assembly {
		t.Skip("the processor lacks AVX")
	}
	r := rand.New(rand.NewPCG(4, 1))
	for _, p := range products(r) {
		for _, density := range []float64{1, 0.5, 0.1, 0} {
			a, b, c := p.factors(r, density)
			agree(t, p, a, b, c)
			for _, m := range []blas32.General{a, b, c} {
				strew(r, m.Data)
			}
			agree(t, p, a, b, c)
		}
	}
}

// odd numbers are those that vectors could treat otherwise.
var odd = []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), float32(math.Copysign(0, -1)),
	math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1 << 100}

// strew puts odd numbers into a slice, one in fifty.
func strew(r *rand.Rand, x []float32) {
	for range len(x) / 50 {
		x[r.IntN(len(x))] = odd[r.IntN(len(odd))]
	}
}

func TestElementwiseAssemblyAgreesWithPlain(t *testing.T) {
	if !assembly {
		t.Skip("the processor lacks AVX")
	}
	r := rand.New(rand.NewPCG(5, 1))
	factors := &AdamFactors{Scale: 0.7, Decay1: 0.9, Rest1: 1 - 0.9, Decay2: 0.999, Rest2: 1 - 0.999, Rate: 0.003, Correct: 4, Epsilon: 1e-5}
	for n := range 300 {
		numbers := func(n int) []float32 {
			x := matrix(r, 1, n, 0.7).Data
			if n%2 == 0 {
				strew(r, x)
			}
			return x
		}
		rows := 1 + r.IntN(5)
		for name, f := range map[string]func(dst [4][]float32){
			"rows":     func(x [4][]float32) { SumRows(x[0], x[3], n) },
			"relu":     func(x [4][]float32) { ReLU(x[0], x[1]) },
			"in place": func(x [4][]float32) { ReLU(x[0], x[0]) },
			"gradient": func(x [4][]float32) { ReLUGradient(x[0], x[1], x[2]) },
			"adam":     func(x [4][]float32) { Adam(x[0], x[1], x[2], x[3][:n], factors) },
		} {
			got := [4][]float32{numbers(n), numbers(n), numbers(n), numbers(n * rows)}
			var want [4][]float32
			for i, x := range got {
				want[i] = append([]float32(nil), x...)
			}
			plain(func() { f(want) })
			f(got)
			for i := range got {
				if at, ok := same(got[i], want[i]); !ok {
					t.Fatalf("%s: number %d of %d is %v, plainly %v", name, at, n, got[i][at], want[i][at])
				}
			}
		}
	}
}

// FuzzAssembly takes the numbers as they come: every bit pattern may stand anywhere.
func FuzzAssembly(f *testing.F) {
	f.Add(uint8(0), uint8(7), uint8(17), uint8(9), []byte{0, 0, 0x80, 0x7f, 0, 0, 0, 0x80, 1, 2, 3, 4})
	f.Add(uint8(1), uint8(1), uint8(33), uint8(70), []byte{0, 0, 0, 0, 0, 0, 0x80, 0x3f})
	f.Add(uint8(2), uint8(30), uint8(20), uint8(70), []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xdb, 0x0f, 0x49, 0x40})
	f.Fuzz(func(t *testing.T, form, m, n, k uint8, numbers []byte) {
		if !assembly || len(numbers) < 4 {
			t.Skip()
		}
		p := product{forms[form%3][0], forms[form%3][1], 1 + int(m%70), 1 + int(n%70), 1 + int(k%70)}
		next := 0
		a, b, c := p.factors(rand.New(rand.NewPCG(uint64(form), 1)), 1)
		for _, operand := range []blas32.General{a, b, c} {
			for i := range operand.Data {
				var bits uint32
				for range 4 {
					bits = bits<<8 | uint32(numbers[next%len(numbers)])
					next++
				}
				operand.Data[i] = math.Float32frombits(bits)
			}
		}
		agree(t, p, a, b, c)
	})
}

// TestAssemblyIsFresh runs the generator.
func TestAssemblyIsFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./internal/avx", "-out", filepath.Join(dir, "avx_amd64.s"), "-stubs", filepath.Join(dir, "avx_amd64.go"), "-pkg",
		"kernel")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"avx_amd64.s", "avx_amd64.go"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// The first line has the command, with the folder that it wrote to.
		if string(body(got)) != string(body(want)) {
			t.Errorf("%s is not what the generator writes: go generate ./agents/network/kernel", name)
		}
	}
}

// body returns all lines but the first.
func body(text []byte) []byte {
	for i, c := range text {
		if c == '\n' {
			return text[i:]
		}
	}
	return nil
}

// TestPowersAreThoseOfGo: assembly that is there and does not run, since it gives what math.Exp
// no longer does, would be slow and nobody would know.
func TestPowersAreThoseOfGo(t *testing.T) {
	if cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3) && !powers {
		t.Error("math.Exp has changed, or GODEBUG forbids fused products: the assembly of Exp is left out")
	}
}
