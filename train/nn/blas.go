//go:build !openblas

package nn

// foreignBLAS tells whether matrices are multiplied outside Go.
const foreignBLAS = false

// BLAS names the matrix library of this build.
const BLAS = "gonum"
