//go:build !invariants

package domination

// checkInvariants makes Apply check the whole position after every action.
const checkInvariants = false
