package insurgency

// Stages of an instruction. Those that pick spaces go through all of them.
const (
	stageBegin  uint8 = iota
	stagePick         // D34 is asked
	stageTest         // unmarked targets are tested (R14.3)
	stageEffect       // the effect is carried out, space by space
	stageMore         // what an op asks beyond that
)

var stageNames = []string{"begin", "pick", "test", "effect", "more"}

// resolve implements R14.1: it carries the event one step further. Its text is a list of
// instructions (compile.go); pc is the current one.
func (g *game) resolve(p *position) bool {
	f := &p.event
	code := g.box.programs[f.card].code
	if int(f.pc) == len(code) {
		p.event = idleEvent
		return false
	}
	in := &code[f.pc]
	switch in.op {
	case opSelect, opPlace, opRemove, opConvert, opShift, opTest, opUnrest, opFlip, opMomentum:
		if in.split {
			return g.splitStep(p, in)
		}
		return g.spaceStep(p, in)
	case opMoney:
		return g.moneyStep(p, in)
	case opRelocate:
		return g.relocateStep(p, in)
	case opStep:
		return g.markerStep(p, in)
	case opDiscard:
		return g.discardStep(p, in)
	case opCancel:
		return g.cancelStep(p, in)
	case opChoice:
		p.decide(askOption, in.side.of(f.owner))
		for k := range in.options {
			if in.options[k] != 0 {
				p.legal.add(actOption + uint8(k))
			}
		}
		return true
	}
	f.advance()
	g.plainStep(p, in)
	return false
}

// instruction returns the step of an event that is being carried out, nil where none is or
// its text is over.
func (g *game) instruction(f *eventFrame) *instr {
	code := g.box.programs[f.card].code
	if int(f.pc) >= len(code) {
		return nil
	}
	return &code[f.pc]
}

// advance goes on to the next instruction; named selections and the kept amount
// stay.
func (f *eventFrame) advance() { f.goTo(f.pc + 1) }

func (f *eventFrame) goTo(pc uint8) {
	*f = eventFrame{card: f.card, owner: f.owner, pc: pc, named: f.named, stored: f.stored}
}

// plainStep carries out an op that asks nothing itself.
func (g *game) plainStep(p *position, in *instr) {
	f := &p.event
	side := in.side.of(f.owner)
	switch in.op {
	case opNews:
		p.startNews(in.do, side, in.n, in.optional)
	case opHQ:
		g.markHQ(p, side, in)
	case opInspect:
		p.inspect(side)
	case opReserve:
		n := in.n
		if !in.set {
			n += p.reserves[side]
		}
		g.setReserves(p, side, n)
	case opFree, opFreeHack:
		if op := f.granted(side, in); g.hasTarget(p, &op) {
			p.op = op
		}
	case opIf:
		if !g.holds(p, in) {
			f.goTo(in.jump)
		}
	case opJump:
		f.goTo(in.jump)
	}
}

// holds tells whether one of the spaces of a condition matches its filter.
func (g *game) holds(p *position, in *instr) bool {
	set := in.cond.ids
	if in.cond.how == ref {
		set = p.event.named[in.cond.ref]
	}
	return g.matching(p, &in.cond.filter)&set != 0
}

// markHQ changes the markers of an HQ: what is cleared goes before what is placed.
func (g *game) markHQ(p *position, side uint8, in *instr) {
	if in.shieldClear {
		p.shields[side] = 0
	}
	if in.hackedClear {
		p.hacked[side] = 0
	}
	p.shields[side] = min(p.shields[side]+in.shield, g.box.maxShields)
	p.hacked[side] = min(p.hacked[side]+in.hacked, g.box.maxHacked)
}

// granted implements R14.4: an operation that an event grants is free of every cost and
// takes no reserves; without a target nothing happens. A hack succeeds, and blackout does
// not bar it (Q47).
func (e *eventFrame) granted(side uint8, in *instr) opFrame {
	if in.op == opFreeHack {
		f := newOperation(hack, side, 0)
		f.stage, f.free, f.ignore = hackEffect, true, in.ignore
		return f
	}
	f := newOperation(in.operation, side, in.n)
	f.free, f.noUnrest, f.noArrest, f.limit = true, in.noUnrest, in.noArrest, in.maxSpaces
	if in.overMargin != 0 {
		f.margin = in.overMargin
	}
	if in.within != noName {
		f.within, f.limit = e.named[in.within], 1
	}
	return f
}

// moneyStep changes a side's resources by a number, dice (C9), a count, or what an
// earlier step kept.
func (g *game) moneyStep(p *position, in *instr) bool {
	f, a := &p.event, &in.amount
	if a.dice > 0 {
		if f.stage == stageBegin {
			f.stage, f.left = stageEffect, a.dice
		}
		if f.left > 0 {
			return p.wait(chanceEvent)
		}
	}
	n := a.fixed + f.sum + a.plus
	switch {
	case a.counts:
		n = min(a.mult*uint8(g.matching(p, &a.filter).count()), a.max)
	case a.countsRef:
		n = a.mult * uint8(f.named[a.ref].count())
	case a.stored:
		n = f.stored / a.div
	}
	side := in.side.of(f.owner)
	if in.minus {
		n = p.lose(side, n)
	} else {
		n = p.gain(side, n)
	}
	f.advance()
	if in.stores {
		f.stored = n
	}
	return false
}

// markerStep moves the Social Media marker, step by step (D23).
func (g *game) markerStep(p *position, in *instr) bool {
	f := &p.event
	if f.stage == stageBegin {
		f.stage, f.left = stageEffect, in.n
	}
	if f.left == 0 {
		f.advance()
		return false
	}
	return g.askForStep(p, in.side.of(f.owner))
}

// discardStep implements C10 and R14.7: random cards of a hand are discarded. The
// only card of a hand is no chance event.
func (g *game) discardStep(p *position, in *instr) bool {
	f := &p.event
	side := in.side.of(f.owner)
	if f.stage == stageBegin {
		f.stage, f.left = stageEffect, in.n
	}
	switch {
	case f.left == 0 || p.handSize[side] == 0:
		f.advance()
		return false
	case p.handSize[side] == 1:
		f.left--
		p.dropCard(side, p.hand[side].first())
		return false
	}
	return p.wait(chanceDiscard)
}

// discarding returns whose hand loses a random card.
func (g *game) discarding(p *position) uint8 {
	f := &p.event
	return g.box.programs[f.card].code[f.pc].side.of(f.owner)
}

// cancelStep implements D36: events in play are ended, chosen by their cards.
func (g *game) cancelStep(p *position, in *instr) bool {
	f := &p.event
	if f.stage == stageBegin {
		f.stage, f.left = stageEffect, in.n
	}
	keys := p.momentum & in.keys
	if f.left == 0 || keys == 0 {
		f.advance()
		return false
	}
	p.decide(askMomentum, in.side.of(f.owner))
	p.legal.add(actDone)
	for ; keys != 0; keys &= keys - 1 {
		p.legal.add(actCard + g.box.momentum[spaceSet(keys).first()].card - 1)
	}
	return true
}

// chooseEvent carries out D33 to D36 and D38.
func (g *game) chooseEvent(p *position, a uint8) {
	f := &p.event
	in := &g.box.programs[f.card].code[f.pc]
	switch p.ask {
	case askOption:
		f.goTo(in.options[a-actOption])
	case askSpace:
		g.pickSpace(p, in, a)
	case askNumber:
		g.chooseNumber(p, in, a-actAmount)
	case askRelocate:
		g.chooseDestination(p, in, a)
	case askMomentum:
		if f.left--; a == actDone {
			f.left = 0
			return
		}
		for k := range g.box.momentum {
			if p.has(uint8(k)) && g.box.momentum[k].card == a-actCard+1 {
				p.endMomentum(uint8(k))
			}
		}
	}
}
