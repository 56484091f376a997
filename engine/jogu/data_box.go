package jogu

import (
	"encoding/json"
	"fmt"
	"slices"
)

type rawSetup struct {
	Players    int `json:"players"`
	Parameters []struct {
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
		source
	} `json:"parameters"`
	Scenarios struct {
		source
		List []struct {
			ID      string `json:"id"`
			Player0 string `json:"player_0"`
			Player1 string `json:"player_1"`
			Edition string `json:"edition"`
			Mirror  bool   `json:"mirror"`
		} `json:"list"`
	} `json:"scenarios"`
}

// readSetup reads the parameters of setup.json.
func readSetup(b *box) error {
	var setup rawSetup
	if err := decodeFile("setup", &setup); err != nil {
		return err
	}
	if setup.Players != numSeats {
		return fmt.Errorf("setup.json is for %d players", setup.Players)
	}
	numbers := map[string]int{}
	var pile []int
	for _, p := range setup.Parameters {
		if err := p.source.check("parameter " + p.Name); err != nil {
			return err
		}
		var n int
		if json.Unmarshal(p.Value, &n) == nil {
			numbers[p.Name] = n
		}
		if p.Name == "location_pile" {
			if err := json.Unmarshal(p.Value, &pile); err != nil {
				return fmt.Errorf("parameter location_pile: %w", err)
			}
		}
	}
	for name, limit := range map[string]int{
		"start_morale": 30, "hand_size": 7, "end_marker_start": maxRounds, "end_marker_max": maxRounds,
		"stay_token_supply": 255, "capacity": 255,
	} {
		if n := numbers[name]; n < 1 || n > limit {
			return fmt.Errorf("parameter %s is %d, it must be 1 to %d", name, n, limit)
		}
	}
	if numbers["start_hand"] != 0 || numbers["start_round"] != 1 {
		return fmt.Errorf("the game begins in round 1 with empty hands (Q2, Q4)")
	}
	b.startMorale = uint16(numbers["start_morale"])
	b.handSize = uint8(numbers["hand_size"])
	b.endStart = uint8(numbers["end_marker_start"])
	b.endMax = uint8(numbers["end_marker_max"])
	b.capacity = uint16(numbers["capacity"])
	b.tokenSupply = uint8(numbers["stay_token_supply"])
	for _, n := range pile {
		if n < firstLoc || n >= firstLoc+numPlaces {
			return fmt.Errorf("parameter location_pile names Location %d", n)
		}
		b.locCopies[n-firstLoc]++
	}
	if len(pile) != maxLoc {
		return fmt.Errorf("parameter location_pile has %d cards, the arrays are made for %d", len(pile), maxLoc)
	}
	return nil
}

// readMatchUps checks that setup.json lists every ordered pair of the decks once
// (R4.1, R19.1, R19.3).
func readMatchUps(b *box) error {
	var setup rawSetup
	if err := decodeFile("setup", &setup); err != nil {
		return err
	}
	if err := setup.Scenarios.source.check("scenarios"); err != nil {
		return err
	}
	editions, seen := map[string]string{}, map[[2]string]bool{}
	for _, d := range b.decks {
		editions[d.id] = "base"
		if d.expansion {
			editions[d.id] = "expansion"
		}
	}
	for _, s := range setup.Scenarios.List {
		pair, edition := [2]string{s.Player0, s.Player1}, "base"
		if editions[s.Player0] == "expansion" || editions[s.Player1] == "expansion" {
			edition = "expansion"
		}
		if editions[s.Player0] == "" || editions[s.Player1] == "" || seen[pair] || s.Edition != edition || s.Mirror != (s.Player0 == s.Player1) {
			return fmt.Errorf("setup.json: match-up %s is wrong or comes twice", s.ID)
		}
		seen[pair] = true
	}
	if len(seen) != len(b.decks)*len(b.decks) {
		return fmt.Errorf("setup.json has %d match-ups of %d decks", len(seen), len(b.decks))
	}
	return nil
}

// readLocations reads locations.json and compares it with the set-up.
func readLocations(b *box) error {
	var locations struct {
		source
		Capacity  int `json:"capacity"`
		Locations []struct {
			ID         int `json:"id"`
			Number     int `json:"number"`
			Multiplier int `json:"multiplier"`
			Capacity   int `json:"capacity"`
			Copies     int `json:"copies_per_player_in_location_pile"`
		} `json:"locations"`
		Adjacency string `json:"adjacency"`
	}
	if err := decodeFile("locations", &locations); err != nil {
		return err
	}
	if err := locations.source.check("locations"); err != nil {
		return err
	}
	if len(locations.Locations) != numPlaces {
		return fmt.Errorf("%d Locations, the game has %d", len(locations.Locations), numPlaces)
	}
	for i, l := range locations.Locations {
		n := firstLoc + i
		if l.ID != n || l.Number != n || l.Multiplier != n || l.Capacity != int(b.capacity) || l.Copies != int(b.locCopies[i]) {
			return fmt.Errorf("location %d disagrees with its number or with setup.json", l.ID)
		}
	}
	return nil
}

// readComponents reads components.json: the counts that limit the game (R1.1-R1.7).
func readComponents(b *box) error {
	var components struct {
		source
		Components []struct {
			ID    string `json:"id"`
			Count int    `json:"count"`
			Note  string `json:"note"`
		} `json:"components"`
		MoraleTrackMax   int    `json:"morale_track_max"`
		RoundTrackSpaces int    `json:"round_track_spaces"`
		RoundTrackNote   string `json:"round_track_note"`
	}
	if err := decodeFile("components", &components); err != nil {
		return err
	}
	if err := components.source.check("components"); err != nil {
		return err
	}
	counts := map[string]int{}
	for _, c := range components.Components {
		counts[c.ID] = c.Count
	}
	locationCards := 0
	for _, n := range b.locCopies {
		locationCards += numSeats * int(n)
	}
	factionCards := 0
	for i := range b.decks[:b.baseDecks] {
		factionCards += sum(b.decks[i].copies[:])
	}
	for id, want := range map[string]int{
		"faction_card": factionCards, "location_board": 1, "scoring_board": 1, "current_round_marker": 1, "end_game_marker": 1, "start_player_marker": 1,
		"morale_marker": numSeats, "victory_point_marker": int(b.endMax), "stay_token": int(b.tokenSupply),
		"location_card": locationCards, "location_marker": locationCards,
	} {
		if counts[id] != want {
			return fmt.Errorf("components.json has %d of %s, the set-up needs %d", counts[id], id, want)
		}
	}
	if components.RoundTrackSpaces != maxRounds || int(b.startMorale) > components.MoraleTrackMax {
		return fmt.Errorf("the tracks disagree with the set-up")
	}
	return nil
}

// The fixed actions; the card actions follow from firstCard on by global id.
const (
	actEnd = iota
	actOwnFirst
	actScramblerFirst
	actLoc       // LOC_2, four more follow
	actSlot      = actLoc + numPlaces
	actCard      = actSlot + maxSlots
	fixedActions = actCard
)

// readActions reads actions.json and demands exactly the vocabulary that the
// constants stand for.
func readActions(b *box) error {
	var actions struct {
		source
		SizeBase int `json:"size_base"`
		SizeAll  int `json:"size_all"`
		Actions  []struct {
			Index    int      `json:"index"`
			Name     string   `json:"name"`
			Location int      `json:"location"`
			Card     string   `json:"card"`
			UsedIn   []string `json:"used_in"`
		} `json:"actions"`
	}
	if err := decodeFile("actions", &actions); err != nil {
		return err
	}
	want := []string{"END", "OWN_FIRST", "SCRAMBLER_FIRST"}
	for i := range numPlaces {
		want = append(want, fmt.Sprintf("LOC_%d", firstLoc+i))
	}
	for i := range maxSlots {
		want = append(want, fmt.Sprintf("SLOT_%d", 1+i))
	}
	for _, c := range b.cards {
		want = append(want, "CARD_"+c.key)
	}
	for i, a := range actions.Actions {
		if a.Index != i || len(a.UsedIn) == 0 {
			return fmt.Errorf("actions.json: %s is out of order or used nowhere", a.Name)
		}
		b.actions = append(b.actions, a.Name)
	}
	if !slices.Equal(b.actions, want) || actions.SizeAll != len(want) || actions.SizeBase != fixedActions+b.baseCards {
		return fmt.Errorf("actions.json has %q, the cards need %q", b.actions, want)
	}
	if len(want) > 64 {
		return fmt.Errorf("%d actions do not fit a set of 64", len(want))
	}
	return nil
}

// readDecisions compares decisions.json with the questions of the engine.
func readDecisions(*box) error {
	var decisions struct {
		source
		Decisions []struct {
			ID          string   `json:"id"`
			Name        string   `json:"name"`
			Actor       string   `json:"actor"`
			Verbs       []string `json:"verbs"`
			Options     string   `json:"options"`
			PassAllowed bool     `json:"pass_allowed"`
		} `json:"decisions"`
	}
	if err := decodeFile("decisions", &decisions); err != nil {
		return err
	}
	if len(decisions.Decisions) != int(numDecisions) {
		return fmt.Errorf("decisions.json has %d decisions, the engine %d", len(decisions.Decisions), numDecisions)
	}
	for i, d := range decisions.Decisions {
		if d.ID != askNames[i] || d.PassAllowed != slices.Contains(d.Verbs, "END") {
			return fmt.Errorf("decision %s: its place or its verbs are wrong", d.ID)
		}
	}
	return nil
}

// readChance compares chance.json with the chance events of the engine.
func readChance(*box) error {
	var chance struct {
		source
		Chance []struct {
			ID           string `json:"id"`
			When         string `json:"when"`
			What         string `json:"what"`
			Distribution string `json:"distribution"`
		} `json:"chance"`
	}
	if err := decodeFile("chance", &chance); err != nil {
		return err
	}
	for i, c := range chance.Chance {
		if c.ID != fmt.Sprintf("C%d", i+1) {
			return fmt.Errorf("chance.json: %s is out of order", c.ID)
		}
	}
	if len(chance.Chance) != 5 {
		return fmt.Errorf("chance.json has %d events, the game has 5", len(chance.Chance))
	}
	return nil
}
