package bank

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/train/solve"
)

// ending is the late position of a team that suite v1 has.
func ending(t *testing.T) (engine.Game, engine.State) {
	t.Helper()
	const folder = "../suite/v1/"
	var suite struct {
		Tasks []struct{ Task, Game string }
	}
	text, err := os.ReadFile(folder + "suite.json")
	if err == nil {
		err = json.Unmarshal(text, &suite)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range suite.Tasks {
		if task.Task != "bloc-mini" {
			continue
		}
		g, err := env.NewGame(task.Game)
		if err != nil {
			t.Fatal(err)
		}
		position, err := os.ReadFile(folder + "positions/bloc-mini.json")
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Load(position, engine.Strict)
		if err != nil {
			t.Fatal(err)
		}
		return g, s
	}
	t.Fatal("there is no task bloc-mini")
	return nil, nil
}

// expectimax is what the best play expects, by its definition alone.
func expectimax(t *testing.T, g engine.Game, s engine.State) float64 {
	after := func(a engine.Action) float64 {
		next := engine.Clone(g, s)
		if err := next.Apply(a); err != nil {
			t.Fatal(err)
		}
		return expectimax(t, g, next)
	}
	switch s.ToAct() {
	case engine.Terminal:
		return float64(s.Returns(nil)[0])
	case engine.Chance:
		outcomes := s.(engine.Stochastic).Outcomes(nil)
		sum := 0.0
		for _, o := range outcomes {
			sum += after(o.Action) * float64(o.Weight) / float64(engine.Total(outcomes))
		}
		return sum
	}
	best := math.Inf(-1)
	for _, a := range s.Legal(nil) {
		best = max(best, after(a))
	}
	return best
}

// firstAction always takes the first action.
type firstAction struct{}

func (firstAction) Odds(dst []float64, _ solve.InfoState) error { dst[0] = 1; return nil }

// TestTeam sets a team's ending beside its whole tree, which is built and evaluated in another way.
func TestTeam(t *testing.T) {
	ctx := context.Background()
	g, s := ending(t)
	p, err := Pose(ctx, g, s, Limits{Deals: 1, Nodes: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	value, gap, err := p.Solve(ctx)
	if want := expectimax(t, g, s); err != nil || gap != 0 || math.Abs(value-want) > 1e-9 {
		t.Errorf("the best team expects %g within %g, error %v; want %g", value, gap, err, want)
	}
	tree, err := solve.BuildAmong(ctx, g, []engine.State{s}, solve.Limits{ByView: true})
	if err != nil {
		t.Fatal(err)
	}
	if p.Nodes() >= tree.Nodes() {
		t.Errorf("%d states come of it, its tree has %d nodes", p.Nodes(), tree.Nodes())
	}
	for name, player := range map[string]Player{"at random": Uniform{}, "the first action": firstAction{}} {
		policy, err := policyOf(tree, player)
		if err != nil {
			t.Fatal(err)
		}
		lost, err := p.Lost(player, value)
		if err != nil || len(lost) != g.Spec().Seats || slices.Min(lost) < 0 {
			t.Fatalf("%s: the seats lose %v, error %v", name, lost, err)
		}
		sum := 0.0
		for _, x := range lost {
			sum += x
		}
		if want := value - tree.Values(policy)[0]; math.Abs(sum-want) > 1e-9 || sum < 0.01 {
			t.Errorf("%s: the team loses %g, want %g", name, sum, want)
		}
	}
	if _, err := Pose(ctx, g, s, Limits{Deals: 1, Nodes: p.Nodes() - 1}); !errors.Is(err, solve.ErrTooLarge) {
		t.Errorf("with room for one state less: error %v", err)
	}
	broken := errors.New("broken")
	if _, err := p.Lost(failing{broken}, value); !errors.Is(err, broken) {
		t.Errorf("a player's error comes back as %v", err)
	}
}

// TestConstantSum: an ending of Domination, where two seats share a point, is solved as one in which they win it
// from each other, and random play loses what an equilibrium says.
func TestConstantSum(t *testing.T) {
	ctx := context.Background()
	c := Default(enginetest.Game(t, "domination(turns=1)"))
	position, err := os.ReadFile("../suite/v1/positions/rest/domination-mini.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Game.Load(position, engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pose(ctx, c.Game, s, Limits{Nodes: 1_000_000}, true)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := p.Solve(ctx)
	if err != nil || math.Abs(value) > share {
		t.Errorf("seat 0 expects %g of the point, error %v, want none", value, err)
	}
	lost, err := p.Lost(Uniform{}, value)
	if err != nil {
		t.Fatal(err)
	}
	at := p.kind.(*tree)
	e := at.tree.Evaluate(at.tree.Uniform())
	if at.sum != 1 || at.alone || math.Abs(lost[0]+lost[1]-e.NashConv) > 1e-9 || lost[0] > share || lost[1] < 0.9 {
		t.Errorf("returns add up to %g, random play loses %v, want %g in sum and all of it by seat 1", at.sum, lost, e.NashConv)
	}
}
