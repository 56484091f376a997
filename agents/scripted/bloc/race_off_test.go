//go:build !race

package bloc

const raceEnabled = false
