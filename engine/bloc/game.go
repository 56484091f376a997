package bloc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	codec "powderkeg/engine/position"
)

const title = "Bloc by Bloc: The Insurrection Game"

// scenarioChoices are the ids of data/scenarios.json (a test compares them).
var scenarioChoices = []string{
	"standard", "beginner", "beginner_city", "routine_traffic_stop", "abolish_the_police", "burn_down_the_company_town",
	"occupy_everything", "asymmetrical_struggle", "let_the_infighting_begin", "collective_liberation", "smash_the_state",
	"autonomous_zone_1", "autonomous_zone_2",
}

// Family makes Bloc by Bloc.
var Family = engine.Family{
	Name:    "bloc",
	Title:   title,
	Rules:   rulesRead,
	Rulings: rulingsRead,
	Options: []option.Option{
		{Name: "scenario", Kind: option.Choice, Default: "standard", Choices: scenarioChoices,
			Help: "standard or beginner game, or one of the ten mini-expansions"},
		{Name: "players", Kind: option.Int, Default: "4", Min: 2, Max: maxPlayers,
			Help: "number of players; two have two factions each"},
		{Name: "mode", Kind: option.Choice, Default: "usual", Choices: []string{"usual", "cooperative", "semi_cooperative"},
			Help: "usual is cooperative where the scenario allows it"},
		{Name: "ops_difficulty", Kind: option.Choice, Default: "usual", Choices: []string{"usual", "easy", "medium", "hard"},
			Help: "police ops deck; usual follows the scenario"},
		{Name: "city", Kind: option.Text, Default: "random",
			Help: "random, beginner, or 25 tiles row by row as tile:rotation joined by +"},
		{Name: "use_overpass", Kind: option.Bool, Default: "false",
			Help: "the Highway Overpass takes the place of a highway of the random city"},
		{Name: "auto_forced", Kind: option.Bool, Default: "false",
			Help: "a decision that everybody knows to have one legal action is carried out unasked"},
	},
	Configure: engine.Configured(loadBox),
	Data:      &data,
}

// game is a configured game.
type game struct {
	box        *box
	spec       engine.Spec
	scenario   *scenario
	scenarioID int // in the order of the option
	setUp      *scenarioSetUp
	players    uint8
	factions   uint8 // in play: 3 with three players, else 4
	mode       mode
	opsLevel   uint8 // index in difficultyNames
	autoForced bool
	piles      [3][]TileID // tiles of the random city
	pileSets   [3]tileSet  // the same
	fallback   [Cells]placed
	start      Position
	codec      *codec.Codec[Position]
}

// Configure implements engine.Compiled, R2.12 and R10.3: it refuses players and modes that the
// scenario does not allow.
func (b *box) Configure(v option.Values) (engine.Game, error) {
	i := slices.Index(scenarioChoices, v.Choice("scenario"))
	g := &game{box: b, scenario: &b.scenarios[i], scenarioID: i, players: uint8(v.Int("players")), factions: Factions, autoForced: v.Bool("auto_forced")}
	if g.players == 3 {
		g.factions = 3
	}
	g.setUp = g.scenario.setUp(g.players)
	for _, choose := range []func(option.Values) error{g.chooseMode, g.chooseDifficulty, g.chooseCity} {
		if err := choose(v); err != nil {
			return nil, err
		}
	}
	g.spec = engine.Spec{
		Name: "bloc", Title: title, Text: v.Format("bloc"), Version: data.Version, NetworksSince: 2, Seats: int(g.players),
		Actions: b.actions, Outcomes: b.outcomes(),
		MinReturn: -1, MaxReturn: 1, Payoff: engine.Cooperative, AsksInSecret: true,
	}
	if g.mode == semiCooperative {
		g.spec.Payoff = engine.GeneralSum
	}
	g.bounds()
	g.codec = g.newCodec()
	s := g.state(&g.start)
	s.Settle()
	g.start = s.P
	return g, nil
}

// bounds implements R10.5 (Length): 1,500 decisions a turn, 2,000 a Sunrise and
// one a faction in the set-up. Chance events of a turn: 21 dice, 34 reaction rolls
// (a die action or Fireworks each) with an ops card each, 3 more in the Police Ops
// step, 3 cards drawn a die and 5 more; of a Sunrise: 25 manifestations with at
// most 12 cards each, and 15 ops cards shown. In the set-up: a tile and a rotation a
// cell and city drawn, then factions, cards, agendas and the first faction.
func (g *game) bounds() {
	nights, factions := int(g.setUp.Nights), int(g.factions)
	g.spec.MaxDecisions = nights*(factions*1500+2000) + factions
	g.spec.MaxMoves = g.spec.MaxDecisions + nights*(factions*(21+2*34+3+3*21+5)+25*13+15) +
		2*Cells*(maxRedraws+1) + factions*(2+int(g.scenario.LootDealt)) + 1
}

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: bloc: %s", option.ErrUsage, fmt.Sprintf(format, args...))
}

// chooseMode implements R2.12 and R10.3.
func (g *game) chooseMode(v option.Values) error {
	s := g.scenario
	if !slices.Contains(s.Players, int(g.players)) {
		allowed := strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Players), " ", ", "), "[]")
		return refuse("scenario=%s is not for players=%d, but for %s (R10.3)", s.ID, g.players, allowed)
	}
	name := v.Choice("mode")
	if name == "usual" {
		name = s.Modes[0]
	}
	if !slices.Contains(s.Modes, name) {
		return refuse("scenario=%s is not played mode=%s, only %s (R10.3)", s.ID, name, s.Modes[0])
	}
	if g.mode = mode(slices.Index(modeNames, name)); g.players == 2 && g.mode == semiCooperative {
		return refuse("players=2 is played mode=cooperative only (R2.12)")
	}
	return nil
}

// chooseDifficulty implements R2.6 (Ruling 15).
func (g *game) chooseDifficulty(v option.Values) error {
	name, fixed := v.Choice("ops_difficulty"), g.scenario.Difficulty
	if name == "usual" {
		name = g.scenario.usual
	}
	if fixed != "" && name != fixed {
		return refuse("scenario=%s is played ops_difficulty=%s only (R2.6)", g.scenario.ID, fixed)
	}
	g.opsLevel = uint8(slices.Index(difficultyNames[:], name))
	return nil
}

// chooseCity implements R2.2: a random, the beginner or a custom city, and the
// Overpass.
func (g *game) chooseCity(v option.Values) error {
	b, s := g.box, g.scenario
	g.piles = b.tilesOf(g.setUp)
	overpass, city := v.Bool("use_overpass"), v.Text("city")
	if s.fixed() && city != "random" && city != "beginner" {
		return refuse("scenario=%s has a city of its own; leave city out (R2.2)", s.ID)
	}
	random := city == "random" && !s.fixed()
	if overpass {
		switch {
		case !random:
			return refuse("use_overpass=true needs a random city (R2.2)")
		case !g.exchange(b.highwayOrder, b.overpass):
			return refuse("use_overpass=true: scenario=%s has the Overpass already (R2.2)", s.ID)
		}
	}
	for i, pile := range g.piles {
		for _, t := range pile {
			g.pileSets[i] |= tileAt(t)
		}
	}
	g.fallback = g.standIn()
	g.start = g.newPosition()
	if random {
		return nil
	}
	cells := b.beginner
	if city != "random" && city != "beginner" {
		var err error
		if cells, err = b.parseCity(city); err != nil {
			return refuse("city: %v", err)
		}
	}
	b.build(&g.start, &cells)
	if err := (Board{g, &g.start, nil}).checkTiles(); err != nil {
		return refuse("city=%s: %v", city, err)
	}
	g.start.Step = placePolice
	return nil
}

// exchange puts a tile in the place of the first of others that is in the piles (Ruling 32).
// It fails if the tile is in the city already.
func (g *game) exchange(others []TileID, in TileID) bool {
	for _, pile := range g.piles {
		if slices.Contains(pile, in) {
			return false
		}
	}
	for _, out := range others {
		for _, pile := range g.piles {
			if i := slices.Index(pile, out); i >= 0 {
				pile[i] = in
				return true
			}
		}
	}
	return false
}

// parseCity reads a custom city (R2.2).
func (b *box) parseCity(text string) (city [Cells]placed, err error) {
	parts := strings.Split(text, "+")
	if len(parts) != Cells {
		return city, fmt.Errorf("%d tiles, a city has %d, written tile:rotation and joined by + (R2.2)", len(parts), Cells)
	}
	for c, part := range parts {
		key, rotation, _ := strings.Cut(strings.TrimSpace(part), ":")
		t, err := b.tileOf(key)
		n, err2 := strconv.Atoi(rotation)
		switch {
		case err != nil:
			return city, fmt.Errorf("cell %d: %w (R1.1)", c, err)
		case err2 != nil || n < 0 || n >= Arms:
			return city, fmt.Errorf("cell %d: rotation %q is not 0 to 3 (R2.2)", c, rotation)
		}
		city[c] = placed{t, uint8(n)}
	}
	return city, nil
}

// standIn returns the city that is taken when maxRedraws drawn ones were unfit:
// the beginner city with the tiles of the piles.
func (g *game) standIn() [Cells]placed {
	city := g.box.beginner
	left := [3][]TileID{slices.Clone(g.piles[0]), slices.Clone(g.piles[1]), slices.Clone(g.piles[2])}
	for k, c := range g.box.zigzag {
		if i := slices.Index(left[k%3], city[c].tile); i >= 0 {
			left[k%3] = slices.Delete(left[k%3], i, i+1)
		} else {
			city[c].tile = noTile
		}
	}
	for k, c := range g.box.zigzag {
		if city[c].tile == noTile {
			city[c] = placed{left[k%3][0], 0}
			left[k%3] = left[k%3][1:]
		}
	}
	return city
}

// Spec implements engine.Game.
func (g *game) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *game) New() engine.State { return g.state(&g.start) }

// state returns the state at a position.
func (g *game) state(p *Position) *State {
	return &State{flow.NewState[*game, Position, actionSet](g, p)}
}
