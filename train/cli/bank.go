package cli

import (
	"fmt"
	"runtime"
	"strings"

	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/bank"

	"github.com/spf13/cobra"
)

// Bank is the command "bank".
func Bank() *cobra.Command {
	c := &cobra.Command{
		Use:   "bank",
		Short: "Judge agents in late positions that are solved exactly",
		Long: `Judge agents in late positions that are solved exactly.

A bank holds late positions of an agent's own games, each with all deals that its seats
may hold possible, and the value of the game from there on. What an agent loses against
that value, or against the best answer to what it does, is not a matter of opponents or
luck. Positions in which it makes no difference what is played are left out.`,
		Example: `  powderkeg bank make jogu --agent zoo:jogu --out jogu.json.gz
  powderkeg bank score jogu.json.gz zoo:jogu`,
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(bankMake(), bankScore())
	return c
}

// bankMake is the command "bank make".
func bankMake() *cobra.Command {
	config := bank.Default(nil)
	var agent, out string
	var start cli.StartAt
	c := &cobra.Command{
		Use:   "make GAME",
		Short: "Play games and keep late positions that are contested and can be solved",
		Long: fmt.Sprintf(`Play games and keep late positions that are contested and can be solved.

The agent plays all seats. From the end of each game backwards the positions are solved
whose deals and trees are small enough, and those are kept in which random play loses
something. Where two seats or more still decide, the game must be one of two seats that
adds up to zero, or a cooperative one: there a team plays best that sees all hands.

With --position the bank is of that position alone, which all seats know, and no game is
played.

The same flags give the same bank, whatever the number of workers. Interrupted, it
keeps the positions of the games that are over, and says how many those are.

Agents are those without memory:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg bank make jogu --agent zoo:jogu --out jogu.json.gz
  powderkeg bank make domination --agent zoo:domination --positions 300 --seed 2 --out fresh.json.gz
  powderkeg bank make leduc --agent random --out leduc.json`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := env.NewGame(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				return fmt.Errorf("%w: --out FILE is needed, the file for the bank", cli.ErrUsage)
			}
			if err := cli.Output("--out", out); err != nil {
				return err
			}
			if g, _, err = start.Game(c, g); err != nil {
				return err
			}
			if c.Flags().Changed("position") {
				made, err := bank.Alone(c.Context(), g, config.Limits)
				if err != nil {
					return err
				}
				return keepBank(c, made, out)
			}
			config.Game, config.Name = g, agent
			if config.Players, err = roster.Policies(g, agent); err != nil {
				return fmt.Errorf("--agent: %w", err)
			}
			agentscli.WarnOfEditions(c, args[0], agent)
			progress, end := bar(c, "positions")
			config.Progress = func(positions, _ int) { progress(positions, config.Positions) }
			made, err := bank.Make(c.Context(), config)
			end()
			if made == nil {
				return err
			}
			if kept := keepBank(c, made, out); kept != nil || err == nil {
				return kept
			}
			return cli.Stopped(err, "with the positions of the games that are over kept; --games %d gives the same ones", made.Games)
		},
	}
	f := c.Flags()
	start.Add(c)
	f.StringVar(&agent, "agent", "scripted", "agent that plays all seats")
	f.StringVar(&out, "out", "", "file for the bank (JSON, packed if its name ends in .gz)")
	f.IntVar(&config.Positions, "positions", config.Positions, "positions that are wanted")
	f.IntVar(&config.Games, "games", config.Games, "games that are played for them at the most")
	f.IntVar(&config.Each, "each", config.Each, "positions of a game at the most, drawn from those that it has")
	f.IntVar(&config.Limits.Deals, "deals", config.Limits.Deals, "deals that may be possible in a position at the most")
	f.IntVar(&config.Limits.Nodes, "nodes", config.Limits.Nodes,
		"nodes of a position's tree at the most, in a cooperative game the states that can come of it")
	f.Float64Var(&config.Limits.Cut, "cut", config.Limits.Cut, "least that random play loses in a position, in units of the largest return")
	f.Uint64Var(&config.Seed, "seed", config.Seed, "seed of all chance and of the agent")
	f.IntVar(&config.Workers, "workers", runtime.NumCPU(), "games at a time; the bank does not depend on it")
	cli.Bound(c, 1, bank.MostPositions, "positions", "games", "each")
	cli.Bound(c, 1, bank.MostDeals, "deals")
	cli.Bound(c, 1, bank.MostNodes, "nodes")
	cli.Bound(c, 0, 2, "cut")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	return cli.Finishes(c, "keeps the positions of the games that are over")
}

// keepBank writes a bank to a file, which must not be there, and says so.
func keepBank(c *cobra.Command, made *bank.Bank, out string) error {
	write := made.Write
	if strings.HasSuffix(out, bank.Packed) {
		write = made.Pack
	}
	if err := durable.Create(out, write); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %d positions from %d games\n", out, len(made.Positions), made.Games)
	return nil
}

// bankScore is the command "bank score".
func bankScore() *cobra.Command {
	var options bank.Options
	asks := 16
	var asJSON bool
	c := &cobra.Command{
		Use:   "score FILE AGENT",
		Short: "Say what an agent loses in the positions of a bank",
		Long: fmt.Sprintf(`Say what an agent loses in the positions of a bank.

In a zero-sum game of two seats that is, for each seat, what the value of the position
exceeds what its play is sure to bring, against the best of all answers; in sum, NashConv.
Where one seat alone decides, it is what it falls short of the best. In a cooperative game
it is what the team falls short of one that plays best, told by whose choices do.

random, checkpoint:PATH, zoo:NAME and tabular:FILE tell the probabilities of their choices.
Any other agent without memory is asked %d times (--asks) in each of the information states,
each time with another seed: an agent that always does the same is judged exactly, one that
draws its choices nearly so.

Agents:
%s`, asks, agentscli.AgentHelp()),
		Example: `  powderkeg bank score experiments/bank/jogu.json.gz zoo:jogu
  powderkeg bank score experiments/bank/domination.json.gz scripted --json
  powderkeg bank score experiments/bank/jogu.json.gz zoo:jogu --record jogu/bank.json`,
		Args: cli.Usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := cli.ReadNamed(c, args[0])
			if err != nil {
				return err
			}
			b, g, err := bank.Read(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			players, err := bank.Players(c.Context(), g, args[1], asks, 0)
			if err != nil {
				return err
			}
			agentscli.WarnOfEditions(c, b.Game, args[1])
			progress, end := bar(c, "positions")
			options.Progress = progress
			score, err := b.Score(c.Context(), g, players, options)
			end()
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if score.Agent = args[1]; !bank.Tells(score.Agent) {
				score.Asks = asks
			}
			if score.Weights, err = roster.Weights(args[1]); err != nil {
				return err
			}
			cli.Found(c, record.Found{Result: score, Games: []engine.Game{g}, Networks: weightsOf(args[1], score.Weights)})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), score)
			}
			return score.Write(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.IntVar(&asks, "asks", asks, "how often an agent that tells no probabilities is asked in each information state")
	f.IntVar(&options.Workers, "workers", runtime.NumCPU(), "positions at a time; the score does not depend on it")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	cli.Bound(c, 1, 1e6, "asks")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	return cli.Recorded(c)
}
