package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// countPoints returns the points that an effect gives seat s, counted when the card
// is played (R8.3). They fit a byte: 25 Areas and at most 2 a Force.
func (g *game) countPoints(p *Position, s SeatID, e *effect) uint8 {
	if e.perOwnFull {
		return e.n * uint8((p.Own[s] & p.Full).Size())
	}
	return e.n
}

// pointAreas implements R7.1, R7.2, R8.1, R8.2 and R8.3: the Areas in which seat s
// may spend a point of the effect as a Build and as a Reduction. Restrictions, which
// are the text's alone (Q20), are tested on the map as it is now (Q23).
func (g *game) pointAreas(p *Position, s SeatID, e *effect) (builds, reduces AreaSet) {
	areas := e.areas
	switch e.restrict {
	case nearOwnSea:
		areas &= g.box.Neighbours(p.Own[s] & seaAreas)
	case nearOwnLand:
		areas &= g.box.Neighbours(p.Own[s] & landAreas)
	}
	if e.builds {
		builds = p.Buildable(s) & areas
	}
	if e.reduces {
		reduces = p.Opposing(s) & areas
	}
	return builds, reduces
}

// from returns the Areas of index a and above.
func from(a AreaID) AreaSet { return allAreas &^ (1<<a - 1) }

// spendPoints implements D4, D5 and D6: the next point of the card in hand, until no
// point or no legal Area is left. After the first one may stop, with Show of Force too
// (Q45).
func (g *game) spendPoints(p *Position, w *flow.Witness, f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Points = true, g.countPoints(p, f.Actor, e)
		if w != nil {
			w.All("points", "R7.8", flow.Arg("seat", int(f.Actor)), flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("number", int(f.Points)))
		}
	}
	builds, reduces := g.pointAreas(p, f.Actor, e)
	builds, reduces = builds&from(f.Last), reduces&from(f.Last)
	if f.Points == 0 || builds|reduces == 0 {
		g.tellLost(w, f)
		f.finish()
		return false
	}
	legal := p.Offer()
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
	return p.ask(q, f.Actor)
}

// tellLost tells that points are left over because no Area is open to them. Those that
// DONE gave up are zero already.
func (g *game) tellLost(w *flow.Witness, f *Frame) {
	if w != nil && f.Points > 0 {
		w.All("points_lost", "R7.9", flow.Arg("seat", int(f.Actor)), flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("number", int(f.Points)))
	}
}

// choosePoint carries out an action of D4, D5 or D6. Points go in ascending order of
// Areas (R7.9, Q42), except where they can open new ones.
func (g *game) choosePoint(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Frame
	if a == ActDone {
		f.Points = 0
		return
	}
	area := AreaID(a - ActReduceAt)
	if a < ActReduceAt {
		area = AreaID(a - ActBuildAt)
		p.Build(f.Actor, area)
	} else {
		p.Reduce(area)
	}
	f.Points--
	f.Spent = true
	if g.box.Cards[f.Card].ways[f.Way][f.Effect].restrict != nearOwnLand {
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
func (g *game) chooseReduction(p *Position, _ *flow.Witness, a engine.Action) {
	area := AreaID(a - ActReduceAt)
	p.Reduce(area)
	p.Frame.Last = area
	if p.Frame.Points--; p.Frame.Points == 0 {
		p.Frame.Last = 0
	}
}

// finish ends the effect that is being carried out.
func (f *Frame) finish() {
	*f = Frame{Card: f.Card, Way: f.Way, Actor: f.Actor, Effect: f.Effect + 1, Target: f.Target}
}
