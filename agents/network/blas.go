//go:build !openblas

package network

// ForeignBLAS reports whether matrices are multiplied outside Go.
const ForeignBLAS = false

// BLAS names the matrix library of this build.
const BLAS = "gonum"
