package bloc

import (
	"encoding/json"
	"fmt"
	"slices"

	"powderkeg/engine/ruledata"
)

// predicate is a condition of an agenda (R10.4).
type predicate uint8

const (
	insurrection predicate = iota
	occInType
	anyOccInType
	occInCity
	occInLiberated
	ownLiberated
	typeLiberated
	liberatedInCity
	blocsInCity
	blocsInLiberated
	mostBlocs
	barricadesInCity
	noPoliceAtOwn
	lootedCenters
	burnedCenters
	fullyBurned
	handOf
	numPredicates
)

var predicateNames = [numPredicates]string{
	"INSURRECTION_SUCCESS", "OCC_IN_TYPE", "ANY_OCC_IN_TYPE", "OCC_IN_CITY", "OCC_IN_LIBERATED", "OWN_DISTRICTS_LIBERATED",
	"TYPE_LIBERATED", "LIBERATED_IN_CITY", "BLOCS_IN_CITY", "BLOCS_IN_LIBERATED", "MOST_BLOCS", "BARRICADES_IN_CITY",
	"NO_POLICE_AT_OWN_OCC", "LOOTED_CENTERS", "BURNED_CENTERS", "COMMERCIAL_FULLY_BURNED", "HAND",
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *predicate) UnmarshalText(text []byte) error { return named(p, text, predicateNames[:]) }

// success is a condition of a scenario (R10.2).
type success uint8

const (
	stateOccupied success = iota
	entrancesBarricaded
	policeGone
	commercialBurned
	ownOccupied
	stateOrOwn
	liberatedCount
	stateLiberated
	aroundZones
	numSuccesses
)

var successNames = [numSuccesses]string{
	"ALL_STATE_OCCUPIED", "ALL_HIGHWAY_ENTRANCES_BARRICADED", "ALL_VANS_DESTROYED_AND_NO_COPS", "ALL_COMMERCIAL_BURNED",
	"ALL_FACTIONS_OCCUPY_ALL_OWN", "EACH_FACTION_STATE_OR_ALL_OWN", "LIBERATED_COUNT", "ALL_STATE_OCCUPIED_AND_LIBERATED",
	"ADJACENT_TO_ZONES_LIBERATED_AND_ZONES_CLEAR",
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *success) UnmarshalText(text []byte) error { return named(s, text, successNames[:]) }

// agenda is one agenda card (R11.6): two options, each a list of conditions.
type agenda struct {
	ruledata.Source
	Index             int
	Key, Family, Name string
	Options           []agendaOption
}

type agendaOption struct {
	Mode string
	All  []condition
	Text string
}

func (o *agendaOption) alone() bool { return o.Mode == "alone" }

// condition is a predicate with its arguments.
type condition struct {
	Op   predicate
	Type districtType
	N    uint8
}

// districtType is a type of districts or ownType, that of the faction.
type districtType uint8

const ownType = districtType(Types)

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *districtType) UnmarshalText(text []byte) error {
	return named(t, text, append(typeNames[:], "own"))
}

// of returns the type that a condition on faction f is about.
func (t districtType) of(f FactionID) TileType {
	if t == ownType {
		return TileType(f)
	}
	return TileType(t)
}

// readAgendas reads the agenda cards.
func readAgendas(b *box) error {
	var file struct {
		ruledata.Source
		Size  int `json:"deck_size"`
		Cards []agenda
	}
	if err := ruledata.Read(b.files, "agenda_cards", &file); err != nil {
		return err
	}
	return fill(b.agendas[:], file.Cards)
}

// agendaDeal is how the agenda cards are dealt (R2.9).
type agendaDeal uint8

const (
	noAgendas agendaDeal = iota
	standardDeal
	removeNihilist
	infighting
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *agendaDeal) UnmarshalText(text []byte) error {
	return named(d, text, []string{"none", "standard", "remove_nihilist", "infighting"})
}

// mode is one of the two ways to play (R2.12).
type mode uint8

const (
	cooperative mode = iota
	semiCooperative
)

var modeNames = []string{"cooperative", "semi_cooperative"}

// scenario is one entry of scenarios.json (R10.3).
//
// The rulebook's page of scenarios prints two columns into each other; which line belongs
// to which scenario is a ruling (Ruling 25).
type scenario struct {
	ruledata.Source
	ID      string
	Name    string
	Label   string
	Players []int
	Modes   []string
	Success struct {
		Op    success
		N     uint8
		Vans  uint8 // for readers: all there are
		Tiles []string
	}
	Gate *struct {
		Op    string
		Tiles []string
	} `json:"win_gate"` // nobody wins while police are in a zone
	City       string
	CopsPerVan uint8 `json:"cops_per_van"`
	Agenda     agendaDeal
	OpsRemove  []struct {
		Key    string
		Copies uint8
	} `json:"ops_remove"`
	LootDealt  uint8  `json:"loot_cards_dealt"`
	Difficulty string `json:"ops_difficulty"` // "" where it is a choice
	Note       string
	Marks      map[string]string `json:"field_sources"`
	Three      json.RawMessage   `json:"three_players"`
	scenarioSetUp

	usual      string           // ops difficulty where none is chosen
	zones      []TileID         // tiles that the success condition or the gate names
	removedOps [OpsCards]uint8  // by card
	setUps     [2]scenarioSetUp // for two or four players, and for three
}

// scenarioSetUp is what can depend on the number of players.
type scenarioSetUp struct {
	Replacements []replacement `json:"tile_replacements"`
	Vans         []string      // tile keys, or each_state
	Blocs        uint8         `json:"blocs_at_start"`
	Nights       uint8

	out, in   []TileID // the tiles of Replacements
	eachState bool     // a van in each State district
	vanTiles  []TileID
}

// replacement is a tile that takes the place of another.
type replacement struct{ Out, In string }

// setUp returns what a scenario sets up for so many players.
func (s *scenario) setUp(players uint8) *scenarioSetUp {
	if players == 3 {
		return &s.setUps[1]
	}
	return &s.setUps[0]
}

// fixed reports whether the scenario has the beginner city.
func (s *scenario) fixed() bool { return s.City == "beginner_city" }

type scenariosFile struct {
	ruledata.Source
	Note    string
	Options struct {
		Overpass struct {
			ruledata.Source
			Meaning string
			Order   []string `json:"highway_order"`
		} `json:"use_overpass"`
		Difficulties []string `json:"ops_difficulty"`
	}
	Usual     map[string]string      `json:"default_ops_difficulty_by_label"`
	Vans      map[string]map[int]int `json:"starting_vans_expected"` // for readers
	Scenarios []scenario
}

// readScenarios reads R10.3.
func readScenarios(b *box) error {
	var file scenariosFile
	if err := ruledata.Read(b.files, "scenarios", &file); err != nil {
		return err
	}
	var err error
	if b.overpass, err = b.tileOf("highway_overpass"); err != nil {
		return err
	}
	if b.highwayOrder, err = b.tilesNamed(file.Options.Overpass.Order); err != nil {
		return err
	}
	b.scenarios = file.Scenarios
	for i := range b.scenarios {
		s := &b.scenarios[i]
		s.usual = file.Usual[s.Label]
		if err := b.resolve(s); err != nil {
			return fmt.Errorf("scenario %s: %w", s.ID, err)
		}
	}
	return nil
}

// resolve looks up the tiles and cards that a scenario names.
func (b *box) resolve(s *scenario) error {
	var err error
	zones := s.Success.Tiles
	if s.Gate != nil {
		zones = s.Gate.Tiles
	}
	if s.zones, err = b.tilesNamed(zones); err != nil {
		return err
	}
	for _, o := range s.OpsRemove {
		i := slices.IndexFunc(b.ops[:], func(c card) bool { return c.Key == o.Key })
		if i < 0 {
			return fmt.Errorf("%q is no ops card", o.Key)
		}
		s.removedOps[i] = o.Copies
	}
	three := s.scenarioSetUp
	three.Replacements, three.Vans = slices.Clone(three.Replacements), slices.Clone(three.Vans)
	if s.Three != nil {
		if err := ruledata.Decode(s.Three, &three); err != nil {
			return fmt.Errorf("three_players: %w", err)
		}
	}
	s.setUps = [2]scenarioSetUp{s.scenarioSetUp, three}
	for i := range s.setUps {
		if err := b.resolveSetUp(&s.setUps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *box) resolveSetUp(s *scenarioSetUp) error {
	for _, r := range s.Replacements {
		pair, err := b.tilesNamed([]string{r.Out, r.In})
		if err != nil {
			return err
		}
		s.out, s.in = append(s.out, pair[0]), append(s.in, pair[1])
	}
	named := slices.DeleteFunc(slices.Clone(s.Vans), func(key string) bool { return key == "each_state" })
	s.eachState = len(named) < len(s.Vans)
	var err error
	s.vanTiles, err = b.tilesNamed(named)
	return err
}

// tilesOf implements R2.2 and R10.3: the tiles of the random city by pile; a
// replacing tile joins the pile of the one that it replaces.
func (b *box) tilesOf(s *scenarioSetUp) [3][]TileID {
	var piles [3][]TileID
	for i := range b.tiles {
		pile := b.tiles[i].Pile
		if pile >= noPile {
			continue
		}
		t := TileID(i)
		if k := slices.Index(s.out, t); k >= 0 {
			t = s.in[k]
		}
		piles[pile] = append(piles[pile], t)
	}
	return piles
}
