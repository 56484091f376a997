package bloc

import "math/bits"

// promptOps implements R8.1 (Step 3), R8.2 (Draw) and C12: police ops cards are drawn
// and carried out one by one, in the Police Ops step or after a reaction roll of 2
// (R6.6).
func (b Board) promptOps() bool {
	for b.Now.Ops > 0 {
		if b.PrefixSize > 0 {
			card := b.Prefix[0]
			b.PrefixSize--
			copy(b.Prefix[:], b.Prefix[1:])
			b.Prefix[b.PrefixSize] = 0
			b.police(card)
			continue
		}
		card, ok := only(b.Ops[:])
		switch {
		case ok:
			b.Ops[card]--
			b.police(OpsID(card))
		case kindsOf(b.Ops[:]) == 0: // only where a position lacks cards
			b.Now.Ops = 0
		default:
			return b.wait()
		}
	}
	if b.Now.Roll != 0 {
		b.reactionOver()
	} else {
		b.endTurn()
	}
	return false
}

// police implements R8.2 and R11.5: one ops card is carried out and put away; an empty
// deck is replaced by the shuffled discard pile (Ruling 10).
func (b Board) police(card OpsID) {
	b.Now.Ops--
	b.tell(opsCard, "R8.2", card)
	effects := b.box.ops[card].Effects
	for i := range effects {
		onOps[effects[i].Op](b, &effects[i])
	}
	if card != b.box.lockdown {
		b.OpsDiscard[card]++
	}
	if b.PrefixSize == 0 && kindsOf(b.Ops[:]) == 0 {
		b.Ops, b.OpsDiscard = b.OpsDiscard, b.Ops
		b.tell(opsShuffled, "R8.2", sum(b.Ops[:]))
	}
}

// reshuffleOps implements R8.10 (RESHUFFLE_OPS) and C13: the discard pile is shuffled into the
// rest of the deck, and no card of the deck is known any more.
func (b Board) reshuffleOps(_ *effect) {
	for i := range b.Ops {
		b.Ops[i] += b.OpsDiscard[i]
		b.OpsDiscard[i] = 0
	}
	for _, card := range b.Prefix[:b.PrefixSize] {
		b.Ops[card]++
	}
	b.Prefix, b.PrefixSize = [maxPrefix]OpsID{}, 0
	b.tell(opsShuffled, "R8.10", sum(b.Ops[:]))
}

// lockMetro implements R8.9 (METRO_LOCK; Ruling 36): the card lies before the faction in the
// next seat until the end of that faction's turn of the next night.
func (b Board) lockMetro(_ *effect) {
	b.Lockdown = b.order((b.Turn + 1) % b.factions)
	b.tell(metroLocked, "R8.9", b.Lockdown)
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
// determined before any of them moves; then they move one by one. Paramilitary Operations
// move them towards occupations (Ruling 22).
func (b Board) moveGroups(e *effect) {
	type group struct {
		from, to CellID
		size     uint8
	}
	var groups [Cells]group
	n, fits := 0, b.targets(e)
	for i := range b.Districts.Count() {
		c := b.inOrder(i, e.Priority)
		size := b.UnderOrders(c)
		if size == 0 {
			continue
		}
		if to := b.pick(b.Near[c]&fits, e.Priority); to != NoCell {
			groups[n] = group{c, to, size}
			n++
		}
	}
	for _, x := range groups[:n] {
		b.march(x.from, x.to, x.size)
	}
}

// targets returns the districts that an ops card moves groups to.
func (p *Position) targets(e *effect) CellSet {
	if e.Target.Occupied {
		return p.heldByAny()
	}
	return p.OfType[*e.Target.Type]
}

// UnderOrders returns how many cops of a district an ops card could order away (R8.4): all but one of a group
// outside a clash.
func (p *Position) UnderOrders(c CellID) uint8 {
	if p.Cops[c] < 2 || p.total(c) > 0 {
		return 0
	}
	return p.Cops[c] - 1
}

// march implements the steps of R8.4 for one group with m cops under orders.
func (b Board) march(from, to CellID, m uint8) {
	way := b.way(from, to)
	stopped := stoppedBy(b.barricadesAt(way), m)
	if stopped > 0 {
		b.tell(copsStopped, "R8.4", stopped, from, to)
		b.dismantle("R8.4", way)
	}
	b.shiftCops("R8.4", from, to, m-stopped)
}

// way returns the end of the connection that cops take between two districts, the one with
// the fewest barricades.
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
func (b Board) deployCops(e *effect) {
	vans := b.undamaged()
	for i := range b.Districts.Count() {
		if c := b.inOrder(i, e.Priority); vans.Has(c) {
			b.addCops("R8.5", c, uint8(e.N))
		}
	}
}

// sendVan implements R8.6 (DEPLOY_VAN); damaged vans count (Ruling 20).
func (b Board) sendVan(e *effect) {
	vans, cells := uint8(0), CellSet(0)
	for c := range CellID(Cells) {
		switch {
		case b.Van[c] > 0:
			vans++
		case b.Cops[c] > 0:
			cells |= at(c)
		}
	}
	if vans < e.Below && b.VansLeft > 0 && cells != 0 {
		b.deployVan("R8.6", b.pick(cells, e.Priority))
	}
}

// capCops implements R8.7 (CAP_COPS).
func (b Board) capCops(e *effect) {
	most := uint8(e.Max)
	for c, n := range b.Cops {
		if n > most {
			b.takeCops("R8.7", CellID(c), n-most)
		}
	}
}

// returnSolo implements R8.7 (RETURN_SOLO_COPS).
func (b Board) returnSolo(_ *effect) {
	for c, n := range b.Cops {
		if n == 1 && b.Van[c] == 0 && b.total(CellID(c)) == 0 {
			b.takeCops("R8.7", CellID(c), 1)
		}
	}
}

// reposition implements R8.8 (REPOSITION_VANS; Ruling 20): the undamaged vans go to the highest
// police IDs among districts with such a van or a cop, and no damaged van.
func (b Board) reposition(e *effect) {
	vans := b.undamaged()
	left := bits.OnesCount32(uint32(vans))
	for i := range b.Districts.Count() {
		c := b.inOrder(i, e.Priority)
		damaged := b.Van[c] > 1
		switch chosen := !damaged && (vans.Has(c) || b.Cops[c] > 0) && left > 0; {
		case chosen:
			left--
			b.setVan(c, 1)
		case vans.Has(c):
			b.setVan(c, 0)
		}
	}
	if now := b.undamaged(); b.w != nil && now != vans {
		b.tell(vansMoved, "R8.8", vans&^now, now&^vans)
	}
}
