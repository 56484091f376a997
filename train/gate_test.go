package train

import (
	"fmt"
	"slices"
	"testing"

	"powderkeg/train/league"
	"powderkeg/train/ppo"
)

// gated is a run whose snapshots come to a gate, with every kind of opponent.
func gated(above float64) Config {
	c := small("tictactoe")
	c.Updates = 12
	c.PPO.LearningRate = ppo.Schedule{Start: 0.003, End: 0.003}
	c.League = league.Config{
		Share: 0.5, SnapshotEvery: 2, Capacity: 3,
		Agents:      []league.Named{{Name: "random", Share: 0.2}, {Name: "scripted"}, {Name: "mcts(sims=5)"}},
		Matchmaking: league.Matchmaking{Priority: league.Hard, Power: 2, Forget: 0.05},
		Gate:        league.Gate{Games: 200, Above: above},
	}
	return c
}

// TestGateAdmitsWhatIsBetter: each candidate is let in exactly if the lower end of
// its interval is above the threshold, is the best from then on, and is what the
// next one meets. A gate that nobody passes leaves the first snapshot alone.
func TestGateAdmitsWhatIsBetter(t *testing.T) {
	for _, test := range []struct {
		above    float64
		admitted int // at least
	}{{0.5, 1}, {0.999, 0}} {
		t.Run(fmt.Sprint(test.above), func(t *testing.T) {
			c := gated(test.above)
			r := trainer(t, c)
			best, admitted := league.SnapshotName(0), 0
			for range c.Updates {
				m, err := r.Update()
				if err != nil {
					t.Fatal(err)
				}
				if (m.Gate != nil) != (m.Update%2 == 0) {
					t.Fatalf("update %d: gate is %v, want one every 2 updates", m.Update, m.Gate)
				}
				if m.Gate == nil {
					continue
				}
				t.Logf("update %d: %+v", m.Update, *m.Gate)
				if m.Gate.Best != best || m.Gate.Games != 200 {
					t.Errorf("update %d: %d games against %s, want 200 against %s", m.Update, m.Gate.Games, m.Gate.Best, best)
				}
				if m.Gate.Admitted != (m.Gate.CILow > test.above) {
					t.Errorf("update %d: admitted is %v with [%v, %v]", m.Update, m.Gate.Admitted, m.Gate.CILow, m.Gate.CIHigh)
				}
				if m.Gate.Admitted {
					best = league.SnapshotName(m.Update)
					admitted++
					if !slices.Equal(r.pool.Best().Network().Weights(), r.net.Weights()) {
						t.Errorf("update %d: the best has other weights than the snapshot that was let in", m.Update)
					}
				}
				if r.pool.Best().Name != best {
					t.Errorf("update %d: the best is %s, want %s", m.Update, r.pool.Best().Name, best)
				}
			}
			if admitted < test.admitted || test.admitted == 0 && admitted > 0 {
				t.Errorf("%d snapshots were let in, want %d", admitted, test.admitted)
			}
			if test.admitted == 0 {
				snapshots := 0
				for _, m := range r.pool.Members() {
					if m.Snapshot() {
						snapshots++
					}
				}
				if snapshots != 1 {
					t.Errorf("%d snapshots are in a pool that lets none in, want the first alone", snapshots)
				}
			}
		})
	}
}

// TestPrioritisedPoolsResumeBitForBit goes on from a checkpoint after every update
// of a run with priorities, a gate, and a search in the pool.
func TestPrioritisedPoolsResumeBitForBit(t *testing.T) {
	c := gated(0.45)
	c.Envs, c.Steps, c.League.Gate.Games = 8, 32, 20
	straight, resumed := trainer(t, c), trainer(t, c)
	for i := range 10 {
		updates(t, straight, 1)
		updates(t, resumed, 1)
		if !slices.Equal(straight.net.Weights(), resumed.net.Weights()) {
			t.Fatalf("after %d updates, resumed before each, the weights differ", i+1)
		}
		a, _ := straight.pool.State()
		b, _ := resumed.pool.State()
		if *a.Best != *b.Best || len(a.Members) != len(b.Members) {
			t.Fatalf("after %d updates the pools differ: %+v and %+v", i+1, a, b)
		}
		resumed = reopened(t, c, resumed)
	}
	for _, m := range straight.pool.Members() {
		if !m.Snapshot() && m.Games == 0 {
			t.Errorf("%s has played no game", m.Name)
		}
	}
}
