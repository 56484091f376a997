package domination

// usableTexts implements R7.6 and Q21: of the cards of seat s those whose text would do
// something now.
func (g *game) usableTexts(p *position, s uint8, cards cardSet) cardSet {
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
func (g *game) works(p *position, s uint8, e *effect) bool {
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
func (g *game) carryOut(p *position, f *frame, e *effect) bool {
	switch e.op {
	case points:
		return g.spendPoints(p, f, e)
	case reductions, chainLeft:
		return g.bio(p, f, e)
	case choosePlayer:
		return g.askPlayer(p, f, e)
	case removePerRegion:
		return g.removeFromRegions(p, f, e)
	case replace:
		return g.askInsurgents(p, f, e)
	case storm:
		return g.storm(p, f, e)
	case reduceAll:
		set := p.full
		if e.chosen {
			set &= p.own[f.target]
		}
		p.full &^= set
	case removeAll:
		g.removeAll(p, f, e)
	case upgradeAll: // all of them, since Full is never worse (Q25)
		p.full |= p.own[f.actor]
	case vpPerArea:
		n := (p.own[f.actor] & g.box.resources[e.resource].areas).size()
		g.addVP(p, f.actor, uint16(e.n)*uint16(n))
	case vpPerRegion:
		g.addVP(p, f.actor, uint16(e.n)*uint16(g.ownFullRegions(p, f.actor).size()))
	case denyRegionMonopolyVP:
		p.fog |= 1 << f.actor
	case returnToStack:
		s := &p.seats[f.actor]
		s.discard[f.card]--
		s.discards--
		p.stack[f.card]++
		p.inStock |= 1 << f.card
	}
	f.finish()
	return false
}

// removeAll implements the texts of Nuclear Winter and Out of Supply (R8.3): the
// test is made once, before the first removal.
func (g *game) removeAll(p *position, f *frame, e *effect) {
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
	p.remove(set)
}

// choosable implements the condition of R8.3 and Q32: the opponents of seat s on
// whom the card has an effect.
func (g *game) choosable(p *position, s uint8, e *effect) seatSet {
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
	p.legal = actionSet{}
	set := g.choosable(p, f.actor, e)
	for place := range g.seats {
		if set.has(g.place(f.actor, place)) {
			p.legal.add(actTargetPlayer + int(place))
		}
	}
	return p.decide(askPlayer, f.actor)
}

func (g *game) choosePlayer(p *position, place uint8) {
	p.frame.target = g.place(p.frame.actor, place)
	p.frame.finish()
}

// ownFullRegions returns the Regions in which seat s has a Full Land Force (R8.3,
// R8.7). Sea Areas are in none (Q40).
func (g *game) ownFullRegions(p *position, s uint8) seatSet {
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
func (g *game) askInsurgents(p *position, f *frame, e *effect) bool {
	if !f.begun {
		f.begun, f.points = true, e.n
	}
	set := g.replaceable(p, e) & from(f.last)
	if f.points == 0 || set == 0 {
		f.finish()
		return false
	}
	p.legal = actionSet{}
	if f.spent {
		p.legal.add(actDone)
	}
	p.legal.addBlock(actRemoveAt, uint32(set))
	return p.decide(askInsurgentPick, f.actor)
}

func (g *game) chooseInsurgents(p *position, a int) {
	f := &p.frame
	if a == actDone {
		f.points = 0
		return
	}
	area := uint8(a - actRemoveAt)
	p.remove(1 << area)
	p.own[f.actor] |= 1 << area
	p.full |= 1 << area
	f.points--
	f.spent, f.last = true, area
}
