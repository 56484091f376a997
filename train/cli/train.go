package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"powderkeg/engine/games"
	"powderkeg/env/cli"
	"powderkeg/train"

	"github.com/spf13/cobra"
)

// trainFlags are the flags of "train".
type trainFlags struct {
	game    string
	dir     string
	resume  string
	metrics string
	seed    uint64
	updates int
	workers int
}

// Train is the command "train".
func Train() *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train [CONFIG]",
		Short: "Train a network by self-play, with progress, plots and resume",
		Long: `Train a network by self-play.

CONFIG is a YAML file (see experiments/configs; experiments/README.md says which and
when). Instead of one, --game trains that game with default settings. Everything
goes into the run's directory: the resolved config, metrics (one JSON object a
line), checkpoints, learning curves and a report with the closing evaluation.

Ctrl-C saves the run and says how to go on with it; a run that was killed goes on
from its last checkpoint in the same way.`,
		Example: `  powderkeg train experiments/configs/jogu/quick.yaml
  powderkeg train --game leduc --updates 200 --run runs/leduc
  powderkeg train --resume runs/leduc
  powderkeg train experiments/configs/jogu/ppo.yaml --metrics localhost:9090`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			options := train.Options{Dir: f.dir, Progress: c.ErrOrStderr(), MetricsAddress: f.metrics}
			if f.resume != "" {
				if len(args) > 0 || f.game != "" || f.dir != "" || c.Flags().Changed("seed") {
					return fmt.Errorf("%w: --resume goes on with a run as it was set up; leave out the config, --game, --run and --seed", cli.ErrUsage)
				}
				options.Dir = f.resume
				if err := train.Resume(c.Context(), options); err != nil {
					return err
				}
				return f.next(c, options.Dir)
			}
			config, err := f.config(c, args)
			if err != nil {
				return err
			}
			if options.Dir == "" {
				options.Dir = filepath.Join("runs", f.name(config, args))
			}
			if err := train.Run(c.Context(), config, options); err != nil {
				return err
			}
			return f.next(c, options.Dir)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.game, "game", "", "train this game with default settings; with a CONFIG, another game than it names")
	flags.StringVar(&f.dir, "run", "", "directory of the run (default runs/ and the name of the config or game)")
	flags.StringVar(&f.resume, "resume", "", "go on with the run in this directory")
	flags.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics at this address, such as localhost:9090")
	flags.Uint64Var(&f.seed, "seed", 0, "another seed than the config's")
	flags.IntVar(&f.updates, "updates", 0, "another number of updates than the config's")
	flags.IntVar(&f.workers, "workers", 0, "another number of workers than the config's")
	return c
}

// config reads the config and puts the flags over it.
func (f trainFlags) config(c *cobra.Command, args []string) (train.Config, error) {
	config := train.Default()
	switch {
	case len(args) == 1:
		data, err := os.ReadFile(args[0])
		if err != nil {
			return config, fmt.Errorf("%w: %w", cli.ErrUsage, err)
		}
		if config, err = train.ParseConfig(data); err != nil {
			return config, fmt.Errorf("%w: %s: %w", cli.ErrUsage, args[0], err)
		}
	case f.game == "":
		return config, fmt.Errorf("%w: name a config file, or a game with --game", cli.ErrUsage)
	}
	if f.game != "" {
		config.Game = f.game
	}
	changed := c.Flags().Changed
	if changed("seed") {
		config.Seed = f.seed
	}
	if changed("updates") {
		config.Updates = f.updates
	}
	if changed("workers") {
		config.Workers = f.workers
	}
	if err := config.Validate(); err != nil {
		return config, fmt.Errorf("%w: %w", cli.ErrUsage, err)
	}
	return config, nil
}

// name makes the directory's name from the config file's place, such as
// jogu-quick for configs/jogu/quick.yaml, or from the game.
func (f trainFlags) name(config train.Config, args []string) string {
	g, err := games.New(config.Game)
	if err != nil || len(args) == 0 {
		return strings.NewReplacer("(", "-", ")", "", ",", "-", "=", "-").Replace(config.Game)
	}
	return g.Spec().Name + "-" + strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
}

// next says what to do with the network.
func (f trainFlags) next(c *cobra.Command, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err != nil {
		return err
	}
	config, err := train.ParseConfig(text)
	if err != nil {
		return err
	}
	g, err := games.New(config.Game)
	if err != nil {
		return err
	}
	game := g.Spec().Text
	if strings.Contains(game, "(") {
		game = "'" + game + "'"
	}
	fmt.Fprintf(c.OutOrStdout(), `
Learning curves: %s
Play against it: powderkeg play %s --vs checkpoint:%s
Measure it:      powderkeg match %s checkpoint:%s scripted --games 1000
`, filepath.Join(dir, "plots"), game, dir, game, dir)
	return nil
}
