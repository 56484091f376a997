//go:build race

package search_test

// raceEnabled tells that allocations cannot be counted.
const raceEnabled = true
