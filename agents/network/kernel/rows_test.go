package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// rowsOf returns the rows of a matrix, in memory that other rows have been in.
func rowsOf(m blas32.General) []Row {
	rows := make([]Row, m.Rows)
	for i := range rows {
		if i%3 == 0 {
			rows[i].Set([]float32{1, 0, 0, 0, 0, 2, 0})
		}
		if i%5 == 0 {
			rows[i].Set([]float32{1, 2})
		}
		rows[i].Set(m.Data[i*m.Stride:][:m.Cols])
	}
	return rows
}

func TestRowsKeepTheirNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, cols := range []int{0, 1, 7, 64, 200, 1<<16 + 3} {
		for _, density := range []float64{0, 0.1, 0.6, 0.7, 1} {
			m := matrix(r, 6, cols, density)
			for i, row := range rowsOf(m) {
				got, want := make([]float32, cols), m.Data[i*m.Stride:][:cols]
				var copied Row
				copied.Set([]float32{0, 0, 0, 0, 0, 0, 1})
				copied.CopyFrom(&row)
				copied.Expand(got)
				for j := range want {
					if got[j] != want[j] {
						t.Fatalf("%d columns, density %v: number %d is %v, want %v", cols, density, j, got[j], want[j])
					}
				}
				if short := 6*len(row.Columns) < 4*cols; row.Columns != nil && !short || len(row.Columns) > 0 && len(row.Columns) != len(row.Numbers) {
					t.Fatalf("%d columns, density %v: %d numbers in %d columns", cols, density, len(row.Numbers), len(row.Columns))
				}
			}
		}
	}
}

// fillColumns fills most numbers of some columns of a matrix, which are multiplied otherwise than
// those of many zeroes.
func fillColumns(r *rand.Rand, m blas32.General) {
	for j := range m.Cols {
		if r.IntN(3) > 0 {
			continue
		}
		for i := range m.Rows {
			if r.IntN(4) > 0 {
				m.Data[i*m.Stride+j] = float32(r.NormFloat64())
			}
		}
	}
}

// TestRowsAreMultipliedLikeMatrices holds the products of rows, in parts too, against Gemm.
func TestRowsAreMultipliedLikeMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, p := range products(r) {
		if p.n == 0 {
			continue // no layer is without outputs
		}
		for _, density := range []float64{1, 0.5, 0.1, 0} {
			a, b, c := product{blas.NoTrans, blas.Trans, p.m, p.n, p.k}.factors(r, density)
			if r.IntN(2) == 0 {
				fillColumns(r, a)
			}
			rows := rowsOf(a)
			want := clone(c)
			Gemm(blas.NoTrans, blas.Trans, a, b, want)
			turned := Turned(make([]float32, p.n*p.k), p.n, p.k)
			flat := make([]float32, 0, p.n*p.k)
			for i := range p.n {
				flat = append(flat, b.Data[i*b.Stride:][:p.k]...)
			}
			for from, next := 0, 0; from < p.k; from = next {
				next = min(p.k, from+1+r.IntN(p.k))
				Turn(turned, flat, from, next)
			}
			MultiplyRows(rows, turned, c)
			if i, ok := same(c.Data, want.Data); !ok {
				t.Fatalf("%v, density %v: number %d is %v, want %v", p, density, i, c.Data[i], want.Data[i])
			}

			dy, gradient := matrix(r, p.m, p.n, 0.9), matrix(r, p.n, p.k, 1)
			want = clone(gradient)
			for i := range p.n {
				clear(want.Data[i*want.Stride:][:p.k])
			}
			Gemm(blas.Trans, blas.NoTrans, dy, a, want)
			for from, next := 0, 0; from < p.k; from = next {
				next = min(p.k, from+1+r.IntN(p.k))
				RowsGradient(dy, rows, gradient, from, next)
			}
			if i, ok := same(gradient.Data, want.Data); !ok {
				t.Fatalf("gradient of %v, density %v: number %d is %v, want %v", p, density, i, gradient.Data[i], want.Data[i])
			}

			gradient = matrix(r, p.k, p.n, 1)
			want = clone(gradient)
			for i := range p.k {
				clear(want.Data[i*want.Stride:][:p.n])
			}
			Gemm(blas.Trans, blas.NoTrans, a, dy, want)
			for from, next := 0, 0; from < p.k; from = next {
				next = min(p.k, from+1+r.IntN(p.k))
				RowsGradientTurned(rows, dy, gradient, from, next)
			}
			if i, ok := same(gradient.Data, want.Data); !ok {
				t.Fatalf("turned gradient of %v, density %v: number %d is %v, want %v", p, density, i, gradient.Data[i], want.Data[i])
			}
		}
	}
}

// TestSomeOfAProduct: rows and columns that are asked for are those of the whole, and the others
// stay as they were.
func TestSomeOfAProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, p := range products(r) {
		a, b, c := product{blas.NoTrans, blas.Trans, p.m, p.n, p.k}.factors(r, 0.5)
		whole, want := clone(c), clone(c)
		Gemm(blas.NoTrans, blas.Trans, a, b, whole)
		var rows []int32
		from := r.IntN(p.n + 1)
		to := from + r.IntN(p.n+1-from)
		for i := range p.m {
			if r.IntN(3) > 0 {
				rows = append(rows, int32(i))
				copy(want.Data[i*want.Stride+from:][:to-from], whole.Data[i*whole.Stride+from:])
			}
		}
		MultiplySome(a, b, c, rows, from, to)
		if i, ok := same(c.Data, want.Data); !ok {
			t.Fatalf("%v, columns %d to %d: number %d is %v, want %v", p, from, to, i, c.Data[i], want.Data[i])
		}
	}
}

func TestRowsRefuseShapes(t *testing.T) {
	b := Turned(make([]float32, 12), 4, 3)
	c := blas32.General{Rows: 2, Cols: 4, Stride: 4, Data: make([]float32, 8)}
	plain := blas32.General{Rows: 3, Cols: 4, Stride: 4, Data: make([]float32, 12)}
	for name, f := range map[string]func(){
		"rows":    func() { MultiplyRows(make([]Row, 3), b, c) },
		"tiles":   func() { MultiplyRows(make([]Row, 2), plain, c) },
		"columns": func() { RowsGradient(c, make([]Row, 2), plain, 0, 4) },
		"range":   func() { RowsGradient(c, make([]Row, 2), c, 0, math.MaxInt) },
		"turned":  func() { RowsGradientTurned(make([]Row, 2), plain, c, 0, 1) },
		"some":    func() { MultiplySome(c, plain, c, nil, 0, 4) },
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
