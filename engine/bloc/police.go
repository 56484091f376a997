package bloc

import (
	"math/bits"

	"powderkeg/engine/flow"
)

// promptOps implements R8.1 (Step 3), R8.2 (Draw) and C12: police ops cards are drawn
// and carried out one by one, in the Police Ops step or after a reaction roll of 2
// (R6.6).
func (g *game) promptOps(p *Position, w *flow.Witness) bool {
	for p.Now.Ops > 0 {
		if p.PrefixSize > 0 {
			card := p.Prefix[0]
			p.PrefixSize--
			copy(p.Prefix[:], p.Prefix[1:])
			p.Prefix[p.PrefixSize] = 0
			g.police(p, w, card)
			continue
		}
		card, ok := only(p.Ops[:])
		switch {
		case ok:
			p.Ops[card]--
			g.police(p, w, OpsID(card))
		case kindsOf(p.Ops[:]) == 0: // only where a position lacks cards
			p.Now.Ops = 0
		default:
			return p.wait()
		}
	}
	if p.Now.Roll != 0 {
		g.reactionOver(p, w)
	} else {
		g.endTurn(p, w)
	}
	return false
}

// police implements R8.2 and R11.5: one ops card is carried out and put away; an empty
// deck is replaced by the shuffled discard pile (Ruling 10).
func (g *game) police(p *Position, w *flow.Witness, card OpsID) {
	p.Now.Ops--
	if w != nil {
		w.All("ops_card", "R8.2", flow.Arg("ops_card", g.box.ops[card].Key))
	}
	effects := g.box.ops[card].Effects
	for i := range effects {
		primitives[effects[i].Op].onOps(g, p, w, &effects[i])
	}
	if card != g.box.lockdown {
		p.OpsDiscard[card]++
	}
	if p.PrefixSize == 0 && kindsOf(p.Ops[:]) == 0 {
		p.Ops, p.OpsDiscard = p.OpsDiscard, p.Ops
		g.tellShuffle(p, w, "R8.2")
	}
}

// reshuffleOps implements R8.10 (RESHUFFLE_OPS) and C13: the discard pile is shuffled into the rest
// of the deck, of which no card is known any more.
func (g *game) reshuffleOps(p *Position, w *flow.Witness, _ *effect) {
	for i := range p.Ops {
		p.Ops[i] += p.OpsDiscard[i]
		p.OpsDiscard[i] = 0
	}
	for _, card := range p.Prefix[:p.PrefixSize] {
		p.Ops[card]++
	}
	p.Prefix, p.PrefixSize = [maxPrefix]OpsID{}, 0
	g.tellShuffle(p, w, "R8.10")
}

// tellShuffle tells that the police ops deck has been shuffled.
func (g *game) tellShuffle(p *Position, w *flow.Witness, rule string) {
	if w != nil {
		w.All("ops_shuffled", rule, number("cards", sum(p.Ops[:])))
	}
}

// lockMetro implements R8.9 (METRO_LOCK; Ruling 36): the card lies before the faction in the
// next seat until the end of that faction's turn of the next night.
func (g *game) lockMetro(p *Position, w *flow.Witness, _ *effect) {
	p.Lockdown = g.order(p, (p.Turn+1)%g.factions)
	if w != nil {
		w.All("metro_locked", "R8.9", g.faction(p.Lockdown))
	}
}

// inOrder returns the i-th district by police ID.
func (p *Position) inOrder(i uint8, order idOrder) CellID {
	if order == highestFirst {
		return p.ByID[p.Districts.Count()-1-i]
	}
	return p.ByID[i]
}

// pick returns the district of a set whose police ID comes first.
func (p *Position) pick(cells CellSet, order idOrder) CellID {
	for i := range p.Districts.Count() {
		if c := p.inOrder(i, order); cells.Has(c) {
			return c
		}
	}
	return NoCell
}

// moveGroups implements R8.4 (MOVE_GROUPS; Ruling 5): all groups and their targets are
// fixed before anything moves; then they are handled one by one. Paramilitary Operations
// move them towards occupations (Ruling 22).
func (g *game) moveGroups(p *Position, w *flow.Witness, e *effect) {
	type group struct {
		from, to CellID
		size     uint8
	}
	var groups [Cells]group
	n, fits := 0, p.targets(e)
	for i := range p.Districts.Count() {
		c := p.inOrder(i, e.Priority)
		size := p.underOrders(c)
		if size == 0 {
			continue
		}
		if to := p.pick(p.Near[c]&fits, e.Priority); to != NoCell {
			groups[n] = group{c, to, size}
			n++
		}
	}
	for _, x := range groups[:n] {
		g.march(p, w, x.from, x.to, x.size)
	}
}

// targets returns the districts that an ops card moves groups to.
func (p *Position) targets(e *effect) CellSet {
	if e.Target.Occupied {
		return p.heldByAny()
	}
	return p.OfType[*e.Target.Type]
}

// underOrders returns how many cops of a district can be ordered away: all but one of a group
// outside a clash.
func (p *Position) underOrders(c CellID) uint8 {
	if p.Cops[c] < 2 || p.total(c) > 0 {
		return 0
	}
	return p.Cops[c] - 1
}

// march implements the steps of R8.4 for one group with m cops under orders.
func (g *game) march(p *Position, w *flow.Witness, from, to CellID, m uint8) {
	way := p.way(from, to)
	stopped := stoppedBy(p.barricadesAt(way), m)
	if stopped > 0 {
		if w != nil {
			w.All("cops_stopped", "R8.4", number("cops", stopped), g.cell(p, "from", from), g.cell(p, "to", to))
		}
		g.dismantle(p, w, "R8.4", way)
	}
	g.shiftCops(p, w, "R8.4", from, to, m-stopped)
}

// way returns the end of the connection between two districts that cops take: that with the
// fewest barricades.
func (p *Position) way(from, to CellID) End {
	way, fewest := End(NoEnd), uint8(0)
	for arm := range Arm(Arms) {
		e := EndOf(from, arm)
		if p.Links[e] == NoEnd || p.Links[e].Cell() != to {
			continue
		}
		if b := p.barricadesAt(e); way == NoEnd || b < fewest {
			way, fewest = e, b
		}
	}
	return way
}

// stoppedBy implements the table of R8.4: how many of m cops b barricades stop.
func stoppedBy(b, m uint8) uint8 {
	switch b {
	case 0:
		return 0
	case 1:
		return min(1, m)
	case 2:
		return m / 2
	}
	return m
}

// undamaged returns the districts with an undamaged van.
func (p *Position) undamaged() CellSet {
	cells := CellSet(0)
	for c, v := range p.Van {
		if v == 1 {
			cells |= at(CellID(c))
		}
	}
	return cells
}

// deployCops implements R8.5 (VANS_DEPLOY).
func (g *game) deployCops(p *Position, w *flow.Witness, e *effect) {
	vans := p.undamaged()
	for i := range p.Districts.Count() {
		if c := p.inOrder(i, e.Priority); vans.Has(c) {
			g.addCops(p, w, "R8.5", c, uint8(e.N))
		}
	}
}

// sendVan implements R8.6 (DEPLOY_VAN); damaged vans count (Ruling 20).
func (g *game) sendVan(p *Position, w *flow.Witness, e *effect) {
	vans, cells := uint8(0), CellSet(0)
	for c := range CellID(Cells) {
		switch {
		case p.Van[c] > 0:
			vans++
		case p.Cops[c] > 0:
			cells |= at(c)
		}
	}
	if vans < e.Below && p.VansLeft > 0 && cells != 0 {
		g.deployVan(p, w, "R8.6", p.pick(cells, e.Priority))
	}
}

// capCops implements R8.7 (CAP_COPS).
func (g *game) capCops(p *Position, w *flow.Witness, e *effect) {
	most := uint8(e.Max)
	for c, n := range p.Cops {
		if n > most {
			g.takeCops(p, w, "R8.7", CellID(c), n-most)
		}
	}
}

// returnSolo implements R8.7 (RETURN_SOLO_COPS).
func (g *game) returnSolo(p *Position, w *flow.Witness, _ *effect) {
	for c, n := range p.Cops {
		if n == 1 && p.Van[c] == 0 && p.total(CellID(c)) == 0 {
			g.takeCops(p, w, "R8.7", CellID(c), 1)
		}
	}
}

// reposition implements R8.8 (REPOSITION_VANS; Ruling 20): the undamaged vans go to the highest
// police IDs among districts with such a van or a cop, and no damaged van.
func (g *game) reposition(p *Position, w *flow.Witness, e *effect) {
	vans := p.undamaged()
	left := bits.OnesCount32(uint32(vans))
	for i := range p.Districts.Count() {
		c := p.inOrder(i, e.Priority)
		damaged := p.Van[c] > 1
		switch chosen := !damaged && (vans.Has(c) || p.Cops[c] > 0) && left > 0; {
		case chosen:
			left--
			p.setVan(c, 1)
		case vans.Has(c):
			p.setVan(c, 0)
		}
	}
	if now := p.undamaged(); w != nil && now != vans {
		w.All("vans_moved", "R8.8", g.districts(p, "from", vans&^now), g.districts(p, "to", now&^vans))
	}
}
