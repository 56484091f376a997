package insurgency

import (
	"fmt"
	"strings"
)

// writeSetUp writes who takes no more spaces in a custom set-up (D41).
func (s *View) writeSetUp(w *writer) {
	for side, done := range s.P.done {
		if done {
			w.line("The %s takes no more spaces.", sideNames[side])
		}
	}
}

// writeRemoval writes the last voluntary removal before this card, which those that
// follow must not come before in the order of the map (R7.2), and the one under way.
func (s *View) writeRemoval(w *writer) {
	p := &s.P
	if space, piece := s.LastRemoval(); space != NoSpace {
		w.line("Last taken off before this card: %s in %s; the next comes after it in the order of the map.", pieceTexts[piece], s.G.box.spaces[space].name)
	}
	if p.removal.from != noSpace {
		w.line("A piece is taken off in %s.", s.G.box.spaces[p.removal.from].name)
	}
}

var pieceTexts = [...]string{"an agent", "a sleeper", "an active militia", "a base"}

// writeRunning writes the card and what of it is under way.
func (s *View) writeRunning(w *writer) {
	p, b := &s.P, s.G.box
	if p.card.number == 0 {
		return
	}
	e := &b.programs[p.card.number]
	w.line("Card: %d %s of the %s (%s, %d Ops, %s). %s", p.card.number, e.name, sideNames[p.side], cardSide(e.side), e.ops, modeText(p.card.mode), e.text)
	if p.card.operation != noOp {
		w.line("Operation chosen: %s", opNames[p.card.operation])
	}
	if p.op.kind != noOp {
		s.writeOperationText(w, &p.op)
	}
	if p.event.card != 0 {
		s.writeEventText(w, &p.event)
	}
	if f := &p.news; f.do != newsNone && f.n > 0 {
		w.line("Stories to come: %d", f.n)
	}
	if f := &p.placing; f.kind != placeNothing {
		w.line("Placing: %d of the %s in %s", f.left, sideNames[f.side], b.spaces[f.at].name)
	}
}

// writeOperationText writes the operation and how far it has come.
func (s *View) writeOperationText(w *writer, f *opFrame) {
	parts := []string{fmt.Sprintf("Operation: %s with %d Ops", opNames[f.kind], f.ops)}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.free {
		add("free")
	}
	if f.count > 0 {
		var chosen []string
		for _, i := range f.selected[:f.count] {
			chosen = append(chosen, s.G.box.spaces[i].name)
		}
		add("selected %s", strings.Join(chosen, ", "))
	}
	if f.stage == netRecruiting || f.stage == netRecruited {
		add("number %d of %d is handled", f.at+1, f.count)
	}
	if f.choices > 0 {
		add("%d to choose", f.choices)
	}
	if f.picks != 0 {
		add("selected %s", s.spaceNames(f.picks))
	}
	if f.todo != 0 {
		add("still to come %s", s.spaceNames(f.todo))
	}
	for k, gr := range f.groups[:f.numGroups] {
		add("group %d: %s from %s to %s", k+1, s.unitsText(f.side, gr.units, gr.active), s.G.box.spaces[gr.from].name, s.G.box.spaces[gr.to].name)
	}
	switch f.stage {
	case moveTo:
		add("another from %s", s.G.box.spaces[f.from].name)
	case moveUnits, moveActive:
		add("another from %s to %s, %d enemy spaces on the road", s.G.box.spaces[f.from].name, s.G.box.spaces[f.to].name, f.arrests)
	}
	if f.stage == moveActive {
		add("with %s", s.unitsText(f.side, f.sleepers, 0))
	}
	if f.cost > 0 {
		add("$%d to pay", f.cost)
	}
	switch {
	case f.kind == deploy && f.stage == opCarrying && !s.G.deployEach:
		add("%d agents left", f.agentsLeft)
	case f.baseChosen && !s.G.deployEach:
		add("the base is chosen")
	case f.kind == socialMedia:
		add("%d Ops left for attacks", f.budget)
	}
	w.line("%s", strings.Join(parts, "; "))
}

// unitsText names the units of a group.
func (s *View) unitsText(side, units, active uint8) string {
	if side == federal {
		return fmt.Sprintf("%d agents", units)
	}
	return fmt.Sprintf("%d sleepers and %d active militia", units, active)
}

// spaceNames lists the spaces of a set.
func (s *View) spaceNames(set spaceSet) string {
	var list []string
	for ; set != 0; set &= set - 1 {
		list = append(list, s.G.box.spaces[set.first()].name)
	}
	return strings.Join(list, ", ")
}

// writeEventText writes how far the event has come.
func (s *View) writeEventText(w *writer, f *eventFrame) {
	parts := []string{fmt.Sprintf("Event of the %s, step %d", sideNames[f.owner], f.pc+1)}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.named[0] != 0 {
		add("chosen before %s", s.spaceNames(f.named[0]))
	}
	if f.cur != 0 {
		add("selected %s", s.spaceNames(f.cur))
	}
	if f.todo != 0 {
		add("still to come %s", s.spaceNames(f.todo))
	}
	from, to := s.G.eventSpaces(f)
	if from {
		add("from %s", s.G.box.spaces[f.from].name)
	}
	if to {
		add("to %s", s.G.box.spaces[f.to].name)
	}
	switch in := s.G.instruction(f); {
	case in != nil && in.Op == opRelocate:
		if f.asking == relocateActive {
			add("%d sleepers go", f.sleepers)
		}
	case f.left > 0:
		add("%d left", f.left)
	}
	w.line("%s", strings.Join(parts, "; "))
}
