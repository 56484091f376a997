// Package respond finds out what an agent can lose: it trains best responses to the
// agent, as it is frozen, and measures in games what the best of them gains.
//
//	r, err := respond.Run(ctx, respond.Config{Game: "leduc", Agent: "zoo:x", ...}, respond.Options{Dir: dir})
//
// Whatever a response gains is a lower bound, in expectation, of what a best response
// would: of the agent's NashConv, and with zero sums of its exploitability (F. Timbers and
// others, "Approximate exploitability: learning a best response", IJCAI 2022). How near
// such a bound comes is known where the truth is: experiments/reports/0015-respond.md.
//
// A response is looked for in several ways (Way). Each leaves candidates, every one of
// them is measured in the same games, and for each seat the one with the highest lower end of
// its interval is chosen. What that choice is worth is measured in fresh games, since the
// best of many candidates has had luck too in the games that it was chosen by.
package respond

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/train"
)

// Way is a way to look for a response.
type Way string

// The ways.
const (
	// Scratch trains a network that begins at random.
	Scratch Way = "scratch"
	// Own trains a network that begins with the agent's own weights; the agent must be a
	// network.
	Own Way = "own"
	// Search looks ahead at every decision and takes the agent to be what it plays against,
	// as far as a search can: by one greedy step of mirror descent from the network's
	// policy (md), with rollouts of the scripted player, or with random ones.
	Search Way = "search"
)

// Ways lists the ways.
func Ways() []Way { return []Way{Scratch, Own, Search} }

// Config says what is looked for and how long. It decides the result, but for Seconds.
type Config struct {
	// Game is the game string, Agent the agent that is responded to: one without memory
	// (roster.Policies).
	Game  string `json:"game"`
	Agent string `json:"agent"`
	// Position is the JSON position that games begin in; empty for the game's own start.
	Position string `json:"position,omitempty"`
	// Ways says how a response is looked for; empty means in all ways that suit the agent,
	// without Search in games where a decision's search takes long.
	Ways []Way `json:"ways"`
	// Decisions is how many decisions each learner plays in training, the agent's included.
	// Seconds, if above 0, takes its place: each learner gets its share of the time, of which
	// it learns by a probe how many decisions that makes. What it came to is kept in the
	// folder, so that a resumed run has the same length.
	Decisions int64   `json:"decisions"`
	Seconds   float64 `json:"seconds"`
	// Candidates is how many checkpoints of each learner are measured.
	Candidates int `json:"candidates"`
	// Units is how many units of games (eval.Deviation) measure each candidate, FreshUnits
	// how many the chosen response. A search plays SearchUnits of both.
	Units       int `json:"units"`
	FreshUnits  int `json:"fresh_units"`
	SearchUnits int `json:"search_units"`
	// Simulations is how many of them a search makes per decision.
	Simulations int `json:"simulations"`
	// Set overrides keys of the training configuration, KEY=VALUE as "train --set" has it.
	Set []string `json:"set"`
	// Seed decides training and games.
	Seed uint64 `json:"seed"`
	// Workers is how many goroutines play.
	Workers int `json:"workers"`
}

// Default returns the settings for a game and an agent.
func Default(game, agent string) Config {
	return Config{
		Game: game, Agent: agent, Decisions: 10_000_000, Candidates: 10,
		Units: 10_000, FreshUnits: 50_000, SearchUnits: 500, Simulations: 200, Seed: 1,
	}
}

// The most that a Config may ask for. What the units of a measurement take must fit into
// memory, too (eval.DeviationConfig).
const (
	MostCandidates  = 1000
	MostUnits       = 1 << 26
	MostSimulations = 1_000_000
)

// Validate reports all faults together. They wrap option.ErrUsage.
func (c Config) Validate() error {
	var faults []error
	within := func(name string, n, least, most int64) {
		if n < least || n > most {
			faults = append(faults, fmt.Errorf("%s is %d, it must be from %d to %d", name, n, least, most))
		}
	}
	if c.Seconds == 0 {
		within("decisions", c.Decisions, 1, 1<<40)
	} else if !(c.Seconds > 0 && c.Seconds <= 1e7) {
		faults = append(faults, fmt.Errorf("seconds is %v, it must be from 0 to 10000000", c.Seconds))
	}
	within("candidates", int64(c.Candidates), 1, MostCandidates)
	within("units", int64(c.Units), 2, MostUnits)
	within("fresh_units", int64(c.FreshUnits), 2, MostUnits)
	within("search_units", int64(c.SearchUnits), 2, MostUnits)
	within("simulations", int64(c.Simulations), 1, MostSimulations)
	within("workers", int64(c.Workers), 0, 1<<10)
	for i, w := range c.Ways {
		if slices.Contains(c.Ways[:i], w) {
			faults = append(faults, fmt.Errorf("way %q is given twice", w))
		}
		if !slices.Contains(Ways(), w) {
			faults = append(faults, fmt.Errorf("unknown way %q; ways: %s, %s, %s", option.Shorten(string(w)), Scratch, Own, Search))
		}
	}
	g, err := c.NewGame()
	switch {
	case err != nil:
		faults = append(faults, err)
	case g.Spec().Seats < 2:
		faults = append(faults, fmt.Errorf("%s has one seat: there is nobody to respond to", c.Game))
	default:
		if _, err := roster.Policies(g, c.Agent); err != nil {
			faults = append(faults, err)
		} else if _, isNetwork := roster.Network(c.Agent); !isNetwork && slices.Contains(c.Ways, Own) {
			faults = append(faults, fmt.Errorf("%s has no weights to begin with: way %s is for networks", c.Agent, Own))
		}
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", option.ErrUsage, strings.ReplaceAll(errors.Join(faults...).Error(), "\n", "; "))
}

// longGame is the number of decisions above which a game is long: its learners have larger
// networks and larger batches, and it is searched only if asked.
const longGame = 200

// NewGame makes the game, which begins in Position.
func (c Config) NewGame() (engine.Game, error) {
	g, err := env.NewGame(c.Game)
	if err != nil || c.Position == "" {
		return g, err
	}
	return engine.StartAt(g, []byte(c.Position))
}

// ways returns the ways in which the response is looked for.
func (c Config) ways(g engine.Game) []Way {
	if len(c.Ways) > 0 {
		return c.Ways
	}
	ways := []Way{Scratch}
	if _, ok := roster.Network(c.Agent); ok {
		ways = append(ways, Own)
	}
	if g.Spec().MaxDecisions <= longGame {
		ways = append(ways, Search)
	}
	return ways
}

// learners returns those of the ways that learn.
func learners(ways []Way) []Way {
	return slices.DeleteFunc(slices.Clone(ways), func(w Way) bool { return w == Search })
}

// with overrides keys of a training configuration.
func (c Config) with(t train.Config) (train.Config, error) {
	for _, text := range c.Set {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return t, fmt.Errorf("%w: set: %q is not of the form KEY=VALUE", option.ErrUsage, option.Shorten(text))
		}
		var err error
		if t, err = t.With(strings.TrimSpace(key), value); err != nil {
			return t, option.Wrong(fmt.Errorf("set: %w", err))
		}
	}
	return t, nil
}
