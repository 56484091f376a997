package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// bio implements R8.5, Q27, D12 and D13. The user performs its Reductions, as many as
// there are steps; then the offer goes to the left of the last one who did, who
// takes all of the Reductions or ends the card, locked or not.
func (g *game) bio(p *position, w *flow.Witness, f *frame, e *effect) bool {
	if !f.begun {
		f.begun = true
		if e.op == reductions {
			f.target = f.actor
			f.points = uint8(min(int(e.n), p.steps(p.opposing(f.actor))))
		}
	}
	if f.points > 0 {
		legal := p.offer()
		legal.AddBits(actReduceAt, uint64(p.exactAreas(p.opposing(f.target), f.last, f.points)))
		return p.ask(askBioStep, engine.Player(f.target))
	}
	offered := g.next(f.target)
	if e.op == reductions || p.steps(p.opposing(offered)) < int(e.n) {
		if w != nil && e.op == chainLeft {
			w.All("chain_over", "R8.5", flow.Arg("card", g.box.cards[f.card].name), flow.Arg("seat", int(offered)))
		}
		f.finish()
		return false
	}
	legal := p.offer()
	legal.Add(actDecline)
	legal.Add(actAccept)
	return p.ask(askBioResponse, engine.Player(offered))
}

func (g *game) chooseBioResponse(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.frame
	if a == actDecline {
		f.finish()
		return
	}
	f.target = seatID(p.Actor)
	f.points = g.box.cards[f.card].ways[f.way][f.effect].n
}

// half implements R8.9: the Reductions that Mega Storm performs on seat s, its
// Forces times the fraction, rounded down (Q30).
func (p *position) half(s seatID, e *effect) uint8 {
	return uint8(p.own[s].size() * int(e.fraction[0]) / int(e.fraction[1]))
}

// halves lists the Reductions that are due on each seat.
func (g *game) halves(f *frame) []int {
	list := make([]int, g.seats)
	for i := range list {
		list[i] = int(f.halves[i])
	}
	return list
}

// storm implements R8.9 and D11: all Forces are counted first, then the user hits
// the players one after another, itself first.
func (g *game) storm(p *position, w *flow.Witness, f *frame, e *effect) bool {
	if !f.begun {
		f.begun, f.target = true, f.actor
		for i := range g.seats {
			f.halves[i] = p.half(i, e)
		}
		if w != nil {
			w.All("storm", "R8.9", flow.Arg("card", g.box.cards[f.card].name), flow.Arg("reductions", g.halves(f)))
		}
		f.points, f.halves[f.target] = f.halves[f.target], 0
	}
	for f.points == 0 {
		if f.target = g.next(f.target); f.target == f.actor {
			f.target = noSeat
			f.finish()
			return false
		}
		f.points, f.halves[f.target] = f.halves[f.target], 0
	}
	legal := p.offer()
	legal.AddBits(actReduceAt, uint64(p.exactAreas(p.own[f.target], f.last, f.points)))
	return p.ask(askStormStep, engine.Player(f.actor))
}

const allRegions = 1<<numRegions - 1

// notedRegions implements R8.6 and R8.7: the Regions that the card goes through,
// judged when it is played (Q28).
func (g *game) notedRegions(p *position, s seatID, e *effect) uint8 {
	if e.ownFullRegions {
		return uint8(g.ownFullRegions(p, s))
	}
	return allRegions
}

// removable returns the Areas of a Region in which the effect of seat s may remove
// a Force.
func (g *game) removable(p *position, s seatID, e *effect, region uint8) areaSet {
	set := p.occupied()
	if e.opponents {
		set = p.opposing(s)
	}
	return set & e.areas & g.box.regions[region].areas
}

// removeFromRegions implements R8.6 with D8 and R8.7 with D9: one Region after
// another; those where nothing can be removed are skipped.
func (g *game) removeFromRegions(p *position, w *flow.Witness, f *frame, e *effect) bool {
	if !f.begun {
		f.begun, f.regions = true, g.notedRegions(p, f.actor, e)
	}
	for ; f.region < numRegions; f.region++ {
		set := g.removable(p, f.actor, e, f.region)
		if f.regions>>f.region&1 == 0 {
			continue
		}
		if set == 0 {
			if w != nil {
				w.All("nothing_there", "R8.6", flow.Arg("card", g.box.cards[f.card].name), flow.Arg("region", int(f.region)))
			}
			continue
		}
		legal := p.offer()
		legal.AddBits(actRemoveAt, uint64(set))
		if e.mandatory {
			return p.ask(askDisruptRegion, engine.Player(f.actor))
		}
		legal.Add(actDecline)
		return p.ask(askSurrenderRegion, engine.Player(f.actor))
	}
	f.finish()
	return false
}

func (g *game) chooseRegion(p *position, _ *flow.Witness, a engine.Action) {
	if a != actDecline {
		p.remove(1 << (a - actRemoveAt))
	}
	p.frame.region++
}
