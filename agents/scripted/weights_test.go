package scripted

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// moves plays a game and returns what each seat did.
func moves(t *testing.T, g engine.Game, p agents.Policy, seed uint64) (by [][]engine.Action) {
	t.Helper()
	e, err := env.New(g, env.Options{MaxDecisions: 1500})
	if err != nil {
		t.Fatal(err)
	}
	by = make([][]engine.Action, g.Spec().Seats)
	rng := rand.NewPCG(seed, 1)
	for e.Reset(seed); !e.Terminated() && !e.Truncated(); {
		a := p.Choose(e.View(e.Actor()), e.Actor(), e.Legal(), rng)
		by[e.Actor()] = append(by[e.Actor()], a)
		if err := e.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	return by
}

// TestWeightsAreOfTheSeat: a player whose weights are looked at plays as before, and one whose
// weights are changed for a seat plays that seat otherwise, and another one as long as it sees
// the same.
func TestWeightsAreOfTheSeat(t *testing.T) {
	for _, name := range weighed {
		g := enginetest.Game(t, name)
		plain := moves(t, g, Must(g), 3)
		p, err := NewWeighing(g)
		if err != nil {
			t.Fatal(err)
		}
		for seat := range g.Spec().Seats {
			p.Weights(seat)
		}
		if got := moves(t, g, p, 3); !slices.EqualFunc(got, plain, slices.Equal) {
			t.Errorf("%s: a player whose weights are looked at plays otherwise", name)
		}
		last := g.Spec().Seats - 1
		for _, changed := range []int{0, last} {
			p, err := NewWeighing(g)
			if err != nil {
				t.Fatal(err)
			}
			list := p.Weights(changed)
			before := p.Weights(last - changed).Value(0)
			for i := range list.Len() {
				list.Set(i, -list.Value(i))
			}
			if got := p.Weights(changed); got.Value(0) == Must(g).(Weighing).Weights(changed).Value(0) {
				t.Errorf("%s: what was set for seat %d is not there", name, changed)
			}
			if got := p.Weights(last - changed).Value(0); got != before {
				t.Errorf("%s: seat %d weighs with what was set for seat %d", name, last-changed, changed)
			}
			if got := moves(t, g, p, 3); slices.Equal(got[changed], plain[changed]) {
				t.Errorf("%s: seat %d plays as before with all its weights turned round", name, changed)
			}
		}
	}
}

// TestWeighedAreThoseWithWeights: the list of an error is that of the players.
func TestWeighedAreThoseWithWeights(t *testing.T) {
	for _, name := range games() {
		g := enginetest.Game(t, name)
		_, err := NewWeighing(g)
		if listed := slices.Contains(weighed, name); listed != (err == nil) {
			t.Errorf("%s: listed: %t, error %v", name, listed, err)
		}
		if err != nil && (!errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "bloc, insurgency, minuteman")) {
			t.Errorf("%s: error %v, want wrong usage that lists the games", name, err)
		}
	}
}
