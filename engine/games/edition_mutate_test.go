package games_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/engine/games"
)

// place is a value in decoded JSON that can be replaced.
type place struct {
	get func() any
	set func(any)
}

// places lists the values below v, those of fields that are marked as reconstructed alone if
// open is set.
func places(v any, open, inside bool, list *[]place) {
	switch v := v.(type) {
	case map[string]any:
		marked, _ := v["reconstructed"].([]any)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			in := inside || slices.Contains(marked, any(key))
			if !open || in {
				*list = append(*list, place{func() any { return v[key] }, func(x any) {
					if v[key] = x; x == gone {
						delete(v, key)
					}
				}})
			}
			places(v[key], open, in, list)
		}
	case []any:
		for i := range v {
			if !open || inside {
				*list = append(*list, place{func() any { return v[i] }, func(x any) { v[i] = x }})
			}
			places(v[i], open, inside, list)
		}
	}
}

// gone takes a key out of its object.
const gone = "a key that is taken out"

// mutate changes one value to another that might be possible.
func mutate(rng *rand.Rand, list []place) {
	p := list[rng.IntN(len(list))]
	var other any // a value of another place, in a copy
	if text, err := json.Marshal(list[rng.IntN(len(list))].get()); err != nil || json.Unmarshal(text, &other) != nil {
		return
	}
	switch v := p.get().(type) {
	case float64:
		p.set([]any{v + 1, v - 1, 0., 1., 2., 3., 7., 255., 300., -1., 1e9, 1.5, "x"}[rng.IntN(13)])
	case string:
		p.set([]any{other, other, "", v + "x", 1., nil}[rng.IntN(6)])
	case bool:
		p.set(!v)
	case []any:
		switch rng.IntN(4) {
		case 0:
			p.set([]any{})
		case 1:
			p.set(append(slices.Clone(v), other))
		case 2:
			p.set(append(slices.Clone(v), v...))
		default:
			p.set(v[:len(v)/2])
		}
	default:
		p.set([]any{other, gone, nil, 1., map[string]any{}, []any{}}[rng.IntN(6)])
	}
}

// Whatever stands in the files of an edition, it is refused in messages of one line or can be
// played to its end: nothing breaks down.
func TestMutatedEditionsAreRefusedOrPlayable(t *testing.T) {
	for _, f := range families(t) {
		t.Run(f.Name, func(t *testing.T) {
			n := 60
			if f.Name == "minuteman" {
				n = 12 // a game of it takes as long as a hundred others
			}
			if soak.On() {
				n = enginetest.Times(20_000)
			}
			m := files(t, f.Name)
			rng := rand.New(rand.NewPCG(1, 2))
			played := 0
			for i := range n {
				name := f.Data.Names[rng.IntN(len(f.Data.Names))] + ".json"
				var v any
				if err := json.Unmarshal(m[name], &v); err != nil {
					t.Fatal(err)
				}
				var list []place
				if places(v, i%8 != 0, false, &list); list == nil {
					continue
				}
				for range 1 + rng.IntN(2) {
					mutate(rng, list)
				}
				text, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				changed := maps.Clone(m)
				changed[name] = text
				if tryEdition(t, f, changed, rng) {
					played++
				}
				if t.Failed() {
					t.Fatalf("%s: after the change of %s in step %d: %s", f.Name, name, i, difference(m[name], text))
				}
			}
			t.Logf("%d of %d were played", played, n)
			if played == 0 {
				t.Errorf("none of %d changed editions was played", n)
			}
		})
	}
}

// difference says where two JSON files differ.
func difference(a, b []byte) string {
	var x, y any
	_, _ = json.Unmarshal(a, &x), json.Unmarshal(b, &y)
	one, _ := json.MarshalIndent(x, "", " ")
	two, _ := json.MarshalIndent(y, "", " ")
	old := strings.Split(string(one), "\n")
	for i, line := range strings.Split(string(two), "\n") {
		if i >= len(old) || line != old[i] {
			return fmt.Sprintf("line %d: %s, was %s", i, line, old[min(i, len(old)-1)])
		}
	}
	return "none"
}

// tryEdition reads an edition and, if it has no faults, plays it at random.
func tryEdition(t *testing.T, f engine.Family, files map[string][]byte, rng *rand.Rand) (played bool) {
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s breaks down: %v\n%s", f.Name, v, debug.Stack())
		}
	}()
	e, report, err := games.Edition(files)
	if err != nil {
		return false
	}
	for _, fault := range report.Faults {
		if strings.Contains(fault, "\n") || len(fault) > 900 || strings.Contains(fault, "Go struct") || strings.Contains(fault, "%!") {
			t.Errorf("%s: a fault is told as %q", f.Name, fault)
		}
	}
	if e == nil {
		return false
	}
	g, err := e.New(f.Name)
	if err != nil {
		t.Errorf("%s: an edition without faults cannot be played: %v", f.Name, err)
		return false
	}
	play(t, g, rng)
	return true
}

// play plays a game at random to its end.
func play(t *testing.T, g engine.Game, rng *rand.Rand) {
	s := g.New()
	var moves []engine.Action
	var outcomes []engine.Outcome
	for ply := 0; s.ToAct() != engine.Terminal; ply++ {
		var a engine.Action
		if s.ToAct() == engine.Chance {
			outcomes = s.(engine.Stochastic).Outcomes(outcomes[:0])
			a = outcomes[rng.IntN(len(outcomes))].Action
		} else {
			moves = s.Legal(moves[:0])
			if len(moves) == 0 {
				t.Errorf("%s: nothing is legal at a decision", g.Spec().Text)
				return
			}
			a = moves[rng.IntN(len(moves))]
		}
		if err := s.Apply(a); err != nil {
			t.Errorf("%s: %v", g.Spec().Text, err)
			return
		}
		if ply > g.Spec().MaxMoves {
			t.Errorf("%s: longer than %d moves", g.Spec().Text, ply)
			return
		}
	}
}
