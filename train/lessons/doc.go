// Package lessons teaches a network by imitation: players write games into a set
// that grows, a teacher says at each decision what it would do, and the network
// learns the answers by cross-entropy, and the values from how the games ended, in
// many passes over the set.
//
// The set keeps games, not observations: the seed that chance follows from, and for
// each decision that has a choice the place of the action among the legal ones. That
// is about a byte a decision, exact whatever an observation is made of, where the
// numbers that a network reads are kilobytes. Games are played again to fill a window
// of rows, which costs a few microseconds a row beside the tens that learning from it
// takes.
//
// With a learner's share the network plays some of the games and is taught in the
// situations that it gets into (DAgger: S. Ross, G. Gordon and D. Bagnell, "A reduction
// of imitation learning and structured prediction to no-regret online learning",
// AISTATS 2011).
package lessons
