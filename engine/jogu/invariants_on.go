//go:build invariants

package jogu

// checkInvariants makes Apply check the whole position after every action.
const checkInvariants = true
