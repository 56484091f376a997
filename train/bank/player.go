package bank

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/agents/tabular"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/train/solve"
)

// Player tells how an agent plays. It belongs to one goroutine.
type Player interface {
	// Odds writes the probability of each of the legal actions in what a seat knows, of which
	// there are at least two, to dst, which is zero. The same state has the same odds whenever it is
	// asked about.
	Odds(dst []float64, s solve.InfoState) error
}

// joint is a Player that has its policy in a tree ready.
type joint interface {
	Player
	Policy(t *solve.Tree) (*solve.Policy, error)
}

// Uniform plays each legal action with the same probability.
type Uniform struct{}

// Odds implements Player.
func (Uniform) Odds(dst []float64, _ solve.InfoState) error {
	for k := range dst {
		dst[k] = 1 / float64(len(dst))
	}
	return nil
}

// Asked is an agent without memory that does not tell its odds: it is asked so many times, each time
// with another seed. One that always does the same is judged exactly, one that draws its choices nearly
// so.
type Asked struct {
	Context context.Context
	Agent   agents.Agent
	Asks    int
	// Seed makes the draws others.
	Seed uint64
}

// Odds implements Player.
func (a *Asked) Odds(dst []float64, s solve.InfoState) error {
	seed := engine.NewHash().Word(a.Seed).Bytes([]byte(s.Key))
	for n := range uint64(a.Asks) {
		a.Agent.Start(s.Seat, uint64(seed.Word(n)))
		chosen, err := a.Agent.Act(a.Context, s.View, s.Legal)
		if err != nil {
			return err
		}
		k, legal := slices.BinarySearch(s.Legal, chosen)
		if !legal {
			return fmt.Errorf("action %d is not legal", chosen)
		}
		dst[k] += 1 / float64(a.Asks)
	}
	return nil
}

// Network is the player of a network, which tells its odds, those that it plays with as an agent.
func Network(brain *learned.Brain) Player { return &teller{player: brain.NewPolicy(1)} }

type teller struct {
	player *learned.Policy
	row    []float32
}

// Odds implements Player.
func (t *teller) Odds(dst []float64, s solve.InfoState) error {
	t.row, _ = t.player.Evaluate(t.row[:0], s.View, s.Seat, s.Legal)
	for k, p := range t.row {
		dst[k] = float64(p)
	}
	return t.player.Err()
}

// byKey is a policy that is written down by key.
type byKey struct{ policy *tabular.Policy }

// Odds implements Player.
func (w byKey) Odds(dst []float64, s solve.InfoState) error { return solve.Written(dst, w.policy, s) }

// tabularPrefix begins the names of agents that are written down by key.
const tabularPrefix = "tabular:"

// Tells reports whether an agent of that name tells its odds.
func Tells(name string) bool {
	_, plans := roster.Planner(name)
	_, network := roster.Checkpoint(name)
	return name == "random" || network && !plans || strings.HasPrefix(name, tabularPrefix)
}

// Players returns what makes players of an agent of that name. random, networks and tables tell their odds;
// any other agent is asked so many times, by draws that the seed decides.
func Players(ctx context.Context, g engine.Game, name string, asks int, seed uint64) (func() (Player, error), error) {
	if name == "random" {
		return func() (Player, error) { return Uniform{}, nil }, nil
	}
	if !Tells(name) {
		return asked(ctx, g, name, asks, seed)
	}
	if ref, ok := roster.Checkpoint(name); ok {
		brain, err := learned.Open(g, ref)
		if err != nil {
			return nil, option.Wrong(err)
		}
		return func() (Player, error) { return Network(brain), nil }, nil
	}
	policy, err := tabular.Open(g, strings.TrimSpace(strings.TrimPrefix(name, tabularPrefix)))
	if err != nil {
		return nil, option.Wrong(err)
	}
	return func() (Player, error) { return byKey{policy}, nil }, nil
}

// asked returns what makes players of an agent that tells no odds.
func asked(ctx context.Context, g engine.Game, name string, asks int, seed uint64) (func() (Player, error), error) {
	policies, err := roster.Policies(g, name)
	if err != nil {
		return nil, err
	}
	return func() (Player, error) {
		return &Asked{Context: ctx, Agent: agents.FromPolicy(policies()), Asks: asks, Seed: seed}, nil
	}, nil
}

// policyOf is how a player plays in a tree. It is asked where its own answers let it come alone.
func policyOf(t *solve.Tree, p Player) (*solve.Policy, error) {
	switch p := p.(type) {
	case Uniform:
		return t.Uniform(), nil
	case joint:
		return p.Policy(t)
	}
	return t.Ask(func(s solve.InfoState, probabilities []float64) error { return p.Odds(probabilities, s) })
}
