package cli

import (
	"fmt"
	"path/filepath"

	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/train/job"
	"powderkeg/train/run"

	"github.com/spf13/cobra"
)

// Sweep is the command "sweep".
func Sweep() *cobra.Command {
	var f trainFlags
	var others jobFlags
	var settings []string
	s := run.Sweep{}
	c := &cobra.Command{
		Use:   "sweep CONFIG | --game GAME",
		Short: "Train with every combination of some settings and several seeds, and sum up",
		Long: `Train with every combination of some settings, each from several seeds.

Each --set names a key of the configuration and the values to try. The runs stand
under one directory, beside summary.md (means over the seeds with standard errors),
runs.csv (a line for each run and opponent) and plots with a band for each variant.
Runs that are done are left as they are: the same command goes on with a sweep
that was stopped, and a larger --seeds adds runs to it.

Runs are made one after the other by this process, or by --workers others beside it or
all workers of a broker (--nats, powderkeg worker), each by one from its begin to its
end. What is learned is the same.`,
		Example: `  powderkeg sweep experiments/configs/kuhn/ppo.yaml --set ppo.entropy.start=0.05,0.2 --seeds 5
  powderkeg sweep --game leduc --set network.hidden=[32],[64,64] --set ppo.epochs=2,4 --seeds 3
  powderkeg sweep experiments/configs/leduc/ablation.yaml --set lag=0,1 --seeds 20 --nats nats://broker:4222`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			config, name, err := f.config(c, args)
			if err != nil {
				return option.Wrong(err)
			}
			s.Base = f.override(c, config)
			for _, text := range settings {
				setting, err := run.ParseSetting(text)
				if err != nil {
					return option.Wrong(fmt.Errorf("--set: %w", err))
				}
				s.Settings = append(s.Settings, setting)
			}
			if _, err := s.Variants(); err != nil {
				return option.Wrong(err)
			}
			if f.run == "" {
				f.run = filepath.Join("runs", name+"-sweep")
			}
			err = others.employ(c, "sweep", s.Base.Game, func(hands job.Hands) error {
				s.Hands = hands
				return s.Run(c.Context(), f.run, c.ErrOrStderr())
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), filepath.Join(f.run, "summary.md"))
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.game, "game", "", "game string, instead of a configuration")
	flags.StringVar(&f.run, "run", "", "directory of the sweep (default runs/GAME-CONFIG-sweep)")
	flags.StringArrayVar(&settings, "set", nil, "KEY=VALUE,VALUE,...: a key of the configuration and the values to try; may come several times")
	flags.IntVar(&s.Seeds, "seeds", 3, "how many seeds, from that of the configuration upwards")
	f.shared(c)
	others.add(c, "workers")
	cli.Bound(c, 1, run.MostRuns, "seeds")
	return cli.Finishes(c, "saves the run after the update under way")
}
