package minuteman

import (
	"slices"

	"powderkeg/engine/ruledata"
)

// scenario holds the numbers of one scenario (data/scenarios.json). Fields left
// out there are those of the basic game.
type scenario struct {
	record
	Turns           int
	AirRail         uint8 `json:"air_rail"`
	Revolution      bool  `json:"revolution_allowed"`
	Deadline        int   `json:"revolution_deadline_turn"`
	BuildShift      uint8 `json:"build_shift_right"`
	SeditionShift   uint8 `json:"sedition_shift_right"`
	ReactionShift   uint8 `json:"reaction_builds_shift_left"`
	UnrestIsRiot    bool  `json:"unrest_is_riot"`
	QuietBuilds     bool  `json:"government_builds_cause_no_riot"`
	CIGAugment      dice  `json:"cig_augment_on"`
	RiotDefence     uint8 `json:"riot_defense"`
	RemoveRiot      bool  `json:"free_build_option_to_remove_riot"`
	ExtraRiots      uint8 `json:"extra_riot_per_turn"`
	BesideRiots     uint8 `json:"extra_riots_next_to_minuteman_and_network"`
	ConvertIsPin    bool  `json:"subversion_M_is_P"`
	SecondPinKills  bool  `json:"second_P_eliminates"`
	AeStays         bool  `json:"ae_stays_ae"`
	Ruthless        bool
	InformerDefence uint8 `json:"informer_defense"`
	MilitiaStack    uint8 `json:"militia_stack"`
	MilitiaDoubled  bool  `json:"militia_doubled_with_minuteman_or_network"`
	CommitStep      uint8 `json:"commit_step"`
	AirRailFails    dice  `json:"air_rail_fails_on"`
	Government      struct {
		record
		Divisions int `json:"divisions_random"`
		Hexes     []string
		Other     int `json:"other_divisions"`
		Agents    int `json:"agents_weak"`
		CIGs      int `json:"cig_step1"`
	}
	Rebel struct {
		record
		Canada, Mexico abroad
	}
	Three     players `json:"three_players"`
	Four      players `json:"four_players"`
	Dispersed struct {
		record
		Government struct {
			Divisions int `json:"divisions_random"`
			CIGs      int `json:"cig_step1"`
		}
		Two   map[string]region `json:"two_rebels"`
		Three map[string]region `json:"three_rebels"`
	}
}

// dice are the faces of a die on which something happens.
type dice []int

func (d dice) has(die int) bool { return slices.Contains(d, die) }

// abroad is what a Rebel sets up in a country of Occupation.
type abroad struct{ Networks, Minutemen int }

// players is what each of several Rebels sets up.
type players struct {
	record
	Networks  int `json:"networks_each"`
	Minutemen int `json:"minutemen_each"`
}

type region struct {
	record
	Hexes []string
}

// variants are the alternative set-ups of the basic scenario (R23).
type variants struct {
	record
	Government struct {
		Unprepared struct {
			record
			Divisions int `json:"divisions_random"`
			Fixed     []string
			Reinforce struct {
				record
				Turns []uint8
				Coast []string
			} `json:"reinforcements"`
		}
		Prepared struct {
			record
			Divisions int    `json:"divisions_random"`
			CIG       string `json:"cig_step1"`
			AirRail   uint8  `json:"air_rail"`
			Markers   int    `json:"special_markers"`
		}
	}
	Rebel struct {
		Organized struct {
			record
			Move    int `json:"move_networks"`
			Augment int `json:"augment_networks"`
			Markers int `json:"special_markers"`
		}
	}
}

// scenariosFile is data/scenarios.json. The set-up of several players is apart; which
// options go together is told by checkOptions.
type scenariosFile struct {
	Basic, Partisan, Occupation, Multiplayer scenario
	CivilWar                                 scenario `json:"civil_war"`
	Variants                                 variants `json:"basic_variants"`
	Matrix                                   prose    `json:"option_matrix"`
	Optional                                 prose    `json:"optional_rules"`
}

// scenarioNames are the values of the option scenario, in the order of Scenario.
var scenarioNames = []string{"basic", "partisan", "occupation", "civil_war"}

// readScenarios implements R22 to R28 as far as they are numbers.
func readScenarios(b *box) error {
	var f scenariosFile
	b.scenarios = map[string]*scenario{
		"basic": &f.Basic, "partisan": &f.Partisan, "occupation": &f.Occupation, "civil_war": &f.CivilWar, "multiplayer": &f.Multiplayer,
	}
	for _, s := range b.scenarios {
		s.InformerDefence, s.MilitiaStack, s.RiotDefence = b.informer, 1, 2
	}
	if err := ruledata.Read(b.files, "scenarios", &f); err != nil {
		return err
	}
	b.variants = f.Variants
	return nil
}
