package goofspiel

import "powderkeg/engine/flow"

var kinds = flow.NewKinds(flow.Counted("points", "point", "points"), []flow.Kind{
	{Name: "round", Text: "Round {round} begins: the prize is {prize}"},
	{Name: "bids", Text: "The bids are {bids}"},
	{Name: "won", Text: "Seat {seat} wins the prize and has {points}"},
	{Name: "tied", Text: "It is a tie, and nobody wins the prize"},
	{Name: "game_over", Text: "The game is over with {scores} points: {}"},
})

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return kinds }

// tellRound tells how a round has ended, and with the last one the game.
func (g *game) tellRound(p *Position, w *flow.Witness) {
	i := p.Scored - 1
	if g.shown {
		w.All("bids", "R2.3", flow.Arg("bids", []int{int(p.Seats[0].Cards[i]), int(p.Seats[1].Cards[i])}))
	}
	if winner := p.Won[i]; winner == tie {
		w.All("tied", "R2.2")
	} else {
		w.All("won", "R2.2", flow.Arg("seat", int(winner)), flow.Arg("points", p.points(int(winner))))
	}
	if p.Scored == g.cards {
		w.All("game_over", "R3.1", flow.Arg("scores", []int{p.points(0), p.points(1)}), flow.Said(p.ending()))
	}
}
