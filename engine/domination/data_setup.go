package domination

import (
	"encoding/json"
	"fmt"
	"slices"
)

// readComponents compares components.json (R1.1 to R1.5, R1.7) with the cards and
// the sizes of the engine.
func readComponents(b *box) error {
	var c struct {
		Components []struct {
			source
			ID    string `json:"id"`
			Count int    `json:"count"`
		} `json:"components"`
	}
	if err := decodeFile("components", &c); err != nil {
		return err
	}
	count := map[string]int{}
	for _, x := range c.Components {
		if err := x.source.backed("components.json: " + x.ID); err != nil {
			return err
		}
		count[x.ID] = x.Count
	}
	total := b.cards[domination].copies
	for i := range b.cards {
		if i != domination && b.cards[i].copies != count["copies_per_action_type"] {
			return fmt.Errorf("components.json: %s has %d copies, expected %d", b.cards[i].name, b.cards[i].copies, count["copies_per_action_type"])
		}
		if i != domination && !b.cards[i].extension {
			total += b.cards[i].copies
		}
	}
	for id, want := range map[string]int{
		"board": 1, "land_areas": numLand, "sea_areas": numAreas - numLand, "regions": numRegions, "resources": numRegions,
		"domination_cards": b.cards[domination].copies, "action_card_types": baseCards - 1, "cards_total": total,
		"player_colours": maxSeats, "tokens_per_colour": numAreas + 2, "neutral_tokens": 2, "dice": 0,
	} {
		if n, ok := count[id]; !ok || n != want {
			return fmt.Errorf("components.json: %s is %d, expected %d", id, n, want)
		}
	}
	return nil
}

type rawScenario struct {
	source
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
	source
	ID      string          `json:"id"`
	Default json.RawMessage `json:"default"`
	Range   [2]int          `json:"range"`
	Meaning string          `json:"meaning"`
	Rule    string          `json:"rule"`
}

// readSetup reads setup.json (R5): the same set-up for every number of players but
// for the Domination cards, and the options of R12.2.
func readSetup(b *box) error {
	var s struct {
		source
		Scenarios   []rawScenario `json:"scenarios"`
		PlayerCount struct {
			source
			Min int `json:"min"`
			Max int `json:"max"`
		} `json:"player_count"`
		StartingDeck map[string]json.RawMessage `json:"starting_deck"`
		Options      []rawOption                `json:"options"`
	}
	if err := decodeFile("setup", &s); err != nil {
		return err
	}
	if err := s.source.check("setup.json"); err != nil {
		return err
	}
	starter := &b.cards[domination]
	if err := json.Unmarshal(s.StartingDeck[starter.name], &b.starters); err != nil || int(b.starters)*maxSeats != starter.copies {
		return fmt.Errorf("setup.json: a starting deck of %d %s does not serve %d players with %d cards", b.starters, starter.name, maxSeats, starter.copies)
	}
	if s.PlayerCount.Min != minSeats || s.PlayerCount.Max != maxSeats || len(s.Scenarios) != maxSeats-minSeats+1 {
		return fmt.Errorf("setup.json: %d to %d players and %d set-ups, expected %d to %d", s.PlayerCount.Min, s.PlayerCount.Max, len(s.Scenarios), minSeats, maxSeats)
	}
	for i, x := range s.Scenarios {
		n := minSeats + i
		used := n * int(b.starters)
		want := rawScenario{
			source: x.source, Players: n, DominationUsed: used, DominationAside: starter.copies - used,
			TypesInGame: poolSize, TypesAside: baseCards - 1 - poolSize, CardsInStacks: poolSize * b.cards[baseCards-1].copies,
			LogisticsEach: x.LogisticsEach,
		}
		if err := x.source.check("set-up"); err != nil {
			return err
		}
		if x.LogisticsEach != s.Scenarios[0].LogisticsEach || !sameScenario(x, want) {
			return fmt.Errorf("setup.json: the set-up for %d players is %+v, expected %+v", x.Players, x, want)
		}
		b.startLogistics = uint8(x.LogisticsEach)
	}
	return b.readOptions(s.Options)
}

func sameScenario(x, y rawScenario) bool {
	x.source, y.source = source{}, source{}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// readOptions reads the ranges of the options; their names are compared with the
// game's by a test.
func (b *box) readOptions(options []rawOption) error {
	limits := map[string]*limit{"turns": &b.turns, "copies_per_stack": &b.copies, "logistics_max": &b.maxLogistics}
	for _, o := range options {
		if err := o.source.check("setup.json: option " + o.ID); err != nil {
			return err
		}
		l, ok := limits[o.ID]
		if !ok {
			continue
		}
		delete(limits, o.ID)
		l.low, l.high = o.Range[0], o.Range[1]
		if err := json.Unmarshal(o.Default, &l.standard); err != nil || l.standard < l.low || l.standard > l.high {
			return fmt.Errorf("setup.json: option %s: the default %s is not in %v", o.ID, o.Default, o.Range)
		}
	}
	if len(limits) > 0 {
		return fmt.Errorf("setup.json: options are missing: %v", limits)
	}
	if b.copies.standard != b.cards[1].copies {
		return fmt.Errorf("setup.json: copies_per_stack is %d, the cards have %d", b.copies.standard, b.cards[1].copies)
	}
	return nil
}

// readTracks reads tracks.json (R1.6), with the lengths of Q7 and Q8.
func readTracks(b *box) error {
	var t struct {
		Turn struct {
			source
			Squares []string `json:"squares"`
		} `json:"turn_track"`
		Logistical struct {
			source
			Min   int `json:"min"`
			Start int `json:"start"`
			Max   int `json:"max"`
		} `json:"logistical_track"`
		VP struct {
			source
			Start       int  `json:"start"`
			FirstSquare int  `json:"first_square"`
			Squares     int  `json:"squares"`
			Laps        bool `json:"laps"`
		} `json:"victory_point_track"`
	}
	if err := decodeFile("tracks", &t); err != nil {
		return err
	}
	for name, s := range map[string]source{"turn": t.Turn.source, "logistical": t.Logistical.source, "victory point": t.VP.source} {
		if err := s.backed("tracks.json: " + name + " track"); err != nil {
			return err
		}
	}
	squares := []string{"Start"}
	for i := range b.turns.standard {
		squares = append(squares, fmt.Sprint(1+i))
	}
	l := t.Logistical
	switch {
	case !slices.Equal(t.Turn.Squares, append(squares, "End")):
		return fmt.Errorf("tracks.json: the turn track is %v, setup.json has %d turns", t.Turn.Squares, b.turns.standard)
	case l.Start != int(b.startLogistics) || l.Max != b.maxLogistics.standard || l.Min < 1 || l.Min >= l.Start || l.Start > b.maxLogistics.low:
		return fmt.Errorf("tracks.json: the logistical track runs %d, %d, %d, which does not fit setup.json", l.Min, l.Start, l.Max)
	case t.VP.Start != 0 || t.VP.FirstSquare != 1 || !t.VP.Laps || t.VP.Squares < 1:
		return fmt.Errorf("tracks.json: the victory point track makes no sense")
	}
	b.minLogistics = uint8(l.Min)
	return nil
}

// readScoring reads scoring.json (R9.2, R9.3, R9.5).
func readScoring(b *box) error {
	var s struct {
		source
		VP struct {
			FullLand       uint16 `json:"full_land"`
			StrugglingLand uint16 `json:"struggling_land"`
			FullSea        uint16 `json:"full_sea"`
			StrugglingSea  uint16 `json:"struggling_sea"`
			RegionMonopoly uint16 `json:"region_monopoly"`
		} `json:"vp"`
		LogisticsPerMonopoly uint8 `json:"logistics_per_resource_monopoly"`
		RegionAreas          int   `json:"region_monopoly_areas"`
		ResourceAreas        int   `json:"resource_monopoly_areas"`
		NeedsFull            bool  `json:"monopoly_needs_full"`
		Max                  int   `json:"max_vp_per_scoring"`
	}
	if err := decodeFile("scoring", &s); err != nil {
		return err
	}
	if err := s.source.check("scoring.json"); err != nil {
		return err
	}
	v := s.VP
	b.scores = scores{v.FullLand, v.StrugglingLand, v.FullSea, v.StrugglingSea, v.RegionMonopoly, s.LogisticsPerMonopoly}
	most := numLand*int(v.FullLand) + (numAreas-numLand)*int(v.FullSea) + numRegions*int(v.RegionMonopoly)
	if s.RegionAreas != 3 || s.ResourceAreas != 3 || s.NeedsFull || s.Max != most || most != maxScoring {
		return fmt.Errorf("scoring.json: monopolies are of 3 Areas of any strength, and a scoring gives %d at most, not %d", most, s.Max)
	}
	return nil
}
