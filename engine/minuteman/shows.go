package minuteman

import "powderkeg/engine"

// Shows implements engine.Secretive. Which counter is drawn is known to nobody
// (R19), which special marker to the one who draws it; all else is open.
func (s *State) Shows(p engine.Player, _ engine.Action) bool {
	if s.p.actor != engine.Chance {
		return true
	}
	return !isDraw(s.p.ask) && (s.p.ask != askMarker || p == engine.Player(s.p.seat))
}
