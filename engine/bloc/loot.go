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

// promptDraw implements R11.1 (Loot deck) and C11: cards are drawn one by one from a shuffled
// deck. Once the deck is empty, the discard pile becomes the new deck, at the next draw if it
// is empty too. Only the last card of a deck is drawn without a chance event: that all cards
// left are of one kind can follow from hidden hands (R13.1). If there is no card at all, the
// action is still legal and yields none (Ruling 30).
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

// promptDiscard implements R6.2 and D16: cards in excess of the number to keep are discarded;
// the rest go to the hand.
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

// only returns the single kind that is counted, and false if there are several or none.
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
		if t := s.First(); !b.CanPlay(b.Now.Who, LootID(t)) {
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
	return b.decideCell(b.Now.Who, b.cardCells(b.Now.Who, LootID(b.Now.Program)))
}

func (b Board) actCardCell(a engine.Action) {
	b.Now.Cell = CellID(a - ActCell)
	b.Step = runProgram
}

// cardCells returns the districts that a loot card of faction f can be about: all have a bloc
// of it, and those of Fireworks a riot cop, of Lumber no police and a connection with room for
// a barricade, of a Megaphone no police.
func (b Board) cardCells(f FactionID, card LootID) CellSet {
	switch card {
	case CardFireworks:
		cells := b.With[f] & b.Police
		for s := cells; s != 0; s &= s - 1 {
			if b.Cops[s.First()] == 0 {
				cells &^= at(s.First())
			}
		}
		return cells
	case CardLumber:
		return b.barricadeCells(f)
	}
	return b.With[f] &^ b.Police
}

// The loot cards of a turn (R11.3): for each whether faction f could carry it out, then what
// it does. A number is that on the card.

func (b Board) chooseDistrict() { b.Step = cardCell }

func (b Board) mayFireworks(f FactionID) bool { return b.cardCells(f, CardFireworks) != 0 }

func (b Board) fireworks() { b.Now.Kicks, b.Step = b.box.loot[CardFireworks].number, kickArm }

func (b Board) rollForReaction() { b.Step = rollReaction }

func (b Board) mayMove(f FactionID) bool { return b.sources(f, false) != 0 }

func (b Board) moveFree() { b.Step = moveSource }

func (b Board) maySmokeBombs(f FactionID) bool { return b.sources(f, true) != 0 }

func (b Board) mayBoltCutters(FactionID) bool { return b.Bolt == 0 && b.bestDie() > 0 }

func (b Board) boltCutters() {
	b.Bolt = b.box.loot[CardBoltCutters].number
	b.tell(boltsCut, "R11.3", b.Now.Who, b.Bolt)
}

func (b Board) mayEnergyDrinks(FactionID) bool { return b.roomForExtra() }

func (b Board) energyDrinks() { b.extraDice("R11.3", b.box.loot[CardEnergyDrinks].number) }

func (b Board) mayMegaphone(f FactionID) bool {
	return b.Mat[f] > 0 && b.cardCells(f, CardMegaphone) != 0
}

func (b Board) megaphone() {
	b.form("R11.3", b.Now.Who, b.Now.Cell, b.box.loot[CardMegaphone].number)
}

func (b Board) mayLumber(f FactionID) bool { return b.cardCells(f, CardLumber) != 0 }

func (b Board) lumber() { b.Now.Barricades, b.Step = b.box.loot[CardLumber].number, barricadeArm }

// maySignalJammer implements R8.1, too: there is a police ops card left to be drawn.
func (b Board) maySignalJammer(FactionID) bool { return b.Jammers < b.OpsCards() }

func (b Board) signalJammer() {
	b.Jammers += b.box.loot[CardSignalJammer].number
	b.tell(opsJammed, "R11.3", b.Jammers)
}
