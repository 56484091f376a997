//go:build race

package learned

const raceEnabled = true
