//go:build invariants

package flow

// Invariants makes Apply check the whole position after every move.
const Invariants = true
