//go:build invariants

package bloc

// checkInvariants makes Apply check the whole position after every action.
const checkInvariants = true
