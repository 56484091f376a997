package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// spreadPlaces is the set of D11: cities without a Riot beside the one that spreads.
func (g *game) spreadPlaces(p *Position) hexSet {
	var set hexSet
	for _, c := range g.adjacentCities(p, p.Build.Hex) {
		if c != noCity && !p.Riot.has(c) && g.cityHex[c] >= p.LastHex {
			set.add(g.cityHex[c])
		}
	}
	return g.leaveRoom(set, int(p.Build.Spread))
}

// leaveRoom implements R3.5 for a compulsory set of n different hexes: one is
// masked if the rest would not fit behind it.
func (g *game) leaveRoom(set hexSet, n int) hexSet {
	for extra := n - 1; extra > 0 && set.count() > 0; extra-- {
		last := noHex
		for h := set.next(0); h != noHex; h = set.next(h + 1) {
			last = h
		}
		if set.count() > 1 {
			set.del(last)
		}
	}
	return set
}

func (g *game) chooseSpread(p *Position, w *flow.Witness, a engine.Action) {
	if a != noAction {
		h := HexID(a - actHex)
		g.addRiot(p, w, "R7.1", h)
		p.LastHex = h + 1
		p.Build.Spread--
	}
	if a == noAction || p.Build.Spread == 0 {
		p.Build = Attempt{}
	}
}

func (g *game) offerExtraRiot(p *Position) {
	set := g.extraRiots(p)
	p.allowHexes(&set)
	p.allow(actDone)
}

func (g *game) chooseExtraRiot(p *Position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.Builds = RebelBuilds{Step: stepArrival}
		return
	}
	h := HexID(a - actHex)
	g.addRiot(p, w, g.extraRiotRule(), h)
	p.LastHex = h + 1
	p.Builds.Extra++
}
