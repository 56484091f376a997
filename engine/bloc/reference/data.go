package reference

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Rules is what is printed on tiles, cards and tables, and what the scenarios say.
type Rules struct {
	tiles     map[string]tile
	factions  []faction
	loot      []lootCard
	ops       []opsCard
	shows     []manifestation
	agendas   []agenda
	scenarios []scenario
	labels    map[string]json.RawMessage // default difficulty of the ops deck by label
	highways  []string                   // what use_overpass takes out, the first that is there
	zigzag    []int
	beginner  []laid
	dice      []diceRow
	opsCards  []int // police ops cards of a turn by morale step
	removed   map[string]int
}

type tile struct {
	Key       string
	Type      string
	Letter    any
	ID        int  `json:"police_id"`
	Repressed *int `json:"difficulty_repressed"`
	Liberated *int `json:"difficulty_liberated"`
	Roads     string
	Metro     bool
	Shops     int  `json:"shopping_centers"`
	Circle    bool `json:"occupation_circle"`
	CanBe     bool `json:"can_be_liberated"`
	Starts    bool `json:"starts_liberated"`
}

type faction struct {
	Key         string
	Districts   []string
	Occupations []string
}

type lootCard struct {
	Key    string
	Copies int
	Window string
}

type opsCard struct {
	Key      string
	Copies   int
	Priority string
}

type manifestation struct {
	Key    string
	Copies int
	Table  map[string]int `json:"table_by_liberated_difficulty"`
}

type predicate struct {
	Op, Type string
	N        int
}

type agenda struct {
	Key, Family string
	Options     []struct {
		Mode string
		All  []predicate
	}
}

type replacement struct{ Out, In string }

type scenario struct {
	ID, Label string
	Players   []int
	Modes     []string
	Success   struct {
		Op    string
		N     int
		Tiles []string
	}
	Gate *struct {
		Op    string
		Tiles []string
	} `json:"win_gate"`
	City         string
	Replacements []replacement `json:"tile_replacements"`
	Vans         []string
	Cops         int `json:"cops_per_van"`
	Blocs        int `json:"blocs_at_start"`
	Nights       int
	Agenda       string
	Remove       []struct {
		Key    string
		Copies int
	} `json:"ops_remove"`
	Cards      int             `json:"loot_cards_dealt"`
	Difficulty string          `json:"ops_difficulty"`
	Three      json.RawMessage `json:"three_players"`
}

type laid struct {
	Tile     string `json:"tile"`
	Rotation int    `json:"rotation"`
}

type diceRow struct {
	Least int `json:"blocs_min"`
	Most  int `json:"blocs_max"`
	Dice  int
}

// Read reads the data files, each by its name.
func Read(file func(name string) ([]byte, error)) (*Rules, error) {
	r := &Rules{tiles: map[string]tile{}}
	d := reader{file: file}
	var tiles struct{ Tiles []tile }
	d.read("tiles.json", &tiles)
	for _, t := range tiles.Tiles {
		r.tiles[t.Key] = t
	}
	var factions struct{ Factions []faction }
	d.read("factions.json", &factions)
	r.factions = factions.Factions
	r.loot = cards[lootCard](&d, "loot_cards.json")
	r.ops = cards[opsCard](&d, "police_ops_cards.json")
	r.shows = cards[manifestation](&d, "manifestation_cards.json")
	r.agendas = cards[agenda](&d, "agenda_cards.json")
	r.readScenarios(&d)
	r.readCity(&d)
	r.readTables(&d)
	return r, d.err
}

// reader reads files until one fails.
type reader struct {
	file func(name string) ([]byte, error)
	err  error
}

func (d *reader) read(name string, v any) {
	text, err := d.file(name)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("%s: %w", name, err)
	}
}

func cards[T any](d *reader, name string) []T {
	var deck struct{ Cards []T }
	d.read(name, &deck)
	return deck.Cards
}

func (r *Rules) readScenarios(d *reader) {
	var scenarios struct {
		Options struct {
			Overpass struct {
				Order []string `json:"highway_order"`
			} `json:"use_overpass"`
		}
		Labels    map[string]json.RawMessage `json:"default_ops_difficulty_by_label"`
		Scenarios []scenario
	}
	d.read("scenarios.json", &scenarios)
	r.scenarios, r.labels, r.highways = scenarios.Scenarios, scenarios.Labels, scenarios.Options.Overpass.Order
}

func (r *Rules) readCity(d *reader) {
	var city struct {
		Zigzag struct {
			Order []int `json:"placement_order"`
		}
		Beginner struct{ Cells []laid } `json:"beginner_city"`
	}
	d.read("city.json", &city)
	r.zigzag, r.beginner = city.Zigzag.Order, city.Beginner.Cells
}

func (r *Rules) readTables(d *reader) {
	var tables struct {
		Dice  struct{ Rows []diceRow } `json:"action_dice_by_blocs"`
		Track struct {
			Steps []struct {
				Cards int `json:"ops_cards"`
			}
		} `json:"police_morale_track"`
		Ops struct {
			Removed map[string]int `json:"paramilitary_operations_removed"`
		} `json:"police_ops_difficulty"`
	}
	d.read("tables.json", &tables)
	r.dice, r.removed = tables.Dice.Rows, tables.Ops.Removed
	for _, step := range tables.Track.Steps {
		r.opsCards = append(r.opsCards, step.Cards)
	}
}

// Scenarios lists their names.
func (r *Rules) Scenarios() (list []string) {
	for _, s := range r.scenarios {
		list = append(list, s.ID)
	}
	return list
}

// Settings lists the scenarios with the numbers of players and the modes that they allow; two
// players always cooperate (R2.12). What else can be chosen is left open.
func (r *Rules) Settings() (list []Options) {
	for _, s := range r.scenarios {
		for _, n := range s.Players {
			for _, mode := range append(slices.Clone(s.Modes), "usual") {
				if n > 2 || mode != "semi_cooperative" {
					list = append(list, Options{Scenario: s.ID, Players: n, Mode: mode})
				}
			}
		}
	}
	return list
}

// scenario returns what a scenario sets up for so many players (R2.12, R10.3).
func (r *Rules) scenario(id string, players int) (scenario, error) {
	i := slices.IndexFunc(r.scenarios, func(s scenario) bool { return s.ID == id })
	if i < 0 {
		return scenario{}, fmt.Errorf("no scenario %q", id)
	}
	s := r.scenarios[i]
	if players == 3 {
		s.Replacements, s.Vans = slices.Clone(s.Replacements), slices.Clone(s.Vans)
		var three struct {
			Replacements []replacement `json:"tile_replacements"`
			Vans         []string
			Blocs        int `json:"blocs_at_start"`
			Nights       int
		}
		if err := json.Unmarshal(s.Three, &three); err != nil {
			return s, err
		}
		s.Replacements = append(s.Replacements, three.Replacements...)
		if three.Vans != nil {
			s.Vans = three.Vans
		}
		if three.Blocs > 0 {
			s.Blocs = three.Blocs
		}
		if three.Nights > 0 {
			s.Nights = three.Nights
		}
	}
	return s, nil
}

// difficulty is the one of the ops deck that a scenario has if nobody chooses (Ruling 15).
func (r *Rules) difficulty(s scenario) string {
	if s.Difficulty != "" {
		return s.Difficulty
	}
	var d string
	if err := json.Unmarshal(r.labels[s.Label], &d); err != nil {
		panic(err)
	}
	return d
}

// Accepts reports whether the rules know such a game (R2.2, R2.6, R2.12): one in the beginner
// city needs the tiles that the scenario is about.
func (r *Rules) Accepts(o Options) bool {
	s, err := r.scenario(o.Scenario, o.Players)
	if err != nil || !slices.Contains(s.Players, o.Players) {
		return false
	}
	if o.Mode != "usual" && (!slices.Contains(s.Modes, o.Mode) || o.Mode == "semi_cooperative" && o.Players == 2) {
		return false
	}
	if s.Difficulty != "" && o.Ops != "usual" && o.Ops != s.Difficulty {
		return false
	}
	fixed := o.City != "random" || s.City != ""
	if o.Overpass && (fixed || slices.ContainsFunc(s.Replacements, func(x replacement) bool { return x.In == "highway_overpass" })) {
		return false
	}
	if !fixed {
		return true
	}
	named := append(slices.Clone(s.Vans), s.Success.Tiles...)
	if s.Gate != nil {
		named = append(named, s.Gate.Tiles...)
	}
	return !slices.ContainsFunc(named, func(tile string) bool {
		return tile != "each_state" && !slices.ContainsFunc(r.beginner, func(l laid) bool { return l.Tile == tile })
	})
}
