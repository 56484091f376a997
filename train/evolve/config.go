package evolve

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"powderkeg/agents/roster"
	"powderkeg/agents/scripted"
	"powderkeg/agents/scripted/weigh"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// Config says what is evolved, and against whom.
type Config struct {
	Game string `json:"game"`
	// Seats are those that the weights are for, none for all.
	Seats []int `json:"seats"`
	// Alone gives each game one of the seats in turn, in place of all of them together.
	Alone bool `json:"alone"`
	// Against names who has the other seats, an agent without memory (agents/roster).
	Against string `json:"against"`
	// Start has weights to begin with in place of the player's own, by name.
	Start map[string]float64 `json:"start"`
	// Only names what is searched for, where it is not all weights: "part" a weight and what
	// follows it, such as part[2], "late" all of late.part, late.keep and so on. The others stay
	// as they are at the start.
	Only []string `json:"only"`
	// Generations have Population sets of weights each, an even number, and each set plays
	// Games games.
	Generations int `json:"generations"`
	Population  int `json:"population"`
	Games       int `json:"games"`
	// Step is how far the first samples are spread, in natural logarithms of a weight. A
	// weight keeps its sign, and one of 0 stays 0.
	Step float64 `json:"step"`
	// Margin is the weight, 0 to 1, of what a seat is ahead by at the end (engine.Marginal),
	// beside which the payoff has the rest.
	Margin float64 `json:"margin"`
	// ClosingGames compare, for each seat, the weights that were found with those of the start.
	ClosingGames int    `json:"closing_games"`
	Seed         uint64 `json:"seed"`
	// Workers is the number of goroutines that play, 0 for one per processor. Nothing depends
	// on it.
	Workers int `json:"-"`
}

// Default returns settings for the game.
func Default(game string) Config {
	return Config{Game: game, Against: "scripted", Generations: 50, Population: 24, Games: 64, Step: 0.2, ClosingGames: 1000, Seed: 1}
}

// The most that a Config may ask for, far beyond what has ever found anything. Games are added
// up as they are played, so that of all these the population alone takes memory.
const (
	MostGenerations  = 1_000_000
	MostPopulation   = 10_000
	MostGames        = 1_000_000
	MostClosingGames = 10_000_000
)

// Validate reports all faults together, but for a game that is not known or whose player has no
// weights. Errors wrap option.ErrUsage.
func (c Config) Validate() error {
	g, err := env.NewGame(c.Game)
	if err != nil {
		return err
	}
	p, err := scripted.NewWeighing(g)
	if err != nil {
		return err
	}
	var faults []error
	within := func(name string, x, low, high float64) {
		if !(x >= low && x <= high) { // NaN too
			faults = append(faults, fmt.Errorf("%s is %v, it must be from %v to %v", name, x, low, high))
		}
	}
	within("generations", float64(c.Generations), 1, MostGenerations)
	within("population", float64(c.Population), 4, MostPopulation)
	within("games", float64(c.Games), 1, MostGames)
	within("closing games", float64(c.ClosingGames), 2, MostClosingGames)
	within("step", c.Step, 1e-6, 2)
	within("margin", c.Margin, 0, 1)
	if c.Population%2 == 1 {
		faults = append(faults, fmt.Errorf("population is %d, it must be even: each sample has a mirror image", c.Population))
	}
	spec := g.Spec()
	for _, seat := range c.Seats {
		if seat < 0 || seat >= spec.Seats {
			faults = append(faults, fmt.Errorf("seat %d: %s has seats 0 to %d", seat, spec.Name, spec.Seats-1))
		}
	}
	if _, ok := g.New().(engine.Marginal); !ok && c.Margin > 0 {
		faults = append(faults, fmt.Errorf("margin: in %s nothing says how much a seat is ahead; it must be 0", spec.Name))
	}
	if len(c.seats(spec)) == spec.Seats && !c.Alone && spec.Payoff == engine.ZeroSum {
		faults = append(faults, fmt.Errorf("seats: in %s all of them together win and lose nothing; name some, or one at a time (alone)", spec.Name))
	}
	if err := p.Weights(0).Change(c.Start); err != nil {
		faults = append(faults, fmt.Errorf("start: %w", err))
	}
	list := p.Weights(0)
	for _, only := range c.Only {
		if !slices.ContainsFunc(names(list), func(name string) bool { return covers(only, name) }) {
			faults = append(faults, fmt.Errorf("only: there is no weight %q; weights: %s", option.Shorten(only), strings.Join(names(list), ", ")))
		}
	}
	if _, err := roster.Policies(g, c.Against); err != nil {
		faults = append(faults, fmt.Errorf("against: %w", err))
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", option.ErrUsage, strings.ReplaceAll(errors.Join(faults...).Error(), "\n", "; "))
}

// names lists the names of weights.
func names(list weigh.List) []string {
	all := make([]string, list.Len())
	for i := range all {
		all[i] = list.Name(i)
	}
	return all
}

// covers reports whether a name of Only is that of a weight or of what has it.
func covers(only, name string) bool {
	rest, ok := strings.CutPrefix(name, only)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// seats returns the seats that are evolved.
func (c Config) seats(spec *engine.Spec) []int {
	if len(c.Seats) > 0 {
		return c.Seats
	}
	var all []int
	for seat := range spec.Seats {
		all = append(all, seat)
	}
	return all
}

// has returns the seats that the evolved player has in the game of that number.
func (c Config) has(spec *engine.Spec, game int) []int {
	seats := c.seats(spec)
	if !c.Alone {
		return seats
	}
	return seats[game%len(seats):][:1]
}

func (c Config) workers() int {
	if c.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}
