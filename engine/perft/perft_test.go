package perft_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/perft"
)

func game(t *testing.T, name string) engine.Game {
	t.Helper()
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestTicTacToe: the numbers of games by length are well known (255,168 in all), and so are
// those of positions by the number of marks (5,478 with the empty board).
func TestTicTacToe(t *testing.T) {
	levels, err := perft.Count(context.Background(), game(t, "tictactoe"), perft.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var sequences, ends []uint64
	var positions []int
	for i, l := range levels {
		if l.Depth != i+1 || l.Chance != 0 || l.Decisions+l.Ends != l.Sequences {
			t.Errorf("level %d is %+v", i+1, l)
		}
		sequences, ends, positions = append(sequences, l.Sequences), append(ends, l.Ends), append(positions, l.Positions)
	}
	if want := []uint64{9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}; !slices.Equal(sequences, want) {
		t.Errorf("sequences are %v, want %v", sequences, want)
	}
	if want := []uint64{0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872}; !slices.Equal(ends, want) {
		t.Errorf("ends are %v, want %v", ends, want)
	}
	if want := []int{9, 72, 252, 756, 1260, 1520, 1140, 390, 78}; !slices.Equal(positions, want) {
		t.Errorf("positions are %v, want %v", positions, want)
	}
}

// TestKuhn: 6 deals, and the tree of the book.
func TestKuhn(t *testing.T) {
	levels, err := perft.Count(context.Background(), game(t, "kuhn"), perft.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []perft.Level{
		{Depth: 1, Sequences: 3, Chance: 3, Positions: 3},
		{Depth: 2, Sequences: 6, Decisions: 6, Positions: 6},
		{Depth: 3, Sequences: 12, Decisions: 12, Positions: 12},
		{Depth: 4, Sequences: 24, Decisions: 6, Ends: 18, Positions: 24},
		{Depth: 5, Sequences: 12, Ends: 12, Positions: 12},
	}
	if !slices.Equal(levels, want) {
		t.Errorf("levels are %+v, want %+v", levels, want)
	}
}

// TestMiddle: the centre, then always the middle one of the squares that are free.
func TestMiddle(t *testing.T) {
	g := game(t, "tictactoe")
	position, err := perft.Middle(g, 2)
	if err != nil {
		t.Fatal(err)
	}
	s := g.New()
	for _, a := range []engine.Action{4, 5} {
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := s.MarshalJSON(); err != nil || string(position) != string(want) {
		t.Errorf("after two moves it is %s, want %s (%v)", position, want, err)
	}
	if position, err := perft.Middle(g, 9); err != nil || position != nil {
		t.Errorf("after the end it is %s (%v), want nothing", position, err)
	}
	if _, err := perft.Middle(g, -1); !errors.Is(err, option.ErrUsage) {
		t.Errorf("after -1 moves it gives %v", err)
	}
}

// TestLimits: what is left out is left out whole.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limits perft.Limits
		want   int
	}{{perft.Limits{Depth: 3}, 3}, {perft.Limits{Positions: 755}, 3}, {perft.Limits{Positions: 756}, 4}, {perft.Limits{Depth: 2, Positions: 9}, 1}} {
		levels, err := perft.Count(context.Background(), game(t, "tictactoe"), c.limits)
		if err != nil || len(levels) != c.want {
			t.Errorf("%+v: %d levels (%v), want %d", c.limits, len(levels), err, c.want)
		}
	}
	if _, err := perft.Count(context.Background(), game(t, "kuhn"), perft.Limits{Depth: -1}); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a depth of -1 gives %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := perft.Count(ctx, game(t, "kuhn"), perft.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a count that was stopped gives %v", err)
	}
}
