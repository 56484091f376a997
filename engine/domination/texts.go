package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// usableTexts implements R7.6 and Q21: of the cards of seat s those whose text would do
// something now.
func (b Board) usableTexts(s SeatID, cards CardSet) CardSet {
	usable := CardSet(0)
	for set := cards &^ (1 << domination); set != 0; set &= set - 1 {
		if c := set.First(); b.works(s, &b.box.Cards[c].ways[TextWay][0]) {
			usable |= 1 << c
		}
	}
	return usable
}

// works reports whether an effect, the first of a text, would do something for seat
// s: the conditions of R8.1 to R8.9.
func (b Board) works(s SeatID, e *effect) bool {
	switch e.op {
	case points:
		builds, reduces := b.pointAreas(s, e)
		return builds|reduces != 0 && b.countPoints(s, e) > 0
	case reductions:
		return b.Opposing(s) != 0
	case choosePlayer:
		return b.choosable(s, e) != 0
	case reduceAll:
		return b.Full != 0
	case removeAll:
		return b.Occupied()&^b.Full != 0
	case removePerRegion:
		for r, noted := uint8(0), b.notedRegions(s, e); r < Regions; r++ {
			if noted>>r&1 != 0 && b.removable(s, e, r) != 0 {
				return true
			}
		}
		return false
	case replace:
		return b.replaceable(e) != 0
	case storm:
		for i := range b.seats {
			if b.half(i, e) > 0 {
				return true
			}
		}
		return false
	case upgradeAll:
		return b.Own[s]&^b.Full != 0
	case vpPerArea:
		return b.Own[s]&b.box.Resources[e.resource].Areas != 0
	case vpPerRegion:
		return b.Own[s]&b.Full&landAreas != 0
	case denyRegionMonopolyVP:
		return b.deniable(s)
	}
	return true
}

// carryOut carries out the effect of the frame, or its next step.
func (b Board) carryOut(f *Frame, e *effect) bool {
	switch e.op {
	case points:
		return b.spendPoints(f, e)
	case reductions, chainLeft:
		return b.bio(f, e)
	case choosePlayer:
		return b.askPlayer(f, e)
	case removePerRegion:
		return b.removeFromRegions(f, e)
	case replace:
		return b.askInsurgents(f, e)
	case storm:
		return b.storm(f, e)
	case reduceAll:
		set := b.Full
		if e.chosen {
			set &= b.Own[f.Target]
		}
		b.tellForces(forcesReduced, f.Card, set)
		b.Full &^= set
	case removeAll:
		set := b.doomed(f, e)
		b.tellForces(forcesRemoved, f.Card, set)
		b.Remove(set)
	case upgradeAll: // all of them, since Full is never worse (Q25)
		b.tellForces(forcesUpgraded, f.Card, b.Own[f.Actor]&^b.Full)
		b.Full |= b.Own[f.Actor]
	case vpPerArea:
		b.gainVP(f, e, (b.Own[f.Actor] & b.box.Resources[e.resource].Areas).Size())
	case vpPerRegion:
		b.gainVP(f, e, b.ownFullRegions(f.Actor).Size())
	case denyRegionMonopolyVP:
		b.Fog |= 1 << f.Actor
		b.tell(fogPlayed, "R8.4", f.Actor)
	case returnToStack:
		b.tell(cardReturned, "R8.4", f.Card)
		s := &b.Seats[f.Actor]
		s.Discard[f.Card]--
		s.Discards--
		b.Stack[f.Card]++
		b.InStock |= 1 << f.Card
	}
	f.finish()
	return false
}

// gainVP moves the VP token of the card's user: the VPs of the effect for each of n.
func (b Board) gainVP(f *Frame, e *effect, n int) {
	before := b.VP[f.Actor]
	b.addVP(f.Actor, uint16(e.n)*uint16(n))
	if b.w != nil {
		b.tell(vpGained, "R8.3", f.Actor, f.Card, b.VP[f.Actor]-before, b.VP[f.Actor])
	}
}

// tellForces tells what a card does to the Forces in a set of Areas.
func (b Board) tellForces(kind *flow.Told, c CardID, set AreaSet) {
	if b.w != nil {
		b.tell(kind, "R8.3", c, set)
	}
}

// doomed implements the texts of Nuclear Winter and Out of Supply (R8.3): the Areas
// whose Forces are removed. The test is made once, before the first removal.
func (b Board) doomed(f *Frame, e *effect) AreaSet {
	set := b.Occupied()
	if e.chosen {
		set = b.Own[f.Target]
	}
	if e.struggling {
		set &^= b.Full
	}
	if e.isolated {
		set &= b.isolated(f.Target)
	}
	return set
}

// choosable implements the condition of R8.3 and Q32: the opponents of seat s on
// whom the card has an effect.
func (b Board) choosable(s SeatID, e *effect) SeatSet {
	set := SeatSet(0)
	for i := range b.seats {
		hit := b.Own[i] & b.Full
		if e.isolated {
			hit = b.isolated(i)
		}
		if i != s && hit != 0 {
			set |= 1 << i
		}
	}
	return set
}

// askPlayer implements D7 (R8.3).
func (b Board) askPlayer(f *Frame, e *effect) bool {
	legal := b.Offer()
	set := b.choosable(f.Actor, e)
	for place := range b.seats {
		if set.Has(b.place(f.Actor, place)) {
			legal.Add(ActTargetPlayer + engine.Action(place))
		}
	}
	return b.ask(PlayerDecision, f.Actor)
}

func (b Board) choosePlayer(a engine.Action) {
	b.Frame.Target = b.place(b.Frame.Actor, SeatID(a-ActTargetPlayer))
	b.Frame.finish()
}

// ownFullRegions returns the Regions in which seat s has a Full Land Force (R8.3,
// R8.7). Sea Areas are in none (Q40).
func (b Board) ownFullRegions(s SeatID) SeatSet {
	set := SeatSet(0)
	for r := range b.box.Regions {
		if b.Own[s]&b.Full&b.box.Regions[r].Areas != 0 {
			set |= 1 << r
		}
	}
	return set
}

// replaceable implements R8.8 and Q29: the Areas with a Struggling Force of any owner.
func (b Board) replaceable(e *effect) AreaSet { return b.Occupied() &^ b.Full & e.areas }

// askInsurgents implements R8.8 and D10.
func (b Board) askInsurgents(f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Points = true, e.n
	}
	set := b.replaceable(e) & from(f.Last)
	if f.Points == 0 || set == 0 {
		b.tellLost(f)
		f.finish()
		return false
	}
	legal := b.Offer()
	if f.Spent {
		legal.Add(ActDone)
	}
	legal.AddBits(ActRemoveAt, uint64(set))
	return b.ask(InsurgentPickDecision, f.Actor)
}

func (b Board) chooseInsurgents(a engine.Action) {
	f := &b.Frame
	if a == ActDone {
		f.Points = 0
		return
	}
	area := AreaID(a - ActRemoveAt)
	b.Remove(1 << area)
	b.Own[f.Actor] |= 1 << area
	b.Full |= 1 << area
	f.Points--
	f.Spent, f.Last = true, area
}
