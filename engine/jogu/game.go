package jogu

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	codec "powderkeg/engine/position"
)

// factionChoices are the values of the options first and second: the ids of
// data/factions.json (a test compares them) and a draw by lot.
var factionChoices = []string{"guards", "wu", "mibits", "agents", "engineers", "hours", "any"}

const title = "Warriors of Jogu: Feint"

// Family makes Warriors of Jogu: Feint.
var Family = engine.Family{
	Name:    "jogu",
	Title:   title,
	Rules:   rules,
	Rulings: rulings,
	Options: []option.Option{
		{Name: "first", Kind: option.Choice, Default: "guards", Choices: factionChoices,
			Help: "faction of seat 0; any draws one by lot in each game"},
		{Name: "second", Kind: option.Choice, Default: "wu", Choices: factionChoices,
			Help: "faction of seat 1"},
		{Name: "expansion", Kind: option.Bool, Default: "false",
			Help: "admits the reconstructed sixth deck, hours, and games of up to ten rounds"},
		{Name: "start", Kind: option.Choice, Default: "random", Choices: []string{"random", "first", "second"},
			Help: "start player of round 1: by lot, seat 0 or seat 1"},
		{Name: "auto_forced", Kind: option.Bool, Default: "true",
			Help: "a decision with one legal action is carried out unasked"},
	},
	Configure: engine.Configured(loadBox),
	Data:      &data,
}

// game is a configured game.
type game struct {
	box        *box
	spec       engine.Spec
	autoForced bool
	decks      int // decks that may be named or drawn: 5, or 6 with the expansion
	start      Position
	table      []row
	codec      *codec.Codec[Position]
	// Where the kinds of chance outcomes begin in Spec.Outcomes; factions are at 0.
	outStart, outDraw, outLocation, outHit engine.Action
}

// Configure implements engine.Compiled and R1.1, R4.1, R19.1 and R19.3 (match-ups): all ordered pairs
// of the five base decks, and eleven more with the expansion (R19.5). There are no
// other variants (R19.4).
func (b *box) Configure(v option.Values) (engine.Game, error) {
	g := &game{box: b, autoForced: v.Bool("auto_forced"), decks: b.baseDecks}
	types := b.baseCards
	if v.Bool("expansion") {
		g.decks, types = len(b.decks), len(b.cards)
	}
	var chosen [numSeats]DeckID
	for s, name := range []string{"first", "second"} {
		chosen[s] = noDeck
		id := v.Choice(name)
		for i := range b.decks {
			if b.decks[i].ID != id {
				continue
			}
			if i >= g.decks {
				return nil, fmt.Errorf("%w: jogu: %s=%s needs expansion=true", option.ErrUsage, name, id)
			}
			chosen[s] = DeckID(i)
		}
	}
	g.spec = engine.Spec{
		Name: "jogu", Title: title, Text: v.Format("jogu"), Version: data.Version, NetworksSince: 1, Seats: numSeats,
		Actions:      b.actionNames()[:fixedActions+types],
		MaxDecisions: baseDecisions,
		MinReturn:    -1, MaxReturn: 1, Payoff: engine.ZeroSum,
	}
	if g.decks > b.baseDecks {
		g.spec.MaxDecisions = expansionDecisions
	}
	g.spec.MaxMoves = g.spec.MaxDecisions + maxChance
	g.nameOutcomes(types)
	g.table, g.codec = g.newTable(), g.newCodec()
	start := g.newPosition(chosen, v.Choice("start"))
	s := g.state(&start)
	s.Settle()
	g.start = s.P
	return g, nil
}

// Bounds of one game's length. R18.1, R18.2 and R18.3: at most 10 rounds, 101 (base)
// or 125 plays a player of at most 22 decisions each, and passes and discards.
// Games are far shorter (R18.4).
// Chance events: each card of a draw pile is revealed by chance at most once,
// because cards that return to a pile lie at known places (80); eleven Location
// Cards a player, ten drawn and one seen after the reshuffle of round 10 (22);
// four Assassins a deck (8); two factions and the start player (3).
const (
	baseDecisions      = 5000
	expansionDecisions = 6000
	maxChance          = 80 + 22 + 2*maxHits + 3
)

// nameOutcomes lays out the vocabulary of chance outcomes.
func (g *game) nameOutcomes(types int) {
	var names []string
	for _, d := range g.box.decks[:g.decks] {
		names = append(names, "FACTION_"+d.ID)
	}
	g.outStart = engine.Action(len(names))
	names = append(names, "START_0", "START_1")
	g.outDraw = engine.Action(len(names))
	for _, c := range g.box.cards[:types] {
		names = append(names, "DRAW_"+c.Key)
	}
	g.outLocation = engine.Action(len(names))
	for i := range Places {
		names = append(names, fmt.Sprintf("LOCATION_%d", FirstPlace+i))
	}
	g.outHit = engine.Action(len(names))
	for _, c := range g.box.cards[:types] {
		names = append(names, "HIT_"+c.Key)
	}
	g.spec.Outcomes = names
}

// Spec implements engine.Game.
func (g *game) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *game) New() engine.State { return g.state(&g.start) }

// state returns the state at a position.
func (g *game) state(p *Position) *State {
	return &State{flow.NewState[*game, Position, actionSet](g, p)}
}

// Waits implements flow.Rules. With auto_forced a decision with one option is carried
// out unasked (section 14 of the specification).
func (g *game) Waits(p *Position) bool { return !g.autoForced || p.Words[0]&(p.Words[0]-1) != 0 }

// Next implements flow.Rules and R5.1 (the phases of a round): it carries out the next
// thing of the current phase.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	switch p.Phase {
	case setUp:
		return g.setUp(p, w)
	case reinforcement:
		return g.reinforcement(p, w)
	case reinforcementDraw:
		return g.reinforcementDraw(p, w)
	case scout:
		return g.scout(p, w)
	case deployment:
		if p.Depth > 0 {
			return g.play(p, w)
		}
		return g.deployment(p)
	case resolution:
		return g.resolution(p, w)
	case cleanup:
		return g.cleanup(p, w)
	case over:
		return p.wait(askNothing, engine.Terminal)
	}
	panic("jogu: unknown phase")
}

// cardActions turns a set of types of seat s into a set of actions.
func (g *game) cardActions(p *Position, s SeatID, types typeSet) uint64 {
	return uint64(types) << (fixedActions + int(g.deckOf(p, s).first))
}

// cardType returns the type that a card action names in the deck of seat s.
func (g *game) cardType(p *Position, s SeatID, a engine.Action) TypeID {
	return TypeID(int(a-ActCard) - int(g.deckOf(p, s).first))
}

// placeOf returns the place that an action names.
func placeOf(a engine.Action) Place { return Place(a - ActLocation) }
