package cli

import (
	"fmt"
	"path/filepath"

	agentscli "powderkeg/agents/cli"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/evolve"

	"github.com/spf13/cobra"
)

// Evolve is the command "evolve".
func Evolve() *cobra.Command {
	config, run, start, json := evolve.Default(""), "", "", false
	c := &cobra.Command{
		Use:   "evolve GAME",
		Short: "Search for better weights of a scripted player, to advise a network",
		Long: fmt.Sprintf(`Search for better weights of a scripted player by an evolution strategy
(separable CMA-ES): bloc, insurgency and minuteman have players with weights.

Each generation has a population of sets of weights, which play the same games; their
mean moves towards the better half. In the end what was found plays games that nobody has
played before, beside the weights that the search began with in the same seats.

A run is a folder, and the same command goes on with one that was stopped. Its
return.png has the curve, and its advisers.yaml goes into a training configuration under
network, where the player advises the network by these weights; the scripted player
itself stays as it is.

Agents for the other seats are those without memory:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg evolve 'minuteman(scenario=partisan)' --seats 0 --generations 100
  powderkeg evolve 'bloc(ops_difficulty=easy)' --games 2000 --margin 0.3
  powderkeg evolve 'bloc(mode=semi_cooperative)' --alone --games 2000
  powderkeg evolve bloc --only part,toward,late,held --games 800
  powderkeg evolve insurgency --seats 1 --against zoo:insurgency --record insurgency/evolve.json`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			config.Game = args[0]
			if start != "" {
				var err error
				if config.Start, err = evolve.ReadFound(start); err != nil {
					return err
				}
			}
			if err := config.Validate(); err != nil {
				return err
			}
			agentscli.WarnOfEditions(c, config.Game, config.Against)
			if run == "" {
				run = filepath.Join("runs", folderName("evolve-"+config.Game))
			}
			begun := begun(run)
			result, err := evolve.Run(c.Context(), config, run, c.ErrOrStderr())
			if err != nil {
				return err
			}
			g, err := env.NewGame(config.Game)
			if err != nil {
				return err
			}
			cli.Found(c, record.Found{Result: result, Games: []engine.Game{g}, Seeds: []uint64{config.Seed}, Elsewhere: begun})
			if json {
				return cli.PrintJSON(c.OutOrStdout(), result)
			}
			if err := result.Write(c.OutOrStdout()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "weights %s\n", filepath.Join(run, "advisers.yaml"))
			return err
		},
	}
	flags := c.Flags()
	flags.IntSliceVar(&config.Seats, "seats", nil, "seats that the weights are for (default: all)")
	flags.BoolVar(&config.Alone, "alone", false, "one of the seats in each game, in turn, in place of all of them together")
	flags.StringVar(&config.Against, "against", config.Against, "agent that has the other seats")
	flags.StringSliceVar(&config.Only, "only", nil, "weights that are searched for, by name; late has all of late.part, late.keep, ... (default: all)")
	flags.IntVar(&config.Generations, "generations", config.Generations, "generations")
	flags.IntVar(&config.Population, "population", config.Population, "sets of weights in each, an even number")
	flags.IntVar(&config.Games, "games", config.Games, "games that each set plays")
	flags.Float64Var(&config.Step, "step", config.Step, "spread of the first samples, in natural logarithms of a weight")
	flags.Float64Var(&config.Margin, "margin", config.Margin, "weight of what a seat is ahead by at the end, 0 to 1, beside the payoff")
	flags.IntVar(&config.ClosingGames, "closing-games", config.ClosingGames, "games that compare what was found with the start, for each seat")
	flags.Uint64Var(&config.Seed, "seed", config.Seed, "seed of samples and games")
	flags.IntVar(&config.Workers, "workers", 0, "goroutines that play, 0 for one per processor")
	flags.StringVar(&start, "start", "", "advisers.yaml of another search, whose weights this one begins with (default: the player's own)")
	flags.StringVar(&run, "run", "", "folder of the run (default runs/evolve-GAME)")
	flags.BoolVar(&json, "json", false, "print JSON")
	cli.BoundByGame(c, "seats")
	cli.Bound(c, 1, evolve.MostGenerations, "generations")
	cli.Bound(c, 4, evolve.MostPopulation, "population")
	cli.Bound(c, 1, evolve.MostGames, "games")
	cli.Bound(c, 2, evolve.MostClosingGames, "closing-games")
	cli.Bound(c, 1e-6, 2, "step")
	cli.Bound(c, 0, 1, "margin")
	cli.Bound(c, 0, cli.MostWorkers, "workers")
	return cli.Recorded(cli.Finishes(c, "keeps the generations that are over"))
}
