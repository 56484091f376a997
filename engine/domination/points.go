package domination

import "powderkeg/engine"

// countPoints returns the points that an effect gives seat s, counted when the card
// is played (R8.3). They fit a byte: 25 Areas and at most 2 a Force.
func (b Board) countPoints(s SeatID, e *effect) uint8 {
	if e.perOwnFull {
		return e.n * uint8((b.Own[s] & b.Full).Size())
	}
	return e.n
}

// pointAreas implements R7.1, R7.2, R8.1, R8.2 and R8.3: the Areas in which seat s
// may spend a point of the effect as a Build and as a Reduction. Restrictions, which
// are the text's alone (Q20), are tested on the map as it is now (Q23).
func (b Board) pointAreas(s SeatID, e *effect) (builds, reduces AreaSet) {
	areas := e.areas
	switch e.restrict {
	case nearOwnSea:
		areas &= b.box.Neighbours(b.Own[s] & seaAreas)
	case nearOwnLand:
		areas &= b.box.Neighbours(b.Own[s] & landAreas)
	}
	if e.builds {
		builds = b.Buildable(s) & areas
	}
	if e.reduces {
		reduces = b.Opposing(s) & areas
	}
	return builds, reduces
}

// from returns the Areas of index a and above.
func from(a AreaID) AreaSet { return allAreas &^ (1<<a - 1) }

// spendPoints implements D4, D5 and D6: the next point of the card in hand, until no
// point or no legal Area is left. After the first one may stop, with Show of Force too
// (Q45).
func (b Board) spendPoints(f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Points = true, b.countPoints(f.Actor, e)
		b.tell(pointsGiven, "R7.8", f.Actor, f.Card, f.Points)
	}
	builds, reduces := b.pointAreas(f.Actor, e)
	builds, reduces = builds&from(f.Last), reduces&from(f.Last)
	if f.Points == 0 || builds|reduces == 0 {
		b.tellLost(f)
		f.finish()
		return false
	}
	legal := b.Offer()
	if f.Spent {
		legal.Add(ActDone)
	}
	legal.AddBits(ActBuildAt, uint64(builds))
	legal.AddBits(ActReduceAt, uint64(reduces))
	q := MixedStepDecision
	switch {
	case !e.reduces:
		q = BuildStepDecision
	case !e.builds:
		q = AttackStepDecision
	}
	return b.ask(q, f.Actor)
}

// tellLost tells that points are left over because no Area is open to them. Those that
// DONE gave up are zero already.
func (b Board) tellLost(f *Frame) {
	if f.Points > 0 {
		b.tell(pointsLost, "R7.9", f.Actor, f.Card, f.Points)
	}
}

// choosePoint carries out an action of D4, D5 or D6. Points go in ascending order of
// Areas (R7.9, Q42), except where they can open new ones.
func (b Board) choosePoint(a engine.Action) {
	f := &b.Frame
	if a == ActDone {
		f.Points = 0
		return
	}
	area := AreaID(a - ActReduceAt)
	if a < ActReduceAt {
		area = AreaID(a - ActBuildAt)
		b.Build(f.Actor, area)
	} else {
		b.Reduce(area)
	}
	f.Points--
	f.Spent = true
	if b.box.Cards[f.Card].ways[f.Way][f.Effect].restrict != nearOwnLand {
		f.Last = area
	}
}

// exactAreas implements R7.9 for a fixed number of Reductions: the Areas of the set,
// from the last one on, in which the next can be made such that the steps in them
// and above suffice for all of them.
func (p *Position) exactAreas(set AreaSet, last AreaID, points uint8) AreaSet {
	set &= from(last)
	need := int(points)
	low := set
	for low != 0 && p.Steps(low) >= need {
		low &= low - 1 // without the lowest Area
	}
	// All Areas below those of low, and the one whose removal was too much, will do.
	return set &^ low
}

// chooseReduction carries out an action of D11 or D12. The order of R7.9 holds among
// the Reductions of one actor on one player; after the last of them every Area is
// open again (R3.1).
func (b Board) chooseReduction(a engine.Action) {
	area := AreaID(a - ActReduceAt)
	b.Reduce(area)
	b.Frame.Last = area
	if b.Frame.Points--; b.Frame.Points == 0 {
		b.Frame.Last = 0
	}
}

// finish ends the effect that is being carried out.
func (f *Frame) finish() {
	*f = Frame{Card: f.Card, Way: f.Way, Actor: f.Actor, Effect: f.Effect + 1, Target: f.Target}
}
