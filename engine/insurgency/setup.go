package insurgency

import (
	"powderkeg/engine"
)

// The frames at rest.
var (
	idleCard    = CardFrame{Operation: noOp}
	idleRemoval = RemovalFrame{From: noSpace}
	idleOp      = newOperation(noOp, 0, 0)
	idleEvent   = newEvent(0, 0)
)

// emptyBoard is a map on which nothing is.
var emptyBoard = func() (board [numSpaces]Site) {
	for i := range board {
		board[i].Status = unmarked
	}
	return board
}()

// newPosition implements R16.1-R16.3 (set-up) up to the first choice or draw: the
// board, money and markers. A preset scenario is the example of the data unless a position
// gives another.
func (g *game) newPosition() Position {
	s := &g.box.scenarios[g.scenario]
	p := Position{
		Resources: s.resources, Reserves: s.reserves, Social: g.social,
		Plague: noSpace, Testing: noSpace, Result: Result{Winner: nobody},
		Card: idleCard, Removal: idleRemoval, Op: idleOp, Event: idleEvent, Phase: dealing, Round: 1,
	}
	board := s
	if g.scenario == custom {
		switch g.mode {
		case modePreset:
			board, p.Phase = &g.box.preset, setUpTests
		default: // R16.4: the Federal begins
			p.Phase, p.Side = setUpSpaces, federal
		}
	}
	p.Spaces = board.board
	p.countPieces()
	for n := CardID(1); n <= numEvents; n++ {
		if tag := g.box.programs[n].tag; tag != "" && tag != g.keepTag {
			p.Removed.add(n)
		}
	}
	p.ToDeal = [numSeats]uint8{g.box.openingHand, g.box.openingHand}
	return p
}

// countPieces adds up the pieces on the map. It reports what the sums are, which may be more
// than a position holds while it is only given.
func (p *Position) countPieces() (total [numPieces]int) {
	for i := range p.Spaces {
		s := &p.Spaces[i]
		total[agent] += int(s.Agents)
		total[militia] += int(s.Sleepers) + int(s.Active)
		total[federalBase] += int(s.FederalBases)
		total[rebelBase] += int(s.RebelBases)
	}
	for k, n := range total {
		p.OnMap[k] = uint8(n)
	}
	return total
}

// deck returns the event cards that are nowhere else (R17.1). In a view these are
// the cards that may be in the deck or in the other hand.
func (p *Position) deck() CardSet {
	return allEvents.less(p.Hand[rebel]).less(p.Hand[federal]).less(p.Discards).less(p.Removed)
}

var allEvents = CardSet{1<<64 - 1, 1<<(numEvents-64) - 1}

// deckSize returns the number of cards in the event deck; it holds in views too.
func (p *Position) deckSize() int {
	return numEvents - p.Discards.Count() - p.Removed.Count() - int(p.HandSize[rebel]) - int(p.HandSize[federal])
}

// deal implements R16.1 and R15 step 7: the Rebel's hand is dealt, then the
// Federal's (Q41), card by card (C1). The last card of a deck is no chance event.
func (b Board) deal() bool {
	side := rebel
	if b.ToDeal[rebel] == 0 {
		side = federal
	}
	if b.ToDeal[side] == 0 {
		if b.Round == 1 {
			b.Phase = layingOut
		} else {
			b.beginRound()
		}
		return false
	}
	if deck := b.deck(); deck.Count() > 1 {
		return b.wait(chanceDeal)
	} else if deck.Count() == 1 {
		b.dealCard(deck.First())
		return false
	}
	b.ToDeal = [numSeats]uint8{} // a lenient position with too few cards
	return false
}

// dealCard gives the next card to the side whose hand is being dealt.
func (b Board) dealCard(n CardID) {
	side := b.dealtTo()
	b.Hand[side].add(n)
	b.HandSize[side]++
	b.ToDeal[side]--
	rule := "R15"
	if b.Round == 1 {
		rule = "R16.1"
	}
	b.tellTo(1<<side, cardGiven, rule, side, n)
}

// cardsToDeal and cardDealt are C1.
func (b Board) cardsToDeal() CardSet { return b.deck() }

func (b Board) cardDealt(a engine.Action) {
	b.dealCard(CardID(a-outDeal) + 1)
}

// dealtTo returns whose hand is being dealt.
func (b Board) dealtTo() Side {
	if b.ToDeal[rebel] > 0 {
		return rebel
	}
	return federal
}

// layOut implements R16.1 (stories): three to the pool, then one to each slot from 1
// on. Round 1 follows.
func (b Board) layOut() bool {
	if b.Drawn != 0 {
		if b.Pool.Count() < poolSize {
			b.keepStory("R16.1")
		} else {
			b.showStory("R16.1", b.emptySlot(), b.Drawn)
		}
		b.Drawn = 0
		return false
	}
	if b.Pool.Count() == poolSize && b.emptySlot() == numSlots {
		b.beginRound()
		return false
	}
	return b.drawStory()
}

// emptySlot returns the first slot without a story, numSlots if all have one.
func (p *Position) emptySlot() uint8 {
	for i, n := range p.Slots {
		if n == 0 {
			return uint8(i)
		}
	}
	return numSlots
}

// gap reports whether an empty slot comes before a full one.
func (p *Position) gap() bool {
	for _, n := range p.Slots[p.emptySlot():] {
		if n != 0 {
			return true
		}
	}
	return false
}

// beginRound implements R6.2: the Rebel plays first.
func (b Board) beginRound() {
	b.tell(roundBegun, "R6.1", b.Round)
	b.Phase = actionPhase
	b.Side = federal // the pair before the first
	b.PairLeft = 0
	b.nextPair()
}
