package domination

import "powderkeg/engine"

// beginGameTurn implements R6.1, R6.1.1 and R10.1: the Turn token moves, the locks
// are lifted, and with the option, else never (Q17), the First Player token moves too.
func (b Board) beginGameTurn() bool {
	b.Turn++
	if b.Turn > b.turns {
		b.Phase = over
		if b.w != nil {
			b.tell(gameEnded, "R10.2", b.winners(), b.VP)
		}
		return false
	}
	if b.rotate && b.Turn >= 2 {
		b.First = b.next(b.First)
	}
	b.Passed, b.Used, b.Active = 0, false, b.First
	b.Phase, b.Drawing, b.Drawn = startOfGameTurn, 0, 0
	b.tell(gameTurnBegun, "R6.1", b.Turn, b.First)
	return false
}

// drawer returns the seat that draws in R6.2.
func (b Board) drawer() SeatID { return b.place(b.First, b.Drawing) }

// draw implements R6.2: everybody, from the First Player on, draws as many cards as
// its Logistical Support, one after another. Hands keep what they had (R6.7, Q15).
func (b Board) draw() bool {
	if b.Drawing == b.seats {
		b.Phase, b.Drawing = cardPlay, 0
		b.Window = firstPlace(cardPlay) // window (a) of R6.5
		return false
	}
	drawer := b.drawer()
	s, most := &b.Seats[drawer], b.Logistics[drawer]
	if s.DeckSize == 0 && s.Discards > 0 && b.Drawn < most {
		b.tell(deckReshuffled, "R6.2", drawer, s.Discards)
		s.Deck, s.DeckSize = s.Discard, s.Discards // C4
		s.Discard, s.Discards = [Cards]uint8{}, 0
	}
	switch {
	case b.Drawn >= most || s.DeckSize == 0: // without cards the other draws are lost (Q35)
		b.Drawing, b.Drawn = b.Drawing+1, 0
	case s.Tops > 0:
		c := s.Top[0]
		copy(s.Top[:], s.Top[1:s.Tops])
		s.Tops--
		s.Top[s.Tops] = 0
		b.drawCard(c)
	default:
		c, certain := s.sureDraw()
		if !certain {
			return b.Put(uint8(askDraw), engine.Chance)
		}
		s.Deck[c]--
		b.drawCard(c)
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
func (b Board) drawOdds() []uint8 { return b.Seats[b.drawer()].Deck[:] }

// cardDrawn carries out the draw of a card from an open deck.
func (b Board) cardDrawn(a engine.Action) {
	c := CardID(a - b.outDraw)
	b.Seats[b.drawer()].Deck[c]--
	b.drawCard(c)
}

// drawCard moves a card that has left the deck into the hand. An empty deck shows
// the whole hand (R4.3, R4.7).
func (b Board) drawCard(c CardID) {
	drawer := b.drawer()
	s := &b.Seats[drawer]
	s.DeckSize--
	s.give(c)
	b.Drawn++
	b.tellTo(1<<drawer, cardDrawnToHand, "R6.2", drawer, c)
	if s.DeckSize > 0 {
		return
	}
	s.Known = s.Hand
	if b.w != nil {
		b.tell(handKnown, "R4.3", drawer, s.Hand)
	}
}

// turn implements R6.3, R6.4 and R6.6: the next question of card play, D1, or its
// end. Turns of locked players are skipped, and an empty hand ends a turn.
func (b Board) turn() bool {
	s := &b.Seats[b.Active]
	switch {
	case b.Passed == b.everybody():
		b.Phase, b.Window = scoringWindow, firstPlace(scoringWindow)
		b.Active, b.Used = b.First, false
		b.tell(cardPlayOver, "R6.6")
		return false
	case b.Passed.Has(b.Active):
		b.endTurn()
		return false
	case s.HandSize == 0 && b.Used && !b.alone():
		b.tell(turnEnded, "R6.3", b.Active)
		b.endTurn()
		return false
	case s.HandSize == 0:
		b.tell(lockedOut, "R6.4", b.Active)
		b.pass()
		return false
	}
	b.turnOptions()
	return b.ask(TurnDecision, b.Active)
}

// alone implements R6.4.1 and Q43: all other players are locked.
func (b Board) alone() bool { return b.Passed|1<<b.Active == b.everybody() }

// endTurn implements R6.3: the turn passes to the left.
func (b Board) endTurn() { b.Active, b.Used = b.next(b.Active), false }

// pass implements R6.4 and Q16: a turn without the use of a card locks.
func (b Board) pass() {
	b.Passed |= 1 << b.Active
	b.endTurn()
}

// turnOptions implements the options of D1: the ways that do something (R7.6), and
// either END_TURN or PASS.
func (b Board) turnOptions() {
	me := b.Active
	s := &b.Seats[me]
	legal := b.Offer()
	if b.Used && !b.alone() {
		legal.Add(ActEndTurn)
	} else {
		legal.Add(ActPass)
	}
	if b.Buildable(me) != 0 {
		legal.AddBits(ActBuildWith, uint64(s.Holds))
	}
	if b.Opposing(me) != 0 {
		legal.AddBits(ActAttackWith, uint64(s.Holds))
	}
	if set := b.usableTexts(me, s.Holds&^b.box.scoring); set != 0 {
		legal.AddBits(ActTextOf, uint64(set))
	}
	if b.affordable(me) != 0 {
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
func (b Board) chooseTurn(a engine.Action) {
	switch {
	case a == ActEndTurn:
		b.endTurn()
	case a == ActPass:
		b.pass()
	case a < ActAttackWith:
		b.use(b.Active, CardID(a-ActBuildWith), BuildWay)
	case a < ActTextOf:
		b.use(b.Active, CardID(a-ActAttackWith), AttackWay)
	case a < ActDiscard1:
		b.use(b.Active, CardID(a-ActTextOf), TextWay)
	case a < ActDiscard2First:
		b.use(b.Active, CardID(a-ActDiscard1), Discard1Way)
	default:
		b.use(b.Active, CardID(a-ActDiscard2First), Discard2Way)
	}
	b.Used = b.Used || a >= ActBuildWith
}
