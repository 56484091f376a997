// Package plans trains the network that chooses among the candidates of a planner (package
// agents/planner), by the results of whole games.
//
// Each update plays some thousands of games in which the learning seats draw among their
// candidates, and takes one step along the policy gradient: a plan that was taken becomes more
// likely by how much better its game ended than the values expected. Under dice that decide more
// than any plan a single game says next to nothing; so what counts is games, and a game costs
// what its planner costs. The gradient of a game is summed up as soon as it is over, in blocks
// of games whose order does not depend on the workers, so that nothing is stored and every number
// of workers gives the same bits.
//
// The network begins at zero: the first games are those of the planner, drawn at the
// temperature. Evaluations take the best candidate and play the same games as the planner by itself;
// their difference is what was learned.
package plans
