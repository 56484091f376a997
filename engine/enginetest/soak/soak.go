// Package soak says how long the tests of a soak are. The environment has POWDERKEG_SOAK then, as
// "make soak" sets it: how many times as often as in a usual run random tests repeat what they do.
package soak

import (
	"fmt"
	"os"
	"strconv"
)

// Variable is the environment's.
const Variable = "POWDERKEG_SOAK"

// On reports whether this is a soak, in which tests have their long forms.
func On() bool { return os.Getenv(Variable) != "" }

// Times returns how often a test repeats what it does n times in a usual run. It panics where
// the environment has no number from 1 on.
func Times(n int) int {
	text, on := os.LookupEnv(Variable)
	if !on || text == "" {
		return n
	}
	factor, err := strconv.Atoi(text)
	if err != nil || factor < 1 {
		panic(fmt.Sprintf("%s is %q, it must be a whole number from 1 on, such as 200", Variable, text))
	}
	return factor * n
}
