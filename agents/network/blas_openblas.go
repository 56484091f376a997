//go:build openblas

package network

// void openblas_set_num_threads(int);
import "C"

import (
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
