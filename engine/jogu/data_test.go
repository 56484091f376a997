package jogu

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/ruledata"
)

func testBox(t *testing.T) *box {
	t.Helper()
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode reads as much of a data file as v has; read refuses what v has not.
func decode(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("data/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string, v any) {
	t.Helper()
	if err := ruledata.Read(os.DirFS(".").(fs.ReadFileFS), name, v); err != nil {
		t.Fatal(err)
	}
}

// What the rulebook says (R1.3, R1.5, R1.6, Q22) and what the options have.
func TestR1_5_BoxAgreesWithTheRulebook(t *testing.T) {
	b := testBox(t)
	if b.startMorale != 30 || b.handSize != 7 || b.endStart != 7 || b.endMax != 10 || b.capacity != 10 || b.tokenSupply != 10 {
		t.Errorf("set-up numbers changed: %+v", b)
	}
	if b.locCopies != [Places]uint8{2, 2, 2, 2, 2} || sum(b.locCopies[:]) != maxLoc {
		t.Errorf("R1.3: Location Cards %v, want two of each", b.locCopies)
	}
	if b.baseDecks != 5 || len(b.decks) != 6 || b.baseCards != 31 || len(b.cards) != numCards {
		t.Errorf("R1.2: %d of %d decks and %d of %d types are base", b.baseDecks, len(b.decks), b.baseCards, len(b.cards))
	}
	if wu := b.decks[1].spare; wu != 64 || b.decks[0].spare != 0 {
		t.Errorf("R10.3: eight Masters of Earth give at most 8 x 8 = 64 morale, not %d", wu)
	}
	var ids []string
	for _, d := range b.decks {
		ids = append(ids, d.ID)
	}
	if !slices.Equal(append(ids, "any"), factionChoices) {
		t.Errorf("the options name %v, the data %v", factionChoices, ids)
	}
	if b.endStart != FirstEnd || b.handSize != MaxHand || b.endMax != Rounds || b.capacity != Capacity {
		t.Errorf("limits %d, %d, %d and %d, the data say %d, %d, %d and %d", FirstEnd, MaxHand, Rounds, Capacity, b.endStart, b.handSize, b.endMax,
			b.capacity)
	}
}

// The parameters of setup.json that the engine has in its code, and those that are
// the defaults of options.
func TestParameters(t *testing.T) {
	var setup struct {
		Players    int
		Parameters []struct {
			Name  string
			Value any
		}
	}
	decode(t, "setup", &setup)
	got := map[string]any{"players": setup.Players}
	for _, p := range setup.Parameters {
		if got[p.Name] != nil {
			t.Errorf("parameter %s comes twice", p.Name)
		}
		got[p.Name] = p.Value
	}
	for name, want := range map[string]any{
		"players": numSeats, "start_hand": 0, "start_round": 1, "location_markers_per_player_per_location": 2, // Q2, Q4
		"engineer_capacity_limit": 4, "face_down_capacity_strength": 3, "start_player": "random", "expansion": false, "auto_forced": true,
	} {
		if fmt.Sprint(got[name]) != fmt.Sprint(want) {
			t.Errorf("parameter %s is %v, want %v", name, got[name], want)
		}
	}
	for _, c := range testBox(t).cards {
		if fmt.Sprint(int(c.spare)+int(c.Capacity)) != fmt.Sprint(got["engineer_capacity_limit"]) && slices.Contains(c.Traits, Engineer) {
			t.Errorf("%s has the limit %d (R13.23)", c.Key, int(c.spare)+int(c.Capacity))
		}
		if fmt.Sprint(c.Capacity) != fmt.Sprint(got["face_down_capacity_strength"]) && c.FaceDown {
			t.Errorf("%s counts %d face down (R13.17)", c.Key, c.Capacity)
		}
	}
}

// setup.json lists every ordered pair of the decks once (R4.1, R19.1, R19.3).
func TestR4_1_MatchUps(t *testing.T) {
	var setup struct {
		Scenarios struct {
			ruledata.Source
			List []struct {
				ID      string `json:"id"`
				Player0 string `json:"player_0"`
				Player1 string `json:"player_1"`
				Edition string `json:"edition"`
				Mirror  bool   `json:"mirror"`
			} `json:"list"`
		} `json:"scenarios"`
	}
	decode(t, "setup", &setup)
	b, editions, seen := testBox(t), map[string]string{}, map[[2]string]bool{}
	for _, d := range b.decks {
		editions[d.ID] = d.Edition
	}
	for _, s := range setup.Scenarios.List {
		pair, edition := [2]string{s.Player0, s.Player1}, "base"
		if editions[s.Player0] == "expansion" || editions[s.Player1] == "expansion" {
			edition = "expansion"
		}
		if editions[s.Player0] == "" || editions[s.Player1] == "" || seen[pair] || s.Edition != edition || s.Mirror != (s.Player0 == s.Player1) {
			t.Errorf("match-up %s is wrong or comes twice", s.ID)
		}
		seen[pair] = true
	}
	if len(seen) != len(b.decks)*len(b.decks) {
		t.Errorf("%d match-ups of %d decks", len(seen), len(b.decks))
	}
}

// locations.json agrees with the set-up.
func TestR1_4_Locations(t *testing.T) {
	var locations struct {
		ruledata.Source
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
	read(t, "locations", &locations)
	b := testBox(t)
	if len(locations.Locations) != Places || locations.Capacity != int(b.capacity) {
		t.Fatalf("%d Locations of Capacity %d", len(locations.Locations), locations.Capacity)
	}
	for i, l := range locations.Locations {
		n := FirstPlace + i
		if l.ID != n || l.Number != n || l.Multiplier != n || l.Capacity != int(b.capacity) || l.Copies != int(b.locCopies[i]) {
			t.Errorf("location %d disagrees with its number or with setup.json", l.ID)
		}
	}
}

// components.json has the counts that limit the game (R1.1-R1.7).
func TestR1_1_Components(t *testing.T) {
	var components struct {
		ruledata.Source
		Components []struct {
			ID    string `json:"id"`
			Count int    `json:"count"`
			Note  string `json:"note"`
		} `json:"components"`
		MoraleTrackMax   int    `json:"morale_track_max"`
		RoundTrackSpaces int    `json:"round_track_spaces"`
		RoundTrackNote   string `json:"round_track_note"`
	}
	read(t, "components", &components)
	b, got, factionCards := testBox(t), map[string]int{}, 0
	for _, c := range components.Components {
		got[c.ID] = c.Count
	}
	for i := range b.decks[:b.baseDecks] {
		factionCards += sum(b.decks[i].copies[:])
	}
	locationCards := numSeats * sum(b.locCopies[:])
	for id, want := range map[string]int{
		"faction_card": factionCards, "location_board": 1, "scoring_board": 1, "current_round_marker": 1, "end_game_marker": 1, "start_player_marker": 1,
		"morale_marker": numSeats, "victory_point_marker": int(b.endMax), "stay_token": int(b.tokenSupply),
		"location_card": locationCards, "location_marker": locationCards,
	} {
		if got[id] != want {
			t.Errorf("%d of %s, the set-up needs %d", got[id], id, want)
		}
	}
	if components.RoundTrackSpaces != Rounds || int(b.startMorale) > components.MoraleTrackMax {
		t.Error("the tracks disagree with the set-up")
	}
}

// actions.json has exactly the vocabulary of the engine.
func TestActions(t *testing.T) {
	var file struct {
		ruledata.Source
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
	read(t, "actions", &file)
	b := testBox(t)
	want := b.actionNames()
	var names []string
	for i, a := range file.Actions {
		if a.Index != i || len(a.UsedIn) == 0 {
			t.Errorf("%s is out of order or used nowhere", a.Name)
		}
		names = append(names, a.Name)
	}
	if !slices.Equal(names, want) || file.SizeAll != len(want) || file.SizeBase != fixedActions+b.baseCards {
		t.Errorf("actions %q, the cards need %q", names, want)
	}
	if len(want) > 64 {
		t.Errorf("%d actions do not fit a set of 64", len(want))
	}
}

// decisions.json and chance.json have the questions of the engine.
func TestQuestions(t *testing.T) {
	var decisions struct {
		ruledata.Source
		Decisions []struct {
			ID          string   `json:"id"`
			Name        string   `json:"name"`
			Actor       string   `json:"actor"`
			Verbs       []string `json:"verbs"`
			Options     string   `json:"options"`
			PassAllowed bool     `json:"pass_allowed"`
		} `json:"decisions"`
	}
	read(t, "decisions", &decisions)
	if len(decisions.Decisions) != int(NoDecision) {
		t.Fatalf("%d decisions, the engine has %d", len(decisions.Decisions), NoDecision)
	}
	table := (&game{box: testBox(t)}).newTable()
	for i, d := range decisions.Decisions {
		if d.ID != table[i].Name || d.PassAllowed != slices.Contains(d.Verbs, "END") {
			t.Errorf("decision %s: its place or its verbs are wrong", d.ID)
		}
	}
	var chance struct {
		ruledata.Source
		Chance []struct {
			ID           string `json:"id"`
			When         string `json:"when"`
			What         string `json:"what"`
			Distribution string `json:"distribution"`
		} `json:"chance"`
	}
	read(t, "chance", &chance)
	var ids []string
	for _, c := range chance.Chance {
		ids = append(ids, c.ID)
	}
	if want := []string{"C1", "C2", "C3", "C4", "C5"}; !slices.Equal(ids, want) {
		t.Errorf("chance events %v, want %v", ids, want)
	}
}

// R1.2: the shipped data have no faults, and every card belongs to a faction.
func TestR1_2_Decks(t *testing.T) {
	b := testBox(t)
	for _, fault := range b.Faults() {
		t.Error(fault)
	}
	var cards struct{ Cards []json.RawMessage }
	if decode(t, "cards", &cards); len(b.cards) != len(cards.Cards) {
		t.Errorf("%d cards belong to no faction", len(cards.Cards)-len(b.cards))
	}
}

// An effect has the keys that its op reads, and cards.json explains every op and
// restriction.
func TestPrimitives(t *testing.T) {
	var cards struct {
		PrimitiveOps map[string]string `json:"primitive_ops"`
		Cards        []struct {
			Key                   string
			Restrictions, Effects []map[string]any
		}
	}
	decode(t, "cards", &cards)
	for o, name := range opNames {
		if int(o) < len(played) && played[o] == nil {
			t.Errorf("nothing carries out %s", name)
		}
		if cards.PrimitiveOps[name] == "" {
			t.Errorf("cards.json does not explain %s", name)
		}
	}
	for _, c := range cards.Cards {
		for _, r := range c.Restrictions {
			if cards.PrimitiveOps[fmt.Sprint(r["op"])] == "" {
				t.Errorf("cards.json does not explain %s of %s", r["op"], c.Key)
			}
		}
		for _, e := range c.Effects {
			known := strings.Fields(effectKeys[Op(slices.Index(opNames[:], e["op"].(string)))])
			for key := range e {
				if key != "op" && !slices.Contains(known, key) {
					t.Errorf("%s: %s does not read %s", c.Key, e["op"], key)
				}
			}
			for _, key := range known {
				if e[key] == nil && key != "only_if_previous_done" {
					t.Errorf("%s: %s lacks %s", c.Key, e["op"], key)
				}
			}
		}
	}
}

// R2.6 and Q27: the class of every ability.
func TestR2_6_TimingClasses(t *testing.T) {
	want := map[string]string{
		"played": "guardian_angel explorer patriot master_of_fire conjurer good_for_something gangan_bit medic trojan_bit " +
			"saboteur assassin bomb_tower support_tower chronicler echo anchorite pathfinder",
		"opponent_plays_here": "scrambler",
		"resolution":          "dragoon punisher master_of_earth lantern_bearer",
		"": "knight_2 knight_3 knight_4 knight_5 knight_6 master_of_wind storm_prodigy smoke_n_screen covert_junior_agent " +
			"covert_senior_agent engineer_unit_1 engineer_unit_2 engineer_unit_3 heavy_tower veteran",
	}
	got := map[string][]string{}
	for _, c := range testBox(t).cards {
		class := ""
		for _, at := range c.Timing {
			if at != restricted {
				class = timingNames[at]
			}
		}
		got[class] = append(got[class], c.Key)
	}
	for class, keys := range want {
		if !slices.Equal(got[class], strings.Fields(keys)) {
			t.Errorf("timing %q: %v, want %s", class, got[class], keys)
		}
	}
}

// A card that could not be carried out as it is written is found.
func TestBadCardsAreRefused(t *testing.T) {
	good := `{"id":0,"key":"x","name":"X","faction":"f","copies":2,"strength":2,"morale":1,"capacity_strength":2,"text":"t","rule":"R1",
		"name_source":"public","ability_source":"public","numbers_source":"public","source":"reconstructed","why":"w",
		"timing":["played"],"effects":[{"op":"draw","n":1}],"restrictions":[]}`
	parse := func(text string) error {
		var c Card
		if err := ruledata.Decode([]byte(text), &c); err != nil {
			return err
		}
		if err := c.compile(10); err != nil {
			return err
		}
		return faultOf(&c)
	}
	if err := parse(good); err != nil {
		t.Fatalf("a good card is refused: %v", err)
	}
	for _, c := range [][3]string{
		{`"op":"draw"`, `"op":"fly"`, `"fly" is none of place_stay_token`},
		{`"op":"draw"`, `"op":"draw","who":"opponent"`, `unknown field "who"`},
		{`"n":1`, `"n":0`, "does nothing"},
		{`"op":"draw","n":1`, `"op":"move_cards","trait":"clan"`, `"clan" is none of gang`},
		{`"op":"draw","n":1`, `"op":"play_card","from":"pile"`, `"pile" is none of own_discard`},
		{`"op":"draw","n":1`, `"op":"draw","n":1,"location":7`, "location 7 is not here or 2 to 6"},
		{`"played"`, `"resolution"`, "at timing"},
		{`"played"`, `"later"`, `"later" is none of restriction`},
		{`["played"]`, `[]`, "timing [] and effects disagree"},
		{`["played"]`, `["played","resolution"]`, "effects disagree"},
		{`["played"]`, `["played","restriction"]`, "timing and restrictions disagree"},
		{`"restrictions":[]`, `"restrictions":[{"op":"heavy"}]`, `unknown restriction "heavy"`},
		{`"restrictions":[]`, `"restrictions":[{"op":"capacity_limit","max":1}]`, "out of range"},
		{`"capacity_strength":2`, `"capacity_strength":3`, "capacity_strength is 3"},
		{`"copies":2`, `"copies":0`, "out of range"},
		{`"name_source":"public"`, `"name_source":"rumour"`, "unknown source"},
		{`"op":"draw","n":1`, `"op":"bottom_from_peek"`, "does not follow a look"},
		{`"op":"draw","n":1`, `"op":"bottom_from_play"`, "could take the card itself"},
	} {
		err := parse(strings.Replace(good, c[0], c[1], 1))
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s instead of %s: error %v, want %q", c[1], c[0], err, c[2])
		}
	}
}

// Strength and Morale were reconstructed under the constraints of balance.json;
// the deck indices that it states follow from the cards.
func TestDeckBalance(t *testing.T) {
	var balance struct {
		MoraleWeight       float64 `json:"morale_weight"`
		ToleranceBase      float64 `json:"tolerance_base"`
		ToleranceExpansion float64 `json:"tolerance_expansion"`
		AbilityValues      map[string]struct {
			Value float64 `json:"value"`
		} `json:"ability_values"`
		DeckIndex map[string]float64 `json:"deck_index"`
	}
	decode(t, "balance", &balance)
	b, mean := testBox(t), 0.0
	index := map[string]float64{}
	for _, d := range b.decks {
		for i, c := range d.cards {
			v, ok := balance.AbilityValues[c.Key]
			if !ok {
				t.Errorf("balance.json values no %s", c.Key)
			}
			index[d.ID] += float64(d.copies[i]) * (float64(c.Strength) + v.Value - balance.MoraleWeight*float64(c.Morale))
		}
		if d.Edition == "base" {
			mean += index[d.ID] / float64(b.baseDecks)
		}
	}
	for _, d := range b.decks {
		tolerance := balance.ToleranceBase
		if d.Edition == "expansion" {
			tolerance = balance.ToleranceExpansion
		}
		if got, want := index[d.ID], balance.DeckIndex[d.ID]; math.Abs(got-want) > 0.005 || math.Abs(got/mean-1) > tolerance {
			t.Errorf("%s has the index %.2f, balance.json says %.2f and within %.0f%% of %.2f", d.ID, got, want, 100*tolerance, mean)
		}
	}
}

// The vocabulary says in which decisions each action can be legal; for the card
// actions that follows from the abilities of the deck.
func TestActionsSayWhereTheyAreUsed(t *testing.T) {
	var file struct {
		Actions []struct {
			Card   string   `json:"card"`
			UsedIn []string `json:"used_in"`
		} `json:"actions"`
	}
	decode(t, "actions", &file)
	b := testBox(t)
	for i := range b.decks {
		d, has := &b.decks[i], map[string]bool{}
		for _, c := range d.cards {
			for _, e := range c.Effects {
				has[opNames[e.Op]] = true
				has["from_hand"] = has["from_hand"] || e.From == OwnHand
			}
		}
		for _, c := range d.cards {
			want := []string{"D1", "D2"}
			for _, use := range []struct {
				id   string
				used bool
			}{
				{"D7", has["play_card"] && !has["from_hand"]}, {"D8", has["from_hand"]},
				{"D9", has["bottom_from_discard"] && !c.Protected}, {"D10b", has["bottom_from_play"] && !c.Protected},
				{"D11", !c.Protected && !c.FaceDown},
			} {
				if use.used {
					want = append(want, use.id)
				}
			}
			if got := file.Actions[fixedActions+c.ID]; got.Card != c.Key || !slices.Equal(got.UsedIn, want) {
				t.Errorf("action %d of %s is used in %v, want %s in %v", fixedActions+c.ID, got.Card, got.UsedIn, c.Key, want)
			}
		}
	}
}
