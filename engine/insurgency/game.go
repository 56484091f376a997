package insurgency

import (
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	codec "powderkeg/engine/position"
)

const title = "2040: An American Insurgency"

// buildMode says how a custom scenario comes about (R16.3, R16.4).
type buildMode uint8

const (
	modeAlternating buildMode = iota
	modePreset
	modeRandom
)

var buildModes = []string{"alternating", "preset", "random"}

// deployReadings are the readings of Deploy (R12.2, Q12).
var deployReadings = []string{"total", "each"}

// auto is the value of an option that follows from the scenario.
const auto = "auto"

// Family makes 2040: An American Insurgency.
var Family = engine.Family{
	Name:  "insurgency",
	Title: title,
	Options: []option.Option{
		{Name: "scenario", Kind: option.Choice, Default: "patriot", Choices: scenarioNames,
			Help: "patriot and resistance are printed; custom is a scenario of one's own"},
		{Name: "mode", Kind: option.Choice, Default: "alternating", Choices: buildModes,
			Help: "custom only: the players build by turns, or the set-up is given as a position, or drawn by lot"},
		{Name: "event_tag", Kind: option.Choice, Default: auto, Choices: []string{auto, "patriot", "resistance", "none"},
			Help: "custom only: which tagged event cards stay; auto is patriot"},
		{Name: "social_media", Kind: option.Choice, Default: auto, Choices: append([]string{auto}, smNames...),
			Help: "where the Social Media marker begins; auto is the scenario's space"},
		{Name: "deploy", Kind: option.Choice, Default: deployReadings[0], Choices: deployReadings,
			Help: "a Deploy places up to Ops agents and one base in all its spaces together, or in each of them"},
		{Name: "voluntary_removal", Kind: option.Bool, Default: "true",
			Help: "before a card a side may take pieces of its own off the map"},
		{Name: "auto_forced", Kind: option.Bool, Default: "true",
			Help: "a decision with one legal action is carried out unasked, the choice of a card excepted"},
	},
	Configure: engine.Configured(loadBox),
	Data:      &data,
	Rules:     rules,
	Rulings:   rulings,
}

// game is a configured game.
type game struct {
	box        *Box
	spec       engine.Spec
	scenario   uint8
	mode       buildMode
	keepTag    string // the scenario tag whose cards stay, "none" for neither
	social     Marker // where the Social Media marker begins
	deployEach bool   // Deploy counts space by space (R12.2, Q12)
	removal    bool   // voluntary removal is offered (R3.5)
	autoForced bool
	start      Position
	table      []row
	codec      *codec.Codec[Position]
}

// Bounds of one game's length (R17.3): an engine may assert 40,000 decisions.
// Chance events: a card that is played brings at most 30 dice of its Attack and 30 of
// one that its event grants, since there are 30 militia; all else (rolls of Net Ops,
// hacks, stories that are drawn, tests) stays below 40. With 92 cards, their deals,
// the stories of the set-up and of the rounds, and a random set-up that is less
// than 10,000.
const (
	maxDecisions = 40000
	maxChance    = 10000
)

// Configure implements engine.Compiled and the options: R16.1 to R16.4 and R21.2 (Q29).
func (b *Box) Configure(v option.Values) (engine.Game, error) {
	g := &game{
		box: b, deployEach: v.Choice("deploy") == deployReadings[1], removal: v.Bool("voluntary_removal"), autoForced: v.Bool("auto_forced"),
		scenario: uint8(slices.Index(scenarioNames, v.Choice("scenario"))),
		mode:     buildMode(slices.Index(buildModes, v.Choice("mode"))),
	}
	tag := v.Choice("event_tag")
	if g.scenario != custom && (g.mode != modeAlternating || tag != auto) {
		return nil, fmt.Errorf("%w: insurgency: the options mode and event_tag need scenario=custom", option.ErrUsage)
	}
	g.keepTag = tag
	if tag == auto {
		g.keepTag = scenarioNames[g.scenario]
		if g.scenario == custom {
			g.keepTag = scenarioNames[patriot]
		}
	}
	if at := v.Choice("social_media"); at != auto {
		g.social = Marker(slices.Index(smNames, at))
	} else {
		g.social = b.scenarios[patriot].social
		if g.keepTag == scenarioNames[resistance] {
			g.social = b.scenarios[resistance].social
		}
	}
	g.spec = engine.Spec{
		Name: "insurgency", Title: title, Text: v.Format("insurgency"), Version: data.Version, Seats: numSeats,
		Actions: b.actionNames(), Outcomes: b.outcomeNames(),
		MaxDecisions: maxDecisions, MaxMoves: maxDecisions + maxChance,
		MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
	}
	g.table, g.codec = newTable(), g.newCodec()
	start := g.newPosition()
	s := g.state(&start)
	s.Settle()
	g.start = s.P
	return g, nil
}

// Spec implements engine.Game.
func (g *game) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *game) New() engine.State { return g.state(&g.start) }

// state returns the state at a position.
func (g *game) state(p *Position) *State {
	return &State{flow.NewState[*game, Position, actionSet](g, p)}
}
