package jogu

import "powderkeg/engine"

// Shows implements engine.Secretive and R16.1-R16.7: which moves seat p gets to
// know when they are made.
func (s *State) Shows(p engine.Player, a engine.Action) bool {
	if s.p.actor == engine.Chance {
		return s.showsOutcome(p)
	}
	if p == s.p.actor {
		return true
	}
	// Discards are public only when both are done (R16.2).
	return s.p.ask != askDiscard && s.g.veiled(&s.p, uint8(a)) == ""
}

// showsOutcome reports whether seat p sees what chance brings. Lots, Assassins
// (R16.2) and what a Saboteur turns up (R16.6) are public; cards drawn or looked
// at are seen by the one who draws or looks (R16.3-R16.4).
func (s *State) showsOutcome(p engine.Player) bool {
	switch s.p.ask {
	case askDraw:
		owner := engine.Player(s.g.pileOwner(&s.p))
		return p == owner || s.p.depth > 0 && s.g.currentEffect(&s.p).Op == Mill
	case askLocation:
		return p == engine.Player(s.g.locationOwner(&s.p))
	}
	return true
}
