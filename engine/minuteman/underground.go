package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

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
func (g *game) toggleable(p *Position, seat SeatID) unitSet {
	var set unitSet
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

func (g *game) offerToggle(p *Position) {
	set := g.toggleable(p, SeatID(p.Actor))
	g.allowUnits(p, &set, actToggle)
}

// chooseToggle implements R6.1 and R6.2.
func (g *game) chooseToggle(p *Position, w *flow.Witness, a engine.Action) {
	switch {
	case a == actDone:
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
	case a == actAssassinate:
		g.startKill(p)
	case p.Part == 0:
		p.Part = 1
	case p.Part == 1:
		p.SelHex, p.Part = HexID(a-actHex), 2
	default:
		set := g.toggleable(p, SeatID(p.Actor))
		c := class(a - actClass)
		u := g.find(p, &set, p.SelHex, c)
		if p.Units[u].Marks ^= underground; w != nil {
			kind := "surfaced"
			if p.Units[u].Marks&underground != 0 {
				kind = "underground"
			}
			w.All(kind, "R6.1", g.unitArg(u), g.hexArg(p.SelHex))
		}
		p.Units[u].Marks |= acted
		p.LastHex, p.LastClass, p.Part = p.SelHex, c, 0
	}
}
