package insurgency

import "powderkeg/engine/flow"

// opStage is how far an operation has come.
type opStage uint8

const (
	opBegin opStage = iota
	opPicking
	opCarrying

	// Net Ops (R10).
	netRolling
	netChoosing
	netTesting
	netRecruiting // D7
	netRecruited  // what D7 decided is being placed
	netApplying

	// Move: D9 is opBegin.
	moveTo
	moveUnits
	moveActive
	moving

	// Attack and Theft wait for dice.
	rolling

	// Deploy: D17 is opCarrying.
	deploySwapping

	// Social Media: D23 is opBegin.
	socialAttacks
	socialPersuade
	socialDistract
	socialEnrage
	socialConvert

	hackEffect
	hackTheft
)

var opStageNames = []string{
	"begin", "picking", "carrying", "net_rolling", "net_choosing", "net_testing", "net_recruiting", "net_recruited",
	"net_applying", "move_to", "move_units", "move_active", "moving", "rolling", "deploy_swapping", "social_attacks",
	"social_persuade", "social_distract", "social_enrage", "social_convert", "hack_effect", "hack_theft",
}

// newOperation returns an operation that nothing narrows.
func newOperation(k opKind, side, ops uint8) opFrame {
	return opFrame{kind: k, side: side, ops: ops, margin: secureMargin, limit: noLimit, within: everywhere}
}

// operate carries the operation one step further.
func (g *game) operate(p *position, w *flow.Witness) bool {
	f := &p.op
	switch f.kind {
	case fundraise, recruit, unrestOp:
		return g.netOps(p, w, f)
	case moveOp:
		return g.move(p, w, f)
	case attackOp, tax, deploy, hunt, pacify:
		return g.pickAndCarry(p, w, f)
	case surge:
		return g.askOne(p, w, f, askSurge)
	case secure:
		return g.askOne(p, w, f, askSecure)
	case reservesOp:
		g.addReserves(p, w, f)
		return false
	case socialMedia:
		return g.playSocial(p, w, f)
	case hack:
		return g.hack(p, w, f)
	}
	panic("insurgency: an unknown operation")
}

// endOperation goes back to the card or event that the operation belongs to.
func (p *position) endOperation() { p.op = idleOp }

// canPay tells whether the side can pay n dollars beside what the picks cost. What an
// event grants is free of every cost (R14.4).
func (p *position) canPay(f *opFrame, n uint8) bool {
	return f.free || int(f.cost)+int(n) <= int(p.resources[f.side])
}

// pay takes n dollars from the side that operates.
func (g *game) pay(p *position, w *flow.Witness, f *opFrame, rule string, n uint8) {
	if !f.free {
		g.lose(p, w, rule, f.side, n)
	}
}

// candidates implements the preconditions of D13 to D16 and D19 to D21: the spaces
// that may be picked next. Every operation on spaces but Tax bars what cannot be
// paid; an unmarked space is no target of an operation that asks for a status (Q8).
func (g *game) candidates(p *position, f *opFrame) spaceSet {
	set := f.within & g.inPlay(p).from(f.bound)
	switch f.kind {
	case attackOp: // R11.5.1
		if p.has(ceasefire) || !p.canPay(f, 1) {
			return 0
		}
		return set & p.withUnits(rebel) & (p.withUnits(federal) | p.withBases(federal)) & p.withStatus(marked)
	case surge: // R11.6.1
		if f.ops < maxOps || !p.canPay(f, surgeCost) {
			return 0
		}
		return p.outnumbered(set&p.withStatus(1<<order)&p.withUnits(rebel), -surgeMargin)
	case tax: // R12.1
		return set & p.withStatus(1<<order)
	case deploy: // R12.2.1
		if !p.canPay(f, 1) {
			return 0
		}
		set &= p.withStatus(1<<order) | p.withBases(federal)&p.withStatus(marked)
		if p.plague != noSpace {
			set &^= 1 << p.plague
		}
		return set
	case hunt:
		return g.huntable(p, f, set)
	case pacify: // R12.5.1
		if !p.canPay(f, 1) {
			return 0
		}
		return g.pacifiable(p, set)
	case secure:
		return g.securable(p, f, set)
	}
	panic("insurgency: an operation without spaces to pick")
}

// outnumbered returns the spaces of the set in which agents less militia are at
// least margin, for a negative margin at most.
func (p *position) outnumbered(set spaceSet, margin int) spaceSet {
	for rest := set; rest != 0; rest &= rest - 1 {
		i := rest.first()
		lead := int(p.agents[i]) - int(p.militiaAt(i))
		if margin < 0 && lead > margin || margin >= 0 && lead < margin {
			set &^= 1 << i
		}
	}
	return set
}

// hasTarget tells whether an operation can be carried out at all (R7.1).
func (g *game) hasTarget(p *position, f *opFrame) bool {
	switch f.kind {
	case moveOp:
		return g.origins(p, f, true) != 0
	case attackOp, surge, tax, deploy, hunt, pacify, secure:
		return g.candidates(p, f) != 0
	}
	return true
}

// mostPicks implements R12.1, R12.4.1 (Q13) and what an event narrows: how many
// spaces may be picked.
func (f *opFrame) mostPicks() int {
	if f.kind == tax || f.kind == hunt {
		return int(min(f.ops, f.limit))
	}
	return int(f.limit)
}

// pickAndCarry implements R7.2 (Q45): spaces are picked in ascending order, each
// once, and paid together; then they are carried out in that order.
func (g *game) pickAndCarry(p *position, w *flow.Witness, f *opFrame) bool {
	switch f.stage {
	case opBegin, opPicking:
		set := g.candidates(p, f)
		if set == 0 && f.picks == 0 {
			p.endOperation() // granted by an event, and without a target
			return false
		}
		if f.picks.count() >= f.mostPicks() {
			g.payPicks(p, w, f)
			return false
		}
		p.decide(pickAsks[f.kind], f.side)
		p.allowSpaces(set)
		if f.picks != 0 {
			p.legal.add(actDone)
		}
		return true
	case opCarrying:
		if f.todo == 0 {
			g.carried(p, w, f)
			return false
		}
		switch f.kind {
		case attackOp:
			g.beginAttack(p, w, f)
		case tax:
			g.taxSpace(p, w, f)
		case deploy:
			return g.askForAgents(p, f)
		case hunt:
			g.huntSpace(p, w, f)
		case pacify:
			g.pacifySpace(p, w, f)
		}
		return false
	case rolling:
		return g.rollAttack(p, w, f)
	default:
		return g.askForSwap(p, w, f)
	}
}

// payRules are the rules by which picks are paid for.
var payRules = [numOps]string{attackOp: "R11.5.1", deploy: "R12.2.1", hunt: "R12.4.1", pacify: "R12.5.1"}

var pickAsks = [numOps]ask{attackOp: askAttack, tax: askTax, deploy: askDeploy, hunt: askHunt, pacify: askPacify}

// choosePick carries out D13, D15, D16, D19 and D20.
func (g *game) choosePick(p *position, w *flow.Witness, a uint8) {
	f := &p.op
	if a == actDone {
		g.payPicks(p, w, f)
		return
	}
	i := a - actSpace
	f.picks |= 1 << i
	f.bound = i + 1
	f.cost += g.pickCost(p, f, i)
	f.stage = opPicking
}

// pickCost implements R11.5.1, R12.1, R12.2.1, R12.4.1 and R12.5.1: dollars for a pick.
func (g *game) pickCost(p *position, f *opFrame, i uint8) uint8 {
	switch {
	case f.free || f.kind == tax:
		return 0
	case f.kind == hunt:
		return g.huntCost(p, i)
	}
	return 1
}

// payPicks pays for all picks.
func (g *game) payPicks(p *position, w *flow.Witness, f *opFrame) {
	g.pay(p, w, f, payRules[f.kind], f.cost)
	f.cost, f.bound = 0, 0
	f.todo, f.stage = f.picks, opCarrying
	if f.kind == deploy && !g.deployEach {
		f.agentsLeft = f.ops
	}
}

// carried ends an operation whose picks have been carried out. Deploy goes through
// them a second time (R12.2.4, Q44).
func (g *game) carried(p *position, w *flow.Witness, f *opFrame) {
	if f.kind == deploy {
		f.todo, f.stage, f.agentsLeft = f.picks, deploySwapping, 0
		return
	}
	p.endOperation()
}

// next takes the next space that is to be carried out.
func (f *opFrame) next() uint8 {
	i := f.todo.first()
	f.todo &= f.todo - 1
	return i
}

// askOne asks for the one space of Surge (D14) or Secure (D21).
func (g *game) askOne(p *position, w *flow.Witness, f *opFrame, q ask) bool {
	set := g.candidates(p, f)
	if set == 0 {
		p.endOperation()
		return false
	}
	p.decide(q, f.side)
	p.allowSpaces(set)
	return true
}
