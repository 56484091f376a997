package random_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/games"
)

func Example() {
	g, _ := games.New("kuhn")
	s := g.New()
	for _, card := range []engine.Action{2, 0} { // K to seat 0, J to seat 1
		if err := s.Apply(card); err != nil {
			fmt.Println(err)
		}
	}
	a := random.New()
	a.Start(s.ToAct(), 7)
	move, err := a.Act(context.Background(), s, s.Legal(nil))
	fmt.Println(engine.MoveName(g, s, move), err)
	// Output: pass <nil>
}

// TestUniform checks the frequencies by a chi-squared test: 20.5 is the 99.9%
// point at 5 degrees of freedom.
func TestUniform(t *testing.T) {
	legal := []engine.Action{2, 3, 5, 7, 11, 13}
	const draws = 60000
	counts := map[engine.Action]int{}
	a := random.New()
	a.Start(0, 1)
	for range draws {
		move, err := a.Act(context.Background(), nil, legal)
		if err != nil {
			t.Fatal(err)
		}
		counts[move]++
	}
	want, chi := float64(draws)/float64(len(legal)), 0.0
	for _, m := range legal {
		chi += math.Pow(float64(counts[m])-want, 2) / want
	}
	if chi > 20.5 {
		t.Errorf("chi-squared of %d draws over %v is %.1f, want at most 20.5; counts %v", draws, legal, chi, counts)
	}
}

func TestSeedDecides(t *testing.T) {
	play := func(seed uint64) (moves []engine.Action) {
		a := random.New()
		a.Start(0, seed)
		for range 64 {
			move, err := a.Act(context.Background(), nil, []engine.Action{0, 1, 2, 3})
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, move)
		}
		return moves
	}
	if one, again := play(5), play(5); !slices.Equal(one, again) {
		t.Errorf("seed 5 played %v, then %v", one, again)
	}
	if one, other := play(5), play(6); slices.Equal(one, other) {
		t.Errorf("seeds 5 and 6 both played %v", one)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := random.New()
	a.Start(0, 1)
	if _, err := a.Act(ctx, nil, []engine.Action{0}); !errors.Is(err, context.Canceled) {
		t.Errorf("error after cancel is %v, want context.Canceled", err)
	}
}
