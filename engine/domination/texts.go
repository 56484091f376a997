package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// usableTexts implements R7.6 and Q21: of the cards of seat s those whose text would do
// something now.
func (g *game) usableTexts(p *Position, s SeatID, cards CardSet) CardSet {
	usable := CardSet(0)
	for set := cards &^ (1 << domination); set != 0; set &= set - 1 {
		if c := set.First(); g.works(p, s, &g.box.Cards[c].ways[TextWay][0]) {
			usable |= 1 << c
		}
	}
	return usable
}

// works reports whether an effect, the first of a text, would do something for seat
// s: the conditions of R8.1 to R8.9.
func (g *game) works(p *Position, s SeatID, e *effect) bool {
	switch e.op {
	case points:
		builds, reduces := g.pointAreas(p, s, e)
		return builds|reduces != 0 && g.countPoints(p, s, e) > 0
	case reductions:
		return p.Opposing(s) != 0
	case choosePlayer:
		return g.choosable(p, s, e) != 0
	case reduceAll:
		return p.Full != 0
	case removeAll:
		return p.Occupied()&^p.Full != 0
	case removePerRegion:
		for r, noted := uint8(0), g.notedRegions(p, s, e); r < Regions; r++ {
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
		return p.Own[s]&^p.Full != 0
	case vpPerArea:
		return p.Own[s]&g.box.Resources[e.resource].Areas != 0
	case vpPerRegion:
		return p.Own[s]&p.Full&landAreas != 0
	case denyRegionMonopolyVP:
		return g.deniable(p, s)
	}
	return true
}

// carryOut carries out the effect of the frame, or its next step.
func (g *game) carryOut(p *Position, w *flow.Witness, f *Frame, e *effect) bool {
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
		set := p.Full
		if e.chosen {
			set &= p.Own[f.Target]
		}
		g.tellForces(w, "reduced", f, set)
		p.Full &^= set
	case removeAll:
		set := g.doomed(p, f, e)
		g.tellForces(w, "removed", f, set)
		p.Remove(set)
	case upgradeAll: // all of them, since Full is never worse (Q25)
		g.tellForces(w, "upgraded", f, p.Own[f.Actor]&^p.Full)
		p.Full |= p.Own[f.Actor]
	case vpPerArea:
		g.gainVP(p, w, f, e, (p.Own[f.Actor] & g.box.Resources[e.resource].Areas).Size())
	case vpPerRegion:
		g.gainVP(p, w, f, e, g.ownFullRegions(p, f.Actor).Size())
	case denyRegionMonopolyVP:
		p.Fog |= 1 << f.Actor
		if w != nil {
			w.All("fog", "R8.4", flow.Arg("seat", int(f.Actor)))
		}
	case returnToStack:
		if w != nil {
			w.All("returned", "R8.4", flow.Arg("card", g.box.Cards[f.Card].Name))
		}
		s := &p.Seats[f.Actor]
		s.Discard[f.Card]--
		s.Discards--
		p.Stack[f.Card]++
		p.InStock |= 1 << f.Card
	}
	f.finish()
	return false
}

// gainVP moves the VP token of the card's user: the VPs of the effect for each of n.
func (g *game) gainVP(p *Position, w *flow.Witness, f *Frame, e *effect, n int) {
	before := p.VP[f.Actor]
	g.addVP(p, f.Actor, uint16(e.n)*uint16(n))
	if w != nil {
		now := p.VP[f.Actor]
		w.All("vp", "R8.3", flow.Arg("seat", int(f.Actor)), flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("change", int(now-before)),
			flow.Arg("vp", int(now)))
	}
}

// tellForces tells what a card does to the Forces in a set of Areas.
func (g *game) tellForces(w *flow.Witness, kind string, f *Frame, set AreaSet) {
	if w == nil {
		return
	}
	areas := []string{}
	for a := range set.Each() {
		areas = append(areas, g.box.Areas[a].ID)
	}
	w.All(kind, "R8.3", flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("areas", areas))
}

// doomed implements the texts of Nuclear Winter and Out of Supply (R8.3): the Areas
// whose Forces are removed. The test is made once, before the first removal.
func (g *game) doomed(p *Position, f *Frame, e *effect) AreaSet {
	set := p.Occupied()
	if e.chosen {
		set = p.Own[f.Target]
	}
	if e.struggling {
		set &^= p.Full
	}
	if e.isolated {
		set &= g.box.isolated(p, f.Target)
	}
	return set
}

// choosable implements the condition of R8.3 and Q32: the opponents of seat s on
// whom the card has an effect.
func (g *game) choosable(p *Position, s SeatID, e *effect) SeatSet {
	set := SeatSet(0)
	for i := range g.seats {
		hit := p.Own[i] & p.Full
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
func (g *game) askPlayer(p *Position, f *Frame, e *effect) bool {
	legal := p.Offer()
	set := g.choosable(p, f.Actor, e)
	for place := range g.seats {
		if set.Has(g.place(f.Actor, place)) {
			legal.Add(ActTargetPlayer + engine.Action(place))
		}
	}
	return p.ask(PlayerDecision, f.Actor)
}

func (g *game) choosePlayer(p *Position, _ *flow.Witness, a engine.Action) {
	p.Frame.Target = g.place(p.Frame.Actor, SeatID(a-ActTargetPlayer))
	p.Frame.finish()
}

// ownFullRegions returns the Regions in which seat s has a Full Land Force (R8.3,
// R8.7). Sea Areas are in none (Q40).
func (g *game) ownFullRegions(p *Position, s SeatID) SeatSet {
	set := SeatSet(0)
	for r := range g.box.Regions {
		if p.Own[s]&p.Full&g.box.Regions[r].Areas != 0 {
			set |= 1 << r
		}
	}
	return set
}

// replaceable implements R8.8 and Q29: the Areas with a Struggling Force of any owner.
func (g *game) replaceable(p *Position, e *effect) AreaSet { return p.Occupied() &^ p.Full & e.areas }

// askInsurgents implements R8.8 and D10.
func (g *game) askInsurgents(p *Position, w *flow.Witness, f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Points = true, e.n
	}
	set := g.replaceable(p, e) & from(f.Last)
	if f.Points == 0 || set == 0 {
		g.tellLost(w, f)
		f.finish()
		return false
	}
	legal := p.Offer()
	if f.Spent {
		legal.Add(ActDone)
	}
	legal.AddBits(ActRemoveAt, uint64(set))
	return p.ask(InsurgentPickDecision, f.Actor)
}

func (g *game) chooseInsurgents(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Frame
	if a == ActDone {
		f.Points = 0
		return
	}
	area := AreaID(a - ActRemoveAt)
	p.Remove(1 << area)
	p.Own[f.Actor] |= 1 << area
	p.Full |= 1 << area
	f.Points--
	f.Spent, f.Last = true, area
}
