//go:build !race

package insurgency

const raceEnabled = false
