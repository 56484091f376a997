package cli

import (
	"fmt"
	"runtime"

	"powderkeg/agents"
	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/luck"
	"powderkeg/train/values"

	"github.com/spf13/cobra"
)

// Luck is the command "luck".
func Luck() *cobra.Command {
	config := luck.Config{Outcomes: luck.MostOutcomes, Share: 1}
	var start cli.StartAt
	var critic, own string
	var asJSON bool
	c := &cobra.Command{
		Use:   "luck GAME AGENT [OPPONENT]",
		Short: "Measure how much of an agent's results is luck that a critic can take out",
		Long: fmt.Sprintf(`Measure how much of an agent's results is luck that a critic can take out.

At each die and draw the critic's value of what came, minus the mean of its values of all
that could have come, is luck. Results without it have the same mean, whatever the critic
thinks, and a smaller variance if it can tell a good die from a bad one: the luck factor
is the one variance over the other. A factor of 2 means that half as many games tell as
much; below 1 the critic adds noise. A critic that cannot pass 1 here cannot teach a
policy much either.

The agent holds each seat as often as any other, the opponent (itself, if none is named)
the rest. The critic is the value head of the agent's network, or of --critic, or a network
of values (--values), which powderkeg values makes and which says itself which share of
the luck to take out. It also says how much of the variance of the results its values
explain, by fifths of the game.

Agents:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg luck jogu zoo:jogu
  powderkeg luck domination zoo:domination scripted --games 1000 --record domination/luck.json
  powderkeg luck jogu zoo:jogu scripted --values runs/jogu-values
  powderkeg luck 'bloc(ops_difficulty=easy)' scripted --critic checkpoint:runs/bloc --json`,
		Args: cli.Usage(cobra.RangeArgs(2, 3)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := env.NewGame(args[0])
			if err != nil {
				return err
			}
			if g, _, err = start.Game(c, g); err != nil {
				return err
			}
			config.Game = g
			if err := agentscli.Contestants(c, g, "measurements", args[1:]...); err != nil {
				return err
			}
			agent, opponent := args[1], args[len(args)-1]
			config.Agent = func() (agents.Agent, error) { return roster.New(g, agent) }
			config.Others = func() (agents.Agent, error) { return roster.New(g, opponent) }
			told, err := judge(c, &config, agent, critic, own)
			if err != nil {
				return err
			}
			progress, end := gamesBar(c)
			config.Progress = progress
			result, err := luck.Measure(c.Context(), config)
			end()
			if err != nil {
				return err
			}
			result.Agent, result.Opponent, result.Critic, result.CriticWeights = agent, opponent, told.name, told.weights
			cli.Found(c, record.Found{
				Result: result, Games: []engine.Game{g}, Networks: weightsOf(told.name, told.weights), Seeds: []uint64{config.Seed}, Played: result.Games,
			})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), result)
			}
			return result.Write(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.IntVar(&config.Games, "games", 400, "games to play")
	f.Uint64Var(&config.Seed, "seed", 1, "seed of all chance and all agents")
	f.IntVar(&config.Outcomes, "outcomes", config.Outcomes, "correct chance events of up to this many outcomes")
	f.Float64Var(&config.Share, "share", config.Share, "share of the luck to take out, from 0 to 1; choose it before the games are played")
	f.StringVar(&critic, "critic", "", "network whose values are used, such as zoo:jogu or checkpoint:RUN (default: the agent's)")
	f.StringVar(&own, "values", "", "folder of powderkeg values whose network is used instead, with the share that it says")
	f.IntVar(&config.Workers, "workers", runtime.NumCPU(), "games played at a time; the result does not depend on it")
	start.Add(c)
	cli.Bound(c, 2, cli.MostRuns, "games")
	cli.Bound(c, 2, cli.MostSlots, "outcomes")
	cli.Bound(c, 0, 1, "share")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cli.Recorded(c)
}

// critics are whose values correct a measurement, with the digest of their weights.
type critics struct{ name, weights string }

// judge sets by what a measurement of an agent is corrected: by a network of values if one is
// named, with its share unless another was given, else by the critic, else by the agent's own.
func judge(c *cobra.Command, config *luck.Config, agent, critic, own string) (critics, error) {
	if own != "" {
		if critic != "" {
			return critics{}, fmt.Errorf("%w: --values and --critic are both given; give one", cli.ErrUsage)
		}
		net, err := values.Load(config.Game, own)
		if err != nil {
			return critics{}, option.Wrong(err)
		}
		if !c.Flags().Changed("share") {
			config.Share = net.Card.Share
		}
		config.Values = func() luck.Values { return net.NewCritic() }
		weights, err := checkpoints.Fingerprint(own)
		return critics{own, weights}, err
	}
	if critic == "" {
		critic = agent
	}
	ref, ok := roster.Network(critic)
	if !ok {
		return critics{}, fmt.Errorf("%w: %s has no whole network whose values could be used; name one with --critic, such as checkpoint:RUN, or values "+
			"with --values",
			cli.ErrUsage, critic)
	}
	brain, err := learned.Open(config.Game, ref)
	if err != nil {
		return critics{}, option.Wrong(err)
	}
	config.Values = func() luck.Values { return luck.NewCritic(config.Game, brain) }
	weights, err := roster.Weights(critic)
	return critics{critic, weights}, err
}
