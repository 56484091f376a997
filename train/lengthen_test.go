package train

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"
	"powderkeg/train/ppo"
)

// steady is a config whose schedules do not depend on the length of the run.
func steady(c Config) Config {
	c.PPO.LearningRate, c.PPO.Entropy = ppo.Constant(0.01), ppo.Schedule{Start: 0.1, Power: 0.5}
	c.PPO.Magnet, c.Archive.Reach = ppo.Constant(0.02), ppo.Constant(1)
	return c
}

// TestALengthenedRunIsALongerOne: with and without a lag, lessons, a pool and what else there is.
func TestALengthenedRunIsALongerOne(t *testing.T) {
	list := map[string]Config{"lessons": small("kuhn")}
	for name, c := range partConfigs() {
		list[name] = c
		c.Lag = 1
		list[name+" ahead"] = c
	}
	for name, c := range list {
		t.Run(name, func(t *testing.T) {
			if c = steady(c); name == "lessons" {
				c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions = "random", 2, 500
			}
			c.League.SnapshotEvery, c.Updates = 2, 6
			if keys := c.ByLength(); len(keys) > 0 {
				t.Fatalf("%v depend on the length", keys)
			}
			long, short := trainer(t, c), c
			updates(t, long, 6)
			short.Updates = 3
			r := trainer(t, short)
			updates(t, r, 3)
			if !r.Done() {
				t.Fatal("the short run is not over")
			}
			more, err := short.Lengthened(6)
			if err != nil {
				t.Fatal(err)
			}
			r = reopened(t, more, r)
			updates(t, r, 3)
			one, err1 := long.Checkpoint()
			other, err2 := r.Checkpoint()
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			if !r.Done() || !slices.Equal(long.net.Weights(), r.net.Weights()) || string(one.State) != string(other.State) ||
				one.Manifest.Config != other.Manifest.Config {
				t.Error("a run of 3 updates that was lengthened to 6 is not one of 6")
			}
		})
	}
}

// TestSchedulesFollowTheNewLength: those that go evenly over a run have the numbers of a run of
// the new length once it is lengthened, whatever they had before.
func TestSchedulesFollowTheNewLength(t *testing.T) {
	c := steady(small("kuhn"))
	c.Updates, c.PPO.LearningRate = 6, ppo.Schedule{Start: 0.03, End: 0}
	rates := func(r *Trainer, n int) (list []float64) {
		for range n {
			m, err := r.Update()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, m.LearningRate)
		}
		return list
	}
	long := rates(trainer(t, c), 6)
	c.Updates = 3
	r := trainer(t, c)
	before := rates(r, 3)
	c, err := c.Lengthened(6)
	if err != nil {
		t.Fatal(err)
	}
	after := rates(reopened(t, c, r), 3)
	if slices.Equal(before, long[:3]) || !slices.Equal(after, long[3:]) {
		t.Errorf("learning rates %v, then %v; a run of 6 has %v", before, after, long)
	}
}

func TestWhatDependsOnTheLengthIsNamed(t *testing.T) {
	c := steady(small("kuhn"))
	c.Archive.Share, c.Margin, c.PPO.Entropy, c.Archive.Reach = 0.5, ppo.Schedule{Start: 0.5}, ppo.Schedule{Start: 0.1, End: 0.01}, ppo.Schedule{End: 1}
	want := []string{"margin", "ppo.entropy", "archive.reach"}
	if keys := c.ByLength(); !slices.Equal(keys, want) {
		t.Errorf("%v depend on the length, want %v", keys, want)
	}
	for _, updates := range []int{0, c.Updates - 1} {
		if _, err := c.Lengthened(updates); !errors.Is(err, option.ErrUsage) {
			t.Errorf("a run of %d updates lengthened to %d: %v, want wrong usage", c.Updates, updates, err)
		}
	}
	if _, err := c.Lengthened(MostUpdates + 1); err == nil {
		t.Error("a run is lengthened beyond all bounds")
	}
}

// TestWhatMayChangeIsSaid holds the message against what is refused, for every key.
func TestWhatMayChangeIsSaid(t *testing.T) {
	c := small("kuhn")
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	r := &Trainer{config: c}
	if err := r.sameRun(text); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"game": "leduc", "position": "x", "seed": "77", "updates": "77", "envs": "77", "steps": "77", "workers": "7", "shards": "7", "lag": "1",
		"max_decisions": "77", "skip_forced": "true", "network.hidden": "[7]", "margin": "0.77", "ppo.epochs": "77", "league.capacity": "77",
		"archive.share": "0.77", "lessons.updates": "77", "evaluation.games": "77", "checkpoints.keep": "77",
	} {
		other, err := c.With(key, value)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = other.YAML(); err != nil {
			t.Fatal(err)
		}
		top, _, _ := strings.Cut(key, ".")
		says := slices.Contains(strings.FieldsFunc(MayChange, func(r rune) bool { return r == ' ' || r == ',' }), top)
		if err := r.sameRun(text); (err == nil) != says {
			t.Errorf("%s differs: %v, and it is said that %s may change", key, err, MayChange)
		}
	}
}
