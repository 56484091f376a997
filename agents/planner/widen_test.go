package planner

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/agents/scripted/menu"
	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
)

// fewer is a planner that says less of its candidates: every other number of them.
type fewer struct{ Planner }

func (f fewer) Features() []string {
	var list []string
	for i, name := range f.Planner.Features() {
		if i%2 == 0 {
			list = append(list, name)
		}
	}
	return list
}

func (f fewer) of(x []float32) []float32 {
	var list []float32
	for i, v := range x {
		if i%2 == 0 {
			list = append(list, v)
		}
	}
	return list
}

// TestOlderNetworksReadWhatTheyKnow: a network that was trained when candidates had fewer numbers judges them as it did,
// bit for bit, and one that reads what no candidate has any more is refused.
func TestOlderNetworksReadWhatTheyKnow(t *testing.T) {
	g := enginetest.Game(t, "bloc(mode=semi_cooperative)")
	p, err := New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	old := fewer{p}
	config := arch(old)
	config.Hidden = []int{16, 8}
	weights := make([]float32, config.NumWeights())
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range weights {
		weights[i] = float32(rng.NormFloat64())
	}
	narrow := network.FromWeights(config, weights)
	c, err := Checkpoint(g, old, Config{}, narrow)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := Learned(g, c)
	if err != nil {
		t.Fatal(err)
	}
	if n := wide.Config().Inputs; n != len(p.Features()) {
		t.Fatalf("the network to go on with reads %d numbers of %d", n, len(p.Features()))
	}
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Reset(7)
	var m menu.Menu
	judge := NewPolicy(p, wide, 0)
	for n := 0; n < 60; {
		p.Menu(&m, e.View(e.Actor()), e.Actor(), e.Legal())
		if rows := len(m.Actions); rows > 1 {
			n++
			added, values := make([]float32, rows), make([]float32, rows)
			width := len(p.Features())
			var x []float32
			for i := range rows {
				x = append(x, old.of(m.Features[i*width:][:width])...)
			}
			narrow.Forward(narrow.NewWorkspace(rows), x, added, values)
			for i := range added {
				added[i] += m.Worth[i]
			}
			if got := judge.Logits(&m); !slices.Equal(got, added) {
				t.Fatalf("choice %d is judged %v, it was %v", n, got, added)
			}
		}
		if err := e.Step(m.Actions[0]); err != nil {
			t.Fatal(err)
		}
		if e.Terminated() {
			e.Reset(uint64(n))
		}
	}
	if c, err = Checkpoint(g, stranger{old}, Config{}, narrow); err != nil {
		t.Fatal(err)
	}
	if _, err := Learned(g, c); !errors.Is(err, checkpoints.ErrMismatch) {
		t.Errorf("a network that reads what no candidate has gives %v", err)
	}
}

// stranger is a planner one of whose numbers nobody else has.
type stranger struct{ fewer }

func (s stranger) Features() []string {
	list := s.fewer.Features()
	list[0] = "none"
	return list
}
