package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The frames at rest.
var (
	idleCard    = cardFrame{operation: noOp}
	idleRemoval = removalFrame{from: noSpace}
	idleOp      = newOperation(noOp, 0, 0)
	idleEvent   = eventFrame{from: noSpace, to: noSpace}
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
func (g *game) newPosition() position {
	s := &g.box.scenarios[g.scenario]
	p := position{
		resources: s.resources, reserves: s.reserves, social: g.social,
		plague: noSpace, testing: noSpace, result: result{winner: nobody},
		card: idleCard, removal: idleRemoval, op: idleOp, event: idleEvent, phase: dealing, round: 1,
	}
	board := s
	if g.scenario == custom {
		switch g.mode {
		case modePreset:
			board, p.phase = &g.box.preset, setUpTests
		default: // R16.4: the Federal begins
			p.phase, p.side = setUpSpaces, federal
		}
	}
	g.layBoard(&p, board)
	for n := uint8(1); n <= numEvents; n++ {
		if tag := g.box.programs[n].tag; tag != "" && tag != g.keepTag {
			p.removed.add(n)
		}
	}
	p.toDeal = [numSeats]uint8{g.box.openingHand, g.box.openingHand}
	return p
}

// layBoard puts statuses and pieces on the map.
func (g *game) layBoard(p *position, s *scenario) {
	p.spaces = s.board
	p.countPieces()
}

// countPieces adds up the pieces on the map.
func (p *position) countPieces() {
	p.onMap = [numPieces]uint8{}
	for i := range p.spaces {
		p.onMap[agent] += p.spaces[i].Agents
		p.onMap[militia] += p.spaces[i].Sleepers + p.spaces[i].Active
		p.onMap[federalBase] += p.spaces[i].FederalBases
		p.onMap[rebelBase] += p.spaces[i].RebelBases
	}
}

// deck returns the event cards that are nowhere else (R17.1). In a view these are
// the cards that may be in the deck or in the other hand.
func (p *position) deck() cardSet {
	return allEvents.less(p.hand[rebel]).less(p.hand[federal]).less(p.discards).less(p.removed)
}

var allEvents = cardSet{1<<64 - 1, 1<<(numEvents-64) - 1}

// deckSize returns the number of cards in the event deck; it holds in views too.
func (p *position) deckSize() int {
	return numEvents - p.discards.count() - p.removed.count() - int(p.handSize[rebel]) - int(p.handSize[federal])
}

// deal implements R16.1 and R15 step 7: the Rebel's hand is dealt, then the
// Federal's (Q41), card by card (C1). The last card of a deck is no chance event.
func (g *game) deal(p *position, w *flow.Witness) bool {
	side := rebel
	if p.toDeal[rebel] == 0 {
		side = federal
	}
	if p.toDeal[side] == 0 {
		if p.round == 1 {
			p.phase = layingOut
		} else {
			g.beginRound(p, w)
		}
		return false
	}
	if deck := p.deck(); deck.count() > 1 {
		return p.wait(chanceDeal)
	} else if deck.count() == 1 {
		g.dealCard(p, w, deck.first())
		return false
	}
	p.toDeal = [numSeats]uint8{} // a lenient position with too few cards
	return false
}

// dealCard gives the next card to the side whose hand is being dealt.
func (g *game) dealCard(p *position, w *flow.Witness, n uint8) {
	side := g.dealtTo(p)
	p.hand[side].add(n)
	p.handSize[side]++
	p.toDeal[side]--
	if w != nil {
		rule := "R15"
		if p.round == 1 {
			rule = "R16.1"
		}
		w.Some(1<<side, "dealt", rule, bySeat("side", side), flow.Arg("card", int(n)))
		w.Others(1<<side, "dealt", rule, bySeat("side", side))
	}
}

// cardsToDeal and cardDealt are C1.
func (g *game) cardsToDeal(p *position) cardSet { return p.deck() }

func (g *game) cardDealt(p *position, w *flow.Witness, a engine.Action) {
	g.dealCard(p, w, uint8(a-outDeal)+1)
}

// dealtTo returns whose hand is being dealt.
func (g *game) dealtTo(p *position) uint8 {
	if p.toDeal[rebel] > 0 {
		return rebel
	}
	return federal
}

// layOut implements R16.1 (stories): three to the pool, then one to each slot from 1
// on. Round 1 follows.
func (g *game) layOut(p *position, w *flow.Witness) bool {
	if p.drawn != 0 {
		if p.pool.count() < poolSize {
			g.keepStory(p, w, "R16.1")
		} else {
			g.showStory(p, w, "R16.1", p.emptySlot(), p.drawn)
		}
		p.drawn = 0
		return false
	}
	if p.pool.count() == poolSize && p.emptySlot() == numSlots {
		g.beginRound(p, w)
		return false
	}
	return g.drawStory(p, w)
}

// emptySlot returns the first slot without a story, numSlots if all have one.
func (p *position) emptySlot() uint8 {
	for i, n := range p.slots {
		if n == 0 {
			return uint8(i)
		}
	}
	return numSlots
}

// gap reports whether an empty slot comes before a full one.
func (p *position) gap() bool {
	for _, n := range p.slots[p.emptySlot():] {
		if n != 0 {
			return true
		}
	}
	return false
}

// beginRound implements R6.2: the Rebel plays first.
func (g *game) beginRound(p *position, w *flow.Witness) {
	if w != nil {
		w.All("round", "R6.1", flow.Arg("round", int(p.round)))
	}
	p.phase = actionPhase
	p.side = federal // the pair before the first
	p.pairLeft = 0
	g.nextPair(p, w)
}
