package liarsdice

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

var kinds = flow.NewKinds(nil, []flow.Kind{
	{Name: "roll", Text: "Seat {seat} rolls a {face}", Veiled: "Seat {seat} rolls a die"},
	{Name: "show", Text: "Seat {seat} shows {dice}"},
	{Name: "game_over", Text: "The bid was {bid}, and {count} dice count for it: seat {winner} wins, seat {loser} loses"},
})

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return kinds }

// tellEnd tells what the dice show.
func (g *game) tellEnd(p *Position, w *flow.Witness) {
	for seat := range g.seats {
		w.All("show", "R3.1", flow.Arg("seat", seat), flow.Arg("dice", g.shown(p, engine.Player(seat))))
	}
	_, face := g.unrank(p.last())
	winner, loser := g.outcome(p)
	w.All("game_over", "R3.2", flow.Arg("bid", g.spec.Actions[p.last()]), flow.Arg("count", int(g.counted(p, face))),
		flow.Arg("winner", int(winner)), flow.Arg("loser", int(loser)))
}
