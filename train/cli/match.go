// Package cli holds the subcommands that measure and train agents.
package cli

import (
	"fmt"
	"path/filepath"
	"runtime"

	"powderkeg/agents"
	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train"
	"powderkeg/train/eval"
	"powderkeg/train/job"
	"powderkeg/train/luck"
	"powderkeg/train/values"

	"github.com/spf13/cobra"
)

// Match is the command "match".
func Match() *cobra.Command {
	var config eval.Config
	var start cli.StartAt
	var others jobFlags
	var asJSON, matrix bool
	var heatMap, own string
	c := &cobra.Command{
		Use:   "match GAME AGENT...",
		Short: "Play a tournament between agents: win rates with intervals, Elo, by seat",
		Long: fmt.Sprintf(`Play a tournament between agents.

Games come in units in which every agent holds every seat once under the same
chance seed. What is told follows from the payoff. Where returns add up to zero it is
the win rate, a draw as half a win; in a cooperative game how often the team wins; where
each seat has a payoff of its own the mean return and how often it is above 0. All come
with 95%% intervals over the units. Elo is the maximum-likelihood fit over all games, with
mean 0; in a game of more than two seats every two seats of different agents count as a
duel, which the larger return wins. A warning says where Elo misleads: where draws
decide, where it and the mean return disagree, where results go in a circle.

One agent alone holds every seat: how often a team of equals wins a cooperative game,
what the seats of one of mixed motives gain, and elsewhere what each seat is worth.

With --values, made by powderkeg values, the mean returns are also told with the luck of
dice and draws taken out, which estimates the same with fewer games: by how many times
fewer is told, too. Whatever the values are, they favour nobody.

Games are played by this process, by --processes others beside it, or by all workers of
a broker (--nats, powderkeg worker); the result is the same. An agent that is a file
must stand in the same place there.

More than two agents play in all combinations. --solo sets the first one alone
against tables of the others instead.

Agents:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg match jogu scripted random --games 1000
  powderkeg match 'jogu(first=any,second=any)' zoo:jogu scripted 'mcts(sims=200)' --json
  powderkeg match insurgency zoo:insurgency scripted --games 4000 --record insurgency/match.json
  powderkeg match 'bloc(players=2)' scripted --games 1000
  powderkeg match leduc random scripted mcts --matrix --heatmap leduc.png
  powderkeg match jogu zoo:jogu scripted --values runs/jogu-values
  powderkeg match 'bloc(mode=semi_cooperative)' 'mcts(sims=50)' --games 200 --processes 2
  powderkeg match jogu 'mcts(sims=2000)' zoo:jogu --games 5000 --nats nats://broker:4222`,
		Args: cli.Usage(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := env.NewGame(args[0])
			if err != nil {
				return err
			}
			if g, _, err = start.Game(c, g); err != nil {
				return err
			}
			config.Game, config.Contestants = g, nil
			if format := filepath.Ext(heatMap); heatMap != "" && format != ".png" && format != ".svg" && format != ".pdf" {
				return fmt.Errorf("%w: --heatmap is %s; the file must end in .png, .svg or .pdf", cli.ErrUsage, option.Shorten(heatMap))
			}
			for name, given := range map[string]bool{"solo": config.Solo, "matrix": matrix, "heatmap": heatMap != ""} {
				if given && len(args) == 2 {
					return fmt.Errorf("%w: --%s sets agents beside each other, and there is %s alone; name another agent", cli.ErrUsage, name,
						option.Shorten(args[1]))
				}
			}
			if err := cli.Output("--heatmap", heatMap); err != nil {
				return err
			}
			if err := agentscli.Contestants(c, g, "matches", args[1:]...); err != nil {
				return err
			}
			for _, name := range args[1:] {
				config.Contestants = append(config.Contestants, eval.Contestant{
					Name: name,
					New:  func() (agents.Agent, error) { return roster.New(g, name) },
				})
			}
			if config.Correction, err = correction(c, g, own); err != nil {
				return err
			}
			if len(config.Contestants) == 1 {
				return team(c, config, &others, asJSON)
			}
			progress, end := gamesBar(c)
			config.Progress = progress
			var result *eval.Result
			err = others.employ(c, "match", g.Spec().Text, func(hands job.Hands) (err error) {
				if config.Elsewhere, err = elsewhere(hands, args[1:]); err != nil {
					return err
				}
				result, err = eval.Match(c.Context(), config)
				return err
			})
			end()
			if err != nil {
				return err
			}
			cli.Found(c, record.Found{
				Result: result, Games: []engine.Game{g}, Seeds: []uint64{config.Seed}, Played: result.Games, Elsewhere: others.nats != "",
			})
			if heatMap != "" {
				if err := result.WriteHeatMap(heatMap); err != nil {
					return err
				}
			}
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), result)
			}
			if err := result.Write(c.OutOrStdout()); err != nil || !matrix {
				return err
			}
			fmt.Fprintln(c.OutOrStdout())
			return result.WriteMatrix(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.IntVar(&config.Games, "games", 200, "games to play at least; rounded up to whole units")
	f.Uint64Var(&config.Seed, "seed", 1, "seed of all chance and all agents")
	f.IntVar(&config.Workers, "workers", runtime.NumCPU(), "games played at a time by this process; the result does not depend on it")
	others.add(c, "processes")
	start.Add(c)
	f.BoolVar(&config.Solo, "solo", false, "the first agent holds one seat of each game, the others fill the rest")
	f.BoolVar(&matrix, "matrix", false, "print the matrix of mean returns too")
	f.StringVar(&heatMap, "heatmap", "", "draw the matrix into this file: .png, .svg or .pdf")
	f.StringVar(&own, "values", "", "folder of powderkeg values by which results are told without luck, too")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	cli.Bound(c, 1, cli.MostGames, "games")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	return cli.Recorded(c)
}

// elsewhere is where hands play a match between agents of the roster, nil without hands.
func elsewhere(hands job.Hands, names []string) (*eval.Elsewhere, error) {
	if hands == nil {
		return nil, nil
	}
	e := &eval.Elsewhere{Hands: hands}
	for _, name := range names {
		a, err := train.Roster.Named(name)
		if err != nil {
			return nil, err
		}
		e.Agents = append(e.Agents, a)
	}
	return e, nil
}

// gamesBar returns what shows how many games are over, from the first one on, and what ends that.
func gamesBar(c *cobra.Command) (progress func(done, total int), end func()) { return bar(c, "games") }

// bar shows how much of something is done, from the first report until the end.
func bar(c *cobra.Command, label string) (progress func(done, total int), end func()) {
	var bar *cli.Bar
	return func(done, total int) {
			if bar == nil {
				bar = cli.NewBar(c.ErrOrStderr(), label, total)
			}
			bar.Set(done)
		}, func() {
			if bar != nil {
				bar.Close()
			}
		}
}

// team plays one agent on every seat and prints the result.
func team(c *cobra.Command, config eval.Config, others *jobFlags, asJSON bool) error {
	agent := config.Contestants[0]
	progress, end := gamesBar(c)
	var result *eval.TeamResult
	err := others.employ(c, "match", config.Game.Spec().Text, func(hands job.Hands) error {
		elsewhere, err := elsewhere(hands, []string{agent.Name})
		if err != nil {
			return err
		}
		result, err = eval.Team(c.Context(), eval.TeamConfig{
			Game: config.Game, Agent: agent, Games: config.Games, Seed: config.Seed, Workers: config.Workers, Elsewhere: elsewhere, Progress: progress,
			Correction: config.Correction,
		})
		return err
	})
	end()
	if err != nil {
		return err
	}
	cli.Found(c, record.Found{
		Result: result, Games: []engine.Game{config.Game}, Seeds: []uint64{config.Seed}, Played: result.Games, Elsewhere: others.nats != "",
	})
	if asJSON {
		return cli.PrintJSON(c.OutOrStdout(), result)
	}
	return result.Write(c.OutOrStdout())
}

// correction is by the values that ref names, nil if it is empty.
func correction(c *cobra.Command, g engine.Game, ref string) (*luck.Correction, error) {
	if ref == "" {
		return nil, nil
	}
	for _, name := range []string{"processes", "nats"} {
		if c.Flags().Changed(name) {
			return nil, fmt.Errorf("%w: --values and --%s are both given; games are corrected for luck in this process alone", cli.ErrUsage, name)
		}
	}
	net, err := values.Load(g, ref)
	if err != nil {
		return nil, option.Wrong(err)
	}
	digest, err := checkpoints.Fingerprint(ref)
	if err != nil {
		return nil, err
	}
	return &luck.Correction{Values: func() luck.Values { return net.NewCritic() }, Digest: digest, Share: net.Card.Share}, nil
}
