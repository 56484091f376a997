package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"text/tabwriter"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env/memory"
)

// PartsConfig describes games that set an agent beside its own parts.
type PartsConfig struct {
	Game engine.Game
	// Variants play the same games one after another, the whole agent first.
	Variants []Contestant
	// Opponent has the other seats. In a cooperative game nobody has it: a variant holds all
	// seats there.
	Opponent Contestant
	// Advised, if not nil, makes whoever takes what the whole agent is advised to.
	Advised func() (agents.Agent, error)
	// Units is how many units to play, at least 2: each variant once on every seat, or once on
	// all of them, under the same seeds.
	Units int
	Seed  uint64
	// Workers is how many units are played at a time; 0 means 1. The result does not depend on it.
	Workers int
	// Progress, if not nil, is called after every unit, by one goroutine at a time.
	Progress func(done, total int)
}

// PartsResult says what an agent gains as a whole and in parts.
type PartsResult struct {
	Game  string `json:"game"`
	Rules int    `json:"rules"` // version
	// Agent is the name of who was taken apart, Weights the digest of its weights, both as the
	// caller gives them.
	Agent    string `json:"agent,omitempty"`
	Weights  string `json:"weights,omitempty"`
	Opponent string `json:"opponent,omitempty"`
	Units    int    `json:"units"`
	Games    int    `json:"games"` // of each variant
	Seed     uint64 `json:"seed"`
	// Variants has the whole agent first.
	Variants []PartResult `json:"variants"`
	// Departures are those of the whole agent from what it was advised, by seat; nil without advice.
	Departures []Departures `json:"departures,omitempty"`
}

// PartResult is what a variant gained, in the game's own unit.
type PartResult struct {
	Name string `json:"name"`
	// Return is over all seats, Gained the share of its games in which it had more than 0.
	Return Estimate   `json:"return"`
	Gained float64    `json:"gained"`
	Seats  []Estimate `json:"seats"`
	// More is by how much the whole agent has more, in the same games, and MoreBySeat where.
	More       Estimate   `json:"whole_has_more"`
	MoreBySeat []Estimate `json:"whole_has_more_by_seat"`
}

// Estimate is a mean with its 95% interval (meanInterval).
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// EstimateOf is the mean of numbers from independent units, each from low to high. There is at
// least one.
func EstimateOf(numbers []float64, low, high float64) Estimate {
	sum := mean{}
	for _, x := range numbers {
		sum.add(x)
	}
	ci := meanInterval(numbers, low, high)
	return Estimate{sum.value(), ci.Low, ci.High}
}

// Departures counts choices among at least two actions, and those that were not what was advised.
type Departures struct {
	Choices  int `json:"choices"`
	Departed int `json:"departed"`
}

// validate reports all faults at once.
func (c PartsConfig) validate() error {
	var faults []error
	if c.Game == nil || len(c.Variants) == 0 {
		faults = append(faults, errors.New("a game and a variant are needed"))
	} else if c.Game.Spec().Payoff != engine.Cooperative && c.Opponent.New == nil {
		faults = append(faults, errors.New("an opponent is needed"))
	}
	if c.Units < 2 || c.Units > MostGames {
		faults = append(faults, fmt.Errorf("%d units, want from 2 to %d", c.Units, MostGames))
	}
	if c.Workers < 0 {
		faults = append(faults, fmt.Errorf("%d workers, want 0 or more", c.Workers))
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("eval: parts: %w", errors.Join(faults...))
}

// Parts plays the games. It ends early with ctx's error when ctx ends, and with the first error
// of an agent.
func Parts(ctx context.Context, c PartsConfig) (*PartsResult, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	seats := c.Game.Spec().Seats
	row := seats * len(c.Variants)
	if err := (memory.Count{Name: "units", N: int64(c.Units)}).Check(memory.Of(4, row).Plus(24), 0); err != nil {
		return nil, err
	}
	returns := make([]float32, c.Units*row) // [units][variants][seats]
	workers := make([]*partsPlayer, max(1, min(c.Workers, c.Units)))
	for i := range workers {
		var err error
		if workers[i], err = newPartsPlayer(c); err != nil {
			return nil, err
		}
	}
	var (
		mu   sync.Mutex
		done int // guarded by mu
	)
	err := share(ctx, workers, 0, c.Units, func(ctx context.Context, p *partsPlayer, u int) error {
		if err := p.unit(ctx, u, returns[u*row:(u+1)*row]); err != nil {
			return fmt.Errorf("unit %d: %w", u+1, err)
		}
		mu.Lock()
		defer mu.Unlock()
		if done++; c.Progress != nil {
			c.Progress(done, c.Units)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := c.sum(returns)
	if c.Advised != nil {
		r.Departures = make([]Departures, seats)
		for _, w := range workers {
			for s, d := range w.departures {
				r.Departures[s].Choices += d.Choices
				r.Departures[s].Departed += d.Departed
			}
		}
	}
	return r, nil
}

// partsPlayer plays units one after another with players of its own.
type partsPlayer struct {
	config     PartsConfig
	table      *table.Table
	variants   [][]agents.Agent // [variants][seats]
	others     []agents.Agent   // one for each seat
	seats      []agents.Agent
	departures []Departures // by seat
}

func newPartsPlayer(c PartsConfig) (*partsPlayer, error) {
	seats := c.Game.Spec().Seats
	p := &partsPlayer{config: c, table: table.New(c.Game), seats: make([]agents.Agent, seats), departures: make([]Departures, seats)}
	for i, v := range append([]Contestant{c.Opponent}, c.Variants...) {
		if v.New == nil {
			continue // nobody's opponent
		}
		var row []agents.Agent
		for s := range seats {
			a, err := v.New()
			if err == nil && i == 1 && c.Advised != nil {
				var advised agents.Agent
				advised, err = c.Advised()
				a = &departing{a, advised, &p.departures[s]}
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", v.Name, err)
			}
			row = append(row, a)
		}
		if i == 0 {
			p.others = row
		} else {
			p.variants = append(p.variants, row)
		}
	}
	return p, nil
}

// unit plays unit u: returns is [variants][seats].
func (p *partsPlayer) unit(ctx context.Context, u int, returns []float32) error {
	h := engine.NewHash().Word(p.config.Seed)
	seeds := table.Seeds{Chance: uint64(h.Word(0).Word(uint64(u))), Agents: uint64(h.Word(1).Word(uint64(u)))}
	n := len(p.seats)
	for v, row := range p.variants {
		own := returns[v*n : (v+1)*n]
		if p.config.Game.Spec().Payoff == engine.Cooperative {
			got, err := p.table.Play(ctx, row, seeds, table.Options{})
			if err != nil {
				return err
			}
			copy(own, got)
			continue
		}
		for s := range p.seats {
			copy(p.seats, p.others)
			p.seats[s] = row[s]
			got, err := p.table.Play(ctx, p.seats, seeds, table.Options{})
			if err != nil {
				return err
			}
			own[s] = got[s]
		}
	}
	return nil
}

// departing is an agent whose departures from what it is advised are counted.
type departing struct {
	agents.Agent
	advised agents.Agent
	count   *Departures
}

// Start implements agents.Agent.
func (d *departing) Start(seat engine.Player, seed uint64) {
	d.Agent.Start(seat, seed)
	d.advised.Start(seat, seed)
}

// Act implements agents.Agent.
func (d *departing) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	a, err := d.Agent.Act(ctx, view, legal)
	if err != nil || len(legal) < 2 {
		return a, err
	}
	advised, err := d.advised.Act(ctx, view, legal)
	d.count.Choices++
	if a != advised {
		d.count.Departed++
	}
	return a, err
}

// sum sums up the returns, [units][variants][seats].
func (c PartsConfig) sum(returns []float32) *PartsResult {
	spec := c.Game.Spec()
	seats := spec.Seats
	r := &PartsResult{Game: spec.Text, Rules: spec.Version, Opponent: c.Opponent.Name, Units: c.Units, Games: c.Units * seats, Seed: c.Seed}
	if spec.Payoff == engine.Cooperative {
		r.Opponent, r.Games = "", c.Units
	}
	low, high := float64(spec.MinReturn), float64(spec.MaxReturn)
	row := seats * len(c.Variants)
	numbers := make([]float64, c.Units)
	over := func(low, high float64, number func(u int) float64) Estimate {
		for u := range numbers {
			numbers[u] = number(u)
		}
		return EstimateOf(numbers, low, high)
	}
	for v, variant := range c.Variants {
		at := func(u, s int) float64 { return float64(returns[u*row+v*seats+s]) }
		more := func(u, s int) float64 { return float64(returns[u*row+s]) - at(u, s) }
		all := func(number func(u, s int) float64) func(u int) float64 {
			return func(u int) (sum float64) {
				for s := range seats {
					sum += number(u, s) / float64(seats)
				}
				return sum
			}
		}
		part := PartResult{Name: variant.Name, Return: over(low, high, all(at)), More: over(low-high, high-low, all(more))}
		gained := 0
		for s := range seats {
			part.Seats = append(part.Seats, over(low, high, func(u int) float64 { return at(u, s) }))
			part.MoreBySeat = append(part.MoreBySeat, over(low-high, high-low, func(u int) float64 { return more(u, s) }))
			for u := range c.Units {
				if at(u, s) > 0 {
					gained++
				}
			}
		}
		part.Gained = float64(gained) / float64(c.Units*seats)
		r.Variants = append(r.Variants, part)
	}
	return r
}

// PartsTable is results in Markdown: of each agent what it has as a whole, without its adviser
// and by its adviser alone, and how often it departs from it, by seat where seats differ.
func PartsTable(results []PartsResult) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| agent | game | games | seat | as it plays | network alone | adviser alone | learned: as it plays, less the adviser | departs |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|---|")
	for _, r := range results {
		line := func(seat string, of func(PartResult) Estimate, more func(PartResult) Estimate, d []Departures) {
			whole, network, adviser, learned, departs := of(r.Variants[0]).String(), "the same", "none", "all", "-"
			if len(r.Variants) == 3 {
				network, adviser, learned = of(r.Variants[1]).String(), of(r.Variants[2]).String(), more(r.Variants[2]).String()
			}
			if len(d) > 0 {
				var sum Departures
				for _, one := range d {
					sum.Choices += one.Choices
					sum.Departed += one.Departed
				}
				departs = fmt.Sprintf("%.2f%% of %d", 100*sum.Share(), sum.Choices)
			}
			fmt.Fprintf(&b, "| `%s` | `%s` | %d | %s | %s | %s | %s | %s | %s |\n", r.Agent, r.Game, r.Games, seat, whole, network, adviser, learned, departs)
		}
		line("all", func(p PartResult) Estimate { return p.Return }, func(p PartResult) Estimate { return p.More }, r.Departures)
		if r.Opponent == "" || len(r.Variants[0].Seats) > 2 {
			continue // seats are alike
		}
		for s := range r.Variants[0].Seats {
			var own []Departures
			if r.Departures != nil {
				own = r.Departures[s : s+1]
			}
			line(fmt.Sprint(s), func(p PartResult) Estimate { return p.Seats[s] }, func(p PartResult) Estimate { return p.MoreBySeat[s] }, own)
		}
	}
	return b.String()
}

// String writes the mean with its interval.
func (e Estimate) String() string { return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", e.Mean, e.Low, e.High) }

// Share returns the share of the choices, 0 without any.
func (d Departures) Share() float64 { return float64(d.Departed) / float64(max(d.Choices, 1)) }

// Write prints the result for people.
func (r *PartsResult) Write(w io.Writer) error {
	who := "on all seats"
	if r.Opponent != "" {
		who = "on each seat in turn, " + r.Opponent + " on the others"
	}
	fmt.Fprintf(w, "%s: %d games of each, %s; mean returns, 95%% intervals\n\n", r.Game, r.Games, who)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "agent\tseat\treturn\tgained\tthe whole has more, in the same games")
	for i, v := range r.Variants {
		line := func(seat, gained string, own, more Estimate) {
			text := "-"
			if i > 0 {
				text = more.String()
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", v.Name, seat, own, gained, text)
		}
		line("all", fmt.Sprintf("%.3f", v.Gained), v.Return, v.More)
		if r.Opponent == "" {
			continue // all seats have the same
		}
		for s := range v.Seats {
			line(fmt.Sprint(s), "", v.Seats[s], v.MoreBySeat[s])
		}
	}
	for s, d := range r.Departures {
		fmt.Fprintf(t, "\nseat %d departs from its advice in %d of %d choices, %.2f%%", s, d.Departed, d.Choices, 100*d.Share())
	}
	if r.Departures != nil {
		fmt.Fprintln(t)
	}
	return t.Flush()
}
