package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train"

	"github.com/spf13/cobra"
)

// trainThroughput is what "bench train" measures. The rate is that of the median
// run.
type trainThroughput struct {
	Game               string  `json:"game"`
	BLAS               string  `json:"blas"`
	Network            []int   `json:"network"`
	Epochs             int     `json:"epochs"`
	Runs               int     `json:"runs"`
	Processors         int     `json:"processors"`
	Decisions          int64   `json:"decisions"`
	Samples            int64   `json:"samples"`
	DecisionsPerSecond float64 `json:"decisions_per_second"`
	Min                float64 `json:"decisions_per_second_min"`
	Max                float64 `json:"decisions_per_second_max"`
	// The same by processor-second; 0 where the system does not tell it.
	PerProcessor    float64 `json:"decisions_per_processor_second"`
	PerProcessorMin float64 `json:"decisions_per_processor_second_min"`
	PerProcessorMax float64 `json:"decisions_per_processor_second_max"`
	// Busy is how many processors worked at a time.
	Busy    float64 `json:"busy"`
	BusyMin float64 `json:"busy_min"`
	BusyMax float64 `json:"busy_max"`
	// Beside is how other programs did that train in turn with this one.
	Beside []cli.Comparison `json:"beside,omitempty"`
}

// BenchTrain is the command "bench train".
func BenchTrain() *cobra.Command {
	var game string
	var seconds float64
	var runs int
	var asJSON bool
	var beside cli.Beside
	c := &cobra.Command{
		Use:   "train [CONFIG] [--game GAME]",
		Short: "Decisions played and learned from, end to end",
		Long: `Decisions played and learned from, end to end.

Trains from the start, by a configuration or by the default settings for --game,
and counts decisions while play, updates and the pool of opponents go on as in a
run; evaluations and checkpoints are left out. Nothing is written. Busy is how many
processors worked at a time, which is less than there are where one waits for another.`,
		Example: `  powderkeg bench train experiments/configs/jogu/quick.yaml
  powderkeg bench train --game leduc --seconds 5 --json
  powderkeg bench train experiments/configs/jogu/quick.yaml --record speed/train.json
  powderkeg bench train experiments/yardsticks/leduc.yaml --beside 'python3 experiments/yardsticks/torch_ppo.py leduc_poker'`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if (len(args) == 1) == (game != "") {
				return fmt.Errorf("%w: give either a configuration or --game", cli.ErrUsage)
			}
			config := train.Default()
			config.Game = game
			if len(args) == 1 {
				text, err := cli.ReadNamed(c, args[0])
				if err != nil {
					return err
				}
				if config, err = train.ParseConfig(text); err != nil {
					return option.Wrong(fmt.Errorf("%s: %w", option.Shorten(args[0]), err))
				}
			}
			if err := config.Validate(); err != nil {
				return option.Wrong(err)
			}
			if err := beside.Start(c.Context()); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, beside.Close()) }()
			t, err := measureTraining(c.Context(), config, &beside, runs, time.Duration(seconds/float64(runs)*float64(time.Second)))
			if err != nil {
				return err
			}
			g, err := config.NewGame()
			if err != nil {
				return err
			}
			digest := &record.Config{Digest: config.Digest()}
			if len(args) == 1 {
				digest.File = filepath.ToSlash(args[0])
			}
			cli.Found(c, record.Found{Result: t, Games: []engine.Game{g}, Config: digest, Seeds: []uint64{config.Seed}})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), t)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %.0f decisions/s (%.0f to %.0f in %d runs), %.0f by processor-second, "+
				"with %.2f of %d processors busy, matrices by %s, network %v, %d epochs, %d%% of the decisions learned from\n",
				t.Game, t.DecisionsPerSecond, t.Min, t.Max, t.Runs, t.PerProcessor, t.Busy, t.Processors, t.BLAS, t.Network, t.Epochs, 100*t.Samples/t.Decisions)
			return errors.Join(err, beside.Print(c.OutOrStdout(), "decisions"))
		},
	}
	f := c.Flags()
	f.StringVar(&game, "game", "", "game string, instead of a configuration")
	f.Float64Var(&seconds, "seconds", 20, "time to measure for")
	f.IntVar(&runs, "runs", 5, "runs that the time is cut into, for the spread")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	beside.Flag(c)
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "seconds")
	cli.Bound(c, 1, cli.MostRuns, "runs")
	return cli.Recorded(c)
}

// measureTraining makes updates for at least d in each of the runs, after two
// that are not counted: they touch fresh memory.
func measureTraining(ctx context.Context, config train.Config, beside *cli.Beside, runs int, d time.Duration) (result trainThroughput, err error) {
	t, err := train.NewTrainer(config)
	if err != nil {
		return trainThroughput{}, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	result = trainThroughput{
		Game: t.Game().Spec().Text, BLAS: network.BLAS, Network: config.Network.Hidden, Epochs: config.PPO.Epochs,
		Runs: runs, Processors: runtime.GOMAXPROCS(0),
	}
	for range 2 {
		if _, err := t.Update(); err != nil {
			return result, err
		}
	}
	var rates, perProcessor, busy []float64
	for range runs {
		err := beside.Run(d, func() (cli.Work, error) {
			start, before := time.Now(), record.ProcessorSeconds()
			decisions, samples, err := updates(ctx, t, config, d)
			w := cli.Work{Units: float64(decisions), Seconds: time.Since(start).Seconds(), Processor: record.ProcessorSeconds() - before}
			result.Decisions += decisions
			result.Samples += samples
			rates = append(rates, w.Units/w.Seconds)
			if w.Processor > 0 {
				perProcessor, busy = append(perProcessor, w.Units/w.Processor), append(busy, w.Processor/w.Seconds)
			}
			return w, err
		})
		if err != nil {
			return result, err
		}
	}
	result.Min, result.DecisionsPerSecond, result.Max = cli.Spread(rates)
	result.PerProcessorMin, result.PerProcessor, result.PerProcessorMax = cli.Spread(perProcessor)
	result.BusyMin, result.Busy, result.BusyMax = cli.Spread(busy)
	result.Beside = beside.Comparisons()
	return result, nil
}

// updates makes updates for at least d and returns the decisions that were played and the samples that were
// learned from.
func updates(ctx context.Context, t *train.Trainer, config train.Config, d time.Duration) (decisions, samples int64, err error) {
	for start := time.Now(); time.Since(start) < d || decisions == 0; {
		if err := ctx.Err(); err != nil {
			return decisions, samples, err
		}
		m, err := t.Update()
		if err != nil {
			return decisions, samples, err
		}
		decisions += int64(config.Envs*config.Steps + m.Forced)
		samples += int64(m.Samples)
	}
	return decisions, samples, nil
}
