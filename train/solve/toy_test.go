package solve_test

import (
	"fmt"
	"testing"

	"powderkeg/engine"
)

// toy is a game given by its tree.
type toy struct {
	spec engine.Spec
	root *toyNode
}

// toyNode is a decision, a chance node or an end.
type toyNode struct {
	actor   engine.Player
	key     string   // at a decision: what the actor knows, without its seat
	weights []uint32 // at a chance node
	next    []*toyNode
	pays    []float32 // at an end
}

func end(pays ...float32) *toyNode { return &toyNode{actor: engine.Terminal, pays: pays} }

func decide(seat engine.Player, key string, next ...*toyNode) *toyNode {
	return &toyNode{actor: seat, key: key, next: next}
}

func lot(weights []uint32, next ...*toyNode) *toyNode {
	return &toyNode{actor: engine.Chance, weights: weights, next: next}
}

func newToy(name string, seats int, payoff engine.Payoff, root *toyNode) *toy {
	return &toy{engine.Spec{Name: name, Text: name, Seats: seats, Payoff: payoff}, root}
}

func (g *toy) Spec() *engine.Spec { return &g.spec }
func (g *toy) New() engine.State  { return &toyState{g.root} }
func (g *toy) Load([]byte, engine.Strictness) (engine.State, error) {
	return nil, fmt.Errorf("%w: a toy has no positions", engine.ErrPosition)
}

type toyState struct{ *toyNode }

func (s *toyState) ToAct() engine.Player { return s.actor }

func (s *toyState) Legal(dst []engine.Action) []engine.Action {
	if s.actor < 0 {
		return dst
	}
	for a := range s.next {
		dst = append(dst, engine.Action(a))
	}
	return dst
}

func (s *toyState) Outcomes(dst []engine.Outcome) []engine.Outcome {
	for a, w := range s.weights {
		dst = append(dst, engine.Outcome{Action: engine.Action(a), Weight: w})
	}
	return dst
}

func (s *toyState) Apply(a engine.Action) error {
	if a < 0 || int(a) >= len(s.next) {
		return fmt.Errorf("%w: action %d", engine.ErrIllegal, a)
	}
	s.toyNode = s.next[a]
	return nil
}

func (s *toyState) Returns(dst []float32) []float32 { return append(dst, s.pays...) }
func (s *toyState) CopyFrom(src engine.State)       { s.toyNode = src.(*toyState).toyNode }
func (s *toyState) Hash() uint64                    { return 0 }
func (s *toyState) MarshalJSON() ([]byte, error)    { return []byte("{}"), nil }
func (s *toyState) InfoState(dst []byte, p engine.Player) []byte {
	return append(append(dst, '0'+byte(p)), s.key...)
}

// prisoners is the prisoner's dilemma; the first action is to keep silent.
func prisoners() *toy {
	return newToy("prisoners", 2, engine.GeneralSum, decide(0, "",
		decide(1, "", end(3, 3), end(0, 5)),
		decide(1, "", end(5, 0), end(1, 1))))
}

// alone has one seat, unequal lots and two decisions in a row.
func alone() *toy {
	return newToy("alone", 1, engine.GeneralSum, lot([]uint32{1, 3},
		decide(0, "left", end(1), decide(0, "left again", end(0), end(2))),
		decide(0, "right", end(-1), end(-2))))
}

// forgetful has one seat that decides twice and whose second key does not tell what
// it did first.
func forgetful() *toy {
	return newToy("forgetful", 1, engine.GeneralSum, decide(0, "first",
		decide(0, "second", end(1), end(0)),
		decide(0, "second", end(0), end(3))))
}

// oddOneOut has three seats choose one of two sides in secret. A seat that is alone
// on its side gets one from each of the others.
func oddOneOut() *toy {
	last := func(a, b int) *toyNode {
		var ends [2]*toyNode
		for c := range ends {
			pays := []float32{-1, -1, -1}
			switch {
			case a == b && b == c:
				pays = []float32{0, 0, 0}
			case b == c:
				pays[0] = 2
			case a == c:
				pays[1] = 2
			default:
				pays[2] = 2
			}
			ends[c] = end(pays...)
		}
		return decide(2, "", ends[:]...)
	}
	return newToy("odd one out", 3, engine.ZeroSum, decide(0, "",
		decide(1, "", last(0, 0), last(0, 1)),
		decide(1, "", last(1, 0), last(1, 1))))
}

// kuhnFor is Kuhn poker for any number of seats, with one card more than seats. In
// turn, a seat checks or bets; once there is a bet, the seats that follow fold or
// call until it is the bettor's turn again. The highest card that has not been
// folded wins the pot.
func kuhnFor(seats int) *toy {
	k := kuhnTable{seats: seats}
	return newToy(fmt.Sprintf("kuhn for %d", seats), seats, engine.ZeroSum, k.deal(nil))
}

type kuhnTable struct{ seats int }

// deal gives every seat a card.
func (k kuhnTable) deal(cards []int) *toyNode {
	if len(cards) == k.seats {
		return k.bet(cards, "")
	}
	var weights []uint32
	var next []*toyNode
	for c := range k.seats + 1 {
		taken := false
		for _, other := range cards {
			taken = taken || other == c
		}
		if !taken {
			weights = append(weights, 1)
			next = append(next, k.deal(append(cards[:len(cards):len(cards)], c)))
		}
	}
	return lot(weights, next...)
}

// bet goes on after a history of p (pass) and b (bet or call).
func (k kuhnTable) bet(cards []int, history string) *toyNode {
	first := -1 // decision with the first bet
	for i, c := range history {
		if c == 'b' {
			first = i
			break
		}
	}
	if first < 0 && len(history) == k.seats || first >= 0 && len(history) == first+k.seats {
		return k.showdown(cards, history, first)
	}
	seat := len(history) % k.seats
	return decide(engine.Player(seat), fmt.Sprint(cards[seat], history),
		k.bet(cards, history+"p"), k.bet(cards, history+"b"))
}

func (k kuhnTable) showdown(cards []int, history string, first int) *toyNode {
	pays, in, pot := make([]float32, k.seats), make([]bool, k.seats), 0
	for i := range pays {
		pays[i], in[i] = -1, first < 0
		pot++
	}
	for i := max(first, 0); first >= 0 && i < len(history); i++ {
		if history[i] == 'b' {
			pays[i%k.seats]--
			in[i%k.seats] = true
			pot++
		}
	}
	winner := -1
	for i, c := range cards {
		if in[i] && (winner < 0 || c > cards[winner]) {
			winner = i
		}
	}
	pays[winner] += float32(pot)
	return end(pays...)
}

// signals is a small game for three seats with unequal lots, a hidden card for each
// seat, public actions and payoffs without a pattern.
func signals() *toy {
	rng := uint64(1)
	pay := func() float32 { // a linear congruential generator is pattern-free enough
		rng = rng*6364136223846793005 + 1442695040888963407
		return float32(int(rng>>60)) - 7
	}
	var act func(cards []int, history string) *toyNode
	act = func(cards []int, history string) *toyNode {
		if len(history) == 4 {
			return end(pay(), pay(), pay())
		}
		seat := len(history) % 3
		return decide(engine.Player(seat), fmt.Sprint(cards[seat], history),
			act(cards, history+"l"), act(cards, history+"r"))
	}
	var deal func(cards []int) *toyNode
	deal = func(cards []int) *toyNode {
		if len(cards) == 3 {
			return act(cards, "")
		}
		n := len(cards)
		return lot([]uint32{1, 3}, deal(append(cards[:n:n], 0)), deal(append(cards[:n:n], 1)))
	}
	return newToy("signals", 3, engine.GeneralSum, deal(nil))
}

func TestToysAreWhatTheySay(t *testing.T) {
	// The counts of kuhn for 3 are those of OpenSpiel's api_test (TOTAL_NUM_STATES
	// and PERFECT_RECALL_NUM_STATES).
	if got := fmt.Sprintf("%+v", buildGame(t, kuhnFor(3)).Counts()); got != "{Chance:17 Decisions:288 Terminals:312 InfoStates:48}" {
		t.Errorf("kuhn for 3 has %s", got)
	}
	if got, want := buildGame(t, kuhnFor(2)).Counts(), build(t, "kuhn").Counts(); got != want {
		t.Errorf("kuhn for 2 has %+v, kuhn itself %+v", got, want)
	}
}
