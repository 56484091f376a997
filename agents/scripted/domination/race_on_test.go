//go:build race

package domination

// raceEnabled tells tests that the race detector makes them slow and lets them
// allocate.
const raceEnabled = true
