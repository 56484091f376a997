package insurgency

import (
	"powderkeg/engine"
)

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
func newOperation(k opKind, side Side, ops uint8) OperationFrame {
	return OperationFrame{
		Kind: k, Side: side, Ops: ops, Terms: Terms{Margin: SecureMargin, Limit: noLimit, Within: everywhere},
		Net: NetOps{Kind: noKind}, Group: noGroup,
	}
}

// noGroup stands where no group is being chosen.
var noGroup = Forming{From: noSpace, To: noSpace}

// operate carries the operation one step further.
func (b Board) operate() bool {
	f := &b.Op
	switch f.Kind {
	case fundraise, recruit, unrestOp:
		return b.netOps(f)
	case moveOp:
		return b.move(f)
	case attackOp, tax, deploy, hunt, pacify:
		return b.pickAndCarry(f)
	case surge:
		return b.askOne(f, AskSurge)
	case secure:
		return b.askOne(f, AskSecure)
	case reservesOp:
		b.addReserves(f)
		return false
	case socialMedia:
		return b.playSocial(f)
	case hack:
		return b.hack(f)
	}
	panic("insurgency: an unknown operation")
}

// endOperation goes back to the card or event that the operation belongs to.
func (p *Position) endOperation() { p.Op = idleOp }

// canPay reports whether the side can pay n dollars beside what its picks or groups cost. What
// an event grants is free of every cost (R14.4).
func (p *Position) canPay(f *OperationFrame, n uint8) bool {
	return f.Terms.Free || int(f.Pick.Cost)+int(f.Move.Cost)+int(n) <= int(p.Resources[f.Side])
}

// pay takes n dollars from the side that operates.
func (b Board) pay(f *OperationFrame, rule string, n uint8) {
	if !f.Terms.Free {
		b.lose(rule, f.Side, n)
	}
}

// picks says of operations on spaces which statuses they ask for, and whose units. An
// unmarked space has no status to ask for (Q8).
var picks = [numOps]pick{
	attackOp: {marked, rebel}, surge: {1 << order, rebel}, tax: {1 << order, nobody}, deploy: {marked, nobody},
	hunt: {marked, federal}, pacify: {marked, nobody}, secure: {marked &^ (1 << order), federal},
}

// pick is what an operation on spaces asks of one.
type pick struct {
	status statusSet
	units  Side // nobody for none
}

func (c pick) fits(s *Site) bool {
	return c.status>>s.Status&1 != 0 && (c.units == nobody || c.units == federal && s.Agents > 0 || c.units == rebel && s.Sleepers+s.Active > 0)
}

// Allows reports whether an operation with so many Ops can be carried out at all while
// those events are in play: R11.6.1, Cease-Fire and Internet Blackout (R8.7).
func (b *Box) Allows(op, ops int, in MomentumSet) bool {
	switch opKind(op) {
	case attackOp, hunt:
		return !in.Has(Ceasefire)
	case surge:
		return ops >= maxOps
	case socialMedia, hack:
		return !in.Has(Blackout)
	}
	return true
}

// Admits implements the preconditions of D13 to D16 and D19 to D21: whether an operation
// that is allowed may pick space i as it is, money apart. margin is how many more agents
// than militia a Secure needs.
func (b *Box) Admits(op, ops, margin int, in MomentumSet, i int, s *Site) bool {
	if !picks[op].fits(s) {
		return false
	}
	militia := s.Sleepers + s.Active
	switch opKind(op) {
	case attackOp: // R11.5.1
		return s.Agents+s.FederalBases > 0
	case surge: // R11.6.1
		return militia >= s.Agents+SurgeMargin
	case tax: // R12.1
		return true
	case deploy: // R12.2.1
		return (s.Status == order || s.FederalBases > 0) && !s.Plague
	case hunt: // R12.4.1
		return militia+s.RebelBases > 0 && b.HuntEffects(in, i, int(s.Agents)) > 0
	case pacify: // R12.5.1
		return s.Unrest > 0 && s.Control() == Federal
	case secure: // R12.6.1; bases do not count
		return int(b.cf[s.Status]) <= ops && s.Unrest == 0 && int(s.Agents)-int(militia) >= margin
	}
	panic("insurgency: an operation without spaces to pick")
}

// Price implements R11.5.1, R11.6.1, R12.1, R12.2.1, R12.4.1, R12.5.1 and R12.6.1: the
// dollars of an operation for a space of a status.
func (b *Box) Price(op int, in MomentumSet, status int) int {
	switch opKind(op) {
	case tax:
		return 0
	case surge:
		return surgeCost
	case secure:
		return int(b.cf[status]) + secureCost
	case hunt:
		if !in.Has(FusionCenters) {
			return 1 + int(b.cf[status])
		}
	}
	return 1
}

// candidates returns the spaces that may be picked next. Every operation on spaces but
// Tax bars what cannot be paid. With one it stops at the first one found.
func (b Board) candidates(f *OperationFrame, one bool) SpaceSet {
	c, found := picks[f.Kind], SpaceSet(0)
	if !b.box.Allows(int(f.Kind), int(f.Ops), b.Momentum) || !b.canPay(f, uint8(b.box.Price(int(f.Kind), b.Momentum, Order))) {
		return 0
	}
	for set := f.Terms.Within & b.inPlay().from(f.Pick.Bound); set != 0; set &= set - 1 {
		i := set.First()
		if s := &b.Spaces[i]; c.fits(s) && b.box.Admits(int(f.Kind), int(f.Ops), int(f.Terms.Margin), b.Momentum, int(i), s) &&
			b.canPay(f, b.pickCost(f, i)) {
			if found |= 1 << i; one {
				return found
			}
		}
	}
	return found
}

// hasTarget tells whether an operation can be carried out at all (R7.1).
func (b Board) hasTarget(f *OperationFrame) bool {
	switch f.Kind {
	case moveOp:
		return b.origins(f, true) != 0
	case attackOp, surge, tax, deploy, hunt, pacify, secure:
		return b.candidates(f, true) != 0
	}
	return true
}

// mostPicks implements R12.1, R12.4.1 (Q13) and what an event narrows: how many
// spaces may be picked.
func (f *OperationFrame) mostPicks() int {
	if f.Kind == tax || f.Kind == hunt {
		return int(min(f.Ops, f.Terms.Limit))
	}
	return int(f.Terms.Limit)
}

// pickAndCarry implements R7.2 (Q45): spaces are picked in ascending order, each
// once, and paid together; then they are carried out in that order.
func (b Board) pickAndCarry(f *OperationFrame) bool {
	switch f.Stage {
	case opBegin, opPicking:
		set := b.candidates(f, false)
		if set == 0 && f.Pick.Spaces == 0 {
			b.endOperation() // granted by an event, and without a target
			return false
		}
		if f.Pick.Spaces.Count() >= f.mostPicks() {
			b.payPicks(f)
			return false
		}
		b.decide(pickAsks[f.Kind], f.Side)
		b.allowSpaces(set)
		if f.Pick.Spaces != 0 {
			b.allow(ActDone)
		}
		return true
	case opCarrying:
		if f.Pick.Todo == 0 {
			b.carried(f)
			return false
		}
		switch f.Kind {
		case attackOp:
			b.beginAttack(f)
		case tax:
			b.taxSpace(f)
		case deploy:
			return b.askForAgents(f)
		case hunt:
			b.huntSpace(f)
		case pacify:
			b.pacifySpace(f)
		}
		return false
	case rolling:
		return b.rollAttack(f)
	default:
		return b.askForSwap(f)
	}
}

// payRules are the rules by which picks are paid for.
var payRules = [numOps]string{attackOp: "R11.5.1", deploy: "R12.2.1", hunt: "R12.4.1", pacify: "R12.5.1"}

var pickAsks = [numOps]uint8{attackOp: AskAttack, tax: AskTax, deploy: AskDeploy, hunt: AskHunt, pacify: AskPacify}

// choosePick carries out D13, D15, D16, D19 and D20.
func (b Board) choosePick(a engine.Action) {
	f := &b.Op
	if a == ActDone {
		b.payPicks(f)
		return
	}
	i := SpaceID(a - ActSpace)
	f.Pick.Spaces |= 1 << i
	f.Pick.Bound = i + 1
	f.Pick.Cost += b.pickCost(f, i)
	f.Stage = opPicking
}

// pickCost returns the dollars for a pick. What an event grants is free (R14.4).
func (b Board) pickCost(f *OperationFrame, i SpaceID) uint8 {
	if f.Terms.Free {
		return 0
	}
	return uint8(b.box.Price(int(f.Kind), b.Momentum, int(b.Spaces[i].Status)))
}

// payPicks pays for all picks.
func (b Board) payPicks(f *OperationFrame) {
	b.pay(f, payRules[f.Kind], f.Pick.Cost)
	f.Pick.Cost, f.Pick.Bound = 0, 0
	f.Pick.Todo, f.Stage = f.Pick.Spaces, opCarrying
	if f.Kind == deploy && !b.deployEach {
		f.Deploy.AgentsLeft = f.Ops
	}
}

// carried ends an operation whose picks have been carried out. Deploy goes through
// them a second time (R12.2.4, Q44).
func (b Board) carried(f *OperationFrame) {
	if f.Kind == deploy {
		f.Pick.Todo, f.Stage, f.Deploy.AgentsLeft = f.Pick.Spaces, deploySwapping, 0
		return
	}
	b.endOperation()
}

// next takes the next space that is to be carried out.
func (f *OperationFrame) next() SpaceID {
	i := f.Pick.Todo.First()
	f.Pick.Todo &= f.Pick.Todo - 1
	return i
}

// askOne asks for the one space of Surge (D14) or Secure (D21).
func (b Board) askOne(f *OperationFrame, q uint8) bool {
	set := b.candidates(f, false)
	if set == 0 {
		b.endOperation()
		return false
	}
	b.decide(q, f.Side)
	b.allowSpaces(set)
	return true
}
