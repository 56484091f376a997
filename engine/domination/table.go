package domination

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Decision is one of the sixteen questions, D1 to D16, or a row behind them.
type Decision uint8

// The decisions in the order of data/decisions.json, the rows of the table.
const (
	TurnDecision            Decision = iota // D1
	SecondDiscardDecision                   // D2
	BuyDecision                             // D3
	BuildStepDecision                       // D4
	AttackStepDecision                      // D5
	MixedStepDecision                       // D6
	PlayerDecision                          // D7
	DisruptRegionDecision                   // D8
	SurrenderRegionDecision                 // D9
	InsurgentPickDecision                   // D10
	StormStepDecision                       // D11
	BioStepDecision                         // D12
	BioResponseDecision                     // D13
	AnytimeDecision                         // D14
	ScoringDecision                         // D15
	LogisticsDecision                       // D16
	NoDecision
)

// The lots that are drawn, behind the questions.
const (
	askPool    = NoDecision + iota // C1
	askFirst                       // C2
	askDraw                        // C4, a card of the reshuffled deck when it is drawn
	askNothing                     // the game is over, or goes on unseen
)

// Decisions is the number of questions.
const Decisions = int(NoDecision)

// String returns the id of a decision, such as D10.
func (d Decision) String() string {
	if d >= NoDecision {
		return "none"
	}
	return fmt.Sprintf("D%d", d+1)
}

// asked returns the question at rest.
func (p *Position) asked() Decision { return Decision(p.Ask) }

// ask puts a question whose options were offered to a seat.
func (p *Position) ask(d Decision, s SeatID) bool { return p.Put(uint8(d), engine.Player(s)) }

type row = flow.Row[*game, Position]

// newTable makes the table of the game.
func (g *game) newTable() []row {
	return []row{
		TurnDecision:          {Name: "D1", Rule: "R6.3", Says: (*game).saysTurn, Do: (*game).chooseTurn},
		SecondDiscardDecision: {Name: "D2", Rule: "R7.5", Says: saysOfCard("Discard a second card beside %s"), Do: (*game).chooseSecondDiscard},
		BuyDecision:           {Name: "D3", Rule: "R7.4", Says: (*game).saysBuy, Do: (*game).buy},
		BuildStepDecision:     {Name: "D4", Rule: "R7.1", Says: saysOfPoints("Build with %s"), Do: (*game).choosePoint},
		AttackStepDecision:    {Name: "D5", Rule: "R7.2", Says: saysOfPoints("Reduce a Force with %s"), Do: (*game).choosePoint},
		MixedStepDecision:     {Name: "D6", Rule: "R8.2", Says: saysOfPoints("Build, or reduce a Force, with %s"), Do: (*game).choosePoint},
		PlayerDecision:        {Name: "D7", Rule: "R8.3", Says: saysOfCard("Choose the player whom %s hits"), Do: (*game).choosePlayer},
		DisruptRegionDecision: {Name: "D8", Rule: "R8.6", Says: saysOfRegion("Remove a Land Force in %[2]s (%[1]s)"), Do: (*game).chooseRegion},
		SurrenderRegionDecision: {Name: "D9", Rule: "R8.7", Says: saysOfRegion("Remove an opposing Land Force in %[2]s, or decline (%[1]s)"),
			Do: (*game).chooseRegion},
		InsurgentPickDecision: {Name: "D10", Rule: "R8.8", Says: saysOfPoints("Replace a Struggling Land Force by a Full one of yours with %s"),
			Do: (*game).chooseInsurgents},
		StormStepDecision:   {Name: "D11", Rule: "R8.9", Says: (*game).saysStorm, Do: (*game).chooseReduction},
		BioStepDecision:     {Name: "D12", Rule: "R8.5", Says: saysOfPoints("Reduce a Force with %s"), Do: (*game).chooseReduction},
		BioResponseDecision: {Name: "D13", Rule: "R8.5", Says: saysOfCard("Go on with %s, or stop it"), Do: (*game).chooseBioResponse},
		AnytimeDecision:     {Name: "D14", Rule: "R6.5", Says: says("Play a card now, or none"), Do: (*game).chooseReaction, Secret: true},
		ScoringDecision:     {Name: "D15", Rule: "R9.1", Says: says("Play a card before scoring, or none"), Do: (*game).chooseReaction, Secret: true},
		LogisticsDecision: {Name: "D16", Rule: "R9.4", Says: says("Play a card while Logistical Support is worked out, or none"),
			Do: (*game).chooseReaction, Secret: true},
		askPool: {Name: "C1", Rule: "R5.4", Says: says("A card type of the game is drawn"),
			Do: (*game).poolDrawn, Odds: flow.Each(0, Cards-1, (*game).poolOdds)},
		askFirst: {Name: "C2", Rule: "R5.6", Says: says("The First Player is drawn"),
			Do: (*game).firstDrawn, Odds: flow.Die[*game, Position](g.outFirst, int(g.seats))},
		askDraw: {Name: "draw", Rule: "R6.2", Says: says("A card is drawn"),
			Do: (*game).cardDrawn, Odds: flow.Cards(g.outDraw, (*game).drawOdds)},
		askNothing: {},
	}
}

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.kinds }
