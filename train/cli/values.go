package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"powderkeg/agents"
	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/luck"
	"powderkeg/train/values"

	"github.com/spf13/cobra"
)

// valuesFlags are the flags of the command "values".
type valuesFlags struct {
	games    values.Collection
	learning values.Learning
	points   int
	fresh    int
	sight    string
	out      string
	json     bool
}

// valuesResult is what the command "values" found.
type valuesResult struct {
	Store  string           `json:"store"` // digest
	Curve  []values.Figures `json:"curve"`
	Values string           `json:"values"`          // path of the checkpoint
	Fresh  *luck.Result     `json:"fresh,omitempty"` // in games that were played after
}

// Values is the command "values".
func Values() *cobra.Command {
	f := valuesFlags{learning: values.DefaultLearning()}
	c := &cobra.Command{
		Use:   "values GAME AGENT [OPPONENT]",
		Short: "Learn what positions are worth from many games, so that luck can be told from play",
		Long:  valuesHelp(),
		Example: `  powderkeg values jogu zoo:jogu --games 20000 --out runs/jogu-values --record jogu/values.json
  powderkeg values 'bloc(ops_difficulty=easy)' scripted --games 100000 --moments 8 --out runs/bloc-values
  powderkeg luck jogu zoo:jogu scripted --values runs/jogu-values
  powderkeg match jogu zoo:jogu scripted --values runs/jogu-values`,
		Args: cli.Usage(cobra.RangeArgs(2, 3)),
		RunE: func(c *cobra.Command, args []string) error {
			err := f.run(c, args)
			if !errors.Is(err, context.Canceled) {
				return err
			}
			return cli.Stopped(err, "with %d games in %s; the same command goes on from them", values.Stored(f.out), f.out)
		},
	}
	f.add(c)
	return cli.Recorded(cli.Finishes(c, "keeps the games that are whole"))
}

// valuesHelp is the long help of the command.
func valuesHelp() string {
	return fmt.Sprintf(`Learn what positions are worth from many games, so that luck can be told from play.

Games of the agent are played on all processors, the agent on each seat as often as any
other, the opponent (itself, if none is named) on the rest. A few moments of each are kept
in the folder --out: decisions, and events of chance with all that could have come. A
network of its own learns from them what each seat will have gained in the end. One game
in ten is held out: half of those stop the learning, half say how much of the luck is to
be taken out.

Then fresh games are played, to see what the values are worth: the share of the variance
of results that they explain, by fifths of the game, and the luck factor, by which fewer
games are needed once the luck of dice and draws is taken out (powderkeg luck). The curve
by the number of games, of the games held out, says whether more would help.

What an interruption leaves is gone on from by the same command; with more --games only
those that are missing are played. The games do not depend on --workers.

Agents:
%s`, agentscli.AgentHelp())
}

// add adds the flags to the command.
func (f *valuesFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.games.Games, "games", 10_000, fmt.Sprintf("games to learn from, rounded up to a multiple of %d", values.SegmentGames))
	flags.IntVar(&f.games.Moments, "moments", 4, "decisions, and events of chance, that are kept of each game")
	flags.StringVar(&f.sight, "sight", "",
		"what values see: all seats' observations, or the first's (default: all, but first where nothing is hidden or all seats are one team)")
	flags.Uint64Var(&f.games.Seed, "seed", 1, "seed of all chance and all agents")
	flags.IntVar(&f.games.Workers, "workers", runtime.NumCPU(), "games played at a time, and goroutines that learn; the result does not depend on it")
	flags.StringVar(&f.out, "out", "", "folder for the games, the values and the curve")
	flags.IntSliceVar(&f.learning.Hidden, "hidden", f.learning.Hidden, "widths of the hidden layers, the first a multiple of 16")
	flags.IntVar(&f.learning.Epochs, "epochs", f.learning.Epochs, "times that all moments are learned from at most")
	flags.IntVar(&f.learning.Batch, "batch", f.learning.Batch, "moments learned from at a time")
	flags.Float64Var(&f.learning.Rate, "rate", f.learning.Rate, "learning rate at its highest")
	flags.Float64Var(&f.learning.Decay, "decay", f.learning.Decay, "decay of the weights, in units of the rate")
	flags.Float64Var(&f.learning.Lambda, "lambda", f.learning.Lambda,
		"weight of what came later against the values of the next moment; 1 learns from results alone")
	flags.BoolVar(&f.learning.Corrected, "corrected", f.learning.Corrected, "take the luck of later moments out of what is learned")
	flags.Float64Var(&f.learning.Differences, "differences", f.learning.Differences, "how much more the differences between outcomes of chance count")
	flags.IntVar(&f.points, "points", 3, "points of the curve, each of four times as many games as the one before")
	flags.IntVar(&f.fresh, "fresh-games", 400, "games to measure the values in, 0 for none")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cli.Bound(c, 1, values.MostGames, "games")
	cli.Bound(c, 1, values.MostMoments, "moments")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	cli.Bound(c, 1, values.MostWidth, "hidden")
	cli.Bound(c, 1, cli.MostRuns, "epochs", "batch")
	cli.Bound(c, 1e-8, 1, "rate")
	cli.Bound(c, 0, 1, "decay", "lambda")
	cli.Bound(c, 0, 1000, "differences")
	cli.Bound(c, 1, 10, "points")
	cli.Bound(c, 0, cli.MostRuns, "fresh-games")
}

// seat makes the agents of a collection by name.
func (f *valuesFlags) seat(g engine.Game, names []string) error {
	for i, name := range []string{names[0], names[len(names)-1]} {
		if name == "human" {
			return fmt.Errorf("%w: people do not play measurements; use powderkeg play", cli.ErrUsage)
		}
		if _, err := roster.New(g, name); err != nil {
			return err
		}
		f.games.Names[i], f.games.Prints[i] = name, ""
		if ref, ok := roster.Network(name); ok {
			print, err := checkpoints.Fingerprint(ref)
			if err != nil {
				return err
			}
			f.games.Prints[i] = print
		}
	}
	f.games.Agent = func() (agents.Agent, error) { return roster.New(g, f.games.Names[0]) }
	f.games.Others = func() (agents.Agent, error) { return roster.New(g, f.games.Names[1]) }
	return nil
}

// prints are the digests of the agents' weights.
func (f *valuesFlags) prints() map[string]string {
	all := map[string]string{}
	for i, print := range f.games.Prints {
		if print != "" {
			all[f.games.Names[i]] = print
		}
	}
	return all
}

// set sets what is collected and how it is learned, by the arguments.
func (f *valuesFlags) set(args []string) error {
	if f.out == "" {
		return fmt.Errorf("%w: --out is missing; name a folder for the games and the values", cli.ErrUsage)
	}
	g, err := env.NewGame(args[0])
	if err != nil {
		return err
	}
	f.games.Game, f.games.Sight = g, values.Sight(f.sight)
	if f.sight == "" {
		f.games.Sight = values.SightOf(g)
	}
	if err := f.seat(g, args[1:]); err != nil {
		return err
	}
	f.learning.Seed, f.learning.Workers = f.games.Seed, f.games.Workers
	return values.Check(f.games, f.learning)
}

func (f *valuesFlags) run(c *cobra.Command, args []string) error {
	if err := f.set(args); err != nil {
		return err
	}
	release, err := durable.Lock(f.out, "folder")
	if err != nil {
		return err
	}
	defer release()
	begun := values.Stored(f.out) > 0
	store, err := f.collect(c)
	if err != nil {
		return err
	}
	result, err := f.learn(c, store)
	if err != nil {
		return err
	}
	cli.Found(c, record.Found{
		Result: result, Games: []engine.Game{f.games.Game}, Networks: f.prints(), Seeds: []uint64{f.games.Seed}, Played: store.Games(), Elsewhere: begun,
	})
	if f.json {
		return cli.PrintJSON(c.OutOrStdout(), result)
	}
	return result.write(c.OutOrStdout())
}

// collect plays the games that are missing.
func (f *valuesFlags) collect(c *cobra.Command) (*values.Store, error) {
	progress, end := gamesBar(c)
	f.games.Progress = progress
	store, err := values.Collect(c.Context(), f.out, f.games)
	end()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%d games, %d moments, %s\n", store.Games(), store.Moments(), store.Bytes())
	return store, nil
}

// learn learns from the games, saves what came of it, and measures it in fresh games.
func (f *valuesFlags) learn(c *cobra.Command, store *values.Store) (*valuesResult, error) {
	f.learning.Progress = func(p values.Figures) {
		fmt.Fprintf(c.ErrOrStderr(), "%d games, epoch %d: loss %.4f, explained %.1f%%, luck factor %.2f\n",
			p.Games, p.Epoch, p.Loss, 100*p.Explained, p.Factor)
	}
	net, curve, err := values.Curve(c.Context(), store, f.learning, f.points)
	if err != nil {
		return nil, err
	}
	result := &valuesResult{Store: store.Digest(), Curve: curve}
	critics := values.New(f.games.Game, store, net, curve[len(curve)-1])
	if result.Values, err = critics.Save(checkpoints.Store{Dir: filepath.Join(f.out, "checkpoints")}); err != nil {
		return nil, err
	}
	if err := values.WriteCurve(f.out, curve); err != nil {
		return nil, err
	}
	if f.fresh > 1 {
		if result.Fresh, err = f.measure(c.Context(), c, critics); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// measure plays fresh games, with the share of the luck that was fixed before.
func (f *valuesFlags) measure(ctx context.Context, c *cobra.Command, critics *values.Network) (*luck.Result, error) {
	progress, end := gamesBar(c)
	defer end()
	return luck.Measure(ctx, luck.Config{
		Game: f.games.Game, Agent: f.games.Agent, Others: f.games.Others, Games: f.fresh, Seed: f.games.Seed,
		Values:   func() luck.Values { return critics.NewCritic() },
		Outcomes: luck.MostOutcomes, Share: critics.Card.Share, Workers: f.games.Workers, Progress: progress,
	})
}

func (r *valuesResult) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "games\tepoch\tloss\texplained\tby fifths of the game\tluck factor\tshare taken out")
	for _, p := range r.Curve {
		fmt.Fprintf(t, "%d\t%d\t%.4f\t%.1f%%\t", p.Games, p.Epoch, p.Loss, 100*p.Explained)
		for _, x := range p.ByPhase {
			fmt.Fprintf(t, "%.1f ", 100*x)
		}
		fmt.Fprintf(t, "\t%.2f\t%.2f\n", p.Factor, p.Share)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.Fresh != nil {
		fmt.Fprintln(w, "\nin fresh games:")
		if err := r.Fresh.Write(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "values         %s\n", r.Values)
	return err
}
