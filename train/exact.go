package train

import (
	"context"
	"errors"
	"fmt"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/train/league"
	"powderkeg/train/solve"
)

// The policies whose distance from an equilibrium is measured.
const (
	// LastIterate is the network that learns.
	LastIterate = "last"
	// MagnetPolicy is the one that it is held to (ppo.Config.Magnet).
	MagnetPolicy = "magnet"
	// AveragePolicy draws one of the pool's snapshots before each game.
	AveragePolicy = "average"
)

// ExactMetrics describes a policy on the whole tree of a small game.
type ExactMetrics struct {
	Kind      string  `json:"kind"` // exact
	Time      float64 `json:"time"` // as in UpdateMetrics
	Update    int64   `json:"update"`
	Decisions int64   `json:"decisions"`
	// Policy is last, the network that learns; magnet, the one that it is held to; or
	// average, one of the pool's snapshots drawn before each game.
	Policy string `json:"policy"`
	// Values are what the seats expect, in the game's unit.
	Values []float64 `json:"values"`
	// NashConv is what best responses gain over that in sum.
	NashConv float64 `json:"nash_conv"`
	// Exploitability is NashConv over the number of seats, absent where the payoffs
	// do not add up to zero.
	Exploitability *float64 `json:"exploitability,omitempty"`
	Closing        bool     `json:"closing,omitempty"`
}

// Distance is what is drawn and compared: exploitability, or NashConv where there
// is none.
func (m ExactMetrics) Distance() float64 {
	if m.Exploitability != nil {
		return *m.Exploitability
	}
	return m.NashConv
}

// Equilibria measures networks on the whole tree of a small game.
type Equilibria struct {
	tree    *solve.Tree
	encoder encoding.Encoder
}

// NewEquilibria builds the tree. Its errors tell of games that are too large or
// have no information states.
func NewEquilibria(ctx context.Context, g engine.Game) (*Equilibria, error) {
	tree, err := solve.Build(ctx, g, solve.Limits{})
	if err != nil {
		return nil, fmt.Errorf("evaluation.exact: %w", err)
	}
	return equilibriaOf(tree)
}

// equilibriaOf measures on a tree that there is.
func equilibriaOf(tree *solve.Tree) (*Equilibria, error) {
	encoder, err := env.EncoderFor(tree.Game())
	if err != nil {
		return nil, err
	}
	return &Equilibria{tree, encoder}, nil
}

// policy returns what the network plays in every information state, at
// temperature 1.
func (e *Equilibria) policy(net *network.Network) (*solve.Policy, error) {
	c := net.Config()
	work := net.NewWorkspace(1)
	adviser, err := learned.NewAdviser(e.tree.Game(), c)
	if err != nil {
		return nil, err
	}
	obs, mask := make([]float32, c.Inputs), make([]uint8, c.Actions)
	logits, probs, values := make([]float32, c.Actions), make([]float32, c.Actions), make([]float32, c.Seats)
	return e.tree.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for k, s := range states {
			e.encoder.Encode(obs, s.View, s.Seat)
			clear(mask)
			for _, a := range s.Legal {
				mask[a] = 1
			}
			adviser.Mark(mask, s.View, s.Seat, s.Legal)
			net.Forward(work, obs, logits, values)
			if err := work.Err(); err != nil {
				return err
			}
			c.Advise(logits, mask)
			network.Softmax(probs, logits, mask)
			for j, a := range s.Legal {
				probabilities[k][j] = float64(probs[a])
			}
		}
		return nil
	})
}

// MeasureExactly calls each with what the learner's policies are worth on the
// whole tree.
func (t *Trainer) MeasureExactly(e *Equilibria, closing bool, each func(ExactMetrics) error) error {
	report := func(name string, p *solve.Policy) error {
		v := e.tree.Evaluate(p)
		m := ExactMetrics{
			Kind: KindExact, Update: t.updates, Decisions: t.decisions, Policy: name,
			Values: v.Values, NashConv: v.NashConv, Closing: closing,
		}
		if t.game.Spec().Payoff == engine.ZeroSum {
			m.Exploitability = &v.Exploitability
		}
		return each(m)
	}
	last, err := e.policy(t.player())
	if err == nil {
		err = report(LastIterate, last)
	}
	if magnet := t.learner.Magnet(); err == nil && magnet != nil {
		var p *solve.Policy
		if p, err = e.policy(magnet); err == nil {
			err = report(MagnetPolicy, p)
		}
	}
	if err != nil {
		return err
	}
	iterates, err := e.iterates(t.pool)
	if err != nil || len(iterates) == 0 {
		return err
	}
	return report(AveragePolicy, e.tree.Mixture(iterates))
}

// iterates returns what the snapshots in the pool play, the oldest first.
func (e *Equilibria) iterates(pool *league.Pool) ([]*solve.Policy, error) {
	var list []*solve.Policy
	for _, m := range pool.Members() {
		if m.Snapshot() && m.Active() {
			p, err := e.policy(m.Network())
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// validateExact reports why a game cannot be measured exactly.
func validateExact(g engine.Game) error {
	if _, ok := g.New().(engine.Recaller); !ok {
		return errors.New("evaluation.exact: " + g.Spec().Text + " has no information states")
	}
	return nil
}
