//go:build !race

package domination

const raceEnabled = false
