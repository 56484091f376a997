package jogu_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/jogu"
)

// Most rules are pinned by the scripts under testdata; here are those that need
// more than a position and some moves.
var (
	load   = enginetest.Load[*jogu.State]
	do     = enginetest.Do[*jogu.State]
	expect = enginetest.Expect
)

// R1.1, R1.2, R1.3, R1.4, R4.2, R4.3 and the rulings Q1, Q2, Q4: what stands on the table
// before the first card is drawn.
func TestR4_3_StartOfTheGame(t *testing.T) {
	g := enginetest.Game(t, "jogu(start=first)")
	if g.Spec().Seats != 2 {
		t.Errorf("R1.1: %d seats, want 2", g.Spec().Seats)
	}
	s := g.New().(*jogu.State)
	expect(t, s, map[string]string{
		"phase": `"reinforcement_draw"`, "decision": `"draw"`, "round": `1`, "end_marker": `7`, "start_player": `0`,
		"morale": `[30,30]`, "vp_rounds": `[]`, "hand": `[[],[]]`, "discard": `[[],[]]`, "board": `[]`,
		"location_pile": `[[{"unknown":[2,2,3,3,4,4,5,5,6,6]}],[{"unknown":[2,2,3,3,4,4,5,5,6,6]}]]`,
		"ratings":       `null`, "round_winner": `null`,
	})
	for p := range engine.Player(2) {
		n := 0
		for _, c := range open(s).Copies(p) {
			n += int(c)
		}
		if n != 40 || open(s).P.Seats[p].PileSize() != 40 {
			t.Errorf("R1.2: the deck of seat %d has %d cards, its pile %d, want 40", p, n, open(s).P.Seats[p].PileSize())
		}
	}
}

// R4.1, R19.1, R19.3, R19.5 and Q5: 25 match-ups, 36 with the expansion, and
// factions by lot.
func TestR4_1_MatchUps(t *testing.T) {
	base := []string{"guards", "wu", "mibits", "agents", "engineers"}
	for _, first := range append(base, "hours") {
		for _, second := range append(base, "hours") {
			for _, expansion := range []bool{false, true} {
				text := fmt.Sprintf("jogu(first=%s,second=%s,expansion=%v,start=first)", first, second, expansion)
				_, err := games.New(text)
				if want := expansion || first != "hours" && second != "hours"; (err == nil) != want {
					t.Errorf("%s: error %v, want one only if hours is named without the expansion", text, err)
				}
				if err != nil && !strings.Contains(err.Error(), "needs expansion=true") {
					t.Errorf("%s: the error %q does not say what is needed", text, err)
				}
			}
		}
	}
	for text, want := range map[string]int{"jogu(first=any)": 5, "jogu(first=any,expansion=true)": 6} {
		outcomes := enginetest.Game(t, text).New().(engine.Stochastic).Outcomes(nil)
		if len(outcomes) != want || int(engine.Total(outcomes)) != want {
			t.Errorf("%s draws among %v, want %d factions with equal weights", text, outcomes, want)
		}
	}
	if base, all := len(enginetest.Game(t, "jogu").Spec().Actions), len(enginetest.Game(t, "jogu(expansion=true)").Spec().Actions); base != 42 ||
		all != 48 {
		t.Errorf("%d and %d actions, want 42 without and 48 with the expansion", base, all)
	}
}

// R19.4: the options are those of the specification and no others.
func TestR19_4_NoOtherVariants(t *testing.T) {
	var names []string
	for _, o := range jogu.Family.Options {
		names = append(names, o.Name)
	}
	if want := []string{"first", "second", "expansion", "start", "auto_forced"}; !slices.Equal(names, want) {
		t.Errorf("options %v, want %v", names, want)
	}
}

// R2.5 and Q8: Protected cards.
func TestR2_5_ProtectedCards(t *testing.T) {
	var got []string
	for _, f := range []string{"guards", "wu", "mibits", "agents", "engineers", "hours"} {
		s := load(t, "jogu(expansion=true,start=first,first="+f+")", `{}`)
		for i := range open(s).NumTypes(0) {
			if c := open(s).Facts(0, i); c.Protected {
				got = append(got, c.Key)
			}
		}
	}
	want := []string{"knight_2", "knight_3", "knight_4", "knight_5", "knight_6", "storm_prodigy", "medic", "trojan_bit", "heavy_tower", "support_tower"}
	if !slices.Equal(got, want) {
		t.Errorf("Protected are %v, want %v", got, want)
	}
}

// R3.2 and R9.6: eight Conjurers and one card more are nine plays within each
// other, the most there can be.
func TestR9_6_NineNestedPlays(t *testing.T) {
	const text = "jogu(first=wu,second=guards,start=first)"
	conjurers := strings.Repeat(`"conjurer",`, 7)
	s := load(t, text, `{"hand":[["conjurer"],["explorer"]],"discard":[[`+conjurers+`"master_of_wind","master_of_earth"],[]]}`)
	do(t, text, s, "CARD_conjurer", "LOC_2")
	for i := range 7 {
		do(t, text, s, "CARD_conjurer", fmt.Sprintf("LOC_%d", 2+(i+1)%4))
	}
	do(t, text, s, "CARD_master_of_earth")
	if open(s).P.Depth != 9 {
		t.Errorf("%d plays are nested, want 9", open(s).P.Depth)
	}
	do(t, text, s, "LOC_5")
	if open(s).P.Depth != 0 || s.ToAct() != 1 {
		t.Errorf("%d plays are left and seat %d is to act, want none and seat 1", open(s).P.Depth, s.ToAct())
	}
}

// R9.4.1 and Q33: which cards ask for the order of triggers.
func TestR9_4_1_OrderFreeCards(t *testing.T) {
	free := []string{"guardian_angel", "explorer", "master_of_fire", "gangan_bit", "chronicler", "echo", "anchorite", "pathfinder"}
	asks := []string{"patriot", "conjurer", "good_for_something", "medic", "trojan_bit", "saboteur", "assassin"}
	faction := map[string]string{
		"guardian_angel": "guards", "explorer": "guards", "patriot": "guards", "master_of_fire": "wu", "conjurer": "wu",
		"gangan_bit": "mibits", "good_for_something": "mibits", "medic": "mibits", "trojan_bit": "mibits",
		"saboteur": "agents", "assassin": "agents", "chronicler": "hours", "echo": "hours", "anchorite": "hours", "pathfinder": "hours",
	}
	for _, key := range append(free, asks...) {
		const text = "jogu(expansion=true,start=first)"
		s := load(t, text, fmt.Sprintf(`{"factions":[%q,"mibits"],"hand":[[%q],["gangan_bit"]],"draw":[[],[]],
			"location_card":[2,3],"location_pile":[[4],[4]],"board":[{"owner":1,"card":"scrambler","loc":4,"tokens":0}]}`, faction[key], key))
		do(t, text, s, "CARD_"+key, "LOC_4")
		want := jogu.OrderDecision
		if slices.Contains(free, key) {
			want = jogu.ScramblerDecision
		}
		if open(s).Decision() != want {
			t.Errorf("%s played to a Scrambler asks %v, want %v", key, open(s).Decision(), want)
		}
	}
}

// R18.1, R18.2, R18.3, R18.4 and R1.8: bounds that random games of every match-up keep.
func TestR18_3_Bounds(t *testing.T) {
	if s := enginetest.Game(t, "jogu").Spec(); s.MaxDecisions != 5000 {
		t.Errorf("at most %d decisions, want 5000", s.MaxDecisions)
	}
	g := enginetest.Game(t, "jogu(first=any,second=any,expansion=true)")
	if s := g.Spec(); s.MaxDecisions != 6000 {
		t.Errorf("with the expansion at most %d decisions, want 6000", s.MaxDecisions)
	}
	rng := rand.NewPCG(18, 3)
	for range 300 {
		s := g.New().(*jogu.State)
		decisions := 0
		for s.ToAct() != engine.Terminal {
			moves := engine.Moves(s)
			if s.ToAct() != engine.Chance {
				decisions++
				if len(moves) > 8 {
					t.Fatalf("R18.4: %d options", len(moves))
				}
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
			if open(s).P.Round > 10 || open(s).P.Seats[0].HandSize > 7 || open(s).P.Seats[1].HandSize > 7 {
				t.Fatalf("R18.1, R1.8: round %d, hands of %d and %d", open(s).P.Round, open(s).P.Seats[0].HandSize, open(s).P.Seats[1].HandSize)
			}
		}
		if decisions > 6000 {
			t.Fatalf("R18.2: %d decisions", decisions)
		}
	}
}

// R12.4: every game is won by one and lost by the other.
func TestR12_4_Returns(t *testing.T) {
	for position, want := range map[string]float32{
		`{"game_over":{"winner":0,"by":"morale"},"morale":[3,0]}`: 1,
		`{"game_over":{"winner":1,"by":"morale"},"morale":[0,9]}`: -1,
	} {
		s := load(t, "jogu(start=first)", position)
		if got := s.Returns(nil); s.ToAct() != engine.Terminal || got[0] != want || got[1] != -want {
			t.Errorf("%s: returns %v, want %g for seat 0", position, got, want)
		}
	}
}

// Every rule that data/rules.json lists has a title of its own, the section of the
// rulebook that it stands in and a sentence that says it.
func TestRuleList(t *testing.T) {
	data, err := os.ReadFile("data/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var rules []struct{ Rule, Title, Section, Text string }
	if err := json.Unmarshal(data, &rules); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if r.Title == "" || seen[r.Rule] {
			t.Errorf("rule %s has no title or comes twice", r.Rule)
		}
		if r.Section == "" || len(r.Text) < 20 || !strings.HasSuffix(r.Text, ".") || strings.EqualFold(r.Text, r.Title+".") {
			t.Errorf("rule %s stands in section %q and says %q", r.Rule, r.Section, r.Text)
		}
		seen[r.Rule] = true
	}
	if len(rules) != 114 {
		t.Errorf("%d rules, the specification has 114", len(rules))
	}
}
