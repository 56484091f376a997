package insurgency

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// effectOp is a primitive of the card texts (R14.1).
type effectOp uint8

const (
	opSelect effectOp = iota
	opPlace
	opRemove
	opConvert
	opShift
	opTest
	opUnrest
	opMoney
	opStep
	opNews
	opHQ
	opFlip
	opInspect
	opDiscard
	opReserve
	opFree
	opFreeHack
	opMomentum
	opCancel
	opRelocate
	opChoice
	opIf
	opJump // the compiler's own: on to another place
)

// effects are the primitives, named as in data/effects.json, and what carries a step of the
// kind one stage further. do reports whether the game now waits.
var effects = [...]struct {
	name string
	do   func(g *game, p *Position, w *flow.Witness, in *step) bool
}{
	opSelect:   {"select", (*game).spaceStep},
	opPlace:    {"place", (*game).spaceStep},
	opRemove:   {"remove", (*game).spaceStep},
	opConvert:  {"convert", (*game).spaceStep},
	opShift:    {"shift", (*game).spaceStep},
	opTest:     {"test", (*game).spaceStep},
	opUnrest:   {"unrest", (*game).spaceStep},
	opMoney:    {"money", (*game).moneyStep},
	opStep:     {"sm_move", (*game).markerStep},
	opNews:     {"news", (*game).newsStep},
	opHQ:       {"hq", (*game).hqStep},
	opFlip:     {"flip", (*game).spaceStep},
	opInspect:  {"inspect_hand", (*game).inspectStep},
	opDiscard:  {"discard_random", (*game).discardStep},
	opReserve:  {"reserve", (*game).reserveStep},
	opFree:     {"free_op", (*game).grantStep},
	opFreeHack: {"free_hack", (*game).grantStep},
	opMomentum: {"momentum", (*game).spaceStep},
	opCancel:   {"cancel_momentum", (*game).cancelStep},
	opRelocate: {"relocate", (*game).relocateStep},
	opChoice:   {"choice", (*game).choiceStep},
	opIf:       {"if", (*game).ifStep},
	opJump:     {"jump", (*game).jumpStep},
}

// eventStage is how far an instruction has come.
type eventStage uint8

// Stages of an instruction. Those that pick spaces go through all of them.
const (
	stageBegin  eventStage = iota
	stagePick              // D34 is asked
	stageTest              // unmarked targets are tested (R14.3)
	stageEffect            // the effect is carried out, space by space
	stageMore              // what an op asks beyond that
)

var stageNames = []string{"begin", "pick", "test", "effect", "more"}

// resolve implements R14.1: it carries the event one step further. Its text is a list of
// instructions (compile.go); pc is the current one.
func (g *game) resolve(p *Position, w *flow.Witness) bool {
	in := g.instruction(&p.Event)
	if in == nil {
		p.Event = idleEvent
		return false
	}
	return effects[in.Op].do(g, p, w, in)
}

// instruction returns the step of an event that is being carried out, nil where none is or
// its text is over.
func (g *game) instruction(f *EventFrame) *step {
	code := g.box.programs[f.Card].code
	if int(f.PC) >= len(code) {
		return nil
	}
	return &code[f.PC]
}

// advance goes on to the next instruction; named selections and the kept amount
// stay.
func (f *EventFrame) advance() { f.goTo(f.PC + 1) }

func (f *EventFrame) goTo(pc uint8) {
	next := newEvent(f.Card, f.Owner)
	next.PC, next.Named, next.Stored = pc, f.Named, f.Stored
	*f = next
}

// newEvent returns the event of a card at its beginning.
func newEvent(card CardID, owner Side) EventFrame {
	return EventFrame{Card: card, Owner: owner, Split: noSpace, Convert: noSpace, Relocate: Relocation{From: noSpace, To: noSpace}}
}

// kept returns an earlier selection.
func (f *EventFrame) kept(n name) SpaceSet { return f.Named[n-1] }

// choiceStep asks for one of the ways in which an event goes on (D33).
func (g *game) choiceStep(p *Position, w *flow.Witness, in *step) bool {
	p.decide(AskOption, in.side.of(p.Event.Owner))
	for k := range in.options {
		p.allow(ActOption + engine.Action(k))
	}
	return true
}

// ifStep goes on, or to the else part if none of the spaces matches the filter.
func (g *game) ifStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	set := in.Cond.ids
	if in.Cond.Ref != 0 {
		set = f.kept(in.Cond.Ref)
	}
	if g.matching(p, &in.Cond.Filter)&set != 0 {
		f.advance()
	} else {
		f.goTo(in.jump)
	}
	return false
}

func (g *game) jumpStep(p *Position, w *flow.Witness, in *step) bool {
	p.Event.goTo(in.jump)
	return false
}

// newsStep changes the stories.
func (g *game) newsStep(p *Position, w *flow.Witness, in *step) bool {
	p.Event.advance()
	p.startNews(in.Do, in.side.of(p.Event.Owner), uint8(in.N.n), in.Optional)
	return false
}

// inspectStep shows a hand (R19.2).
func (g *game) inspectStep(p *Position, w *flow.Witness, in *step) bool {
	p.Event.advance()
	g.inspect(p, w, "R14.1", in.side.of(p.Event.Owner))
	return false
}

// reserveStep sets or adds reserves.
func (g *game) reserveStep(p *Position, w *flow.Witness, in *step) bool {
	p.Event.advance()
	side := in.side.of(p.Event.Owner)
	if in.Set != nil {
		g.setReserves(p, w, "R14.1", side, *in.Set)
	} else {
		g.setReserves(p, w, "R14.1", side, p.Reserves[side]+*in.Add)
	}
	return false
}

// grantStep begins an operation that the event grants, if it has a target (R14.4).
func (g *game) grantStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	f.advance()
	op := f.granted(in)
	if g.hasTarget(p, &op) {
		p.Op = op
		g.tellOperation(w, "R14.4", &op)
	} else if w != nil {
		w.All("no_target", "R14.4", bySeat("side", op.Side), flow.Arg("operation", opNames[op.Kind]))
	}
	return false
}

// hqStep changes the markers of an HQ: what is cleared goes before what is placed.
func (g *game) hqStep(p *Position, w *flow.Witness, in *step) bool {
	p.Event.advance()
	side := in.side.of(p.Event.Owner)
	g.setHQ(p, w, "R14.1", side, in.Hacked.mark(p.Hacked[side], g.box.maxHacked), in.Shield.mark(p.Shields[side], g.box.maxShields))
	return false
}

// mark returns what a quantity makes of n markers of which there are at most so many.
func (q quantity) mark(n, most uint8) uint8 {
	if q.word == clearing {
		return 0
	}
	return min(n+uint8(q.n), most)
}

// granted implements R14.4: an operation that an event grants is free of every cost and
// takes no reserves; without a target nothing happens. A hack succeeds, and blackout does
// not bar it (Q47).
func (f *EventFrame) granted(in *step) OperationFrame {
	side := in.side.of(f.Owner)
	if in.Op == opFreeHack {
		op := newOperation(hack, side, 0)
		op.Stage, op.Terms.Free, op.Terms.Ignore = hackEffect, true, in.IgnoreShield
		return op
	}
	op := newOperation(in.Operation, side, in.Ops)
	op.Terms.Free, op.Terms.NoUnrest, op.Terms.NoArrest, op.Terms.Limit, op.Terms.Margin = true, in.grant.NoUnrest, in.grant.NoArrest,
		in.grant.MaxSpaces, in.grant.Margin
	if in.grant.Within != 0 {
		op.Terms.Within, op.Terms.Limit = f.kept(in.grant.Within), 1
	}
	return op
}

// moneyStep changes a side's resources by a number, dice (C9), a count, or what an
// earlier step kept.
func (g *game) moneyStep(p *Position, w *flow.Witness, in *step) bool {
	f, a := &p.Event, &in.Amount
	if a.Dice > 0 {
		if f.Stage == stageBegin {
			f.Stage, f.Left = stageEffect, uint8(a.Dice)
		}
		if f.Left > 0 {
			return p.wait(chanceEvent)
		}
	}
	n := a.fixed + f.Sum + a.Plus
	switch {
	case a.Count != nil:
		n = min(a.Mult*uint8(g.matching(p, a.Count).Count()), a.Max)
	case a.CountRef != 0:
		n = a.Mult * uint8(f.kept(a.CountRef).Count())
	case a.Stored != "":
		n = f.Stored / a.Div
	}
	side := in.side.of(f.Owner)
	if in.Sign == "-" {
		n = g.lose(p, w, "R14.1", side, n)
	} else {
		n = g.gain(p, w, "R14.1", side, n)
	}
	f.advance()
	if in.Store != "" {
		f.Stored = n
	}
	return false
}

// markerStep moves the Social Media marker, step by step (D23).
func (g *game) markerStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	if f.Stage == stageBegin {
		f.Stage, f.Left = stageEffect, in.most()
	}
	if f.Left == 0 {
		f.advance()
		return false
	}
	return g.askForStep(p, in.side.of(f.Owner))
}

// discardStep implements C10 and R14.7: random cards of a hand are discarded. The
// only card of a hand is no chance event.
func (g *game) discardStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	side := in.side.of(f.Owner)
	if f.Stage == stageBegin {
		f.Stage, f.Left = stageEffect, in.most()
	}
	switch {
	case f.Left == 0 || p.HandSize[side] == 0:
		f.advance()
		return false
	case p.HandSize[side] == 1:
		f.Left--
		g.loseCard(p, w, side, p.Hand[side].First())
		return false
	}
	return p.wait(chanceDiscard)
}

// discarding returns whose hand loses a random card.
func (g *game) discarding(p *Position) Side {
	return g.instruction(&p.Event).side.of(p.Event.Owner)
}

// cancelStep implements D36: events in play are ended, chosen by their cards.
func (g *game) cancelStep(p *Position, w *flow.Witness, in *step) bool {
	f := &p.Event
	if f.Stage == stageBegin {
		f.Stage, f.Left = stageEffect, in.most()
	}
	keys := p.Momentum & in.keys
	if f.Left == 0 || keys == 0 {
		f.advance()
		return false
	}
	p.decide(AskMomentum, in.side.of(f.Owner))
	p.allow(ActDone)
	for ; keys != 0; keys &= keys - 1 {
		p.allow(ActCard + engine.Action(g.box.momentum[bits.TrailingZeros32(uint32(keys))].card) - 1)
	}
	return true
}

// chooseOption carries out D33.
func (g *game) chooseOption(p *Position, _ *flow.Witness, a engine.Action) {
	p.Event.goTo(g.instruction(&p.Event).options[a-ActOption].at)
}

// chooseMomentum carries out D36.
func (g *game) chooseMomentum(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Event.Left = 0
		return
	}
	p.Event.Left--
	for k := range numMomentum {
		if p.has(k) && g.box.momentum[k].card == CardID(a-ActCard)+1 {
			g.endMomentum(p, w, k)
		}
	}
}

// eventRolled carries out C9.
func (g *game) eventRolled(p *Position, w *flow.Witness, a engine.Action) {
	face := uint8(a-outD6) + 1
	p.Event.Sum += face
	p.Event.Left--
	tellDie(w, "R14.7", face)
}

// cardsToLose and cardLost are C10.
func (g *game) cardsToLose(p *Position) CardSet { return p.Hand[g.discarding(p)] }

func (g *game) cardLost(p *Position, w *flow.Witness, a engine.Action) {
	p.Event.Left--
	g.loseCard(p, w, g.discarding(p), CardID(a-outDiscard)+1)
}
