package insurgency

import (
	"math/bits"
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The questions, the rows of the table: the decisions D1 to D43, and the chance events of
// R18 behind them.
const (
	askNothing = iota // the game is over
	AskCard
	AskMode
	AskOperation
	AskReserves
	AskType
	AskNetSpace
	AskRecruit
	AskLiftUnit
	AskOrigin
	AskDestination
	AskUnits
	AskActive
	AskAttack
	AskSurge
	AskTax
	AskDeploy
	AskAgents
	AskSwap
	AskHunt
	AskPacify
	AskSecure
	AskLiftBase
	AskStep
	AskSocialAttack
	AskKeep
	AskCensor
	AskTie
	AskTrim
	AskSlot
	AskEnrage
	AskConvert
	AskHack
	AskOption
	AskSpace
	AskNumber
	AskMomentum
	AskStory
	AskRelocate
	AskRemoveSpace
	AskRemovePiece
	AskSetUpSpace
	AskSetUpBase
	AskSetUpUnit

	numDecisions // decisions are 1 to 43
)

// The chance events of R18, and the draw of a random set-up.
const (
	chanceDeal    = numDecisions + iota // C1: the next event card of a hand
	chanceTest                          // C2
	chanceStory                         // C3: the next story
	chanceMetro                         // C4
	chanceRegion                        // C5
	chanceAttack                        // C6
	chanceHack                          // C7
	chanceTheft                         // C8
	chanceEvent                         // C9
	chanceDiscard                       // C10
	chanceRandom                        // a choice of a random set-up
	numRows
)

type (
	row      = flow.Row[*game, Position]
	odds     = flow.Odds[*game, Position]
	sentence func(b Board) string
	act      func(b Board, a engine.Action)
)

// newTable makes the table of the game.
func newTable() []row {
	d6, d20 := flow.Die[*game, Position](outD6, d6Faces), flow.Die[*game, Position](outD20, d20Faces)
	return []row{
		askNothing:      {},
		AskCard:         asked("D1", "R6.4", Board.saysCard, Board.chooseCard),
		AskMode:         asked("D2", "R8.2", Board.saysMode, Board.chooseMode),
		AskOperation:    asked("D3", "R7.1", Board.saysOperation, Board.chooseOperation),
		AskReserves:     asked("D4", "R8.5", Board.saysReserves, Board.chooseReserves),
		AskType:         asked("D5", "R10.2", Board.saysType, Board.chooseType),
		AskNetSpace:     asked("D6", "R10.3", Board.saysNetSpace, Board.chooseNetSpace),
		AskRecruit:      asked("D7", "R11.2", Board.saysRecruit, Board.chooseRecruit),
		AskLiftUnit:     asked("D8", "R3.4", says("Choose the space of a unit to lift, since none is in stock, or place none"), Board.chooseLift),
		AskOrigin:       bySides("D9", "R11.4.1", "R12.3.1", Board.saysOrigin, Board.chooseOrigin),
		AskDestination:  bySides("D10", "R11.4.3", "R12.3.2", Board.saysDestination, Board.chooseDestination),
		AskUnits:        bySides("D11", "R11.4.5", "R12.3.4", Board.saysUnits, Board.chooseUnits),
		AskActive:       asked("D12", "R11.4.5", Board.saysUnits, Board.chooseActive),
		AskAttack:       asked("D13", "R11.5.1", saysOfPick("Choose a space to attack in"), Board.choosePick),
		AskSurge:        asked("D14", "R11.6.1", saysOfPick("Choose an Order space to surge in"), Board.chooseSurge),
		AskTax:          asked("D15", "R12.1", Board.saysTax, Board.choosePick),
		AskDeploy:       asked("D16", "R12.2.1", saysOfPick("Choose a space to deploy to"), Board.choosePick),
		AskAgents:       asked("D17", "R12.2.2", Board.saysAgents, Board.chooseAgents),
		AskSwap:         asked("D18", "R12.2.3", Board.saysSwap, Board.chooseSwap),
		AskHunt:         asked("D19", "R12.4.1", saysOfPick("Choose a space to hunt in"), Board.choosePick),
		AskPacify:       asked("D20", "R12.5.1", saysOfPick("Choose a space to pacify"), Board.choosePick),
		AskSecure:       asked("D21", "R12.6.1", saysOfPick("Choose the space to secure"), Board.chooseSecure),
		AskLiftBase:     asked("D22", "R3.4", says("Choose the space of a base to lift, since none is in stock, or place none"), Board.chooseLift),
		AskStep:         asked("D23", "R13.3.1", Board.saysStep, Board.chooseStep),
		AskSocialAttack: asked("D24", "R13.3.3", Board.saysSocialAttack, Board.chooseAttack),
		AskKeep:         asked("D25", "R13.3.3", Board.saysKeep, Board.chooseKeep),
		AskCensor:       asked("D26", "R13.3.3", says("Discard a story of the pool"), Board.chooseCensor),
		AskTie:          asked("D27", "R9.3", says("Choose which of the most viral stories goes to slot 1"), Board.chooseTie),
		AskTrim:         asked("D28", "R9.3", Board.saysTrim, Board.chooseTrim),
		AskSlot:         asked("D29", "R13.3.3", says("Put a story of the pool into slot 1, or leave it as it is"), Board.chooseSlot),
		AskEnrage:       asked("D30", "R13.3.3", says("Choose a space to turn from Anger to Defiance, or back"), Board.chooseEnrage),
		AskConvert:      asked("D31", "R13.3.3", says("Choose a space in which to replace an enemy unit"), Board.chooseConvert),
		AskHack:         asked("D32", "R13.4.2", says("Choose the effect of the hack"), Board.chooseHack),
		AskOption:       asked("D33", "R14.1", Board.saysOption, Board.chooseOption),
		AskSpace:        asked("D34", "R14.1", saysOfEvent("Choose a space"), Board.chooseSpace),
		AskNumber:       asked("D35", "R14.1", Board.saysNumber, Board.chooseNumber),
		AskMomentum:     asked("D36", "R14.1", saysOfEvent("End an event in play, or none"), Board.chooseMomentum),
		AskStory:        asked("D37", "R14.1", saysOfEvent("Choose a story"), Board.chooseStory),
		AskRelocate:     asked("D38", "R14.1", Board.saysRelocate, Board.chooseRelocation),
		AskRemoveSpace:  asked("D39", "R3.5", says("Choose the space of a piece of yours to take off"), Board.chooseRemoval),
		AskRemovePiece:  asked("D40", "R3.5", Board.saysRemovePiece, Board.choosePiece),
		AskSetUpSpace:   asked("D41", "R16.4", says("Choose a space to own, or take no more"), Board.chooseBuild),
		AskSetUpBase:    asked("D42", "R16.4", says("Choose a space for a base of yours"), Board.chooseBuild),
		AskSetUpUnit:    asked("D43", "R16.4", says("Choose a space for a unit of yours"), Board.chooseBuild),

		chanceDeal:    byChance("C1", "R15", says("A card is dealt"), Board.cardDealt, drawn(outDeal, Board.cardsToDeal)),
		chanceTest:    byChance("C2", "R4.4", says("A space is tested"), Board.tested, d6),
		chanceStory:   byChance("C3", "R9.5", says("A story is drawn"), Board.storyDrawn, drawn(outStory, Board.storiesToDraw)),
		chanceMetro:   byChance("C4", "R10.4", says("A metro area is rolled"), Board.selectionRolled, d20),
		chanceRegion:  byChance("C5", "R10.4", says("A region is rolled"), Board.selectionRolled, d20),
		chanceAttack:  byChance("C6", "R11.5.2", says("The attack is rolled"), Board.attackRolled, d6),
		chanceHack:    byChance("C7", "R13.4.1", says("The hack is rolled"), Board.hackRolled, d6),
		chanceTheft:   byChance("C8", "R13.4.2", says("The theft is rolled"), Board.theftRolled, d6),
		chanceEvent:   byChance("C9", "R14.7", says("The event's die is rolled"), Board.eventRolled, d6),
		chanceDiscard: byChance("C10", "R14.7", says("A card is lost at random"), Board.cardLost, drawn(outDiscard, Board.cardsToLose)),
		chanceRandom:  byChance("random", "R16.4", says("The set-up is drawn"), Board.lotFallen, drawn(outSetUp, Board.lots)),
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

// bySides makes the row of a question whose rule is another for either side.
func bySides(name, ofRebel, ofFederal string, says sentence, do act) row {
	r := asked(name, "", says, do)
	r.Rules = []string{rebel: ofRebel, federal: ofFederal}
	return r
}

// byChance makes the row of a chance event.
func byChance(name, rule string, says sentence, do act, odds *odds) row {
	r := asked(name, rule, says, do)
	r.Odds = odds
	return r
}

// drawn makes the odds of what is drawn from a set, bit i of which has the outcome
// first+i: all weigh the same (R18). Draws are lazy: a card or story gets its identity when
// it is drawn, without replacement from what is left. That follows from the uniform shuffles
// C1 and C3. A draw whose result is certain is no chance event.
func drawn(first engine.Action, from func(b Board) CardSet) *odds {
	return &odds{
		List: func(g *game, p *Position, dst []engine.Outcome) []engine.Outcome {
			for i, word := range from(g.board(p)) {
				for ; word != 0; word &= word - 1 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(i<<6+bits.TrailingZeros64(word)), Weight: 1})
				}
			}
			return dst
		},
		Weight: func(g *game, p *Position, a engine.Action) uint32 {
			if n := a - first; n >= 0 && n < 128 && from(g.board(p)).Has(CardID(n+1)) {
				return 1
			}
			return 0
		},
		Draw: func(g *game, p *Position, rng *rand.PCG) engine.Action {
			set := from(g.board(p))
			return first + flow.Set(set[:]).Any(rng)
		},
	}
}

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.box.told }

// Waits implements flow.Rules. With auto_forced a decision with one option is carried out
// unasked, except the choice of a card (R21.2). Choices that end by themselves when nothing
// is left are never asked. One without an option, which only a position that is read
// can come to, waits there to be refused.
func (g *game) Waits(p *Position) bool {
	return !g.autoForced || p.Ask == AskCard || p.Choices().Size() != 1
}

// Next implements flow.Rules: it carries out the next thing. What is innermost comes first:
// a test, a placement, a change of the stories, an operation, an event, the card.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	switch {
	case p.Phase == over:
		return p.Put(askNothing, engine.Terminal)
	case p.Testing != noSpace:
		return p.wait(chanceTest)
	case p.Placing.Kind != placeNothing:
		return (Board{g, p, w}).place()
	case p.News.Do != newsNone:
		return (Board{g, p, w}).changeNews()
	case p.Op.Kind != noOp:
		return (Board{g, p, w}).operate()
	case p.Event.Card != 0:
		return (Board{g, p, w}).resolve()
	}
	switch p.Phase {
	case setUpSpaces, setUpBases, setUpUnits:
		return g.board(p).build()
	case setUpTests:
		return g.board(p).testSetUp()
	case dealing:
		return (Board{g, p, w}).deal()
	case layingOut:
		return (Board{g, p, w}).layOut()
	case actionPhase:
		return (Board{g, p, w}).action()
	case administration:
		return (Board{g, p, w}).administer()
	}
	panic("insurgency: unknown phase")
}

// decide asks a side a question; what it may choose is added afterwards.
func (p *Position) decide(q uint8, side Side) {
	p.Offer()
	p.Put(q, engine.Player(side))
}

// wait asks chance.
func (p *Position) wait(q uint8) bool { return p.Put(q, engine.Chance) }

// allow adds an action to what may be chosen, the others add more of a kind.
func (p *Position) allow(a engine.Action) { p.Choices().Add(a) }

func (p *Position) allowSpaces(set SpaceSet) { p.Choices().AddBits(ActSpace, uint64(set)) }

func (p *Position) allowStories(set StorySet) { p.Choices().AddBits(ActStory, uint64(set)) }

// allowAmounts adds the numbers from low to high.
func (p *Position) allowAmounts(low, high uint8) {
	for n := low; n <= high; n++ {
		p.allow(ActAmount + engine.Action(n))
	}
}
