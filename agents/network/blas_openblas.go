//go:build openblas

package network

// void openblas_set_num_threads(int);
import "C"

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/netlib/blas/netlib"
)

// ForeignBLAS reports whether matrices are multiplied outside Go.
const ForeignBLAS = true

// BLAS names the matrix library of this build.
const BLAS = "openblas"

// The library is chosen by the build, before anything can multiply. It is kept to
// one thread a call: inference is called from many goroutines already, and while
// OpenBLAS's own threads wait they spin, which took a third of the processors in
// training. The learner shares large products out instead.
func init() {
	blas32.Use(netlib.Implementation{})
	C.openblas_set_num_threads(1)
}

// Multiply adds op(a) op(b) to c on the calling goroutine, where op transposes if its
// flag says so; not both may.
func Multiply(ta, tb blas.Transpose, a, b, c blas32.General) { blas32.Gemm(ta, tb, 1, a, b, 1, c) }
