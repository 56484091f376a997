package train

import (
	"context"
	"fmt"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/train/nn"
	"powderkeg/train/solve"
)

// equilibria measures networks on the whole tree of a small game.
type equilibria struct {
	tree    *solve.Tree
	encoder encoding.Encoder
}

func newEquilibria(ctx context.Context, g engine.Game) (*equilibria, error) {
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	tree, err := solve.Build(ctx, g, solve.Limits{})
	if err != nil {
		return nil, err
	}
	return &equilibria{tree, encoder}, nil
}

// policy returns what the network plays in every information state, at
// temperature 1.
func (e *equilibria) policy(net *nn.Network) (*solve.Policy, error) {
	c := net.Config()
	work := net.NewWorkspace(1)
	obs, mask := make([]float32, c.Inputs), make([]uint8, c.Actions)
	logits, probs, values := make([]float32, c.Actions), make([]float32, c.Actions), make([]float32, c.Seats)
	return e.tree.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for k, s := range states {
			e.encoder.Encode(obs, s.View, s.Seat)
			clear(mask)
			for _, a := range s.Legal {
				mask[a] = 1
			}
			net.Forward(work, obs, logits, values)
			nn.Softmax(probs, logits, mask)
			for j, a := range s.Legal {
				probabilities[k][j] = float64(probs[a])
			}
		}
		return nil
	})
}

// measure returns how far the network's play is from an equilibrium.
func (e *equilibria) measure(net *nn.Network) (solve.Evaluation, error) {
	p, err := e.policy(net)
	if err != nil {
		return solve.Evaluation{}, fmt.Errorf("exact evaluation: %w", err)
	}
	return e.tree.Evaluate(p), nil
}
