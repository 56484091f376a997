package train

import (
	"context"
	"math"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/train/ppo"
)

// TestExactEvaluationIsOfWhatTheAgentPlays compares what is written with the
// metrics with the policy that the learned agent plays, which goes another way:
// through the views that agents get and not through the encoder.
func TestExactEvaluationIsOfWhatTheAgentPlays(t *testing.T) {
	for _, game := range []string{"kuhn", "leduc"} {
		r := trainer(t, small(game))
		updates(t, r, 3)
		e, err := NewEquilibria(t.Context(), r.Game())
		if err != nil {
			t.Fatal(err)
		}
		want := e.tree.Evaluate(learnedPolicy(t, r, e.tree, func(engine.Player) bool { return true }))
		measured := false
		err = r.MeasureExactly(e, false, func(m ExactMetrics) error {
			if m.Policy != LastIterate {
				return nil
			}
			measured = true
			for q, v := range want.Values {
				if math.Abs(m.Values[q]-v) > 1e-5 {
					t.Errorf("%s: seat %d expects %v, the agent's play gives %v", game, q, m.Values[q], v)
				}
			}
			if math.Abs(m.NashConv-want.NashConv) > 1e-5 || math.Abs(*m.Exploitability-want.NashConv/2) > 1e-5 {
				t.Errorf("%s: NashConv is %v, exploitability %v, by the agent's play %v and half of it", game, m.NashConv, *m.Exploitability, want.NashConv)
			}
			return nil
		})
		if err != nil || !measured {
			t.Errorf("%s: measured: %t, %v", game, measured, err)
		}
	}
}

// TestAverageOfOneSnapshotIsThatSnapshot: the pool's first snapshot is the
// untrained network, which is what the last iterate still is.
func TestAverageOfOneSnapshotIsThatSnapshot(t *testing.T) {
	c := small("kuhn")
	c.League.SnapshotEvery, c.League.Capacity = 1, 5
	c.PPO.Magnet = ppo.Constant(0.1)
	r := trainer(t, c)
	e, err := NewEquilibria(t.Context(), r.Game())
	if err != nil {
		t.Fatal(err)
	}
	nashConv := map[string]float64{}
	collect := func(m ExactMetrics) error {
		nashConv[m.Policy] = m.NashConv
		return nil
	}
	if err := r.MeasureExactly(e, false, collect); err != nil {
		t.Fatal(err)
	}
	if len(nashConv) != 3 || nashConv[LastIterate] != nashConv[MagnetPolicy] || math.Abs(nashConv[LastIterate]-nashConv[AveragePolicy]) > 1e-12 {
		t.Errorf("before the first update NashConv is %v, want that of one network three times", nashConv)
	}
	updates(t, r, 4)
	if err := r.MeasureExactly(e, false, collect); err != nil {
		t.Fatal(err)
	}
	if nashConv[LastIterate] == nashConv[MagnetPolicy] || nashConv[LastIterate] == nashConv[AveragePolicy] {
		t.Errorf("after four updates NashConv is %v, want three different policies", nashConv)
	}
}

// TestExactEvaluationNeedsInformationStates: a game without them is refused with
// the config, in words.
func TestExactEvaluationNeedsInformationStates(t *testing.T) {
	c := small("jogu")
	c.Evaluation.Exact = true
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "evaluation.exact: jogu has no information states") {
		t.Errorf("the config is refused with %v, want evaluation.exact named", err)
	}
}

// TestTreesStopWithTheContext: a tree that is cut short is no tree.
func TestTreesStopWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewEquilibria(ctx, g); err == nil {
		t.Error("a tree was built after its context had ended")
	}
}
