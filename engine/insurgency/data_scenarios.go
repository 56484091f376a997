package insurgency

import (
	"fmt"
	"slices"
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
	status                                 [numSpaces]uint8
	agents, militia, federalBases, rebBase [numSpaces]uint8
	social                                 uint8
	resources                              [numSeats]uint8
	reserves                               [numSeats]uint8
	// limits of a custom set-up (R16.3); zero in others
	limits [numSeats]customLimits
}

// customLimits bounds what a side may choose in a custom set-up.
type customLimits struct {
	minPopulation, maxPopulation, vp, units int
}

type scenarioRow struct {
	ID, Name string
	source
	RemoveTag     string `json:"remove_event_tag"`
	DeckSize      int    `json:"event_deck_size"`
	InitialHand   uint8  `json:"initial_hand"`
	Resources     map[string]uint8
	SocialMedia   string `json:"social_media"`
	Reserves      map[string]uint8
	VP            map[string]int `json:"stated_vp"`
	Status        map[string][]string
	Unmarked      []string
	Agents        map[string]uint8
	FederalBases  map[string]uint8  `json:"federal_bases"`
	Militia       map[string]uint8  `json:"militia_sleepers"`
	RebelBases    map[string]uint8  `json:"rebel_bases"`
	FieldsSource  map[string]source `json:"fields_source"`
	DefaultSource string            `json:"defaults_source"`
	DefaultWhy    string            `json:"defaults_why"`
	Parameters    []struct {
		Name    string
		Values  []string
		Default string
		ByTag   map[string]string `json:"default_by_event_tag"`
		Note    string
	}
	Limits map[string]struct {
		Status        string
		MinPopulation int `json:"population_min"`
		MaxPopulation int `json:"population_max"`
		VP            int `json:"vp_exact"`
		Units         int
		Unit          string
	}
	LimitsSource string `json:"limits_source"`
	First        string `json:"first_to_choose"`
}

// readScenarios implements R16.1 and R16.2 (Q24, Q25, Q26), and the limits of R16.3.
func readScenarios(b *box) error {
	var f struct {
		Options []struct {
			Name    string
			Values  []string
			Default string
			Rule    string
			Note    string
		}
		Scenarios []scenarioRow
	}
	if err := decodeFile("scenarios", &f); err != nil {
		return err
	}
	if o := f.Options; len(o) != 1 || o[0].Name != "deploy" || !slices.Equal(o[0].Values, deployReadings) || o[0].Default != deployReadings[0] {
		return fmt.Errorf("scenarios.json: options %+v, want deploy with %v", o, deployReadings)
	}
	if len(f.Scenarios) != int(numScenarios) {
		return fmt.Errorf("scenarios.json: %d scenarios, want %d", len(f.Scenarios), numScenarios)
	}
	for i := range f.Scenarios {
		r := &f.Scenarios[i]
		if r.ID != scenarioNames[i] {
			return fmt.Errorf("scenarios.json: scenario %d is %s, want %s", i, r.ID, scenarioNames[i])
		}
		if err := b.readScenario(r, &b.scenarios[i]); err != nil {
			return fmt.Errorf("scenarios.json: %s: %w", r.ID, err)
		}
	}
	var example struct {
		source
		Preset scenarioRow
	}
	if err := decodeFile("presets", &example); err != nil {
		return err
	}
	if err := example.check("presets.json"); err != nil {
		return err
	}
	if err := b.readBoard(&example.Preset, &b.preset); err != nil {
		return fmt.Errorf("presets.json: %w", err)
	}
	return nil
}

func (b *box) readScenario(r *scenarioRow, s *scenario) error {
	if err := r.check("source"); err != nil {
		return err
	}
	if r.InitialHand != b.openingHand {
		return fmt.Errorf("first hands of %d cards, want %d", r.InitialHand, b.openingHand)
	}
	for side, name := range sideNames {
		s.resources[side], s.reserves[side] = r.Resources[name], r.Reserves[name]
		if l, ok := r.Limits[name]; ok {
			s.limits[side] = customLimits{l.MinPopulation, l.MaxPopulation, l.VP, l.Units}
		}
	}
	if r.ID == scenarioNames[custom] {
		if s.limits[rebel].vp == 0 || s.limits[federal].vp == 0 || r.First != sideNames[federal] {
			return fmt.Errorf("the limits of both sides, and the Federal to choose first, are needed")
		}
		for i := range s.status {
			s.status[i] = unmarked
		}
		return nil
	}
	social := slices.Index(smNames, r.SocialMedia)
	if social < 0 {
		return fmt.Errorf("social_media %q", r.SocialMedia)
	}
	s.social = uint8(social)
	if err := b.readBoard(r, s); err != nil {
		return err
	}
	var listed []string
	for _, ids := range r.Status {
		listed = append(listed, ids...)
	}
	listed = append(listed, r.Unmarked...)
	slices.Sort(listed)
	all := slices.Sorted(slices.Values(b.ids))
	if !slices.Equal(listed, all) {
		return fmt.Errorf("not every space has exactly one status")
	}
	return b.checkTotals(r, s)
}

// checkTotals compares the victory points with those that the rulebook states
// (R16.1, R16.2) and the deck with its size.
func (b *box) checkTotals(r *scenarioRow, s *scenario) error {
	var vp [numSeats]int
	for i := range s.status {
		switch s.status[i] {
		case order:
			vp[federal] += int(b.spaces[i].population)
		case revolt:
			vp[rebel] += int(b.spaces[i].population)
		}
		vp[federal] += int(s.federalBases[i])
		vp[rebel] += int(s.rebBase[i])
	}
	for side, name := range sideNames {
		if vp[side] != r.VP[name] {
			return fmt.Errorf("%s has %d VPs, the rulebook says %d", name, vp[side], r.VP[name])
		}
	}
	deck := 0
	for n := 1; n <= numEvents; n++ {
		if b.programs[n].tag != r.RemoveTag {
			deck++
		}
	}
	if deck != r.DeckSize {
		return fmt.Errorf("%d event cards stay, want %d", deck, r.DeckSize)
	}
	return nil
}

// readBoard reads statuses and pieces.
func (b *box) readBoard(r *scenarioRow, s *scenario) error {
	for i := range s.status {
		s.status[i] = unmarked
	}
	for name, ids := range r.Status {
		status := slices.Index(statusNames, name)
		set, err := b.spacesOf(ids)
		if status < 0 || err != nil || set&^b.us != 0 {
			return fmt.Errorf("status %q: %v", name, err)
		}
		for ; set != 0; set &= set - 1 {
			s.status[set.first()] = uint8(status)
		}
	}
	for _, part := range []struct {
		name  string
		given map[string]uint8
		into  *[numSpaces]uint8
	}{
		{"agents", r.Agents, &s.agents}, {"federal_bases", r.FederalBases, &s.federalBases},
		{"militia_sleepers", r.Militia, &s.militia}, {"rebel_bases", r.RebelBases, &s.rebBase},
	} {
		for id, n := range part.given {
			i, err := b.spaceOf(id)
			if err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
			part.into[i] = n
		}
	}
	for i := range s.status {
		if s.federalBases[i]+s.rebBase[i] > b.maxBases {
			return fmt.Errorf("%s has more than %d bases", b.ids[i], b.maxBases)
		}
	}
	return nil
}
