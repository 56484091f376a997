package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The primitives that draw, look at piles or put cards under them.

// drawCards implements the draws of R13.12, R13.16 and R13.29 (Echo). An empty
// pile gives nothing (Q28).
func (g *game) drawCards(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	s := &p.Seats[p.Turn]
	switch {
	case f.Count == 0 && s.PileSize() == 0:
		return g.noEffect(p, w, f)
	case f.Count == e.N || s.PileSize() == 0:
		g.effectDone(f, true)
		return false
	}
	if !g.topFixed(p, p.Turn, 0) {
		return true
	}
	if w != nil {
		g.tellPileCard(p, w, "draw", g.playing(p, f).Rule, p.Turn, s.Fixed[0])
	}
	s.drawTop()
	f.Count++
	return false
}

// bottomFromDiscard implements R13.14 (Medic), Q21 and D9: up to e.N cards that
// are not Protected go to the bottom of the pile, one under the other.
func (g *game) bottomFromDiscard(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	types := typesOf(&p.Seats[p.Turn].Discard) &^ g.deckOf(p, p.Turn).protected
	switch {
	case f.Count == 0 && types == 0:
		return g.noEffect(p, w, f)
	case f.Count == e.N || types == 0:
		g.effectDone(f, true)
		return false
	}
	return p.decide(MedicDecision, p.Turn, 1<<ActEnd|g.cardActions(p, p.Turn, types))
}

// chooseMedic carries out an action of D9. Both players see the card (R16.6).
func (g *game) chooseMedic(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Frames[p.Depth-1]
	if a == ActEnd {
		g.effectDone(f, f.Count > 0)
		return
	}
	t := g.cardType(p, p.Turn, a)
	s := &p.Seats[p.Turn]
	s.Discard[t]--
	s.pushBottom(newPileCard(t) | bothKnow)
	f.Count++
}

// bottomFromPlay implements R13.16 (Trojan Bit), D10a and D10b: one own card in
// play that is not Protected, first its Location, then its type.
func (g *game) bottomFromPlay(p *Position, w *flow.Witness, f *Frame, _ *Effect) bool {
	s, free := &p.Seats[p.Turn], ^g.deckOf(p, p.Turn).protected
	if f.Chosen != noPlace {
		types := typesOf(&s.Play[f.Chosen]) & free
		return p.decide(TrojanCardDecision, p.Turn, g.cardActions(p, p.Turn, types))
	}
	var places uint64
	for place := range s.Play {
		if typesOf(&s.Play[place])&free != 0 {
			places |= 1 << place
		}
	}
	if places == 0 {
		return g.noEffect(p, w, f)
	}
	return p.decide(TrojanPlaceDecision, p.Turn, places<<ActLocation)
}

// chooseTrojanPlace carries out D10a.
func (g *game) chooseTrojanPlace(p *Position, _ *flow.Witness, a engine.Action) {
	p.Frames[p.Depth-1].Chosen = placeOf(a)
}

// chooseTrojanCard carries out D10b. Both players see the card (R16.6). It may be one
// that is being resolved, whose play goes on all the same.
func (g *game) chooseTrojanCard(p *Position, _ *flow.Witness, a engine.Action) {
	f, t := &p.Frames[p.Depth-1], g.cardType(p, p.Turn, a)
	g.lift(p, p.Turn, t, f.Chosen)
	p.Seats[p.Turn].pushBottom(newPileCard(t) | bothKnow)
	g.effectDone(f, true)
}

// mill implements R13.20 (Saboteur) and Q23: the top cards of the opponent's pile
// are shown; Protected ones stay on top in their order, known to both (R16.6), the
// others are discarded, and nothing replaces them.
func (g *game) mill(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	o := 1 - p.Turn
	s := &p.Seats[o]
	n := min(e.N, s.PileSize())
	if n == 0 {
		return g.noEffect(p, w, f)
	}
	for ; f.Count < n; f.Count++ {
		if !g.topFixed(p, o, f.Count) {
			return true
		}
		s.Fixed[f.Count] |= bothKnow
		if w != nil {
			w.All("milled", g.playing(p, f).Rule, seatArg("owner", o), g.cardArg(p, o, s.Fixed[f.Count].card()))
		}
	}
	protected := g.deckOf(p, o).protected
	for i := uint8(0); i < n; {
		if t := s.Fixed[i].card(); protected.has(t) {
			i++
		} else {
			s.removeFixed(i)
			s.Discard[t]++
			n--
			if w != nil {
				w.All("discarded", g.playing(p, f).Rule, seatArg("owner", o), g.cardArg(p, o, t), flow.Said(""))
			}
		}
	}
	g.effectDone(f, true)
	return false
}

// peekDrawPile implements the first half of R13.26 (Support Tower): the owner
// looks at the top cards, as many as there are.
func (g *game) peekDrawPile(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	s := &p.Seats[p.Turn]
	n := min(e.N, s.PileSize())
	if n == 0 {
		return g.noEffect(p, w, f)
	}
	for ; f.Count < n; f.Count++ {
		if !g.topFixed(p, p.Turn, f.Count) {
			return true
		}
		s.Fixed[f.Count] |= ownerKnows
		if w != nil {
			g.tellPileCard(p, w, "look", g.playing(p, f).Rule, p.Turn, s.Fixed[f.Count])
		}
	}
	g.effectDone(f, true)
	return false
}

// looked returns how many cards the effect before the current one looks at.
func (g *game) looked(p *Position, f *Frame) uint8 {
	return g.playing(p, f).Effects[f.Effect-1].N
}

// bottomFromPeek implements the second half of R13.26 and D12: one of the cards
// seen, Protected or not (Q8), may go to the bottom. Over fewer than two cards there is
// nothing to choose (Q34).
func (g *game) bottomFromPeek(p *Position, _ *flow.Witness, f *Frame, _ *Effect) bool {
	n := min(g.looked(p, f), p.Seats[p.Turn].PileSize())
	if n < 2 {
		g.effectDone(f, false)
		return false
	}
	return p.decide(SupportDecision, p.Turn, 1<<ActEnd|(1<<n-1)<<ActSlot)
}

// chooseSupport carries out an action of D12. If a card moves, the opponent is not
// told which. It then knows a position only if every card that may lie there now
// was known to it and all of these are of one type (R16.6, Q35): where the second
// of the cards seen lay, the first or the second may lie on top now, and so on, and
// any of them at the bottom.
func (g *game) chooseSupport(p *Position, _ *flow.Witness, a engine.Action) {
	f := &p.Frames[p.Depth-1]
	if a == ActEnd {
		g.effectDone(f, false)
		return
	}
	s := &p.Seats[p.Turn]
	seen := min(g.looked(p, f), s.PileSize())
	var before [Slots]PileCard
	copy(before[:], s.Fixed[:seen])
	s.removeFixed(uint8(a - ActSlot))
	s.pushBottom(before[a-ActSlot])
	for i := range seen - 1 {
		s.Fixed[i] = s.Fixed[i].ifCertain(before[i : i+2])
	}
	last := s.Top + s.Bottom - 1
	s.Fixed[last] = s.Fixed[last].ifCertain(before[:seen])
	g.effectDone(f, true)
}
