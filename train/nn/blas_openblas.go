//go:build openblas

package nn

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/netlib/blas/netlib"
	"gorgonia.org/gorgonia"
)

// foreignBLAS tells whether matrices are multiplied outside Go.
const foreignBLAS = true

// BLAS names the matrix library of this build.
const BLAS = "openblas"

// The library is chosen by the build, before anything can multiply.
func init() {
	blas32.Use(netlib.Implementation{})
	gorgonia.Use(netlib.Implementation{})
}
