package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// beginGameTurn implements R6.1, R6.1.1 and R10.1: the Turn token moves, the locks
// are lifted, and with the option, else never (Q17), the First Player token moves too.
func (g *game) beginGameTurn(p *position, w *flow.Witness) bool {
	p.turn++
	if p.turn > g.turns {
		p.phase = over
		if w != nil {
			w.All("game_over", "R10.2", flow.Arg("winners", g.winners(p).list()), flow.Arg("vp", g.tokens(p)))
		}
		return false
	}
	if g.rotate && p.turn >= 2 {
		p.first = g.next(p.first)
	}
	p.passed, p.used, p.active = 0, false, p.first
	p.phase, p.drawing, p.drawn = startOfGameTurn, 0, 0
	if w != nil {
		w.All("game_turn", "R6.1", flow.Arg("turn", int(p.turn)), flow.Arg("first_player", int(p.first)))
	}
	return false
}

// tokens returns the VPs of all seats.
func (g *game) tokens(p *position) []int {
	list := make([]int, g.seats)
	for i := range list {
		list[i] = int(p.vp[i])
	}
	return list
}

// drawer returns the seat that draws in R6.2.
func (g *game) drawer(p *position) seatID { return g.place(p.first, p.drawing) }

// draw implements R6.2: everybody, from the First Player on, draws as many cards as
// its Logistical Support, one after another. Hands keep what they had (R6.7, Q15).
func (g *game) draw(p *position, w *flow.Witness) bool {
	if p.drawing == g.seats {
		p.phase, p.drawing = cardPlay, 0
		p.window = firstPlace(cardPlay) // window (a) of R6.5
		return false
	}
	drawer := g.drawer(p)
	s, most := &p.seats[drawer], p.logistics[drawer]
	if s.deckSize == 0 && s.discards > 0 && p.drawn < most {
		if w != nil {
			w.All("reshuffle", "R6.2", flow.Arg("seat", int(drawer)), flow.Arg("number", int(s.discards)))
		}
		s.deck, s.deckSize = s.discard, s.discards // C4
		s.discard, s.discards = [numCards]uint8{}, 0
	}
	switch {
	case p.drawn >= most || s.deckSize == 0: // without cards the other draws are lost (Q35)
		p.drawing, p.drawn = p.drawing+1, 0
	case s.tops > 0:
		c := s.top[0]
		copy(s.top[:], s.top[1:s.tops])
		s.tops--
		s.top[s.tops] = 0
		g.drawCard(p, w, c)
	default:
		c, certain := s.sureDraw()
		if !certain {
			return p.ask(askDraw, engine.Chance)
		}
		s.deck[c]--
		g.drawCard(p, w, c)
	}
	return false
}

// sureDraw returns the card that is drawn next if no lot is needed, and everybody knows
// that: one card is left, or all that may be in the draw deck are of one type. One of
// which only the owner can be sure is drawn by lot like any other, for without an event
// the others would know it too (R4.2, R-02).
func (s *seat) sureDraw() (cardID, bool) {
	c, sure := only(&s.deck)
	if !sure || s.deckSize == 1 {
		return c, sure
	}
	for k, n := range s.hand {
		if n > s.known[k] && cardID(k) != c {
			return 0, false
		}
	}
	return c, true
}

// drawOdds counts the cards of the draw deck by type.
func (g *game) drawOdds(p *position) []uint8 { return p.seats[g.drawer(p)].deck[:] }

// cardDrawn carries out the draw of a card from an open deck.
func (g *game) cardDrawn(p *position, w *flow.Witness, a engine.Action) {
	c := cardID(a - g.outDraw)
	p.seats[g.drawer(p)].deck[c]--
	g.drawCard(p, w, c)
}

// drawCard moves a card that has left the deck into the hand. An empty deck shows
// the whole hand (R4.3, R4.7).
func (g *game) drawCard(p *position, w *flow.Witness, c cardID) {
	drawer := g.drawer(p)
	s := &p.seats[drawer]
	s.deckSize--
	s.give(c)
	p.drawn++
	if w != nil {
		me, seat := uint8(1)<<drawer, flow.Arg("seat", int(drawer))
		w.Some(me, "draw", "R6.2", seat, flow.Arg("card", g.box.cards[c].name))
		w.Others(me, "draw", "R6.2", seat)
	}
	if s.deckSize > 0 {
		return
	}
	s.known = s.hand
	if w != nil {
		w.All("hand_known", "R4.3", flow.Arg("seat", int(drawer)), flow.Arg("cards", g.box.named(&s.hand)))
	}
}

// turn implements R6.3, R6.4 and R6.6: the next question of card play, D1, or its
// end. Turns of locked players are skipped, and an empty hand ends a turn.
func (g *game) turn(p *position, w *flow.Witness) bool {
	s := &p.seats[p.active]
	switch {
	case p.passed == g.everybody():
		p.phase, p.window = scoringWindow, firstPlace(scoringWindow)
		p.active, p.used = p.first, false
		if w != nil {
			w.All("card_play_over", "R6.6")
		}
		return false
	case p.passed.has(p.active):
		g.endTurn(p)
		return false
	case s.handSize == 0 && p.used && !g.alone(p):
		if w != nil {
			w.All("turn_over", "R6.3", flow.Arg("seat", int(p.active)))
		}
		g.endTurn(p)
		return false
	case s.handSize == 0:
		if w != nil {
			w.All("locked_out", "R6.4", flow.Arg("seat", int(p.active)))
		}
		g.pass(p)
		return false
	}
	g.turnOptions(p)
	return p.ask(askTurn, engine.Player(p.active))
}

// alone implements R6.4.1 and Q43: all other players are locked.
func (g *game) alone(p *position) bool { return p.passed|1<<p.active == g.everybody() }

// endTurn implements R6.3: the turn passes to the left.
func (g *game) endTurn(p *position) { p.active, p.used = g.next(p.active), false }

// pass implements R6.4 and Q16: a turn without the use of a card locks.
func (g *game) pass(p *position) {
	p.passed |= 1 << p.active
	g.endTurn(p)
}

// turnOptions implements the options of D1: the ways that do something (R7.6), and
// either END_TURN or PASS.
func (g *game) turnOptions(p *position) {
	me := p.active
	s := &p.seats[me]
	legal := p.offer()
	if p.used && !g.alone(p) {
		legal.Add(actEndTurn)
	} else {
		legal.Add(actPass)
	}
	if p.buildable(me) != 0 {
		legal.AddBits(actBuildWith, uint64(s.holds))
	}
	if p.opposing(me) != 0 {
		legal.AddBits(actAttackWith, uint64(s.holds))
	}
	if set := g.usableTexts(p, me, s.holds&^g.box.scoring); set != 0 {
		legal.AddBits(actTextOf, uint64(set))
	}
	if g.affordable(p, me) != 0 {
		legal.AddBits(actDiscard1, uint64(s.holds))
		legal.AddBits(actDiscard2First, uint64(s.firstDiscards()))
	}
}

// firstDiscards implements R7.5: the cards after which one of the same or a higher
// index is left to be the second.
func (s *seat) firstDiscards() cardSet {
	highest := cardID(31)
	for set := s.holds; set != 0; set &= set - 1 {
		highest = set.first()
	}
	if highest < numCards && s.hand[highest] == 1 {
		return s.holds &^ (1 << highest)
	}
	return s.holds
}

// chooseTurn carries out an action of D1.
func (g *game) chooseTurn(p *position, _ *flow.Witness, a engine.Action) {
	switch {
	case a == actEndTurn:
		g.endTurn(p)
	case a == actPass:
		g.pass(p)
	case a < actAttackWith:
		g.use(p, p.active, cardID(a-actBuildWith), wayBuild)
	case a < actTextOf:
		g.use(p, p.active, cardID(a-actAttackWith), wayAttack)
	case a < actDiscard1:
		g.use(p, p.active, cardID(a-actTextOf), wayText)
	case a < actDiscard2First:
		g.use(p, p.active, cardID(a-actDiscard1), wayDiscard1)
	default:
		g.use(p, p.active, cardID(a-actDiscard2First), wayDiscard2)
	}
	p.used = p.used || a >= actBuildWith
}
