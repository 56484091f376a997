//go:build race

package insurgency

// raceEnabled tells that everything takes ten times as long.
const raceEnabled = true
