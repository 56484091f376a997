package cli

import (
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
}

// BenchNet is the command "bench net".
func BenchNet() *cobra.Command {
	var seconds float64
	var runs, batch int
	var asJSON bool
	c := &cobra.Command{
		Use:   "net",
		Short: "Learning steps (forward, backward, Adam) of a 512-256-256-512 network",
		Example: `  powderkeg bench net
  powderkeg bench net --seconds 20 --record speed/net.json`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := (memory.Count{Name: "--batch", N: int64(batch)}).Check(nn.RowBytes(nn.Yardstick), nn.WeightBytes(nn.Yardstick)); err != nil {
				return err
			}
			var rates []float64
			for range runs {
				if err := c.Context().Err(); err != nil {
					return err
				}
				rate, err := nn.Throughput(nn.Yardstick, batch, time.Duration(seconds/float64(runs)*float64(time.Second)))
				if err != nil {
					return err
				}
				rates = append(rates, rate)
			}
			slices.Sort(rates)
			t := netThroughput{nn.Yardstick, network.BLAS, batch, runs, runtime.GOMAXPROCS(0), rates[runs/2], rates[0], rates[runs-1]}
			cli.Found(c, record.Found{Result: t})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), t)
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "%.0f samples/s (%.0f to %.0f in %d runs) on %d processors, matrices by %s, batch %d\n",
				t.SamplesPerSecond, t.Min, t.Max, runs, t.Processors, t.BLAS, batch)
			return err
		},
	}
	f := c.Flags()
	f.Float64Var(&seconds, "seconds", 5, "time to measure for")
	f.IntVar(&runs, "runs", 5, "runs that the time is cut into, for the spread")
	f.IntVar(&batch, "batch", 1024, "rows per step")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "seconds")
	cli.Bound(c, 1, cli.MostRuns, "runs")
	cli.Bound(c, 1, cli.MostSlots, "batch")
	return cli.Recorded(c)
}
