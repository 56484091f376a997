package insurgency

import (
	"math/bits"

	"powderkeg/engine"
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
	do   func(b Board, in *step) bool
}{
	opSelect:   {"select", Board.spaceStep},
	opPlace:    {"place", Board.spaceStep},
	opRemove:   {"remove", Board.spaceStep},
	opConvert:  {"convert", Board.spaceStep},
	opShift:    {"shift", Board.spaceStep},
	opTest:     {"test", Board.spaceStep},
	opUnrest:   {"unrest", Board.spaceStep},
	opMoney:    {"money", Board.moneyStep},
	opStep:     {"sm_move", Board.markerStep},
	opNews:     {"news", Board.newsStep},
	opHQ:       {"hq", Board.hqStep},
	opFlip:     {"flip", Board.spaceStep},
	opInspect:  {"inspect_hand", Board.inspectStep},
	opDiscard:  {"discard_random", Board.discardStep},
	opReserve:  {"reserve", Board.reserveStep},
	opFree:     {"free_op", Board.grantStep},
	opFreeHack: {"free_hack", Board.grantStep},
	opMomentum: {"momentum", Board.spaceStep},
	opCancel:   {"cancel_momentum", Board.cancelStep},
	opRelocate: {"relocate", Board.relocateStep},
	opChoice:   {"choice", Board.choiceStep},
	opIf:       {"if", Board.ifStep},
	opJump:     {"jump", Board.jumpStep},
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
func (b Board) resolve() bool {
	in := b.instruction(&b.Event)
	if in == nil {
		b.Event = idleEvent
		return false
	}
	return effects[in.Op].do(b, in)
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
func (b Board) choiceStep(in *step) bool {
	b.decide(AskOption, in.side.of(b.Event.Owner))
	for k := range in.options {
		b.allow(ActOption + engine.Action(k))
	}
	return true
}

// ifStep goes on, or to the else part if none of the spaces matches the filter.
func (b Board) ifStep(in *step) bool {
	f := &b.Event
	set := in.Cond.ids
	if in.Cond.Ref != 0 {
		set = f.kept(in.Cond.Ref)
	}
	if b.matching(&in.Cond.Filter)&set != 0 {
		f.advance()
	} else {
		f.goTo(in.jump)
	}
	return false
}

func (b Board) jumpStep(in *step) bool {
	b.Event.goTo(in.jump)
	return false
}

// newsStep changes the stories.
func (b Board) newsStep(in *step) bool {
	b.Event.advance()
	b.startNews(in.Do, in.side.of(b.Event.Owner), uint8(in.N.n), in.Optional)
	return false
}

// inspectStep shows a hand (R19.2).
func (b Board) inspectStep(in *step) bool {
	b.Event.advance()
	b.inspect("R14.1", in.side.of(b.Event.Owner))
	return false
}

// reserveStep sets or adds reserves.
func (b Board) reserveStep(in *step) bool {
	b.Event.advance()
	side := in.side.of(b.Event.Owner)
	if in.Set != nil {
		b.setReserves("R14.1", side, *in.Set)
	} else {
		b.setReserves("R14.1", side, b.Reserves[side]+*in.Add)
	}
	return false
}

// grantStep begins an operation that the event grants, if it has a target (R14.4).
func (b Board) grantStep(in *step) bool {
	f := &b.Event
	f.advance()
	op := f.granted(in)
	if b.hasTarget(&op) {
		b.Op = op
		b.tell(operationBegun, "R14.4", op.Side, op.Kind, op.Ops, op.Terms.Free)
	} else if b.w != nil {
		b.tell(targetMissing, "R14.4", op.Side, op.Kind)
	}
	return false
}

// hqStep changes the markers of an HQ: what is cleared goes before what is placed.
func (b Board) hqStep(in *step) bool {
	b.Event.advance()
	side := in.side.of(b.Event.Owner)
	b.setHQ("R14.1", side, in.Hacked.mark(b.Hacked[side], b.box.maxHacked), in.Shield.mark(b.Shields[side], b.box.maxShields))
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
func (b Board) moneyStep(in *step) bool {
	f, a := &b.Event, &in.Amount
	if a.Dice > 0 {
		if f.Stage == stageBegin {
			f.Stage, f.Left = stageEffect, uint8(a.Dice)
		}
		if f.Left > 0 {
			return b.wait(chanceEvent)
		}
	}
	n := a.fixed + f.Sum + a.Plus
	switch {
	case a.Count != nil:
		n = min(a.Mult*uint8(b.matching(a.Count).Count()), a.Max)
	case a.CountRef != 0:
		n = a.Mult * uint8(f.kept(a.CountRef).Count())
	case a.Stored != "":
		n = f.Stored / a.Div
	}
	side := in.side.of(f.Owner)
	if in.Sign == "-" {
		n = b.lose("R14.1", side, n)
	} else {
		n = b.gain("R14.1", side, n)
	}
	f.advance()
	if in.Store != "" {
		f.Stored = n
	}
	return false
}

// markerStep moves the Social Media marker, step by step (D23).
func (b Board) markerStep(in *step) bool {
	f := &b.Event
	if f.Stage == stageBegin {
		f.Stage, f.Left = stageEffect, in.most()
	}
	if f.Left == 0 {
		f.advance()
		return false
	}
	return b.askForStep(in.side.of(f.Owner))
}

// discardStep implements C10 and R14.7: random cards of a hand are discarded. The
// only card of a hand is no chance event.
func (b Board) discardStep(in *step) bool {
	f := &b.Event
	side := in.side.of(f.Owner)
	if f.Stage == stageBegin {
		f.Stage, f.Left = stageEffect, in.most()
	}
	switch {
	case f.Left == 0 || b.HandSize[side] == 0:
		f.advance()
		return false
	case b.HandSize[side] == 1:
		f.Left--
		b.loseCard(side, b.Hand[side].First())
		return false
	}
	return b.wait(chanceDiscard)
}

// discarding returns whose hand loses a random card.
func (b Board) discarding() Side {
	return b.instruction(&b.Event).side.of(b.Event.Owner)
}

// cancelStep implements D36: events in play are ended, chosen by their cards.
func (b Board) cancelStep(in *step) bool {
	f := &b.Event
	if f.Stage == stageBegin {
		f.Stage, f.Left = stageEffect, in.most()
	}
	keys := b.Momentum & in.keys
	if f.Left == 0 || keys == 0 {
		f.advance()
		return false
	}
	b.decide(AskMomentum, in.side.of(f.Owner))
	b.allow(ActDone)
	for ; keys != 0; keys &= keys - 1 {
		b.allow(ActCard + engine.Action(b.box.momentum[bits.TrailingZeros32(uint32(keys))].card) - 1)
	}
	return true
}

// chooseOption carries out D33.
func (b Board) chooseOption(a engine.Action) {
	b.Event.goTo(b.instruction(&b.Event).options[a-ActOption].at)
}

// chooseMomentum carries out D36.
func (b Board) chooseMomentum(a engine.Action) {
	if a == ActDone {
		b.Event.Left = 0
		return
	}
	b.Event.Left--
	for k := range numMomentum {
		if b.has(k) && b.box.momentum[k].card == CardID(a-ActCard)+1 {
			b.endMomentum(k)
		}
	}
}

// eventRolled carries out C9.
func (b Board) eventRolled(a engine.Action) {
	face := uint8(a-outD6) + 1
	b.Event.Sum += face
	b.Event.Left--
	b.tell(dieRolled, "R14.7", face)
}

// cardsToLose and cardLost are C10.
func (b Board) cardsToLose() CardSet { return b.Hand[b.discarding()] }

func (b Board) cardLost(a engine.Action) {
	b.Event.Left--
	b.loseCard(b.discarding(), CardID(a-outDiscard)+1)
}
