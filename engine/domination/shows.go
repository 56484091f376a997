package domination

import "powderkeg/engine"

// Shows implements engine.Secretive, R4.1 and R4.5: everything is done in the open,
// except that a card is drawn unseen by the others and that a question declined in
// a window was never known to them.
func (s *State) Shows(p engine.Player, a engine.Action) bool {
	switch s.p.ask {
	case askDraw:
		return p == engine.Player(s.g.drawer(&s.p))
	case askAnytime, askScoring, askLogistics:
		return p == s.p.actor || a != actDecline
	}
	return true
}
