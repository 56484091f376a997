package minuteman

import "powderkeg/engine/flow"

// riotAt and informerAt tell what lies in a hex (R1.5).
func (g *game) riotAt(p *Position, h HexID) bool     { return p.Riot.has(g.hexes[h].city) }
func (g *game) informerAt(p *Position, h HexID) bool { return p.Informer.has(g.hexes[h].city) }

// addRiot implements R7.1 and R7.4: a Riot replaces an Unrest, and arises in
// Population I hexes only. After the Revolution a Network's hex takes none
// (R20.7).
// Ruling 39: markers have no limit.
// Ruling 45: a Network's hex takes no further Riot after the Revolution.
func (g *game) addRiot(p *Position, w *flow.Witness, rule string, h HexID) {
	if g.hexes[h].pop != 1 || p.RevTurn > 0 && g.first(p, network, h) != noUnit || g.riotAt(p, h) {
		return
	}
	p.Riot.add(g.hexes[h].city)
	p.Unrest.del(h)
	if w != nil {
		w.All("riot", rule, g.hexArg(h))
	}
}

// endRiot takes a Riot away.
func (g *game) endRiot(p *Position, w *flow.Witness, rule string, h HexID) {
	if p.Riot.del(g.hexes[h].city); w != nil {
		w.All("riot_removed", rule, g.hexArg(h))
	}
}

// addInformer places one if a counter is left and none is there (R1.5, R1.6).
func (g *game) addInformer(p *Position, w *flow.Witness, rule string, h HexID) {
	if p.Informer.count() >= numInf || g.informerAt(p, h) {
		return
	}
	if p.Informer.add(g.hexes[h].city); w != nil {
		w.All("informer", rule, g.hexArg(h))
	}
}

// dropInformer removes the Informer of a hex, if there is one.
func (g *game) dropInformer(p *Position, w *flow.Witness, rule string, h HexID) {
	if !g.informerAt(p, h) {
		return
	}
	if p.Informer.del(g.hexes[h].city); w != nil {
		w.All("informer_removed", rule, g.hexArg(h))
	}
}

// addUnrest implements R7.4: a second Unrest becomes a Riot.
func (g *game) addUnrest(p *Position, w *flow.Witness, rule string, h HexID) {
	switch {
	case g.riotAt(p, h), p.RevTurn > 0 && g.first(p, network, h) != noUnit:
	case p.Unrest.has(h):
		g.addRiot(p, w, rule, h)
	default:
		if p.Unrest.add(h); w != nil {
			w.All("unrest", rule, g.hexArg(h))
		}
	}
}
