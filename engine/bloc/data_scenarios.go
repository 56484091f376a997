package bloc

import (
	"fmt"
	"slices"
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

// agenda is one agenda card: two options, each a list of conditions.
type agenda struct {
	key, name string
	options   [2]agendaOption
}

type agendaOption struct {
	alone bool
	all   []condition
	text  string
}

// condition is a predicate with its arguments.
type condition struct {
	is  predicate
	typ tileType
	own bool // the type is the faction's own
	n   uint8
}

// readAgendas reads the agenda cards (R11.6).
func readAgendas(b *box) error {
	var file struct {
		source
		DeckSize int `json:"deck_size"`
		Cards    []struct {
			source
			Index   int    `json:"index"`
			Key     string `json:"key"`
			Family  string `json:"family"`
			Name    string `json:"name"`
			Options []struct {
				Mode string `json:"mode"`
				Text string `json:"text"`
				All  []struct {
					Op   string `json:"op"`
					Type string `json:"type"`
					N    uint8  `json:"n"`
				} `json:"all"`
			} `json:"options"`
		} `json:"cards"`
	}
	if err := decodeFile("agenda_cards", &file); err != nil {
		return err
	}
	if len(file.Cards) != numAgendas || file.DeckSize != numAgendas {
		return fmt.Errorf("%d agenda cards", len(file.Cards))
	}
	families := map[string]int{}
	for i, r := range file.Cards {
		if r.Index != i || len(r.Options) != 2 {
			return fmt.Errorf("agenda %s: place %d, %d options", r.Key, r.Index, len(r.Options))
		}
		if err := r.check(r.Key); err != nil {
			return err
		}
		families[r.Family]++
		a := agenda{key: r.Key, name: r.Name}
		for k, o := range r.Options {
			option := agendaOption{alone: o.Mode == "alone", text: o.Text}
			for _, c := range o.All {
				is, err := index[predicate]("predicate", c.Op, predicateNames[:])
				if err != nil {
					return fmt.Errorf("agenda %s: %w", r.Key, err)
				}
				con := condition{is: is, n: c.N, own: c.Type == "own"}
				if c.Type != "" && !con.own {
					if con.typ, err = index[tileType]("type", c.Type, typeNames[:]); err != nil {
						return fmt.Errorf("agenda %s: %w", r.Key, err)
					}
				}
				option.all = append(option.all, con)
			}
			if len(option.all) == 0 || !option.alone && option.all[0].is != insurrection || option.alone && r.Family == "social" {
				return fmt.Errorf("agenda %s: option %d is malformed", r.Key, k)
			}
			a.options[k] = option
		}
		switch r.Family {
		case "nihilist":
			b.nihilist = uint8(i)
		case "vanguardist":
			b.vanguardist = uint8(i)
		}
		b.agendas[i] = a
	}
	if families["nihilist"] != 1 || families["vanguardist"] != 1 || families["social"]+families["sectarian"] != numAgendas-2 {
		return fmt.Errorf("agenda families %v", families)
	}
	return nil
}

// agendaDeal is how the agenda cards are dealt (R2.9).
type agendaDeal uint8

const (
	noAgendas agendaDeal = iota
	standardDeal
	removeNihilist
	infighting
)

var dealNames = []string{"none", "standard", "remove_nihilist", "infighting"}

// scenario is one entry of scenarios.json (R10.3), with all tiles resolved.
//
// The rulebook's page of scenarios prints two columns into each other; which line belongs
// to which scenario is a ruling (Ruling 25).
type scenario struct {
	id, name     string
	players      [maxPlayers + 1]bool
	modes        [2]bool // by mode
	success      success
	successN     uint8
	zones        []uint8 // tiles that the success condition or the gate names
	gate         bool    // nobody wins while police are in a zone
	fixed        bool    // the beginner city
	difficulty   int     // fixed ops difficulty, -1 where it is a choice
	usual        int     // ops difficulty where none is chosen
	agenda       agendaDeal
	removedOps   [numOps]uint8
	lootDealt    uint8
	replacements [maxPlayers + 1][]replacement
	eachState    [maxPlayers + 1]bool
	vanTiles     [maxPlayers + 1][]uint8
	nights       [maxPlayers + 1]uint8
	blocs        [maxPlayers + 1]uint8
	copsPerVan   uint8
}

// replacement is a tile that takes the place of another.
type replacement struct{ out, in uint8 }

type rawReplacement struct {
	Out string `json:"out"`
	In  string `json:"in"`
}

type rawScenario struct {
	source
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Players []int    `json:"players"`
	Modes   []string `json:"modes"`
	Success struct {
		Op    string   `json:"op"`
		N     uint8    `json:"n"`
		Vans  uint8    `json:"vans"`
		Tiles []string `json:"tiles"`
	} `json:"success"`
	Gate *struct {
		Op    string   `json:"op"`
		Tiles []string `json:"tiles"`
	} `json:"win_gate"`
	City         string           `json:"city"`
	Replacements []rawReplacement `json:"tile_replacements"`
	Vans         []string         `json:"vans"`
	CopsPerVan   uint8            `json:"cops_per_van"`
	Blocs        uint8            `json:"blocs_at_start"`
	Nights       uint8            `json:"nights"`
	Agenda       string           `json:"agenda"`
	OpsRemove    []struct {
		Key    string `json:"key"`
		Copies uint8  `json:"copies"`
	} `json:"ops_remove"`
	LootDealt     uint8             `json:"loot_cards_dealt"`
	OpsDifficulty string            `json:"ops_difficulty"`
	Note          string            `json:"note"`
	FieldSources  map[string]string `json:"field_sources"`
	Three         struct {
		Replacements []rawReplacement `json:"tile_replacements"`
		Vans         []string         `json:"vans"`
		Blocs        *uint8           `json:"blocs_at_start"`
		Nights       *uint8           `json:"nights"`
	} `json:"three_players"`
}

// readScenarios reads R10.3.
func readScenarios(b *box) error {
	var file struct {
		Source  string `json:"source"`
		Cite    string `json:"cite"`
		Note    string `json:"note"`
		Options struct {
			Overpass struct {
				source
				Meaning string   `json:"meaning"`
				Order   []string `json:"highway_order"`
			} `json:"use_overpass"`
			Difficulties []string `json:"ops_difficulty"`
		} `json:"options"`
		Usual     map[string]string         `json:"default_ops_difficulty_by_label"`
		Vans      map[string]map[string]int `json:"starting_vans_expected"`
		Scenarios []rawScenario             `json:"scenarios"`
	}
	if err := decodeFile("scenarios", &file); err != nil {
		return err
	}
	if !slices.Equal(file.Options.Difficulties, difficultyNames[:]) {
		return fmt.Errorf("scenarios.json: difficulties %v", file.Options.Difficulties)
	}
	var err error
	if b.overpass, err = b.tileOf("highway_overpass"); err != nil {
		return err
	}
	for _, key := range file.Options.Overpass.Order {
		t, err := b.tileOf(key)
		if err != nil || b.tiles[t].roads != curves {
			return fmt.Errorf("scenarios.json: highway_order: %v", err)
		}
		b.highwayOrder = append(b.highwayOrder, t)
	}
	for _, r := range file.Scenarios {
		s, err := b.compileScenario(r, file.Usual[r.Label])
		if err != nil {
			return fmt.Errorf("scenario %s: %w", r.ID, err)
		}
		b.scenarios = append(b.scenarios, s)
	}
	for id, players := range file.Vans {
		for n, want := range players {
			i := slices.IndexFunc(b.scenarios, func(s scenario) bool { return s.id == id })
			if got := len(b.vanDistricts(&b.scenarios[i], int(n[0]-'0'))); got != want {
				return fmt.Errorf("scenario %s with %s players has %d vans, want %d", id, n, got, want)
			}
		}
	}
	return nil
}

var modeNames = []string{"cooperative", "semi_cooperative"}

func (b *box) compileScenario(r rawScenario, usual string) (scenario, error) {
	s := scenario{id: r.ID, name: r.Name, successN: r.Success.N, copsPerVan: r.CopsPerVan, lootDealt: r.LootDealt,
		fixed: r.City == "beginner_city", gate: r.Gate != nil, difficulty: slices.Index(difficultyNames[:], r.OpsDifficulty),
		usual: slices.Index(difficultyNames[:], usual)}
	if err := r.check(r.ID); err != nil {
		return s, err
	}
	for _, n := range r.Players {
		if n < 2 || n > maxPlayers {
			return s, fmt.Errorf("%d players", n)
		}
		s.players[n] = true
	}
	var err error
	for _, name := range r.Modes {
		m, err := index[uint8]("mode", name, modeNames)
		if err != nil {
			return s, err
		}
		s.modes[m] = true
	}
	if s.success, err = index[success]("success", r.Success.Op, successNames[:]); err != nil {
		return s, err
	}
	if s.agenda, err = index[agendaDeal]("agenda", r.Agenda, dealNames); err != nil {
		return s, err
	}
	zones := r.Success.Tiles
	if r.Gate != nil {
		zones = r.Gate.Tiles
	}
	for _, key := range zones {
		t, err := b.tileOf(key)
		if err != nil {
			return s, err
		}
		s.zones = append(s.zones, t)
	}
	for _, o := range r.OpsRemove {
		i := slices.IndexFunc(b.ops[:], func(c card) bool { return c.key == o.Key })
		if i < 0 || b.ops[i].copies < o.Copies {
			return s, fmt.Errorf("%d copies of %s are to be removed", o.Copies, o.Key)
		}
		s.removedOps[i] = o.Copies
	}
	if s.usual < 0 || r.OpsDifficulty != "" && s.difficulty < 0 || s.modes[1] != (s.agenda != noAgendas) ||
		s.success == policeGone && r.Success.Vans != b.vans {
		return s, fmt.Errorf("difficulty %q, modes %v, agenda %s, success %s disagree", r.OpsDifficulty, r.Modes, r.Agenda, r.Success.Op)
	}
	return s, b.playerNumbers(&s, r)
}

// playerNumbers resolves what depends on the number of players.
func (b *box) playerNumbers(s *scenario, r rawScenario) error {
	for n := 2; n <= maxPlayers; n++ {
		replacements, vans, blocs, nights := r.Replacements, r.Vans, r.Blocs, r.Nights
		if three := r.Three; n == 3 {
			if three.Replacements != nil {
				replacements = three.Replacements
			}
			if three.Vans != nil {
				vans = three.Vans
			}
			if three.Blocs != nil {
				blocs = *three.Blocs
			}
			if three.Nights != nil {
				nights = *three.Nights
			}
		}
		for _, x := range replacements {
			out, err := b.tileOf(x.Out)
			if err != nil {
				return err
			}
			in, err := b.tileOf(x.In)
			if err != nil || b.tiles[out].pile == noPile || b.tiles[in].pile != noPile {
				return fmt.Errorf("%s cannot take the place of %s", x.In, x.Out)
			}
			s.replacements[n] = append(s.replacements[n], replacement{out, in})
		}
		for _, key := range vans {
			if key == "each_state" {
				s.eachState[n] = true
				continue
			}
			t, err := b.tileOf(key)
			if err != nil {
				return err
			}
			s.vanTiles[n] = append(s.vanTiles[n], t)
		}
		s.blocs[n], s.nights[n] = blocs, nights
		if !s.players[n] {
			continue
		}
		places := b.vanDistricts(s, n)
		if len(places) > int(b.vans) || len(places)*int(s.copsPerVan) > int(b.cops) || blocs > blocsEach || nights == 0 {
			return fmt.Errorf("%d vans with %d cops each, %d blocs, %d nights", len(places), s.copsPerVan, blocs, nights)
		}
	}
	return nil
}

// tilesOf implements R2.2 and R10.3: the tiles of the random city by pile; a
// replacing tile joins the pile of the one that it replaces.
func (b *box) tilesOf(s *scenario, players int) [3][]uint8 {
	var piles [3][]uint8
	for i := range b.tiles {
		pile := b.tiles[i].pile
		if pile == noPile {
			continue
		}
		t := uint8(i)
		for _, r := range s.replacements[players] {
			if r.out == t {
				t = r.in
			}
		}
		piles[pile] = append(piles[pile], t)
	}
	return piles
}

// vanDistricts implements R2.5: the tiles that get a riot van, in a random city.
func (b *box) vanDistricts(s *scenario, players int) []uint8 {
	places := slices.Clone(s.vanTiles[players])
	for _, pile := range b.tilesOf(s, players) {
		for _, t := range pile {
			if s.eachState[players] && b.tiles[t].typ == state {
				places = append(places, t)
			}
		}
	}
	return places
}
