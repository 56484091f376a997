package scripted

import (
	"math/rand/v2"
	"os"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/bloc/reference"
	"powderkeg/engine/enginetest/soak"
)

// TestBlocAgreesWithTheReferenceInScriptedPlay has the scripted team play, with a random
// choice now and then, where random play seldom gets: to districts that are liberated, built
// up and fought for, and to the ends of games.
func TestBlocAgreesWithTheReferenceInScriptedPlay(t *testing.T) {
	r, err := reference.Read(func(name string) ([]byte, error) { return os.ReadFile("../../engine/bloc/data/" + name) })
	if err != nil {
		t.Fatal(err)
	}
	marks, decisions := map[string]int{}, 0
	list := r.Settings()
	games, most := 20, 100
	if soak.On() {
		games, most = soak.Times(8), 0
	}
	for seed := range uint64(games) {
		o := list[int(seed*7)%len(list)]
		o.Ops, o.City, o.Auto = "usual", "random", seed%4 == 3
		g, err := engine.Families{bloc.Family}.New(o.Text())
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(g)
		if err != nil {
			t.Fatal(err)
		}
		slips := []float64{0, 0.02, 0.2}[seed%3]
		m := &reference.Match{Game: g, Begin: reference.Start(seed / 3 % 4), Seed: seed, Marks: marks, Most: most}
		m.Choose = func(s engine.State, q reference.Question, rng *rand.PCG) string {
			if engine.Unit(rng) < slips {
				return q.Options[engine.Uint32N(rng, uint32(len(q.Options)))]
			}
			seat := engine.Player(q.Player)
			view := engine.Look(s, seat)
			return engine.MoveName(g, view, p.Choose(view, seat, view.Legal(nil), rng))
		}
		if err := m.Play(r, o); err != nil {
			t.Fatal(err)
		}
		decisions += m.Decisions
	}
	t.Logf("%d decisions; ends: no blocs %d, time out %d, alone %d, success %d",
		decisions, marks["end no_blocs"], marks["end time_out"], marks["end win_alone"], marks["end success"])
}
