package reference_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/bloc/reference"
	"powderkeg/engine/enginetest/soak"
)

var rules = func() *reference.Rules {
	r, err := reference.Read(os.DirFS("../data"))
	if err != nil {
		panic(err)
	}
	return r
}()

var families = engine.Families{bloc.Family}

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
		return q.Options[0]
	}
}

// settings lists the options of every kind of game that the rules know.
func settings() (list []reference.Options) {
	for _, s := range rules.Settings() {
		for _, ops := range []string{"usual", "easy", "medium", "hard"} {
			for _, city := range []string{"random", "beginner"} {
				for _, overpass := range []bool{false, true} {
					for _, auto := range []bool{false, true} {
						o := s
						o.Ops, o.City, o.Overpass, o.Auto = ops, city, overpass, auto
						if _, err := families.New(o.Text()); err == nil {
							list = append(list, o)
						}
					}
				}
			}
		}
	}
	return list
}

func TestRandom(t *testing.T) {
	marks, count := map[string]int{}, 0
	list := settings()
	rng := rand.New(rand.NewPCG(1, 1))
	games := soak.Times(120)
	failed := 0
	for seed := range uint64(games) {
		choose := uniform
		if seed%3 > 0 {
			choose = taste(seed)
		}
		o := list[rng.IntN(len(list))]
		g, err := families.New(o.Text())
		if err != nil {
			t.Fatal(err)
		}
		m := &reference.Match{Game: g, Begin: reference.Start(seed / 3 % 3), Seed: seed, Choose: choose, Marks: marks}
		if err := m.Play(rules, o); err != nil {
			t.Error(err)
			println(err.Error())
			if failed++; failed > 5 {
				break
			}
		}
		count += m.Decisions
	}
	t.Log(count, "decisions")
	for _, m := range slices.Sorted(maps.Keys(marks)) {
		fmt.Println(m, marks[m])
	}
}
