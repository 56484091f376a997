package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"powderkeg/agents/network"
	"powderkeg/env/cli"
	"powderkeg/env/memory"
	"powderkeg/env/record"
	"powderkeg/train/nn"

	"github.com/spf13/cobra"
)

// netThroughput is what "bench net" measures. The rate is that of the median
// run.
type netThroughput struct {
	Network          network.Config `json:"network"`
	BLAS             string         `json:"blas"`
	Batch            int            `json:"batch"`
	Runs             int            `json:"runs"`
	Processors       int            `json:"processors"`
	SamplesPerSecond float64        `json:"samples_per_second"`
	Min              float64        `json:"samples_per_second_min"`
	Max              float64        `json:"samples_per_second_max"`
	// Beside is how other programs did that learn from as large batches in turn with this one.
	Beside []cli.Comparison `json:"beside,omitempty"`
}

// BenchNet is the command "bench net".
func BenchNet() *cobra.Command {
	var seconds float64
	var runs, batch int
	var asJSON bool
	var beside cli.Beside
	c := &cobra.Command{
		Use:   "net",
		Short: "Learning steps (forward, backward, Adam) of a 512-256-256-512 network",
		Example: `  powderkeg bench net
  powderkeg bench net --seconds 20 --record speed/net.json
  powderkeg bench net --beside 'python3 experiments/yardsticks/torch_step.py'`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if err := (memory.Count{Name: "--batch", N: int64(batch)}).Check(nn.RowBytes(nn.Yardstick), nn.WeightBytes(nn.Yardstick)); err != nil {
				return err
			}
			if err := beside.Start(c.Context()); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, beside.Close()) }()
			step, done, err := nn.Exercise(nn.Yardstick, batch)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			rates, err := measureSteps(c.Context(), step, batch, &beside, runs, time.Duration(seconds/float64(runs)*float64(time.Second)))
			if err != nil {
				return err
			}
			slices.Sort(rates)
			t := netThroughput{nn.Yardstick, network.BLAS, batch, runs, runtime.GOMAXPROCS(0), rates[runs/2], rates[0], rates[runs-1],
				beside.Comparisons()}
			cli.Found(c, record.Found{Result: t})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), t)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%.0f samples/s (%.0f to %.0f in %d runs) on %d processors, matrices by %s, batch %d\n",
				t.SamplesPerSecond, t.Min, t.Max, runs, t.Processors, t.BLAS, batch)
			return errors.Join(err, beside.Print(c.OutOrStdout(), "samples"))
		},
	}
	f := c.Flags()
	f.Float64Var(&seconds, "seconds", 5, "time to measure for")
	f.IntVar(&runs, "runs", 5, "runs that the time is cut into, for the spread")
	f.IntVar(&batch, "batch", 1024, "rows per step")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	beside.Flag(c)
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "seconds")
	cli.Bound(c, 1, cli.MostRuns, "runs")
	cli.Bound(c, 1, cli.MostSlots, "batch")
	return cli.Recorded(c)
}

// measureSteps repeats a learning step for at least d in each of the runs, after one that touches fresh memory,
// and returns how many samples it learned from a second in each.
func measureSteps(ctx context.Context, step func() error, samples int, beside *cli.Beside, runs int, d time.Duration) ([]float64, error) {
	if err := step(); err != nil {
		return nil, err
	}
	var rates []float64
	for range runs {
		err := beside.Run(d, func() (w cli.Work, err error) {
			start, before := time.Now(), record.ProcessorSeconds()
			for w.Units == 0 || time.Since(start) < d {
				if err := cmp.Or(ctx.Err(), step()); err != nil {
					return w, err
				}
				w.Units += float64(samples)
			}
			w.Seconds, w.Processor = time.Since(start).Seconds(), record.ProcessorSeconds()-before
			rates = append(rates, w.Units/w.Seconds)
			return w, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return rates, nil
}
