// Package bank judges agents in late positions that are solved exactly: what an agent gives away
// there, nobody needs to argue about.
//
//	b, err := bank.Make(ctx, bank.Config{Game: game, Players: players, Positions: 100, ...})
//	players, err := bank.Players(ctx, game, "zoo:jogu", 16, 0)
//	score, err := b.Score(ctx, game, players, bank.Options{})
//
// A position comes out of a game that somebody has played. What its seats do not know of each
// other belongs to it: it begins with a lot among all deals that are common knowledge to be
// possible there, each as likely as another, and the tree behind them is solved as a whole. So an
// agent is not asked to know what it cannot know. How the position came about says nothing about
// hands: an agent that draws conclusions from it, as an equilibrium of the whole game does, loses a
// little by that in positions of much hidden and much said (0.05 in those of Kuhn poker).
//
// Only contested positions are kept: where it makes no difference what is played, nothing is
// measured. Three kinds can be solved. In a game of two seats whose returns always have the same sum a seat
// loses what the value of the position exceeds what its policy is sure to bring, against the best of
// all answers. Where one seat alone still decides, in any game, it loses what it falls short of the best. In a
// cooperative game the team loses what it falls short of the best team, which sees all hands, told by whose choices
// lose it.
package bank
