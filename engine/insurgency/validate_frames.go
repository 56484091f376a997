package insurgency

import "powderkeg/engine"

// validatePlay implements R8.2 and R8.3 for positions: mode and parts of the running
// card.
func (g *game) validatePlay(p *Position, _ engine.Strictness) error {
	f, r := &p.Card, &p.Removal
	if p.Phase != actionPhase {
		return nil
	}
	if f.Number == 0 {
		switch {
		case f.Mode != noMode || f.Part != 0 || f.Operation != noOp:
			return wrong("card: it has a mode, but no number")
		case *r != idleRemoval && p.PairLeft == 0:
			return wrong("removal: it comes before a card, and none is to be played (R3.5)")
		case r.Asking && (!g.removal || p.pieces(p.Side) < 2):
			return wrong("removal: a piece cannot be removed here (R3.5)")
		case r.Asking && r.From == noSpace && g.removable(p, true) == 0:
			return wrong("removal: no space is left (R7.2)")
		case r.Asking && r.From != noSpace && !g.removable(p, false).Has(r.From):
			return wrong("removal: from %s (R7.2)", g.box.ids[r.From])
		case !r.Asking && r.From != noSpace:
			return wrong("removal: from without asking")
		case p.PairLeft > p.HandSize[p.Side]:
			return wrong("cards_left_in_pair is %d, the hand has %d (R6.2)", p.PairLeft, p.HandSize[p.Side])
		}
		return nil
	}
	event, op := f.Mode.parts()
	enemy := g.isEnemyCard(p)
	switch {
	case !p.Discards.Has(f.Number):
		return wrong("card %d is being played, so it lies with the discards (R8.7)", f.Number)
	case r.Asking || r.From != noSpace || r.LastSpace != 0 || r.LastPiece != 0:
		return wrong("removal: it comes before the card (R3.5)")
	case p.PairLeft == 0:
		return wrong("cards_left_in_pair is 0 while a card is played (R6.2)")
	case f.Mode == noMode && (f.Part != 0 || f.Operation != noOp):
		return wrong("card: the mode is missing (R8.2)")
	case f.Mode != noMode && enemy != (f.Mode >= modeOpsEvent):
		return wrong("card: mode %s does not fit card %d (R8.2, R8.3)", modeNames[f.Mode], f.Number)
	case f.Part > 1 && f.Mode != modeOpsEvent && f.Mode != modeEventOps:
		return wrong("card: part %d of mode %s", f.Part, modeNames[f.Mode])
	case f.Mode == modeBurn && (p.SocialUsed[p.Side] != (f.Part > 0) || !g.box.Allows(SocialMedia, int(g.cardOps(p)), p.Momentum)):
		return wrong("card: mode burn is the first use of Social Media in a round, and not in a blackout (R7, R13.3.5)")
	case f.Operation != noOp && (f.Part != op+1 || !g.canOperate(p, f.Operation, g.reachableOps(p))):
		return wrong("card: operation %s cannot be chosen here (R7.1)", opNames[f.Operation])
	case f.Operation != noOp && (p.Reserves[p.Side] == 0 || f.Operation == reservesOp):
		return wrong("card: there are no reserves to add (R8.5)")
	case p.Event.Card != 0 && (f.Mode == noMode || f.Part != event+1):
		return wrong("event: the card is not at its event")
	case p.Op.Kind != noOp && !p.Op.Terms.Free && (f.Mode == noMode || f.Part != op+1):
		return wrong("operation: the card is not at its operation")
	case (p.Op.Kind != noOp || p.Event.Card != 0) && f.Operation != noOp:
		return wrong("card: operation is chosen and under way")
	}
	return nil
}

// validateFrames checks what is going on innermost.
func (g *game) validateFrames(p *Position, _ engine.Strictness) error {
	if p.Card.Number == 0 && (p.Op.Kind != noOp || p.News.Do != newsNone && p.Phase == actionPhase || p.Placing.Kind != placeNothing ||
		p.Testing != noSpace && p.Phase == actionPhase) {
		return wrong("operation, news, placing and testing belong to a card")
	}
	if p.Phase == setUpTests && p.Testing != noSpace && p.Spaces[p.Testing].Status != unmarked {
		return wrong("testing: %s has been tested", g.box.ids[p.Testing])
	}
	if p.Testing != noSpace && !g.inPlay(p).Has(p.Testing) {
		return wrong("testing: %s is closed (R4.3)", g.box.ids[p.Testing])
	}
	for _, step := range []func(*Position) error{g.validateNews, g.validatePlacing, g.validateEvent, g.validateOperation} {
		if err := step(p); err != nil {
			return err
		}
	}
	return nil
}

// validateNews checks a change to the stories.
func (g *game) validateNews(p *Position) error {
	f := &p.News
	if f.Do == newsNone {
		return nil
	}
	if want := g.newsFrom(p); want.Do != f.Do || want.By != f.By || want.Optional != f.Optional ||
		f.Do != newsReplace && f.Do != newsRefresh && f.N > want.N {
		return wrong("news: nothing under way changes the stories like that (R9, R13.3.3)")
	}
	switch f.Do {
	case newsCycle, newsChoose:
		if f.Stage == newsPick && p.Slots[0] != 0 {
			return wrong("news: slot 1 is taken (R9.3)")
		}
	case newsReplace:
		if f.Stage == newsPick || f.refills() && (f.Slot >= numSlots || p.Slots[f.Slot] != 0) {
			return wrong("news: the slot is taken")
		}
	case newsRefresh:
		if f.Stage == newsPick || f.N > poolSize || f.Stage == newsRefill && int(f.N)+p.Pool.Count() > poolSize {
			return wrong("news: %d stories to draw", f.N)
		}
	default:
		if f.Stage != newsBegin {
			return wrong("news: stage %d of %s", f.Stage, newsNames[f.Do])
		}
	}
	return nil
}

// newsFrom returns the change to the stories as what is under way began it: the
// Administration Phase, a Social Media attack, or a step of the event.
func (g *game) newsFrom(p *Position) NewsFrame {
	if p.Phase == administration {
		return NewsFrame{Do: newsCycle, By: g.edge(p)}
	}
	if p.Op.Kind == socialMedia {
		switch do := p.News.Do; do {
		case newsFeed, newsCensor:
			return NewsFrame{Do: do, By: p.Op.Side, N: 1}
		case newsCycle, newsSwap:
			return NewsFrame{Do: do, By: p.Op.Side, Optional: do == newsSwap}
		}
	}
	in := g.stepBefore(p)
	if p.Op.Kind != noOp || in == nil || in.Op != opNews {
		return NewsFrame{}
	}
	return NewsFrame{Do: in.Do, By: in.side.of(p.Event.Owner), N: uint8(in.N.n), Optional: in.Optional}
}

// stepBefore returns the instruction that has begun what an event waits for, behind which its
// text has gone on already; nil if there is none.
func (g *game) stepBefore(p *Position) *step {
	e := p.Event
	if e.PC == 0 {
		return nil
	}
	e.PC--
	return g.instruction(&e)
}

// validatePlacing checks a placement.
func (g *game) validatePlacing(p *Position) error {
	f := &p.Placing
	if f.Kind != placeNothing && p.Op.Kind == noOp && p.Event.Card == 0 {
		return wrong("placing belongs to an operation or event")
	}
	switch f.Kind {
	case placeNothing:
		return nil
	case placeBase, swapBase:
		if f.Left != 1 || !g.roomForBase(p, f.At) || f.Kind == swapBase && p.units(f.Side, f.At) < 2 {
			return wrong("placing: no base can come to %s (R1.6)", g.box.ids[f.At])
		}
	case replaceUnit:
		if f.Left > p.units(1-f.Side, f.At) {
			return wrong("placing: %s has fewer units to replace", g.box.ids[f.At])
		}
	}
	return nil
}

// validateEvent checks the place in a card text and what belongs to it.
func (g *game) validateEvent(p *Position) error {
	f := &p.Event
	if f.Card == 0 {
		return nil
	}
	code := g.box.programs[f.Card].code
	if err := f.validateKept(code); err != nil {
		return err
	}
	if int(f.PC) == len(code) {
		if f.Stage != stageBegin || f.Cur != 0 || f.Todo != 0 || f.Left != 0 || f.Sum != 0 {
			return wrong("event: its text is over")
		}
		return nil
	}
	in := &code[f.PC]
	picks := in.At.How == choose && in.Op != opMomentum || in.split()
	switch {
	case effects[in.Op].stages>>f.Stage&1 == 0 || f.Stage == stagePick && !picks:
		return wrong("event: stage %s of %s", stageNames[f.Stage], effects[in.Op].name)
	case f.Stage == stageBegin && (f.Cur != 0 || f.Todo != 0 || f.Left != 0 || f.Sum != 0):
		return wrong("event: an instruction that has not begun")
	case f.Todo&^f.Cur != 0 || f.Todo != 0 && f.Stage < stageEffect:
		return wrong("event: todo is not a part of selected")
	case in.At.How == choose && !in.split() && in.Op != opMomentum && f.Cur.Count() > int(in.At.N):
		return wrong("event: %d spaces selected, at most %d", f.Cur.Count(), in.At.N)
	case in.At.N > 0 && !in.split() && in.Op != opRelocate && f.Stage >= stageTest && f.Left > 0:
		return wrong("event: %d left of a selection that is made", f.Left)
	case f.Left > max(in.most(), in.At.N, uint8(in.Amount.Dice)), f.Stage == stagePick && !in.split() && int(f.Left)+f.Cur.Count() != int(in.At.N),
		(in.Op == opStep || in.Op == opDiscard || in.Op == opCancel) && f.Left > in.most():
		return wrong("event: %d left", f.Left)
	case f.Sum > 0 && in.Op != opMoney:
		return wrong("event: sum in %s", effects[in.Op].name)
	case in.Op == opMoney && (f.Left > uint8(in.Amount.Dice) || f.Sum > d6Faces*(uint8(in.Amount.Dice)-f.Left)):
		return wrong("event: %d dice left, %d rolled", f.Left, f.Sum)
	case in.Op == opConvert && f.Stage == stageMore && (f.Todo == 0 || f.Todo.First() != f.Convert):
		return wrong("event: from is not the space whose turn it is")
	case in.Op == opRelocate:
		return g.validateRelocation(p, in)
	}
	return nil
}

// validateKept checks what an event keeps for later: a selection from the step on that
// makes it, an amount after the step that stores it.
func (f *EventFrame) validateKept(code []step) error {
	var made [maxNames]bool
	stored := false
	for k := range min(int(f.PC)+1, len(code)) {
		in, over := &code[k], k < int(f.PC)
		if in.At.As != 0 && (over || f.Stage >= stageTest) {
			made[in.At.As-1] = true
		}
		stored = stored || over && in.Store != ""
	}
	for k, set := range f.Named {
		if set != 0 && !made[k] {
			return wrong("event: named before it is chosen (R14.1)")
		}
	}
	if f.Stored > 0 && !stored {
		return wrong("event: stored without a step that stores (R14.1)")
	}
	return nil
}

// validateRelocation checks a relocate step.
func (g *game) validateRelocation(p *Position, in *step) error {
	f, r := &p.Event, &p.Event.Relocate
	side := in.side.of(f.Owner)
	switch {
	case f.Todo != 0:
		return wrong("event: relocate has no todo")
	case f.Stage < stageEffect:
		return nil
	case r.From == r.To || f.Cur != 1<<r.From || p.units(side, r.From) == 0 || !g.inPlay(p).Has(r.To):
		return wrong("event: nothing can be relocated from %s to %s", g.box.ids[r.From], g.box.ids[r.To])
	case f.Stage == stageMore && r.Asking != relocateUnits && r.Asking != relocateActive:
		return wrong("event: %d left", r.Asking)
	case r.Sleepers > min(in.most(), p.Spaces[r.From].Sleepers) || r.Sleepers > 0 && (side != rebel || r.Asking != relocateActive):
		return wrong("event: %d sleepers relocated", r.Sleepers)
	}
	return nil
}
