package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/search"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// counted is a random player that counts its rollouts' decisions, which is the work of a search.
type counted struct{ moves *int }

func (c counted) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	*c.moves++
	return random.Policy{}.Choose(view, seat, legal, rng)
}

// A search that pretends does the work of one, for a choice and where there is none, and
// chooses afterwards what it would have chosen without.
func TestPretendingIsWorkOfWhichNothingComes(t *testing.T) {
	g := enginetest.Game(t, "liars_dice")
	play := func(pretends bool) (moves []engine.Action, work int) {
		n := 0
		c := search.Default()
		c.Simulations, c.Rollout = 50, counted{&n}
		a, err := search.New(g, c)
		if err != nil {
			t.Fatal(err)
		}
		var _ agents.Pretender = a
		s := g.New()
		rng := rand.New(rand.NewPCG(3, 3))
		a.Start(1, 9)
		for s.ToAct() != engine.Terminal {
			p := s.ToAct()
			legal := s.Legal(nil)
			switch {
			case p == engine.Chance:
				legal = []engine.Action{engine.Sample(s.(engine.Stochastic).Outcomes(nil), rand.NewPCG(rng.Uint64(), 1))}
			case p == 1:
				view := engine.Look(s, p)
				if pretends {
					before := n
					if err := a.Pretend(t.Context(), view, p, legal); err != nil {
						t.Fatal(err)
					}
					work += n - before
				}
				if legal[0], err = a.Act(context.Background(), view, legal); err != nil {
					t.Fatal(err)
				}
			}
			moves = append(moves, legal[0])
			if err := s.Apply(legal[0]); err != nil {
				t.Fatal(err)
			}
		}
		return moves, work
	}
	plain, _ := play(false)
	pretending, work := play(true)
	if len(plain) != len(pretending) || work == 0 {
		t.Errorf("%d moves and %d decisions of rollouts, want %d moves and some", len(pretending), work, len(plain))
	}
	for i := range plain {
		if plain[i] != pretending[i] {
			t.Errorf("move %d is %d after pretending, want %d", i, pretending[i], plain[i])
		}
	}
	// Where there is no choice the simulations are played as well.
	n := 0
	c := search.Default()
	c.Simulations, c.Rollout = 50, counted{&n}
	a, err := search.New(enginetest.Game(t, "tictactoe"), c)
	if err != nil {
		t.Fatal(err)
	}
	s := enginetest.Game(t, "tictactoe").New()
	for _, move := range []engine.Action{0, 1, 2, 4, 3, 5, 7, 6} {
		if err := s.Apply(move); err != nil {
			t.Fatal(err)
		}
	}
	if legal := s.Legal(nil); len(legal) != 1 {
		t.Fatalf("%d legal moves, want 1", len(legal))
	}
	if err := a.Pretend(t.Context(), s, s.ToAct(), s.Legal(nil)); err != nil {
		t.Fatal(err)
	}
	if got := a.Candidates(nil); len(got) != 1 || got[0].Visits != 50 {
		t.Errorf("pretending where there is one move: %+v, want 50 simulations of it", got)
	}
}
