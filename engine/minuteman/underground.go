package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// undergroundPhase implements R6.1 (phase A1): each Rebel in seat order toggles
// Networks and Minutemen, each unit once.
func (g *game) undergroundPhase(p *position, w *flow.Witness) bool {
	if p.seat == noSeat {
		return g.enter(p, w, phaseA2)
	}
	return p.decide(askToggle, p.seat)
}

// toggleable is the set of units that may go down or come up. Going down is
// barred after the Revolution and in rough brushland without a centre.
func (g *game) toggleable(p *position, seat SeatID) unitSet {
	var set unitSet
	for u := p.onMap.next(netFirst); u < milFirst; u = p.onMap.next(u + 1) {
		x := &p.units[u]
		if x.marks&acted != 0 || g.owner(p, u) != seat || !g.notBefore(p, u) {
			continue
		}
		h := &g.hexes[x.hex]
		if x.marks&underground != 0 || p.revTurn == 0 && (h.terrain != roughBrushland || h.pop > 0) {
			set.add(u)
		}
	}
	return set
}

// notBefore implements R3.5: tokens come in ascending order, hexes first, then
// classes; an equal one is legal while another unit fits it.
func (g *game) notBefore(p *position, u UnitID) bool {
	h := p.units[u].hex
	return h > p.lastHex || h == p.lastHex && g.classOf(p, u) >= p.lastClass
}

func (g *game) offerToggle(p *position) {
	set := g.toggleable(p, SeatID(p.Actor))
	switch p.part {
	case 0:
		p.allowIf(!set.empty(), actToggle)
		p.allowIf(g.canKill(p, SeatID(p.Actor)), actAssassinate)
		p.allow(actDone)
	case 1:
		hexes := p.hexesOf(&set)
		p.allowHexes(&hexes)
	default:
		g.allowClasses(p, &set, p.selHex, 0)
	}
}

// chooseToggle implements R6.1 and R6.2.
func (g *game) chooseToggle(p *position, w *flow.Witness, a engine.Action) {
	switch {
	case a == actDone:
		p.seat = g.nextRebel(p, p.seat+1)
		if p.phase == phaseG2 {
			p.step++
			p.seat = p.fed
		}
		p.lastHex, p.lastClass = 0, 0
	case a == actAssassinate:
		g.startKill(p)
	case p.part == 0:
		p.part = 1
	case p.part == 1:
		p.selHex, p.part = HexID(a-actHex), 2
	default:
		set := g.toggleable(p, SeatID(p.Actor))
		c := class(a - actClass)
		u := g.find(p, &set, p.selHex, c)
		if p.units[u].marks ^= underground; w != nil {
			kind := "surfaced"
			if p.units[u].marks&underground != 0 {
				kind = "underground"
			}
			w.All(kind, "R6.1", g.unitArg(u), g.hexArg(p.selHex))
		}
		p.units[u].marks |= acted
		p.lastHex, p.lastClass, p.part = p.selHex, c, 0
	}
}
