package cli

import (
	"context"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
	"time"

	agentscli "powderkeg/agents/cli"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/job"
	"powderkeg/train/suite"

	"github.com/spf13/cobra"
)

// rowsFolder is where the rows of each version stand in the source tree.
const rowsFolder = "experiments/suite"

// OpenSource returns the agents behind an address (unix:PATH, tcp:HOST:PORT).
type OpenSource func(ctx context.Context, address string) (suite.Source, error)

// Suite is the command "suite". Open is for agents that other programs play.
func Suite(open OpenSource) *cobra.Command {
	c := &cobra.Command{
		Use:   "suite",
		Short: "The benchmark that proves its numbers: run an agent, check rows, print the table",
		RunE:  cli.Unknown,
	}
	c.AddCommand(suiteRun(open), suiteCheck(open), suiteTable(), suiteTasks(), suitePerft())
	return c
}

// suiteFlags are those that all its commands share.
type suiteFlags struct {
	version string
	workers int
	json    bool
	socket  string
}

func (f *suiteFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.version, "suite", "v1", "version of the suite: "+strings.Join(suite.Versions(), ", "))
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
}

// rows is where the rows of the version stand in the source tree.
func (f *suiteFlags) rows() string { return path.Join(rowsFolder, f.version) }

func (f *suiteFlags) addWorkers(c *cobra.Command) {
	c.Flags().IntVar(&f.workers, "workers", runtime.NumCPU(), "games at a time; no figure depends on it")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
}

func (f *suiteFlags) addSocket(c *cobra.Command, help string) {
	c.Flags().StringVar(&f.socket, "socket", "", help+" (unix:PATH or tcp:HOST:PORT)")
}

// source returns the agents behind the socket that was named, nil if none was.
func (f *suiteFlags) source(ctx context.Context, open OpenSource) (suite.Source, error) {
	if f.socket == "" {
		return nil, nil
	}
	s, err := open(ctx, f.socket)
	if err != nil {
		return nil, fmt.Errorf("--socket %s: %w", option.Shorten(f.socket), err)
	}
	return s, nil
}

// suiteRun is the command "suite run".
func suiteRun(open OpenSource) *cobra.Command {
	var f suiteFlags
	var others jobFlags
	var config suite.Config
	c := &cobra.Command{
		Use:   "run AGENT",
		Short: "Play an agent through the suite: a row with its figures, and a replay of every game",
		Long: `Play an agent through the suite.

The agent holds one seat of every game, each as often as any other and under the same
chance, and the agents of the suite's tables hold the rest. Its mean return in each task is
scaled by the anchors of the task, 0 for random play and 1 for the scripted player.
In suite v2 the agent is asked what it does in solved positions, where it scores 1 if it
loses nothing and 0 if it loses what random play does; and luck that a fixed network knows
is taken out of the games of some tasks.
The row goes into DIR/NAME.json and every game of it into an archive beside it.
Ctrl-C keeps the games that are over, and the same command goes on with them.

An agent must have no memory and no limit on its time, so that its games can be played
again. A row may be of some tasks alone, and grow. Where the agent's name has {task} and
{run} they are filled in: a method of learning is an agent for each task and run.

Games are played by this process, by --processes others beside it, or by all workers of a
broker (--nats, powderkeg worker); the archive is the same. An agent that is a file must
stand in the same place there. Each game that comes back is replayed before it is kept.

With --socket the agent is another program's, which answers "agent.load" and "act_batch" of
the protocol: one of Python by powderkeg.AgentServer, or another powderkeg serve. Its games
are played by this process.`,
		Example: `  powderkeg suite run scripted
  powderkeg suite run 'mcts(sims=200)' --tasks reference,mini
  powderkeg suite run random --tasks leduc --dir rows --processes 2
  powderkeg suite run 'mcts(sims=2000)' --dir rows --nats nats://broker:4222
  powderkeg suite run zoo:jogu --tasks jogu-mini,jogu --dir rows --record jogu/suite.json
  powderkeg suite run 'checkpoint:nets/{task}-{run}' --name ppo --tasks reference --dir rows
  powderkeg suite run 'mine({task},{run})' --name mine --socket unix:/tmp/mine --dir rows`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := suite.Open(f.version)
			if err != nil {
				return err
			}
			config.Agent, config.Workers = args[0], f.workers
			if config.Dir == "" {
				config.Dir = f.rows()
			}
			if f.socket != "" && others.given() {
				return fmt.Errorf("%w: the program behind --socket plays with this process; leave --processes and --nats out", cli.ErrUsage)
			}
			if config.Source, err = f.source(c.Context(), open); err != nil {
				return err
			}
			if f.socket == "" {
				for _, task := range d.Tasks {
					agentscli.WarnOfEditions(c, task.Game, config.Agent)
				}
			}
			progress, end := gamesBar(c)
			config.Progress = progress
			var row *suite.Row
			begun := config.Begun()
			err = others.employ(c, "suite", d.Tasks[0].Game, func(hands job.Hands) (err error) {
				config.Hands = hands
				row, err = suite.Run(c.Context(), d, config)
				return err
			})
			end()
			if err != nil {
				return cli.Stopped(err, "with the games that are over kept; the same command goes on")
			}
			cli.Found(c, record.Found{
				Result: row, Games: d.Games(row), Networks: row.Networks, Seeds: []uint64{row.Seed}, Played: row.Games,
				Elsewhere: begun || others.nats != "" || f.socket != "",
			})
			if f.json {
				return cli.PrintJSON(c.OutOrStdout(), row)
			}
			return row.Write(c.OutOrStdout())
		},
	}
	f.add(c)
	f.addWorkers(c)
	others.add(c, "processes")
	f.addSocket(c, "where the program listens that plays the agent")
	c.Flags().StringVar(&config.Name, "name", "", "name of the row and its files (default: the agent)")
	c.Flags().StringSliceVar(&config.Tasks, "tasks", nil, "tasks and tiers to play (default: all that the agent can)")
	c.Flags().StringVar(&config.Dir, "dir", "", "folder of the rows (default: that of the version in "+rowsFolder+")")
	c.Flags().StringVar(&config.From, "from", "",
		"folder with a row of the same name, such as one of another version, whose games are replayed and kept where this version has the same")
	return cli.Recorded(cli.Finishes(c, "keeps the games that are over"))
}

// suiteCheck is the command "suite check".
func suiteCheck(open OpenSource) *cobra.Command {
	var f suiteFlags
	var config suite.CheckConfig
	c := &cobra.Command{
		Use:   "check [DIR|ROW...]",
		Short: "Prove rows: replay their games, recompute their figures; exit 1 if one does not hold",
		Long: `Prove rows.

Every figure is recomputed from the archive. Every game (or --replay of each row) is
played again from its record: the moves must be legal in the rules of the task, chance
must be that of the suite's seed, and state and returns at the end those of the record.
With --rerun the agents themselves play games again and must make the same moves: so a
game that was made up, with figures and digests to match, is found out too. Networks may
choose otherwise on other processors where two actions are as good as equal. Agents of
other programs are asked at --socket, or not at all.`,
		Example: `  powderkeg suite check
  powderkeg suite check --replay 50 --rerun 5
  powderkeg suite check rows/scripted.json --rerun -1 --json`,
		RunE: func(c *cobra.Command, args []string) error {
			d, err := suite.Open(f.version)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				args = []string{f.rows()}
			}
			for _, path := range args {
				if _, err := os.Stat(path); err != nil {
					return cli.Named(err)
				}
			}
			config.Workers = f.workers
			if config.Source, err = f.source(c.Context(), open); err != nil {
				return err
			}
			start := time.Now()
			report, err := suite.Check(c.Context(), d, args, config)
			if err != nil {
				return err
			}
			if report.Rows == 0 {
				return noRows(args...)
			}
			if f.json {
				err = cli.PrintJSON(c.OutOrStdout(), report)
			} else {
				for _, fault := range report.Faults {
					fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", fault.Row, fault.Problem)
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d rows: figures of %d games recomputed, %d games replayed, %d played again by their agents, in %.0f s\n",
					report.Rows, report.Games, report.Replayed, report.Rerun, time.Since(start).Seconds())
			}
			if err == nil && !f.json && len(report.Away) > 0 {
				_, err = fmt.Fprintf(c.OutOrStdout(), "not played again, for their agents are other programs' (--socket): %s\n", strings.Join(report.Away, ", "))
			}
			if err == nil && len(report.Faults) > 0 {
				err = fmt.Errorf("%w: %d things do not hold", cli.ErrCheck, len(report.Faults))
			}
			return err
		},
	}
	f.add(c)
	f.addWorkers(c)
	f.addSocket(c, "where the program listens that plays the agents of rows that are not this program's")
	c.Flags().IntVar(&config.Replay, "replay", 0, "games of each row to replay, 0 for all")
	c.Flags().IntVar(&config.Rerun, "rerun", 0, "games of each row that the agents play again, -1 for all")
	cli.Bound(c, 0, cli.MostGames, "replay")
	cli.Bound(c, -1, cli.MostGames, "rerun")
	return c
}

// noRows says that there is nothing in what was named.
func noRows(paths ...string) error {
	return fmt.Errorf("%w: there are no rows (*.json) in %s; powderkeg suite run makes some", cli.ErrUsage, option.Shorten(strings.Join(paths, ", ")))
}

// suiteTable is the command "suite table".
func suiteTable() *cobra.Command {
	var f suiteFlags
	folder := ""
	c := &cobra.Command{
		Use:   "table [DIR]",
		Short: "Print the table of the rows in Markdown, with the probabilities of improvement",
		Long: `Print the table of the rows in Markdown: scores, interquartile means, probabilities of
improvement and performance profiles.

With --csv there are three more, of all games behind the rows: payoffs.csv with what each
agent gained at each table from each seat, elo.csv with ratings by task (random play has 0;
teams have none), and elo_fit.csv, which says how well one scale describes the games. A warning
says where ratings mislead: where draws decide, or a pair goes otherwise than any scale can say.`,
		Example: `  powderkeg suite table
  powderkeg suite table --csv experiments/suite
  powderkeg suite table rows --json`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := suite.Open(f.version)
			if err != nil {
				return err
			}
			dir := f.rows()
			if len(args) == 1 {
				dir = args[0]
			}
			rows, err := suite.Rows(dir)
			if err != nil {
				return cli.Named(err)
			}
			if len(rows) == 0 {
				return noRows(dir)
			}
			if folder != "" {
				warnings, err := d.WriteCSV(folder, dir)
				if err != nil {
					return err
				}
				for _, warning := range warnings {
					cli.Warn(c)(warning)
				}
			}
			if f.json {
				return cli.PrintJSON(c.OutOrStdout(), rows)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), d.Table(rows))
			return err
		},
	}
	f.add(c)
	c.Flags().StringVar(&folder, "csv", "", "folder to write payoffs.csv, elo.csv and elo_fit.csv to")
	return c
}

// suiteTasks is the command "suite tasks".
func suiteTasks() *cobra.Command {
	var f suiteFlags
	c := &cobra.Command{
		Use:     "tasks",
		Short:   "List the tasks of the suite",
		Example: "  powderkeg suite tasks --json",
		Args:    cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := suite.Open(f.version)
			if err != nil {
				return err
			}
			if f.json {
				return cli.PrintJSON(c.OutOrStdout(), d)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), d.TaskTable())
			return err
		},
	}
	f.add(c)
	return c
}
