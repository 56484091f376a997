package insurgency

import "powderkeg/engine"

// What the running operation or event has come to, for encoders and agents.

// Picked adds to counts how often each space is picked in the running operation, or
// selected by the running event where no operation runs.
func (s *State) Picked(counts *[Spaces]uint8) {
	f := &s.p.op
	set := f.picks
	if f.kind == noOp {
		set = s.p.event.cur
	}
	for ; set != 0; set &= set - 1 {
		counts[set.first()]++
	}
	for _, i := range f.selected[:f.count] {
		counts[i]++
	}
}

// Arrived adds to counts the units that have arrived in each space in the running
// Move.
func (s *State) Arrived(counts *[Spaces]uint8) {
	for _, gr := range s.p.op.groups[:s.p.op.numGroups] {
		counts[gr.to] += gr.units + gr.active
	}
}

// Focus returns the space that the decision is about: being filled, recruited in, or
// the destination of the group; NoSpace if there is none.
func (s *State) Focus() int {
	p := &s.p
	switch p.ask {
	case askLiftUnit, askLiftBase:
		return int(p.placing.at)
	case askRecruit:
		return int(p.op.selected[p.op.at])
	case askUnits, askActive:
		return int(p.op.to)
	case askAgents, askSwap:
		return int(p.op.todo.first())
	case askNumber:
		if s.g.box.programs[p.event.card].code[p.event.pc].op == opRelocate {
			return int(p.event.to)
		}
		return int(p.event.from)
	case askRemovePiece:
		return int(p.play.removeFrom)
	}
	return NoSpace
}

// Origin returns where the running group, or relocation, comes from; NoSpace if
// there is none.
func (s *State) Origin() int {
	p := &s.p
	switch p.ask {
	case askDestination, askUnits, askActive:
		return int(p.op.from)
	case askRelocate:
		return int(p.event.from)
	case askNumber:
		if s.g.box.programs[p.event.card].code[p.event.pc].op == opRelocate {
			return int(p.event.from)
		}
	}
	return NoSpace
}

// Targets returns the spaces that the actor may choose; none in the other seat's
// view.
func (s *State) Targets() SpaceSet {
	return SpaceSet(s.p.legal[actSpace>>6]>>(actSpace&63)) & SpaceSet(everywhere)
}

// Progress says how far the question has come.
type Progress struct {
	Selections int  // selections, groups, picks or pieces still to come
	Cost       int  // dollars that the picks so far cost
	Arrests    int  // on the road of the running group
	Budget     int  // Ops left for Social Media attacks
	Source     bool // a piece must be lifted, because none is in stock
	Sleepers   int  // sleepers chosen for the running group (D12)
}

// Progress returns how far the question has come.
func (s *State) Progress() Progress {
	p := &s.p
	f := &p.op
	pr := Progress{Cost: int(f.cost), Arrests: int(f.arrests), Budget: int(f.budget), Sleepers: int(f.sleepers)}
	switch {
	case p.placing.kind != placeNothing:
		pr.Selections, pr.Source = int(p.placing.left), true
	case p.news.do != newsNone:
		pr.Selections = int(p.news.n)
	case f.kind == moveOp:
		pr.Selections = int(f.ops - f.numGroups)
	case f.kind == noOp:
		pr.Selections = int(p.event.left)
	case f.kind <= unrestOp:
		pr.Selections = int(f.rolls + f.choices)
	case f.mostPicks() < Spaces:
		pr.Selections = f.mostPicks() - f.picks.count()
	}
	return pr
}

// MayChoose tells whether the actor may choose a; never in the other seat's view.
func (s *State) MayChoose(a engine.Action) bool {
	return a >= 0 && a < numActions && s.p.legal.has(uint8(a))
}
