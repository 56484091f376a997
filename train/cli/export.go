package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	agentscli "powderkeg/agents/cli"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/train/dataset"
	"powderkeg/train/job"

	"github.com/spf13/cobra"
)

// exportFlags are the flags of "export" that are not the dataset's own.
type exportFlags struct {
	config              dataset.Config
	options             dataset.Options
	format, compression string
	start, out          string
	asJSON              bool
	others              jobFlags
}

// exported is what "export --json" prints.
type exported struct {
	Folder string            `json:"folder"`
	Files  int               `json:"files"`
	Made   int               `json:"made"` // by this call
	Rows   int64             `json:"rows"`
	Bytes  int64             `json:"bytes"`
	Data   *dataset.Manifest `json:"dataset"`
}

// Export is the command "export".
func Export() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export GAME --agent AGENT --episodes N --out DIR",
		Short: "Write a dataset of games: Parquet, Arrow or NumPy files with every decision",
		Long: fmt.Sprintf(`Play games between agents and write every decision to files: observation, mask,
action, actor, rewards, returns, flags, and what is needed to prove the game by
playing it again (powderkeg import-check). --agent, --episodes and --out are needed.

The folder gets files of --shard-episodes episodes each and %s, which lists
them. The same command goes on with an export that was stopped. The seed decides
every byte, whoever plays, unless an agent searches by time: this process, --processes
others beside it, or all workers of a broker (--nats, powderkeg worker), a file each.

Python reads the files in one line, shown here with the folder "games":

  pandas.read_parquet("games")
  polars.read_parquet("games/*.parquet")
  pyarrow.dataset.dataset("games").to_table()          # --format parquet or arrow
  numpy.load("games/jogu-00000.npz")                   # --format npz

train/dataset/README.md describes the columns.

Agents:
%s`, dataset.ManifestName, agentscli.AgentHelp()),
		Example: `  powderkeg export kuhn --agent random --episodes 100 --out kuhn-games
  powderkeg export jogu --agent scripted --episodes 1000 --out games
  powderkeg export leduc --agent zoo:leduc --agent random --episodes 100000 --logits --out leduc-logits
  powderkeg export kuhn --agent random --episodes 10000 --format npz --seed 7 --out kuhn
  powderkeg export jogu --agent 'mcts(sims=400)' --episodes 1000000 --out games --nats nats://broker:4222`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.config.Agents, "agent", nil, "who plays (needed): once for all seats, or once for each seat in order")
	flags.Int64Var(&f.config.Episodes, "episodes", 0, "games to play (needed)")
	flags.Uint64Var(&f.config.Seed, "seed", 1, "seed of all chance and all agents")
	flags.StringVar(&f.start, "start", "", "file with a JSON position that every episode starts from, - for standard input")
	flags.IntVar(&f.config.MaxDecisions, "max-decisions", 0, "decisions after which an episode is truncated, 0 for whole games")
	flags.BoolVar(&f.config.Logits, "logits", false, "add the log-probabilities by which learned agents drew their actions")
	flags.BoolVar(&f.config.Text, "text", false, "add the situation in words, as the actor sees it")
	flags.StringVar(&f.out, "out", "", "folder to write to (needed); it is made, or goes on where it is")
	flags.StringVar(&f.format, "format", string(dataset.Parquet), "format of the files: parquet, arrow or npz")
	flags.StringVar(&f.compression, "compression", "", compressionHelp())
	flags.Int64Var(&f.options.ShardEpisodes, "shard-episodes", 0, "episodes per file, 0 for a number that suits the game")
	flags.IntVar(&f.options.Workers, "workers", runtime.NumCPU(), "games played at a time by this process; the files do not depend on it")
	f.others.add(c, "processes")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	cli.Bound(c, 1, cli.MostGames, "episodes", "shard-episodes")
	cli.Bound(c, 0, cli.MostGames, "max-decisions")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	return cli.Finishes(c, "keeps the files that are whole")
}

func compressionHelp() string {
	var parts []string
	for _, format := range dataset.Formats {
		var names []string
		for _, c := range format.Compressions() {
			names = append(names, string(c))
		}
		parts = append(parts, fmt.Sprintf("%s: %s", format, strings.Join(names, ", ")))
	}
	return "codec, the first by default: " + strings.Join(parts, "; ")
}

func (f *exportFlags) run(c *cobra.Command, game string) error {
	var missing []string
	for _, needed := range []struct {
		given bool
		flag  string
	}{{len(f.config.Agents) > 0, "--agent"}, {f.config.Episodes != 0, "--episodes"}, {f.out != "", "--out"}} {
		if !needed.given {
			missing = append(missing, needed.flag)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: %s must be given, such as powderkeg export %s --agent random --episodes 100 --out games",
			cli.ErrUsage, strings.Join(missing, " and "), option.Shorten(game))
	}
	config := f.config
	config.Game = game
	if f.start != "" {
		position, err := cli.ReadNamed(c, f.start)
		if err != nil {
			return option.Wrong(fmt.Errorf("--start: %w", err))
		}
		config.Start = position
	}
	agentscli.WarnOfEditions(c, game, config.Agents...)
	options := f.options
	options.Format, options.Compression = dataset.Format(f.format), dataset.Compression(f.compression)
	var bar *cli.Bar
	options.Progress = func(done, total int64) {
		if bar == nil {
			bar = cli.NewBar(c.ErrOrStderr(), "episodes", int(total))
		}
		bar.Set(int(done))
	}
	var result dataset.Result
	err := f.others.employ(c, "export", game, func(hands job.Hands) (err error) {
		options.Hands = hands
		result, err = dataset.Export(c.Context(), f.out, config, options)
		return err
	})
	if bar != nil {
		bar.Close()
	}
	if err != nil {
		if result.Manifest != nil {
			whole := len(result.Manifest.Shards)
			if errors.Is(err, context.Canceled) {
				return cli.Stopped(err, "when %d files were whole; the same command goes on with the next one", whole)
			}
			return fmt.Errorf("%w; %d files are whole, and the same command goes on with the next one", err, whole)
		}
		return err
	}
	return f.report(c, result)
}

func (f *exportFlags) report(c *cobra.Command, r dataset.Result) error {
	e := exported{Folder: f.out, Files: len(r.Manifest.Shards), Made: r.Made, Data: r.Manifest}
	for _, s := range r.Manifest.Shards {
		e.Rows, e.Bytes = e.Rows+s.Rows, e.Bytes+s.Size
	}
	if f.asJSON {
		return cli.PrintJSON(c.OutOrStdout(), e)
	}
	state := "written"
	switch {
	case r.Made == 0:
		state = "was whole already"
	case r.Made < e.Files:
		state = fmt.Sprintf("completed (%d files were there)", e.Files-r.Made)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%s %s: %d episodes, %d rows, %d files, %d bytes\n", f.out, state, r.Manifest.Config.Episodes, e.Rows,
		e.Files, e.Bytes)
	return err
}

// ImportCheck is the command "import-check".
func ImportCheck() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "import-check DIR|FILE...",
		Short: "Prove the files of a dataset by playing their games again",
		Long: fmt.Sprintf(`Prove the files of a dataset by playing their games again.

Each episode is replayed from its actions and recorded outcomes of chance. What
an actor saw, what it might do, what everybody gained and how the game ended must
come out as it is written, bit for bit. The versions of rules and observation must
be this program's. Of a folder, %s must list all files and their SHA-256.

The exit code is 1 if anything does not hold.`, dataset.ManifestName),
		Example: "  powderkeg import-check games\n  powderkeg import-check games/jogu-00000.parquet --json",
		Args:    cli.Usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var bar *cli.Bar
			r, err := dataset.Check(c.Context(), args, func(done, total int) {
				if bar == nil {
					bar = cli.NewBar(c.ErrOrStderr(), "files", total)
				}
				bar.Set(done)
			})
			if bar != nil {
				bar.Close()
			}
			if err != nil {
				return err
			}
			if err := printCheck(c, r, asJSON); err != nil {
				return err
			}
			if len(r.Faults) > 0 {
				return fmt.Errorf("%w: %d of %d files do not hold", cli.ErrCheck, len(r.Faults), max(r.Files, len(r.Faults)))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printCheck(c *cobra.Command, r *dataset.Report, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(c.OutOrStdout(), r)
	}
	for i := range r.Faults {
		if _, err := fmt.Fprintln(c.OutOrStdout(), r.Faults[i].Error()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%d files, %d faults; %d episodes with %d rows replayed\n", r.Files, len(r.Faults), r.Episodes, r.Rows)
	return err
}
