package minuteman_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// The slow reference: the rules once more, as a program that plays a game from top to
// bottom and asks where somebody has to choose. It was written from data/rules.json and
// the rulings alone, by somebody who had not read the engine; it has pointers, maps and
// nested calls in place of bit sets, frames and caches, and shares with the engine the
// numbers in data and nothing else. At every question it demands that the engine asks
// the same one, of the same seat, with the same options, in the same position.

// refHex is a hex of the map with all that stands in it.
type refHex struct {
	id       string
	col, row int
	country  string // US, Canada, Mexico
	terrain  string
	pop      int
	sea      bool
	east     bool // Atlantic of the US, either sea abroad
	west     bool
	sides    [6]*refHex // the neighbours across passable sides, nil for others

	riot, unrest, informer bool
	units                  []*refUnit // in order of arrival
}

// refUnit is a counter on the map. An Informer in combat is one for a moment.
type refUnit struct {
	kind    string // network, minuteman, militia, army, cig, agent, informer
	name    string // as positions have it
	group   string // the pile it comes from
	counter string // of Army and Militia; hidden while untried
	owner   int
	hex     *refHex
	step    int // 1 strong, a CIG's 1 to 6

	untried, underground, pinned, rail, noRail, frontLine       bool
	toggled, acted, moved, attacked, advanced, fought, newInCIG bool
	canBe                                                       map[string]bool
}

type refCounter struct {
	ID              string `json:"id"`
	Type            string `json:"type"`
	Colour          int    `json:"colour"`
	Attack, Defense int
}

type refSheet struct{ Counters []refCounter }

type refStep struct{ Attack, Defense, Build int }

type refSided struct {
	refSheet
	Weak, Strong refStep
}

// refUnits is data/units.json.
type refUnits struct {
	Minuteman, Network, Agent refSided
	Cig                       struct {
		refSheet
		Steps []refStep
	}
	Informer struct {
		Count                    int
		Defense                  int
		DefensePartisanOccupied_ int `json:"defense_partisan_and_occupation"`
		refSheet
	}
	USDivision       refSheet       `json:"us_division"`
	SecurityDivision refSheet       `json:"security_division"`
	ForeignDivision  refSheet       `json:"foreign_division"`
	CanadianBrigade  refSheet       `json:"canadian_brigade"`
	MexicanBrigade   refSheet       `json:"mexican_brigade"`
	Militia          refSheet       `json:"militia"`
	CanadianMilitia  refSheet       `json:"canadian_militia"`
	MexicanMilitia   refSheet       `json:"mexican_militia"`
	SpecialMarkers   map[string]any `json:"special_markers"`
}

// refTables is what the reference reads of data/tables.json.
type refTables struct {
	Build      refChart `json:"unit_build_table"`
	Subversion refChart
	Sedition   refChart
	Infil      refChart `json:"infiltration"`
	Military   refChart
	Success    refSuccess                     `json:"assassination_betrayal_pin"`
	Reaction   refReact                       `json:"government_reaction"`
	Move       refMove                        `json:"minuteman_movement"`
	RiotSpread struct{ Cells map[string]int } `json:"riot_spread"`
	Revolution struct {
		Divisions map[string]int `json:"government_divisions_by_die"`
	} `json:"revolution_reinforcements"`
	Events struct{ Rows [][]string } `json:"random_events"`
	Season struct{ Order []string }
}

type refChart struct {
	Cells map[string][]string
	Lines []struct {
		Rebel      []string `json:"rebel_defender_in"`
		Government []string `json:"government_defender_in"`
		Odds       []string
	}
}

type refSuccess struct {
	On map[string][]int `json:"success_on_die"`
}

type refReact struct {
	Riots  [][2]*int `json:"riot_columns"`
	Builds [][2]*int `json:"build_columns"`
	Cells  map[string][]string
}

type refMove struct {
	Columns    [][2]*int
	Cells      map[string][]string
	Costs      refCosts
	Partisan   refCosts `json:"costs_partisan"`
	Occupation refCosts `json:"costs_occupation"`
}

type refCosts struct {
	Army  int `json:"army_division_zoc_or_hex"`
	CIG   int `json:"cig_zoc_or_hex"`
	Agent int `json:"agent_hex"`
	Other int
}

// refScenario is what the reference reads of one entry of data/scenarios.json.
type refScenario struct {
	Turns      int
	AirRail    int   `json:"air_rail"`
	Revolution bool  `json:"revolution_allowed"`
	Deadline   int   `json:"revolution_deadline_turn"`
	CIGSteps   []int `json:"cig_augment_on"`
	Dispersed  struct {
		Two   map[string]struct{ Hexes []string } `json:"two_rebels"`
		Three map[string]struct{ Hexes []string } `json:"three_rebels"`
	}
}

type refMap struct {
	Named     map[string]string `json:"named_cities"`
	Cities    map[string]string `json:"partisan_cities"`
	CivilWar  []string          `json:"civil_war_setup"`
	FrontLine []string          `json:"front_line"`
	Hexes     []struct {
		ID       string
		Col, Row int
		Country  string
		Terrain  string
		Pop      int
		Coast    []string
		East     bool      `json:"east_coast"`
		West     bool      `json:"west_coast"`
		Next     []*string `json:"neighbours"`
		Passable []bool
	}
}

type refData struct {
	units     refUnits
	tables    refTables
	scenarios map[string]refScenario
	board     refMap
	verbs     []string
	classes   []string
}

// readRefData reads the printed numbers through structs of the reference's own.
func readRefData(t testing.TB) *refData {
	t.Helper()
	d := &refData{scenarios: map[string]refScenario{}}
	read := func(name string, v any) {
		text, err := os.ReadFile(filepath.Join("data", name))
		if err == nil {
			err = json.Unmarshal(text, v)
		}
		if err != nil {
			t.Fatal(name, err)
		}
	}
	read("units.json", &d.units)
	read("tables.json", &d.tables)
	read("map.json", &d.board)
	var raw map[string]json.RawMessage
	read("scenarios.json", &raw)
	for _, name := range []string{"basic", "partisan", "occupation", "civil_war", "multiplayer"} {
		var s refScenario
		if err := json.Unmarshal(raw[name], &s); err != nil {
			t.Fatal(name, err)
		}
		d.scenarios[name] = s
	}
	var words struct {
		Vocabulary struct {
			Verbs   []string
			Classes []string `json:"unit_classes"`
		}
	}
	read("decisions.json", &words)
	d.verbs, d.classes = words.Vocabulary.Verbs, words.Vocabulary.Classes
	return d
}

// newRefMap lays out the hexes, in ascending order of their numbers.
func newRefMap(d *refData) ([]*refHex, map[string]*refHex) {
	var list []*refHex
	byID := map[string]*refHex{}
	for _, h := range d.board.Hexes {
		x := &refHex{id: h.ID, col: h.Col, row: h.Row, country: h.Country, terrain: h.Terrain, pop: h.Pop}
		x.sea, x.east, x.west = len(h.Coast) > 0, h.East, h.West
		list = append(list, x)
		byID[h.ID] = x
	}
	for _, h := range d.board.Hexes {
		for i, n := range h.Next {
			if n != nil && h.Passable[i] {
				byID[h.ID].sides[i] = byID[*n]
			}
		}
	}
	return list, byID
}

// refDistance is plain hex distance (R3.2); even columns lie half a hex lower.
func refDistance(a, b *refHex) int {
	q := a.col - b.col
	r := (a.row - (a.col-1)/2) - (b.row - (b.col-1)/2)
	return (abs(q) + abs(r) + abs(q+r)) / 2
}

func abs(n int) int { return max(n, -n) }

// next are the neighbours across passable sides.
func (h *refHex) next() (list []*refHex) {
	for _, n := range h.sides {
		if n != nil {
			list = append(list, n)
		}
	}
	return list
}

// near reports whether a and b are the same hex or share a passable side.
func (h *refHex) near(b *refHex) bool {
	if h == b {
		return true
	}
	for _, n := range h.sides {
		if n == b {
			return true
		}
	}
	return false
}

func (h *refHex) winterCover() bool { return h.terrain == "north_winter_cover" }
