package lessons

import (
	"errors"
	"fmt"
	"math"

	"powderkeg/agents/roster"
	"powderkeg/engine"
)

// Config says who teaches and how long. Lessons come before everything else in a run.
type Config struct {
	// Teacher names an agent without memory (agents/roster), which answers in every
	// decision of every seat. Forced decisions are left out.
	Teacher string `yaml:"teacher"`
	// Updates is how many updates of the run are lessons, 0 for none. Each learns from
	// as many decisions of the set as the run's other updates play.
	Updates int `yaml:"updates"`
	// Decisions is the size that the set grows to, in decisions, by whole games.
	Decisions int `yaml:"decisions"`
	// Grown is the share of the lessons, 0 to 1, after which the set is complete: it
	// grows evenly until then, and with 0 all is played before the first lesson.
	Grown float64 `yaml:"grown"`
	// Players names who plays the games, also without memory: each seat of each game
	// draws one. None means the teacher. Those that slip, such as
	// scripted(slips=0.1), lead into situations that the teacher alone never shows an
	// answer to.
	Players []string `yaml:"players"`
	// Learner is the share of the seats, 0 to 1, that the network plays as it is by
	// then, at half temperature.
	Learner float64 `yaml:"learner"`
	// Minibatch is how many decisions one gradient is computed from.
	Minibatch int `yaml:"minibatch"`
	// LearningRate is the peak of Adam's: it rises evenly from a tenth of it over the
	// first tenth of the lessons and falls along a half cosine to a hundredth (a single
	// cycle: L. Smith and N. Topin, "Super-convergence", 2019).
	LearningRate float64 `yaml:"learning_rate"`
	// Soften is the share of the target, 0 to 1, that is spread over all legal actions
	// (nn.Objective).
	Soften float64 `yaml:"soften"`
}

// Default returns settings that work on the reference games, without lessons.
func Default() Config {
	return Config{Decisions: 1 << 20, Grown: 0.5, Minibatch: 1024, LearningRate: 1.5e-3}
}

// names returns who plays.
func (c *Config) names() []string {
	if len(c.Players) == 0 {
		return []string{c.Teacher}
	}
	return c.Players
}

// Validate reports all faults together; a config without lessons has none.
func (c Config) Validate(g engine.Game) error {
	var faults []error
	within := func(name string, x, low, high float64) {
		if !(x >= low && x <= high) { // NaN too
			faults = append(faults, fmt.Errorf("lessons.%s is %v, it must be from %v to %v", name, x, low, high))
		}
	}
	const many = 1 << 30
	within("updates", float64(c.Updates), 0, many)
	within("decisions", float64(c.Decisions), 1, many)
	within("grown", c.Grown, 0, 1)
	within("learner", c.Learner, 0, 1)
	within("minibatch", float64(c.Minibatch), 1, 1<<20)
	within("learning_rate", c.LearningRate, 0, 1)
	within("soften", c.Soften, 0, 1)
	if c.Updates <= 0 {
		return errors.Join(faults...)
	}
	if _, err := roster.Policies(g, c.Teacher); err != nil {
		faults = append(faults, fmt.Errorf("lessons.teacher: %w", err))
	}
	for _, name := range c.Players {
		if _, err := roster.Policies(g, name); err != nil {
			faults = append(faults, fmt.Errorf("lessons.players: %w", err))
		}
	}
	return errors.Join(faults...)
}

// rate is the learning rate after the given share of the lessons, 0 to 1.
func (c *Config) rate(progress float64) float32 {
	const rise, first, last = 0.1, 0.1, 0.01
	if progress < rise {
		return float32(c.LearningRate * (first + (1-first)*progress/rise))
	}
	fall := (1 + math.Cos(math.Pi*(progress-rise)/(1-rise))) / 2
	return float32(c.LearningRate * (last + (1-last)*fall))
}

// due is how many decisions the set is to have in the given update, from 0.
func (c *Config) due(update int64) int64 {
	by := c.Grown * float64(c.Updates)
	if share := float64(update+1) / max(by, 1); share < 1 {
		return int64(share * float64(c.Decisions))
	}
	return int64(c.Decisions)
}
