package insurgency

import "powderkeg/engine"

// What the running operation or event has come to, for encoders and agents.

// Picks returns the spaces that are picked in the running operation, or selected by the
// running event where no operation runs. Net Ops and Moves have Selection and Group.
func (s *View) Picks() SpaceSet {
	if s.P.op.kind == noOp {
		return SpaceSet(s.P.event.cur)
	}
	return SpaceSet(s.P.op.picks)
}

// Unhandled returns the picked spaces of the running operation that are still to be
// carried out: of an Attack, Tax, Deploy, Hunt or Pacify.
func (s *View) Unhandled() SpaceSet { return SpaceSet(s.P.op.todo) }

// Selections returns how many selections of the running Net Ops are made, in the order
// in which they are applied, and which of them, from 0 on, is being handled (D7) once
// all are made.
func (s *View) Selections() (n, at int) { return int(s.P.op.count), int(s.P.op.at) }

// Selection returns the space of selection k of the running Net Ops.
func (s *View) Selection(k int) int { return int(s.P.op.selected[k]) }

// Group is a group of a Move as it sets out: agents, or sleepers and active militia.
type Group struct{ From, To, Units, Active int }

// Groups returns how many groups of the running Move have been chosen.
func (s *View) Groups() int { return int(s.P.op.numGroups) }

// Group returns group k of the running Move, from 0 on.
func (s *View) Group(k int) Group {
	gr := &s.P.op.groups[k]
	return Group{int(gr.from), int(gr.to), int(gr.units), int(gr.active)}
}

// Kept returns the spaces that an earlier step of the running event has chosen and that
// a later one speaks of.
func (s *View) Kept() SpaceSet { return SpaceSet(s.P.event.named[0]) }

// LastRemoval returns the space of the last voluntary removal before the card that is
// to be chosen, NoSpace if there was none, and the piece: 0 agent, 1 sleeper, 2 active
// militia, 3 base. An agent taken from the first space of the map bars nothing (R7.2)
// and is not remembered.
func (s *View) LastRemoval() (space, piece int) {
	f := &s.P.removal
	if f.lastSpace == 0 && f.lastPiece == 0 {
		return NoSpace, 0
	}
	return int(f.lastSpace), int(f.lastPiece)
}

// TakesNoMore reports whether seat p has ended its choice of spaces in a custom set-up
// (D41).
func (s *View) TakesNoMore(p engine.Player) bool { return s.P.done[p] }

// DeployEach reports whether the option deploy is each.
func (s *View) DeployEach() bool { return s.G.deployEach }

// Focus returns the space that the decision is about: being filled, recruited in, or
// the destination of the group; NoSpace if there is none.
func (s *View) Focus() int {
	p := &s.P
	switch p.Ask {
	case AskLiftUnit, AskLiftBase:
		return int(p.placing.at)
	case AskRecruit:
		return int(p.op.selected[p.op.at])
	case AskUnits, AskActive:
		return int(p.op.to)
	case AskAgents, AskSwap:
		return int(p.op.todo.first())
	case AskNumber:
		if s.G.instruction(&p.event).Op == opRelocate {
			return int(p.event.to)
		}
		return int(p.event.from)
	case AskRemovePiece:
		return int(p.removal.from)
	}
	return NoSpace
}

// Origin returns where the running group, or relocation, comes from; NoSpace if
// there is none.
func (s *View) Origin() int {
	p := &s.P
	switch p.Ask {
	case AskDestination, AskUnits, AskActive:
		return int(p.op.from)
	case AskRelocate:
		return int(p.event.cur.first())
	case AskNumber:
		if s.G.instruction(&p.event).Op == opRelocate {
			return int(p.event.from)
		}
	}
	return NoSpace
}

// Targets returns the spaces that the actor may choose; none in the other seat's
// view.
func (s *View) Targets() SpaceSet {
	return SpaceSet(s.P.Words[actSpace>>6]>>(actSpace&63)) & SpaceSet(everywhere)
}

// Progress says how far the question has come.
type Progress struct {
	Selections int  // selections, groups, picks or pieces still to come
	Cost       int  // dollars that the picks or groups so far cost
	Arrests    int  // on the road of the running group
	Budget     int  // Ops left for Social Media attacks
	Source     bool // a piece must be lifted, because none is in stock
	Sleepers   int  // sleepers chosen for the running group (D12)
	Relocated  int  // sleepers chosen to be relocated (the second D35)
	AgentsLeft int  // agents that the running Deploy may still place
	BaseChosen bool // the running Deploy has made its one base
}

// Progress returns how far the question has come.
func (s *View) Progress() Progress {
	p := &s.P
	f := &p.op
	pr := Progress{
		Cost: int(f.cost), Arrests: int(f.arrests), Budget: int(f.budget), Sleepers: int(f.sleepers),
		AgentsLeft: int(f.agentsLeft), BaseChosen: f.baseChosen,
	}
	if p.Ask == AskNumber {
		pr.Relocated = int(p.event.sleepers)
	}
	switch {
	case p.placing.kind != placeNothing:
		pr.Selections, pr.Source = int(p.placing.left), true
		if in := s.G.instruction(&p.event); in != nil && in.split() {
			pr.Selections += int(p.event.left) // pieces that come one by one
		}
	case p.news.do != newsNone:
		pr.Selections = int(p.news.n)
	case f.kind == moveOp:
		pr.Selections = int(f.ops - f.numGroups)
	case f.kind == noOp:
		pr.Selections = int(max(p.event.left, uint8(p.event.asking)))
	case f.kind <= unrestOp:
		pr.Selections = int(f.rolls + f.choices)
	case f.mostPicks() < Spaces:
		pr.Selections = f.mostPicks() - f.picks.count()
	}
	return pr
}

// MayChoose reports whether the actor may choose a; never in the other seat's view.
func (s *View) MayChoose(a engine.Action) bool {
	return s.P.Choices().Has(a)
}
