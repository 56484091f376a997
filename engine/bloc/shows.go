package bloc

import "powderkeg/engine"

// Shows implements flow.Rules, R15.1 and R15.2: which moves a seat gets to know when they are
// made.
func (g *game) Shows(p *Position, seat engine.Player, a engine.Action) bool {
	b := Board{g, p, nil}
	if seat == p.Actor {
		return true
	}
	switch p.Ask {
	case dealLoot, drawLoot, dealAgendas: // drawn cards are seen by the one who draws
		return seat == b.owner(p.Now.Who)
	case tradeGive: // the partner is shown the proposal when it is whole (R5.9)
		return false
	case tradeWant:
		return seat == b.owner(p.Now.Partner)
	case tradePick: // seen by the two
		return seat == b.owner(p.Now.Who)
	}
	return !table[p.Ask].Secret || a != ActDone // R15.1
}

// Veil implements flow.Veiler: of a choice whose contents are private the others hear that
// it is made (R15.2), of a secret question that is declined nothing (R15.1).
func (g *game) Veil(p *Position, _ engine.Action) string {
	if table[p.Ask].Secret {
		return ""
	}
	return stages[p.Ask].question
}
