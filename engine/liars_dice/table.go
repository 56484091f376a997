package liarsdice

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The rows of the table.
const (
	askRoll uint8 = iota
	askBid
	askNothing // the game is over
)

var table = []flow.Row[*game, Position]{
	askRoll: {Name: "roll", Rule: "R1.1", Says: flow.Say[*game, Position]("A die is rolled"),
		Do: (*game).roll, Odds: flow.Each(0, maxFaces, (*game).rollOdds)},
	askBid:     {Name: "bid", Rule: "R2.2", Says: (*game).askedBid, Do: (*game).bidOrCall},
	askNothing: {},
}

// Table implements flow.Rules.
func (g *game) Table() []flow.Row[*game, Position] { return table }

// Next implements flow.Rules: the dice are rolled, then the seats bid until one calls.
func (g *game) Next(p *Position, _ *flow.Witness) bool {
	switch {
	case p.Called:
		return p.Put(askNothing, engine.Terminal)
	case p.Rolled < g.total:
		return p.Put(askRoll, engine.Chance)
	}
	p.Words = g.legal[p.open()]
	return p.Put(askBid, g.bidder(int(p.Made)))
}

// Waits implements flow.Rules. The call after the highest bid is asked for, too.
func (g *game) Waits(*Position) bool { return true }
