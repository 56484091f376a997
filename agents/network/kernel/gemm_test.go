package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/engine/enginetest"
)

// A product is one of the three forms, with inner index of length k.
type product struct {
	ta, tb  blas.Transpose
	m, n, k int
}

func (p product) String() string { return fmt.Sprintf("%c%c %dx%dx%d", p.ta, p.tb, p.m, p.n, p.k) }

// forms are x wᵀ, dy w and dyᵀ x.
var forms = [][2]blas.Transpose{{blas.NoTrans, blas.Trans}, {blas.NoTrans, blas.NoTrans}, {blas.Trans, blas.NoTrans}}

// matrix returns rows behind each other with a gap, of random numbers and zeroes of both
// signs, so that about density of them are something.
func matrix(r *rand.Rand, rows, cols int, density float64) blas32.General {
	m := blas32.General{Rows: rows, Cols: cols, Stride: cols + r.IntN(4)}
	m.Data = make([]float32, max(0, (rows-1)*m.Stride+cols))
	for i := range m.Data {
		if m.Data[i] = float32(r.NormFloat64()); r.Float64() >= density {
			m.Data[i] = float32(math.Copysign(0, r.Float64()-0.5))
		}
	}
	return m
}

// factors returns the operands of a product; c begins with numbers, but not with -0.
func (p product) factors(r *rand.Rand, density float64) (a, b, c blas32.General) {
	c = matrix(r, p.m, p.n, 1)
	switch {
	case p.ta == blas.Trans:
		return matrix(r, p.k, p.m, 0.9), matrix(r, p.k, p.n, density), c
	case p.tb == blas.Trans:
		return matrix(r, p.m, p.k, density), matrix(r, p.n, p.k, 0.9), c
	}
	b = matrix(r, p.k, p.n, 0.9)
	if r.IntN(2) == 0 { // as a frozen network keeps it
		w := matrix(r, 1, p.n*p.k, 0.9)
		b = Turned(w.Data, p.n, p.k)
	}
	return matrix(r, p.m, p.k, density), b, c
}

// slow adds a product as the package's comment writes it.
func slow(p product, a, b, c blas32.General) {
	at := func(m blas32.General, t blas.Transpose, i, j int) float32 {
		if t == blas.Trans {
			i, j = j, i
		}
		return m.Data[i*m.Stride+j]
	}
	for i := range p.m {
		for j := range p.n {
			sum := c.Data[i*c.Stride+j]
			for k := range p.k {
				sum += float32(at(a, p.ta, i, k) * at(b, p.tb, k, j))
			}
			c.Data[i*c.Stride+j] = sum
		}
	}
}

func clone(m blas32.General) blas32.General {
	m.Data = append([]float32(nil), m.Data...)
	return m
}

// same compares bit for bit, but for what a NaN carries.
func same(x, y []float32) (int, bool) {
	for i := range x {
		if math.Float32bits(x[i]) != math.Float32bits(y[i]) && (x[i] == x[i] || y[i] == y[i]) {
			return i, false
		}
	}
	return 0, true
}

// products are odd sizes around the tiles and blocks, those of networks, and random
// ones.
func products(r *rand.Rand) []product {
	var list []product
	for _, form := range forms {
		for _, size := range [][3]int{
			{1, 1, 1}, {1, 16, 8}, {1, 70, 67}, {6, 16, 256}, {7, 17, 257}, {8, 15, 63}, {13, 33, 300}, {385, 18, 20},
			{1, 128, 580}, {64, 128, 580}, {64, 62, 128}, {128, 580, 70}, {20, 30, 520}, {23, 290, 200}, {11, 49, 193}, {397, 48, 30}, {0, 3, 4}, {3, 0,
				4}, {3, 4, 0},
		} {
			list = append(list, product{form[0], form[1], size[0], size[1], size[2]})
		}
		for range 150 {
			list = append(list, product{form[0], form[1], 1 + r.IntN(70), 1 + r.IntN(70), 1 + r.IntN(70)})
		}
	}
	return list
}

func TestGemmKeepsTheOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, p := range products(r) {
		for _, density := range []float64{1, 0.5, 0.1, 0} {
			a, b, c := p.factors(r, density)
			want := clone(c)
			slow(p, a, b, want)
			Gemm(p.ta, p.tb, a, b, c)
			if i, ok := same(c.Data, want.Data); !ok {
				t.Fatalf("%v, density %v: number %d is %v, want %v", p, density, i, c.Data[i], want.Data[i])
			}
		}
	}
}

// A row alone, rows apart and columns apart give what they give together, whichever way
// each of them takes.
func TestGemmInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, density := range []float64{1, 0.1} {
		p := product{blas.NoTrans, blas.Trans, 40, 50, 300}
		a, b, c := p.factors(r, density)
		want := clone(c)
		Gemm(p.ta, p.tb, a, b, want)
		for from, rows := 0, 1; from < p.m; from, rows = from+rows, min(rows+1, p.m-from-rows) {
			part, out := a, c
			part.Rows, part.Data = rows, a.Data[from*a.Stride:]
			out.Rows, out.Data = rows, c.Data[from*c.Stride:]
			Gemm(p.ta, p.tb, part, b, out)
		}
		if i, ok := same(c.Data, want.Data); !ok {
			t.Fatalf("density %v: number %d is %v in parts, %v at once", density, i, c.Data[i], want.Data[i])
		}
	}
}

func TestGemmAllocatesNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	r := rand.New(rand.NewPCG(3, 1))
	for _, form := range forms {
		for _, rows := range []int{1, 3, 100} {
			for _, density := range []float64{1, 0.1} {
				p := product{form[0], form[1], rows, 70, 300}
				a, b, c := p.factors(r, density)
				if got := testing.AllocsPerRun(5, func() { Gemm(p.ta, p.tb, a, b, c) }); got != 0 {
					t.Errorf("%v, density %v: %v allocations, want none", p, density, got)
				}
			}
		}
	}
}

func TestGemmRefusesShapes(t *testing.T) {
	m := func(rows, cols int) blas32.General {
		return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float32, rows*cols)}
	}
	short := m(3, 4)
	short.Data = short.Data[:11]
	narrow := m(3, 4)
	narrow.Stride = 3
	for name, f := range map[string]func(){
		"inner": func() { Gemm(blas.NoTrans, blas.NoTrans, m(2, 3), m(4, 5), m(2, 5)) },
		"rows":  func() { Gemm(blas.NoTrans, blas.NoTrans, m(2, 3), m(3, 5), m(3, 5)) },
		"cols":  func() { Gemm(blas.NoTrans, blas.Trans, m(2, 3), m(5, 3), m(2, 4)) },
		"both":  func() { Gemm(blas.Trans, blas.Trans, m(3, 2), m(5, 3), m(2, 5)) },
		"short": func() { Gemm(blas.NoTrans, blas.NoTrans, short, m(4, 5), m(3, 5)) },
		"thin":  func() { Gemm(blas.NoTrans, blas.NoTrans, narrow, m(4, 5), m(3, 5)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("accepted")
				}
			}()
			f()
		})
	}
}
