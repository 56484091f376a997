//go:build race

package jogu

// raceEnabled tells that everything takes ten times as long.
const raceEnabled = true
