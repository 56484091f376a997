package insurgency

import (
	"fmt"

	"powderkeg/engine/ruledata"
)

// Scenarios in the order of data/scenarios.json.
const (
	patriot uint8 = iota
	resistance
	custom
	numScenarios
)

var scenarioNames = []string{"patriot", "resistance", "custom"}

// scenario is a set-up (R16). The board of the custom scenario is empty.
type scenario struct {
	board     [numSpaces]Site
	social    Marker
	resources [numSeats]uint8
	reserves  [numSeats]uint8
	// limits of a custom set-up (R16.3); zero in others
	limits [numSeats]customLimits
}

// customLimits bounds what a side may choose in a custom set-up.
type customLimits struct {
	Status, Unit  string
	MinPopulation int `json:"population_min"`
	MaxPopulation int `json:"population_max"`
	VP            int `json:"vp_exact"`
	Units         int
}

type scenarioRow struct {
	ruledata.Source
	ID, Name       string
	Tag            notes `json:"remove_event_tag"`
	Deck           notes `json:"event_deck_size"`
	Hand           notes `json:"initial_hand"`
	VP             notes `json:"stated_vp"`
	FieldsSource   notes `json:"fields_source"`
	Unmarked       notes
	Resources      bySide
	SocialMedia    *Marker `json:"social_media"`
	Reserves       bySide
	Status         map[Status][]string
	Agents         map[string]uint8
	FederalBases   map[string]uint8 `json:"federal_bases"`
	Militia        map[string]uint8 `json:"militia_sleepers"`
	RebelBases     map[string]uint8 `json:"rebel_bases"`
	DefaultsSource notes            `json:"defaults_source"`
	DefaultsWhy    notes            `json:"defaults_why"`
	Parameters     notes
	Limits         struct{ Rebel, Federal customLimits }
	LimitsSource   notes `json:"limits_source"`
	First          notes `json:"first_to_choose"`
}

// readScenarios implements R16.1 and R16.2 (Q24, Q25, Q26), and the limits of R16.3.
func readScenarios(b *Box) error {
	var f struct {
		Options   notes
		Scenarios []scenarioRow
	}
	if err := ruledata.Read(b.files, "scenarios", &f); err != nil {
		return err
	}
	for i := range f.Scenarios {
		r := &f.Scenarios[i]
		n, err := word(r.ID, scenarioNames)
		if err != nil {
			return fmt.Errorf("scenarios.json: %w", err)
		}
		if err := b.readScenario(r, &b.scenarios[n]); err != nil {
			return fmt.Errorf("scenarios.json: %s: %w", r.ID, err)
		}
	}
	var example struct {
		ruledata.Source
		Preset scenarioRow
	}
	if err := ruledata.Read(b.files, "presets", &example); err != nil {
		return err
	}
	return b.readScenario(&example.Preset, &b.preset)
}

// readScenario reads money, statuses and pieces.
func (b *Box) readScenario(r *scenarioRow, s *scenario) (err error) {
	*s = scenario{
		resources: r.Resources.seats(), reserves: r.Reserves.seats(), limits: [numSeats]customLimits{r.Limits.Rebel, r.Limits.Federal},
	}
	if r.SocialMedia != nil {
		s.social = *r.SocialMedia
	}
	s.board = emptyBoard
	for status, ids := range r.Status {
		for _, id := range ids {
			i, err := b.spaceOf(id)
			if err != nil {
				return err
			}
			s.board[i].Status = status
		}
	}
	for _, part := range []struct {
		given map[string]uint8
		into  func(s *Site) *uint8
	}{
		{r.Agents, func(s *Site) *uint8 { return &s.Agents }}, {r.FederalBases, func(s *Site) *uint8 { return &s.FederalBases }},
		{r.Militia, func(s *Site) *uint8 { return &s.Sleepers }}, {r.RebelBases, func(s *Site) *uint8 { return &s.RebelBases }},
	} {
		for id, n := range part.given {
			i, err := b.spaceOf(id)
			if err != nil {
				return err
			}
			*part.into(&s.board[i]) = n
		}
	}
	return nil
}
