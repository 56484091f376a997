package jogu

// act carries out the own ability of the topmost play, effect by effect
// (R9.7-R9.8). An effect that must wait for a decision or for chance returns true
// and is entered again afterwards; f.count tells how far it is.
func (g *game) act(p *position, w *witness, f *frame) bool {
	c := &g.deckOf(p, p.turn).cards[f.card]
	if int(f.effect) == len(c.effects) {
		f.stage, f.effect, f.previous = triggering, 0, false
		return false
	}
	e := &c.effects[f.effect]
	if e.ifPrevious && !f.previous {
		g.effectDone(f, false)
		return false
	}
	switch e.op {
	case placeStayToken:
		return g.placeStayToken(p, w, f, e)
	case peekLocationPile:
		return g.peekLocationPile(p, w, f)
	case revealLocationCard:
		return g.revealLocationCard(p, w, f)
	case loseMorale: // R13.7 (Master of Fire), also with less morale than it costs
		g.effectDone(f, true)
		g.loseMorale(p, w, p.turn, uint16(e.n), c.rule)
		return false
	case playCard:
		return g.playCard(p, w, f, e)
	case drawCards:
		return g.drawCards(p, w, f, e)
	case moveCards:
		return g.moveCards(p, w, f, e)
	case bottomFromDiscard:
		return g.bottomFromDiscard(p, w, f, e)
	case bottomFromPlay:
		return g.bottomFromPlay(p, w, f)
	case mill:
		return g.mill(p, w, f, e)
	case randomDiscard:
		return g.randomDiscard(p, w, f)
	case discardInPlay:
		return g.discardInPlay(p, w, f)
	case discardSelf:
		g.discardFaceUp(p, p.turn, f.card, f.place, false)
		w.bombed(p, p.turn, f.card, f.place)
		g.effectDone(f, true)
		return false
	case peekDrawPile:
		return g.peekDrawPile(p, w, f, e)
	case bottomFromPeek:
		return g.bottomFromPeek(p, f, e)
	case moveEndMarker:
		return g.moveEndMarker(p, w, f, e)
	}
	panic("jogu: op " + opNames[e.op] + " is no played ability")
}

// currentEffect returns the effect that the topmost play is carrying out.
func (g *game) currentEffect(p *position) *effect {
	f := &p.frames[p.depth-1]
	return &g.deckOf(p, p.turn).cards[f.card].effects[f.effect]
}

// effectDone goes on to the next effect; done reports whether this one was carried
// out (R9.8).
func (g *game) effectDone(f *frame, done bool) {
	f.effect++
	f.count = 0
	f.previous = done
}

// noEffect goes on from an effect that can't be carried out (R9.7).
func (g *game) noEffect(p *position, w *witness, f *frame) bool {
	w.noEffect(p, f)
	g.effectDone(f, false)
	return false
}

// placeStayToken implements R13.1 (Guardian Angel), R13.31 (Anchorite) and R1.5:
// a token from the supply, if it has one, which Q22 says it always has.
func (g *game) placeStayToken(p *position, w *witness, f *frame, e *effect) bool {
	used := uint8(0)
	for i := range p.seats {
		used += uint8(sum(p.seats[i].tokens[:]))
	}
	n := min(e.n, g.box.tokenSupply-used)
	p.seats[p.turn].tokens[f.place] += n
	w.stayToken(p, f)
	g.effectDone(f, n > 0)
	return false
}

// peekLocationPile implements R13.3 (Explorer), R13.32 (Pathfinder) and R16.4.
func (g *game) peekLocationPile(p *position, w *witness, f *frame) bool {
	s := &p.seats[p.turn]
	if s.locationCards() == 0 {
		return g.noEffect(p, w, f)
	}
	if !g.topLocation(p, w, p.turn) {
		return true
	}
	s.locTopKnown = true
	w.looksAhead(p, f)
	g.effectDone(f, true)
	return false
}

// revealLocationCard implements R13.6 (Patriot).
func (g *game) revealLocationCard(p *position, w *witness, f *frame) bool {
	s := &p.seats[p.turn]
	if s.locCard == 0 || s.locRevealed {
		return g.noEffect(p, w, f)
	}
	s.locRevealed = true
	w.showsLocation(p, f)
	g.effectDone(f, true)
	return false
}

// playCard implements R13.9 (Conjurer) with D7 and R13.12 (Good-for-Something)
// with D8: a nested play, not to be declined (Q29), of any card that has a legal
// Location, Protected or not (Q8).
func (g *game) playCard(p *position, w *witness, f *frame, e *effect) bool {
	from, question := &p.seats[p.turn].discard, askConjure
	if e.fromHand {
		from, question = &p.seats[p.turn].hand, askSomething
	}
	types := g.playable(p, p.turn, from)
	if types == 0 {
		return g.noEffect(p, w, f)
	}
	return p.decide(question, p.turn, g.cardActions(p, p.turn, types))
}

// drawCards implements the draws of R13.12, R13.16 and R13.29 (Echo). An empty
// pile gives nothing (Q28).
func (g *game) drawCards(p *position, w *witness, f *frame, e *effect) bool {
	s := &p.seats[p.turn]
	switch {
	case f.count == 0 && s.pileSize() == 0:
		return g.noEffect(p, w, f)
	case f.count == e.n || s.pileSize() == 0:
		g.effectDone(f, true)
		return false
	}
	if !g.topFixed(p, p.turn, 0) {
		return true
	}
	w.draws(p, p.turn, g.deckOf(p, p.turn).cards[f.card].rule)
	s.drawTop()
	f.count++
	return false
}

// moveCards implements R13.13 (Gangan Bit), Q25 and R19.2: every card with the
// trait, of both players, comes here, whatever the total becomes.
func (g *game) moveCards(p *position, w *witness, f *frame, e *effect) bool {
	for s := range uint8(numSeats) {
		types := g.deckOf(p, s).traits[e.trait]
		for t := uint8(0); types != 0; t, types = t+1, types>>1 {
			if types&1 == 0 {
				continue
			}
			for place := range uint8(numPlaces) {
				n := p.seats[s].play[place][t]
				if n == 0 || place == f.place {
					continue
				}
				for range n {
					g.lift(p, s, t, place)
					g.lay(p, s, t, f.place)
				}
				w.gathered(p, f, s, t, place, n)
			}
		}
	}
	g.effectDone(f, true)
	return false
}

// bottomFromDiscard implements R13.14 (Medic), Q21 and D9: up to e.n cards that
// are not Protected go to the bottom of the pile, one under the other.
func (g *game) bottomFromDiscard(p *position, w *witness, f *frame, e *effect) bool {
	types := typesOf(&p.seats[p.turn].discard) &^ g.deckOf(p, p.turn).protected
	switch {
	case f.count == 0 && types == 0:
		return g.noEffect(p, w, f)
	case f.count == e.n || types == 0:
		g.effectDone(f, true)
		return false
	}
	return p.decide(askMedic, p.turn, 1<<actEnd|g.cardActions(p, p.turn, types))
}

// chooseMedic carries out an action of D9. Both players see the card (R16.6).
func (g *game) chooseMedic(p *position, a uint8) {
	f := &p.frames[p.depth-1]
	if a == actEnd {
		g.effectDone(f, f.count > 0)
		return
	}
	t := g.cardType(p, p.turn, a)
	s := &p.seats[p.turn]
	s.discard[t]--
	s.pushBottom(newPileCard(t) | bothKnow)
	f.count++
}

// bottomFromPlay implements R13.16 (Trojan Bit), D10a and D10b: one own card in
// play that is not Protected, first its Location, then its type.
func (g *game) bottomFromPlay(p *position, w *witness, f *frame) bool {
	s, free := &p.seats[p.turn], ^g.deckOf(p, p.turn).protected
	if f.count > 0 {
		types := typesOf(&s.play[f.count-1]) & free
		return p.decide(askTrojanCard, p.turn, g.cardActions(p, p.turn, types))
	}
	var places uint64
	for place := range s.play {
		if typesOf(&s.play[place])&free != 0 {
			places |= 1 << place
		}
	}
	if places == 0 {
		return g.noEffect(p, w, f)
	}
	return p.decide(askTrojanPlace, p.turn, places<<actLoc)
}

// chooseTrojan carries out D10b. Both players see the card (R16.6). It may be one
// that is being resolved, whose play goes on all the same.
func (g *game) chooseTrojan(p *position, t uint8) {
	f := &p.frames[p.depth-1]
	g.lift(p, p.turn, t, f.count-1)
	p.seats[p.turn].pushBottom(newPileCard(t) | bothKnow)
	g.effectDone(f, true)
}

// mill implements R13.20 (Saboteur) and Q23: the top cards of the opponent's pile
// are shown; Protected ones stay on top in their order, known to both (R16.6), the
// others are discarded, and nothing replaces them.
func (g *game) mill(p *position, w *witness, f *frame, e *effect) bool {
	o := 1 - p.turn
	s := &p.seats[o]
	n := min(e.n, s.pileSize())
	if n == 0 {
		return g.noEffect(p, w, f)
	}
	for ; f.count < n; f.count++ {
		if !g.topFixed(p, o, f.count) {
			return true
		}
		s.fixed[f.count] |= bothKnow
		w.milled(p, f, o)
	}
	protected := g.deckOf(p, o).protected
	for i := uint8(0); i < n; {
		if t := s.fixed[i].card(); protected.has(t) {
			i++
		} else {
			s.removeFixed(i)
			s.discard[t]++
			n--
			w.milledAway(p, f, o, t)
		}
	}
	g.effectDone(f, true)
	return false
}

// randomDiscard implements R13.22 (Assassin) and C4, which is left out where all
// cards of the hand are alike.
func (g *game) randomDiscard(p *position, w *witness, f *frame) bool {
	s := &p.seats[1-p.turn]
	if s.handSize == 0 {
		return g.noEffect(p, w, f)
	}
	if t, ok := only(&s.hand); ok {
		g.hit(p, w, t)
		return false
	}
	return p.wait(askHit)
}

// hit carries out C4: the card is shown; a Protected one stays, and one copy is
// proven (R16.2, Q32).
func (g *game) hit(p *position, w *witness, t uint8) {
	w.hit(p, t)
	s := &p.seats[1-p.turn]
	if g.deckOf(p, 1-p.turn).protected.has(t) {
		s.revealed[t] = max(s.revealed[t], 1)
	} else {
		s.takeFromHand(t)
		s.discard[t]++
	}
	g.effectDone(&p.frames[p.depth-1], true)
}

// discardInPlay implements R13.25 (Bomb Tower), Q19, Q20 and D11: one of the
// opponent's cards at this Location that is not Protected. Face-down cards are
// named by slot. Where a type lies there with and without a Stay token, its
// card action means one with, and SLOT_1 one without.
func (g *game) discardInPlay(p *position, w *witness, f *frame) bool {
	o := 1 - p.turn
	s, d := &p.seats[o], g.deckOf(p, o)
	legal := g.cardActions(p, o, typesOf(&s.play[f.place])&^d.protected)
	legal |= (1<<s.downCount(f.place) - 1) << actSlot
	if d.tokened != noType && s.tokens[f.place] > 0 && s.play[f.place][d.tokened] > s.tokens[f.place] {
		legal |= 1 << actSlot
	}
	if legal == 0 {
		return g.noEffect(p, w, f)
	}
	return p.decide(askBomb, p.turn, legal)
}

// chooseBomb carries out an action of D11.
func (g *game) chooseBomb(p *position, w *witness, a uint8) {
	f := &p.frames[p.depth-1]
	o := 1 - p.turn
	s, d := &p.seats[o], g.deckOf(p, o)
	switch {
	case a >= actCard:
		t := g.cardType(p, o, a)
		g.discardFaceUp(p, o, t, f.place, t == d.tokened && s.tokens[f.place] > 0)
		w.bombed(p, o, t, f.place)
	case s.downCount(f.place) > 0:
		t := g.liftDown(p, o, f.place, a-actSlot)
		s.discard[t]++
		w.turnedUp(p, o, t, f.place, a-actSlot, "R13.21")
		w.bombed(p, o, t, f.place)
	default:
		g.discardFaceUp(p, o, d.tokened, f.place, false)
		w.bombed(p, o, d.tokened, f.place)
	}
	g.effectDone(f, true)
}

// discardFaceUp puts a face-up card in play on its owner's discard; its token, if
// it is one with a token, goes back to the supply (R1.5).
func (g *game) discardFaceUp(p *position, s, t, place uint8, token bool) {
	g.lift(p, s, t, place)
	p.seats[s].discard[t]++
	if token {
		p.seats[s].tokens[place]--
	}
}

// peekDrawPile implements the first half of R13.26 (Support Tower): the owner
// looks at the top cards, as many as there are.
func (g *game) peekDrawPile(p *position, w *witness, f *frame, e *effect) bool {
	s := &p.seats[p.turn]
	n := min(e.n, s.pileSize())
	if n == 0 {
		return g.noEffect(p, w, f)
	}
	for ; f.count < n; f.count++ {
		if !g.topFixed(p, p.turn, f.count) {
			return true
		}
		s.fixed[f.count] |= ownerKnows
		w.looks(p, f)
	}
	g.effectDone(f, true)
	return false
}

// bottomFromPeek implements the second half of R13.26 and D12: one of the cards
// seen, Protected or not (Q8), may go to the bottom. Over fewer than two cards there is
// nothing to choose (Q34).
func (g *game) bottomFromPeek(p *position, f *frame, e *effect) bool {
	n := min(e.n, p.seats[p.turn].pileSize())
	if n < 2 {
		g.effectDone(f, false)
		return false
	}
	return p.decide(askSupport, p.turn, 1<<actEnd|(1<<n-1)<<actSlot)
}

// chooseSupport carries out an action of D12. If a card moves, the opponent is not
// told which. It then knows a position only if every card that may lie there now
// was known to it and all of these are of one type (R16.6, Q35): where the second
// of the cards seen lay, the first or the second may lie on top now, and so on, and
// any of them at the bottom.
func (g *game) chooseSupport(p *position, a uint8) {
	f := &p.frames[p.depth-1]
	if a == actEnd {
		g.effectDone(f, false)
		return
	}
	s := &p.seats[p.turn]
	seen := min(g.currentEffect(p).n, s.pileSize())
	var before [maxSlots]pileCard
	copy(before[:], s.fixed[:seen])
	s.removeFixed(a - actSlot)
	s.pushBottom(before[a-actSlot])
	for i := range seen - 1 {
		s.fixed[i] = s.fixed[i].ifCertain(before[i : i+2])
	}
	last := s.top + s.bottom - 1
	s.fixed[last] = s.fixed[last].ifCertain(before[:seen])
	g.effectDone(f, true)
}

// moveEndMarker implements R13.28 (Chronicler).
func (g *game) moveEndMarker(p *position, w *witness, f *frame, e *effect) bool {
	if p.endMarker == e.max {
		return g.noEffect(p, w, f)
	}
	p.endMarker = min(p.endMarker+e.n, e.max)
	w.endMarker(p, f)
	g.effectDone(f, true)
	return false
}
