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

type row = flow.Row[*game, Position]

// newTable makes the table of the game.
func newTable() []row {
	d6, d20 := flow.Die[*game, Position](outD6, d6Faces), flow.Die[*game, Position](outD20, d20Faces)
	return []row{
		askNothing:   {},
		AskCard:      {Name: "D1", Rule: "R6.4", Says: (*game).saysCard, Do: (*game).chooseCard},
		AskMode:      {Name: "D2", Rule: "R8.2", Says: (*game).saysMode, Do: (*game).chooseMode},
		AskOperation: {Name: "D3", Rule: "R7.1", Says: (*game).saysOperation, Do: (*game).chooseOperation},
		AskReserves:  {Name: "D4", Rule: "R8.5", Says: (*game).saysReserves, Do: (*game).chooseReserves},
		AskType:      {Name: "D5", Rule: "R10.2", Says: (*game).saysType, Do: (*game).chooseType},
		AskNetSpace:  {Name: "D6", Rule: "R10.3", Says: (*game).saysNetSpace, Do: (*game).chooseNetSpace},
		AskRecruit:   {Name: "D7", Rule: "R11.2", Says: (*game).saysRecruit, Do: (*game).chooseRecruit},
		AskLiftUnit: {Name: "D8", Rule: "R3.4", Says: says("Choose the space of a unit to lift, since none is in stock, or place none"),
			Do: (*game).chooseLift},
		AskOrigin:      {Name: "D9", Rules: []string{rebel: "R11.4.1", federal: "R12.3.1"}, Says: (*game).saysOrigin, Do: (*game).chooseOrigin},
		AskDestination: {Name: "D10", Rules: []string{rebel: "R11.4.3", federal: "R12.3.2"}, Says: (*game).saysDestination, Do: (*game).chooseDestination},
		AskUnits:       {Name: "D11", Rules: []string{rebel: "R11.4.5", federal: "R12.3.4"}, Says: (*game).saysUnits, Do: (*game).chooseUnits},
		AskActive:      {Name: "D12", Rule: "R11.4.5", Says: (*game).saysUnits, Do: (*game).chooseActive},
		AskAttack:      {Name: "D13", Rule: "R11.5.1", Says: saysOfPick("Choose a space to attack in"), Do: (*game).choosePick},
		AskSurge:       {Name: "D14", Rule: "R11.6.1", Says: saysOfPick("Choose an Order space to surge in"), Do: (*game).chooseSurge},
		AskTax:         {Name: "D15", Rule: "R12.1", Says: (*game).saysTax, Do: (*game).choosePick},
		AskDeploy:      {Name: "D16", Rule: "R12.2.1", Says: saysOfPick("Choose a space to deploy to"), Do: (*game).choosePick},
		AskAgents:      {Name: "D17", Rule: "R12.2.2", Says: (*game).saysAgents, Do: (*game).chooseAgents},
		AskSwap:        {Name: "D18", Rule: "R12.2.3", Says: (*game).saysSwap, Do: (*game).chooseSwap},
		AskHunt:        {Name: "D19", Rule: "R12.4.1", Says: saysOfPick("Choose a space to hunt in"), Do: (*game).choosePick},
		AskPacify:      {Name: "D20", Rule: "R12.5.1", Says: saysOfPick("Choose a space to pacify"), Do: (*game).choosePick},
		AskSecure:      {Name: "D21", Rule: "R12.6.1", Says: saysOfPick("Choose the space to secure"), Do: (*game).chooseSecure},
		AskLiftBase: {Name: "D22", Rule: "R3.4", Says: says("Choose the space of a base to lift, since none is in stock, or place none"),
			Do: (*game).chooseLift},
		AskStep:         {Name: "D23", Rule: "R13.3.1", Says: (*game).saysStep, Do: (*game).chooseStep},
		AskSocialAttack: {Name: "D24", Rule: "R13.3.3", Says: (*game).saysSocialAttack, Do: (*game).chooseAttack},
		AskKeep:         {Name: "D25", Rule: "R13.3.3", Says: (*game).saysKeep, Do: (*game).chooseKeep},
		AskCensor:       {Name: "D26", Rule: "R13.3.3", Says: says("Discard a story of the pool"), Do: (*game).chooseCensor},
		AskTie:          {Name: "D27", Rule: "R9.3", Says: says("Choose which of the most viral stories goes to slot 1"), Do: (*game).chooseTie},
		AskTrim:         {Name: "D28", Rule: "R9.3", Says: (*game).saysTrim, Do: (*game).chooseTrim},
		AskSlot:         {Name: "D29", Rule: "R13.3.3", Says: says("Put a story of the pool into slot 1, or leave it as it is"), Do: (*game).chooseSlot},
		AskEnrage:       {Name: "D30", Rule: "R13.3.3", Says: says("Choose a space to turn from Anger to Defiance, or back"), Do: (*game).chooseEnrage},
		AskConvert:      {Name: "D31", Rule: "R13.3.3", Says: says("Choose a space in which to replace an enemy unit"), Do: (*game).chooseConvert},
		AskHack:         {Name: "D32", Rule: "R13.4.2", Says: says("Choose the effect of the hack"), Do: (*game).chooseHack},
		AskOption:       {Name: "D33", Rule: "R14.1", Says: (*game).saysOption, Do: (*game).chooseOption},
		AskSpace:        {Name: "D34", Rule: "R14.1", Says: saysOfEvent("Choose a space"), Do: (*game).chooseSpace},
		AskNumber:       {Name: "D35", Rule: "R14.1", Says: (*game).saysNumber, Do: (*game).chooseNumber},
		AskMomentum:     {Name: "D36", Rule: "R14.1", Says: saysOfEvent("End an event in play, or none"), Do: (*game).chooseMomentum},
		AskStory:        {Name: "D37", Rule: "R14.1", Says: saysOfEvent("Choose a story"), Do: (*game).chooseStory},
		AskRelocate:     {Name: "D38", Rule: "R14.1", Says: (*game).saysRelocate, Do: (*game).chooseRelocation},
		AskRemoveSpace:  {Name: "D39", Rule: "R3.5", Says: says("Choose the space of a piece of yours to take off"), Do: (*game).chooseRemoval},
		AskRemovePiece:  {Name: "D40", Rule: "R3.5", Says: (*game).saysRemovePiece, Do: (*game).choosePiece},
		AskSetUpSpace:   {Name: "D41", Rule: "R16.4", Says: says("Choose a space to own, or take no more"), Do: (*game).chooseBuild},
		AskSetUpBase:    {Name: "D42", Rule: "R16.4", Says: says("Choose a space for a base of yours"), Do: (*game).chooseBuild},
		AskSetUpUnit:    {Name: "D43", Rule: "R16.4", Says: says("Choose a space for a unit of yours"), Do: (*game).chooseBuild},

		chanceDeal:   {Name: "C1", Rule: "R15", Says: says("A card is dealt"), Do: (*game).cardDealt, Odds: drawn(outDeal, (*game).cardsToDeal)},
		chanceTest:   {Name: "C2", Rule: "R4.4", Says: says("A space is tested"), Do: (*game).tested, Odds: d6},
		chanceStory:  {Name: "C3", Rule: "R9.5", Says: says("A story is drawn"), Do: (*game).storyDrawn, Odds: drawn(outStory, (*game).storiesToDraw)},
		chanceMetro:  {Name: "C4", Rule: "R10.4", Says: says("A metro area is rolled"), Do: (*game).selectionRolled, Odds: d20},
		chanceRegion: {Name: "C5", Rule: "R10.4", Says: says("A region is rolled"), Do: (*game).selectionRolled, Odds: d20},
		chanceAttack: {Name: "C6", Rule: "R11.5.2", Says: says("The attack is rolled"), Do: (*game).attackRolled, Odds: d6},
		chanceHack:   {Name: "C7", Rule: "R13.4.1", Says: says("The hack is rolled"), Do: (*game).hackRolled, Odds: d6},
		chanceTheft:  {Name: "C8", Rule: "R13.4.2", Says: says("The theft is rolled"), Do: (*game).theftRolled, Odds: d6},
		chanceEvent:  {Name: "C9", Rule: "R14.7", Says: says("The event's die is rolled"), Do: (*game).eventRolled, Odds: d6},
		chanceDiscard: {Name: "C10", Rule: "R14.7", Says: says("A card is lost at random"),
			Do: (*game).cardLost, Odds: drawn(outDiscard, (*game).cardsToLose)},
		chanceRandom: {Name: "random", Rule: "R16.4", Says: says("The set-up is drawn"), Do: (*game).lotFallen, Odds: drawn(outSetUp, (*game).lots)},
	}
}

// drawn makes the odds of what is drawn from a set, bit i of which has the outcome
// first+i: all weigh the same (R18). Draws are lazy: a card or story gets its identity when
// it is drawn, without replacement from what is left. That follows from the uniform shuffles
// C1 and C3. A draw whose result is certain is no chance event.
func drawn(first engine.Action, from func(g *game, p *Position) CardSet) *flow.Odds[*game, Position] {
	return &flow.Odds[*game, Position]{
		List: func(g *game, p *Position, dst []engine.Outcome) []engine.Outcome {
			for i, word := range from(g, p) {
				for ; word != 0; word &= word - 1 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(i<<6+bits.TrailingZeros64(word)), Weight: 1})
				}
			}
			return dst
		},
		Weight: func(g *game, p *Position, a engine.Action) uint32 {
			if n := a - first; n >= 0 && n < 128 && from(g, p).Has(CardID(n+1)) {
				return 1
			}
			return 0
		},
		Draw: func(g *game, p *Position, rng *rand.PCG) engine.Action {
			set := from(g, p)
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
		return g.place(p, w)
	case p.News.Do != newsNone:
		return g.changeNews(p, w)
	case p.Op.Kind != noOp:
		return g.operate(p, w)
	case p.Event.Card != 0:
		return g.resolve(p, w)
	}
	switch p.Phase {
	case setUpSpaces, setUpBases, setUpUnits:
		return g.build(p)
	case setUpTests:
		return g.testSetUp(p)
	case dealing:
		return g.deal(p, w)
	case layingOut:
		return g.layOut(p, w)
	case actionPhase:
		return g.action(p, w)
	case administration:
		return g.administer(p, w)
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
