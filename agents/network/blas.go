//go:build !openblas

package network

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network/kernel"
)

// ForeignBLAS reports whether matrices are multiplied outside Go.
const ForeignBLAS = false

// BLAS names the matrix library of this build.
const BLAS = "go"

// Multiply adds op(a) op(b) to c on the calling goroutine, where op transposes if its
// flag says so; not both may.
func Multiply(ta, tb blas.Transpose, a, b, c blas32.General) { kernel.Gemm(ta, tb, a, b, c) }
