package train

import (
	"context"
	"math"
	"os"
	"path/filepath"
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
		e, err := newEquilibria(t.Context(), r.Game())
		if err != nil {
			t.Fatal(err)
		}
		want := e.tree.Evaluate(learnedPolicy(t, r, e.tree, func(engine.Player) bool { return true }))
		measured := false
		err = r.measureExactly(e, false, func(m ExactMetrics) error {
			if m.Policy != lastIterate {
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
	e, err := newEquilibria(t.Context(), r.Game())
	if err != nil {
		t.Fatal(err)
	}
	nashConv := map[string]float64{}
	collect := func(m ExactMetrics) error {
		nashConv[m.Policy] = m.NashConv
		return nil
	}
	if err := r.measureExactly(e, false, collect); err != nil {
		t.Fatal(err)
	}
	if len(nashConv) != 3 || nashConv[lastIterate] != nashConv[magnetPolicy] || math.Abs(nashConv[lastIterate]-nashConv[averagePolicy]) > 1e-12 {
		t.Errorf("before the first update NashConv is %v, want that of one network three times", nashConv)
	}
	updates(t, r, 4)
	if err := r.measureExactly(e, false, collect); err != nil {
		t.Fatal(err)
	}
	if nashConv[lastIterate] == nashConv[magnetPolicy] || nashConv[lastIterate] == nashConv[averagePolicy] {
		t.Errorf("after four updates NashConv is %v, want three different policies", nashConv)
	}
}

// TestRunsAreMeasuredExactly follows the exact evaluation into everything that a
// run leaves.
func TestRunsAreMeasuredExactly(t *testing.T) {
	c := small("kuhn")
	c.Updates, c.Evaluation.Every, c.Evaluation.Exact = 4, 2, true
	dir := t.TempDir()
	var out strings.Builder
	if err := Run(t.Context(), c, Options{Dir: dir, Progress: &out}); err != nil {
		t.Fatal(err)
	}
	h, err := readHistory(filepath.Join(dir, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	var at []int64
	for _, m := range h.exact {
		if m.Policy == lastIterate {
			at = append(at, m.Update)
		}
	}
	if len(at) != 3 || at[0] != 0 || at[1] != 2 || at[2] != 4 {
		t.Errorf("the network was measured after updates %v, want 0, 2 and 4", at)
	}
	report, err := os.ReadFile(filepath.Join(dir, reportName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Distance from an equilibrium", "| last | ", "plots/" + exactPlot} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, plotsName, exactPlot)); err != nil {
		t.Error(err)
	}
	if want := "exploitability of the last policy"; !strings.Contains(out.String(), want) {
		t.Errorf("the run says\n%s\nwant %q in it", out.String(), want)
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
	if _, err := newEquilibria(ctx, g); err == nil {
		t.Error("a tree was built after its context had ended")
	}
}
