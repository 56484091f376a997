package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// countPoints returns the points that an effect gives seat s, counted when the card
// is played (R8.3). They fit a byte: 25 Areas and at most 2 a Force.
func (g *game) countPoints(p *position, s seatID, e *effect) uint8 {
	if e.perOwnFull {
		return e.n * uint8((p.own[s] & p.full).size())
	}
	return e.n
}

// pointAreas implements R7.1, R7.2, R8.1, R8.2 and R8.3: the Areas in which seat s
// may spend a point of the effect as a Build and as a Reduction. Restrictions, which
// are the text's alone (Q20), are tested on the map as it is now (Q23).
func (g *game) pointAreas(p *position, s seatID, e *effect) (builds, reduces areaSet) {
	areas := e.areas
	switch e.restrict {
	case nearOwnSea:
		areas &= g.box.neighbours(p.own[s] & seaAreas)
	case nearOwnLand:
		areas &= g.box.neighbours(p.own[s] & landAreas)
	}
	if e.builds {
		builds = p.buildable(s) & areas
	}
	if e.reduces {
		reduces = p.opposing(s) & areas
	}
	return builds, reduces
}

// from returns the Areas of index a and above.
func from(a areaID) areaSet { return allAreas &^ (1<<a - 1) }

// spendPoints implements D4, D5 and D6: the next point of the card in hand, until no
// point or no legal Area is left. After the first one may stop, with Show of Force too
// (Q45).
func (g *game) spendPoints(p *position, w *flow.Witness, f *frame, e *effect) bool {
	if !f.begun {
		f.begun, f.points = true, g.countPoints(p, f.actor, e)
		if w != nil {
			w.All("points", "R7.8", flow.Arg("seat", int(f.actor)), flow.Arg("card", g.box.cards[f.card].name), flow.Arg("number", int(f.points)))
		}
	}
	builds, reduces := g.pointAreas(p, f.actor, e)
	builds, reduces = builds&from(f.last), reduces&from(f.last)
	if f.points == 0 || builds|reduces == 0 {
		g.tellLost(w, f)
		f.finish()
		return false
	}
	legal := p.offer()
	if f.spent {
		legal.Add(actDone)
	}
	legal.AddBits(actBuildAt, uint64(builds))
	legal.AddBits(actReduceAt, uint64(reduces))
	q := askMixedStep
	switch {
	case !e.reduces:
		q = askBuildStep
	case !e.builds:
		q = askAttackStep
	}
	return p.ask(q, engine.Player(f.actor))
}

// tellLost tells that points are left over because no Area is open to them. Those that
// DONE gave up are zero already.
func (g *game) tellLost(w *flow.Witness, f *frame) {
	if w != nil && f.points > 0 {
		w.All("points_lost", "R7.9", flow.Arg("seat", int(f.actor)), flow.Arg("card", g.box.cards[f.card].name), flow.Arg("number", int(f.points)))
	}
}

// choosePoint carries out an action of D4, D5 or D6. Points go in ascending order of
// Areas (R7.9, Q42), except where they can open new ones.
func (g *game) choosePoint(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.frame
	if a == actDone {
		f.points = 0
		return
	}
	area := areaID(a - actReduceAt)
	if a < actReduceAt {
		area = areaID(a - actBuildAt)
		p.build(f.actor, area)
	} else {
		p.reduce(area)
	}
	f.points--
	f.spent = true
	if g.box.cards[f.card].ways[f.way][f.effect].restrict != nearOwnLand {
		f.last = area
	}
}

// exactAreas implements R7.9 for a fixed number of Reductions: the Areas of the set,
// from the last one on, in which the next can be made such that the steps in them
// and above suffice for all of them.
func (p *position) exactAreas(set areaSet, last areaID, points uint8) areaSet {
	set &= from(last)
	need := int(points)
	low := set
	for low != 0 && p.steps(low) >= need {
		low &= low - 1 // without the lowest Area
	}
	// All Areas below those of low, and the one whose removal was too much, will do.
	return set &^ low
}

// chooseReduction carries out an action of D11 or D12. The order of R7.9 holds among
// the Reductions of one actor on one player; after the last of them every Area is
// open again (R3.1).
func (g *game) chooseReduction(p *position, _ *flow.Witness, a engine.Action) {
	area := areaID(a - actReduceAt)
	p.reduce(area)
	p.frame.last = area
	if p.frame.points--; p.frame.points == 0 {
		p.frame.last = 0
	}
}

// finish ends the effect that is being carried out.
func (f *frame) finish() {
	*f = frame{card: f.card, way: f.way, actor: f.actor, effect: f.effect + 1, target: f.target}
}
