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

type (
	row      = flow.Row[*game, Position]
	odds     = flow.Odds[*game, Position]
	sentence func(b Board) string
	act      func(b Board, a engine.Action)
)

// newTable makes the table of the game.
func (g *game) newTable() []row {
	return []row{
		TurnDecision:          asked("D1", "R6.3", Board.saysTurn, Board.chooseTurn),
		SecondDiscardDecision: asked("D2", "R7.5", saysOfCard("Discard a second card beside %s"), Board.chooseSecondDiscard),
		BuyDecision:           asked("D3", "R7.4", Board.saysBuy, Board.buy),
		BuildStepDecision:     asked("D4", "R7.1", saysOfPoints("Build with %s"), Board.choosePoint),
		AttackStepDecision:    asked("D5", "R7.2", saysOfPoints("Reduce a Force with %s"), Board.choosePoint),
		MixedStepDecision:     asked("D6", "R8.2", saysOfPoints("Build, or reduce a Force, with %s"), Board.choosePoint),
		PlayerDecision:        asked("D7", "R8.3", saysOfCard("Choose the player whom %s hits"), Board.choosePlayer),
		DisruptRegionDecision: asked("D8", "R8.6", saysOfRegion("Remove a Land Force in %[2]s (%[1]s)"), Board.chooseRegion),
		SurrenderRegionDecision: asked("D9", "R8.7", saysOfRegion("Remove an opposing Land Force in %[2]s, or decline (%[1]s)"),
			Board.chooseRegion),
		InsurgentPickDecision: asked("D10", "R8.8", saysOfPoints("Replace a Struggling Land Force by a Full one of yours with %s"),
			Board.chooseInsurgents),
		StormStepDecision:   asked("D11", "R8.9", Board.saysStorm, Board.chooseReduction),
		BioStepDecision:     asked("D12", "R8.5", saysOfPoints("Reduce a Force with %s"), Board.chooseReduction),
		BioResponseDecision: asked("D13", "R8.5", saysOfCard("Go on with %s, or stop it"), Board.chooseBioResponse),
		AnytimeDecision:     secretly("D14", "R6.5", says("Play a card now, or none"), Board.chooseReaction),
		ScoringDecision:     secretly("D15", "R9.1", says("Play a card before scoring, or none"), Board.chooseReaction),
		LogisticsDecision:   secretly("D16", "R9.4", says("Play a card while Logistical Support is worked out, or none"), Board.chooseReaction),
		askPool: drawn("C1", "R5.4", says("A card type of the game is drawn"), Board.poolDrawn,
			flow.Each(0, Cards-1, func(g *game, p *Position, i int) uint32 { return g.board(p).poolOdds(i) })),
		askFirst: drawn("C2", "R5.6", says("The First Player is drawn"), Board.firstDrawn, flow.Die[*game, Position](g.outFirst, int(g.seats))),
		askDraw: drawn("draw", "R6.2", says("A card is drawn"), Board.cardDrawn,
			flow.Cards(g.outDraw, func(g *game, p *Position) []uint8 { return g.board(p).drawOdds() })),
		askNothing: {},
	}
}

// asked makes the row of a question.
func asked(name, rule string, says sentence, do act) row {
	return row{
		Name: name, Rule: rule,
		Says: func(g *game, p *Position) string { return says(g.board(p)) },
		Do:   func(g *game, p *Position, w *flow.Witness, a engine.Action) { do(Board{g, p, w}, a) },
	}
}

// secretly makes the row of a question of which nobody but the seat that is asked knows.
func secretly(name, rule string, says sentence, do act) row {
	r := asked(name, rule, says, do)
	r.Secret = true
	return r
}

// drawn makes the row of a chance event.
func drawn(name, rule string, says sentence, do act, odds *odds) row {
	r := asked(name, rule, says, do)
	r.Odds = odds
	return r
}

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.kinds }
