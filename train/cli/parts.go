package cli

import (
	"fmt"
	"runtime"

	"powderkeg/agents"
	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/eval"

	"github.com/spf13/cobra"
)

// Parts is the command "parts".
func Parts() *cobra.Command {
	config, games, opponent := eval.PartsConfig{}, 200, "scripted"
	var start cli.StartAt
	var asJSON bool
	c := &cobra.Command{
		Use:   "parts GAME AGENT",
		Short: "Take a trained agent apart: what its network does alone, what its adviser does",
		Long: fmt.Sprintf(`Take a trained agent apart, to see what is learned in it.

The agent plays as it is, without its adviser (advice=0) and with a policy head of zeros
(policy=0), so that the adviser alone decides; a planner's network in the same way. All
three play the same games: each on every seat in turn with the opponent on the others, or
in a cooperative game on all seats. What is learned is what the whole has more than the
adviser alone. How often the agent departs from its advice is counted among choices of at
least two actions, by seat. A network that nobody advises has learned all that it does.

Agents:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg parts minuteman zoo:minuteman --games 4000
  powderkeg parts 'bloc(ops_difficulty=easy)' zoo:bloc --json
  powderkeg parts jogu zoo:jogu --games 4000 --record jogu/parts.json
  powderkeg parts insurgency zoo:insurgency --opponent 'mcts(sims=50)'
  powderkeg parts 'bloc(ops_difficulty=easy)' 'planner(net=runs/plans-bloc/bot)'`,
		Args: cli.Usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := env.NewGame(args[0])
			if err != nil {
				return err
			}
			if g, _, err = start.Game(c, g); err != nil {
				return err
			}
			parts, err := roster.PartsOf(g, args[1])
			if err != nil {
				return err
			}
			agentscli.WarnOfEditions(c, g.Spec().Text, args[1])
			config.Game = g
			if config.Opponent = named(g, opponent); g.Spec().Payoff == engine.Cooperative {
				config.Opponent = eval.Contestant{}
				if c.Flags().Changed("opponent") {
					return fmt.Errorf("%w: --opponent: in %s the agent has all seats", cli.ErrUsage, g.Spec().Text)
				}
				config.Units = max(2, games)
			} else if _, err := config.Opponent.New(); err != nil {
				return fmt.Errorf("--opponent: %w", err)
			} else {
				config.Units = max(2, (games+g.Spec().Seats-1)/g.Spec().Seats)
			}
			config.Variants = []eval.Contestant{named(g, parts.Whole)}
			if parts.Adviser != "" {
				config.Variants = append(config.Variants, named(g, parts.Network), named(g, parts.Adviser))
				config.Advised = named(g, parts.Advised).New
			}
			progress, end := gamesBar(c)
			config.Progress = progress
			result, err := eval.Parts(c.Context(), config)
			end()
			if err != nil {
				return err
			}
			result.Agent = args[1]
			if result.Weights, err = roster.Weights(args[1]); err != nil {
				return err
			}
			cli.Found(c, record.Found{
				Result: result, Games: []engine.Game{g}, Networks: weightsOf(args[1], result.Weights), Seeds: []uint64{config.Seed}, Played: result.Games,
			})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), result)
			}
			return result.Write(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.IntVar(&games, "games", games, "games of each part at least; rounded up so that it has each seat equally often")
	f.Uint64Var(&config.Seed, "seed", 1, "seed of all chance and all agents")
	f.StringVar(&opponent, "opponent", opponent, "agent that has the other seats")
	f.IntVar(&config.Workers, "workers", runtime.NumCPU(), "units of games played at a time; the result does not depend on it")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	start.Add(c)
	cli.Bound(c, 1, cli.MostGames, "games")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	return cli.Recorded(c)
}

// weightsOf are the weights that an agent has, for a record.
func weightsOf(agent, digest string) map[string]string {
	if digest == "" {
		return nil
	}
	return map[string]string{agent: digest}
}

// named is the contestant of an agent's name.
func named(g engine.Game, name string) eval.Contestant {
	return eval.Contestant{Name: name, New: func() (agents.Agent, error) { return roster.New(g, name) }}
}
