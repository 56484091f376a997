package bloc

import (
	"powderkeg/engine"
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
func (b Board) promptDraw() bool {
	for b.Now.Cards > 0 {
		b.refill()
		if b.DeckSize == 0 {
			b.Now.Cards = 0
			break
		}
		if b.DeckSize > 1 {
			return b.wait()
		}
		t, _ := only(b.Deck[:])
		b.drew(LootID(t))
	}
	b.Step = discardDrawn
	return false
}

// refill shuffles the discard pile into a new deck if the deck is empty.
func (b Board) refill() {
	if b.DeckSize > 0 {
		return
	}
	b.Deck, b.Discard = b.Discard, b.Deck
	for _, n := range b.Deck {
		b.DeckSize += n
	}
	if b.DeckSize > 0 {
		b.tell(lootShuffled, "R11.1", b.DeckSize)
	}
}

// drew carries out the drawing of one card.
func (b Board) drew(t LootID) {
	b.tellTo(b.seatOf(b.Now.Who), cardDrawn, "R11.1", b.Now.Who, t)
	b.Deck[t]--
	b.DeckSize--
	b.Drawn[t]++
	b.DrawnSize++
	b.Now.Cards--
	b.refill()
}

// promptDiscard implements R6.2 and D16: what exceeds the number to keep is
// discarded, the rest comes into the hand.
func (b Board) promptDiscard() bool {
	if b.DrawnSize > b.Now.Keep {
		legal := b.Offer()
		legal.AddBits(ActCard, uint64(kindsOf(b.Drawn[:])))
		return b.decide(b.Now.Who)
	}
	for t, n := range b.Drawn {
		b.Hand[b.Now.Who][t] += n
	}
	b.HandSize[b.Now.Who] += b.DrawnSize
	b.Drawn, b.DrawnSize, b.Now.Drawing = [LootCards]uint8{}, 0, Drawing{}
	if b.Now.Program != NoProgram {
		b.Step = runProgram
	} else {
		b.looted()
	}
	return false
}

func (b Board) actDiscard(a engine.Action) {
	t := LootID(a - ActCard)
	b.tell(cardDiscarded, "R6.2", b.Now.Who, t)
	b.Drawn[t]--
	b.DrawnSize--
	b.Discard[t]++
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
func (b Board) playable() uint32 {
	set := kindsOf(b.Hand[b.Now.Who][:]) & b.box.turnCards
	for s := CellSet(set); s != 0; s &= s - 1 {
		if t := s.First(); !b.possible(b.Now.Who, b.box.loot[t].Effects) {
			set &^= 1 << t
		}
	}
	return set
}

// promptCard implements D17.
func (b Board) promptCard() bool {
	legal := b.Offer()
	legal.AddBits(ActCard, uint64(b.playable()))
	return b.decide(b.Now.Who)
}

func (b Board) actCard(a engine.Action) {
	card := LootID(a - ActCard)
	b.toDiscard(b.Now.Who, card)
	b.Now.Program = Program(card)
	b.Step = runProgram
}

// promptCardCell implements D18.
func (b Board) promptCardCell() bool {
	e := &b.effects()[b.Now.Counter-1]
	return b.decideCell(b.Now.Who, b.fitting(b.Now.Who, e.Filter))
}

func (b Board) actCardCell(a engine.Action) {
	b.Now.Cell = CellID(a - ActCell)
	b.Step = runProgram
}

// fitting returns the districts that meet the conditions of CHOOSE_CELL for faction f.
func (b Board) fitting(f FactionID, conditions filter) CellSet {
	cells := b.Districts
	if conditions&hasOwnBloc != 0 {
		cells &= b.With[f]
	}
	if conditions&hasNoPolice != 0 {
		cells &^= b.Police
	}
	for s := cells; s != 0; s &= s - 1 {
		c := s.First()
		if conditions&hasCop != 0 && b.Cops[c] == 0 || conditions&hasFreeConnection != 0 && b.freeArms(c) == 0 {
			cells &^= at(c)
		}
	}
	return cells
}
