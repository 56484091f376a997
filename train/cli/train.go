package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train"
	"powderkeg/train/run"

	"github.com/spf13/cobra"
)

// trainFlags are the flags of "train".
type trainFlags struct {
	game, run, resume, watch, metrics string
	seed                              uint64
	updates                           int
	fleet                             fleetFlags
	set                               []string
	start                             cli.StartAt
}

// Train is the command "train".
func Train() *cobra.Command {
	var f trainFlags
	c := &cobra.Command{
		Use:   "train CONFIG | --game GAME | --resume DIR | --watch DIR",
		Short: "Learn a game by self-play, with progress, plots, checkpoints and a report",
		Long: `Learn a game by self-play.

A run is a directory: config.yaml, environment.json, metrics.jsonl, checkpoints, plots,
report.html and report.md, and event files for "tensorboard --logdir DIR". --watch
follows a run of another process, or shows how one ended.
Ctrl-C saves the run and says how it goes on. The same command goes on with an
unfinished run of the same configuration in its directory.

--updates N lengthens a run, by --resume DIR or by the command that began it: it is the
run that N updates would have made from the beginning, but for schedules that go evenly
from one number to another over its length; they go on from where they are by then in a
run of N. A run is never shortened.

Rollouts are played by this process, by --workers others beside it, or by all who join
by "powderkeg worker URL" where --nats names a broker. Who plays, comes and goes does
not change what is learned, and a second "train" of a run with a broker waits as a spare.

experiments/configs has commented configurations; --game takes the default settings
instead. --seed, --updates and --set override the configuration. --record keeps the
closing evaluation as a record, which experiments/records has for every configuration.`,
		Example: `  powderkeg train experiments/configs/jogu/quick.yaml
  powderkeg train --game tictactoe --run runs/ttt --updates 60
  powderkeg train experiments/configs/kuhn/ppo.yaml --set ppo.entropy.start=0.3 --set network.hidden=[64,64]
  powderkeg train --resume runs/ttt
  powderkeg train --resume runs/ttt --updates 120
  powderkeg train experiments/configs/jogu/zoo.yaml --workers 4
  powderkeg train experiments/configs/jogu/zoo.yaml --nats nats://broker:4222
  powderkeg train experiments/configs/kuhn/ppo.yaml --seed 2 --record kuhn/ppo-2.json
  powderkeg train --watch runs/ttt`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.train(c, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.game, "game", "", "game string, instead of a configuration")
	flags.StringVar(&f.run, "run", "", "directory of the run (default runs/GAME-CONFIG)")
	flags.StringVar(&f.resume, "resume", "", "directory of a run to go on with")
	flags.StringVar(&f.watch, "watch", "", "directory of a run to follow")
	f.shared(c)
	f.fleet.add(c)
	flags.StringArrayVar(&f.set, "set", nil, "KEY=VALUE: a key of the configuration, such as ppo.epochs=2; may come several times")
	f.start.Add(c)
	flags.StringVar(&f.metrics, "metrics", "", "address to serve Prometheus metrics at, such as localhost:9090")
	return cli.Recorded(cli.Finishes(c, "saves the run after the update under way"))
}

// train starts a run, goes on with one, or follows one.
func (f trainFlags) train(c *cobra.Command, args []string) error {
	if f.watch != "" {
		if len(args) > 0 || c.Flags().NFlag() > 1 {
			return fmt.Errorf("%w: --watch takes a run as it is; give it alone", cli.ErrUsage)
		}
		return run.Watch(c.Context(), f.watch, c.ErrOrStderr())
	}
	options := run.Options{Dir: f.run, Progress: c.ErrOrStderr(), MetricsAddress: f.metrics, Updates: f.updates, Closed: f.closed(c, args)}
	if f.resume != "" {
		if len(args) > 0 || f.game != "" || f.run != "" || c.Flags().Changed("seed") || c.Flags().Changed("position") || len(f.set) > 0 {
			return fmt.Errorf("%w: --resume takes the configuration of its run, of which --updates lengthens it; in its config.yaml %s may change",
				cli.ErrUsage, train.MayChange)
		}
		options.Dir = f.resume
		if !f.fleet.used() {
			return run.Resume(c.Context(), options)
		}
		config, err := run.ReadConfig(f.resume)
		if err != nil {
			return fmt.Errorf("%s holds no run: %w", option.Shorten(f.resume), cli.Named(err))
		}
		if f.updates > 0 {
			if config, err = config.Lengthened(f.updates); err != nil {
				return option.Wrong(err)
			}
		}
		return f.fleet.lead(c.Context(), config, options, func(o run.Options) error { return run.Resume(c.Context(), o) })
	}
	config, name, err := f.config(c, args)
	if err != nil {
		return option.Wrong(err)
	}
	config = f.override(c, config)
	position, err := f.start.Read(c)
	if err != nil {
		return err
	}
	if position != nil {
		config.Position = string(position)
	}
	for _, text := range f.set {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("%w: --set %q is not of the form KEY=VALUE", cli.ErrUsage, option.Shorten(text))
		}
		if config, err = config.With(strings.TrimSpace(key), value); err != nil {
			return option.Wrong(fmt.Errorf("--set: %w", err))
		}
	}
	if err := cmp.Or(config.Validate(), config.CheckMemory()); err != nil {
		return option.Wrong(err)
	}
	if options.Dir == "" {
		options.Dir = filepath.Join("runs", name)
	}
	if !f.fleet.used() {
		return run.Start(c.Context(), config, options)
	}
	if err := run.Refusal(config, options); err != nil { // before anybody is hired
		return err
	}
	return f.fleet.lead(c.Context(), config, options, func(o run.Options) error { return run.Start(c.Context(), config, o) })
}

// closed says what the run has come to, for a record.
func (f trainFlags) closed(c *cobra.Command, args []string) func(run.Closing) {
	return func(closing run.Closing) {
		g, err := closing.Config.NewGame()
		if err != nil {
			panic(err) // it was played
		}
		config := &record.Config{Digest: closing.Config.Digest()}
		if len(args) == 1 {
			config.File = filepath.ToSlash(args[0])
		}
		cli.Found(c, record.Found{
			Result: closing, Curves: closing.Curves, Games: []engine.Game{g}, Config: config, Seeds: []uint64{closing.Config.Seed}, Played: closing.Played(),
			Elsewhere: closing.Resumed || f.fleet.nats != "",
		})
	}
}

// shared adds the flags that override the configuration.
func (f *trainFlags) shared(c *cobra.Command) {
	flags := c.Flags()
	flags.Uint64Var(&f.seed, "seed", 0, "seed of everything random in the run")
	flags.IntVar(&f.updates, "updates", 0, "length of the run")
	cli.Bound(c, 1, train.MostUpdates, "updates")
}

// override puts those flags over the configuration that were given.
func (f trainFlags) override(c *cobra.Command, config train.Config) train.Config {
	if c.Flags().Changed("seed") {
		config.Seed = f.seed
	}
	if c.Flags().Changed("updates") {
		config.Updates = f.updates
	}
	return config
}

// config reads the configuration and names the run after it.
func (f trainFlags) config(c *cobra.Command, args []string) (config train.Config, name string, err error) {
	switch {
	case len(args) == 1 && f.game == "":
		text, err := cli.ReadNamed(c, args[0])
		if err != nil {
			return config, "", err
		}
		config, err = train.ParseConfig(text)
		if err != nil {
			return config, "", fmt.Errorf("%s: %w", option.Shorten(args[0]), err)
		}
		return config, filepath.Base(filepath.Dir(args[0])) + "-" + strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])), nil
	case len(args) == 0 && f.game != "":
		config = train.Default()
		config.Game = f.game
		return config, folderName(f.game), nil
	default:
		return config, "", fmt.Errorf("give either a configuration or --game")
	}
}
