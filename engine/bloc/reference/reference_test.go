package reference_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/bloc/reference"
	"powderkeg/engine/enginetest/soak"
)

var families = engine.Families{bloc.Family}

func read(t *testing.T) *reference.Rules {
	t.Helper()
	r, err := reference.Read(func(name string) ([]byte, error) { return os.ReadFile("../data/" + name) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// uniform takes every option as often.
func uniform(_ engine.State, q reference.Question, rng *rand.PCG) string {
	return q.Options[engine.Uint32N(rng, uint32(len(q.Options)))]
}

// taste returns a policy that likes some actions more than others, the same ones through a
// whole game: it crowds into a few districts, or burns, or trades all the time.
func taste(seed uint64) reference.Policy {
	rng := rand.New(rand.NewPCG(seed, 11))
	weights := map[string]float64{"END_ACTIONS": 0.1, "YES": 1, "NO": 2}
	return func(_ engine.State, q reference.Question, play *rand.PCG) string {
		total := 0.0
		for _, o := range q.Options {
			if weights[o] == 0 {
				weights[o] = math.Exp(2.5 * rng.NormFloat64())
			}
			total += weights[o]
		}
		x := engine.Unit(play) * total
		for _, o := range q.Options {
			if x -= weights[o]; x < 0 {
				return o
			}
		}
		return q.Options[len(q.Options)-1]
	}
}

// settings lists the options of every kind of game, each scenario as often.
func settings(t *testing.T, r *reference.Rules, rng *rand.Rand) (list []reference.Options) {
	t.Helper()
	for _, o := range r.Settings() {
		o.Ops = []string{"usual", "easy", "medium", "hard"}[rng.IntN(4)]
		o.City = []string{"random", "random", "beginner", "custom"}[rng.IntN(4)]
		o.Overpass, o.Auto = rng.IntN(4) == 0, rng.IntN(4) == 0
		if o.City == "custom" {
			city, err := r.CustomCity(o, rng)
			if err != nil {
				t.Fatal(err)
			}
			o.City = city
		}
		if _, err := families.New(o.Text()); err != nil {
			o.Overpass = false
		}
		if _, err := families.New(o.Text()); err != nil {
			o.Ops = "usual"
		}
		if _, err := families.New(o.Text()); err != nil {
			o.City = "random"
		}
		list = append(list, o)
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// TestR2_12_TheSameGamesAreAccepted asks for every scenario with every other option.
func TestR2_12_TheSameGamesAreAccepted(t *testing.T) {
	r, accepted := read(t), 0
	o := reference.Options{}
	for i := range 13 * 3 * 3 * 4 * 2 * 2 {
		next := func(n int) int {
			k := i % n
			i /= n
			return k
		}
		o.Scenario, o.Players = r.Scenarios()[next(13)], 2+next(3)
		o.Mode = []string{"usual", "cooperative", "semi_cooperative"}[next(3)]
		o.Ops = []string{"usual", "easy", "medium", "hard"}[next(4)]
		o.City, o.Overpass = []string{"random", "beginner"}[next(2)], next(2) == 1
		_, err := families.New(o.Text())
		if want := r.Accepts(o); (err == nil) != want {
			t.Errorf("%s: the engine says %v, want %t", o.Text(), err, want)
		}
		if err == nil {
			accepted++
		}
	}
	t.Logf("%d accepted", accepted)
}

// TestR13_1_EngineAgreesWithTheReference plays games of every setting, from the usual start
// and from positions with everything thrown about. In a soak some are played to the end, and
// from 200,000 decisions on every part of the rules that the reference tells apart must come up.
func TestR13_1_EngineAgreesWithTheReference(t *testing.T) {
	r, marks, decisions := read(t), map[string]int{}, 0
	var list []reference.Options
	games := soak.Times(len(r.Settings()))
	for seed := range uint64(games) {
		rng := rand.New(rand.NewPCG(seed, 5))
		if len(list) == 0 {
			list = settings(t, r, rng)
		}
		o := list[0]
		list = list[1:]
		choose := uniform
		if seed%3 > 0 {
			choose = taste(seed)
		}
		g, err := families.New(o.Text())
		if err != nil {
			t.Fatal(err)
		}
		m := &reference.Match{Game: g, Begin: reference.Start(seed / 3 % 4), Seed: seed, Choose: choose, Marks: marks, Most: 40}
		if soak.On() && seed%8 == 7 {
			m.Most = 0
		}
		if err := m.Play(r, o); err != nil {
			t.Fatal(err)
		}
		decisions += m.Decisions
	}
	t.Logf("%d decisions", decisions)
	if soak.On() {
		report(t, marks, decisions >= 200_000)
	}
}

// literal finds the parts of the rules that the reference counts under a name of their own.
var literal = regexp.MustCompile(`\.mark(?:If)?\((?:.*, )?"([^"]+)"\)`)

// report logs how often each part of the rules was exercised. In a long soak all must be.
func report(t *testing.T, marks map[string]int, long bool) {
	t.Helper()
	want := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
			want[m[1]] = true
		}
	}
	for _, m := range printed(t) {
		want[m] = true
	}
	var text strings.Builder
	for _, m := range slices.Sorted(maps.Keys(marks)) {
		fmt.Fprintf(&text, "%8d %s\n", marks[m], m)
	}
	t.Log("how often each part of the rules was exercised:\n" + text.String())
	for _, m := range slices.Sorted(maps.Keys(want)) {
		if marks[m] == 0 && long {
			t.Errorf("%q was never exercised", m)
		} else if marks[m] == 0 {
			t.Logf("%q was not exercised", m)
		}
	}
}

// printed lists what the data files have of decisions, actions and cards.
func printed(t *testing.T) (list []string) {
	t.Helper()
	var actions struct {
		Actions   []struct{ Name string }
		Decisions []struct{ ID string }
	}
	var cards struct{ Cards []struct{ Key string } }
	load := func(name string, v any) {
		text, err := os.ReadFile("../data/" + name)
		if err == nil {
			err = json.Unmarshal(text, v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	load("actions.json", &actions)
	for _, a := range actions.Actions {
		list = append(list, "action "+a.Name)
	}
	for _, d := range actions.Decisions {
		list = append(list, "decision "+d.ID)
	}
	for _, name := range []string{"loot_cards.json", "police_ops_cards.json", "manifestation_cards.json"} {
		load(name, &cards)
		for _, c := range cards.Cards {
			list = append(list, "card "+c.Key)
		}
	}
	load("agenda_cards.json", &cards)
	for _, c := range cards.Cards {
		list = append(list, "agenda "+c.Key, "agenda met "+c.Key)
	}
	var scenarios struct {
		Scenarios []struct {
			ID      string
			Success struct{ Op string }
		}
	}
	load("scenarios.json", &scenarios)
	for _, s := range scenarios.Scenarios {
		list = append(list, "scenario "+s.ID, "success "+s.Success.Op)
	}
	for _, ability := range []string{"assembly_hall", "hacker_space", "propaganda_workshop", "social_center", "molotov_factory"} {
		list = append(list, "R5.2 second use of "+ability)
	}
	for _, by := range []string{"no_blocs", "win_alone", "success", "time_out"} {
		list = append(list, "end "+by)
	}
	return list
}
