package goofspiel

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The rows of the table.
const (
	askPrize uint8 = iota
	askBid
	askNothing // the game is over
)

var table = []flow.Row[*game, Position]{
	askPrize: {Name: "prize", Rule: "R1.2", Says: flow.Say[*game, Position]("A prize is turned up"),
		Do: (*game).draw, Odds: flow.Each(0, maxCards, (*game).prizeOdds)},
	askBid:     {Name: "bid", Rule: "R2.1", Says: (*game).askedBid, Do: (*game).bid},
	askNothing: {},
}

// Table implements flow.Rules.
func (g *game) Table() []flow.Row[*game, Position] { return table }

// Next implements flow.Rules, R1.2, R2.1 and R-02: a prize is turned up, then seat 0 bids and seat 1, which does
// not see what seat 0 has bid.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	switch {
	case p.Scored == g.cards:
		return p.Put(askNothing, engine.Terminal)
	case p.Turned > p.Scored:
		seat := p.bidder()
		p.Offer().AddBits(0, uint64(g.hand(p, seat))>>1)
		return p.Put(askBid, engine.Player(seat))
	case g.due(int(p.Turned)) == 0 && p.Turned+1 < g.cards:
		return p.Put(askPrize, engine.Chance)
	}
	g.turnUp(p, w)
	return false
}

// Waits implements flow.Rules and R-01: the last card is played unasked.
func (g *game) Waits(p *Position) bool { return p.Scored+1 < g.cards }
