package jogu

import "powderkeg/engine"

// Shows implements flow.Rules and R16.1-R16.7: which moves a seat gets to know when they
// are made.
func (g *game) Shows(p *Position, seat engine.Player, a engine.Action) bool {
	if p.Actor == engine.Chance {
		return g.showsOutcome(p, seat)
	}
	// Discards are public only when both are done (R16.2).
	return seat == p.Actor || p.asked() != DiscardDecision && g.Veil(p, a) == ""
}

// showsOutcome reports whether a seat sees what chance brings. Lots, Assassins
// (R16.2) and what a Saboteur turns up (R16.6) are public; cards drawn or looked
// at are seen by the one who draws or looks (R16.3-R16.4).
func (g *game) showsOutcome(p *Position, seat engine.Player) bool {
	switch p.asked() {
	case askDraw:
		return seat == engine.Player(g.pileOwner(p)) || p.Depth > 0 && g.currentEffect(p).Op == Mill
	case askLocation:
		return seat == engine.Player(g.locationOwner(p))
	}
	return true
}
