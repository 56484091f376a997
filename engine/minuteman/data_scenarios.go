package minuteman

import "fmt"

// scenario holds the numbers of one scenario (data/scenarios.json). Fields left
// out there are those of the basic game.
type scenario struct {
	source
	Turns      int   `json:"turns"`
	AirRail    uint8 `json:"air_rail"`
	Revolution bool  `json:"revolution_allowed"`
	Deadline   int   `json:"revolution_deadline_turn"`
	Government struct {
		Divisions int      `json:"divisions_random"`
		Hexes     []string `json:"hexes"`
		Front     struct {
			Divisions int `json:"divisions_random"`
		} `json:"front_line"`
		Other  int `json:"other_divisions"`
		Agents int `json:"agents_weak"`
		CIG    int `json:"cig_step1"`
	} `json:"government"`
	BuildShift      uint8   `json:"build_shift_right"`
	SeditionShift   uint8   `json:"sedition_shift_right"`
	ReactionShift   uint8   `json:"reaction_builds_shift_left"`
	UnrestIsRiot    bool    `json:"unrest_is_riot"`
	QuietBuilds     bool    `json:"government_builds_cause_no_riot"`
	CIGAugment      []uint8 `json:"cig_augment_on"`
	RiotDefence     uint8   `json:"riot_defense"`
	Spread          *bool   `json:"riots_spread"`
	RemoveRiot      bool    `json:"free_build_option_to_remove_riot"`
	ExtraRiots      uint8   `json:"extra_riot_per_turn"`
	BesideRiots     uint8   `json:"extra_riots_next_to_minuteman_and_network"`
	ConvertIsPin    bool    `json:"subversion_M_is_P"`
	SecondPinKills  bool    `json:"second_P_eliminates"`
	AeStays         bool    `json:"ae_stays_ae"`
	Ruthless        bool    `json:"ruthless"`
	InformerDefence uint8   `json:"informer_defense"`
	MilitiaStack    uint8   `json:"militia_stack"`
	ZOC             []any   `json:"zoc"`
	MilitiaDoubled  bool    `json:"militia_doubled_with_minuteman_or_network"`
	CommitStep      uint8   `json:"commit_step"`
	AirRailFails    []uint8 `json:"air_rail_fails_on"`
	Rebel           struct {
		Canada abroad `json:"canada"`
		Mexico abroad `json:"mexico"`
	} `json:"rebel"`
	Three     players `json:"three_players"`
	Four      players `json:"four_players"`
	Dispersed struct {
		Government struct {
			Divisions int `json:"divisions_random"`
			CIG       int `json:"cig_step1"`
		} `json:"government"`
		Two   map[string]region `json:"two_rebels"`
		Three map[string]region `json:"three_rebels"`
	} `json:"dispersed"`
}

// abroad is what a Rebel sets up in a country of Occupation.
type abroad struct {
	Networks  int `json:"networks"`
	Minutemen int `json:"minutemen"`
}

// players is what each of several Rebels sets up.
type players struct {
	Networks  int `json:"networks_each"`
	Minutemen int `json:"minutemen_each"`
}

type region struct {
	Hexes []string `json:"hexes"`
}

// variants are the alternative set-ups of the basic scenario (R23).
type variants struct {
	source
	Government struct {
		Unprepared struct {
			Divisions int      `json:"divisions_random"`
			Fixed     []string `json:"fixed"`
			Reinforce struct {
				Turns []uint8  `json:"turns"`
				Coast []string `json:"coast"`
			} `json:"reinforcements"`
		} `json:"unprepared"`
		Prepared struct {
			Divisions int    `json:"divisions_random"`
			CIG       string `json:"cig_step1"`
			AirRail   uint8  `json:"air_rail"`
			Markers   int    `json:"special_markers"`
		} `json:"prepared"`
	} `json:"government"`
	Rebel struct {
		Organized struct {
			Move    int `json:"move_networks"`
			Augment int `json:"augment_networks"`
			Markers int `json:"special_markers"`
		} `json:"organized"`
	} `json:"rebel"`
}

// scenarioNames are the values of the option scenario; the set-up of several
// players is apart.
var scenarioNames = []string{"basic", "partisan", "occupation", "civil_war"}

// readScenarios implements R22 to R28 as far as they are numbers.
func readScenarios(b *box) error {
	var raw map[string]any
	if err := decodeFile("scenarios", &raw); err != nil {
		return err
	}
	b.scenarios = map[string]*scenario{}
	for _, name := range append([]string{"multiplayer"}, scenarioNames...) {
		s := &scenario{InformerDefence: b.informer, MilitiaStack: 1, RiotDefence: 2}
		if err := decodePart(raw[name], s); err != nil {
			return fmt.Errorf("scenarios.json: %s: %w", name, err)
		}
		if err := s.check("scenarios.json: " + name); err != nil {
			return err
		}
		if s.Turns < 1 || s.Turns > 24 || s.Revolution && (s.Deadline < 1 || s.Deadline > s.Turns) {
			return fmt.Errorf("scenarios.json: %s: %d turns, deadline %d", name, s.Turns, s.Deadline)
		}
		for _, id := range s.Government.Hexes {
			if _, ok := b.index[id]; !ok {
				return fmt.Errorf("scenarios.json: %s: unknown hex %s", name, id)
			}
		}
		b.scenarios[name] = s
	}
	if err := decodePart(raw["basic_variants"], &b.variants); err != nil {
		return fmt.Errorf("scenarios.json: basic_variants: %w", err)
	}
	return nil
}
