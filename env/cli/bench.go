package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/memory"
	"powderkeg/env/record"
	"powderkeg/env/vec"

	"github.com/spf13/cobra"
)

// throughput is what "bench env" measures of one game. The rates are those of
// the median run.
type throughput struct {
	Game                  string  `json:"game"`
	Seconds               float64 `json:"seconds"` // of all runs together
	Decisions             int     `json:"decisions"`
	DecisionsPerSecond    float64 `json:"decisions_per_second"`
	DecisionsPerSecondMin float64 `json:"decisions_per_second_min"`
	DecisionsPerSecondMax float64 `json:"decisions_per_second_max"`
	MovesPerSecond        float64 `json:"moves_per_second"` // chance events counted too
	MovesPerSecondMin     float64 `json:"moves_per_second_min"`
	MovesPerSecondMax     float64 `json:"moves_per_second_max"`
	// The same by the processor time of the process, which other work on the machine hardly changes; 0 where the system
	// does not tell it.
	DecisionsPerProcessor    float64 `json:"decisions_per_processor_second"`
	DecisionsPerProcessorMin float64 `json:"decisions_per_processor_second_min"`
	DecisionsPerProcessorMax float64 `json:"decisions_per_processor_second_max"`
	MovesPerProcessor        float64 `json:"moves_per_processor_second"`
	MovesPerProcessorMin     float64 `json:"moves_per_processor_second_min"`
	MovesPerProcessorMax     float64 `json:"moves_per_processor_second_max"`
	AllocsPerDecision        float64 `json:"allocs_per_decision"`
	Workers                  int     `json:"workers"`
	Envs                     int     `json:"envs"`
	Runs                     int     `json:"runs"`
	// Beside is how other programs did, in decisions, that played in turn with this one.
	Beside []Comparison `json:"beside,omitempty"`
}

// benchConfig says how the environments are measured.
type benchConfig struct {
	Seconds float64 // of all runs of one game together
	Runs    int     // the spread is taken over these
	Workers int
	Envs    int // 0 measures a single env.Env, more a vec.Vec
	Seed    uint64
	Beside  Beside
}

// validate returns what is wrong with the configuration, beside the bounds of its flags.
func (b *benchConfig) validate(games []string) error {
	if len(b.Beside.commands) > 0 && len(games) != 1 {
		return fmt.Errorf("%w: --beside is for one game: name it by --game", ErrUsage)
	}
	if b.Workers > 1 && b.Envs < 1 {
		return fmt.Errorf("%w: --envs is %d, it must be at least 1 for %d workers", ErrUsage, b.Envs, b.Workers)
	}
	return nil
}

// run is one measured stretch.
type run struct {
	seconds          float64
	processor        float64 // seconds of processor time
	decisions, moves int
	allocs           uint64
}

// measure plays uniformly random games, with the legal list, the mask and the
// observation of every decision, and returns the throughput.
func measure(ctx context.Context, g engine.Game, c *benchConfig) (throughput, error) {
	d, err := newDriver(g, c)
	if err != nil {
		return throughput{}, err
	}
	defer d.close()
	stretch := time.Duration(c.Seconds / float64(c.Runs) * float64(time.Second))
	d.measure(ctx, stretch/5) // warm up
	var runs []run
	for range c.Runs {
		err := c.Beside.Run(stretch, func() (Work, error) {
			r := d.measure(ctx, stretch)
			runs = append(runs, r)
			return Work{Units: float64(r.decisions), Seconds: r.seconds, Processor: r.processor}, ctx.Err()
		})
		if err != nil {
			return throughput{}, err
		}
	}
	t := throughput{Game: g.Spec().Text, Workers: c.Workers, Envs: max(c.Envs, 1), Runs: c.Runs}
	var allocs uint64
	var decisions, moves, busy, moved []float64
	for _, r := range runs {
		t.Seconds += r.seconds
		t.Decisions += r.decisions
		allocs += r.allocs
		decisions = append(decisions, float64(r.decisions)/r.seconds)
		moves = append(moves, float64(r.moves)/r.seconds)
		if r.processor > 0 {
			busy = append(busy, float64(r.decisions)/r.processor)
			moved = append(moved, float64(r.moves)/r.processor)
		}
	}
	t.DecisionsPerSecondMin, t.DecisionsPerSecond, t.DecisionsPerSecondMax = Spread(decisions)
	t.MovesPerSecondMin, t.MovesPerSecond, t.MovesPerSecondMax = Spread(moves)
	t.DecisionsPerProcessorMin, t.DecisionsPerProcessor, t.DecisionsPerProcessorMax = Spread(busy)
	t.MovesPerProcessorMin, t.MovesPerProcessor, t.MovesPerProcessorMax = Spread(moved)
	t.AllocsPerDecision = float64(allocs) / float64(t.Decisions)
	t.Beside = c.Beside.Comparisons()
	return t, nil
}

// Spread returns the least, the median and the most, zeroes of nothing.
func Spread(list []float64) (least, median, most float64) {
	if len(list) == 0 {
		return 0, 0, 0
	}
	slices.Sort(list)
	return list[0], list[len(list)/2], list[len(list)-1]
}

// driver plays random games in one of two ways.
type driver struct {
	step  func() (decisions int) // plays some thousand decisions
	moves func() int             // since the start
	close func()
}

// measure plays until the time is up.
func (d driver) measure(ctx context.Context, length time.Duration) run {
	var before, after runtime.MemStats
	r := run{moves: -d.moves()}
	runtime.ReadMemStats(&before)
	start, processor := time.Now(), record.ProcessorSeconds()
	for ctx.Err() == nil && (r.decisions == 0 || time.Since(start) < length) {
		r.decisions += d.step()
	}
	r.seconds, r.processor = time.Since(start).Seconds(), record.ProcessorSeconds()-processor
	runtime.ReadMemStats(&after)
	r.moves += d.moves()
	r.allocs = after.Mallocs - before.Mallocs
	return r
}

func newDriver(g engine.Game, c *benchConfig) (driver, error) {
	if c.Envs == 0 {
		return single(g, c.Seed)
	}
	return vectorised(g, c)
}

func single(g engine.Game, seed uint64) (driver, error) {
	e, err := env.New(g, env.Options{})
	if err != nil {
		return driver{}, err
	}
	obs := make([]float32, e.Encoder().Layout().Size)
	mask := make([]uint8, len(g.Spec().Actions))
	rng := rand.NewPCG(seed, choiceStream)
	e.Reset(seed)
	step := func() int {
		const decisions = 4096
		for range decisions {
			if e.Terminated() {
				e.Restart()
			}
			e.Observe(obs, mask)
			legal := e.Legal()
			if err := e.Step(legal[engine.Uint32N(rng, uint32(len(legal)))]); err != nil {
				panic(err) // a legal action
			}
		}
		return decisions
	}
	return driver{step, e.AllMoves, func() {}}, nil
}

func vectorised(g engine.Game, c *benchConfig) (driver, error) {
	config := vec.Config{Envs: c.Envs, Workers: c.Workers, Autoreset: vec.SameStep}
	each, err := config.Bytes(g)
	if err != nil {
		return driver{}, err
	}
	if err := (memory.Count{Name: "--envs", N: int64(c.Envs)}).Check(each, 0); err != nil {
		return driver{}, fmt.Errorf("%s: %w", g.Spec().Text, err)
	}
	v, err := vec.New(g, config)
	if err != nil {
		return driver{}, err
	}
	b := v.NewBuffers(c.Envs)
	actions := make([]engine.Action, c.Envs)
	type player struct {
		rand.PCG
		_ [128 - 16]byte // the generators of two workers are not to share a cache line
	}
	players := make([]player, v.Workers())
	for i := range players {
		players[i].Seed(c.Seed, choiceStream+uint64(i))
	}
	choose := func(worker, from, to int) {
		rng := &players[worker].PCG
		for i := from; i < to; i++ {
			legal := v.Env(i).Legal()
			actions[i] = legal[engine.Uint32N(rng, uint32(len(legal)))]
		}
	}
	v.Reset(c.Seed, b)
	step := func() int {
		rounds := max(1, 4096/c.Envs)
		for range rounds {
			v.Each(choose)
			if err := v.Step(actions, b); err != nil {
				panic(err) // legal actions
			}
		}
		return rounds * c.Envs
	}
	moves := func() int {
		n := 0
		for i := range c.Envs {
			n += v.Env(i).AllMoves()
		}
		return n
	}
	return driver{step, moves, v.Close}, nil
}

// choiceStream is the PCG stream of the random player.
const choiceStream = 0x63686f696365

// BenchEnv is the command "bench env".
func BenchEnv() *cobra.Command {
	var names []string
	var asJSON bool
	config := benchConfig{}
	c := &cobra.Command{
		Use:   "env",
		Short: "Measure the environments under uniformly random play",
		Long: `Measure the environments under uniformly random play.

Each decision includes its legal list, action mask, view and observation.
A move is a decision or a chance event. Without --envs a single environment is
stepped on one core; with it, that many are stepped together by --workers
goroutines. The rates are the median of --runs runs, with the least and the most.
With --json there are those by processor time too, which other work on the machine hardly
changes.`,
		Example: `  powderkeg bench env
  powderkeg bench env --game jogu --seconds 10 --json
  powderkeg bench env --game jogu --envs 2048 --workers 2
  powderkeg bench env --record speed/env.json
  powderkeg bench env --game connect4 --envs 1024 --workers 2 --beside 'python3 experiments/yardsticks/pgx_envs.py connect_four'`,
		Args: Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if err := config.validate(names); err != nil {
				return err
			}
			if len(names) == 0 {
				for _, f := range env.Families() {
					names = append(names, f.Name)
				}
			}
			if err := config.Beside.Start(c.Context()); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, config.Beside.Close()) }()
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
			if !asJSON {
				fmt.Fprintln(w, "game\tworkers\tenvs\tdecisions/s\t(least\tmost)\tmoves/s\tallocs/decision\t")
			}
			found := record.Found{Seeds: []uint64{config.Seed}}
			var all []throughput
			for _, name := range names {
				g, err := env.NewGame(name)
				if err != nil {
					return err
				}
				t, err := measure(c.Context(), g, &config)
				if err != nil {
					return err
				}
				all, found.Games = append(all, t), append(found.Games, g)
				if asJSON {
					if err := json.NewEncoder(c.OutOrStdout()).Encode(t); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(w, "%s\t%d\t%d\t%.0f\t%.0f\t%.0f\t%.0f\t%.3f\t\n", t.Game, t.Workers, t.Envs,
					t.DecisionsPerSecond, t.DecisionsPerSecondMin, t.DecisionsPerSecondMax, t.MovesPerSecond, t.AllocsPerDecision)
			}
			found.Result = all
			Found(c, found)
			if err := cmp.Or(c.Context().Err(), w.Flush()); err != nil || asJSON {
				return err
			}
			return config.Beside.Print(c.OutOrStdout(), "decisions")
		},
	}
	f := c.Flags()
	f.StringArrayVar(&names, "game", nil, "game string; may be repeated (default: every game)")
	f.Float64Var(&config.Seconds, "seconds", 5, "seconds per game")
	f.IntVar(&config.Runs, "runs", 5, "runs that the seconds are divided into")
	f.IntVar(&config.Workers, "workers", 1, "goroutines that step the environments")
	f.IntVar(&config.Envs, "envs", 0, "environments stepped together (0: a single one)")
	f.Uint64Var(&config.Seed, "seed", 1, "seed of chance and choices")
	f.BoolVar(&asJSON, "json", false, "print one JSON object per game")
	config.Beside.Flag(c)
	Bound(c, LeastSeconds, MostSeconds, "seconds")
	Bound(c, 1, MostRuns, "runs")
	Bound(c, 1, MostWorkers, "workers")
	Bound(c, 0, math.MaxInt64, "envs") // which must fit into memory
	return Recorded(c)
}
