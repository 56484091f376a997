package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// usableTexts implements R7.6 and Q21: of the cards of seat s those whose text would do
// something now.
func (g *game) usableTexts(p *position, s seatID, cards cardSet) cardSet {
	usable := cardSet(0)
	for set := cards &^ (1 << domination); set != 0; set &= set - 1 {
		if c := set.first(); g.works(p, s, &g.box.cards[c].ways[wayText][0]) {
			usable |= 1 << c
		}
	}
	return usable
}

// works reports whether an effect, the first of a text, would do something for seat
// s: the conditions of R8.1 to R8.9.
func (g *game) works(p *position, s seatID, e *effect) bool {
	switch e.op {
	case points:
		builds, reduces := g.pointAreas(p, s, e)
		return builds|reduces != 0 && g.countPoints(p, s, e) > 0
	case reductions:
		return p.opposing(s) != 0
	case choosePlayer:
		return g.choosable(p, s, e) != 0
	case reduceAll:
		return p.full != 0
	case removeAll:
		return p.occupied()&^p.full != 0
	case removePerRegion:
		for r, noted := uint8(0), g.notedRegions(p, s, e); r < numRegions; r++ {
			if noted>>r&1 != 0 && g.removable(p, s, e, r) != 0 {
				return true
			}
		}
		return false
	case replace:
		return g.replaceable(p, e) != 0
	case storm:
		for i := range g.seats {
			if p.half(i, e) > 0 {
				return true
			}
		}
		return false
	case upgradeAll:
		return p.own[s]&^p.full != 0
	case vpPerArea:
		return p.own[s]&g.box.resources[e.resource].areas != 0
	case vpPerRegion:
		return p.own[s]&p.full&landAreas != 0
	case denyRegionMonopolyVP:
		return g.deniable(p, s)
	}
	return true
}

// carryOut carries out the effect of the frame, or its next step.
func (g *game) carryOut(p *position, w *flow.Witness, f *frame, e *effect) bool {
	switch e.op {
	case points:
		return g.spendPoints(p, w, f, e)
	case reductions, chainLeft:
		return g.bio(p, w, f, e)
	case choosePlayer:
		return g.askPlayer(p, f, e)
	case removePerRegion:
		return g.removeFromRegions(p, w, f, e)
	case replace:
		return g.askInsurgents(p, w, f, e)
	case storm:
		return g.storm(p, w, f, e)
	case reduceAll:
		set := p.full
		if e.chosen {
			set &= p.own[f.target]
		}
		g.tellForces(w, "reduced", f, set)
		p.full &^= set
	case removeAll:
		set := g.doomed(p, f, e)
		g.tellForces(w, "removed", f, set)
		p.remove(set)
	case upgradeAll: // all of them, since Full is never worse (Q25)
		g.tellForces(w, "upgraded", f, p.own[f.actor]&^p.full)
		p.full |= p.own[f.actor]
	case vpPerArea:
		g.gainVP(p, w, f, e, (p.own[f.actor] & g.box.resources[e.resource].areas).size())
	case vpPerRegion:
		g.gainVP(p, w, f, e, g.ownFullRegions(p, f.actor).size())
	case denyRegionMonopolyVP:
		p.fog |= 1 << f.actor
		if w != nil {
			w.All("fog", "R8.4", flow.Arg("seat", int(f.actor)))
		}
	case returnToStack:
		if w != nil {
			w.All("returned", "R8.4", flow.Arg("card", g.box.cards[f.card].name))
		}
		s := &p.seats[f.actor]
		s.discard[f.card]--
		s.discards--
		p.stack[f.card]++
		p.inStock |= 1 << f.card
	}
	f.finish()
	return false
}

// gainVP moves the VP token of the card's user: the VPs of the effect for each of n.
func (g *game) gainVP(p *position, w *flow.Witness, f *frame, e *effect, n int) {
	before := p.vp[f.actor]
	g.addVP(p, f.actor, uint16(e.n)*uint16(n))
	if w != nil {
		now := p.vp[f.actor]
		w.All("vp", "R8.3", flow.Arg("seat", int(f.actor)), flow.Arg("card", g.box.cards[f.card].name), flow.Arg("change", int(now-before)), flow.Arg("vp", int(now)))
	}
}

// tellForces tells what a card does to the Forces in a set of Areas.
func (g *game) tellForces(w *flow.Witness, kind string, f *frame, set areaSet) {
	if w == nil {
		return
	}
	areas := []string{}
	for a := range set.each() {
		areas = append(areas, g.box.areas[a].id)
	}
	w.All(kind, "R8.3", flow.Arg("card", g.box.cards[f.card].name), flow.Arg("areas", areas))
}

// doomed implements the texts of Nuclear Winter and Out of Supply (R8.3): the Areas
// whose Forces are removed. The test is made once, before the first removal.
func (g *game) doomed(p *position, f *frame, e *effect) areaSet {
	set := p.occupied()
	if e.chosen {
		set = p.own[f.target]
	}
	if e.struggling {
		set &^= p.full
	}
	if e.isolated {
		set &= g.box.isolated(p, f.target)
	}
	return set
}

// choosable implements the condition of R8.3 and Q32: the opponents of seat s on
// whom the card has an effect.
func (g *game) choosable(p *position, s seatID, e *effect) seatSet {
	set := seatSet(0)
	for i := range g.seats {
		hit := p.own[i] & p.full
		if e.isolated {
			hit = g.box.isolated(p, i)
		}
		if i != s && hit != 0 {
			set |= 1 << i
		}
	}
	return set
}

// askPlayer implements D7 (R8.3).
func (g *game) askPlayer(p *position, f *frame, e *effect) bool {
	legal := p.offer()
	set := g.choosable(p, f.actor, e)
	for place := range g.seats {
		if set.has(g.place(f.actor, place)) {
			legal.Add(actTargetPlayer + engine.Action(place))
		}
	}
	return p.ask(askPlayer, engine.Player(f.actor))
}

func (g *game) choosePlayer(p *position, _ *flow.Witness, a engine.Action) {
	p.frame.target = g.place(p.frame.actor, seatID(a-actTargetPlayer))
	p.frame.finish()
}

// ownFullRegions returns the Regions in which seat s has a Full Land Force (R8.3,
// R8.7). Sea Areas are in none (Q40).
func (g *game) ownFullRegions(p *position, s seatID) seatSet {
	set := seatSet(0)
	for r := range g.box.regions {
		if p.own[s]&p.full&g.box.regions[r].areas != 0 {
			set |= 1 << r
		}
	}
	return set
}

// replaceable implements R8.8 and Q29: the Areas with a Struggling Force of any owner.
func (g *game) replaceable(p *position, e *effect) areaSet { return p.occupied() &^ p.full & e.areas }

// askInsurgents implements R8.8 and D10.
func (g *game) askInsurgents(p *position, w *flow.Witness, f *frame, e *effect) bool {
	if !f.begun {
		f.begun, f.points = true, e.n
	}
	set := g.replaceable(p, e) & from(f.last)
	if f.points == 0 || set == 0 {
		g.tellLost(w, f)
		f.finish()
		return false
	}
	legal := p.offer()
	if f.spent {
		legal.Add(actDone)
	}
	legal.AddBits(actRemoveAt, uint64(set))
	return p.ask(askInsurgentPick, engine.Player(f.actor))
}

func (g *game) chooseInsurgents(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.frame
	if a == actDone {
		f.points = 0
		return
	}
	area := areaID(a - actRemoveAt)
	p.remove(1 << area)
	p.own[f.actor] |= 1 << area
	p.full |= 1 << area
	f.points--
	f.spent, f.last = true, area
}
