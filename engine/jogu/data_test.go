package jogu

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

func testBox(t *testing.T) *box {
	t.Helper()
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The loader checks the data against itself; here it is compared with what the
// rulebook says (R1.3, R1.5, R1.6, Q22) and with the options.
func TestR1_5_BoxAgreesWithTheRulebook(t *testing.T) {
	b := testBox(t)
	if b.startMorale != 30 || b.handSize != 7 || b.endStart != 7 || b.endMax != 10 || b.capacity != 10 || b.tokenSupply != 10 {
		t.Errorf("set-up numbers changed: %+v", b)
	}
	if b.locCopies != [numPlaces]uint8{2, 2, 2, 2, 2} {
		t.Errorf("R1.3: Location Cards %v, want two of each", b.locCopies)
	}
	if b.baseDecks != 5 || len(b.decks) != 6 || b.baseCards != 31 || len(b.cards) != 37 {
		t.Errorf("R1.2: %d of %d decks and %d of %d types are base", b.baseDecks, len(b.decks), b.baseCards, len(b.cards))
	}
	if wu := b.decks[1].spare; wu != 64 || b.decks[0].spare != 0 {
		t.Errorf("R10.3: eight Masters of Earth give at most 8 x 8 = 64 morale, not %d", wu)
	}
	var ids []string
	for _, d := range b.decks {
		ids = append(ids, d.id)
	}
	if !slices.Equal(append(ids, "any"), factionChoices) {
		t.Errorf("the options name %v, the data %v", factionChoices, ids)
	}
	if b.endStart != FirstEnd || b.handSize != MaxHand {
		t.Errorf("exported limits %d and %d, the data say %d and %d", FirstEnd, MaxHand, b.endStart, b.handSize)
	}
}

// R2.6 and Q27: the class of every ability.
func TestR2_6_TimingClasses(t *testing.T) {
	want := map[timing]string{
		whenPlayed: "guardian_angel explorer patriot master_of_fire conjurer good_for_something gangan_bit medic trojan_bit " +
			"saboteur assassin bomb_tower support_tower chronicler echo anchorite pathfinder",
		opponentPlaysHere: "scrambler",
		atResolution:      "dragoon punisher master_of_earth lantern_bearer",
		noAbility: "knight_2 knight_3 knight_4 knight_5 knight_6 master_of_wind storm_prodigy smoke_n_screen covert_junior_agent " +
			"covert_senior_agent engineer_unit_1 engineer_unit_2 engineer_unit_3 heavy_tower veteran",
	}
	got := map[timing][]string{}
	for _, c := range testBox(t).cards {
		got[c.timing] = append(got[c.timing], c.key)
	}
	for class, keys := range want {
		if !slices.Equal(got[class], strings.Fields(keys)) {
			t.Errorf("timing %q: %v, want %s", timingNames[class], got[class], keys)
		}
	}
}

// Strength and Morale were reconstructed under the constraints of balance.json;
// the deck indices that it states follow from the cards.
func TestDeckBalance(t *testing.T) {
	data, err := os.ReadFile("data/balance.json")
	if err != nil {
		t.Fatal(err)
	}
	var balance struct {
		MoraleWeight       float64 `json:"morale_weight"`
		ToleranceBase      float64 `json:"tolerance_base"`
		ToleranceExpansion float64 `json:"tolerance_expansion"`
		AbilityValues      map[string]struct {
			Value float64 `json:"value"`
		} `json:"ability_values"`
		DeckIndex map[string]float64 `json:"deck_index"`
	}
	if err := json.Unmarshal(data, &balance); err != nil {
		t.Fatal(err)
	}
	b, mean := testBox(t), 0.0
	index := map[string]float64{}
	for _, d := range b.decks {
		for i, c := range d.cards {
			v, ok := balance.AbilityValues[c.key]
			if !ok {
				t.Errorf("balance.json values no %s", c.key)
			}
			index[d.id] += float64(d.copies[i]) * (float64(c.strength) + v.Value - balance.MoraleWeight*float64(c.morale))
		}
		if !d.expansion {
			mean += index[d.id] / float64(b.baseDecks)
		}
	}
	for _, d := range b.decks {
		tolerance := balance.ToleranceBase
		if d.expansion {
			tolerance = balance.ToleranceExpansion
		}
		if got, want := index[d.id], balance.DeckIndex[d.id]; math.Abs(got-want) > 0.005 || math.Abs(got/mean-1) > tolerance {
			t.Errorf("%s has the index %.2f, balance.json says %.2f and within %.0f%% of %.2f", d.id, got, want, 100*tolerance, mean)
		}
	}
}

// A card that the interpreter could not carry out as it is written is refused.
func TestBadCardsAreRefused(t *testing.T) {
	good := `{"id":0,"key":"x","name":"X","faction":"f","copies":2,"strength":2,"morale":1,"capacity_strength":2,"text":"t",
		"name_source":"public","ability_source":"public","numbers_source":"public","source":"reconstructed","why":"w",
		"timing":["played"],"effects":[{"op":"draw","who":"self","n":1}]}`
	parse := func(text string) error {
		var r rawCard
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		_, err := compileCard(r)
		return err
	}
	if err := parse(good); err != nil {
		t.Fatalf("a good card is refused: %v", err)
	}
	for _, c := range [][3]string{
		{`"op":"draw"`, `"op":"fly"`, "unknown op"},
		{`"who":"self"`, `"who":"opponent"`, "the one form known"},
		{`"played"`, `"resolution"`, "at timing"},
		{`["played"]`, `[]`, "timing and effects disagree"},
		{`["played"]`, `["played","resolution"]`, "a second one"},
		{`"capacity_strength":2`, `"capacity_strength":3`, "capacity strength 3"},
		{`"why":"w"`, `"why":""`, "without its cite or why"},
		{`"copies":2`, `"copies":0`, "out of range"},
		{`"op":"draw","who":"self","n":1`, `"op":"bottom_from_peek","max":1,"optional":true,"may_be_protected":true`, "does not follow a look"},
		{`"op":"draw","who":"self","n":1`, `"op":"bottom_from_play","who":"self","n":1,"filter":"not_protected","mandatory_if_possible":true`, "could take the card itself"},
	} {
		err := parse(strings.Replace(good, c[0], c[1], 1))
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s instead of %s: error %v, want %q", c[1], c[0], err, c[2])
		}
	}
}

// The vocabulary says in which decisions each action can be legal; for the card
// actions that follows from the abilities of the deck.
func TestActionsSayWhereTheyAreUsed(t *testing.T) {
	data, err := files.ReadFile("data/actions.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Actions []struct {
			Card   string   `json:"card"`
			UsedIn []string `json:"used_in"`
		} `json:"actions"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	b := testBox(t)
	for i := range b.decks {
		d, has := &b.decks[i], map[string]bool{}
		for _, c := range d.cards {
			for _, e := range c.effects {
				has[opNames[e.op]] = true
				has["from_hand"] = has["from_hand"] || e.fromHand
			}
		}
		for _, c := range d.cards {
			want := []string{"D1", "D2"}
			for _, use := range []struct {
				id   string
				used bool
			}{
				{"D7", has["play_card"] && !has["from_hand"]}, {"D8", has["from_hand"]},
				{"D9", has["bottom_from_discard"] && !c.protected}, {"D10b", has["bottom_from_play"] && !c.protected},
				{"D11", !c.protected && !c.faceDown},
			} {
				if use.used {
					want = append(want, use.id)
				}
			}
			if got := file.Actions[fixedActions+c.id]; got.Card != c.key || !slices.Equal(got.UsedIn, want) {
				t.Errorf("action %d of %s is used in %v, want %s in %v", fixedActions+c.id, got.Card, got.UsedIn, c.key, want)
			}
		}
	}
}
