package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/job"
	"powderkeg/train/respond"
	"powderkeg/train/solve"

	"github.com/spf13/cobra"
)

// respondFlags are the flags of the command "respond".
type respondFlags struct {
	config      respond.Config
	start       cli.StartAt
	by          []string
	run         string
	exact, json bool
	others      jobFlags
}

// Respond is the command "respond".
func Respond() *cobra.Command {
	f := respondFlags{config: respond.Default("", "")}
	c := &cobra.Command{
		Use:   "respond GAME AGENT",
		Short: "Train a best response to an agent: what it can lose, from below",
		Long: fmt.Sprintf(`Train a best response to an agent, which stays as it is: what it can lose.

Responses are looked for in several ways, --by:
  scratch  a network learns against the agent, from random weights
  own      the same, from the agent's own weights; for networks
  search   a search at every decision that takes the agent to be what it plays
           against: md for networks, mcts with its rollouts for others
Each learner has its checkpoints measured in games: the response on one seat, the
agent on the others, and the agent on all seats under the same chance. For each seat
the candidate with the highest lower end of its interval is chosen, and what the
choice gains is measured in fresh games, since the best of many had luck too. In
expectation the gains of all seats together are a lower bound of the agent's
NashConv; over the number of seats, in zero-sum games, of its exploitability.

How near the bound comes is known in small games, where "powderkeg solve GAME
--policy AGENT" has the truth; --exact sets it beside the bound. Nothing of it goes
into the response. experiments/reports/0015-respond.md has the calibration.

Learners are trained and games are played by this process, by --processes others beside
it, or by all workers of a broker (--nats, powderkeg worker): each learner by one of them,
all at once, the games by all. What is found is the same. An agent that is a file must
stand in the same place there. A learner whose worker is lost begins anew, and its updates
are not shown; one that was begun here goes on here. --seconds is turned into decisions by
the speed of this process.

A run is a folder, and the same command goes on with one that was stopped. It has
a training run for each learner, candidates, result.json and curve.png. "respond
compare" sets the results of a folder (*.json) side by side.

Agents are those without memory, so without a limit on time:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg respond leduc random --seconds 60
  powderkeg respond leduc checkpoint:runs/leduc-ppo --exact
  powderkeg respond jogu zoo:jogu --decisions 20000000 --by own,scratch
  powderkeg respond domination scripted --seconds 1800 --json
  powderkeg respond jogu zoo:jogu --record jogu/respond.json
  powderkeg respond kuhn scripted --by search --sims 1000
  powderkeg respond leduc checkpoint:runs/leduc-ppo --processes 2
  powderkeg respond jogu zoo:jogu --decisions 20000000 --nats nats://broker:4222
  powderkeg respond jogu random --position train/suite/v1/positions/jogu-mini.json --exact`,
		Args: cli.Usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			f.config.Game, f.config.Agent = args[0], args[1]
			return f.respond(c)
		},
	}
	c.AddCommand(respondCompare())
	flags := c.Flags()
	flags.StringSliceVar(&f.by, "by", nil, "ways to look for a response: scratch, own, search (default: those that suit)")
	flags.Int64Var(&f.config.Decisions, "decisions", f.config.Decisions, "decisions that each learner plays, the agent's among them")
	flags.Float64Var(&f.config.Seconds, "seconds", 0, "time for training in all, in place of --decisions")
	flags.IntVar(&f.config.Candidates, "candidates", f.config.Candidates, "checkpoints of each learner to measure")
	flags.IntVar(&f.config.Units, "units", f.config.Units,
		"units of games that measure each candidate: one game for each seat, and one of the agent alone")
	flags.IntVar(&f.config.FreshUnits, "fresh-units", f.config.FreshUnits, "units that measure the response in the end")
	flags.IntVar(&f.config.SearchUnits, "search-units", f.config.SearchUnits, "units that measure a search, in place of both")
	flags.IntVar(&f.config.Simulations, "sims", f.config.Simulations, "simulations of a search per decision")
	flags.StringArrayVar(&f.config.Set, "set", nil,
		"KEY=VALUE: a key of the training configuration, such as network.hidden=[128,128]; may come several times")
	flags.Uint64Var(&f.config.Seed, "seed", f.config.Seed, "seed of training and games")
	flags.IntVar(&f.config.Workers, "workers", 0, "goroutines that play in each process, 0 for one per processor")
	f.others.add(c, "processes")
	f.start.Add(c)
	flags.StringVar(&f.run, "run", "", "folder of the run (default runs/respond-GAME-AGENT)")
	flags.BoolVar(&f.exact, "exact", false, "set the exact best response beside what was found, in small games")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cli.Bound(c, 1, cli.MostGames, "decisions")
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "seconds")
	cli.Bound(c, 1, respond.MostCandidates, "candidates")
	cli.Bound(c, 2, respond.MostUnits, "units", "fresh-units", "search-units")
	cli.Bound(c, 1, respond.MostSimulations, "sims")
	cli.Bound(c, 0, cli.MostWorkers, "workers")
	return cli.Recorded(cli.Finishes(c, "saves the learner and the games that are over"))
}

// respondCompare is the command "respond compare".
func respondCompare() *cobra.Command {
	plot := ""
	c := &cobra.Command{
		Use:   "compare DIR",
		Short: "Print the table of results, and plot what was found against the truth",
		Example: `  powderkeg respond compare experiments/respond
  powderkeg respond compare results --plot found.png`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := cli.Output("--plot", plot); err != nil {
				return err
			}
			results, err := respond.Read(args[0])
			if err != nil {
				return err
			}
			if plot != "" {
				if err := respond.PlotCalibration(results, plot); err != nil {
					return err
				}
			}
			_, err = fmt.Fprint(c.OutOrStdout(), respond.Table(results))
			return err
		},
	}
	c.Flags().StringVar(&plot, "plot", "", "file for a plot of the results whose truth is known (.png, .svg or .pdf)")
	return c
}

// respond runs the command.
func (f *respondFlags) respond(c *cobra.Command) error {
	for _, way := range f.by {
		f.config.Ways = append(f.config.Ways, respond.Way(strings.TrimSpace(way)))
	}
	if c.Flags().Changed("seconds") && c.Flags().Changed("decisions") {
		return fmt.Errorf("%w: --seconds takes the place of --decisions; give one of them", cli.ErrUsage)
	}
	position, err := f.start.Read(c)
	if err != nil {
		return err
	}
	f.config.Position = string(position)
	if err := f.config.Validate(); err != nil {
		return err
	}
	agentscli.WarnOfEditions(c, f.config.Game, f.config.Agent)
	tree, err := respond.Solvable(c.Context(), f.config)
	if err != nil {
		return err
	}
	if tree == nil && f.exact {
		return fmt.Errorf("%w: --exact: the tree of %s is too large, or it has no information states", cli.ErrUsage, f.config.Game)
	}
	if tree != nil && !f.exact {
		fmt.Fprintf(c.ErrOrStderr(), "%s is small enough for the exact answer: %s, or --exact here\n", f.config.Game,
			cli.Typed(f.config.Game, "solve", f.config.Game, "--policy", f.config.Agent))
	}
	if f.run == "" {
		f.run = filepath.Join("runs", folderName("respond-"+f.config.Game+"-"+f.config.Agent))
	}
	begun := begun(f.run)
	result, err := f.find(c, tree)
	if err != nil {
		return err
	}
	if err := f.found(c, result, begun); err != nil {
		return err
	}
	if f.json {
		return cli.PrintJSON(c.OutOrStdout(), result)
	}
	if err := result.Write(c.OutOrStdout()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "curve %s\n", filepath.Join(f.run, "curve.png"))
	return err
}

// found says what was found, for a record.
func (f *respondFlags) found(c *cobra.Command, result *respond.Result, begun bool) error {
	g, err := env.NewGame(f.config.Game)
	if err != nil {
		return err
	}
	weights, err := roster.Weights(f.config.Agent)
	if err != nil {
		return err
	}
	cli.Found(c, record.Found{
		Result: result, Games: []engine.Game{g}, Networks: weightsOf(f.config.Agent, weights), Seeds: []uint64{result.Seed}, Played: result.Fresh.Games,
		Elsewhere: begun || f.others.nats != "",
	})
	return nil
}

// begun reports whether there is something in a folder that a command goes on with.
func begun(folder string) bool {
	_, err := os.Stat(folder)
	return err == nil
}

// find looks for the response and, if that was asked, sets the truth beside it.
func (f *respondFlags) find(c *cobra.Command, tree *solve.Tree) (*respond.Result, error) {
	var agent *solve.Policy
	if f.exact {
		var err error
		if agent, err = policyOf(tree, f.config.Agent); err != nil {
			return nil, err
		}
	}
	var result *respond.Result
	err := f.others.employ(c, "respond", f.config.Game, func(hands job.Hands) (err error) {
		result, err = respond.Run(c.Context(), f.config, respond.Options{Dir: f.run, Progress: c.ErrOrStderr(), Hands: hands})
		return err
	})
	if err == nil && f.exact {
		err = result.Compare(f.run, tree, agent)
	}
	return result, err
}

// folderName makes a name for a folder of a text with the signs of game and agent strings:
// jogu(first=any) is jogu-first-any.
func folderName(text string) string {
	return strings.NewReplacer("(", "-", ")", "", "=", "-", ",", "-", ":", "-", "/", "-", "\\", "-").Replace(text)
}
