package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Op is a primitive of the card texts.
type Op uint8

const (
	PlaceStayToken Op = iota
	PeekLocationPile
	RevealLocationCard
	LoseMorale
	PlayCard
	DrawCards
	MoveCards
	BottomFromDiscard
	BottomFromPlay
	Mill
	RandomDiscard
	DiscardInPlay
	DiscardSelf
	PeekDrawPile
	BottomFromPeek
	MoveEndMarker
	// The rest are no played abilities: Scramblers move in play.go, the others act in
	// resolution.go.
	MoveSelf
	AddBattleLocation
	RemoveBattleLocation
	GainMorale
	numOps
)

// opNames are the words of data/cards.json.
var opNames = [numOps]string{
	"place_stay_token", "peek_location_pile", "reveal_location_card", "lose_morale", "play_card", "draw",
	"move_cards", "bottom_from_discard", "bottom_from_play", "mill", "random_discard", "discard_in_play",
	"discard_self", "peek_draw_pile", "bottom_from_peek", "move_end_marker", "move_self",
	"add_battle_location", "remove_battle_location", "gain_morale",
}

// played are the primitives of played abilities. Each carries one out for the topmost
// play; if it must wait for a decision or for chance it returns true and is entered
// again afterwards, and f.count tells how far it is.
var played = [MoveEndMarker + 1]func(*game, *Position, *flow.Witness, *Frame, *Effect) bool{
	PlaceStayToken:     (*game).placeStayToken,
	PeekLocationPile:   (*game).peekLocationPile,
	RevealLocationCard: (*game).revealLocationCard,
	LoseMorale:         (*game).payMorale,
	PlayCard:           (*game).playCard,
	DrawCards:          (*game).drawCards,
	MoveCards:          (*game).moveCards,
	BottomFromDiscard:  (*game).bottomFromDiscard,
	BottomFromPlay:     (*game).bottomFromPlay,
	Mill:               (*game).mill,
	RandomDiscard:      (*game).randomDiscard,
	DiscardInPlay:      (*game).discardInPlay,
	DiscardSelf:        (*game).discardSelf,
	PeekDrawPile:       (*game).peekDrawPile,
	BottomFromPeek:     (*game).bottomFromPeek,
	MoveEndMarker:      (*game).moveEndMarker,
}

// act carries out the own ability of the topmost play, effect by effect
// (R9.7-R9.8).
func (g *game) act(p *Position, w *flow.Witness, f *Frame) bool {
	c := g.playing(p, f)
	if int(f.Effect) == len(c.Effects) {
		f.Stage, f.Effect, f.Previous = triggering, 0, false
		return false
	}
	e := &c.Effects[f.Effect]
	if e.IfPrevious && !f.Previous {
		g.effectDone(f, false)
		return false
	}
	return played[e.Op](g, p, w, f, e)
}

// playing returns the card of a play, kind its type in the deck of the player on turn.
func (g *game) playing(_ *Position, f *Frame) *Card { return g.box.cards[f.Card] }

func (g *game) kind(p *Position, f *Frame) TypeID { return TypeID(f.Card - g.deckOf(p, p.Turn).first) }

// currentEffect returns the effect that the topmost play is carrying out.
func (g *game) currentEffect(p *Position) *Effect {
	f := &p.Frames[p.Depth-1]
	return &g.playing(p, f).Effects[f.Effect]
}

// effectDone goes on to the next effect; done reports whether this one was carried
// out (R9.8).
func (g *game) effectDone(f *Frame, done bool) {
	f.Effect++
	f.Count, f.Chosen = 0, noPlace
	f.Previous = done
}

// noEffect goes on from an effect that can't be carried out (R9.7).
func (g *game) noEffect(p *Position, w *flow.Witness, f *Frame) bool {
	if w != nil {
		c := g.playing(p, f)
		w.All("no_effect", c.Rule, seatArg("seat", p.Turn), flow.Arg("card", c.Key), flow.Arg("effect", opNames[c.Effects[f.Effect].Op]))
	}
	g.effectDone(f, false)
	return false
}

// placeStayToken implements R13.1 (Guardian Angel), R13.31 (Anchorite) and R1.5:
// a token from the supply, if it has one, which Q22 says it always has.
func (g *game) placeStayToken(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	used := uint8(0)
	for i := range p.Seats {
		used += uint8(sum(p.Seats[i].Tokens[:]))
	}
	n := min(e.N, g.box.tokenSupply-used)
	p.Seats[p.Turn].Tokens[f.Place] += n
	if w != nil {
		c := g.playing(p, f)
		w.All("stay_token", c.Rule, seatArg("seat", p.Turn), flow.Arg("card", c.Key), placeArg("location", f.Place))
	}
	g.effectDone(f, n > 0)
	return false
}

// payMorale implements R13.7 (Master of Fire), also with less morale than it costs.
func (g *game) payMorale(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	rule := g.playing(p, f).Rule
	g.effectDone(f, true)
	g.loseMorale(p, w, p.Turn, uint16(e.N), rule)
	return false
}

// peekLocationPile implements R13.3 (Explorer), R13.32 (Pathfinder) and R16.4.
func (g *game) peekLocationPile(p *Position, w *flow.Witness, f *Frame, _ *Effect) bool {
	l := &p.Locs[p.Turn]
	if l.left() == 0 {
		return g.noEffect(p, w, f)
	}
	if !g.topLocation(p, w, p.Turn) {
		return true
	}
	l.TopKnown = true
	if w != nil {
		tellLocationCard(w, "next_location", g.playing(p, f).Rule, p.Turn, l.Fixed[0])
	}
	g.effectDone(f, true)
	return false
}

// revealLocationCard implements R13.6 (Patriot).
func (g *game) revealLocationCard(p *Position, w *flow.Witness, f *Frame, _ *Effect) bool {
	l := &p.Locs[p.Turn]
	if l.Card == 0 || l.Revealed {
		return g.noEffect(p, w, f)
	}
	l.Revealed = true
	if w != nil {
		w.All("location_shown", g.playing(p, f).Rule, seatArg("seat", p.Turn), flow.Arg("location", int(l.Card)))
	}
	g.effectDone(f, true)
	return false
}

// playCard implements R13.9 (Conjurer) with D7 and R13.12 (Good-for-Something)
// with D8: a nested play, not to be declined (Q29), of any card that has a legal
// Location, Protected or not (Q8).
func (g *game) playCard(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	from, question := &p.Seats[p.Turn].Discard, ConjurerDecision
	if e.From == OwnHand {
		from, question = &p.Seats[p.Turn].Hand, SomethingDecision
	}
	types := g.playable(p, p.Turn, from)
	if types == 0 {
		return g.noEffect(p, w, f)
	}
	return p.decide(question, p.Turn, g.cardActions(p, p.Turn, types))
}

// moveCards implements R13.13 (Gangan Bit), Q25 and R19.2: every card with the
// trait, of both players, comes here, whatever the total becomes.
func (g *game) moveCards(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	for s := range SeatID(numSeats) {
		types := g.deckOf(p, s).traits[e.Trait]
		for t := TypeID(0); types != 0; t, types = t+1, types>>1 {
			if types&1 == 0 {
				continue
			}
			for place := range Place(Places) {
				n := p.Seats[s].Play[place][t]
				if n == 0 || place == f.Place {
					continue
				}
				for range n {
					g.lift(p, s, t, place)
					g.lay(p, s, t, f.Place)
				}
				if w != nil {
					w.All("gathered", g.playing(p, f).Rule, seatArg("owner", s), g.cardArg(p, s, t), flow.Arg("number", int(n)),
						placeArg("from", place), placeArg("to", f.Place), flow.Said(times(n, g.deckOf(p, s).cards[t].Name)))
				}
			}
		}
	}
	g.effectDone(f, true)
	return false
}

// randomDiscard implements R13.22 (Assassin) and C4, which is left out where all
// cards of the hand are alike.
func (g *game) randomDiscard(p *Position, w *flow.Witness, f *Frame, _ *Effect) bool {
	s := &p.Seats[1-p.Turn]
	if s.HandSize == 0 {
		return g.noEffect(p, w, f)
	}
	if t, ok := only(&s.Hand); ok {
		g.hit(p, w, t)
		return false
	}
	return p.wait(askHit, engine.Chance)
}

// hit carries out C4: the card is shown; a Protected one stays, and one copy is
// proven (R16.2, Q32).
func (g *game) hit(p *Position, w *flow.Witness, t TypeID) {
	s, f, stays := &p.Seats[1-p.Turn], &p.Frames[p.Depth-1], g.deckOf(p, 1-p.Turn).protected.has(t)
	if w != nil {
		w.All("hit", g.playing(p, f).Rule, seatArg("owner", 1-p.Turn), g.cardArg(p, 1-p.Turn, t), flow.Arg("discarded", !stays))
	}
	if stays {
		s.Revealed[t] = max(s.Revealed[t], 1)
	} else {
		s.takeFromHand(t)
		s.Discard[t]++
	}
	g.effectDone(f, true)
}

// discardInPlay implements R13.25 (Bomb Tower), Q19, Q20 and D11: one of the
// opponent's cards at this Location that is not Protected. Face-down cards are
// named by slot. Where a type lies there with and without a Stay token, its
// card action means one with, and SLOT_1 one without.
func (g *game) discardInPlay(p *Position, w *flow.Witness, f *Frame, _ *Effect) bool {
	o := 1 - p.Turn
	s, d := &p.Seats[o], g.deckOf(p, o)
	legal := g.cardActions(p, o, typesOf(&s.Play[f.Place])&^d.protected)
	legal |= (1<<s.downCount(f.Place) - 1) << ActSlot
	if d.tokened != noType && s.Tokens[f.Place] > 0 && s.Play[f.Place][d.tokened] > s.Tokens[f.Place] {
		legal |= 1 << ActSlot
	}
	if legal == 0 {
		return g.noEffect(p, w, f)
	}
	return p.decide(BombDecision, p.Turn, legal)
}

// chooseBomb carries out an action of D11.
func (g *game) chooseBomb(p *Position, w *flow.Witness, a engine.Action) {
	f := &p.Frames[p.Depth-1]
	o := 1 - p.Turn
	s, d := &p.Seats[o], g.deckOf(p, o)
	t := d.tokened
	switch {
	case a >= ActCard:
		t = g.cardType(p, o, a)
		g.discardFaceUp(p, o, t, f.Place, t == d.tokened && s.Tokens[f.Place] > 0)
	case s.downCount(f.Place) > 0:
		slot := uint8(a - ActSlot)
		t = g.liftDown(p, o, f.Place, slot)
		s.Discard[t]++
		if w != nil {
			g.tellTurnedUp(p, w, "R13.21", o, t, f.Place, slot)
		}
	default:
		g.discardFaceUp(p, o, t, f.Place, false)
	}
	if w != nil {
		g.tellDiscarded(p, w, o, t, f.Place)
	}
	g.effectDone(f, true)
}

// discardSelf implements the second half of R13.25.
func (g *game) discardSelf(p *Position, w *flow.Witness, f *Frame, _ *Effect) bool {
	t := g.kind(p, f)
	g.discardFaceUp(p, p.Turn, t, f.Place, false)
	if w != nil {
		g.tellDiscarded(p, w, p.Turn, t, f.Place)
	}
	g.effectDone(f, true)
	return false
}

// discardFaceUp puts a face-up card in play on its owner's discard; its token, if
// it is one with a token, goes back to the supply (R1.5).
func (g *game) discardFaceUp(p *Position, s SeatID, t TypeID, place Place, token bool) {
	g.lift(p, s, t, place)
	p.Seats[s].Discard[t]++
	if token {
		p.Seats[s].Tokens[place]--
	}
}

// moveEndMarker implements R13.28 (Chronicler).
func (g *game) moveEndMarker(p *Position, w *flow.Witness, f *Frame, e *Effect) bool {
	if p.EndMarker == g.box.endMax {
		return g.noEffect(p, w, f)
	}
	p.EndMarker = min(p.EndMarker+e.N, g.box.endMax)
	if w != nil {
		w.All("end_marker", g.playing(p, f).Rule, flow.Arg("end_marker", int(p.EndMarker)))
	}
	g.effectDone(f, true)
	return false
}
