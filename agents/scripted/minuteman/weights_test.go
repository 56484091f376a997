package minuteman

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
	"powderkeg/env"
)

// TestPlace tells the six turns of the Partisan scenario apart, on which the weights of a seat
// of its own depend.
func TestPlace(t *testing.T) {
	e, err := env.New(enginetest.Game(t, "minuteman(scenario=partisan)"), env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen, rng := map[float64]int{}, rand.NewPCG(1, 1)
	for e.Reset(1); !e.Terminated(); {
		v := e.View(e.Actor()).(*minuteman.View)
		late, turn := place(v), int(v.P.Turn)
		if want := 2*float64(max(turn, 1)-1)/5 - 1; late != want {
			t.Fatalf("turn %d of 6 is at %v, want %v: -1 before and in the first, 1 in the last", turn, late, want)
		}
		seen[late]++
		if err := e.Step(e.Legal()[engine.Uint32N(rng, uint32(len(e.Legal())))]); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 6 {
		t.Errorf("places %v in a game, want six", seen)
	}
}

// TestWeightsChangeThroughTheGame has a Government that strikes nothing in the first turn and
// strikes as ever in the last.
func TestWeightsChangeThroughTheGame(t *testing.T) {
	g := enginetest.Game(t, "minuteman(scenario=partisan)")
	for turn, want := range map[string]string{"1": "DONE", "6": "ATTACK_MILITARY"} {
		s, err := g.Load([]byte(`{"phase": "G4", "turn": `+turn+
			`, "flow": {"seat": 0, "window": 2}, "units": [{"hex": "3713", "unit": "militia", "counter": "MIL1-HOU"},
{"hex": "3712", "unit": "army", "counter": "DIV-1"}, {"hex": "3714", "unit": "army", "counter": "DIV-2"}, {"hex": "3612", "unit": "army", "counter": "DIV-3"}]}`), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		p := New(g, Auto)
		if err := p.Weights(0).Change(map[string]float64{"leastGain": 1, "late.leastGain": 0.01}); err != nil {
			t.Fatal(err)
		}
		if got := engine.MoveName(g, s, p.Choose(engine.Look(s, 0), 0, s.Legal(nil), rand.NewPCG(1, 1))); got != want {
			t.Errorf("turn %s: the Government chooses %s, want %s", turn, got, want)
		}
	}
}

// TestCityGivenUp asks where the first Division is set up, again and again, and gives up each
// city that is chosen: another one that decides is chosen next, as long as there is one.
func TestCityGivenUp(t *testing.T) {
	e, err := env.New(enginetest.Game(t, "minuteman(scenario=partisan)"), env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Reset(1)
	v, p := e.View(0).(*minuteman.View), New(e.Game(), Auto)
	if v.Decision() != minuteman.DecidesArmy {
		t.Fatal("the game does not begin with a Division to set up")
	}
	keys, given := v.PartisanCities(), []int{}
	for range 4 { // the other four of eight have a Security Division (R25.2)
		h := int(p.Choose(v, 0, e.Legal(), rand.NewPCG(1, 1)) - minuteman.FirstHex)
		city := slices.Index(keys[:], h)
		if city < 0 || slices.Contains(given, city) {
			t.Fatalf("with cities %v given up the Division goes to hex %d, want another city that decides", given, h)
		}
		given = append(given, city)
		if err := p.Weights(0).Change(map[string]float64{fmt.Sprintf("cities[%d]", city): 0}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLineWorth has Militia cut New Orleans off from the Front Line, which a Division leaves for
// so much only if the line is worth something, and the city.
func TestLineWorth(t *testing.T) {
	g := enginetest.Game(t, "minuteman(scenario=partisan)")
	s, err := g.Load([]byte(`{"phase": "G3", "turn": 3, "committed": 0, "flow": {"seat": 0, "window": 2}, "units": [{"hex": "3121", "unit": "militia", "counter": "MIL1-HOU"},
{"hex": "2820", "unit": "army", "counter": "DIV-1", "marks": ["front_line"]},
{"hex": "2821", "unit": "army", "counter": "DIV-2", "marks": ["front_line"]}, {"hex": "2822", "unit": "army", "counter": "DIV-3", "marks": ["front_line"]}]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		weights map[string]float64
		want    string
	}{
		{map[string]float64{"leave": 6}, "MOVE_UNIT"},
		{map[string]float64{"leave": 6, "line": 0}, "DONE"},
		{map[string]float64{"leave": 6, "cities[0]": 0}, "DONE"}, // New Orleans is given up
		{map[string]float64{"leave": 6, "cities[1]": 0}, "MOVE_UNIT"},
	} {
		p := New(g, Auto)
		if err := p.Weights(0).Change(c.weights); err != nil {
			t.Fatal(err)
		}
		if got := engine.MoveName(g, s, p.Choose(engine.Look(s, 0), 0, s.Legal(nil), rand.NewPCG(1, 1))); got != c.want {
			t.Errorf("with %v the Government chooses %s, want %s", c.weights, got, c.want)
		}
	}
}
