package insurgency

import "powderkeg/engine"

// validatePlay implements R8.2 and R8.3 for positions: mode and parts of the running
// card.
func (g *game) validatePlay(p *position, _ engine.Strictness) error {
	f, r := &p.card, &p.removal
	if p.phase != actionPhase {
		return nil
	}
	if f.number == 0 {
		switch {
		case f.mode != noMode || f.part != 0 || f.operation != noOp:
			return wrong("card: it has a mode, but no number")
		case r.asking && (!g.removal || p.pieces(p.side) < 2):
			return wrong("removal: a piece cannot be removed here (R3.5)")
		case r.asking && r.from == noSpace && g.removable(p, true) == 0:
			return wrong("removal: no space is left (R7.2)")
		case r.asking && r.from != noSpace && !g.removable(p, false).has(r.from):
			return wrong("removal: from %s (R7.2)", g.box.ids[r.from])
		case !r.asking && r.from != noSpace:
			return wrong("removal: from without asking")
		case p.pairLeft > p.handSize[p.side]:
			return wrong("cards_left_in_pair is %d, the hand has %d (R6.2)", p.pairLeft, p.handSize[p.side])
		}
		return nil
	}
	event, op := f.mode.parts()
	enemy := g.isEnemyCard(p)
	switch {
	case !p.discards.has(f.number):
		return wrong("card %d is being played, so it lies with the discards (R8.7)", f.number)
	case r.asking || r.from != noSpace || r.lastSpace != 0 || r.lastPiece != 0:
		return wrong("removal: it comes before the card (R3.5)")
	case p.pairLeft == 0:
		return wrong("cards_left_in_pair is 0 while a card is played (R6.2)")
	case f.mode == noMode && (f.part != 0 || f.operation != noOp):
		return wrong("card: the mode is missing (R8.2)")
	case f.mode != noMode && enemy != (f.mode >= modeOpsEvent):
		return wrong("card: mode %s does not fit card %d (R8.2, R8.3)", modeNames[f.mode], f.number)
	case f.part > 1 && f.mode != modeOpsEvent && f.mode != modeEventOps:
		return wrong("card: part %d of mode %s", f.part, modeNames[f.mode])
	case f.operation != noOp && (f.part != op+1 || opSides[f.operation] != eitherSide && opSides[f.operation] != opSide(p.side)):
		return wrong("card: operation %s cannot be chosen here", opNames[f.operation])
	case f.operation != noOp && (p.reserves[p.side] == 0 || f.operation == reservesOp):
		return wrong("card: there are no reserves to add (R8.5)")
	case p.event.card != 0 && (f.mode == noMode || f.part != event+1):
		return wrong("event: the card is not at its event")
	case p.op.kind != noOp && !p.op.free && (f.mode == noMode || f.part != op+1):
		return wrong("operation: the card is not at its operation")
	case (p.op.kind != noOp || p.event.card != 0) && f.operation != noOp:
		return wrong("card: operation is chosen and under way")
	}
	return nil
}

// validateFrames checks what is going on innermost.
func (g *game) validateFrames(p *position, _ engine.Strictness) error {
	if p.card.number == 0 && (p.op.kind != noOp || p.news.do != newsNone && p.phase == actionPhase || p.placing.kind != placeNothing ||
		p.testing != noSpace && p.phase == actionPhase) {
		return wrong("operation, news, placing and testing belong to a card")
	}
	if p.phase == setUpTests && p.testing != noSpace && p.spaces[p.testing].Status != unmarked {
		return wrong("testing: %s has been tested", g.box.ids[p.testing])
	}
	if p.testing != noSpace && !g.inPlay(p).has(p.testing) {
		return wrong("testing: %s is closed (R4.3)", g.box.ids[p.testing])
	}
	for _, step := range []func(*position) error{g.validateNews, g.validatePlacing, g.validateEvent, g.validateOperation} {
		if err := step(p); err != nil {
			return err
		}
	}
	return nil
}

// validateNews checks a change to the stories.
func (g *game) validateNews(p *position) error {
	f := &p.news
	if f.do == newsNone {
		return nil
	}
	if want := g.newsFrom(p); want.do != f.do || want.by != f.by || want.optional != f.optional ||
		f.do != newsReplace && f.do != newsRefresh && f.n > want.n {
		return wrong("news: nothing under way changes the stories like that (R9, R13.3.3)")
	}
	switch f.do {
	case newsCycle, newsChoose:
		if f.stage == newsPick && p.slots[0] != 0 {
			return wrong("news: slot 1 is taken (R9.3)")
		}
	case newsReplace:
		if f.stage == newsPick || f.stage == newsRefill && (f.n >= numSlots || p.slots[f.n] != 0) {
			return wrong("news: the slot is taken")
		}
	case newsRefresh:
		if f.stage == newsPick || f.n > poolSize || f.stage == newsRefill && int(f.n)+p.pool.count() > poolSize {
			return wrong("news: %d stories to draw", f.n)
		}
	default:
		if f.stage != newsBegin {
			return wrong("news: stage %d of %s", f.stage, newsNames[f.do])
		}
	}
	return nil
}

// newsFrom returns the change to the stories as what is under way began it: the
// Administration Phase, a Social Media attack, or a step of the event.
func (g *game) newsFrom(p *position) newsFrame {
	if p.phase == administration {
		return newsFrame{do: newsCycle, by: g.edge(p)}
	}
	if p.op.kind == socialMedia {
		switch do := p.news.do; do {
		case newsFeed, newsCensor:
			return newsFrame{do: do, by: p.op.side, n: 1}
		case newsCycle, newsSwap:
			return newsFrame{do: do, by: p.op.side, optional: do == newsSwap}
		}
	}
	e := p.event
	if p.op.kind != noOp || e.pc == 0 {
		return newsFrame{}
	}
	e.pc-- // the text has gone on
	in := g.instruction(&e)
	if in == nil || in.Op != opNews {
		return newsFrame{}
	}
	return newsFrame{do: in.Do, by: in.side.of(e.owner), n: uint8(in.N.n), optional: in.Optional}
}

// validatePlacing checks a placement.
func (g *game) validatePlacing(p *position) error {
	f := &p.placing
	if f.kind != placeNothing && p.op.kind == noOp && p.event.card == 0 {
		return wrong("placing belongs to an operation or event")
	}
	switch f.kind {
	case placeNothing:
		return nil
	case placeBase, swapBase:
		if f.left != 1 || !g.roomForBase(p, f.at) || f.kind == swapBase && p.units(f.side, f.at) < 2 {
			return wrong("placing: no base can come to %s (R1.6)", g.box.ids[f.at])
		}
	case replaceUnit:
		if f.left > p.units(1-f.side, f.at) {
			return wrong("placing: %s has fewer units to replace", g.box.ids[f.at])
		}
	}
	return nil
}

// validateEvent checks the place in a card text and what belongs to it.
func (g *game) validateEvent(p *position) error {
	f := &p.event
	if f.card == 0 {
		return nil
	}
	code := g.box.programs[f.card].code
	if err := f.validateKept(code); err != nil {
		return err
	}
	if int(f.pc) == len(code) {
		if f.stage != stageBegin || f.cur != 0 || f.todo != 0 || f.left != 0 || f.sum != 0 {
			return wrong("event: its text is over")
		}
		return nil
	}
	in := &code[f.pc]
	picks := in.At.How == choose && in.Op != opMomentum || in.split()
	switch {
	case effects[in.Op].stages>>f.stage&1 == 0 || f.stage == stagePick && !picks:
		return wrong("event: stage %s of %s", stageNames[f.stage], effects[in.Op].name)
	case f.stage == stageBegin && (f.cur != 0 || f.todo != 0 || f.left != 0 || f.sum != 0):
		return wrong("event: an instruction that has not begun")
	case f.todo&^f.cur != 0 || f.todo != 0 && f.stage < stageEffect:
		return wrong("event: todo is not a part of selected")
	case in.At.How == choose && !in.split() && in.Op != opMomentum && f.cur.count() > int(in.At.N):
		return wrong("event: %d spaces selected, at most %d", f.cur.count(), in.At.N)
	case in.At.N > 0 && !in.split() && in.Op != opRelocate && f.stage >= stageTest && f.left > 0:
		return wrong("event: %d left of a selection that is made", f.left)
	case f.left > max(in.most(), in.At.N, uint8(in.Amount.Dice)), f.stage == stagePick && !in.split() && int(f.left)+f.cur.count() != int(in.At.N),
		(in.Op == opStep || in.Op == opDiscard || in.Op == opCancel) && f.left > in.most():
		return wrong("event: %d left", f.left)
	case f.sum > 0 && in.Op != opMoney:
		return wrong("event: sum in %s", effects[in.Op].name)
	case in.Op == opMoney && (f.left > uint8(in.Amount.Dice) || f.sum > d6Faces*(uint8(in.Amount.Dice)-f.left)):
		return wrong("event: %d dice left, %d rolled", f.left, f.sum)
	case in.Op == opConvert && f.stage == stageMore && (f.todo == 0 || f.todo.first() != f.from):
		return wrong("event: from is not the space whose turn it is")
	case in.Op == opRelocate:
		return g.validateRelocation(p, in)
	}
	return nil
}

// validateKept checks what an event keeps for later: a selection from the step on that
// makes it, an amount after the step that stores it.
func (f *eventFrame) validateKept(code []step) error {
	var made [maxNames]bool
	stored := false
	for k := range min(int(f.pc)+1, len(code)) {
		in, over := &code[k], k < int(f.pc)
		if in.At.As != 0 && (over || f.stage >= stageTest) {
			made[in.At.As-1] = true
		}
		stored = stored || over && in.Store != ""
	}
	for k, set := range f.named {
		if set != 0 && !made[k] {
			return wrong("event: named before it is chosen (R14.1)")
		}
	}
	if f.stored > 0 && !stored {
		return wrong("event: stored without a step that stores (R14.1)")
	}
	return nil
}

// validateRelocation checks a relocate step.
func (g *game) validateRelocation(p *position, in *step) error {
	f := &p.event
	side := in.side.of(f.owner)
	switch {
	case f.todo != 0:
		return wrong("event: relocate has no todo")
	case f.stage < stageEffect:
		return nil
	case f.from == f.to || f.cur != 1<<f.from || p.units(side, f.from) == 0 || !g.inPlay(p).has(f.to):
		return wrong("event: nothing can be relocated from %s to %s", g.box.ids[f.from], g.box.ids[f.to])
	case f.stage == stageMore && f.asking != relocateUnits && f.asking != relocateActive:
		return wrong("event: %d left", f.asking)
	case f.sleepers > min(in.most(), p.spaces[f.from].Sleepers) || f.sleepers > 0 && (side != rebel || f.asking != relocateActive):
		return wrong("event: %d sleepers relocated", f.sleepers)
	}
	return nil
}
