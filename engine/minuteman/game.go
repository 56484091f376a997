package minuteman

import (
	_ "embed"
	"fmt"
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
		{Name: "players", Kind: option.Int, Default: "2", Min: 2, Max: maxSeats, Help: "one Government and one to three Rebels; three and four play the basic scenario"},
		{Name: "government", Kind: option.Choice, Default: "standard", Choices: []string{"standard", "unprepared", "prepared"}, Help: "set-up of the Government, basic scenario"},
		{Name: "rebel", Kind: option.Choice, Default: "standard", Choices: []string{"standard", "uncoordinated", "organized"}, Help: "set-up of the Rebel, basic scenario"},
		{Name: "dispersed", Kind: option.Bool, Default: "false", Help: "each Rebel starts in a region of his own, three and four players"},
		{Name: "canada_mexico", Kind: option.Bool, Default: "false", Help: "Canada and Mexico are in play, basic and civil_war"},
		{Name: "foreign_intervention", Kind: option.Bool, Default: "false", Help: "one player may call Foreign Divisions, all but partisan"},
		{Name: "air_assault", Kind: option.Bool, Default: "false", Help: "Airborne Divisions may land among Rebels after the Revolution"},
		{Name: "amphibious_assault", Kind: option.Bool, Default: "false", Help: "Marine Divisions may move from coast to coast after the Revolution"},
		{Name: "elite_units", Kind: option.Bool, Default: "false", Help: "Airborne and Marine Divisions cannot be subverted"},
	},
	Configure: configure,
	Rules:     rulesText,
	Rulings:   rulingsText,
}

// game is a configured game.
type game struct {
	*box
	spec  engine.Spec
	seats int
	sc    *scenario
	plan  []setUpStep

	partisan, borderless, civilWar bool // scenarios
	governmentSetUp                string
	uncoordinated, organized       bool
	dispersed                      bool
	neighbours                     bool // Canada and Mexico, R29
	foreignHelp                    bool // R30
	airAssault, amphibious, elite  bool // R31

	open       hexSet // hexes that units may move into (R3.1, R25.1)
	playable   hexSet // these and the Front Line
	field      grid   // the same as a grid
	priceList  int    // of the Minuteman movement chart
	railPoints uint8
	regions    [numCities]SeatID // seat of each city in the dispersed set-up
	start      Position
	table      []row
	offers     []func(g *game, p *Position) // of the rows that ask a seat
	codec      *codec.Codec[Position]
}

// configure implements R22.3 (which options go together), R1.1 and R3.1.
func configure(v option.Values) (engine.Game, error) {
	b, err := loadBox()
	if err != nil {
		return nil, err
	}
	g := &game{box: b, seats: v.Int("players")}
	name := v.Choice("scenario")
	g.sc = b.scenarios[name]
	g.partisan, g.borderless, g.civilWar = name == "partisan", name == "occupation", name == "civil_war"
	g.governmentSetUp = v.Choice("government")
	g.uncoordinated, g.organized = v.Choice("rebel") == "uncoordinated", v.Choice("rebel") == "organized"
	g.dispersed, g.neighbours, g.foreignHelp = v.Bool("dispersed"), v.Bool("canada_mexico"), v.Bool("foreign_intervention")
	g.airAssault, g.amphibious, g.elite = v.Bool("air_assault"), v.Bool("amphibious_assault"), v.Bool("elite_units")
	if err := g.checkOptions(name); err != nil {
		return nil, err
	}
	if g.seats > 2 {
		g.sc = b.scenarios["multiplayer"]
	}
	g.lay()
	g.spec = engine.Spec{
		Name: "minuteman", Title: title, Text: v.Format("minuteman"), Version: 2, Seats: g.seats,
		Actions: b.actions, Outcomes: g.outcomeNames(),
		MaxDecisions: maxDecisions, MaxMoves: maxDecisions + maxChance,
		MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
	}
	if g.seats > 2 {
		g.spec.Payoff = engine.GeneralSum
	}
	g.plan = g.setUpPlan()
	for _, q := range newTable() {
		g.table, g.offers = append(g.table, q.row), append(g.offers, q.offer)
	}
	g.codec = g.newCodec()
	g.start = g.newPosition()
	begun := g.newState(&g.start)
	begun.Settle()
	g.start = begun.P
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
func (g *game) checkOptions(scenario string) error {
	many := g.seats > 2
	for _, c := range []struct {
		on    bool
		name  string
		ok    bool
		where string
	}{
		{many, "players", scenario == "basic", "three and four players play scenario=basic (R28.1)"},
		{g.governmentSetUp != "standard", "government", scenario == "basic" && !many, "it belongs to the basic scenario of two players (R23)"},
		{g.uncoordinated || g.organized, "rebel", scenario == "basic" && !many, "it belongs to the basic scenario of two players (R23)"},
		{g.dispersed, "dispersed", many, "it needs players=3 or players=4 (R28.1)"},
		{g.neighbours, "canada_mexico", !many && (scenario == "basic" || scenario == "civil_war"), "it needs scenario=basic or scenario=civil_war and two players (R22.3)"},
		{g.foreignHelp, "foreign_intervention", scenario != "partisan", "not with scenario=partisan (R22.3)"},
		{g.airAssault, "air_assault", scenario != "partisan", "not with scenario=partisan (R22.3)"},
		{g.amphibious, "amphibious_assault", scenario != "partisan", "not with scenario=partisan (R22.3)"},
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
	if g.borderless || g.neighbours {
		for c := canada; c <= mexico; c++ {
			for i, w := range g.board.country[c] {
				g.playable[i] |= w
			}
		}
	}
	g.railPoints = g.sc.AirRail
	if g.governmentSetUp == "prepared" {
		g.railPoints = g.variants.Government.Prepared.AirRail
	}
	switch {
	case g.partisan:
		g.priceList = 1
		const east = 29
		for h := g.playable.next(0); h != noHex; h = g.playable.next(h + 1) {
			if g.hexes[h].col < east && !g.hexes[h].front {
				g.playable.del(h)
			}
		}
	case g.borderless:
		g.priceList = 2
	}
	g.open = g.playable
	if g.partisan {
		g.open.remove(&g.frontSet)
	}
	g.field = g.grid(&g.playable)
	regions := g.scenarios["multiplayer"].Dispersed.Two
	names := []string{"EAST", "WEST"}
	if g.seats == 4 {
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
func (g *game) New() engine.State { return g.newState(&g.start) }
