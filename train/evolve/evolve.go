package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/env"
)

// Evolution is a search under way. It belongs to one goroutine; those that it starts end with
// each call.
type Evolution struct {
	config  Config
	spec    *engine.Spec
	names   []string
	origin  []float64 // the weights at the start
	free    []int     // those that are searched for
	search  *search
	players []*player // one for each worker
	done    int       // generations
}

// player plays games. It belongs to one goroutine.
type player struct {
	env    *env.Env
	own    scripted.Weighing
	others agents.Policy
	seats  []agents.Policy
	margin []float32
}

// New begins a search. Errors wrap option.ErrUsage where an agent cannot be made.
func New(c Config) (*Evolution, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	g, err := env.NewGame(c.Game)
	if err != nil {
		return nil, err
	}
	others, err := roster.Policies(g, c.Against)
	if err != nil {
		return nil, err
	}
	e := &Evolution{config: c, spec: g.Spec()}
	for range c.workers() {
		p := &player{others: others(), seats: make([]agents.Policy, e.spec.Seats)}
		if p.env, err = env.New(g, env.Options{}); err != nil {
			return nil, err
		}
		if p.own, err = scripted.NewWeighing(g); err != nil {
			return nil, err
		}
		e.players = append(e.players, p)
	}
	list := e.players[0].own.Weights(c.seats(e.spec)[0])
	if err := list.Change(c.Start); err != nil {
		return nil, err
	}
	e.names = names(list)
	for i, name := range e.names {
		e.origin = append(e.origin, list.Value(i))
		if len(c.Only) == 0 || slices.ContainsFunc(c.Only, func(only string) bool { return covers(only, name) }) {
			e.free = append(e.free, i)
		}
	}
	e.search = newSearch(len(e.free), c.Step)
	return e, nil
}

// Stats describes a generation.
type Stats struct {
	// Generation counts from 1.
	Generation int `json:"generation"`
	// Return is the mean return of the evolved seats over all samples, which are spread about
	// the weights that are kept and play somewhat worse than they; Best is that of the best
	// sample, the luckiest among equals.
	Return float64 `json:"return"`
	Best   float64 `json:"best"`
	// Step is the spread of the next samples.
	Step float64 `json:"step"`
}

// Generation lets a generation play and learns from it. A generation that ctx ends leaves the
// search as it was.
func (e *Evolution) Generation(ctx context.Context) (Stats, error) {
	c := e.config
	seed := uint64(engine.NewHash().Word(c.Seed).Word(uint64(e.done)))
	samples, places := e.search.draw(c.Population, seed)
	sets := make([][]float64, len(places))
	for i, place := range places {
		sets[i] = e.weights(place)
	}
	sums, games := make([]outcome, len(sets)), len(sets)*c.Games
	err := e.play(ctx, games, func(n int) ([]float64, uint64, int) {
		// The samples of a generation play the same games.
		return sets[n/c.Games], seed + uint64(n%c.Games), n % c.Games
	}, func(n int, o outcome) {
		sums[n/c.Games].worth += o.worth
		sums[n/c.Games].gain += o.gain
	})
	if err != nil {
		return Stats{}, err
	}
	stats := Stats{Best: math.Inf(-1)}
	for i, sum := range sums {
		samples[i].worth = sum.worth / float64(c.Games)
		stats.Return += sum.gain / float64(games)
		stats.Best = max(stats.Best, sum.gain/float64(c.Games))
	}
	e.search.learn(samples)
	e.done++
	stats.Generation, stats.Step = e.done, e.search.Step
	return stats, nil
}

// weights returns those at a place.
func (e *Evolution) weights(place []float64) []float64 {
	w := slices.Clone(e.origin)
	for k, i := range e.free {
		w[i] *= math.Exp(place[k])
	}
	return w
}

// Found returns the weights of the mean that differ from the player's own, by name.
func (e *Evolution) Found() map[string]float64 {
	own := map[string]float64{}
	p, err := scripted.NewWeighing(e.players[0].env.Game())
	if err != nil {
		panic(err) // it could be made before
	}
	list := p.Weights(e.config.seats(e.spec)[0])
	for i, v := range e.mean() {
		if v != list.Value(i) {
			own[e.names[i]] = v
		}
	}
	return own
}

// mean returns the weights at the mean, in the few digits that are kept of them.
func (e *Evolution) mean() []float64 {
	w := e.weights(e.search.Mean)
	for i := range w {
		if w[i] != e.origin[i] {
			w[i] = rounded(w[i])
		}
	}
	return w
}

// rounded has four digits.
func rounded(v float64) float64 {
	short, err := strconv.ParseFloat(fmt.Sprintf("%.4g", v), 64)
	if err != nil {
		panic(err) // it was written as one
	}
	return short
}

// outcome is what a game came to for the seats that are evolved, on the average.
type outcome struct {
	worth float64 // what is searched for
	gain  float64 // return
}

// stretch is how many games are played before they are added up, so that a generation takes the
// same memory whatever their number.
const stretch = 1 << 12

// play plays n games, for each of which what says the weights, the seed and the number that
// decides the seats, and adds one after another, in their order whoever played them when.
func (e *Evolution) play(ctx context.Context, n int, what func(n int) (weights []float64, seed uint64, number int),
	add func(n int, o outcome)) error {
	results := make([]outcome, min(n, stretch))
	for from := 0; from < n; from += stretch {
		to := min(from+stretch, n)
		if err := e.playStretch(ctx, from, to, what, results); err != nil {
			return err
		}
		for k := from; k < to; k++ {
			add(k, results[k-from])
		}
	}
	return nil
}

// playStretch plays the games from to to, not included, and writes what they came to.
func (e *Evolution) playStretch(ctx context.Context, from, to int, what func(n int) (weights []float64, seed uint64, number int),
	results []outcome) error {
	faults := make([]error, len(e.players))
	var next atomic.Int64
	next.Store(int64(from))
	var all sync.WaitGroup
	for i, p := range e.players {
		all.Go(func() {
			defer env.Recover(p.env.Game(), &faults[i])
			for {
				k := int(next.Add(1)) - 1
				if k >= to {
					return
				}
				if faults[i] = ctx.Err(); faults[i] != nil {
					return
				}
				weights, seed, number := what(k)
				if results[k-from], faults[i] = p.play(e.config, e.config.has(e.spec, number), weights, seed); faults[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return errors.Join(faults...)
}

// playStream is the PCG stream of the choices in a game.
const playStream = 0x706c6179

// play plays the game of that seed, in which the evolved player has some seats.
func (p *player) play(c Config, seats []int, weights []float64, seed uint64) (outcome, error) {
	for seat := range p.seats {
		p.seats[seat] = p.others
	}
	for _, seat := range seats {
		p.seats[seat] = p.own
		list := p.own.Weights(seat)
		for i, w := range weights {
			list.Set(i, w)
		}
	}
	e, rng := p.env, rand.NewPCG(seed, playStream)
	for e.Reset(seed); !e.Terminated(); {
		legal, actor := e.Legal(), e.Actor()
		a := legal[0]
		if len(legal) > 1 {
			var err error
			if a, err = agents.Choose(p.seats[actor], e.View(actor), actor, legal, rng); err != nil {
				return outcome{}, fmt.Errorf("evolve: seat %d: %w", actor, err)
			}
		}
		if err := e.Step(a); err != nil {
			return outcome{}, fmt.Errorf("evolve: seat %d: %w", actor, err)
		}
	}
	var o outcome
	spec := e.Game().Spec()
	largest := float64(max(-spec.MinReturn, spec.MaxReturn))
	if c.Margin > 0 {
		p.margin = e.State().(engine.Marginal).Margins(p.margin[:0])
	}
	for _, seat := range seats {
		gain := float64(e.Returns()[seat])
		o.gain += gain / float64(len(seats))
		o.worth += (1 - c.Margin) * gain / largest / float64(len(seats))
		if c.Margin > 0 {
			o.worth += c.Margin * float64(p.margin[seat]) / float64(len(seats))
		}
	}
	return o, nil
}

// Comparison sets the weights that were found beside those of the start, in the same seats and
// games, none of which was played before.
type Comparison struct {
	// Seat is -1 for several together.
	Seat  int `json:"seat"`
	Games int `json:"games"`
	// Found and Start are the mean returns with half of their 95% intervals, Gain the mean
	// difference with its own: games are paired by chance.
	Found      float64 `json:"found"`
	FoundError float64 `json:"found_error"`
	Start      float64 `json:"start"`
	StartError float64 `json:"start_error"`
	Gain       float64 `json:"gain"`
	GainError  float64 `json:"gain_error"`
}

// closingSeeds keeps the games of Compare apart from those of the search.
const closingSeeds = 1 << 62

// Compare plays the closing games of each seat, or of all of them together.
func (e *Evolution) Compare(ctx context.Context) ([]Comparison, error) {
	c := e.config
	seats := c.seats(e.spec)
	numbers := len(seats) // one seat in turn
	if !c.Alone {
		numbers = 1
	}
	found := e.mean()
	var list []Comparison
	for number := range numbers {
		var means [3]moments
		var ofFound float64 // what the game came to with the weights that were found
		err := e.play(ctx, 2*c.ClosingGames, func(n int) ([]float64, uint64, int) {
			w := found
			if n%2 == 1 {
				w = e.origin
			}
			return w, closingSeeds + c.Seed<<32 + uint64(n/2), number
		}, func(n int, o outcome) {
			if n%2 == 0 {
				ofFound = o.gain
				return
			}
			means[0].add(ofFound)
			means[1].add(o.gain)
			means[2].add(ofFound - o.gain)
		})
		if err != nil {
			return nil, err
		}
		seat := seats[number]
		if !c.Alone && len(seats) > 1 {
			seat = -1
		}
		list = append(list, Comparison{Seat: seat, Games: c.ClosingGames,
			Found: means[0].mean(), Start: means[1].mean(), Gain: means[2].mean(),
			FoundError: means[0].half(), StartError: means[1].half(), GainError: means[2].half()})
	}
	return list, nil
}

// moments adds up numbers.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) { m.n, m.sum, m.squares = m.n+1, m.sum+x, m.squares+x*x }

func (m *moments) mean() float64 { return m.sum / m.n }

// half is half of the 95% interval of the mean.
func (m *moments) half() float64 {
	return 1.96 * math.Sqrt(max(m.squares/m.n-m.mean()*m.mean(), 0)/(m.n-1))
}
