package domination

import "powderkeg/engine"

// Shows implements flow.Rules, R4.1 and R4.5: everything is done in the open,
// except that a card is drawn unseen by the others and that a question declined in
// a window was never known to them.
func (g *game) Shows(p *Position, seat engine.Player, a engine.Action) bool {
	switch p.asked() {
	case askDraw:
		return seat == engine.Player(g.board(p).drawer())
	case AnytimeDecision, ScoringDecision, LogisticsDecision:
		return seat == p.Actor || a != ActDecline
	}
	return true
}
