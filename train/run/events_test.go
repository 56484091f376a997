package run

import (
	"fmt"
	"testing"

	"powderkeg/train"
	"powderkeg/train/league"
)

// TestSomeTwentyTagsForTensorBoard: a pool of 80 snapshots is one of them, the mean.
func TestSomeTwentyTagsForTensorBoard(t *testing.T) {
	m := train.UpdateMetrics{GamesEnded: 3, Length: 7, Lag: 1, Rho: 0.9, Spent: &train.Spent{Play: 1},
		Pool: map[string]float64{"scripted": 0.3, "random": 0.9}}
	for i := range 80 {
		m.Pool[league.SnapshotName(int64(10*i))] = float64(i%2) / 2
	}
	tags := map[string]float32{}
	for _, s := range scalarsOf(m) {
		if _, ok := tags[s.Tag]; ok {
			t.Errorf("%s comes twice", s.Tag)
		}
		tags[s.Tag] = s.Value
	}
	if len(tags) < 12 || len(tags) > 18 { // and two for each opponent, two for luck
		t.Errorf("an update has %d tags: %v", len(tags), tags)
	}
	for tag, want := range map[string]float32{"pool/snapshots": 0.25, "pool/scripted": 0.3, "pool/random": 0.9, "games/length": 7} {
		if got, ok := tags[tag]; !ok || got != want {
			t.Errorf("%s is %v, want %v", tag, fmt.Sprint(got), want)
		}
	}
	m.Pool = nil
	for _, s := range scalarsOf(m) {
		if s.Tag == "pool/snapshots" {
			t.Error("there are no snapshots, and they have a rate")
		}
	}
}
