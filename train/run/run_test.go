package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/learned"
	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
	"powderkeg/env/envtest"
	"powderkeg/train"
	"powderkeg/train/eval"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
)

// small is a run of a second or so on the given game.
func small(game string) train.Config {
	text, err := os.ReadFile("../testdata/small.yaml")
	if err != nil {
		panic(err) // it is beside the tests
	}
	c, err := train.ParseConfig(text)
	if err != nil {
		panic(err)
	}
	c.Game = game
	return c
}

// skipRaces leaves out tests that play much on one goroutine, where there is no race
// to find, and take minutes under the race detector.
func skipRaces(t *testing.T) {
	t.Helper()
	if enginetest.Race {
		t.Skip("nothing runs beside it")
	}
}

// TestRunWritesItsDirectory runs to the end, and once more with a stop on the
// way: the same weights, and metrics with each update once.
func TestRunWritesItsDirectory(t *testing.T) {
	c := small("kuhn")
	c.Evaluation.Tournament = 50
	straight := filepath.Join(t.TempDir(), "straight")
	var told strings.Builder
	if err := Begin(t.Context(), c, Options{Dir: straight, Progress: &told}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.yaml", "metrics.jsonl", "environment.json", "report.md", "report.html", "tournament.json", eventsName,
		"plots/payoffs.png", "plots/win_rate.png", "plots/return.png", "plots/loss.png", "plots/entropy.png", "plots/length.png", "plots/seconds.png",
		"checkpoints/000000006/manifest.json", "bot/weights.safetensors"} {
		if info, err := os.Stat(filepath.Join(straight, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, want a file that is not empty", name, err)
		}
	}
	for _, want := range []string{"update 6/6", "decisions/s", "left", "loss", "entropy", "% vs random", "95% interval"} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("progress does not mention %q:\n%s", want, told.String())
		}
	}
	if err := Begin(t.Context(), c, Options{Dir: straight}); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a second run in the same directory: %v, want wrong usage", err)
	}

	// The context ends while update 4 is told of.
	stopped := filepath.Join(t.TempDir(), "stopped")
	ctx, cancel := context.WithCancel(t.Context())
	err := Begin(ctx, c, Options{Dir: stopped, Progress: writerFunc(func(line string) {
		if strings.Contains(line, "update 1/") {
			cancel()
		}
	})})
	if !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), "--resume "+stopped) {
		t.Fatalf("stopped run: %v, want one that wraps ErrStopped and says how to go on", err)
	}
	if err := Resume(t.Context(), Options{Dir: stopped}); err != nil {
		t.Fatal(err)
	}
	a, err := checkpoints.Open(straight)
	if err != nil {
		t.Fatal(err)
	}
	b, err := checkpoints.Open(stopped)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(a.Weights) != fmt.Sprint(b.Weights) {
		t.Error("the run that was stopped ended with other weights")
	}
	h, err := readHistory(filepath.Join(stopped, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range h.updates {
		if u.Update != int64(i+1) {
			t.Errorf("line %d of the updates is about update %d", i+1, u.Update)
		}
	}
	if len(h.updates) != 6 || len(h.evaluations) != 6 {
		t.Errorf("%d updates and %d evaluations are in the metrics, want 6 (one per update) and 6 (three times two opponents)", len(h.updates),
			len(h.evaluations))
	}
}

// TestRunsAreMeasuredExactly follows the exact evaluation into everything that a
// run leaves.
func TestRunsAreMeasuredExactly(t *testing.T) {
	c := small("kuhn")
	c.Updates, c.Evaluation.Every, c.Evaluation.Exact = 4, 2, true
	dir := t.TempDir()
	var out strings.Builder
	if err := Begin(t.Context(), c, Options{Dir: dir, Progress: &out}); err != nil {
		t.Fatal(err)
	}
	h, err := readHistory(filepath.Join(dir, metricsName))
	if err != nil {
		t.Fatal(err)
	}
	var at []int64
	for _, m := range h.exact {
		if m.Policy == train.LastIterate {
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

// TestRunsOfManySeats takes both games through whole runs: opponents of every
// kind, two seats for the learner, a gate, the report, and going on bit for bit.
func TestRunsOfManySeats(t *testing.T) {
	for _, g := range []*envtest.Sealed{envtest.NewAuction(), envtest.NewHunt()} {
		t.Run(g.Spec().Name, func(t *testing.T) {
			c := small("").For(g)
			c.Envs, c.PPO.TargetKL, c.Evaluation.Against = 16, 0, []string{"random"}
			c.PPO.LearningRate, c.PPO.Entropy = ppo.Schedule{Start: 0.005, End: 0.0005}, ppo.Schedule{Start: 0.02, End: 0}
			c.League = league.Config{
				Share: 0.5, LearnerSeats: 2, SnapshotEvery: 2, Capacity: 2,
				Agents:      []league.Named{{Name: "random", Share: 0.2}, {Name: "mcts(sims=10)"}},
				Matchmaking: league.Matchmaking{Priority: league.Variance, Forget: 0.01},
				Gate:        league.Gate{Games: 40, Above: 0.3},
			}
			c.Evaluation.Tournament = 20
			dir := filepath.Join(t.TempDir(), "run")
			var told strings.Builder
			if err := Begin(t.Context(), c, Options{Dir: dir, Progress: &told}); err != nil {
				t.Fatal(err)
			}
			// Being ahead is not the point here, so the progress tells of returns.
			if strings.Contains(told.String(), "% vs random") || !strings.Contains(told.String(), " vs random") {
				t.Errorf("the progress is\n%s\nwant mean returns against random", told.String())
			}
			text, err := os.ReadFile(filepath.Join(dir, reportName))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{g.Spec().Name, "mean return", "mean rank", "## Population", "mcts(sims=10)", "plots/payoffs.png",
				"## The gate of the pool", "update 000000000"} {
				if !strings.Contains(string(text), want) {
					t.Errorf("the report does not mention %q:\n%s", want, text)
				}
			}
			var players eval.Result
			if text, err = os.ReadFile(filepath.Join(dir, tournamentName)); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &players); err != nil {
				t.Fatal(err)
			}
			if players.Agents[0].Name != "learner" || players.Games < 20 || len(players.Agents) < 4 {
				t.Errorf("the tournament has %d games and %d players, the first %s; want 20, 4 and the learner", players.Games, len(players.Agents),
					players.Agents[0].Name)
			}
			best, err := checkpoints.Open(filepath.Join(dir, bestName))
			if err != nil {
				t.Fatal(err)
			}
			h, err := readHistory(filepath.Join(dir, metricsName))
			if err != nil {
				t.Fatal(err)
			}
			admitted := int64(0)
			for _, u := range h.updates {
				if u.Gate != nil && u.Gate.Admitted {
					admitted = u.Update
				}
			}
			if best.Manifest.Updates != admitted || best.Optimiser != nil {
				t.Errorf("the best bot has %d updates, want the %d of the last that was admitted, and no optimiser", best.Manifest.Updates, admitted)
			}
			if _, err := learned.Open(g, filepath.Join(dir, bestName)); err != nil {
				t.Error(err)
			}
			end, err := checkpoints.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := train.NewTrainer(c)
			if err != nil {
				t.Fatal(err)
			}
			half := threeUpdates(t, fresh)
			again, err := train.ResumeTrainer(c, half)
			if err != nil {
				t.Fatal(err)
			}
			weights := threeUpdates(t, again)
			for i, w := range weights.Weights {
				if !slices.Equal(w.Data, end.Weights[i].Data) {
					t.Errorf("%s of the resumed run differs", w.Name)
				}
			}
		})
	}
}

// threeUpdates makes three updates, closes the trainer, and returns where it has come to.
func threeUpdates(t *testing.T, r *train.Trainer) *checkpoints.Checkpoint {
	t.Helper()
	for range 3 {
		if _, err := r.Update(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := r.Checkpoint()
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return c
}

// writerFunc is an io.Writer.
type writerFunc func(string)

func (f writerFunc) Write(b []byte) (int, error) {
	f(string(b))
	return len(b), nil
}
