package insurgency

import "powderkeg/engine/flow"

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
	f := &p.play
	switch {
	case f.removing:
		return g.askRemoval(p, w)
	case f.card == 0:
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
		p.event = eventFrame{card: f.card, owner: g.eventOwner(p)}
		if w != nil {
			rule := "R8.2"
			if g.isEnemyCard(p) {
				rule = "R8.3"
			}
			w.All("event", rule, bySeat("side", p.event.owner), flow.Arg("card", int(f.card)))
		}
		return false
	case opPart:
		if f.mode == modeBurn { // the mode fixes the operation (R13.3.5)
			g.chooseOperation(p, w, socialMedia)
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
	if side := g.box.programs[p.play.card].side; side != nobody {
		return side
	}
	return p.side
}

// isEnemyCard tells whether the running card belongs to the other side.
func (g *game) isEnemyCard(p *position) bool { return g.box.programs[p.play.card].side == 1-p.side }

// endCard implements R6.2: the pair goes on or ends.
func (g *game) endCard(p *position) {
	p.play = idlePlay
	p.pairLeft--
}

// askForCard implements D1 (R6.4: there is no passing).
func (g *game) askForCard(p *position) bool {
	p.decide(AskCard, p.side)
	hand := p.hand[p.side]
	p.legal[0], p.legal[1] = hand[0], hand[1]
	if g.removal && p.pieces(p.side) >= 2 && g.removable(p) != 0 {
		p.legal.add(actRemove)
	}
	return true
}

// removable implements D39 (R3.5, R7.2): spaces with own pieces, not below the
// last removal. A closed space cannot be chosen (R4.3, Q22).
func (g *game) removable(p *position) spaceSet {
	f := &p.play
	set := g.inPlay(p).from(f.lastSpace) & (p.withUnits(p.side) | p.withBases(p.side))
	if set.has(f.lastSpace) && p.removableAt(f.lastSpace) == 0 {
		set &^= 1 << f.lastSpace
	}
	return set
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
	var kinds uint8
	present := [4]bool{
		removeAgent:     p.side == federal && p.agents[i] > 0,
		removeSleeper:   p.side == rebel && p.sleepers[i] > 0,
		removeActive:    p.side == rebel && p.active[i] > 0,
		removeBasePiece: p.bases(p.side, i) > 0,
	}
	for k, here := range present {
		if here && (i != p.play.lastSpace || uint8(k) >= p.play.lastPiece) {
			kinds |= 1 << k
		}
	}
	return kinds
}

// askRemoval implements D39 and D40.
func (g *game) askRemoval(p *position, w *flow.Witness) bool {
	f := &p.play
	if f.removeFrom == noSpace {
		p.decide(AskRemoveSpace, p.side)
		p.allowSpaces(g.removable(p))
		return true
	}
	kinds := p.removableAt(f.removeFrom)
	if kinds&(kinds-1) == 0 { // one kind only: not asked
		g.removeOwn(p, w, spaceSet(kinds).first())
		return false
	}
	p.decide(AskRemovePiece, p.side)
	p.legal[actPiece>>6] |= uint64(kinds) << (actPiece & 63)
	return true
}

// removeOwn implements R3.5 (Q29): a side takes a piece of its own off the map.
func (g *game) removeOwn(p *position, w *flow.Witness, piece uint8) {
	f := &p.play
	i := f.removeFrom
	before := p.piecesAt(i)
	switch piece {
	case removeAgent:
		p.removeAgents(i, 1)
	case removeSleeper:
		p.sleepers[i]--
		p.onMap[militia]--
	case removeActive:
		p.active[i]--
		p.onMap[militia]--
	default:
		p.removeBase(p.side, i)
	}
	g.tellPieces(p, w, "R3.5", i, before)
	f.lastSpace, f.lastPiece = i, piece
	f.removing, f.removeFrom = false, noSpace
}

// askForMode implements D2 (R8.2, R8.3, R13.3.5, Q3). An event may be taken even if it does
// nothing (R8.6).
func (g *game) askForMode(p *position) bool {
	p.decide(AskMode, p.side)
	if !g.isEnemyCard(p) {
		p.legal.add(actMode)
		p.legal.add(actMode + 1)
		return true
	}
	p.legal.add(actMode + 2)
	p.legal.add(actMode + 3)
	if !p.smUsed[p.side] && g.box.Allows(SocialMedia, int(g.cardOps(p)), p.momentum) {
		p.legal.add(actMode + 4)
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
			p.legal.add(actOp + uint8(k))
		}
	}
	return true
}

// cardOps returns the Ops printed on the running card.
func (g *game) cardOps(p *position) uint8 { return g.box.programs[p.play.card].ops }

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

// chooseOperation carries out D3: where reserves may be added that is asked next.
// Social Media uses up the right of the round (R13.3.5).
func (g *game) chooseOperation(p *position, w *flow.Witness, k opKind) {
	p.play.part++
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
	p.play.operation = k
}

// askForReserves implements D4 (R8.5): as many reserve points as keep the Ops at
// three, and at least what the operation needs.
func (g *game) askForReserves(p *position) bool {
	p.decide(AskReserves, p.side)
	printed := g.cardOps(p)
	for n := uint8(0); n <= p.reserves[p.side] && printed+n <= maxOps; n++ {
		if g.canOperate(p, p.play.operation, printed+n) {
			p.legal.add(actAmount + n)
		}
	}
	return true
}

// chooseCard carries out D1 to D4, D39 and D40.
func (g *game) chooseCard(p *position, w *flow.Witness, a uint8) {
	f := &p.play
	switch p.ask {
	case AskCard:
		if a == actRemove {
			f.removing = true
			return
		}
		g.playCard(p, w, a-actCard+1)
	case AskMode:
		f.mode = modeEvent + mode(a-actMode)
	case AskOperation:
		g.chooseOperation(p, w, opKind(a-actOp))
	case AskReserves:
		n := a - actAmount
		if n > 0 {
			g.setReserves(p, w, "R8.5", p.side, p.reserves[p.side]-n)
		}
		k := f.operation
		f.operation = noOp
		g.beginOperation(p, w, k, g.cardOps(p)+n)
	case AskRemoveSpace:
		f.removeFrom = a - actSpace
	case AskRemovePiece:
		g.removeOwn(p, w, a-actPiece)
	}
}

// playCard implements R19.5, R8.7 and R-07: the card is public from now on and lies with
// the discards; what stays in play of it is tracked apart.
func (g *game) playCard(p *position, w *flow.Witness, n uint8) {
	p.dropCard(p.side, n)
	p.play = idlePlay
	p.play.card = n
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
