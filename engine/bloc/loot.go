package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// draw begins the drawing of n loot cards by who, keep of which stay in the hand
// (R6.2, R11.3).
func (p *position) draw(n, keep uint8) {
	p.now.left, p.now.keep = n, keep
	p.step = drawLoot
}

// lootLeft reports whether there is a loot card to draw (R11.1).
func (p *position) lootLeft() bool { return p.deckSize > 0 || kindsOf(p.discard[:]) != 0 }

// promptDraw implements R11.1 (Loot deck) and C11: cards are drawn one by one, each
// the next of a shuffled deck. When the last has been drawn the discard pile becomes
// the deck at once, or with the next draw if it was empty too. Only the last card of a
// deck is certain as far as everybody can tell: that all cards left are of one kind can be
// known from the hands alone (R13.1). With no card at all the action is legal and gives
// none (Ruling 30).
func (g *game) promptDraw(p *position, w *flow.Witness) bool {
	for p.now.left > 0 {
		g.refill(p, w)
		if p.deckSize == 0 {
			p.now.left = 0
			break
		}
		if p.deckSize > 1 {
			return p.wait()
		}
		t, _ := only(p.deck[:])
		g.drew(p, w, t)
	}
	p.step = discardDrawn
	return false
}

// refill shuffles the discard pile into a new deck if the deck is empty.
func (g *game) refill(p *position, w *flow.Witness) {
	if p.deckSize > 0 {
		return
	}
	p.deck, p.discard = p.discard, p.deck
	for _, n := range p.deck {
		p.deckSize += n
	}
	if w != nil && p.deckSize > 0 {
		w.All("loot_shuffled", "R11.1", number("cards", p.deckSize))
	}
}

// drew carries out the drawing of one card.
func (g *game) drew(p *position, w *flow.Witness, t uint8) {
	if w != nil {
		g.tellCard(p, w, "draw", "R11.1", p.now.who, g.lootCard(t))
	}
	p.deck[t]--
	p.deckSize--
	p.drawn[t]++
	p.drawnSize++
	p.now.left--
	g.refill(p, w)
}

// promptDiscard implements R6.2 and D16: what exceeds the number to keep is
// discarded, the rest comes into the hand.
func (g *game) promptDiscard(p *position, w *flow.Witness) bool {
	if p.drawnSize > p.now.keep {
		legal := p.Offer()
		legal.AddBits(actCard, uint64(kindsOf(p.drawn[:])))
		return g.decide(p, p.now.who)
	}
	for t, n := range p.drawn {
		p.hand[p.now.who][t] += n
	}
	p.handSize[p.now.who] += p.drawnSize
	p.drawn, p.drawnSize, p.now.keep = [numLoot]uint8{}, 0, 0
	if p.now.program != noProgram {
		p.step = runProgram
	} else {
		g.looted(p, w)
	}
	return false
}

func (g *game) actDiscard(p *position, w *flow.Witness, a engine.Action) {
	t := uint8(a - actCard)
	if w != nil {
		w.All("discarded", "R6.2", g.faction(p.now.who), g.lootCard(t))
	}
	p.drawn[t]--
	p.drawnSize--
	p.discard[t]++
}

// only returns the one kind that the counts hold, and false if there are several or
// none.
func only(counts []uint8) (uint8, bool) {
	found := -1
	for t, n := range counts {
		if n == 0 {
			continue
		}
		if found >= 0 {
			return 0, false
		}
		found = t
	}
	return uint8(max(found, 0)), found >= 0
}

// playable implements R11.2 (Windows) and R11.3: the cards of the hand that may be
// played at D2, a bit set. A card may be played if every effect can be carried out.
func (g *game) playable(p *position) uint32 {
	set := kindsOf(p.hand[p.now.who][:]) & g.turnCards()
	for s := cellSet(set); s != 0; s &= s - 1 {
		if t := s.first(); !g.possible(p, p.now.who, g.box.loot[t].Effects) {
			set &^= 1 << t
		}
	}
	return set
}

// turnCards returns the cards of the window turn.
func (g *game) turnCards() uint32 {
	set := uint32(0)
	for t := range g.box.loot {
		if g.box.loot[t].Window == turnWindow {
			set |= 1 << t
		}
	}
	return set
}

// promptCard implements D17.
func (g *game) promptCard(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(actCard, uint64(g.playable(p)))
	return g.decide(p, p.now.who)
}

func (g *game) actCard(p *position, w *flow.Witness, a engine.Action) {
	card := uint8(a - actCard)
	g.toDiscard(p, w, p.now.who, card)
	p.now.program = program(card)
	p.step = runProgram
}

// promptCardCell implements D18.
func (g *game) promptCardCell(p *position, _ *flow.Witness) bool {
	e := &g.effects(p)[p.now.counter-1]
	return g.decideCell(p, p.now.who, g.fitting(p, p.now.who, e.Filter))
}

func (g *game) actCardCell(p *position, _ *flow.Witness, a engine.Action) {
	p.now.cell = uint8(a - actCell)
	p.step = runProgram
}

// fitting returns the districts that meet the conditions of CHOOSE_CELL for faction f.
func (g *game) fitting(p *position, f uint8, conditions filter) cellSet {
	cells := p.districts
	if conditions&hasOwnBloc != 0 {
		cells &= p.with[f]
	}
	if conditions&hasNoPolice != 0 {
		cells &^= p.police
	}
	for s := cells; s != 0; s &= s - 1 {
		c := s.first()
		if conditions&hasCop != 0 && p.cops[c] == 0 || conditions&hasFreeConnection != 0 && g.freeArms(p, c) == 0 {
			cells &^= at(c)
		}
	}
	return cells
}
