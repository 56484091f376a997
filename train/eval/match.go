// Package eval measures how well agents play: matches with balanced seats and
// paired chance, win rates and ratings with intervals.
package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/train/luck"
)

// Contestant is an agent that takes part in a match.
type Contestant struct {
	Name string
	// New makes a player. It is called from several goroutines at a time, since
	// each worker, and each seat that the contestant holds at one table, needs a
	// player of its own.
	New func() (agents.Agent, error)
}

// Config describes a match.
type Config struct {
	Game        engine.Game
	Contestants []Contestant // at least one
	// Solo sets the first contestant alone against the others: it holds one seat of
	// each game, and they fill the rest. With two seats it makes no difference between
	// two contestants.
	Solo bool
	// Games is how many games to play at least. It is rounded up to whole units
	// of as many games as the game has seats, the same number for every line-up.
	Games int
	// Seed decides all chance events and agents' seeds.
	Seed uint64
	// Workers is how many games are played at a time; 0 means 1. The result does
	// not depend on it as long as the agents do not (a search with a time limit
	// does).
	Workers int
	// Elsewhere, if not nil, is where the games are played. The result is the same.
	Elsewhere *Elsewhere
	// Correction, if not nil, says how results are corrected for luck (Result.Corrected).
	Correction *luck.Correction
	// Progress, if not nil, is called after every unit, by one goroutine at a time.
	Progress func(done, total int)
}

// validate reports all faults at once.
func (c Config) validate() error {
	var faults []error
	switch {
	case c.Game == nil:
		faults = append(faults, errors.New("no game"))
	case c.Game.Spec().Seats < 2:
		faults = append(faults, fmt.Errorf("%s has one seat, a match needs two", c.Game.Spec().Name))
	}
	if len(c.Contestants) == 0 {
		faults = append(faults, errors.New("no contestants"))
	}
	if c.Solo && len(c.Contestants) < 2 {
		faults = append(faults, errors.New("one contestant cannot play solo, it needs others"))
	}
	if c.Games < 1 || c.Games > MostGames {
		faults = append(faults, fmt.Errorf("%d games, want from 1 to %d", c.Games, MostGames))
	}
	if c.Workers < 0 {
		faults = append(faults, fmt.Errorf("%d workers, want 0 or more", c.Workers))
	}
	if c.Correction != nil && c.Elsewhere != nil {
		faults = append(faults, errCorrectedElsewhere)
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("eval: match: %w", errors.Join(faults...))
}

// plan says who sits where in which game. Games come in units of as many games
// as there are seats: the same line-up moves on by one seat from game to game,
// so that everybody holds every seat once, under the same chance seed.
type plan struct {
	seats   int
	lineups [][]int // contestant of each place
	units   int     // a multiple of len(lineups)
}

// newPlan seats k contestants. With at least as many contestants as seats,
// every set of them makes a line-up; with fewer, they fill the seats in turn,
// starting with each of them, so that all hold equally many. Solo, the first one
// takes the first place of every line-up, and the others the rest in this way.
func newPlan(k, seats, games int, solo bool) plan {
	p := plan{seats: seats}
	if solo {
		for _, others := range lineups(k-1, seats-1) {
			lineup := []int{0}
			for _, c := range others {
				lineup = append(lineup, c+1)
			}
			p.lineups = append(p.lineups, lineup)
		}
	} else {
		p.lineups = lineups(k, seats)
	}
	round := seats * len(p.lineups)
	p.units = (games + round - 1) / round * len(p.lineups)
	return p
}

// lineups fills n places with k contestants, every one as often as any other.
func lineups(k, n int) [][]int {
	if k >= n {
		return choose(k, n)
	}
	var list [][]int
	for first := range k {
		lineup := make([]int, n)
		for s := range lineup {
			lineup[s] = (first + s) % k
		}
		list = append(list, lineup)
	}
	return list
}

// choose lists the subsets of n of the numbers below k in lexical order.
func choose(k, n int) [][]int {
	var sets [][]int
	set := make([]int, 0, n)
	var extend func(from int)
	extend = func(from int) {
		if len(set) == n {
			sets = append(sets, append([]int(nil), set...))
			return
		}
		for i := from; i <= k-(n-len(set)); i++ {
			set = append(set, i)
			extend(i + 1)
			set = set[:len(set)-1]
		}
	}
	extend(0)
	return sets
}

// games returns how many games the plan has. Game n is game n mod seats of unit
// n / seats.
func (p plan) games() int { return p.units * p.seats }

// contestant returns who holds a seat in game n.
func (p plan) contestant(n, seat int) int {
	lineup := p.lineups[n/p.seats%len(p.lineups)]
	return lineup[(seat+n)%p.seats]
}

// seeds returns the seeds of game n: the chance of its unit, and agents' seeds of
// its own, so that two equal agents do not play the same game twice.
func (p plan) seeds(seed uint64, n int) table.Seeds {
	h := engine.NewHash().Word(seed)
	return table.Seeds{
		Chance: uint64(h.Word(0).Word(uint64(n / p.seats))),
		Agents: uint64(h.Word(1).Word(uint64(n))),
	}
}

// Match plays a match and sums it up. It ends early with ctx's error when ctx
// ends, and with the first error of an agent. What it takes of memory does not grow
// with the number of games beyond a bound.
func Match(ctx context.Context, c Config) (*Result, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if err := c.checkLineups(); err != nil {
		return nil, err
	}
	spec := c.Game.Spec()
	p := newPlan(len(c.Contestants), spec.Seats, c.Games, c.Solo)
	s := newSummary(spec, len(c.Contestants), p, blockOf(p.seats, len(c.Contestants), p.units))
	play := c.playHere
	if c.Elsewhere != nil {
		play = c.playElsewhere
	}
	if err := play(ctx, p, s.unit); err != nil {
		return nil, err
	}
	names := distinct(c.Contestants)
	r, err := s.result(names)
	if err == nil && c.Correction != nil {
		r.Corrected = s.compare(c.Correction, names, c.Seed)
	}
	return r, err
}

// takeUnit takes what each seat has gained in the games of unit u, [seats][seats], and, where
// results are corrected, the same without luck. It must keep neither.
type takeUnit func(u int, returns []float32, corrected []float64)

// playHere plays all games of a plan and hands over one unit after another.
func (c Config) playHere(ctx context.Context, p plan, take takeUnit) error {
	workers := make([]*worker, max(1, min(c.Workers, p.units)))
	for i := range workers {
		workers[i] = newWorker(c, p)
	}
	size := p.seats * p.seats
	returns := make([]float32, min(p.units, stretchHere)*size)
	corrected := make([]float64, len(returns))
	var (
		mu   sync.Mutex
		done int // guarded by mu
	)
	return inStretches(p.units, stretchHere, func(from, to int) error {
		err := share(ctx, workers, from, to, func(ctx context.Context, w *worker, u int) error {
			own := (u - from) * size
			w.corrected = corrected[own : own+size]
			if err := w.unit(ctx, u, returns[own:own+size]); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done += p.seats
			if c.Progress != nil {
				c.Progress(done, p.games())
			}
			return nil
		})
		if err != nil {
			return err
		}
		for u := from; u < to; u++ {
			own := (u - from) * size
			if c.Correction == nil {
				take(u, returns[own:own+size], nil)
			} else {
				take(u, returns[own:own+size], corrected[own:own+size])
			}
		}
		return nil
	})
}

// distinct returns the names of the contestants, with a number behind those that
// stand for several.
func distinct(contestants []Contestant) []string {
	names := make([]string, len(contestants))
	seen := make(map[string]int)
	for i, c := range contestants {
		names[i] = c.Name
		if seen[c.Name]++; seen[c.Name] > 1 {
			names[i] = fmt.Sprintf("%s#%d", c.Name, seen[c.Name])
		}
	}
	return names
}

// worker plays games one after another with players of its own.
type worker struct {
	config  Config
	plan    plan
	table   *table.Table
	players [][]agents.Agent // of each contestant, made when they are first needed
	seats   []agents.Agent
	meter   *luck.Meter // nil where results are not corrected
	// corrected is for the returns of the unit without luck, [seats][seats].
	corrected []float64
}

func newWorker(c Config, p plan) *worker {
	return &worker{
		config: c, plan: p,
		table:   table.New(c.Game),
		players: make([][]agents.Agent, len(c.Contestants)),
		seats:   make([]agents.Agent, p.seats),
		meter:   newMeter(c.Game, c.Correction),
	}
}

// unit plays the games of unit u and writes what each seat has gained, [seats][seats].
func (w *worker) unit(ctx context.Context, u int, returns []float32) error {
	for g := range w.plan.seats {
		if err := w.play(ctx, u*w.plan.seats+g, returns[g*w.plan.seats:(g+1)*w.plan.seats]); err != nil {
			return err
		}
	}
	return nil
}

// play plays game n and writes what each seat has gained to returns.
func (w *worker) play(ctx context.Context, n int, returns []float32) error {
	used := make([]int, len(w.players))
	for s := range w.seats {
		c := w.plan.contestant(n, s)
		if used[c] == len(w.players[c]) {
			player, err := w.config.Contestants[c].New()
			if err != nil {
				return fmt.Errorf("%s: %w", w.config.Contestants[c].Name, err)
			}
			w.players[c] = append(w.players[c], player)
		}
		w.seats[s] = w.players[c][used[c]]
		used[c]++
	}
	got, err := w.table.Play(ctx, w.seats, w.plan.seeds(w.config.Seed, n), measured(w.meter))
	if err = cmp.Or(err, luckFault(w.meter)); err != nil {
		return fmt.Errorf("game %d: %w", n+1, err)
	}
	copy(returns, got)
	if w.meter != nil {
		w.meter.Correct(w.corrected[n%w.plan.seats*w.plan.seats:][:w.plan.seats], got, w.config.Correction.Share)
	}
	return nil
}
