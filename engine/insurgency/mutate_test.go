package insurgency_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// TestMutatedPositionsAreRefusedOrPlayable changes numbers, words and list entries in
// positions of random games. What is accepted, strictly or leniently, can be played on and
// read again.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	var accepted, refused [2]int // by strictness
	for i, name := range settings {
		g := enginetest.Game(t, name)
		rng := rand.NewPCG(uint64(i), 12)
		var words []any // words of other positions
		s := g.New()
		for n := 0; n < enginetest.Times(120); n++ {
			if s.ToAct() == engine.Terminal {
				s = g.New()
			}
			step(t, s, rng)
			if n%5 != 0 {
				continue
			}
			m := fields(t, s)
			delete(m, "vp") // so that derived fields do not refuse everything
			delete(m, "stock")
			delete(m, "rebellion_power")
			delete(m, "rpf")
			delete(m, "event_deck")
			delete(m, "story_deck")
			leaves(m, func(v any) { words = append(words, v) })
			for range 1 + engine.Uint32N(rng, 3) {
				count := 0
				leaves(m, func(any) { count++ })
				target, at := int(engine.Uint32N(rng, uint32(count))), 0
				change(m, func(v any) any {
					if at++; at-1 != target {
						return v
					}
					return mutate(v, words, rng)
				})
			}
			for _, how := range []engine.Strictness{engine.Strict, engine.Lenient} {
				if loaded, ok := accept(t, g, encode(t, m), how); ok {
					accepted[how]++
					playOn(t, g, loaded, how, rng)
				} else {
					refused[how]++
				}
			}
		}
	}
	for how := range accepted {
		if accepted[how] < 20 || refused[how] < 20 {
			t.Errorf("%d mutations accepted, %d refused: the test lost its force", accepted[how], refused[how])
		}
	}
	t.Logf("accepted %v, refused %v", accepted, refused)
}

// accept reads a position; an error must wrap ErrPosition.
func accept(t *testing.T, g engine.Game, data []byte, how engine.Strictness) (engine.State, bool) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v in %s", r, data)
		}
	}()
	s, err := g.Load(data, how)
	if err != nil && !errors.Is(err, engine.ErrPosition) {
		t.Fatalf("the error %q does not wrap ErrPosition", err)
	}
	return s, err == nil
}

// playOn plays at random for a while and reads every position back.
func playOn(t *testing.T, g engine.Game, s engine.State, how engine.Strictness, rng *rand.PCG) {
	t.Helper()
	begin := encode(t, fields(t, s))
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v after %s", r, begin)
		}
	}()
	for range 40 {
		data := encode(t, fields(t, s))
		again, err := g.Load(data, how)
		if err != nil || again.Hash() != s.Hash() {
			t.Fatalf("%s does not survive being read (%v), from %s", data, err, begin)
		}
		if s.ToAct() == engine.Terminal {
			return
		}
		step(t, s, rng)
	}
}

// leaves calls each for every value that is no list or object, in a fixed order.
func leaves(v any, each func(any)) {
	change(v, func(x any) any { each(x); return x })
}

// change replaces every such value.
func change(v any, with func(any) any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range keys(v) {
			switch x := v[k].(type) {
			case map[string]any, []any:
				change(x, with)
			default:
				v[k] = with(x)
			}
		}
	case []any:
		for i := range v {
			switch x := v[i].(type) {
			case map[string]any, []any:
				change(x, with)
			default:
				v[i] = with(x)
			}
		}
	}
}

func keys(m map[string]any) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// mutate returns a value of the same type.
func mutate(v any, words []any, rng *rand.PCG) any {
	switch x := v.(type) {
	case float64:
		return x + float64(engine.Uint32N(rng, 7)) - 3
	case bool:
		return !x
	case string:
		for range 20 {
			if w, ok := words[engine.Uint32N(rng, uint32(len(words)))].(string); ok {
				return w
			}
		}
	}
	return v
}
