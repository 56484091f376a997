//go:build !invariants

package insurgency

// checkInvariants makes Apply check the whole position after every action.
const checkInvariants = false
