//go:build race

package enginetest

// Race reports whether the race detector is on, under which what is timed or counts
// allocations means nothing, and long tests are left out.
const Race = true
