package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// nextPair implements R6.2 (Q1): the other side plays two cards; a side with one
// card left plays that, and a side with none is skipped. When both hands are empty
// the Administration Phase follows (R6.1).
func (g *game) nextPair(p *position, w *flow.Witness) {
	p.side = 1 - p.side
	if p.handSize[p.side] == 0 {
		p.side = 1 - p.side
	}
	if p.handSize[p.side] == 0 {
		p.side, p.pairLeft = 0, 0
		p.phase, p.adminDue = administration, adminDomination
		return
	}
	p.pairLeft = min(2, p.handSize[p.side])
	if w != nil {
		w.All("pair", "R6.2", bySeat("side", p.side), flow.Arg("cards_left_in_pair", int(p.pairLeft)))
	}
}

// action implements R6.3, R6.4 and R8: it carries the card that is being played
// one step further, or asks for the next one.
func (g *game) action(p *position, w *flow.Witness) bool {
	f := &p.card
	switch {
	case p.removal.asking:
		return g.askRemoval(p, w)
	case f.number == 0:
		if p.pairLeft == 0 || p.handSize[p.side] == 0 {
			g.nextPair(p, w)
			return false
		}
		return g.askForCard(p)
	case f.mode == noMode:
		return g.askForMode(p)
	case f.operation != noOp:
		return g.askForReserves(p)
	}
	eventPart, opPart := f.mode.parts()
	switch f.part {
	case eventPart:
		f.part++
		p.event = eventFrame{card: f.number, owner: g.eventOwner(p), from: noSpace, to: noSpace}
		if w != nil {
			rule := "R8.2"
			if g.isEnemyCard(p) {
				rule = "R8.3"
			}
			w.All("event", rule, bySeat("side", p.event.owner), flow.Arg("card", int(f.number)))
		}
		return false
	case opPart:
		if f.mode == modeBurn { // the mode fixes the operation (R13.3.5)
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
func (g *game) eventOwner(p *position) uint8 {
	if side := g.box.programs[p.card.number].side; side != nobody {
		return side
	}
	return p.side
}

// isEnemyCard tells whether the running card belongs to the other side.
func (g *game) isEnemyCard(p *position) bool { return g.box.programs[p.card.number].side == 1-p.side }

// endCard implements R6.2: the pair goes on or ends.
func (g *game) endCard(p *position) {
	p.card, p.removal = idleCard, idleRemoval
	p.pairLeft--
}

// askForCard implements D1 (R6.4: there is no passing).
func (g *game) askForCard(p *position) bool {
	p.decide(AskCard, p.side)
	hand := p.hand[p.side]
	p.Words[0], p.Words[1] = hand[0], hand[1]
	if g.removal && p.pieces(p.side) >= 2 && g.removable(p, true) != 0 {
		p.allow(actRemove)
	}
	return true
}

// removable implements D39 (R3.5, R7.2): spaces with own pieces, not below the
// last removal. A closed space cannot be chosen (R4.3, Q22). With one it stops at the first
// one found.
func (g *game) removable(p *position, one bool) spaceSet {
	var found spaceSet
	for set := g.inPlay(p).from(p.removal.lastSpace); set != 0; set &= set - 1 {
		if i := set.first(); p.removableAt(i) != 0 {
			if found |= 1 << i; one {
				return found
			}
		}
	}
	return found
}

// Kinds of piece in a voluntary removal, in the order of the vocabulary.
const (
	removeAgent uint8 = iota
	removeSleeper
	removeActive
	removeBasePiece
)

// removableAt implements D40: the kinds of own piece in a space, in the space of
// the last removal not below its kind. Bit k stands for kind k.
func (p *position) removableAt(i uint8) uint8 {
	s, kinds := &p.spaces[i], uint8(0)
	if p.side == federal {
		kinds = flag(s.Agents > 0)<<removeAgent | flag(s.FederalBases > 0)<<removeBasePiece
	} else {
		kinds = flag(s.Sleepers > 0)<<removeSleeper | flag(s.Active > 0)<<removeActive | flag(s.RebelBases > 0)<<removeBasePiece
	}
	if i == p.removal.lastSpace {
		kinds = kinds >> p.removal.lastPiece << p.removal.lastPiece
	}
	return kinds
}

// askRemoval implements D39 and D40.
func (g *game) askRemoval(p *position, w *flow.Witness) bool {
	f := &p.removal
	if f.from == noSpace {
		p.decide(AskRemoveSpace, p.side)
		p.allowSpaces(g.removable(p, false))
		return true
	}
	kinds := p.removableAt(f.from)
	if kinds&(kinds-1) == 0 { // one kind only: not asked
		g.removeOwn(p, w, spaceSet(kinds).first())
		return false
	}
	p.decide(AskRemovePiece, p.side)
	p.Choices().AddBits(actPiece, uint64(kinds))
	return true
}

// removeOwn implements R3.5 (Q29): a side takes a piece of its own off the map.
func (g *game) removeOwn(p *position, w *flow.Witness, piece uint8) {
	f := &p.removal
	i := f.from
	before := p.piecesAt(i)
	switch piece {
	case removeAgent:
		p.removeAgents(i, 1)
	case removeSleeper:
		p.spaces[i].Sleepers--
		p.onMap[militia]--
	case removeActive:
		p.spaces[i].Active--
		p.onMap[militia]--
	default:
		p.removeBase(p.side, i)
	}
	g.tellPieces(p, w, "R3.5", i, before)
	f.lastSpace, f.lastPiece = i, piece
	f.asking, f.from = false, noSpace
}

// askForMode implements D2 (R8.2, R8.3, R13.3.5, Q3). An event may be taken even if it does
// nothing (R8.6).
func (g *game) askForMode(p *position) bool {
	p.decide(AskMode, p.side)
	if !g.isEnemyCard(p) {
		p.allow(actMode)
		p.allow(actMode + 1)
		return true
	}
	p.allow(actMode + 2)
	p.allow(actMode + 3)
	if !p.smUsed[p.side] && g.box.Allows(SocialMedia, int(g.cardOps(p)), p.momentum) {
		p.allow(actMode + 4)
	}
	return true
}

// askForOperation implements D3. If the enemy had its event first, what is possible is seen
// after that; Reserves always is (Q38).
func (g *game) askForOperation(p *position) bool {
	p.decide(AskOperation, p.side)
	ops := g.reachableOps(p)
	for k := range numOps {
		if g.canOperate(p, k, ops) {
			p.allow(actOp + engine.Action(k))
		}
	}
	return true
}

// cardOps returns the Ops printed on the running card.
func (g *game) cardOps(p *position) uint8 { return g.box.programs[p.card.number].ops }

// reachableOps implements R8.5: the card's Ops with all reserves that could be added.
func (g *game) reachableOps(p *position) uint8 {
	return min(maxOps, g.cardOps(p)+p.reserves[p.side])
}

// canOperate implements R7.1: the preconditions of D3.
func (g *game) canOperate(p *position, k opKind, ops uint8) bool {
	side, money := p.side, p.resources[p.side]
	if opSides[k] != eitherSide && opSides[k] != opSide(side) {
		return false
	}
	switch k {
	case fundraise, reservesOp:
		return true
	case recruit, unrestOp:
		return money >= 1
	case socialMedia:
		return g.box.Allows(int(k), int(ops), p.momentum) && (!g.isEnemyCard(p) || p.smUsed[side])
	case hack:
		return g.box.Allows(int(k), int(ops), p.momentum)
	}
	f := newOperation(k, side, ops)
	return g.hasTarget(p, &f)
}

// startOperation goes on from D3: where reserves may be added that is asked next.
// Social Media uses up the right of the round (R13.3.5).
func (g *game) startOperation(p *position, w *flow.Witness, k opKind) {
	p.card.part++
	if k == socialMedia && !p.smUsed[p.side] {
		p.smUsed[p.side] = true
		if w != nil {
			w.All("social_media_used", "R13.3.5", bySeat("side", p.side))
		}
	}
	if p.reserves[p.side] == 0 || k == reservesOp {
		g.beginOperation(p, w, k, g.cardOps(p))
		return
	}
	p.card.operation = k
}

// askForReserves implements D4 (R8.5): as many reserve points as keep the Ops at
// three, and at least what the operation needs.
func (g *game) askForReserves(p *position) bool {
	p.decide(AskReserves, p.side)
	printed := g.cardOps(p)
	for n := uint8(0); n <= p.reserves[p.side] && printed+n <= maxOps; n++ {
		if g.canOperate(p, p.card.operation, printed+n) {
			p.allow(actAmount + engine.Action(n))
		}
	}
	return true
}

// chooseCard carries out D1.
func (g *game) chooseCard(p *position, _ *flow.Witness, a engine.Action) {
	if a == actRemove {
		p.removal.asking = true
		return
	}
	p.playCard(uint8(a-actCard) + 1)
}

// chooseMode carries out D2.
func (g *game) chooseMode(p *position, _ *flow.Witness, a engine.Action) {
	p.card.mode = modeEvent + mode(a-actMode)
}

// chooseOperation carries out D3.
func (g *game) chooseOperation(p *position, w *flow.Witness, a engine.Action) {
	g.startOperation(p, w, opKind(a-actOp))
}

// chooseReserves carries out D4.
func (g *game) chooseReserves(p *position, w *flow.Witness, a engine.Action) {
	n, k := uint8(a-actAmount), p.card.operation
	if n > 0 {
		g.setReserves(p, w, "R8.5", p.side, p.reserves[p.side]-n)
	}
	p.card.operation = noOp
	g.beginOperation(p, w, k, g.cardOps(p)+n)
}

// chooseRemoval carries out D39.
func (g *game) chooseRemoval(p *position, _ *flow.Witness, a engine.Action) {
	p.removal.from = uint8(a - actSpace)
}

// choosePiece carries out D40.
func (g *game) choosePiece(p *position, w *flow.Witness, a engine.Action) {
	g.removeOwn(p, w, uint8(a-actPiece))
}

// playCard implements R19.5, R8.7 and R-07: the card is public from now on and lies with
// the discards; what stays in play of it is tracked apart.
func (p *position) playCard(n uint8) {
	p.dropCard(p.side, n)
	p.card, p.removal = idleCard, idleRemoval
	p.card.number = n
}

// dropCard moves a card from a hand to the discards. It is no longer a card of the
// hand that the other side knows (R19.2).
func (p *position) dropCard(side, n uint8) {
	p.hand[side].remove(n)
	p.known[side].remove(n)
	p.handSize[side]--
	p.discards.add(n)
}

// loseCard takes a card from a hand unasked (R14.7).
func (g *game) loseCard(p *position, w *flow.Witness, side, n uint8) {
	p.dropCard(side, n)
	if w != nil {
		w.All("lost", "R14.7", bySeat("side", side), flow.Arg("card", int(n)))
	}
}

// beginOperation starts an operation of the side on turn.
func (g *game) beginOperation(p *position, w *flow.Witness, k opKind, ops uint8) {
	p.op = newOperation(k, p.side, ops)
	g.tellOperation(w, "R8.5", &p.op)
}
