package plans

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/agents/planner"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// Config says what is learned, and from which games.
type Config struct {
	Game string `json:"game"`
	// From, if not empty, names a network or a planner (checkpoints.Open) by whose weights the
	// planner plans, in place of its own. What a planner's network has learned is where learning
	// begins, and so are the values that a run's folder has beside it; otherwise both are zeros.
	From string `json:"from"`
	// Weights, if not empty, names another network or planner by whose weights the planner plans,
	// where From is to give the network alone: what was learned beside one planner goes on beside another.
	Weights string `json:"weights,omitempty"`
	// Seats are those that learn, none for all.
	Seats []int `json:"seats,omitempty"`
	// Alone gives each game one of the learning seats, in turn, in place of all of them.
	Alone bool `json:"alone"`
	// Against names who has the other seats, an agent without memory (agents/roster).
	Against string `json:"against"`
	// Hidden lists the widths of the network's hidden layers, and of those of its values.
	Hidden []int `json:"hidden"`
	// Updates have Games games each.
	Updates int `json:"updates"`
	Games   int `json:"games"`
	// Rate is the learning rate of the network and ValueRate that of its values. Both fall
	// in a straight line to a tenth at the last update.
	Rate      float64 `json:"rate"`
	ValueRate float64 `json:"value_rate"`
	// Temperature flattens the odds by which candidates are drawn in learning.
	Temperature float64 `json:"temperature"`
	// Lambda says how far an advantage looks: 1 to the end of the game, less by a share for
	// each choice, from where the values go on.
	Lambda float64 `json:"lambda"`
	// Average, below 1, is how much of the running mean of the network's weights stays in each
	// update, such as 0.98; the mean is what is evaluated and saved as the player, and the games
	// of learning are played by the weights themselves. 0 is no mean.
	Average float64 `json:"average,omitempty"`
	// Magnet is how much the network is held to the planner (reverse KL divergence a choice).
	Magnet float64 `json:"magnet"`
	// Share is the share of the choices that is learned from, 0 to 1: choices cost time to learn
	// from, and each adds to what a game teaches (report 0034).
	Share float64 `json:"share"`
	// Moments is the share of the choices that the values learn from, 0 to 1: many games
	// teach them, not many moments of a game. They go over those of an update twice.
	Moments float64 `json:"moments"`
	// Every so many updates EvalGames games are played, as in the end ClosingGames, by the best
	// candidates and by the planner alone; 0 for the end alone.
	Every        int    `json:"every"`
	EvalGames    int    `json:"eval_games"`
	ClosingGames int    `json:"closing_games"`
	Seed         uint64 `json:"seed"`
	// Workers is the number of goroutines that play, 0 for one per processor. Nothing depends
	// on it.
	Workers int `json:"-"`
}

// Default returns settings for the game.
func Default(game string) Config {
	return Config{
		Game: game, Against: "scripted", Hidden: []int{64, 64}, Updates: 400, Games: 1000, Rate: 1e-3, ValueRate: 1e-3,
		Temperature: 1, Lambda: 0.98, Magnet: 0.001, Share: 1, Moments: 0.1, Every: 50, EvalGames: 1000, ClosingGames: 4000, Seed: 1,
	}
}

// What a Config may ask for at the most, and at the least.
const (
	MostUpdates = 1_000_000
	MostGames   = 10_000_000
	MostUnits   = 4096
	MostMagnet  = 100
	MostAverage = 0.9999

	LeastShare       = 1e-3
	LeastTemperature = 0.01
	MostTemperature  = 100
)

// Validate reports all faults together. Errors wrap option.ErrUsage.
func (c Config) Validate() error {
	g, err := env.NewGame(c.Game)
	if err != nil {
		return err
	}
	var faults []error
	within := func(name string, x, low, high float64) {
		if !(x >= low && x <= high) { // NaN too
			faults = append(faults, fmt.Errorf("%s is %v, it must be from %v to %v", name, x, low, high))
		}
	}
	within("updates", float64(c.Updates), 1, MostUpdates)
	within("games", float64(c.Games), 1, MostGames)
	within("rate", c.Rate, 0, 1)
	within("value rate", c.ValueRate, 0, 1)
	within("temperature", c.Temperature, LeastTemperature, MostTemperature)
	within("lambda", c.Lambda, 0, 1)
	within("average", c.Average, 0, MostAverage)
	within("magnet", c.Magnet, 0, MostMagnet)
	within("share", c.Share, LeastShare, 1)
	within("moments", c.Moments, LeastShare, 1)
	within("every", float64(c.Every), 0, MostUpdates)
	within("eval games", float64(c.EvalGames), 0, MostGames)
	within("closing games", float64(c.ClosingGames), 2, MostGames)
	if len(c.Hidden) < 1 || len(c.Hidden) > 8 {
		faults = append(faults, fmt.Errorf("hidden has %d layers, it must have from 1 to 8", len(c.Hidden)))
	}
	for _, n := range c.Hidden {
		within("hidden", float64(n), 1, MostUnits)
	}
	spec := g.Spec()
	for i, seat := range c.Seats {
		if seat < 0 || seat >= spec.Seats {
			faults = append(faults, fmt.Errorf("seat %d: %s has seats 0 to %d", seat, spec.Name, spec.Seats-1))
		}
		if slices.Contains(c.Seats[:i], seat) {
			faults = append(faults, fmt.Errorf("seat %d is named twice", seat))
		}
	}
	if spec.Payoff == engine.ZeroSum && !c.Alone && len(c.seats(spec)) == spec.Seats {
		faults = append(faults, fmt.Errorf("in %s all seats together win and lose nothing; name some, or let one learn at a time (alone)", spec.Name))
	}
	if c.others(spec) {
		if _, err := roster.Policies(g, c.Against); err != nil {
			faults = append(faults, fmt.Errorf("against: %w", err))
		}
	}
	if s, err := c.start(g); err != nil {
		faults = append(faults, err)
	} else if _, err := planner.New(g, s.advisers); err != nil {
		faults = append(faults, err)
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", option.ErrUsage, strings.ReplaceAll(errors.Join(faults...).Error(), "\n", "; "))
}

// seats returns the seats that learn.
func (c Config) seats(spec *engine.Spec) []int {
	if len(c.Seats) > 0 {
		return c.Seats
	}
	all := make([]int, spec.Seats)
	for seat := range all {
		all[seat] = seat
	}
	return all
}

// others reports whether there are seats that do not learn in a game.
func (c Config) others(spec *engine.Spec) bool { return c.Alone || len(c.seats(spec)) < spec.Seats }

// start is what a training begins with.
type start struct {
	advisers []network.Adviser
	from     *checkpoints.Checkpoint // nil without Config.From
	net      *network.Network        // nil if nothing has been learned
}

// start reads what From names.
func (c Config) start(g engine.Game) (s start, err error) {
	if c.Weights != "" {
		if s.advisers, err = advisers(c.Weights); err != nil {
			return s, fmt.Errorf("weights: %w", err)
		}
	}
	if c.From == "" {
		return s, nil
	}
	if s.from, err = checkpoints.Open(c.From); err != nil {
		return s, fmt.Errorf("from: %w", err)
	}
	if c.Weights == "" {
		if s.advisers, err = planner.Advisers(s.from); err != nil {
			return s, fmt.Errorf("from: %s: %w", c.From, err)
		}
	}
	if s.net, err = planner.Learned(g, s.from); err != nil {
		return s, fmt.Errorf("from: %s: %w", c.From, err)
	}
	if s.net != nil && !slices.Equal(s.net.Config().Hidden, c.Hidden) {
		return s, fmt.Errorf("from: the hidden layers of %s are %v, not %v", c.From, s.net.Config().Hidden, c.Hidden)
	}
	return s, nil
}

// advisers returns the weights that ref has.
func advisers(ref string) ([]network.Adviser, error) {
	c, err := checkpoints.Open(ref)
	if err != nil {
		return nil, err
	}
	list, err := planner.Advisers(c)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", ref, err)
	case len(list) == 0:
		return nil, fmt.Errorf("%w: %s is advised by nobody; zoo:bloc_agendas and zoo:minuteman are two that are", option.ErrUsage, ref)
	}
	return list, nil
}

func (c Config) workers() int {
	if c.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}
