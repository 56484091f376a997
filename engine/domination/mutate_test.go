package domination_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// mutator changes a decoded JSON document in one random place.
type mutator struct {
	rng   *rand.PCG
	words []any // strings met so far, to be put in other places
}

func (m *mutator) n(n int) int { return int(engine.Uint32N(m.rng, uint32(n))) }

func (m *mutator) change(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if keys := slices.Sorted(maps.Keys(v)); len(keys) > 0 {
			k := keys[m.n(len(keys))]
			v[k] = m.change(v[k])
		}
		return v
	case []any:
		switch i := m.n(8); {
		case i == 0 && len(v) > 0:
			return v[:len(v)-1]
		case i == 1 && len(v) > 0:
			return append(v, v[m.n(len(v))])
		case len(v) > 0:
			k := m.n(len(v))
			v[k] = m.change(v[k])
		default:
			return append(v, m.words[m.n(len(m.words))])
		}
		return v
	case string:
		m.words = append(m.words, v)
		return m.words[m.n(len(m.words))]
	case bool:
		return !v
	default:
		return []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 24, 255, 256, 70000}[m.n(17)]
	}
}

// Positions of real games with a few fields changed at random, most of them
// nearly right, are refused with ErrPosition or can be played on: nothing that a
// user writes makes the engine panic or leads it out of its limits.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	m := &mutator{rng: rand.NewPCG(4, 4), words: []any{"Airborne Forces", "text", "card_play", "full"}}
	accepted := 0
	for _, name := range []string{
		"domination(fixed_pool=" + fixedPool + ",first_player=0)", "domination(players=3,turns=3)",
		"domination(players=6,turns=2,auto_forced=false)",
		"domination(players=4,extended_pool=true,turns=3)",
	} {
		g := enginetest.Game(t, name)
		for range enginetest.Times(1) {
			for s := g.New(); s.ToAct() != engine.Terminal; {
				for range 4 {
					accepted += mutate(t, g, s, m)
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[m.n(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if accepted < 50 {
		t.Errorf("only %d changed positions were accepted", accepted)
	}
}

// mutate tries one changed position and returns 1 if it was accepted.
func mutate(t *testing.T, g engine.Game, s engine.State, m *mutator) int {
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	// What can be found from the rest would betray most changes.
	for _, name := range []string{"decision", "hand_sizes", "draw_deck_sizes", "known", "stacks", "pool"} {
		if m.n(4) > 0 {
			delete(doc, name)
		}
	}
	for range 1 + m.n(2) {
		m.change(doc)
	}
	changed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if e := recover(); e != nil {
			t.Fatalf("%v\n%s", e, changed)
		}
	}()
	c, err := g.Load(changed, engine.Lenient)
	if err != nil {
		if !errors.Is(err, engine.ErrPosition) {
			t.Fatalf("the error %q does not wrap ErrPosition\n%s", err, changed)
		}
		return 0
	}
	for range 20 {
		if c.ToAct() == engine.Terminal {
			break
		}
		for p := range engine.Player(g.Spec().Seats) {
			v := engine.Clone(g, c).(engine.Hidden)
			v.Redact(p)
			v.(engine.Teller).Text(p)
			v.Redeal(p, m.rng)
		}
		moves := engine.Moves(c)
		if err := c.Apply(moves[m.n(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := c.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := g.Load(text, engine.Lenient); err != nil || again.Hash() != c.Hash() {
		t.Fatalf("played on from\n%s\nto\n%s\nwhich is not read again: %v", changed, text, err)
	}
	return 1
}
