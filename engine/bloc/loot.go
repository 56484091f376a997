package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// draw begins the drawing of n loot cards by who, keep of which stay in the hand
// (R6.2, R11.3).
func (p *Position) draw(n, keep uint8) {
	p.Now.Drawing = Drawing{n, keep}
	p.Step = drawLoot
}

// lootLeft reports whether there is a loot card to draw (R11.1).
func (p *Position) lootLeft() bool { return p.DeckSize > 0 || kindsOf(p.Discard[:]) != 0 }

// promptDraw implements R11.1 (Loot deck) and C11: cards are drawn one by one, each
// the next of a shuffled deck. When the last has been drawn the discard pile becomes
// the deck at once, or with the next draw if it was empty too. Only the last card of a
// deck is certain as far as everybody can tell: that all cards left are of one kind can be
// known from the hands alone (R13.1). With no card at all the action is legal and gives
// none (Ruling 30).
func (g *game) promptDraw(p *Position, w *flow.Witness) bool {
	for p.Now.Cards > 0 {
		g.refill(p, w)
		if p.DeckSize == 0 {
			p.Now.Cards = 0
			break
		}
		if p.DeckSize > 1 {
			return p.wait()
		}
		t, _ := only(p.Deck[:])
		g.drew(p, w, LootID(t))
	}
	p.Step = discardDrawn
	return false
}

// refill shuffles the discard pile into a new deck if the deck is empty.
func (g *game) refill(p *Position, w *flow.Witness) {
	if p.DeckSize > 0 {
		return
	}
	p.Deck, p.Discard = p.Discard, p.Deck
	for _, n := range p.Deck {
		p.DeckSize += n
	}
	if w != nil && p.DeckSize > 0 {
		w.All("loot_shuffled", "R11.1", number("cards", p.DeckSize))
	}
}

// drew carries out the drawing of one card.
func (g *game) drew(p *Position, w *flow.Witness, t LootID) {
	if w != nil {
		g.tellCard(p, w, "draw", "R11.1", p.Now.Who, g.lootCard(t))
	}
	p.Deck[t]--
	p.DeckSize--
	p.Drawn[t]++
	p.DrawnSize++
	p.Now.Cards--
	g.refill(p, w)
}

// promptDiscard implements R6.2 and D16: what exceeds the number to keep is
// discarded, the rest comes into the hand.
func (g *game) promptDiscard(p *Position, w *flow.Witness) bool {
	if p.DrawnSize > p.Now.Keep {
		legal := p.Offer()
		legal.AddBits(ActCard, uint64(kindsOf(p.Drawn[:])))
		return g.decide(p, p.Now.Who)
	}
	for t, n := range p.Drawn {
		p.Hand[p.Now.Who][t] += n
	}
	p.HandSize[p.Now.Who] += p.DrawnSize
	p.Drawn, p.DrawnSize, p.Now.Drawing = [LootCards]uint8{}, 0, Drawing{}
	if p.Now.Program != NoProgram {
		p.Step = runProgram
	} else {
		g.looted(p, w)
	}
	return false
}

func (g *game) actDiscard(p *Position, w *flow.Witness, a engine.Action) {
	t := LootID(a - ActCard)
	if w != nil {
		w.All("discarded", "R6.2", g.faction(p.Now.Who), g.lootCard(t))
	}
	p.Drawn[t]--
	p.DrawnSize--
	p.Discard[t]++
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
func (g *game) playable(p *Position) uint32 {
	set := kindsOf(p.Hand[p.Now.Who][:]) & g.box.turnCards
	for s := CellSet(set); s != 0; s &= s - 1 {
		if t := s.First(); !g.possible(p, p.Now.Who, g.box.loot[t].Effects) {
			set &^= 1 << t
		}
	}
	return set
}

// promptCard implements D17.
func (g *game) promptCard(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(ActCard, uint64(g.playable(p)))
	return g.decide(p, p.Now.Who)
}

func (g *game) actCard(p *Position, w *flow.Witness, a engine.Action) {
	card := LootID(a - ActCard)
	g.toDiscard(p, w, p.Now.Who, card)
	p.Now.Program = Program(card)
	p.Step = runProgram
}

// promptCardCell implements D18.
func (g *game) promptCardCell(p *Position, _ *flow.Witness) bool {
	e := &g.effects(p)[p.Now.Counter-1]
	return g.decideCell(p, p.Now.Who, g.fitting(p, p.Now.Who, e.Filter))
}

func (g *game) actCardCell(p *Position, _ *flow.Witness, a engine.Action) {
	p.Now.Cell = CellID(a - ActCell)
	p.Step = runProgram
}

// fitting returns the districts that meet the conditions of CHOOSE_CELL for faction f.
func (g *game) fitting(p *Position, f FactionID, conditions filter) CellSet {
	cells := p.Districts
	if conditions&hasOwnBloc != 0 {
		cells &= p.With[f]
	}
	if conditions&hasNoPolice != 0 {
		cells &^= p.Police
	}
	for s := cells; s != 0; s &= s - 1 {
		c := s.First()
		if conditions&hasCop != 0 && p.Cops[c] == 0 || conditions&hasFreeConnection != 0 && g.freeArms(p, c) == 0 {
			cells &^= at(c)
		}
	}
	return cells
}
