// Package evolve searches for better weights of a scripted player in games: an evolution
// strategy, for games in which hundreds of decisions lead to one result, so that a gradient
// has little to go by and a hundred numbers that plan a whole game are moved together.
//
// Each generation has a population of sets of weights, which play the same games; their mean
// moves towards the better half. What is kept is the mean, never the best of many noisy
// samples. The weights that come of it advise a network (network.Config.Advisers), which the
// rest of the training goes on from; the scripted player itself stays as it is.
package evolve
