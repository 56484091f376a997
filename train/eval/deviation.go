package eval

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env/memory"
)

// DeviationConfig describes games that measure what a seat gains by leaving an agent's
// play while all others stay with it.
type DeviationConfig struct {
	Game engine.Game
	// Agent holds every seat that does not deviate.
	Agent Contestant
	// Deviant takes one seat at a time.
	Deviant Contestant
	// Units is how many units to play. A unit is a game of Agent on every seat, and for
	// each seat one in which Deviant holds it, all under the same seeds of chance and of
	// Agent.
	Units int
	// Seed decides all chance events and agents' seeds.
	Seed uint64
	// Workers is how many units are played at a time; 0 means 1. The result does not
	// depend on it as long as the agents do not.
	Workers int
	// Elsewhere, if not nil, is where the games are played. The result is the same.
	Elsewhere *Elsewhere
	// Progress, if not nil, is called after every unit, by one goroutine at a time.
	Progress func(done, total int)
}

// DeviationResult is what deviating is worth, in the game's own unit. All intervals are
// 95% intervals over units (meanInterval).
type DeviationResult struct {
	Units int             `json:"units"`
	Games int             `json:"games"`
	Seats []SeatDeviation `json:"seats"`
	// NashConv is the sum of the gains of all seats, 0 in expectation where nobody can do
	// better than the agent, and a lower bound of the agent's NashConv in expectation,
	// whoever deviates.
	NashConv     float64 `json:"nash_conv"`
	NashConvLow  float64 `json:"nash_conv_low"`
	NashConvHigh float64 `json:"nash_conv_high"`
}

// SeatDeviation is what one seat gains.
type SeatDeviation struct {
	// Own is the mean return of the agent on the seat against itself, Deviant that of the
	// deviant against the agent.
	Own     float64 `json:"own"`
	Deviant float64 `json:"deviant"`
	// Gain is the difference, with its interval.
	Gain     float64 `json:"gain"`
	GainLow  float64 `json:"gain_low"`
	GainHigh float64 `json:"gain_high"`
}

// validate reports all faults at once.
func (c DeviationConfig) validate() error {
	var faults []error
	if c.Game == nil || c.Agent.New == nil || c.Deviant.New == nil {
		faults = append(faults, errors.New("a game, an agent and a deviant are needed"))
	}
	if c.Units < 1 || c.Units > MostGames {
		faults = append(faults, fmt.Errorf("%d units, want from 1 to %d", c.Units, MostGames))
	}
	if c.Workers < 0 {
		faults = append(faults, fmt.Errorf("%d workers, want 0 or more", c.Workers))
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("eval: deviation: %w", errors.Join(faults...))
}

// Deviation plays the games. It ends early with ctx's error when ctx ends, and with the
// first error of an agent.
func Deviation(ctx context.Context, c DeviationConfig) (*DeviationResult, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	// Both lists, and the gains that are summed up.
	each := memory.Of(2*4+8, c.Game.Spec().Seats).Plus(8)
	if err := (memory.Count{Name: "units", N: int64(c.Units)}).Check(each, 0); err != nil {
		return nil, err
	}
	// Of unit u and seat s, at u*seats+s: what the agent gets there, and what the deviant does.
	size := c.Units * c.Game.Spec().Seats
	own, deviant := make([]float32, size), make([]float32, size)
	play := c.playHere
	if c.Elsewhere != nil {
		play = c.playElsewhere
	}
	if err := play(ctx, own, deviant); err != nil {
		return nil, err
	}
	return sumDeviations(c.Game.Spec(), own, deviant), nil
}

// playHere plays all units and writes the returns, [units][seats].
func (c DeviationConfig) playHere(ctx context.Context, own, deviant []float32) error {
	seats := c.Game.Spec().Seats
	var (
		group, groupCtx = errgroup.WithContext(ctx)
		next            atomic.Int64
		mu              sync.Mutex
		done            int // guarded by mu
	)
	for range max(1, min(c.Workers, c.Units)) {
		group.Go(func() error {
			w, err := newDeviator(c)
			if err != nil {
				return err
			}
			for {
				u := int(next.Add(1)) - 1
				if u >= c.Units {
					return nil
				}
				if err := w.unit(groupCtx, u, own[u*seats:(u+1)*seats], deviant[u*seats:(u+1)*seats]); err != nil {
					return fmt.Errorf("unit %d: %w", u+1, err)
				}
				mu.Lock()
				done++
				if c.Progress != nil {
					c.Progress(done, c.Units)
				}
				mu.Unlock()
			}
		})
	}
	return group.Wait()
}

// deviator plays units one after another with players of its own.
type deviator struct {
	config  DeviationConfig
	table   *table.Table
	agents  []agents.Agent // one per seat
	deviant agents.Agent
	seats   []agents.Agent
}

func newDeviator(c DeviationConfig) (*deviator, error) {
	d := &deviator{config: c, table: table.New(c.Game)}
	for range c.Game.Spec().Seats {
		a, err := c.Agent.New()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Agent.Name, err)
		}
		d.agents = append(d.agents, a)
	}
	var err error
	if d.deviant, err = c.Deviant.New(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Deviant.Name, err)
	}
	d.seats = make([]agents.Agent, len(d.agents))
	return d, nil
}

// unit plays unit u.
func (d *deviator) unit(ctx context.Context, u int, own, deviant []float32) error {
	h := engine.NewHash().Word(d.config.Seed)
	seeds := table.Seeds{Chance: uint64(h.Word(0).Word(uint64(u))), Agents: uint64(h.Word(1).Word(uint64(u)))}
	copy(d.seats, d.agents)
	got, err := d.table.Play(ctx, d.seats, seeds, table.Options{})
	if err != nil {
		return err
	}
	copy(own, got)
	for s := range d.seats {
		copy(d.seats, d.agents)
		d.seats[s] = d.deviant
		if got, err = d.table.Play(ctx, d.seats, seeds, table.Options{}); err != nil {
			return err
		}
		deviant[s] = got[s]
	}
	return nil
}

// sumDeviations sums up the returns of all units, [units][seats].
func sumDeviations(spec *engine.Spec, own, deviant []float32) *DeviationResult {
	seats := spec.Seats
	units := len(own) / seats
	r := &DeviationResult{Units: units, Games: units * (seats + 1)}
	span := float64(spec.MaxReturn - spec.MinReturn)
	sums, gains := make([]float64, units), make([]float64, units)
	for s := range seats {
		var a, b mean
		for u := range units {
			x, y := float64(own[u*seats+s]), float64(deviant[u*seats+s])
			a.add(x)
			b.add(y)
			gains[u] = y - x
			sums[u] += y - x
		}
		ci := meanInterval(gains, -span, span)
		r.Seats = append(r.Seats, SeatDeviation{Own: a.value(), Deviant: b.value(), Gain: b.value() - a.value(), GainLow: ci.Low, GainHigh: ci.High})
		r.NashConv += b.value() - a.value()
	}
	ci := meanInterval(sums, -span*float64(seats), span*float64(seats))
	r.NashConvLow, r.NashConvHigh = ci.Low, ci.High
	return r
}
