package insurgency

// What the running operation or event has come to, for encoders and agents.

// Picks returns the spaces that are picked in the running operation, or selected by the
// running event where no operation runs. Net Ops have Selection.
func (s *View) Picks() SpaceSet {
	if s.P.Op.Kind == noOp {
		return s.P.Event.Cur
	}
	return s.P.Op.Pick.Spaces
}

// LastRemoval returns the space of the last voluntary removal before the card that is
// to be chosen, NoSpace if there was none, and the piece: 0 agent, 1 sleeper, 2 active
// militia, 3 base. An agent taken from the first space of the map bars nothing (R7.2)
// and is not remembered.
func (s *View) LastRemoval() (space, piece int) {
	f := &s.P.Removal
	if f.LastSpace == 0 && f.LastPiece == 0 {
		return NoSpace, 0
	}
	return int(f.LastSpace), int(f.LastPiece)
}

// DeployEach reports whether the option deploy is each.
func (s *View) DeployEach() bool { return s.G.deployEach }

// Focus returns the space that the decision is about: being filled, recruited in, or
// the destination of the group; NoSpace if there is none.
func (s *View) Focus() int {
	p := &s.P
	switch p.Ask {
	case AskLiftUnit, AskLiftBase:
		return int(p.Placing.At)
	case AskRecruit:
		return int(p.Op.Net.Selected[p.Op.Net.At])
	case AskUnits, AskActive:
		return int(p.Op.Group.To)
	case AskAgents, AskSwap:
		return int(p.Op.Pick.Todo.First())
	case AskNumber:
		if p.Event.Convert != noSpace {
			return int(p.Event.Convert)
		}
		return int(p.Event.Relocate.To)
	case AskRemovePiece:
		return int(p.Removal.From)
	}
	return NoSpace
}

// Origin returns where the running group, or relocation, comes from; NoSpace if
// there is none.
func (s *View) Origin() int {
	p := &s.P
	switch p.Ask {
	case AskDestination, AskUnits, AskActive:
		return int(p.Op.Group.From)
	case AskRelocate:
		return int(p.Event.Cur.First())
	case AskNumber:
		return index(p.Event.Relocate.From)
	}
	return NoSpace
}

// Targets returns the spaces that the actor may choose; none in the other seat's
// view.
func (s *View) Targets() SpaceSet {
	return SpaceSet(s.P.Words[ActSpace>>6]>>(ActSpace&63)) & everywhere
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
	f := &p.Op
	pr := Progress{
		Cost: int(f.Pick.Cost + f.Move.Cost), Arrests: int(f.Group.Arrests), Budget: int(f.Budget), Sleepers: int(f.Group.Sleepers),
		AgentsLeft: int(f.Deploy.AgentsLeft), BaseChosen: f.Deploy.BaseChosen,
	}
	if p.Ask == AskNumber {
		pr.Relocated = int(p.Event.Relocate.Sleepers)
	}
	switch {
	case p.Placing.Kind != placeNothing:
		pr.Selections, pr.Source = int(p.Placing.Left), true
		if in := s.G.instruction(&p.Event); in != nil && in.split() {
			pr.Selections += int(p.Event.Left) // pieces that come one by one
		}
	case p.News.refills(): // layout 2 has the slot here; nobody decides anything then
		pr.Selections = int(p.News.Slot)
	case p.News.Do != newsNone:
		pr.Selections = int(p.News.N)
	case f.Kind == moveOp:
		pr.Selections = int(f.Ops - f.Move.NumGroups)
	case f.Kind == noOp:
		pr.Selections = int(max(p.Event.Left, uint8(p.Event.Relocate.Asking)))
	case f.Kind <= unrestOp:
		pr.Selections = int(f.Net.Rolls + f.Net.Choices)
	case f.mostPicks() < Spaces:
		pr.Selections = f.mostPicks() - f.Pick.Spaces.Count()
	}
	return pr
}
