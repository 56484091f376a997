package bloc

import "powderkeg/engine"

// Shows implements engine.Secretive, R15.1 and R15.2: which moves player p gets to know
// when they are made.
func (s *State) Shows(p engine.Player, a engine.Action) bool {
	g, q := s.g, &s.p
	if q.actor == engine.Chance {
		switch q.ask {
		case askLoot, askAgenda: // drawn cards are seen by the one who draws
			return uint8(p) == g.owner(q, q.who)
		}
		return true
	}
	if p == q.actor {
		return true
	}
	if q.ask.secret() { // R15.1
		return a != actDone
	}
	switch q.ask {
	case askGive: // the partner is shown the proposal when it is whole (R5.9)
		return false
	case askWant:
		return uint8(p) == g.owner(q, q.now.partner)
	case askPick: // seen by the two
		return uint8(p) == g.owner(q, q.who)
	}
	return true
}
