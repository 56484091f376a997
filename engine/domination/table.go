package domination

import (
	"powderkeg/engine/flow"
)

// The questions of data/decisions.json and the lots that are drawn, the rows of the
// table.
const (
	askTurn            uint8 = iota // D1
	askSecondDiscard                // D2
	askBuy                          // D3
	askBuildStep                    // D4
	askAttackStep                   // D5
	askMixedStep                    // D6
	askPlayer                       // D7
	askDisruptRegion                // D8
	askSurrenderRegion              // D9
	askInsurgentPick                // D10
	askStormStep                    // D11
	askBioStep                      // D12
	askBioResponse                  // D13
	askAnytime                      // D14
	askScoring                      // D15
	askLogistics                    // D16
	numDecisions
)

// The lots that are drawn, behind the questions.
const (
	askPool    = numDecisions + iota // C1
	askFirst                         // C2
	askDraw                          // C4, a card of the reshuffled deck when it is drawn
	askNothing                       // the game is over, or goes on unseen
	numRows
)

type row = flow.Row[*game, Position]

// newTable makes the table of the game.
func (g *game) newTable() []row {
	return []row{
		askTurn:            {Name: "D1", Rule: "R6.3", Do: (*game).chooseTurn},
		askSecondDiscard:   {Name: "D2", Rule: "R7.5", Do: (*game).chooseSecondDiscard},
		askBuy:             {Name: "D3", Rule: "R7.4", Do: (*game).buy},
		askBuildStep:       {Name: "D4", Rule: "R7.1", Do: (*game).choosePoint},
		askAttackStep:      {Name: "D5", Rule: "R7.2", Do: (*game).choosePoint},
		askMixedStep:       {Name: "D6", Rule: "R8.2", Do: (*game).choosePoint},
		askPlayer:          {Name: "D7", Rule: "R8.3", Do: (*game).choosePlayer},
		askDisruptRegion:   {Name: "D8", Rule: "R8.6", Do: (*game).chooseRegion},
		askSurrenderRegion: {Name: "D9", Rule: "R8.7", Do: (*game).chooseRegion},
		askInsurgentPick:   {Name: "D10", Rule: "R8.8", Do: (*game).chooseInsurgents},
		askStormStep:       {Name: "D11", Rule: "R8.9", Do: (*game).chooseReduction},
		askBioStep:         {Name: "D12", Rule: "R8.5", Do: (*game).chooseReduction},
		askBioResponse:     {Name: "D13", Rule: "R8.5", Do: (*game).chooseBioResponse},
		askAnytime:         {Name: "D14", Rule: "R6.5", Do: (*game).chooseReaction, Secret: true},
		askScoring:         {Name: "D15", Rule: "R9.1", Do: (*game).chooseReaction, Secret: true},
		askLogistics:       {Name: "D16", Rule: "R9.4", Do: (*game).chooseReaction, Secret: true},
		askPool:            {Name: "C1", Rule: "R5.4", Do: (*game).poolDrawn, Odds: flow.Each(0, numCards-1, (*game).poolOdds)},
		askFirst:           {Name: "C2", Rule: "R5.6", Do: (*game).firstDrawn, Odds: flow.Die[*game, Position](g.outFirst, int(g.seats))},
		askDraw:            {Name: "draw", Rule: "R6.2", Do: (*game).cardDrawn, Odds: flow.Cards(g.outDraw, (*game).drawOdds)},
		askNothing:         {},
	}
}

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.kinds }
