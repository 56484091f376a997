package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// bio implements R8.5, Q27, D12 and D13. The user performs its Reductions, as many as
// there are steps; then the offer goes to the left of the last one who did, who
// takes all of the Reductions or ends the card, locked or not.
func (g *game) bio(p *Position, w *flow.Witness, f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun = true
		if e.op == reductions {
			f.Target = f.Actor
			f.Points = uint8(min(int(e.n), p.Steps(p.Opposing(f.Actor))))
		}
	}
	if f.Points > 0 {
		legal := p.Offer()
		legal.AddBits(ActReduceAt, uint64(p.exactAreas(p.Opposing(f.Target), f.Last, f.Points)))
		return p.ask(BioStepDecision, f.Target)
	}
	offered := g.next(f.Target)
	if e.op == reductions || p.Steps(p.Opposing(offered)) < int(e.n) {
		if w != nil && e.op == chainLeft {
			w.All("chain_over", "R8.5", flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("seat", int(offered)))
		}
		f.finish()
		return false
	}
	legal := p.Offer()
	legal.Add(ActDecline)
	legal.Add(ActAccept)
	return p.ask(BioResponseDecision, offered)
}

func (g *game) chooseBioResponse(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Frame
	if a == ActDecline {
		f.finish()
		return
	}
	f.Target = SeatID(p.Actor)
	f.Points = g.box.Cards[f.Card].ways[f.Way][f.Effect].n
}

// half implements R8.9: the Reductions that Mega Storm performs on seat s, its
// Forces times the fraction, rounded down (Q30).
func (p *Position) half(s SeatID, e *effect) uint8 {
	return uint8(p.Own[s].Size() * int(e.fraction[0]) / int(e.fraction[1]))
}

// halves lists the Reductions that are due on each seat.
func (g *game) halves(f *Frame) []int {
	list := make([]int, g.seats)
	for i := range list {
		list[i] = int(f.Halves[i])
	}
	return list
}

// storm implements R8.9 and D11: all Forces are counted first, then the user hits
// the players one after another, itself first.
func (g *game) storm(p *Position, w *flow.Witness, f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Target = true, f.Actor
		for i := range g.seats {
			f.Halves[i] = p.half(i, e)
		}
		if w != nil {
			w.All("storm", "R8.9", flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("reductions", g.halves(f)))
		}
		f.Points, f.Halves[f.Target] = f.Halves[f.Target], 0
	}
	for f.Points == 0 {
		if f.Target = g.next(f.Target); f.Target == f.Actor {
			f.Target = NoSeat
			f.finish()
			return false
		}
		f.Points, f.Halves[f.Target] = f.Halves[f.Target], 0
	}
	legal := p.Offer()
	legal.AddBits(ActReduceAt, uint64(p.exactAreas(p.Own[f.Target], f.Last, f.Points)))
	return p.ask(StormStepDecision, f.Actor)
}

const allRegions = 1<<Regions - 1

// notedRegions implements R8.6 and R8.7: the Regions that the card goes through,
// judged when it is played (Q28).
func (g *game) notedRegions(p *Position, s SeatID, e *effect) uint8 {
	if e.ownFullRegions {
		return uint8(g.ownFullRegions(p, s))
	}
	return allRegions
}

// removable returns the Areas of a Region in which the effect of seat s may remove
// a Force.
func (g *game) removable(p *Position, s SeatID, e *effect, region uint8) AreaSet {
	set := p.Occupied()
	if e.opponents {
		set = p.Opposing(s)
	}
	return set & e.areas & g.box.Regions[region].Areas
}

// removeFromRegions implements R8.6 with D8 and R8.7 with D9: one Region after
// another; those where nothing can be removed are skipped.
func (g *game) removeFromRegions(p *Position, w *flow.Witness, f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Regions = true, g.notedRegions(p, f.Actor, e)
	}
	for ; f.Region < Regions; f.Region++ {
		set := g.removable(p, f.Actor, e, f.Region)
		if f.Regions>>f.Region&1 == 0 {
			continue
		}
		if set == 0 {
			if w != nil {
				w.All("nothing_there", "R8.6", flow.Arg("card", g.box.Cards[f.Card].Name), flow.Arg("region", int(f.Region)))
			}
			continue
		}
		legal := p.Offer()
		legal.AddBits(ActRemoveAt, uint64(set))
		if e.mandatory {
			return p.ask(DisruptRegionDecision, f.Actor)
		}
		legal.Add(ActDecline)
		return p.ask(SurrenderRegionDecision, f.Actor)
	}
	f.finish()
	return false
}

func (g *game) chooseRegion(p *Position, _ *flow.Witness, a engine.Action) {
	if a != ActDecline {
		p.Remove(1 << (a - ActRemoveAt))
	}
	p.Frame.Region++
}
