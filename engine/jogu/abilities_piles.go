package jogu

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The primitives that draw, look at piles or put cards under them.

// drawCards implements the draws of R13.12, R13.16 and R13.29 (Echo). An empty
// pile gives nothing (Q28).
func (g *game) drawCards(p *position, w *flow.Witness, f *frame, e *Effect) bool {
	s := &p.seats[p.turn]
	switch {
	case f.count == 0 && s.pileSize() == 0:
		return g.noEffect(p, w, f)
	case f.count == e.N || s.pileSize() == 0:
		g.effectDone(f, true)
		return false
	}
	if !g.topFixed(p, p.turn, 0) {
		return true
	}
	if w != nil {
		g.tellPileCard(p, w, "draw", g.playing(p, f).Rule, p.turn, s.fixed[0])
	}
	s.drawTop()
	f.count++
	return false
}

// checkDrawn demands that both know the card of which the draw is a part (R13.16).
func (g *game) checkDrawn(p *position, f *frame, e *Effect) string {
	if e.IfPrevious && f.previous && f.count == 0 && !p.seats[p.turn].knownAtBottom(1) {
		return "both players know the card that it has put under the draw pile (R13.16)"
	}
	return f.atMost(e.N)
}

// bottomFromDiscard implements R13.14 (Medic), Q21 and D9: up to e.N cards that
// are not Protected go to the bottom of the pile, one under the other.
func (g *game) bottomFromDiscard(p *position, w *flow.Witness, f *frame, e *Effect) bool {
	types := typesOf(&p.seats[p.turn].discard) &^ g.deckOf(p, p.turn).protected
	switch {
	case f.count == 0 && types == 0:
		return g.noEffect(p, w, f)
	case f.count == e.N || types == 0:
		g.effectDone(f, true)
		return false
	}
	return p.decide(askMedic, p.turn, 1<<actEnd|g.cardActions(p, p.turn, types))
}

// chooseMedic carries out an action of D9. Both players see the card (R16.6).
func (g *game) chooseMedic(p *position, _ *flow.Witness, a engine.Action) {
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

// checkPutBack demands that both know the cards at the bottom that a Medic has put
// there.
func (g *game) checkPutBack(p *position, f *frame, e *Effect) string {
	if fault := f.atMost(e.N); fault != "" {
		return fault
	}
	if !p.seats[p.turn].knownAtBottom(f.count) {
		return fmt.Sprintf("both players know the %d cards that it has put under the draw pile (R13.14)", f.count)
	}
	return ""
}

// bottomFromPlay implements R13.16 (Trojan Bit), D10a and D10b: one own card in
// play that is not Protected, first its Location, then its type.
func (g *game) bottomFromPlay(p *position, w *flow.Witness, f *frame, _ *Effect) bool {
	s, free := &p.seats[p.turn], ^g.deckOf(p, p.turn).protected
	if f.chosen != noPlace {
		types := typesOf(&s.play[f.chosen]) & free
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

// chooseTrojanPlace carries out D10a.
func (g *game) chooseTrojanPlace(p *position, _ *flow.Witness, a engine.Action) {
	p.frames[p.depth-1].chosen = placeOf(a)
}

// chooseTrojanCard carries out D10b. Both players see the card (R16.6). It may be one
// that is being resolved, whose play goes on all the same.
func (g *game) chooseTrojanCard(p *position, _ *flow.Witness, a engine.Action) {
	f, t := &p.frames[p.depth-1], g.cardType(p, p.turn, a)
	g.lift(p, p.turn, t, f.chosen)
	p.seats[p.turn].pushBottom(newPileCard(t) | bothKnow)
	g.effectDone(f, true)
}

// checkTakenBack demands a card to be taken at the Location that was chosen.
func (g *game) checkTakenBack(p *position, f *frame, _ *Effect) string {
	if fault := f.atMost(0); fault != "" || f.chosen == noPlace {
		return fault
	}
	if typesOf(&p.seats[p.turn].play[f.chosen])&^g.deckOf(p, p.turn).protected == 0 {
		return "at chosen_location no card can be taken (R13.16)"
	}
	return ""
}

// mill implements R13.20 (Saboteur) and Q23: the top cards of the opponent's pile
// are shown; Protected ones stay on top in their order, known to both (R16.6), the
// others are discarded, and nothing replaces them.
func (g *game) mill(p *position, w *flow.Witness, f *frame, e *Effect) bool {
	o := 1 - p.turn
	s := &p.seats[o]
	n := min(e.N, s.pileSize())
	if n == 0 {
		return g.noEffect(p, w, f)
	}
	for ; f.count < n; f.count++ {
		if !g.topFixed(p, o, f.count) {
			return true
		}
		s.fixed[f.count] |= bothKnow
		if w != nil {
			w.All("milled", g.playing(p, f).Rule, seatArg("owner", o), g.cardArg(p, o, s.fixed[f.count].card()))
		}
	}
	protected := g.deckOf(p, o).protected
	for i := uint8(0); i < n; {
		if t := s.fixed[i].card(); protected.has(t) {
			i++
		} else {
			s.removeFixed(i)
			s.discard[t]++
			n--
			if w != nil {
				w.All("discarded", g.playing(p, f).Rule, seatArg("owner", o), g.cardArg(p, o, t), flow.Said(""))
			}
		}
	}
	g.effectDone(f, true)
	return false
}

// checkMilled demands that both know the cards that were turned up.
func (g *game) checkMilled(p *position, f *frame, e *Effect) string {
	s := &p.seats[1-p.turn]
	if fault := f.atMost(min(e.N, s.pileSize())); fault != "" {
		return fault
	}
	if !s.knownOnTop(f.count, bothKnow) {
		return fmt.Sprintf("both players know the %d cards that it has turned up on the draw pile (R13.20)", f.count)
	}
	return ""
}

// peekDrawPile implements the first half of R13.26 (Support Tower): the owner
// looks at the top cards, as many as there are.
func (g *game) peekDrawPile(p *position, w *flow.Witness, f *frame, e *Effect) bool {
	s := &p.seats[p.turn]
	n := min(e.N, s.pileSize())
	if n == 0 {
		return g.noEffect(p, w, f)
	}
	for ; f.count < n; f.count++ {
		if !g.topFixed(p, p.turn, f.count) {
			return true
		}
		s.fixed[f.count] |= ownerKnows
		if w != nil {
			g.tellPileCard(p, w, "look", g.playing(p, f).Rule, p.turn, s.fixed[f.count])
		}
	}
	g.effectDone(f, true)
	return false
}

// checkSeen demands that the owner knows the cards that it has looked at.
func (g *game) checkSeen(p *position, f *frame, e *Effect) string {
	s := &p.seats[p.turn]
	if fault := f.atMost(min(e.N, s.pileSize())); fault != "" {
		return fault
	}
	if !s.knownOnTop(f.count, ownerKnows) {
		return fmt.Sprintf("its player knows the %d cards that it has looked at on top of the draw pile (R13.26)", f.count)
	}
	return ""
}

// looked returns how many cards the effect before the current one looks at.
func (g *game) looked(p *position, f *frame) uint8 {
	return g.playing(p, f).Effects[f.effect-1].N
}

// bottomFromPeek implements the second half of R13.26 and D12: one of the cards
// seen, Protected or not (Q8), may go to the bottom. Over fewer than two cards there is
// nothing to choose (Q34).
func (g *game) bottomFromPeek(p *position, _ *flow.Witness, f *frame, _ *Effect) bool {
	n := min(g.looked(p, f), p.seats[p.turn].pileSize())
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
func (g *game) chooseSupport(p *position, _ *flow.Witness, a engine.Action) {
	f := &p.frames[p.depth-1]
	if a == actEnd {
		g.effectDone(f, false)
		return
	}
	s := &p.seats[p.turn]
	seen := min(g.looked(p, f), s.pileSize())
	var before [maxSlots]pileCard
	copy(before[:], s.fixed[:seen])
	s.removeFixed(uint8(a - actSlot))
	s.pushBottom(before[a-actSlot])
	for i := range seen - 1 {
		s.fixed[i] = s.fixed[i].ifCertain(before[i : i+2])
	}
	last := s.top + s.bottom - 1
	s.fixed[last] = s.fixed[last].ifCertain(before[:seen])
	g.effectDone(f, true)
}

// checkPeek demands that the owner knows the cards that it chooses from.
func (g *game) checkPeek(p *position, f *frame, _ *Effect) string {
	if fault := f.atMost(0); fault != "" {
		return fault
	}
	s := &p.seats[p.turn]
	if n := min(g.looked(p, f), s.pileSize()); !s.knownOnTop(n, ownerKnows) {
		return fmt.Sprintf("its player knows the top %d cards of the draw pile, which it has looked at (R13.26)", n)
	}
	return ""
}

// knownOnTop reports whether the first n cards of the pile lie in its top part and
// are known as the bits say.
func (s *seat) knownOnTop(n uint8, bits pileCard) bool {
	if n > s.top {
		return false
	}
	for _, c := range s.fixed[:n] {
		if c&bits != bits {
			return false
		}
	}
	return true
}

// knownAtBottom reports whether the last n cards of the pile lie at fixed places
// that both players know.
func (s *seat) knownAtBottom(n uint8) bool {
	last := s.top + s.bottom
	if n > last || s.middle > 0 && n > s.bottom {
		return false
	}
	for _, c := range s.fixed[last-n : last] {
		if c.bits() != bothKnow {
			return false
		}
	}
	return true
}
