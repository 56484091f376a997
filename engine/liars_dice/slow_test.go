package liarsdice_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// slow is the game once more, as lists of what was said (R1.1 to R3.2). It shares no code
// with the engine and learns of it by the names of moves alone.
type slow struct {
	seats, dice, faces int
	rolls              []int    // in order, seat by seat
	bids               [][2]int // quantity and face
	called             bool
}

// legal lists what is possible, by name: every bid that beats the last one, in order.
func (s *slow) legal() []string {
	var names []string
	switch {
	case s.called:
	case len(s.rolls) < s.seats*s.dice:
		for f := range s.faces {
			names = append(names, fmt.Sprintf("Roll %d", f+1))
		}
	default:
		last := [2]int{}
		if len(s.bids) > 0 {
			last = s.bids[len(s.bids)-1]
		}
		for q := 1; q <= s.seats*s.dice; q++ {
			for f := 1; f <= s.faces; f++ {
				if q > last[0] || q == last[0] && f > last[1] {
					names = append(names, fmt.Sprintf("%d-%d", q, f))
				}
			}
		}
		if len(s.bids) > 0 {
			names = append(names, "Liar")
		}
	}
	return names
}

func (s *slow) apply(t *testing.T, name string) {
	var n, f int
	switch {
	case name == "Liar":
		s.called = true
	case strings.HasPrefix(name, "Roll "):
		scan(t, name, "Roll %d", &n)
		s.rolls = append(s.rolls, n)
	default:
		scan(t, name, "%d-%d", &n, &f)
		s.bids = append(s.bids, [2]int{n, f})
	}
}

func scan(t *testing.T, text, format string, into ...any) {
	if _, err := fmt.Sscanf(text, format, into...); err != nil {
		t.Fatal(err)
	}
}

func (s *slow) returns() []float32 {
	list := make([]float32, s.seats)
	if !s.called {
		return list
	}
	bid, matches := s.bids[len(s.bids)-1], 0
	for _, die := range s.rolls {
		if die == bid[1] || die == s.faces {
			matches++
		}
	}
	worth := float32(-1)
	if matches >= bid[0] {
		worth = 1
	}
	list[(len(s.bids)-1)%s.seats] = worth
	list[len(s.bids)%s.seats] = -worth
	return list
}

// TestSlowRules plays random games beside the slow rules. Half of the bids are among the
// lowest, so that games are not over after a few.
func TestSlowRules(t *testing.T) {
	for i, g := range games(t) {
		for seed := range uint64(enginetest.Times(50)) {
			rng := rand.NewPCG(seed, uint64(i))
			state, other := g.New(), &slow{seats: g.Spec().Seats, faces: len(g.Spec().Outcomes)}
			other.dice = (len(g.Spec().Actions) - 1) / other.seats / other.faces
			for state.ToAct() != engine.Terminal {
				moves := engine.Moves(state)
				var names []string
				for _, a := range moves {
					names = append(names, engine.MoveName(g, state, a))
				}
				if want := other.legal(); !slices.Equal(names, want) {
					t.Fatalf("%s: after %v %v there are %q, want %q", g.Spec().Text, other.rolls, other.bids, names, want)
				}
				k := engine.Uint32N(rng, uint32(len(moves)))
				if engine.Uint32N(rng, 2) == 0 {
					k %= 4
				}
				if err := state.Apply(moves[k]); err != nil {
					t.Fatal(err)
				}
				other.apply(t, names[k])
			}
			if got, want := state.Returns(nil), other.returns(); !other.called || !slices.Equal(got, want) {
				t.Fatalf("%s: %v %v returns %v, want %v", g.Spec().Text, other.rolls, other.bids, got, want)
			}
		}
	}
}
