//go:build race

package bloc

// raceEnabled tells that everything takes ten times as long.
const raceEnabled = true
