package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Decision is one of the thirteen questions, D1 to D12, or none.
type Decision int

// The decisions in the order of the specification's section 14.
const (
	DiscardDecision Decision = iota
	TurnDecision
	PlaceDecision
	StormDecision
	OrderDecision
	ScramblerDecision
	ConjurerDecision
	SomethingDecision
	MedicDecision
	TrojanPlaceDecision
	TrojanCardDecision
	BombDecision
	SupportDecision
	NoDecision
)

// Decisions is the number of questions.
const Decisions = int(NoDecision)

// The chance events, the rows behind those of the decisions.
const (
	askFaction  = NoDecision + iota // a faction drawn by lot (Q5)
	askStart                        // C3
	askDraw                         // top card of a draw pile (C1)
	askLocation                     // top Location Card (C2, C5)
	askHit                          // C4
	askNothing                      // the game is over
)

// asked returns the question at rest.
func (p *Position) asked() Decision { return Decision(p.Ask) }

type row = flow.Row[*game, Position]

// newTable makes the table of the game.
func (g *game) newTable() []row {
	return []row{
		DiscardDecision: {Name: "D1", Rule: "R6.1", Says: says("Discard a card from your hand, or stop"),
			Do: (*game).chooseDiscard, Untold: true}, // R16.10
		TurnDecision:  {Name: "D2", Rule: "R8.2", Says: says("Play a card, or pass for the rest of the round"), Do: (*game).chooseTurn},
		PlaceDecision: {Name: "D3", Rule: "R9.2", Says: saysOfPlay("Choose a Location for %s"), Do: (*game).choosePlace},
		StormDecision: {Name: "D4", Rule: "R13.11", Says: (*game).saysStorm, Do: (*game).choosePlace},
		OrderDecision: {Name: "D5", Rule: "R9.4", Says: saysOfPlay("Choose what comes first: the ability of %s, or the Scrambler"),
			Do: (*game).chooseOrder},
		ScramblerDecision: {Name: "D6", Rule: "R13.15", Says: saysOfPlay("Choose where to move your Scrambler, away from %s"),
			Do: (*game).chooseScrambler},
		ConjurerDecision:  {Name: "D7", Rule: "R13.9", Says: says("Play a card from your discard (Conjurer)"), Do: (*game).choosePlay},
		SomethingDecision: {Name: "D8", Rule: "R13.12", Says: says("Play a card from your hand (Good-for-Something)"), Do: (*game).choosePlay},
		MedicDecision:     {Name: "D9", Rule: "R13.14", Says: (*game).saysMedic, Do: (*game).chooseMedic},
		TrojanPlaceDecision: {Name: "D10a", Rule: "R13.16", Says: says("Choose the Location of a card of yours to take back (Trojan Bit)"),
			Do: (*game).chooseTrojanPlace},
		TrojanCardDecision: {Name: "D10b", Rule: "R13.16", Says: (*game).saysTrojanCard, Do: (*game).chooseTrojanCard},
		BombDecision:       {Name: "D11", Rule: "R13.25", Says: (*game).saysBomb, Do: (*game).chooseBomb},
		SupportDecision: {Name: "D12", Rule: "R13.26", Says: says("Put one of the top cards of your pile at its bottom, or none (Support Tower)"),
			Do: (*game).chooseSupport},
		askFaction: {Name: "faction", Rule: "R4.1", Says: says("A faction is drawn"),
			Do: (*game).factionDrawn, Odds: flow.Die[*game, Position](0, g.decks)},
		askStart: {Name: "C3", Rule: "R4.4", Says: says("The start player is drawn"),
			Do: (*game).startDrawn, Odds: flow.Die[*game, Position](g.outStart, numSeats)},
		askDraw: {Name: "draw", Rule: "R1.2", Says: says("A card is drawn"),
			Do: (*game).cardTurnedUp, Odds: cardOdds(g.outDraw, (*game).middle)},
		askLocation: {Name: "location", Rule: "R7.2", Says: says("A Location Card is drawn"),
			Do: (*game).locationTurnedUp, Odds: flow.Cards(g.outLocation, (*game).unknownLocations)},
		askHit: {Name: "C4", Rule: "R13.22", Says: says("The Assassin strikes a card in the hand"),
			Do: (*game).cardHit, Odds: cardOdds(g.outHit, (*game).struckHand)},
		askNothing: {},
	}
}

// String returns the id of a decision, such as D10a.
func (d Decision) String() string {
	if d < 0 || d >= NoDecision {
		return "none"
	}
	return decisionNames[d]
}

var decisionNames = func() (names [NoDecision]string) {
	for d, row := range (&game{}).newTable()[:NoDecision] {
		names[d] = row.Name
	}
	return names
}()

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.box.kinds }

// cardOdds makes the odds of one of a number of cards of a deck, counted by type. The
// weights are the numbers of physical cards.
func cardOdds(first engine.Action, cards func(g *game, p *Position) (*[Types]uint8, *deck)) *flow.Odds[*game, Position] {
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
func (p *Position) decide(q Decision, s SeatID, legal uint64) bool {
	p.Ask, p.Actor, p.Words[0] = uint8(q), engine.Player(s), legal
	return true
}

// wait asks chance, or at the end nobody.
func (p *Position) wait(q Decision, actor engine.Player) bool { return p.Put(uint8(q), actor) }
