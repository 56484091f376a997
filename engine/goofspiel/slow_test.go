package goofspiel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// slow is the game as a list of the names of its moves (R1.1 to R3.1). It shares no code with the engine.
type slow struct {
	cards      int
	order      string
	difference bool
	prizes     []int
	bids       [2][]int
}

// missing lists the numbers up to the number of cards that a list lacks.
func (s *slow) missing(list []int) []int {
	var rest []int
	for n := 1; n <= s.cards; n++ {
		if !slices.Contains(list, n) {
			rest = append(rest, n)
		}
	}
	return rest
}

// legal plays what nobody chooses, and lists what is possible then, by name.
func (s *slow) legal() []string {
	rounds := len(s.bids[1])
	if rest := s.missing(s.prizes); len(s.prizes) == rounds && len(rest) > 0 {
		switch {
		case s.order == "descending":
			s.prizes = append(s.prizes, rest[len(rest)-1])
		case s.order == "ascending" || len(rest) == 1:
			s.prizes = append(s.prizes, rest[0])
		default:
			return names("PRIZE_%d", rest)
		}
	}
	if rounds >= s.cards-1 {
		return nil
	}
	return names("BID_%d", s.missing(s.bids[len(s.bids[0])-rounds]))
}

func names(format string, numbers []int) []string {
	var list []string
	for _, n := range numbers {
		list = append(list, fmt.Sprintf(format, n))
	}
	return list
}

func (s *slow) apply(name string) {
	n := 0
	if _, err := fmt.Sscanf(name, "PRIZE_%d", &n); err == nil {
		s.prizes = append(s.prizes, n)
		return
	}
	seat := len(s.bids[0]) - len(s.bids[1])
	if _, err := fmt.Sscanf(name, "BID_%d", &n); err == nil {
		s.bids[seat] = append(s.bids[seat], n)
	}
}

func (s *slow) returns() []float32 {
	s.legal() // which turns up the last prize
	lead := 0
	for i, prize := range s.prizes {
		bid := func(seat int) int { return append(s.bids[seat], s.missing(s.bids[seat])...)[i] }
		switch {
		case bid(0) > bid(1):
			lead += prize
		case bid(0) < bid(1):
			lead -= prize
		}
	}
	value := float32(lead) / 2
	if !s.difference {
		value = float32(min(max(lead, -1), 1))
	}
	return []float32{value, -value}
}

// options reads what differs out of a game string.
func (s *slow) options(text string) {
	for _, order := range []string{"descending", "ascending"} {
		if strings.Contains(text, order) {
			s.order = order
		}
	}
	s.difference = strings.Contains(text, "difference")
}

// TestSlowRules plays random games beside the slow rules.
func TestSlowRules(t *testing.T) {
	for i, g := range list(t) {
		for seed := range uint64(enginetest.Times(50)) {
			rng := rand.NewPCG(seed, uint64(i))
			state, other := g.New(), &slow{cards: len(g.Spec().Outcomes)}
			other.options(g.Spec().Text)
			for state.ToAct() != engine.Terminal {
				moves := engine.Moves(state)
				var names []string
				for _, a := range moves {
					names = append(names, engine.MoveName(g, state, a))
				}
				if want := other.legal(); !slices.Equal(names, want) {
					t.Fatalf("%s: after %v there are %q, want %q", g.Spec().Text, *other, names, want)
				}
				k := engine.Uint32N(rng, uint32(len(moves)))
				if err := state.Apply(moves[k]); err != nil {
					t.Fatal(err)
				}
				other.apply(names[k])
			}
			if got, want := state.Returns(nil), other.returns(); len(other.legal()) > 0 || !slices.Equal(got, want) {
				t.Fatalf("%s: %v returns %v, want %v", g.Spec().Text, *other, got, want)
			}
		}
	}
}
