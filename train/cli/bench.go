package cli

import (
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"powderkeg/env/cli"
	"powderkeg/train/nn"

	"github.com/spf13/cobra"
)

// NetThroughput is what "bench net" measures.
type NetThroughput struct {
	BLAS             string  `json:"blas"` // library that multiplies matrices
	Batch            int     `json:"batch"`
	Network          []int   `json:"network"` // widths, observation first, logits last
	Runs             int     `json:"runs"`
	SamplesPerSecond float64 `json:"samples_per_second"` // median
	Min              float64 `json:"samples_per_second_min"`
	Max              float64 `json:"samples_per_second_max"`
}

// BenchNet is the command "bench net".
func BenchNet() *cobra.Command {
	var asJSON bool
	var batch, runs int
	var seconds float64
	c := &cobra.Command{
		Use:   "net",
		Short: "Measure the learner: forward, backward and Adam",
		Long: `Measure the learner: one step is forward pass, PPO loss with masks, backward pass,
gradient norm and Adam, for a network of 512 inputs, two hidden layers of 256 and
512 logits. The rate is the median of --runs runs, with the least and the most.`,
		Example: "  powderkeg bench net\n  powderkeg bench net --batch 4096 --json",
		Args:    cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if batch < 1 || runs < 1 || !(seconds > 0) {
				return fmt.Errorf("%w: --batch, --runs and --seconds must be above 0", cli.ErrUsage)
			}
			y := nn.Yardstick
			t := NetThroughput{BLAS: nn.BLAS, Batch: batch, Runs: runs}
			t.Network = append(append([]int{y.Inputs}, y.Hidden...), y.Actions)
			var rates []float64
			for range runs {
				rate, err := nn.Throughput(y, batch, time.Duration(seconds/float64(runs)*float64(time.Second)))
				if err != nil {
					return err
				}
				if err := c.Context().Err(); err != nil {
					return err
				}
				rates = append(rates, rate)
			}
			slices.Sort(rates)
			t.Min, t.SamplesPerSecond, t.Max = rates[0], rates[runs/2], rates[runs-1]
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), t)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "matrices by\tbatch\tsamples/s\tleast\tmost")
			fmt.Fprintf(w, "%s\t%d\t%.0f\t%.0f\t%.0f\n", t.BLAS, t.Batch, t.SamplesPerSecond, t.Min, t.Max)
			return w.Flush()
		},
	}
	f := c.Flags()
	f.IntVar(&batch, "batch", 1024, "samples a step")
	f.IntVar(&runs, "runs", 5, "runs that the seconds are divided into")
	f.Float64Var(&seconds, "seconds", 10, "seconds in all")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
