package insurgency

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// nextPair implements R6.2 (Q1): the other side plays two cards; a side with one
// card left plays that, and a side with none is skipped. When both hands are empty
// the Administration Phase follows (R6.1).
func (g *game) nextPair(p *Position, w *flow.Witness) {
	p.Side = 1 - p.Side
	if p.HandSize[p.Side] == 0 {
		p.Side = 1 - p.Side
	}
	if p.HandSize[p.Side] == 0 {
		p.Side, p.PairLeft = 0, 0
		p.Phase, p.AdminDue = administration, adminDomination
		return
	}
	p.PairLeft = min(2, p.HandSize[p.Side])
	if w != nil {
		w.All("pair", "R6.2", bySeat("side", p.Side), flow.Arg("cards_left_in_pair", int(p.PairLeft)))
	}
}

// action implements R6.3, R6.4 and R8: it carries the card that is being played
// one step further, or asks for the next one.
func (g *game) action(p *Position, w *flow.Witness) bool {
	f := &p.Card
	switch {
	case p.Removal.Asking:
		return g.askRemoval(p, w)
	case f.Number == 0:
		if p.PairLeft == 0 || p.HandSize[p.Side] == 0 {
			g.nextPair(p, w)
			return false
		}
		return g.askForCard(p)
	case f.Mode == noMode:
		return g.askForMode(p)
	case f.Operation != noOp:
		return g.askForReserves(p)
	}
	eventPart, opPart := f.Mode.parts()
	switch f.Part {
	case eventPart:
		f.Part++
		p.Event = newEvent(f.Number, g.eventOwner(p))
		if w != nil {
			rule := "R8.2"
			if g.isEnemyCard(p) {
				rule = "R8.3"
			}
			w.All("event", rule, bySeat("side", p.Event.Owner), flow.Arg("card", int(f.Number)))
		}
		return false
	case opPart:
		if f.Mode == modeBurn { // the mode fixes the operation (R13.3.5)
			g.startOperation(p, w, socialMedia)
			return false
		}
		return g.askForOperation(p)
	}
	g.endCard(p)
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
func (g *game) eventOwner(p *Position) Side {
	if side := g.box.programs[p.Card.Number].side; side != nobody {
		return side
	}
	return p.Side
}

// isEnemyCard tells whether the running card belongs to the other side.
func (g *game) isEnemyCard(p *Position) bool { return g.box.programs[p.Card.Number].side == 1-p.Side }

// endCard implements R6.2: the pair goes on or ends.
func (g *game) endCard(p *Position) {
	p.Card, p.Removal = idleCard, idleRemoval
	p.PairLeft--
}

// askForCard implements D1 (R6.4: there is no passing).
func (g *game) askForCard(p *Position) bool {
	p.decide(AskCard, p.Side)
	hand := p.Hand[p.Side]
	p.Words[0], p.Words[1] = hand[0], hand[1]
	if g.removal && p.pieces(p.Side) >= 2 && g.removable(p, true) != 0 {
		p.allow(ActRemove)
	}
	return true
}

// removable implements D39 (R3.5, R7.2): spaces with own pieces, not below the
// last removal. A closed space cannot be chosen (R4.3, Q22). With one it stops at the first
// one found.
func (g *game) removable(p *Position, one bool) SpaceSet {
	var found SpaceSet
	for set := g.inPlay(p).from(p.Removal.LastSpace); set != 0; set &= set - 1 {
		if i := set.First(); p.removableAt(i) != 0 {
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
func (g *game) askRemoval(p *Position, w *flow.Witness) bool {
	f := &p.Removal
	if f.From == noSpace {
		p.decide(AskRemoveSpace, p.Side)
		p.allowSpaces(g.removable(p, false))
		return true
	}
	kinds := p.removableAt(f.From)
	if kinds&(kinds-1) == 0 { // one kind only: not asked
		g.removeOwn(p, w, ownPiece(bits.TrailingZeros8(kinds)))
		return false
	}
	p.decide(AskRemovePiece, p.Side)
	p.Choices().AddBits(ActPiece, uint64(kinds))
	return true
}

// removeOwn implements R3.5 (Q29): a side takes a piece of its own off the map.
func (g *game) removeOwn(p *Position, w *flow.Witness, piece ownPiece) {
	f := &p.Removal
	i := f.From
	before := p.piecesAt(i)
	switch piece {
	case removeAgent:
		p.removeAgents(i, 1)
	case removeSleeper:
		p.Spaces[i].Sleepers--
		p.OnMap[militia]--
	case removeActive:
		p.Spaces[i].Active--
		p.OnMap[militia]--
	default:
		p.removeBase(p.Side, i)
	}
	g.tellPieces(p, w, "R3.5", i, before)
	f.LastSpace, f.LastPiece = i, piece
	f.Asking, f.From = false, noSpace
}

// askForMode implements D2 (R8.2, R8.3, R13.3.5, Q3). An event may be taken even if it does
// nothing (R8.6).
func (g *game) askForMode(p *Position) bool {
	p.decide(AskMode, p.Side)
	if !g.isEnemyCard(p) {
		p.allow(ActMode)
		p.allow(ActMode + 1)
		return true
	}
	p.allow(ActMode + 2)
	p.allow(ActMode + 3)
	if !p.SocialUsed[p.Side] && g.box.Allows(SocialMedia, int(g.cardOps(p)), p.Momentum) {
		p.allow(ActMode + 4)
	}
	return true
}

// askForOperation implements D3. If the enemy had its event first, what is possible is seen
// after that; Reserves always is (Q38).
func (g *game) askForOperation(p *Position) bool {
	p.decide(AskOperation, p.Side)
	ops := g.reachableOps(p)
	for k := range numOps {
		if g.canOperate(p, k, ops) {
			p.allow(ActOp + engine.Action(k))
		}
	}
	return true
}

// cardOps returns the Ops printed on the running card.
func (g *game) cardOps(p *Position) uint8 { return g.box.programs[p.Card.Number].ops }

// reachableOps implements R8.5: the card's Ops with all reserves that could be added.
func (g *game) reachableOps(p *Position) uint8 {
	return min(maxOps, g.cardOps(p)+p.Reserves[p.Side])
}

// canOperate implements R7.1: the preconditions of D3.
func (g *game) canOperate(p *Position, k opKind, ops uint8) bool {
	side, money := p.Side, p.Resources[p.Side]
	if opSides[k] != eitherSide && opSides[k] != opSide(side) {
		return false
	}
	switch k {
	case fundraise, reservesOp:
		return true
	case recruit, unrestOp:
		return money >= 1
	case socialMedia:
		return g.box.Allows(int(k), int(ops), p.Momentum) && (!g.isEnemyCard(p) || p.SocialUsed[side])
	case hack:
		return g.box.Allows(int(k), int(ops), p.Momentum)
	}
	f := newOperation(k, side, ops)
	return g.hasTarget(p, &f)
}

// startOperation goes on from D3: where reserves may be added that is asked next.
// Social Media uses up the right of the round (R13.3.5).
func (g *game) startOperation(p *Position, w *flow.Witness, k opKind) {
	p.Card.Part++
	if k == socialMedia && !p.SocialUsed[p.Side] {
		p.SocialUsed[p.Side] = true
		if w != nil {
			w.All("social_media_used", "R13.3.5", bySeat("side", p.Side))
		}
	}
	if p.Reserves[p.Side] == 0 || k == reservesOp {
		g.beginOperation(p, w, k, g.cardOps(p))
		return
	}
	p.Card.Operation = k
}

// askForReserves implements D4 (R8.5): as many reserve points as keep the Ops at
// three, and at least what the operation needs.
func (g *game) askForReserves(p *Position) bool {
	p.decide(AskReserves, p.Side)
	printed := g.cardOps(p)
	for n := uint8(0); n <= p.Reserves[p.Side] && printed+n <= maxOps; n++ {
		if g.canOperate(p, p.Card.Operation, printed+n) {
			p.allow(ActAmount + engine.Action(n))
		}
	}
	return true
}

// chooseCard carries out D1.
func (g *game) chooseCard(p *Position, _ *flow.Witness, a engine.Action) {
	if a == ActRemove {
		p.Removal.Asking = true
		return
	}
	p.playCard(CardID(a-ActCard) + 1)
}

// chooseMode carries out D2.
func (g *game) chooseMode(p *Position, _ *flow.Witness, a engine.Action) {
	p.Card.Mode = modeEvent + mode(a-ActMode)
}

// chooseOperation carries out D3.
func (g *game) chooseOperation(p *Position, w *flow.Witness, a engine.Action) {
	g.startOperation(p, w, opKind(a-ActOp))
}

// chooseReserves carries out D4.
func (g *game) chooseReserves(p *Position, w *flow.Witness, a engine.Action) {
	n, k := uint8(a-ActAmount), p.Card.Operation
	if n > 0 {
		g.setReserves(p, w, "R8.5", p.Side, p.Reserves[p.Side]-n)
	}
	p.Card.Operation = noOp
	g.beginOperation(p, w, k, g.cardOps(p)+n)
}

// chooseRemoval carries out D39.
func (g *game) chooseRemoval(p *Position, _ *flow.Witness, a engine.Action) {
	p.Removal.From = SpaceID(a - ActSpace)
}

// choosePiece carries out D40.
func (g *game) choosePiece(p *Position, w *flow.Witness, a engine.Action) {
	g.removeOwn(p, w, ownPiece(a-ActPiece))
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
func (g *game) loseCard(p *Position, w *flow.Witness, side Side, n CardID) {
	p.dropCard(side, n)
	if w != nil {
		w.All("lost", "R14.7", bySeat("side", side), flow.Arg("card", int(n)))
	}
}

// beginOperation starts an operation of the side on turn.
func (g *game) beginOperation(p *Position, w *flow.Witness, k opKind, ops uint8) {
	p.Op = newOperation(k, p.Side, ops)
	g.tellOperation(w, "R8.5", &p.Op)
}
