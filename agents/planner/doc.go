// Package planner makes players of a scripted planner and a network that chooses among its
// candidates.
//
// A planner weighs whole plans: take the metro with two blocs and build in that State District,
// or bring that Division to the city whose line is cut. It shows them for the decision at hand
// (package agents/scripted/menu), each with what it is worth to it and with numbers that describe
// it, and a small network adds its own judgement to each worth, in nats. With a network of zeros the planner does what it would do by itself, move
// for move, so that all that a trained one gains is learned. The plan that was taken is not kept: at the
// next decision the planner shows what goes on with what has been chosen so far, and whatever
// has come otherwise than foreseen is reckoned with. So a planner is a policy, with no memory.
//
// A game without a planner of its own shows its legal actions, described by the observation,
// as plans of one step (New), which proves the learning where the answer is known.
package planner
