package domination

import (
	"encoding/json"
	"fmt"

	"powderkeg/engine/ruledata"
)

// setupFile is setup.json (R5): the same set-up for every number of players but for
// the Domination cards, and the options of R12.2.
type setupFile struct {
	ruledata.Source
	Scenarios   []rawScenario `json:"scenarios"`
	PlayerCount struct {
		ruledata.Source
		Min int `json:"min"`
		Max int `json:"max"`
	} `json:"player_count"`
	StartingDeck map[string]json.RawMessage `json:"starting_deck"`
	Options      []rawOption                `json:"options"`
}

type rawScenario struct {
	ruledata.Source
	Players         int `json:"players"`
	DominationUsed  int `json:"domination_cards_used"`
	DominationAside int `json:"domination_cards_set_aside"`
	TypesInGame     int `json:"action_types_in_game"`
	TypesAside      int `json:"action_types_set_aside"`
	CardsInStacks   int `json:"action_cards_in_stacks"`
	LogisticsEach   int `json:"logistics_each"`
	VPEach          int `json:"vp_each"`
	ForcesOnMap     int `json:"forces_on_map"`
}

type rawOption struct {
	ruledata.Source
	ID      string          `json:"id"`
	Default json.RawMessage `json:"default"`
	Range   [2]int          `json:"range"`
	Meaning string          `json:"meaning"`
	Rule    string          `json:"rule"`
}

// readSetup compiles setup.json.
func readSetup(b *box) error {
	var s setupFile
	if err := ruledata.Read(b.files, "setup", &s); err != nil {
		return err
	}
	if err := json.Unmarshal(s.StartingDeck[b.Cards[domination].Name], &b.starters); err != nil || len(s.Scenarios) == 0 {
		return fmt.Errorf("setup.json: no starting deck or no set-up")
	}
	b.startLogistics = uint8(s.Scenarios[0].LogisticsEach)
	limits := map[string]*limit{"turns": &b.turns, "copies_per_stack": &b.copies, "logistics_max": &b.maxLogistics}
	for _, o := range s.Options {
		l, ok := limits[o.ID]
		if !ok {
			continue
		}
		l.low, l.high = o.Range[0], o.Range[1]
		if err := json.Unmarshal(o.Default, &l.standard); err != nil {
			return fmt.Errorf("setup.json: option %s: the default %s is no number", o.ID, o.Default)
		}
	}
	return nil
}

// tracksFile is tracks.json (R1.6), with the lengths of Q7 and Q8.
type tracksFile struct {
	Turn struct {
		ruledata.Source
		Squares []string `json:"squares"`
	} `json:"turn_track"`
	Logistical struct {
		ruledata.Source
		Min   int `json:"min"`
		Start int `json:"start"`
		Max   int `json:"max"`
	} `json:"logistical_track"`
	VP struct {
		ruledata.Source
		Start       int  `json:"start"`
		FirstSquare int  `json:"first_square"`
		Squares     int  `json:"squares"`
		Laps        bool `json:"laps"`
	} `json:"victory_point_track"`
}

func readTracks(b *box) error {
	var t tracksFile
	if err := ruledata.Read(b.files, "tracks", &t); err != nil {
		return err
	}
	b.minLogistics = uint8(t.Logistical.Min)
	return nil
}

// scoringFile is scoring.json (R9.2, R9.3, R9.5).
type scoringFile struct {
	ruledata.Source
	VP                   Scores `json:"vp"`
	LogisticsPerMonopoly uint8  `json:"logistics_per_resource_monopoly"`
	RegionAreas          int    `json:"region_monopoly_areas"`
	ResourceAreas        int    `json:"resource_monopoly_areas"`
	NeedsFull            bool   `json:"monopoly_needs_full"`
	Max                  int    `json:"max_vp_per_scoring"`
}

func readScoring(b *box) error {
	var s scoringFile
	if err := ruledata.Read(b.files, "scoring", &s); err != nil {
		return err
	}
	b.Scores = s.VP
	b.Scores.ResourceMonopoly = s.LogisticsPerMonopoly
	return nil
}
