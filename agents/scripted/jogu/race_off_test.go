//go:build !race

package jogu

const raceEnabled = false
