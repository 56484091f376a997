//go:build !invariants

package minuteman

// checkInvariants makes Apply check the whole position after every action.
const checkInvariants = false
