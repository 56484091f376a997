//go:build race

package minuteman

// raceEnabled tells that everything takes ten times as long.
const raceEnabled = true
