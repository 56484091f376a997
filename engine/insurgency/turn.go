package insurgency

import (
	"math/bits"

	"powderkeg/engine"
)

// nextPair implements R6.2 (Q1): the other side plays two cards; a side with one
// card left plays that, and a side with none is skipped. When both hands are empty
// the Administration Phase follows (R6.1).
func (b Board) nextPair() {
	b.Side = 1 - b.Side
	if b.HandSize[b.Side] == 0 {
		b.Side = 1 - b.Side
	}
	if b.HandSize[b.Side] == 0 {
		b.Side, b.PairLeft = 0, 0
		b.Phase, b.AdminDue = administration, adminDomination
		return
	}
	b.PairLeft = min(2, b.HandSize[b.Side])
	b.tell(pairBegun, "R6.2", b.Side, b.PairLeft)
}

// action implements R6.3, R6.4 and R8: it carries the card that is being played
// one step further, or asks for the next one.
func (b Board) action() bool {
	f := &b.Card
	switch {
	case b.Removal.Asking:
		return b.askRemoval()
	case f.Number == 0:
		if b.PairLeft == 0 || b.HandSize[b.Side] == 0 {
			b.nextPair()
			return false
		}
		return b.askForCard()
	case f.Mode == noMode:
		return b.askForMode()
	case f.Operation != noOp:
		return b.askForReserves()
	}
	eventPart, opPart := f.Mode.parts()
	switch f.Part {
	case eventPart:
		f.Part++
		b.Event = newEvent(f.Number, b.eventOwner())
		if b.w != nil {
			rule := "R8.2"
			if b.isEnemyCard() {
				rule = "R8.3"
			}
			b.tell(eventGiven, rule, b.Event.Owner, f.Number)
		}
		return false
	case opPart:
		if f.Mode == modeBurn { // the mode fixes the operation (R13.3.5)
			b.startOperation(socialMedia)
			return false
		}
		return b.askForOperation()
	}
	b.endCard()
	return false
}

// parts implements R8.2, R8.3 and R8.4: at which place event and operation come in
// a mode; 2 is never.
func (m mode) parts() (event, op uint8) {
	switch m {
	case modeEvent:
		return 0, 2
	case modeOpsEvent:
		return 1, 0
	case modeEventOps:
		return 0, 1
	}
	return 2, 0 // ops, burn
}

// eventOwner implements R8.2 and R8.3: who gets the event of the running card.
func (b Board) eventOwner() Side {
	if side := b.box.programs[b.Card.Number].side; side != nobody {
		return side
	}
	return b.Side
}

// isEnemyCard tells whether the running card belongs to the other side.
func (b Board) isEnemyCard() bool { return b.box.programs[b.Card.Number].side == 1-b.Side }

// endCard implements R6.2: the pair goes on or ends.
func (b Board) endCard() {
	b.Card, b.Removal = idleCard, idleRemoval
	b.PairLeft--
}

// askForCard implements D1 (R6.4: there is no passing).
func (b Board) askForCard() bool {
	b.decide(AskCard, b.Side)
	hand := b.Hand[b.Side]
	b.Words[0], b.Words[1] = hand[0], hand[1]
	if b.removal && b.pieces(b.Side) >= 2 && b.removable(true) != 0 {
		b.allow(ActRemove)
	}
	return true
}

// removable implements D39 (R3.5, R7.2): spaces with own pieces, not below the
// last removal. A closed space cannot be chosen (R4.3, Q22). With one it stops at the first
// one found.
func (b Board) removable(one bool) SpaceSet {
	var found SpaceSet
	for set := b.inPlay().from(b.Removal.LastSpace); set != 0; set &= set - 1 {
		if i := set.First(); b.removableAt(i) != 0 {
			if found |= 1 << i; one {
				return found
			}
		}
	}
	return found
}

// ownPiece is a kind of piece that a side takes off the map.
type ownPiece uint8

// Kinds of piece in a voluntary removal, in the order of the vocabulary.
const (
	removeAgent ownPiece = iota
	removeSleeper
	removeActive
	removeBasePiece
)

// removableAt implements D40: the kinds of own piece in a space, in the space of
// the last removal not below its kind. Bit k stands for kind k.
func (p *Position) removableAt(i SpaceID) uint8 {
	s, kinds := &p.Spaces[i], uint8(0)
	if p.Side == federal {
		kinds = flag(s.Agents > 0)<<removeAgent | flag(s.FederalBases > 0)<<removeBasePiece
	} else {
		kinds = flag(s.Sleepers > 0)<<removeSleeper | flag(s.Active > 0)<<removeActive | flag(s.RebelBases > 0)<<removeBasePiece
	}
	if i == p.Removal.LastSpace {
		kinds = kinds >> p.Removal.LastPiece << p.Removal.LastPiece
	}
	return kinds
}

// askRemoval implements D39 and D40.
func (b Board) askRemoval() bool {
	f := &b.Removal
	if f.From == noSpace {
		b.decide(AskRemoveSpace, b.Side)
		b.allowSpaces(b.removable(false))
		return true
	}
	kinds := b.removableAt(f.From)
	if kinds&(kinds-1) == 0 { // one kind only: not asked
		b.removeOwn(ownPiece(bits.TrailingZeros8(kinds)))
		return false
	}
	b.decide(AskRemovePiece, b.Side)
	b.Choices().AddBits(ActPiece, uint64(kinds))
	return true
}

// removeOwn implements R3.5 (Q29): a side takes a piece of its own off the map.
func (b Board) removeOwn(piece ownPiece) {
	f := &b.Removal
	i := f.From
	before := b.piecesAt(i)
	switch piece {
	case removeAgent:
		b.removeAgents(i, 1)
	case removeSleeper:
		b.Spaces[i].Sleepers--
		b.OnMap[militia]--
	case removeActive:
		b.Spaces[i].Active--
		b.OnMap[militia]--
	default:
		b.removeBase(b.Side, i)
	}
	b.tellPieces("R3.5", i, before)
	f.LastSpace, f.LastPiece = i, piece
	f.Asking, f.From = false, noSpace
}

// askForMode implements D2 (R8.2, R8.3, R13.3.5, Q3). An event may be taken even if it does
// nothing (R8.6).
func (b Board) askForMode() bool {
	b.decide(AskMode, b.Side)
	if !b.isEnemyCard() {
		b.allow(ActMode)
		b.allow(ActMode + 1)
		return true
	}
	b.allow(ActMode + 2)
	b.allow(ActMode + 3)
	if !b.SocialUsed[b.Side] && b.box.Allows(SocialMedia, int(b.cardOps()), b.Momentum) {
		b.allow(ActMode + 4)
	}
	return true
}

// askForOperation implements D3. If the enemy had its event first, what is possible is seen
// after that; Reserves always is (Q38).
func (b Board) askForOperation() bool {
	b.decide(AskOperation, b.Side)
	ops := b.reachableOps()
	for k := range numOps {
		if b.canOperate(k, ops) {
			b.allow(ActOp + engine.Action(k))
		}
	}
	return true
}

// cardOps returns the Ops printed on the running card.
func (b Board) cardOps() uint8 { return b.box.programs[b.Card.Number].ops }

// reachableOps implements R8.5: the card's Ops with all reserves that could be added.
func (b Board) reachableOps() uint8 {
	return min(maxOps, b.cardOps()+b.Reserves[b.Side])
}

// canOperate implements R7.1: the preconditions of D3.
func (b Board) canOperate(k opKind, ops uint8) bool {
	side, money := b.Side, b.Resources[b.Side]
	if opSides[k] != eitherSide && opSides[k] != opSide(side) {
		return false
	}
	switch k {
	case fundraise, reservesOp:
		return true
	case recruit, unrestOp:
		return money >= 1
	case socialMedia:
		return b.box.Allows(int(k), int(ops), b.Momentum) && (!b.isEnemyCard() || b.SocialUsed[side])
	case hack:
		return b.box.Allows(int(k), int(ops), b.Momentum)
	}
	f := newOperation(k, side, ops)
	return b.hasTarget(&f)
}

// startOperation goes on from D3: where reserves may be added that is asked next.
// Social Media uses up the right of the round (R13.3.5).
func (b Board) startOperation(k opKind) {
	b.Card.Part++
	if k == socialMedia && !b.SocialUsed[b.Side] {
		b.SocialUsed[b.Side] = true
		b.tell(socialMediaUsed, "R13.3.5", b.Side)
	}
	if b.Reserves[b.Side] == 0 || k == reservesOp {
		b.beginOperation(k, b.cardOps())
		return
	}
	b.Card.Operation = k
}

// askForReserves implements D4 (R8.5): as many reserve points as keep the Ops at
// three, and at least what the operation needs.
func (b Board) askForReserves() bool {
	b.decide(AskReserves, b.Side)
	printed := b.cardOps()
	for n := uint8(0); n <= b.Reserves[b.Side] && printed+n <= maxOps; n++ {
		if b.canOperate(b.Card.Operation, printed+n) {
			b.allow(ActAmount + engine.Action(n))
		}
	}
	return true
}

// chooseCard carries out D1.
func (b Board) chooseCard(a engine.Action) {
	if a == ActRemove {
		b.Removal.Asking = true
		return
	}
	b.playCard(CardID(a-ActCard) + 1)
}

// chooseMode carries out D2.
func (b Board) chooseMode(a engine.Action) {
	b.Card.Mode = modeEvent + mode(a-ActMode)
}

// chooseOperation carries out D3.
func (b Board) chooseOperation(a engine.Action) {
	b.startOperation(opKind(a - ActOp))
}

// chooseReserves carries out D4.
func (b Board) chooseReserves(a engine.Action) {
	n, k := uint8(a-ActAmount), b.Card.Operation
	if n > 0 {
		b.setReserves("R8.5", b.Side, b.Reserves[b.Side]-n)
	}
	b.Card.Operation = noOp
	b.beginOperation(k, b.cardOps()+n)
}

// chooseRemoval carries out D39.
func (b Board) chooseRemoval(a engine.Action) {
	b.Removal.From = SpaceID(a - ActSpace)
}

// choosePiece carries out D40.
func (b Board) choosePiece(a engine.Action) {
	b.removeOwn(ownPiece(a - ActPiece))
}

// playCard implements R19.5, R8.7 and R-07: the card is public from now on and lies with
// the discards; what stays in play of it is tracked apart.
func (p *Position) playCard(n CardID) {
	p.dropCard(p.Side, n)
	p.Card, p.Removal = idleCard, idleRemoval
	p.Card.Number = n
}

// dropCard moves a card from a hand to the discards. It is no longer a card of the
// hand that the other side knows (R19.2).
func (p *Position) dropCard(side Side, n CardID) {
	p.Hand[side].remove(n)
	p.Known[side].remove(n)
	p.HandSize[side]--
	p.Discards.add(n)
}

// loseCard takes a card from a hand unasked (R14.7).
func (b Board) loseCard(side Side, n CardID) {
	b.dropCard(side, n)
	b.tell(cardGone, "R14.7", side, n)
}

// beginOperation starts an operation of the side on turn.
func (b Board) beginOperation(k opKind, ops uint8) {
	b.Op = newOperation(k, b.Side, ops)
	b.tell(operationBegun, "R8.5", b.Op.Side, b.Op.Kind, b.Op.Ops, b.Op.Terms.Free)
}
