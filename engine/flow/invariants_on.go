//go:build invariants

package flow

// checkInvariants makes Apply check the whole position after every move.
const checkInvariants = true
