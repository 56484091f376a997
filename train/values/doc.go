// Package values learns what positions are worth from stored games.
//
// A store keeps a few moments of many games, since the moments of one game are much alike:
//
//	s, err := values.Collect(ctx, "runs/bloc-values", values.Collection{Game: g, Games: 100_000, Moments: 4, ...})
//	net, figures, err := values.Fit(ctx, s, values.DefaultLearning())
//	critic := values.New(g, s, net, figures).NewCritic() // a luck.Values
//
// Of each game some decisions are kept and some events of chance, with all that could have
// come, each drawn with the same probability from those of its game; then what all seats have
// gained in the end. Games are held out as wholes.
//
// The network has nothing to do with that of a player. It may see all seats' observations at
// once, and gives a value for each seat, from the first seat on whoever is to act.
package values
