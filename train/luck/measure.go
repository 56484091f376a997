package luck

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
)

// Phases is how many parts of equal length a game is cut into, by its decisions.
const Phases = 5

// Config describes games of one agent whose luck is measured. It holds each seat as often as any
// other.
type Config struct {
	Game engine.Game
	// Agent makes a player for the seat that is measured, Others one for each other seat.
	Agent, Others func() (agents.Agent, error)
	// Values makes what the luck is measured by, once for each worker. They must have been fixed
	// before the games are played.
	Values func() Values
	// Games is how many to play, at least 2, Seed that of chance and agents.
	Games int
	Seed  uint64
	// Outcomes is up to how many outcomes chance events are corrected.
	Outcomes int
	// Share is the part of the luck that is taken out, fixed before the games are played: 1 for
	// values that are trusted.
	Share float64
	// Workers is how many games are played at a time; the result does not depend on it.
	Workers int
	// Progress, if not nil, is called after every game, by one goroutine at a time.
	Progress func(done, total int)
}

// Mean is a mean with its 95% interval.
type Mean struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Result says how much of the results was luck, and what the values know of them.
type Result struct {
	Game  string `json:"game"`
	Rules int    `json:"rules"` // version
	// Agent, Opponent and Critic name who played and whose values were used, the digest of the
	// critic's weights is CriticWeights; all four as the caller gives them.
	Agent         string `json:"agent,omitempty"`
	Opponent      string `json:"opponent,omitempty"`
	Critic        string `json:"critic,omitempty"`
	CriticWeights string `json:"critic_weights,omitempty"`
	Games         int    `json:"games"`
	Seed          uint64 `json:"seed"`
	// Raw is what the agent gained in a game, Corrected the same without Share of the luck. Both
	// estimate the same number.
	Raw       Mean    `json:"raw"`
	Corrected Mean    `json:"corrected"`
	Share     float64 `json:"share"`
	// Factor is the luck factor: the variance of raw results within each seat over that of corrected
	// ones, which is how many times as many raw games tell as much. What seats differ by is left
	// out, since each is held equally often. Its 95% interval is by resampled games.
	Factor     float64 `json:"factor"`
	FactorLow  float64 `json:"factor_low"`
	FactorHigh float64 `json:"factor_high"`
	// BestShare is the share that would have had the largest factor in these games, BestFactor
	// that factor. Chosen afterwards they flatter; they tell whether the values point the right
	// way (above 0) and whether they exaggerate (below 1).
	BestShare  float64 `json:"best_share"`
	BestFactor float64 `json:"best_factor"`
	// Explained is the share of the variance of the results within each seat that the values at the decisions of a
	// game explain, ByPhase the same in each of the Phases of a game. It is negative where the mean
	// result would be the better guess.
	Explained float64   `json:"explained"`
	ByPhase   []float64 `json:"explained_by_phase"`
	// ExplainedInterval and ByPhaseIntervals are their 95% intervals, by resampled games.
	ExplainedInterval [2]float64   `json:"explained_interval"`
	ByPhaseIntervals  [][2]float64 `json:"explained_by_phase_intervals"`
	// Outcomes bounds the events that were corrected. Events counts those, Skipped those with more.
	Outcomes int `json:"outcomes"`
	Events   int `json:"events"`
	Skipped  int `json:"skipped"`
}

// Validate reports all that is wrong with a configuration.
func (c Config) Validate() error {
	switch {
	case c.Games < 2:
		return fmt.Errorf("luck: %d games; a variance needs at least 2", c.Games)
	case c.Outcomes < 2:
		return fmt.Errorf("luck: chance events of up to %d outcomes; at least 2 are needed for luck", c.Outcomes)
	case math.IsNaN(c.Share) || c.Share < 0 || c.Share > 1:
		return fmt.Errorf("luck: a share of %v; it must be from 0 to 1", c.Share)
	}
	return nil
}

// game is what a game has told.
type game struct {
	raw, luck float64
	phases    [Phases]fit
}

// fit adds up how far values lie from results, and results from 0.
type fit struct{ n, missed, sum, squares float64 }

func (f *fit) add(value, result float64) {
	f.n++
	f.missed += (value - result) * (value - result)
	f.sum += result
	f.squares += result * result
}

func (f *fit) join(g fit) {
	f.n, f.missed, f.sum, f.squares = f.n+g.n, f.missed+g.missed, f.sum+g.sum, f.squares+g.squares
}

// explained is 0 where all results were the same.
func (f *fit) explained() float64 {
	if all := f.squares - f.sum*f.sum/f.n; f.n > 0 && all > 0 {
		return 1 - f.missed/all
	}
	return 0
}

// Measure plays the games and sums them up. It ends early with ctx's error when ctx ends, and with
// the first error of an agent.
func Measure(ctx context.Context, c Config) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	var (
		games           = make([]game, c.Games)
		group, groupCtx = errgroup.WithContext(ctx)
		next            atomic.Int64
		mu              sync.Mutex
		done            int // guarded by mu, as are the next
		events, skipped int
	)
	for range max(1, min(c.Workers, c.Games)) {
		group.Go(func() error {
			w := newWorker(c)
			defer func() {
				mu.Lock()
				events, skipped = events+w.meter.Events, skipped+w.meter.Skipped
				mu.Unlock()
			}()
			for {
				n := int(next.Add(1)) - 1
				if n >= c.Games {
					return nil
				}
				if err := w.play(groupCtx, n, &games[n]); err != nil {
					return err
				}
				mu.Lock()
				if done++; c.Progress != nil {
					c.Progress(done, c.Games)
				}
				mu.Unlock()
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	r := c.sum(games)
	r.Events, r.Skipped = events, skipped
	return r, nil
}

// worker plays games one after another.
type worker struct {
	config Config
	table  *table.Table
	values Values
	meter  *Meter
	agent  agents.Agent
	others []agents.Agent
	seats  []agents.Agent
	value  []float64
	told   []float64 // values of the seat that is measured, at the decisions of the game
}

func newWorker(c Config) *worker {
	v := c.Values()
	seats := c.Game.Spec().Seats
	return &worker{
		config: c, table: table.New(c.Game), values: v, meter: NewMeter(c.Game, v, c.Outcomes),
		seats: make([]agents.Agent, seats), value: make([]float64, seats),
	}
}

// sit seats the players, who are made when the first game begins.
func (w *worker) sit(seat int) (err error) {
	if w.agent == nil {
		if w.agent, err = w.config.Agent(); err != nil {
			return err
		}
		for range len(w.seats) - 1 {
			other, err := w.config.Others()
			if err != nil {
				return err
			}
			w.others = append(w.others, other)
		}
	}
	copy(w.seats, w.others[:seat])
	w.seats[seat] = w.agent
	copy(w.seats[seat+1:], w.others[seat:])
	return nil
}

// play plays game n.
func (w *worker) play(ctx context.Context, n int, into *game) error {
	seat := n % len(w.seats)
	if err := w.sit(seat); err != nil {
		return err
	}
	h := engine.NewHash().Word(w.config.Seed).Word(uint64(n))
	seeds := table.Seeds{Chance: uint64(h.Word(0)), Agents: uint64(h.Word(1))}
	w.meter.Begin()
	w.told = w.told[:0]
	returns, err := w.table.Play(ctx, w.seats, seeds, table.Options{Each: func(s engine.State, a engine.Action) {
		w.meter.Move(s, a)
		if s.ToAct() >= 0 {
			w.values.Values(w.value, s)
			w.told = append(w.told, w.value[seat])
		}
	}})
	if err = cmp.Or(err, w.meter.Err()); err != nil {
		return fmt.Errorf("game %d: %w", n+1, err)
	}
	into.raw, into.luck = float64(returns[seat]), w.meter.Luck()[seat]
	for i, v := range w.told {
		into.phases[i*Phases/len(w.told)].add(v, into.raw)
	}
	return nil
}

// sum sums up the games in their order, whoever played them.
func (c Config) sum(games []game) *Result {
	spec := c.Game.Spec()
	r := &Result{Game: spec.Text, Rules: spec.Version, Games: c.Games, Seed: c.Seed, Share: c.Share, Outcomes: c.Outcomes}
	raw, luck, corrected := make([]float64, len(games)), make([]float64, len(games)), make([]float64, len(games))
	for i := range games {
		raw[i], luck[i] = games[i].raw, games[i].luck
		corrected[i] = raw[i] - c.Share*luck[i]
	}
	seats := spec.Seats
	r.Raw, r.Corrected = meanOf(raw, seats), meanOf(corrected, seats)
	ownRaw, ownLuck, ownCorrected := within(raw, seats), within(luck, seats), within(corrected, seats)
	r.Factor = factor(ownRaw, ownCorrected)
	r.FactorLow, r.FactorHigh = resampled(ownRaw, ownCorrected, c.Seed)
	if v := stat.Variance(ownLuck, nil); v > 0 {
		r.BestShare = stat.Covariance(ownRaw, ownLuck, nil) / v
	}
	for i := range ownCorrected {
		ownCorrected[i] = ownRaw[i] - r.BestShare*ownLuck[i]
	}
	r.BestFactor = factor(ownRaw, ownCorrected)
	c.explain(r, games, ownRaw)
	return r
}

// explain sets what the values explain of what the results vary by within their seats.
func (c Config) explain(r *Result, games []game, ownRaw []float64) {
	sum := func(chosen func(i int) int) (phases [Phases]fit) {
		for i := range games {
			k := chosen(i)
			for phase, f := range games[k].phases {
				f.squares, f.sum = f.n*ownRaw[k]*ownRaw[k], 0
				phases[phase].join(f)
			}
		}
		return phases
	}
	shares := func(phases [Phases]fit) (list [Phases + 1]float64) {
		var all fit
		for k := range phases {
			list[k] = phases[k].explained()
			all.join(phases[k])
		}
		list[Phases] = all.explained()
		return list
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0x65787061))
	var drawn [Phases + 1][]float64
	for range draws {
		for k, x := range shares(sum(func(int) int { return rng.IntN(len(games)) })) {
			drawn[k] = append(drawn[k], x)
		}
	}
	for k, x := range shares(sum(func(i int) int { return i })) {
		slices.Sort(drawn[k])
		interval := [2]float64{stat.Quantile(0.025, stat.Empirical, drawn[k], nil), stat.Quantile(0.975, stat.Empirical, drawn[k], nil)}
		if k == Phases {
			r.Explained, r.ExplainedInterval = x, interval
			continue
		}
		r.ByPhase, r.ByPhaseIntervals = append(r.ByPhase, x), append(r.ByPhaseIntervals, interval)
	}
}

// within returns by how much each game's number differs from the mean of its seat: who sits where
// is planned, and no luck.
func within(x []float64, seats int) []float64 {
	sums, counts := make([]float64, seats), make([]float64, seats)
	for i, v := range x {
		sums[i%seats] += v
		counts[i%seats]++
	}
	own := make([]float64, len(x))
	for i, v := range x {
		own[i] = v - sums[i%seats]/counts[i%seats]
	}
	return own
}

// meanOf returns the mean over seats that are held in turn, with Student's interval.
func meanOf(x []float64, seats int) Mean {
	mean := stat.Mean(x, nil)
	n := float64(len(x))
	deviation := stat.StdDev(within(x, seats), nil)
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
	return Mean{mean, mean - half, mean + half}
}

// factor is the variance of one over that of the other: 1 where neither varies, and at most
// mostFactor, which stands for results that the values know in advance.
func factor(raw, corrected []float64) float64 {
	a, b := stat.Variance(raw, nil), stat.Variance(corrected, nil)
	switch {
	case a == 0 && b == 0:
		return 1
	case a >= mostFactor*b:
		return mostFactor
	}
	return a / b
}

const mostFactor = 1e6

// draws is how often games are drawn anew for an interval.
const draws = 1000

// resampled returns the 95% interval of the factor over games that are drawn anew from those that
// were played (B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979).
func resampled(raw, corrected []float64, seed uint64) (low, high float64) {
	rng := rand.New(rand.NewPCG(seed, 0x6c75636b))
	a, b := make([]float64, len(raw)), make([]float64, len(raw))
	factors := make([]float64, draws)
	for d := range factors {
		for i := range a {
			k := rng.IntN(len(raw))
			a[i], b[i] = raw[k], corrected[k]
		}
		factors[d] = factor(a, b)
	}
	slices.Sort(factors)
	return stat.Quantile(0.025, stat.Empirical, factors, nil), stat.Quantile(0.975, stat.Empirical, factors, nil)
}

// Write prints the result as text.
func (r *Result) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%s: %d games, chance events of up to %d outcomes; 95%% intervals
luck factor    %.2f [%.2f, %.2f] with %.3g of the luck taken out; at best %.2f, with %.2f
mean return    %+.3f [%+.3f, %+.3f] raw, %+.3f [%+.3f, %+.3f] corrected
explained      %.1f%% [%.1f, %.1f] of the results' variance, by fifths of the game`,
		r.Game, r.Games, r.Outcomes, r.Factor, r.FactorLow, r.FactorHigh, r.Share, r.BestFactor, r.BestShare,
		r.Raw.Mean, r.Raw.Low, r.Raw.High, r.Corrected.Mean, r.Corrected.Low, r.Corrected.High, 100*r.Explained,
		100*r.ExplainedInterval[0], 100*r.ExplainedInterval[1])
	for i, x := range r.ByPhase {
		if err == nil {
			_, err = fmt.Fprintf(w, " %.1f [%.1f, %.1f]", 100*x, 100*r.ByPhaseIntervals[i][0], 100*r.ByPhaseIntervals[i][1])
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "\nevents         %d corrected, %d skipped for their many outcomes\n", r.Events, r.Skipped)
	}
	return err
}
