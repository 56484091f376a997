package jogu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted/scriptedtest"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

var factions = []string{"guards", "wu", "mibits", "agents", "engineers"}

// TestKnowsEveryCard demands a worth for every card and a card for every worth.
func TestKnowsEveryCard(t *testing.T) {
	seen := map[string]bool{}
	for _, faction := range append(factions, "hours") {
		view := engine.Look(enginetest.Game(t, "jogu(first="+faction+",expansion=true)").New(), 0).(*jogu.View)
		for i := range view.NumTypes(0) {
			key := view.Facts(0, i).Key
			if _, ok := extras[key]; !ok {
				t.Errorf("the player does not know %s of %s", key, faction)
			}
			seen[key] = true
		}
	}
	for key := range extras {
		if !seen[key] {
			t.Errorf("the player knows %s, which no deck has", key)
		}
	}
}

var suite = scriptedtest.Suite{New: func(engine.Game) agents.Policy { return &Policy{} }, Times: 4, Games: []string{
	"jogu(first=guards,second=mibits)", "jogu(first=wu,second=engineers)", "jogu(first=agents,second=mibits)",
	"jogu(first=engineers,second=engineers)", "jogu(first=hours,second=wu,expansion=true)",
}}

func TestPlayer(t *testing.T) { suite.Run(t) }

func BenchmarkChoose(b *testing.B) { suite.Benchmark(b) }

// eachDecision calls f at every decision of games of the match-ups.
func eachDecision(t *testing.T, f func(g engine.Game, s *jogu.State, view *jogu.View, legal []engine.Action)) {
	t.Helper()
	suite.Decisions(t, func(g engine.Game, s engine.State, view engine.View, legal []engine.Action) {
		f(g, s.(*jogu.State), view.(*jogu.View), legal)
	})
}

// TestThinksByTheRules compares what the player takes to be playable with the
// rules, and its reading of Capacity.
func TestThinksByTheRules(t *testing.T) {
	checked := 0
	eachDecision(t, func(_ engine.Game, state *jogu.State, view *jogu.View, _ []engine.Action) {
		var thought situation
		s, me := enginetest.Open[*jogu.View](state), state.ToAct()
		thought.read(view, me)
		if s.P.Depth > 0 {
			return // a card is between zones
		}
		for place := range places {
			if got, want := thought.board.room.Used[place], s.P.Room.Used[place]; got != want {
				t.Errorf("place %d: capacity used is %d, want %d\n%s", place, got, want, s.Text(me))
			}
			for i := range thought.decks[own] {
				if got, want := thought.legal(&thought.board, &thought.decks[own][i])>>place&1 != 0, s.CanPlay(me, i, place); got != want {
					t.Errorf("%s at place %d: fits %t, by the rules %t\n%s", s.Facts(me, i).Key, place, got, want, s.Text(me))
				}
				checked++
			}
		}
	})
	if checked < 10000 {
		t.Errorf("only %d questions were asked", checked)
	}
}

// TestSituations asks in positions that have an answer.
func TestSituations(t *testing.T) {
	for _, c := range []struct{ name, position, do, want string }{
		{
			"stops when the round is won",
			`{"factions": ["guards", "wu"], "hand": [["knight_6", "dragoon"], ["conjurer"]], "passed": [false, true], "location_card": [6, 6],
			  "location_revealed": [false, true], "board": [{"owner": 0, "card": "knight_6", "loc": 6, "tokens": 0}]}`,
			"", "END",
		},
		{
			"plays the card that wins the round",
			`{"factions": ["guards", "wu"], "hand": [["knight_2", "knight_6", "explorer"], ["conjurer"]], "passed": [false, true], "location_card": [6, 5],
			  "location_revealed": [false, true], "board": [{"owner": 1, "card": "conjurer", "loc": 5, "tokens": 0}]}`,
			"", "CARD_knight_6",
		},
		{
			"gives up a round that it cannot win",
			`{"factions": ["guards", "wu"], "hand": [["explorer"], ["conjurer"]], "passed": [false, true], "location_card": [2, 6],
			  "location_revealed": [false, true], "board": [{"owner": 1, "card": "master_of_wind", "loc": 6, "tokens": 0}, {"owner": 1, "card": "conjurer", "loc": 6, "tokens": 0}]}`,
			"", "END",
		},
		{
			"plays to the own Location",
			`{"factions": ["guards", "wu"], "hand": [["patriot"], ["conjurer"]], "location_card": [5, 3]}`,
			"CARD_patriot", "LOC_5",
		},
		{
			"puts a Punisher on the other's stronghold",
			`{"factions": ["guards", "wu"], "hand": [["punisher"], ["conjurer"]], "location_card": [4, 6], "location_revealed": [false, true],
			  "board": [{"owner": 1, "card": "master_of_wind", "loc": 6, "tokens": 0}, {"owner": 0, "card": "patriot", "loc": 4, "tokens": 0}]}`,
			"CARD_punisher", "LOC_6",
		},
		{
			"puts a Tower on the Engineer at the own Location",
			`{"factions": ["engineers", "wu"], "hand": [["heavy_tower"], ["conjurer"]], "location_card": [6, 3],
			  "board": [{"owner": 0, "card": "engineer_unit_1", "loc": 6, "tokens": 0}, {"owner": 0, "card": "engineer_unit_1", "loc": 2, "tokens": 0}]}`,
			"CARD_heavy_tower", "LOC_6",
		},
		{
			"gathers the gang at the own Location",
			`{"factions": ["mibits", "wu"], "hand": [["gangan_bit"], ["conjurer"]], "location_card": [6, 3],
			  "board": [{"owner": 0, "card": "gangan_bit", "loc": 2, "tokens": 0}, {"owner": 0, "card": "gangan_bit", "loc": 3, "tokens": 0}]}`,
			"CARD_gangan_bit", "LOC_6",
		},
		{
			"bombs a Scrambler before it can move",
			`{"factions": ["engineers", "mibits"], "hand": [["bomb_tower"], ["gangan_bit"]],
			  "board": [{"owner": 0, "card": "engineer_unit_1", "loc": 4, "tokens": 0}, {"owner": 1, "card": "scrambler", "loc": 4, "tokens": 0}]}`,
			"CARD_bomb_tower LOC_4", "OWN_FIRST",
		},
		{
			"bombs the strongest card",
			`{"factions": ["engineers", "guards"], "hand": [["bomb_tower"], ["dragoon"]], "location_card": [4, 4], "location_revealed": [false, true],
			  "board": [{"owner": 0, "card": "engineer_unit_1", "loc": 4, "tokens": 0}, {"owner": 1, "card": "patriot", "loc": 4, "tokens": 0}, {"owner": 1, "card": "explorer", "loc": 4, "tokens": 0}]}`,
			"CARD_bomb_tower LOC_4", "CARD_patriot",
		},
		{
			"lets the Scrambler go before it plays a second card",
			`{"factions": ["wu", "mibits"], "hand": [["conjurer"], ["gangan_bit"]], "discard": [["master_of_fire", "master_of_wind"], []], "location_card": [6, 3],
			  "board": [{"owner": 1, "card": "scrambler", "loc": 6, "tokens": 0}]}`,
			"CARD_conjurer LOC_6", "SCRAMBLER_FIRST",
		},
		{
			"takes back the card that lies far from the battle",
			`{"factions": ["mibits", "wu"], "hand": [["trojan_bit"], ["conjurer"]], "location_card": [6, 5], "location_revealed": [false, true],
			  "board": [{"owner": 0, "card": "scrambler", "loc": 6, "tokens": 0}, {"owner": 0, "card": "scrambler", "loc": 2, "tokens": 0}]}`,
			"CARD_trojan_bit LOC_6", "LOC_2",
		},
		{
			"puts the other's Storm Prodigy where no battle is",
			`{"factions": ["wu", "guards"], "hand": [["storm_prodigy"], ["patriot"]], "location_card": [6, 2], "location_revealed": [true, false]}`,
			"CARD_storm_prodigy", "LOC_3 LOC_4 LOC_5",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			suite.Ask(t, "jogu(start=first,auto_forced=false)", c.position, strings.Fields(c.do), strings.Fields(c.want))
		})
	}
}

// TestDiscardsInTheLastRound wants weak cards gone when the pile is of no further
// use, and nothing discarded in an early round, when all cards will be needed.
func TestDiscardsInTheLastRound(t *testing.T) {
	for _, c := range []struct {
		round int
		want  string
	}{{7, "CARD_explorer"}, {2, "END"}} {
		g := enginetest.Game(t, "jogu(start=first)")
		position := fmt.Sprintf(`{"factions": ["guards", "wu"], "phase": "reinforcement", "round": %d, "vp_rounds": %s,
			"hand": [["explorer", "patriot", "punisher"], ["conjurer"]],
			"discard": [["dragoon", "dragoon", "dragoon", "knight_2", "knight_3", "patriot", "patriot"], []]}`, c.round, "[0,1,0,1,0,1]"[:2*c.round-2]+"]")
		s, err := g.Load([]byte(position), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		legal := s.Legal(nil)
		view := engine.Look(s, 0)
		if got := engine.MoveName(g, s, new(Policy).Choose(view, 0, legal, rand.NewPCG(1, 1))); got != c.want {
			t.Errorf("round %d: got %s, want %s\n%s", c.round, got, c.want, view.(engine.Teller).Text(0))
		}
	}
}

// TestNestedPlayNeedsACard has chosen the last card in hand: when it lies, no other
// can follow it.
func TestNestedPlayNeedsACard(t *testing.T) {
	g := enginetest.Game(t, "jogu(start=first,auto_forced=false)")
	s, err := g.Load([]byte(`{"factions": ["mibits", "wu"], "hand": [["good_for_something"], ["conjurer"]], "location_card": [6, 3]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	a, err := engine.FindMove(g, s, "CARD_good_for_something")
	if err == nil {
		err = s.Apply(a)
	}
	if err != nil {
		t.Fatal(err)
	}
	view := engine.Look(s, 0)
	var thought situation
	thought.read(view.(*jogu.View), 0)
	if got, want := thought.tryBest(&thought.board, inHand, thought.typeOf(own, a), gone, 0), thought.plan(&thought.board); got != want {
		t.Errorf("value with a card after Good-for-Something is %.4f, without one %.4f; the hand is empty", got, want)
	}
}

// TestLastRoundBreaksTies values the certain win and the certain loss of an eighth
// and last round (R12.3).
func TestLastRoundBreaksTies(t *testing.T) {
	for _, c := range []struct {
		points [2]float64
		lead   float64
		want   float64
	}{
		{[2]float64{3, 4}, 10, 1},
		{[2]float64{2, 5}, 10, 0},
		{[2]float64{4, 3}, -10, 0},
		{[2]float64{5, 2}, -10, 1},
	} {
		thought := situation{location: 4, rounds: 0, points: c.points, majority: 4.5, passed: [2]bool{true, true}, roundMorale: [2]float64{7, 7}}
		thought.belief[4] = 1
		b := board{morale: [2]float64{20, 20}}
		b.strength[own][4] = c.lead
		if got := thought.value(&b, 0); got < c.want-0.001 || got > c.want+0.001 {
			t.Errorf("%v points before, Strength ahead by %g: value is %.3f, want %g", c.points, c.lead, got, c.want)
		}
	}
}
