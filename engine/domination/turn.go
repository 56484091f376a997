package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// beginGameTurn implements R6.1, R6.1.1 and R10.1: the Turn token moves, the locks
// are lifted, and with the option, else never (Q17), the First Player token moves too.
func (g *game) beginGameTurn(p *Position, w *flow.Witness) bool {
	p.Turn++
	if p.Turn > g.turns {
		p.Phase = over
		if w != nil {
			w.All("game_over", "R10.2", flow.Arg("winners", g.winners(p).list()), flow.Arg("vp", g.tokens(p)))
		}
		return false
	}
	if g.rotate && p.Turn >= 2 {
		p.First = g.next(p.First)
	}
	p.Passed, p.Used, p.Active = 0, false, p.First
	p.Phase, p.Drawing, p.Drawn = startOfGameTurn, 0, 0
	if w != nil {
		w.All("game_turn", "R6.1", flow.Arg("turn", int(p.Turn)), flow.Arg("first_player", int(p.First)))
	}
	return false
}

// tokens returns the VPs of all seats.
func (g *game) tokens(p *Position) []int {
	list := make([]int, g.seats)
	for i := range list {
		list[i] = int(p.VP[i])
	}
	return list
}

// drawer returns the seat that draws in R6.2.
func (g *game) drawer(p *Position) SeatID { return g.place(p.First, p.Drawing) }

// draw implements R6.2: everybody, from the First Player on, draws as many cards as
// its Logistical Support, one after another. Hands keep what they had (R6.7, Q15).
func (g *game) draw(p *Position, w *flow.Witness) bool {
	if p.Drawing == g.seats {
		p.Phase, p.Drawing = cardPlay, 0
		p.Window = firstPlace(cardPlay) // window (a) of R6.5
		return false
	}
	drawer := g.drawer(p)
	s, most := &p.Seats[drawer], p.Logistics[drawer]
	if s.DeckSize == 0 && s.Discards > 0 && p.Drawn < most {
		if w != nil {
			w.All("reshuffle", "R6.2", flow.Arg("seat", int(drawer)), flow.Arg("number", int(s.Discards)))
		}
		s.Deck, s.DeckSize = s.Discard, s.Discards // C4
		s.Discard, s.Discards = [Cards]uint8{}, 0
	}
	switch {
	case p.Drawn >= most || s.DeckSize == 0: // without cards the other draws are lost (Q35)
		p.Drawing, p.Drawn = p.Drawing+1, 0
	case s.Tops > 0:
		c := s.Top[0]
		copy(s.Top[:], s.Top[1:s.Tops])
		s.Tops--
		s.Top[s.Tops] = 0
		g.drawCard(p, w, c)
	default:
		c, certain := s.sureDraw()
		if !certain {
			return p.Put(uint8(askDraw), engine.Chance)
		}
		s.Deck[c]--
		g.drawCard(p, w, c)
	}
	return false
}

// sureDraw returns the card that is drawn next if no lot is needed, and everybody knows
// that: one card is left, or all that may be in the draw deck are of one type. One of
// which only the owner can be sure is drawn by lot like any other, for without an event
// the others would know it too (R4.2, R-02).
func (s *Player) sureDraw() (CardID, bool) {
	c, sure := only(&s.Deck)
	if !sure || s.DeckSize == 1 {
		return c, sure
	}
	for k, n := range s.Hand {
		if n > s.Known[k] && CardID(k) != c {
			return 0, false
		}
	}
	return c, true
}

// drawOdds counts the cards of the draw deck by type.
func (g *game) drawOdds(p *Position) []uint8 { return p.Seats[g.drawer(p)].Deck[:] }

// cardDrawn carries out the draw of a card from an open deck.
func (g *game) cardDrawn(p *Position, w *flow.Witness, a engine.Action) {
	c := CardID(a - g.outDraw)
	p.Seats[g.drawer(p)].Deck[c]--
	g.drawCard(p, w, c)
}

// drawCard moves a card that has left the deck into the hand. An empty deck shows
// the whole hand (R4.3, R4.7).
func (g *game) drawCard(p *Position, w *flow.Witness, c CardID) {
	drawer := g.drawer(p)
	s := &p.Seats[drawer]
	s.DeckSize--
	s.give(c)
	p.Drawn++
	if w != nil {
		me, seat := uint8(1)<<drawer, flow.Arg("seat", int(drawer))
		w.Some(me, "draw", "R6.2", seat, flow.Arg("card", g.box.Cards[c].Name))
		w.Others(me, "draw", "R6.2", seat)
	}
	if s.DeckSize > 0 {
		return
	}
	s.Known = s.Hand
	if w != nil {
		w.All("hand_known", "R4.3", flow.Arg("seat", int(drawer)), flow.Arg("cards", g.box.named(&s.Hand)))
	}
}

// turn implements R6.3, R6.4 and R6.6: the next question of card play, D1, or its
// end. Turns of locked players are skipped, and an empty hand ends a turn.
func (g *game) turn(p *Position, w *flow.Witness) bool {
	s := &p.Seats[p.Active]
	switch {
	case p.Passed == g.everybody():
		p.Phase, p.Window = scoringWindow, firstPlace(scoringWindow)
		p.Active, p.Used = p.First, false
		if w != nil {
			w.All("card_play_over", "R6.6")
		}
		return false
	case p.Passed.Has(p.Active):
		g.endTurn(p)
		return false
	case s.HandSize == 0 && p.Used && !g.alone(p):
		if w != nil {
			w.All("turn_over", "R6.3", flow.Arg("seat", int(p.Active)))
		}
		g.endTurn(p)
		return false
	case s.HandSize == 0:
		if w != nil {
			w.All("locked_out", "R6.4", flow.Arg("seat", int(p.Active)))
		}
		g.pass(p)
		return false
	}
	g.turnOptions(p)
	return p.ask(TurnDecision, p.Active)
}

// alone implements R6.4.1 and Q43: all other players are locked.
func (g *game) alone(p *Position) bool { return p.Passed|1<<p.Active == g.everybody() }

// endTurn implements R6.3: the turn passes to the left.
func (g *game) endTurn(p *Position) { p.Active, p.Used = g.next(p.Active), false }

// pass implements R6.4 and Q16: a turn without the use of a card locks.
func (g *game) pass(p *Position) {
	p.Passed |= 1 << p.Active
	g.endTurn(p)
}

// turnOptions implements the options of D1: the ways that do something (R7.6), and
// either END_TURN or PASS.
func (g *game) turnOptions(p *Position) {
	me := p.Active
	s := &p.Seats[me]
	legal := p.Offer()
	if p.Used && !g.alone(p) {
		legal.Add(ActEndTurn)
	} else {
		legal.Add(ActPass)
	}
	if p.Buildable(me) != 0 {
		legal.AddBits(ActBuildWith, uint64(s.Holds))
	}
	if p.Opposing(me) != 0 {
		legal.AddBits(ActAttackWith, uint64(s.Holds))
	}
	if set := g.usableTexts(p, me, s.Holds&^g.box.scoring); set != 0 {
		legal.AddBits(ActTextOf, uint64(set))
	}
	if g.affordable(p, me) != 0 {
		legal.AddBits(ActDiscard1, uint64(s.Holds))
		legal.AddBits(ActDiscard2First, uint64(s.firstDiscards()))
	}
}

// firstDiscards implements R7.5: the cards after which one of the same or a higher
// index is left to be the second.
func (s *Player) firstDiscards() CardSet {
	highest := CardID(31)
	for set := s.Holds; set != 0; set &= set - 1 {
		highest = set.First()
	}
	if highest < Cards && s.Hand[highest] == 1 {
		return s.Holds &^ (1 << highest)
	}
	return s.Holds
}

// chooseTurn carries out an action of D1.
func (g *game) chooseTurn(p *Position, _ *flow.Witness, a engine.Action) {
	switch {
	case a == ActEndTurn:
		g.endTurn(p)
	case a == ActPass:
		g.pass(p)
	case a < ActAttackWith:
		g.use(p, p.Active, CardID(a-ActBuildWith), BuildWay)
	case a < ActTextOf:
		g.use(p, p.Active, CardID(a-ActAttackWith), AttackWay)
	case a < ActDiscard1:
		g.use(p, p.Active, CardID(a-ActTextOf), TextWay)
	case a < ActDiscard2First:
		g.use(p, p.Active, CardID(a-ActDiscard1), Discard1Way)
	default:
		g.use(p, p.Active, CardID(a-ActDiscard2First), Discard2Way)
	}
	p.Used = p.Used || a >= ActBuildWith
}
