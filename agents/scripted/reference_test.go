package scripted

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/kuhn"
)

func policy(t testing.TB, g engine.Game) agents.Policy {
	t.Helper()
	p, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kuhnStrategy is a deterministic plan for one seat: what it does with each card
// at its first and, for seat 0 after pass and bet, second decision. Bit 2*card is
// the first, bit 2*card+1 the second for seat 0; for seat 1 they are the answers
// to a pass and to a bet.
type kuhnStrategy uint8

// kuhnValue returns what Kuhn wins a game on seat p against the strategy, by
// enumeration of all deals and weighing of all lines.
func kuhnValue(t *testing.T, k kuhnPlayer, p engine.Player, answer kuhnStrategy) float64 {
	t.Helper()
	var line func(s *kuhn.State) float64
	line = func(s *kuhn.State) float64 {
		if s.ToAct() == engine.Terminal {
			return float64(s.Returns(nil)[p])
		}
		v := enginetest.Open[*kuhn.View](s)
		played, bets := v.History()
		bet := 0.0
		if s.ToAct() == p {
			bet = k.bet(v.Card(p), played, bets)
		} else {
			second := played == 2 || played == 1 && bets == 1
			bit := 2 * v.Card(1-p)
			if second {
				bit++
			}
			bet = float64(answer >> bit & 1)
		}
		value := 0.0
		for a, chance := range []float64{1 - bet, bet} {
			if chance > 0 {
				next := *s
				if err := next.Apply(engine.Action(a)); err != nil {
					t.Fatal(err)
				}
				value += chance * line(&next)
			}
		}
		return value
	}
	value := 0.0
	for first := range engine.Action(3) {
		for second := range engine.Action(3) {
			if first != second {
				var s kuhn.State
				apply(&s, first)
				apply(&s, second)
				value += line(&s) / 6
			}
		}
	}
	return value
}

// TestKuhnIsUnexploitable takes each of the 64 deterministic strategies of the
// other seat: none may hold the first seat below -1/18 or the second below 1/18.
func TestKuhnIsUnexploitable(t *testing.T) {
	for _, alpha := range []float64{0, 1. / 6, 1. / 3} {
		for p, value := range []float64{-1. / 18, 1. / 18} {
			worst := math.Inf(1)
			for answer := range kuhnStrategy(64) {
				worst = min(worst, kuhnValue(t, kuhnPlayer{alpha}, engine.Player(p), answer))
			}
			if math.Abs(worst-value) > 1e-12 {
				t.Errorf("alpha %.3f, seat %d: the best answer leaves %.6f, want %.6f", alpha, p, worst, value)
			}
		}
	}
}

// TestKuhnChoosesByItsOdds compares the choices with the probabilities.
func TestKuhnChoosesByItsOdds(t *testing.T) {
	var s kuhn.State
	apply(&s, 1) // Q
	apply(&s, 0)
	apply(&s, kuhn.Pass)
	apply(&s, kuhn.Bet)
	rng, calls := rand.NewPCG(1, 2), 0
	const n = 10000
	for range n {
		if (kuhnPlayer{1. / 6}).Choose(engine.Look(&s, 0), 0, nil, rng) == kuhn.Bet {
			calls++
		}
	}
	if got := float64(calls) / n; math.Abs(got-0.5) > 0.02 {
		t.Errorf("Q against a bet calls in %.3f of cases, want 1/6 + 1/3", got)
	}
}

func TestLeducKeepsPairs(t *testing.T) {
	g := enginetest.Game(t, "leduc")
	p := policy(t, g)
	for _, c := range []struct{ moves, want string }{
		{"Ks Qs call call Kh", "raise"},
		{"Js Qs call call Jh call raise", "raise"},
		{"Ks Qs raise", "call or fold"},
	} {
		s := enginetest.After(t, g, strings.Fields(c.moves)...)
		seat, legal := s.ToAct(), s.Legal(nil)
		view := engine.Look(s, seat)
		for seed := range uint64(50) {
			a := p.Choose(view, seat, legal, rand.NewPCG(seed, 0))
			if got := engine.MoveName(g, s, a); !strings.Contains(c.want, got) {
				t.Errorf("leduc after %s, seed %d: got %s, want %s", c.moves, seed, got, c.want)
			}
		}
	}
}

// TestTicTacToeIsPerfect follows every reply of the other seat: no line may lose.
func TestTicTacToeIsPerfect(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	p := policy(t, g)
	lines := 0
	for own := range engine.Player(2) {
		var walk func(s engine.State)
		walk = func(s engine.State) {
			switch s.ToAct() {
			case engine.Terminal:
				lines++
				if s.Returns(nil)[own] < 0 {
					t.Errorf("seat %d loses:\n%s", own, s.(engine.Teller).Text(own))
				}
			case own:
				legal := s.Legal(nil)
				a := p.Choose(s, own, legal, rand.NewPCG(1, 1))
				if !slices.Contains(legal, a) {
					t.Fatalf("seat %d chooses %d, legal are %v", own, a, legal)
				}
				next := engine.Clone(g, s)
				apply(next, a)
				walk(next)
			default:
				for _, a := range s.Legal(nil) {
					next := engine.Clone(g, s)
					apply(next, a)
					walk(next)
				}
			}
		}
		walk(g.New())
	}
	if lines < 500 {
		t.Errorf("only %d lines were followed", lines)
	}
}

// TestTicTacToeSetsTraps compares the win rate against random play with what the
// player itself expects of it: first seat and, over the first moves of the other,
func TestTicTacToeSetsTraps(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	p := policy(t, g).(*ticTacToe)
	start := g.New()
	first, _ := p.best(start, 0)
	second := 0.0
	for a := range engine.Action(9) {
		s := g.New()
		apply(s, a)
		v, _ := p.best(s, 1)
		second += float64(v.luck) / 9
	}
	want := (1 + (float64(first.luck)+second)/2) / 2
	const games = 8000
	rate, seats, at := 0.0, []agents.Agent{agents.FromPolicy(p), random.New()}, table.New(g)
	for game := range uint64(games) {
		r, err := at.Play(t.Context(), seats, table.Seeds{Chance: game, Agents: game}, table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rate += (1 + float64(r[game%2])) / 2 / games
		slices.Reverse(seats)
	}
	if math.Abs(rate-want) > 0.01 {
		t.Errorf("win rate against random play is %.4f, the player expects %.4f", rate, want)
	}
	if want < 0.95 {
		t.Errorf("the player expects a win rate of %.4f, want at least 0.95", want)
	}
	t.Logf("expected %.4f and %.4f on the two seats", (1+first.luck)/2, (1+second)/2)
}

func TestConnect4Tactics(t *testing.T) {
	g := enginetest.Game(t, "connect4")
	p := policy(t, g)
	for _, c := range []struct{ moves, want, why string }{
		{"1 7 1 7 1 7", "column_1", "a fourth in the column wins"},
		{"1 7 1 7 1", "column_1", "the other's fourth is blocked"},
		{"4 1 3 1", "column_5 column_2", "three in a row open at both ends wins"},
		{"4 1 3", "column_2 column_5 column_6", "two in a row with room on both sides must be stopped"},
		{"", "column_4", "the centre is in the most windows"},
	} {
		s := g.New()
		for _, column := range strings.Fields(c.moves) {
			a, err := engine.FindMove(g, s, "column_"+column)
			if err != nil {
				t.Fatal(err)
			}
			apply(s, a)
		}
		for seed := range uint64(5) {
			a := p.Choose(s, s.ToAct(), s.Legal(nil), rand.NewPCG(seed, 0))
			if got := engine.MoveName(g, s, a); !slices.Contains(strings.Fields(c.want), got) {
				t.Errorf("after columns %s: got %s, want %s (%s)", c.moves, got, c.want, c.why)
			}
		}
	}
}

func TestWindowsOfConnect4(t *testing.T) {
	if len(windows) != 69 {
		t.Errorf("%d windows, want 69", len(windows))
	}
}
