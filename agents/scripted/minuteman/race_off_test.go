//go:build !race

package minuteman

const raceEnabled = false
