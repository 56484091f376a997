package domination

import "powderkeg/engine"

// bio implements R8.5, Q27, D12 and D13. The user performs its Reductions, as many as
// there are steps; then the offer goes to the left of the last one who did, who
// takes all of the Reductions or ends the card, locked or not.
func (b Board) bio(f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun = true
		if e.op == reductions {
			f.Target = f.Actor
			f.Points = uint8(min(int(e.n), b.Steps(b.Opposing(f.Actor))))
		}
	}
	if f.Points > 0 {
		legal := b.Offer()
		legal.AddBits(ActReduceAt, uint64(b.exactAreas(b.Opposing(f.Target), f.Last, f.Points)))
		return b.ask(BioStepDecision, f.Target)
	}
	offered := b.next(f.Target)
	if e.op == reductions || b.Steps(b.Opposing(offered)) < int(e.n) {
		if e.op == chainLeft {
			b.tell(chainEnded, "R8.5", f.Card, offered)
		}
		f.finish()
		return false
	}
	legal := b.Offer()
	legal.Add(ActDecline)
	legal.Add(ActAccept)
	return b.ask(BioResponseDecision, offered)
}

func (b Board) chooseBioResponse(a engine.Action) {
	f := &b.Frame
	if a == ActDecline {
		f.finish()
		return
	}
	f.Target = SeatID(b.Actor)
	f.Points = b.box.Cards[f.Card].ways[f.Way][f.Effect].n
}

// half implements R8.9: the Reductions that Mega Storm performs on seat s, its
// Forces times the fraction, rounded down (Q30).
func (p *Position) half(s SeatID, e *effect) uint8 {
	return uint8(p.Own[s].Size() * int(e.fraction[0]) / int(e.fraction[1]))
}

// storm implements R8.9 and D11: all Forces are counted first, then the user hits
// the players one after another, itself first.
func (b Board) storm(f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Target = true, f.Actor
		for i := range b.seats {
			f.Halves[i] = b.half(i, e)
		}
		if b.w != nil {
			b.tell(stormBroken, "R8.9", f.Card, f.Halves)
		}
		f.Points, f.Halves[f.Target] = f.Halves[f.Target], 0
	}
	for f.Points == 0 {
		if f.Target = b.next(f.Target); f.Target == f.Actor {
			f.Target = NoSeat
			f.finish()
			return false
		}
		f.Points, f.Halves[f.Target] = f.Halves[f.Target], 0
	}
	legal := b.Offer()
	legal.AddBits(ActReduceAt, uint64(b.exactAreas(b.Own[f.Target], f.Last, f.Points)))
	return b.ask(StormStepDecision, f.Actor)
}

const allRegions = 1<<Regions - 1

// notedRegions implements R8.6 and R8.7: the Regions that the card goes through,
// judged when it is played (Q28).
func (b Board) notedRegions(s SeatID, e *effect) uint8 {
	if e.ownFullRegions {
		return uint8(b.ownFullRegions(s))
	}
	return allRegions
}

// removable returns the Areas of a Region in which the effect of seat s may remove
// a Force.
func (b Board) removable(s SeatID, e *effect, region uint8) AreaSet {
	set := b.Occupied()
	if e.opponents {
		set = b.Opposing(s)
	}
	return set & e.areas & b.box.Regions[region].Areas
}

// removeFromRegions implements R8.6 with D8 and R8.7 with D9: one Region after
// another; those where nothing can be removed are skipped.
func (b Board) removeFromRegions(f *Frame, e *effect) bool {
	if !f.Begun {
		f.Begun, f.Regions = true, b.notedRegions(f.Actor, e)
	}
	for ; f.Region < Regions; f.Region++ {
		set := b.removable(f.Actor, e, f.Region)
		if f.Regions>>f.Region&1 == 0 {
			continue
		}
		if set == 0 {
			b.tell(nothingThere, "R8.6", f.Card, f.Region)
			continue
		}
		legal := b.Offer()
		legal.AddBits(ActRemoveAt, uint64(set))
		if e.mandatory {
			return b.ask(DisruptRegionDecision, f.Actor)
		}
		legal.Add(ActDecline)
		return b.ask(SurrenderRegionDecision, f.Actor)
	}
	f.finish()
	return false
}

func (b Board) chooseRegion(a engine.Action) {
	if a != ActDecline {
		b.Remove(1 << (a - ActRemoveAt))
	}
	b.Frame.Region++
}
