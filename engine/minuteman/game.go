package minuteman

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	codec "powderkeg/engine/position"
)

const title = "Minuteman: The Second American Revolution"

// What people read of the rules.
var (
	//go:embed data/rules.json
	rulesText []byte
	//go:embed RULINGS.md
	rulingsText string
)

// Family makes Minuteman.
var Family = engine.Family{
	Name:  "minuteman",
	Title: title,
	Options: []option.Option{
		{Name: "scenario", Kind: option.Choice, Default: "basic", Choices: scenarioNames, Help: "scenario of two players"},
		{Name: "players", Kind: option.Int, Default: "2", Min: 2, Max: maxSeats,
			Help: "one Government and one to three Rebels; three and four play the basic scenario"},
		{Name: "government", Kind: option.Choice, Default: "standard", Choices: []string{"standard", "unprepared", "prepared"},
			Help: "set-up of the Government, basic scenario"},
		{Name: "rebel", Kind: option.Choice, Default: "standard", Choices: []string{"standard", "uncoordinated", "organized"},
			Help: "set-up of the Rebel, basic scenario"},
		{Name: "dispersed", Kind: option.Bool, Default: "false", Help: "each Rebel starts in a region of his own, three and four players"},
		{Name: "canada_mexico", Kind: option.Bool, Default: "false", Help: "Canada and Mexico are in play, basic and civil_war"},
		{Name: "foreign_intervention", Kind: option.Bool, Default: "false", Help: "one player may call Foreign Divisions, all but partisan"},
		{Name: "air_assault", Kind: option.Bool, Default: "false", Help: "Airborne Divisions may land among Rebels after the Revolution"},
		{Name: "amphibious_assault", Kind: option.Bool, Default: "false", Help: "Marine Divisions may move from coast to coast after the Revolution"},
		{Name: "elite_units", Kind: option.Bool, Default: "false", Help: "Airborne and Marine Divisions cannot be subverted"},
	},
	Configure: engine.Configured(loadBox),
	Data:      &data,
	Rules:     rulesText,
	Rulings:   rulingsText,
}

// Scenario is one of R22 and R25 to R28.
type Scenario uint8

// The scenarios; Several is the basic one of more than two players.
const (
	Basic Scenario = iota
	Partisan
	Occupation
	CivilWar
	Several
)

// Options are the scenario, its variants and the rules in play.
type Options struct {
	Scenario                      Scenario
	Seats                         int
	Unprepared, Prepared          bool // set-up of the Government, R23
	Uncoordinated, Organized      bool // that of the Rebel, R23
	Dispersed                     bool // R28.1
	Neighbours                    bool // Canada and Mexico, R29
	Foreign                       bool // R30
	AirAssault, Amphibious, Elite bool // R31
}

// game is a configured game.
type game struct {
	*box
	Options
	spec engine.Spec
	sc   *scenario
	plan []setUpStep

	open       hexSet // hexes that units may move into (R3.1, R25.1)
	playable   hexSet // these and the Front Line
	way        grid   // open as a grid
	field      grid   // playable as a grid
	priceList  int    // of the Minuteman movement chart
	railPoints uint8
	regions    [numCities]SeatID // seat of each city in the dispersed set-up
	start      Position          // before the set-up
	table      []row
	offers     []func(g *game, p *Position) // of the rows that ask a seat
	hexFrom    []uint8                      // of the rows of chains that name a hex
	codec      *codec.Codec[Position]
}

// Configure implements engine.Compiled, R22.3 (which options go together), R1.1 and R3.1.
func (b *box) Configure(v option.Values) (engine.Game, error) {
	name := v.Choice("scenario")
	g := &game{box: b, sc: b.scenarios[name], Options: Options{
		Scenario: Scenario(slices.Index(scenarioNames, name)), Seats: v.Int("players"), Dispersed: v.Bool("dispersed"),
		Unprepared: v.Choice("government") == "unprepared", Prepared: v.Choice("government") == "prepared",
		Uncoordinated: v.Choice("rebel") == "uncoordinated", Organized: v.Choice("rebel") == "organized",
		Neighbours: v.Bool("canada_mexico"), Foreign: v.Bool("foreign_intervention"),
		AirAssault: v.Bool("air_assault"), Amphibious: v.Bool("amphibious_assault"), Elite: v.Bool("elite_units"),
	}}
	if err := g.checkOptions(); err != nil {
		return nil, err
	}
	if g.Seats > 2 {
		g.Scenario, g.sc = Several, b.scenarios["multiplayer"]
	}
	g.lay()
	g.spec = engine.Spec{
		Name: "minuteman", Title: title, Text: v.Format("minuteman"), Version: data.Version, NetworksSince: 2, Seats: g.Seats,
		Actions: b.actions, Outcomes: g.outcomeNames(),
		MaxDecisions: maxDecisions, MaxMoves: maxDecisions + maxChance,
		MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
	}
	if g.Seats > 2 {
		g.spec.Payoff = engine.GeneralSum
	}
	g.plan = g.setUpPlan()
	for _, q := range newTable() {
		g.table, g.offers, g.hexFrom = append(g.table, q.row), append(g.offers, q.offer), append(g.hexFrom, q.hexFrom)
	}
	g.codec = g.newCodec()
	g.start = g.newPosition()
	return g, nil
}

// Bounds of one game's length: at most 24 Game-Turns of fewer than 8,000 decisions,
// and of fewer chance events than decisions that cause them.
const (
	maxDecisions = 192000
	maxChance    = 96000
)

// checkOptions implements R22.3 and R23 (data/scenarios.json, option_matrix).
// Ruling 41: which options go together.
func (g *game) checkOptions() error {
	many, basic, partisan := g.Seats > 2, g.Scenario == Basic, g.Scenario == Partisan
	for _, c := range []struct {
		on    bool
		name  string
		ok    bool
		where string
	}{
		{many, "players", basic, "three and four players play scenario=basic (R28.1)"},
		{g.Unprepared || g.Prepared, "government", basic && !many, "it belongs to the basic scenario of two players (R23)"},
		{g.Uncoordinated || g.Organized, "rebel", basic && !many, "it belongs to the basic scenario of two players (R23)"},
		{g.Dispersed, "dispersed", many, "it needs players=3 or players=4 (R28.1)"},
		{g.Neighbours, "canada_mexico", !many && (basic || g.Scenario == CivilWar),
			"it needs scenario=basic or scenario=civil_war and two players (R22.3)"},
		{g.Foreign, "foreign_intervention", !partisan, "not with scenario=partisan (R22.3)"},
		{g.AirAssault, "air_assault", !partisan, "not with scenario=partisan (R22.3)"},
		{g.Amphibious, "amphibious_assault", !partisan, "not with scenario=partisan (R22.3)"},
	} {
		if c.on && !c.ok {
			return fmt.Errorf("%w: minuteman: option %s is not possible here: %s", option.ErrUsage, c.name, c.where)
		}
	}
	return nil
}

// lay implements R3.1, R25.1 and R26.1: which hexes are in play, and the numbers
// that follow from the scenario.
// Ruling 5: Canada and Mexico are closed without their option.
func (g *game) lay() {
	g.playable = g.board.country[us]
	if g.Scenario == Occupation || g.Neighbours {
		for c := canada; c <= mexico; c++ {
			for i, w := range g.board.country[c] {
				g.playable[i] |= w
			}
		}
	}
	g.railPoints = g.sc.AirRail
	if g.Prepared {
		g.railPoints = g.variants.Government.Prepared.AirRail
	}
	switch {
	case g.Scenario == Partisan:
		g.priceList = 1
		const east = 29
		for h := g.playable.next(0); h != noHex; h = g.playable.next(h + 1) {
			if g.hexes[h].col < east && !g.hexes[h].front {
				g.playable.del(h)
			}
		}
	case g.Scenario == Occupation:
		g.priceList = 2
	}
	g.open = g.playable
	if g.Scenario == Partisan {
		g.open.remove(&g.frontSet)
	}
	g.field, g.way = g.grid(&g.playable), g.grid(&g.open)
	regions := g.scenarios["multiplayer"].Dispersed.Two
	names := []string{"EAST", "WEST"}
	if g.Seats == 4 {
		regions, names = g.scenarios["multiplayer"].Dispersed.Three, []string{"NORTHEAST", "MIDWEST", "SOUTH_AND_WEST"}
	}
	for i, name := range names {
		for _, id := range regions[name].Hexes {
			if c := g.hexes[g.index[id]].city; c != noCity {
				g.regions[c] = SeatID(i + 1)
			}
		}
	}
}

// newPosition is the empty map before the set-up.
func (g *game) newPosition() Position {
	p := Position{
		Pool: g.markers, Foreign: Intervention{Seat: noSeat}, Order: [3]SeatID{noSeat, noSeat, noSeat},
		Fed: noSeat, Pact: noSeat, Named: [maxSeats]SeatID{noSeat, noSeat, noSeat, noSeat}, Lot: noSeat, Original: true,
		Draw: Draw{Hex: noHex},
	}
	for _, n := range p.Pool {
		p.PoolSize += n
	}
	for u := range p.Units {
		p.Units[u] = Slot{Hex: noHex, Next: noUnit}
	}
	for h := range p.Head {
		p.Head[h] = noUnit
	}
	return p
}

// outcomeNames lays out the vocabulary of chance outcomes.
func (g *game) outcomeNames() []string {
	var names []string
	for i := range 6 {
		names = append(names, fmt.Sprintf("DIE_%d", i+1))
	}
	for i := range 10 {
		names = append(names, fmt.Sprintf("CHIT_%d", i+1))
	}
	for _, m := range markerNames {
		names = append(names, "MARKER_"+strings.ToUpper(m))
	}
	for i := range g.masked {
		names = append(names, "COUNTER_"+g.masked[i].id)
	}
	for i := range maxSeats {
		names = append(names, fmt.Sprintf("SEAT_%d", i))
	}
	return names
}

// Spec implements engine.Game.
func (g *game) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *game) New() engine.State {
	s := g.newState(&g.start)
	s.Settle()
	return s
}
