package eval_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/eval"
	"powderkeg/train/solve"
)

// TestDeviationIsWhatTheTreeSays: what a best response to uniform play of kuhn gains is
// computed by package solve without a sample. Four standard errors are allowed.
func TestDeviationIsWhatTheTreeSays(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	tree, err := solve.Build(context.Background(), g, solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	uniform := tree.Uniform()
	best := uniform
	for seat := range g.Spec().Seats {
		_, response := tree.BestResponse(uniform, engine.Player(seat))
		best = best.With(engine.Player(seat), response)
	}
	written, err := best.Tabular()
	if err != nil {
		t.Fatal(err)
	}
	c := eval.DeviationConfig{
		Game: g, Units: 40_000, Seed: 3, Workers: 2,
		Agent:   eval.Contestant{Name: "random", New: func() (agents.Agent, error) { return agents.FromPolicy(random.Policy{}), nil }},
		Deviant: eval.Contestant{Name: "best", New: func() (agents.Agent, error) { return written.NewAgent(), nil }},
	}
	got, err := eval.Deviation(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	e := tree.Evaluate(uniform)
	for seat, s := range got.Seats {
		sigma := (s.GainHigh - s.GainLow) / 2 / 1.96
		if want := e.Responses[seat] - e.Values[seat]; math.Abs(s.Gain-want) > 4*sigma || sigma > 0.02 {
			t.Errorf("seat %d gains %.4f, exactly %.4f; the standard error is %.4f", seat, s.Gain, want, sigma)
		}
		if math.Abs(s.Own-e.Values[seat]) > 0.04 {
			t.Errorf("seat %d has %.4f among equals, exactly %.4f", seat, s.Own, e.Values[seat])
		}
	}
	sigma := (got.NashConvHigh - got.NashConvLow) / 2 / 1.96
	if math.Abs(got.NashConv-e.NashConv) > 4*sigma || got.Games != 3*c.Units {
		t.Errorf("NashConv %.4f in %d games, exactly %.4f; the standard error is %.4f", got.NashConv, got.Games, e.NashConv, sigma)
	}
	c.Workers = 1
	again, err := eval.Deviation(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, again) {
		t.Errorf("with one worker:\n%+v\nwith two:\n%+v", again, got)
	}
}

// TestWhoPlaysLikeTheAgentGainsNothing: all games of a unit have the same seeds, so that the
// agent itself as the deviant plays the same games, at tables of any size.
func TestWhoPlaysLikeTheAgentGainsNothing(t *testing.T) {
	player := eval.Contestant{Name: "random", New: func() (agents.Agent, error) { return agents.FromPolicy(random.Policy{}), nil }}
	for _, game := range []string{"leduc", "liars_dice(players=3)"} {
		got, err := eval.Deviation(context.Background(), eval.DeviationConfig{Game: enginetest.Game(t, game), Units: 50, Seed: 1, Agent: player,
			Deviant: player})
		if err != nil {
			t.Fatal(err)
		}
		if got.NashConv != 0 || got.NashConvLow != 0 || got.NashConvHigh != 0 {
			t.Errorf("%s: a twin of the agent gains %g [%g, %g], want nothing in every unit", game, got.NashConv, got.NashConvLow, got.NashConvHigh)
		}
	}
}

func TestDeviationSaysWhatIsMissing(t *testing.T) {
	_, err := eval.Deviation(context.Background(), eval.DeviationConfig{Workers: -1})
	for _, part := range []string{"a game, an agent and a deviant are needed", "0 units", "-1 workers"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error is %v, want %q in it", err, part)
		}
	}
}
