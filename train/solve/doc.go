// Package solve computes exact answers for games that are small enough to hold
// their whole tree: the value of a joint policy, best responses, NashConv,
// exploitability, and near-equilibria by counterfactual regret minimisation.
//
//	tree, err := solve.Build(ctx, game, solve.Limits{})
//	solver, err := solve.New(tree, solve.Default(solve.CFRPlus))
//	for range 1000 {
//		solver.Iterate()
//	}
//	result := tree.Evaluate(solver.Average())
//	fmt.Println(result.Values, result.Exploitability)
//
// A policy from elsewhere, such as a network's, is measured the same way:
//
//	policy, err := tree.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
//		// states holds every information state of one seat, with the view to observe
//	})
//	result := tree.Evaluate(policy)
//
// Any number of seats and any payoffs are taken; what is guaranteed to converge
// to an equilibrium is a two-seat zero-sum game.
//
// Policies are held in sequence form (B. von Stengel, "Efficient Computation of
// Behavior Strategies", Games and Economic Behavior 14, 1996). A sequence of a
// seat is one of its information states with the action taken there, and stands
// for all of the seat's own decisions up to it. The probability with which a
// policy plays a sequence, its reach, is a product down the seat's own
// decisions, and what a seat expects is a sum over the ends of the game: returns
// times the probability of chance times one reach a seat. To evaluate and to
// respond are loops over flat arrays, one over the ends and one over a seat's
// information states. The solvers go over the nodes, kept in flat arrays too.
package solve
