package run

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/train/ppo"
)

// TestRunsAreLengthened: a run of 3 updates that goes on to 6 leaves what one of 6 does, its
// config and the evaluation after update 3 among it.
func TestRunsAreLengthened(t *testing.T) {
	c := small("kuhn")
	c.PPO.LearningRate, c.PPO.Entropy = ppo.Constant(0.01), ppo.Constant(0.01)
	straight, dir := filepath.Join(t.TempDir(), "straight"), filepath.Join(t.TempDir(), "lengthened")
	if err := Begin(t.Context(), c, Options{Dir: straight}); err != nil {
		t.Fatal(err)
	}
	short := c
	short.Updates = 3
	if err := Begin(t.Context(), short, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	// Without being asked for, or to fewer updates, nothing is lengthened.
	if err := Start(t.Context(), c, Options{Dir: dir}); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "--updates 6") {
		t.Errorf("another length: %v, want wrong usage that says how to lengthen", err)
	}
	if err := Resume(t.Context(), Options{Dir: dir, Updates: 2}); !errors.Is(err, option.ErrUsage) {
		t.Errorf("fewer updates: %v, want wrong usage", err)
	}
	if old, err := ReadConfig(dir); err != nil || old.Updates != 3 {
		t.Fatalf("the config has %d updates, error %v, want 3", old.Updates, err)
	}
	var told strings.Builder
	if err := Start(t.Context(), c, Options{Dir: dir, Updates: 6, Progress: &told}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "lengthened from 3 updates to 6") || strings.Contains(told.String(), "what follows the length") {
		t.Errorf("told %s", told.String())
	}
	for _, name := range []string{"config.yaml", "bot/weights.safetensors"} {
		one, err1 := os.ReadFile(filepath.Join(straight, name))
		other, err2 := os.ReadFile(filepath.Join(dir, name))
		if err := errors.Join(err1, err2); err != nil || string(one) != string(other) {
			t.Errorf("%s is another one, error %v", name, err)
		}
	}
	one, err1 := readHistory(filepath.Join(straight, metricsName))
	other, err2 := readHistory(filepath.Join(dir, metricsName))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for _, h := range []*history{one, other} {
		for i := range h.updates {
			h.updates[i].Time, h.updates[i].Seconds, h.updates[i].Spent = 0, 0, nil
		}
		for i := range h.evaluations {
			h.evaluations[i].Time = 0
		}
	}
	if !reflect.DeepEqual(one.updates, other.updates) || !reflect.DeepEqual(one.evaluations, other.evaluations) {
		t.Errorf("the metrics are other ones:\n%+v\n%+v", one.evaluations, other.evaluations)
	}
}

// TestWhatFollowsTheLengthIsTold, where a run is lengthened whose schedules depend on it, and the
// new length is there after any end.
func TestWhatFollowsTheLengthIsTold(t *testing.T) {
	c, dir := small("kuhn"), t.TempDir()
	c.Updates, c.PPO.Entropy = 2, ppo.Schedule{Start: 0.1, End: 0.01}
	if err := Begin(t.Context(), c, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	if err := Resume(t.Context(), Options{Dir: dir, Updates: 4, Progress: &told}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "from update 3 on what it is in a run of 4: ") || !strings.Contains(told.String(), "ppo.entropy") {
		t.Errorf("told %s", told.String())
	}
	if got, err := ReadConfig(dir); err != nil || got.Updates != 4 {
		t.Errorf("the config has %d updates, error %v, want 4", got.Updates, err)
	}
}
