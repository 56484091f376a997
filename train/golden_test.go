//go:build amd64 && !amd64.v3 && !openblas

package train

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"runtime"
	"slices"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/train/ppo"
)

// goldenWeights are the beginnings of the digests of what golden runs have learned, as this
// project has learned it since they were written down: whoever changes one changes what every
// configuration leads to, and says why. (On other processors math.Exp rounds otherwise.)
var goldenWeights = map[string]string{
	"bloc":             "240919e8c7750ab2",
	"critic":           "d810f40c5e1dc3d8",
	"domination":       "34394a86cfb9b0be",
	"forced":           "f1038319ad025ffb",
	"held":             "78a194e905042e60",
	"insurgency":       "37194794d652d517",
	"insurgency ahead": "c9d2fe7aa8024dbd",
	"lessons":          "d12d25534636e4c2",
	"minuteman":        "8419f62add69277f",
	"truncated":        "0ec18bc195f99758",
}

// goldenRuns are of games with long observations of many zeroes, widths that are no multiples
// of a vector, and of each way to learn.
func goldenRuns() map[string]Config {
	list := partConfigs()
	wide := func(name, game string, change func(*Config)) {
		c := small(game)
		c.Envs, c.Steps, c.Updates, c.MaxDecisions = 10, 24, 4, 150
		c.Network.Hidden, c.PPO.Minibatch, c.PPO.Epochs, c.PPO.TargetKL = []int{72, 40}, 100, 2, 0
		c.League.Share = 0.3
		change(&c)
		list[name] = c
	}
	wide("insurgency", "insurgency", func(*Config) {})
	wide("insurgency ahead", "insurgency", func(c *Config) { c.Lag, c.Network.LayerNorm, c.PPO.Average = 1, true, 0.9 })
	wide("bloc", "bloc", func(c *Config) {
		c.PPO.Proximal, c.PPO.Magnet, c.Network.Bins = ppo.Constant(0.1), ppo.Constant(0.1), 5
	})
	wide("minuteman", "minuteman", func(c *Config) { c.SkipForced, c.PPO.NeuRD, c.Network.Activation = true, 10, network.Tanh })
	wide("lessons", "insurgency", func(c *Config) { c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions = "random", 3, 2000 })
	wide("domination", "domination", func(c *Config) { c.PPO.Critic.Hidden, c.PPO.Filter.Quantile, c.Network.Residual = []int{24}, 0.3, true })
	return list
}

// TestWeightsAreThoseOfBefore: whatever is made faster, what is learned stays the same bit for
// bit, with any number of workers and of processors.
func TestWeightsAreThoseOfBefore(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	runs := goldenRuns()
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		for workers := 1; workers <= 5; workers += 2 {
			c := runs[name]
			c.Workers = workers
			runtime.GOMAXPROCS(workers)
			r := trainer(t, c)
			updates(t, r, 4)
			h := sha256.New()
			for _, w := range [][]float32{r.net.Weights(), r.player().Weights()} {
				_ = binary.Write(h, binary.LittleEndian, w) // a hash takes all
			}
			if critic := r.learner.Critic(); critic != nil {
				_ = binary.Write(h, binary.LittleEndian, critic.Weights()) // a hash takes all
			}
			if got := hex.EncodeToString(h.Sum(nil)[:8]); got != goldenWeights[name] {
				t.Errorf("%s with %d workers: weights %s, want %s (unless the rules or the encoding of the game are new)", name, workers, got,
					goldenWeights[name])
			}
		}
	}
}
