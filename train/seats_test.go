package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/env/envtest"
	"powderkeg/train/eval"
	"powderkeg/train/ppo"
)

// manySeats is a run of a second or two on a game of more than two seats.
func manySeats(g *envtest.Sealed) Config {
	c := small("").For(g)
	c.Updates, c.Envs, c.Steps = 60, 64, 32
	c.PPO.LearningRate, c.PPO.Entropy = ppo.Schedule{Start: 0.005, End: 0.0005}, ppo.Schedule{Start: 0.02, End: 0}
	c.PPO.TargetKL = 0
	c.Evaluation.Against = []string{"random"}
	return c
}

// strategies are the probabilities of a policy, [seat][card][action].
type strategies [][][]float64

// policy plays by probabilities.
type policy func(view engine.View, seat engine.Player, legal []engine.Action) []float64

// learnedPlay is what the trainer's network plays now.
func learnedPlay(t testing.TB, r *Trainer) policy {
	t.Helper()
	brain, err := learned.NewBrain(r.Game(), r.Network())
	if err != nil {
		t.Fatal(err)
	}
	player := brain.NewPolicy(1)
	return func(view engine.View, seat engine.Player, legal []engine.Action) []float64 {
		p, _ := player.Evaluate(nil, view, seat, legal)
		out := make([]float64, len(p))
		for i, x := range p {
			out[i] = float64(x)
		}
		return out
	}
}

// strategiesOf asks a policy about every seat and card.
func strategiesOf(g *envtest.Sealed, play policy) strategies {
	table := make(strategies, g.Spec().Seats)
	for seat := range table {
		for card := range g.Spec().Outcomes {
			s := g.Asked(seat, card)
			table[seat] = append(table[seat], play(s, engine.Player(seat), s.Legal(nil)))
		}
	}
	return table
}

// gains returns what a seat may expect with a card and an action beside others that
// play by the strategies, [seat][card][action]: a sum over all deals and choices.
func (table strategies) gains(g *envtest.Sealed) [][][]float64 {
	n, cards, actions := g.Spec().Seats, len(g.Spec().Outcomes), len(g.Spec().Actions)
	gains := make([][][]float64, n)
	for seat := range gains {
		for range cards {
			gains[seat] = append(gains[seat], make([]float64, actions))
		}
	}
	card, choice := make([]uint8, n), make([]uint8, n)
	var returns []float32
	var visit func(seat int)
	visit = func(seat int) {
		if seat < n {
			for c := range cards {
				for a := range actions {
					card[seat], choice[seat] = uint8(c), uint8(a)
					visit(seat + 1)
				}
			}
			return
		}
		returns = g.Pay(returns[:0], card, choice)
		for me := range n {
			p := 1.0
			for other := range n {
				if other != me {
					p *= table[other][card[other]][choice[other]] / float64(cards)
				}
			}
			gains[me][card[me]][choice[me]] += p * float64(returns[me])
		}
	}
	visit(0)
	return gains
}

// value returns what a seat gains when all play by the strategies, and the most that
// it could gain beside the others.
func (table strategies) value(gains [][][]float64, seat int) (value, best float64) {
	for card, p := range table[seat] {
		for action, gain := range gains[seat][card] {
			value += p[action] * gain / float64(len(table[seat]))
		}
		best += slices.Max(gains[seat][card]) / float64(len(table[seat]))
	}
	return value, best
}

// TestFourSeatsLearnToBidWhatItIsWorth: in the auction no seat can gain more than a
// little by playing otherwise, and all bid what the thing is worth to them.
func TestFourSeatsLearnToBidWhatItIsWorth(t *testing.T) {
	skipRaces(t)
	g := envtest.NewAuction()
	c := manySeats(g)
	c.Updates = 150
	r := trainer(t, c)
	updates(t, r, c.Updates)
	table := strategiesOf(g, learnedPlay(t, r))
	gains := table.gains(g)
	for seat := range g.Spec().Seats {
		value, best := table.value(gains, seat)
		t.Logf("seat %d: gains %.4f, could gain %.4f; bids %.2f", seat, value, best, table[seat])
		if best-value > 0.02 {
			t.Errorf("seat %d gains %.4f and could gain %.4f, want within 0.02", seat, value, best)
		}
		// Worth 1 is left out: a bid of 0 is as good beside truthful others.
		for card := 1; card < 4; card++ {
			if p := table[seat][card][card+1]; p < 0.8 {
				t.Errorf("seat %d bids %d on a worth of %d with probability %.2f, want at least 0.8", seat, card+1, card+1, p)
			}
		}
	}
}

// TestThreeSeatsLearnToHelpEachOther: in the hunt all reach the common goal, which
// pays the most there is.
func TestThreeSeatsLearnToHelpEachOther(t *testing.T) {
	skipRaces(t)
	g := envtest.NewHunt()
	r := trainer(t, manySeats(g))
	updates(t, r, 60)
	table := strategiesOf(g, learnedPlay(t, r))
	gains := table.gains(g)
	for seat := range g.Spec().Seats {
		value, best := table.value(gains, seat)
		t.Logf("seat %d: gains %.3f, could gain %.3f; helps %.3f", seat, value, best, table[seat])
		if value < 9.8 {
			t.Errorf("seat %d gains %.3f, want 10 within 0.2", seat, value)
		}
	}
}

// truthful bids what the thing is worth.
type truthful struct{ game *envtest.Sealed }

func (p truthful) Choose(view engine.View, seat engine.Player, _ []engine.Action, _ *rand.PCG) engine.Action {
	return engine.Action(p.game.Card(view, seat) + 1)
}

// TestMatchesOfFourAgreeWithTheTree plays truth alone against a table of random
// bidders and compares with the exact figures over all deals and bids; four
// standard errors are allowed. The share of the win and the rank follow from the
// returns alone.
func TestMatchesOfFourAgreeWithTheTree(t *testing.T) {
	g := envtest.NewAuction()
	const games = 40000
	result, err := eval.Match(t.Context(), eval.Config{
		Game: g, Games: games, Seed: 3, Workers: 2, Solo: true,
		Contestants: []eval.Contestant{
			{Name: "truth", New: func() (agents.Agent, error) { return agents.FromPolicy(truthful{g}), nil }},
			{Name: "random", New: func() (agents.Agent, error) { return random.New(), nil }},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var gain, win, rank, duel mean
	returns := make([]float32, 0, 4)
	cards, choices := make([]uint8, 4), make([]uint8, 4)
	for deal := range 4 * 4 * 4 * 4 {
		for bids := range 5 * 5 * 5 {
			for i, d, b := 0, deal, bids; i < 4; i++ {
				cards[i] = uint8(d % 4)
				d /= 4
				if i > 0 {
					choices[i] = uint8(b % 5)
					b /= 5
				}
			}
			choices[0] = cards[0] + 1
			returns = g.Pay(returns[:0], cards, choices)
			ahead, level := 0, 1
			for _, other := range returns[1:] {
				switch {
				case other > returns[0]:
					ahead++
					duel.add(0)
				case other == returns[0]:
					level++
					duel.add(0.5)
				default:
					duel.add(1)
				}
			}
			gain.add(float64(returns[0]))
			rank.add(1 + float64(ahead) + float64(level-1)/2)
			if ahead == 0 {
				win.add(1 / float64(level))
			} else {
				win.add(0)
			}
		}
	}
	truth := result.Agents[0]
	if truth.Games != games || result.Agents[1].Games != 3*games || result.Even != 0.25 {
		t.Errorf("truth held %d seats and random play %d, equal players win %v; want %d, %d and 0.25", truth.Games, result.Agents[1].Games, result.Even,
			games, 3*games)
	}
	for _, f := range []struct {
		what      string
		got, want float64
		spread    float64 // standard deviation of one game, at most
	}{
		{"mean return", truth.MeanReturn, gain.value(), 1.5},
		{"win rate", truth.WinRate, win.value(), 0.5},
		{"mean rank", truth.MeanRank, rank.value(), 1.5},
		{"score against random", result.Pairs[0].Score, duel.value(), 0.5},
	} {
		t.Logf("%s is %.4f, exactly %.4f", f.what, f.got, f.want)
		if math.Abs(f.got-f.want) > 4*f.spread/math.Sqrt(games) {
			t.Errorf("%s is %.4f, want %.4f within %.4f", f.what, f.got, f.want, 4*f.spread/math.Sqrt(games))
		}
	}
	if truth.ReturnLow > gain.value() || truth.ReturnHigh < gain.value() || truth.EloLow < 0 {
		t.Errorf("return in [%.3f, %.3f], Elo above %.0f; want %.4f inside and an Elo above 0", truth.ReturnLow, truth.ReturnHigh, truth.EloLow,
			gain.value())
	}
}

// mean is a running mean.
type mean struct{ sum, n float64 }

func (m *mean) add(x float64)  { m.sum, m.n = m.sum+x, m.n+1 }
func (m *mean) value() float64 { return m.sum / m.n }
