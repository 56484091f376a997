//go:build openblas

package nn

import (
	"gonum.org/v1/netlib/blas/netlib"
	"gorgonia.org/gorgonia"
)

// gorgonia multiplies by the library that package network has chosen.
func init() { gorgonia.Use(netlib.Implementation{}) }
