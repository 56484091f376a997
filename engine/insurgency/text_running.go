package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine/flow"
)

// writeSetUp writes who takes no more spaces in a custom set-up (D41).
func (s *View) writeSetUp(w *writer) {
	for side, done := range s.P.Done {
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
	if p.Removal.From != noSpace {
		w.line("A piece is taken off in %s.", s.G.box.spaces[p.Removal.From].name)
	}
}

var pieceTexts = [...]string{"an agent", "a sleeper", "an active militia", "a base"}

// writeRunning writes the card and what of it is under way.
func (s *View) writeRunning(w *writer) {
	p, b := &s.P, s.G.box
	if p.Card.Number == 0 {
		return
	}
	e := &b.programs[p.Card.Number]
	w.line("Card: %d %s of the %s (%s, %s, %s). %s", p.Card.Number, e.name, sideNames[p.Side], cardSide(e.side), opsText(e.ops),
		modeText(p.Card.Mode), e.text)
	if p.Card.Operation != noOp {
		w.line("Operation chosen: %s", opNames[p.Card.Operation])
	}
	if p.Op.Kind != noOp {
		s.writeOperationText(w, &p.Op)
	}
	if p.Event.Card != 0 {
		s.writeEventText(w, &p.Event)
	}
	if f := &p.News; f.Do != newsNone && f.N > 0 {
		w.line("Stories to come: %d", f.N)
	}
	if f := &p.Placing; f.Kind != placeNothing {
		w.line("Placing: %d of the %s in %s", f.Left, sideNames[f.Side], b.spaces[f.At].name)
	}
}

// writeOperationText writes the operation and how far it has come.
func (s *View) writeOperationText(w *writer, f *OperationFrame) {
	parts := []string{fmt.Sprintf("Operation: %s with %s", opNames[f.Kind], opsText(f.Ops))}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.Terms.Free {
		add("free")
	}
	if f.Net.Count > 0 {
		var chosen []string
		for _, i := range f.Net.Selected[:f.Net.Count] {
			chosen = append(chosen, s.G.box.spaces[i].name)
		}
		add("selected %s", strings.Join(chosen, ", "))
	}
	if f.Stage == netRecruiting || f.Stage == netRecruited {
		add("number %d of %d is handled", f.Net.At+1, f.Net.Count)
	}
	if f.Net.Choices > 0 {
		add("%d to choose", f.Net.Choices)
	}
	if f.Pick.Spaces != 0 {
		add("selected %s", s.spaceNames(f.Pick.Spaces))
	}
	if f.Pick.Todo != 0 {
		add("still to come %s", s.spaceNames(f.Pick.Todo))
	}
	for k, gr := range f.Move.Groups[:f.Move.NumGroups] {
		add("group %d: %s from %s to %s", k+1, s.unitsText(f.Side, gr.Units, gr.Active), s.G.box.spaces[gr.From].name, s.G.box.spaces[gr.To].name)
	}
	switch f.Stage {
	case moveTo:
		add("another from %s", s.G.box.spaces[f.Group.From].name)
	case moveUnits, moveActive:
		add("another from %s to %s, %d enemy spaces on the road", s.G.box.spaces[f.Group.From].name, s.G.box.spaces[f.Group.To].name, f.Group.Arrests)
	}
	if f.Stage == moveActive {
		add("with %s", s.unitsText(f.Side, f.Group.Sleepers, 0))
	}
	if cost := f.Pick.Cost + f.Move.Cost; cost > 0 {
		add("$%d to pay", cost)
	}
	switch {
	case f.Kind == deploy && f.Stage == opCarrying && !s.G.deployEach:
		add("%d agents left", f.Deploy.AgentsLeft)
	case f.Deploy.BaseChosen && !s.G.deployEach:
		add("the base is chosen")
	case f.Kind == socialMedia:
		add("%s left for attacks", flow.Count(f.Budget, "Op"))
	}
	w.line("%s", strings.Join(parts, "; "))
}

// unitsText names the units of a group.
func (s *View) unitsText(side Side, units, active uint8) string {
	if side == federal {
		return fmt.Sprintf("%d agents", units)
	}
	return fmt.Sprintf("%s and %d active militia", flow.Count(units, "sleeper"), active)
}

// spaceNames lists the spaces of a set.
func (s *View) spaceNames(set SpaceSet) string {
	var list []string
	for ; set != 0; set &= set - 1 {
		list = append(list, s.G.box.spaces[set.First()].name)
	}
	return strings.Join(list, ", ")
}

// writeEventText writes how far the event has come.
func (s *View) writeEventText(w *writer, f *EventFrame) {
	parts := []string{fmt.Sprintf("Event of the %s, step %d", sideNames[f.Owner], f.PC+1)}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if f.Named[0] != 0 {
		add("chosen before %s", s.spaceNames(f.Named[0]))
	}
	if f.Cur != 0 {
		add("selected %s", s.spaceNames(f.Cur))
	}
	if f.Todo != 0 {
		add("still to come %s", s.spaceNames(f.Todo))
	}
	if i := min(f.Convert, f.Relocate.From); i != noSpace {
		add("from %s", s.G.box.spaces[i].name)
	}
	if i := min(f.Split, f.Relocate.To); i != noSpace {
		add("to %s", s.G.box.spaces[i].name)
	}
	switch in := s.G.instruction(f); {
	case in != nil && in.Op == opRelocate:
		if f.Relocate.Asking == relocateActive {
			add("%s to go", flow.Count(f.Relocate.Sleepers, "sleeper"))
		}
	case f.Left > 0:
		add("%d left", f.Left)
	}
	w.line("%s", strings.Join(parts, "; "))
}
