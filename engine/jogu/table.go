package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The decisions of data/decisions.json and the chance events, the rows of the table.
const (
	askDiscard     uint8 = iota // D1
	askTurn                     // D2
	askPlace                    // D3
	askStorm                    // D4
	askOrder                    // D5
	askScrambler                // D6
	askConjure                  // D7
	askSomething                // D8
	askMedic                    // D9
	askTrojanPlace              // D10a
	askTrojanCard               // D10b
	askBomb                     // D11
	askSupport                  // D12
	numDecisions
)

// The chance events, behind the decisions.
const (
	askFaction  = numDecisions + iota // a faction drawn by lot (Q5)
	askStart                          // C3
	askDraw                           // top card of a draw pile (C1)
	askLocation                       // top Location Card (C2, C5)
	askHit                            // C4
	askNothing                        // the game is over
)

type row = flow.Row[*game, Position]

// newTable makes the table of the game.
func (g *game) newTable() []row {
	return []row{
		askDiscard:     {Name: "D1", Rule: "R6.1", Do: (*game).chooseDiscard, Untold: true}, // R16.10
		askTurn:        {Name: "D2", Rule: "R8.2", Do: (*game).chooseTurn},
		askPlace:       {Name: "D3", Rule: "R9.2", Do: (*game).choosePlace},
		askStorm:       {Name: "D4", Rule: "R13.11", Do: (*game).choosePlace},
		askOrder:       {Name: "D5", Rule: "R9.4", Do: (*game).chooseOrder},
		askScrambler:   {Name: "D6", Rule: "R13.15", Do: (*game).chooseScrambler},
		askConjure:     {Name: "D7", Rule: "R13.9", Do: (*game).choosePlay},
		askSomething:   {Name: "D8", Rule: "R13.12", Do: (*game).choosePlay},
		askMedic:       {Name: "D9", Rule: "R13.14", Do: (*game).chooseMedic},
		askTrojanPlace: {Name: "D10a", Rule: "R13.16", Do: (*game).chooseTrojanPlace},
		askTrojanCard:  {Name: "D10b", Rule: "R13.16", Do: (*game).chooseTrojanCard},
		askBomb:        {Name: "D11", Rule: "R13.25", Do: (*game).chooseBomb},
		askSupport:     {Name: "D12", Rule: "R13.26", Do: (*game).chooseSupport},
		askFaction:     {Name: "faction", Rule: "R4.1", Do: (*game).factionDrawn, Odds: flow.Die[*game, Position](0, g.decks)},
		askStart:       {Name: "C3", Rule: "R4.4", Do: (*game).startDrawn, Odds: flow.Die[*game, Position](g.outStart, numSeats)},
		askDraw:        {Name: "draw", Rule: "R1.2", Do: (*game).cardTurnedUp, Odds: cardOdds(g.outDraw, (*game).middle)},
		askLocation:    {Name: "location", Rule: "R7.2", Do: (*game).locationTurnedUp, Odds: flow.Cards(g.outLocation, (*game).unknownLocations)},
		askHit:         {Name: "C4", Rule: "R13.22", Do: (*game).cardHit, Odds: cardOdds(g.outHit, (*game).struckHand)},
		askNothing:     {},
	}
}

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.box.kinds }

// cardOdds makes the odds of one of a number of cards of a deck, counted by type. The
// weights are the numbers of physical cards.
func cardOdds(first engine.Action, cards func(g *game, p *Position) (*[maxTypes]uint8, *deck)) *flow.Odds[*game, Position] {
	return &flow.Odds[*game, Position]{
		List: func(g *game, p *Position, dst []engine.Outcome) []engine.Outcome {
			counts, d := cards(g, p)
			for t, n := range counts {
				if n > 0 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(int(d.first)+t), Weight: uint32(n)})
				}
			}
			return dst
		},
		Weight: func(g *game, p *Position, a engine.Action) uint32 {
			counts, d := cards(g, p)
			if t := int(a-first) - int(d.first); t >= 0 && t < len(d.cards) {
				return uint32(counts[t])
			}
			return 0
		},
	}
}

// decide asks seat s a question.
func (p *Position) decide(q uint8, s SeatID, legal uint64) bool {
	p.Ask, p.Actor, p.Words[0] = q, engine.Player(s), legal
	return true
}
