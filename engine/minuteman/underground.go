package minuteman

import "powderkeg/engine/flow"

// undergroundPhase implements R6.1 (phase A1): each Rebel in seat order toggles
// Networks and Minutemen, each unit once.
func (g *game) undergroundPhase(p *Position, w *flow.Witness) bool {
	if g.skipOut(p); p.Seat == noSeat {
		return g.enter(p, w, phaseA2)
	}
	return p.decide(askToggle, p.Seat)
}

// toggleable is the set of units that may go down or come up. Going down is
// barred after the Revolution and in rough brushland without a centre.
func (g *game) toggleable(p *Position) unitSet {
	var set unitSet
	seat := SeatID(p.Actor)
	for u := p.OnMap.next(netFirst); u < milFirst; u = p.OnMap.next(u + 1) {
		x := &p.Units[u]
		if x.Marks&acted != 0 || g.owner(p, u) != seat || !g.notBefore(p, u) {
			continue
		}
		h := &g.hexes[x.Hex]
		if x.Marks&underground != 0 || p.RevTurn == 0 && (h.terrain != roughBrushland || h.pop > 0) {
			set.add(u)
		}
	}
	return set
}

// notBefore implements R3.5: tokens come in ascending order, hexes first, then
// classes; an equal one is legal while another unit fits it.
func (g *game) notBefore(p *Position, u UnitID) bool {
	h := p.Units[u].Hex
	return h > p.LastHex || h == p.LastHex && g.classOf(p, u) >= p.LastClass
}

// toggles is D10.
var toggles = taking{verb: actToggle, set: (*game).toggleable, take: (*game).toggle, done: (*game).toggled}

// toggle implements R6.1 and R6.2.
func (g *game) toggle(p *Position, w *flow.Witness, u UnitID) {
	p.LastHex, p.LastClass = p.SelHex, g.classOf(p, u)
	if p.Units[u].Marks ^= underground | acted; w != nil {
		kind := "surfaced"
		if p.Units[u].Marks&underground != 0 {
			kind = "underground"
		}
		w.All(kind, "R6.1", g.unitArg(u), g.hexArg(p.SelHex))
	}
}

// toggled goes on to the next Rebel, in G2 to the builds of a federalized one.
func (g *game) toggled(p *Position, _ *flow.Witness) {
	p.LastHex, p.LastClass = 0, 0
	if p.Phase == phaseA1 {
		p.Seat = g.nextRebel(p, p.Seat+1)
		return
	}
	p.GovBuilds++
	p.Seat = p.Fed
	for u := p.OnMap.next(netFirst); u < milFirst; u = p.OnMap.next(u + 1) {
		p.Units[u].Marks &^= acted // what has come up may build (R7.3)
	}
}
