package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train/plans"

	"github.com/spf13/cobra"
)

// Plans is the command "plans".
func Plans() *cobra.Command {
	config, run, json := plans.Default(""), "", false
	c := &cobra.Command{
		Use:   "plans GAME",
		Short: "Train a network that chooses among the plans of a scripted planner",
		Long: fmt.Sprintf(`Train a network that chooses among the candidates of a scripted planner, by the results
of whole games: %s have planners that show their candidates, and in small games
the legal actions are plans of one step.

The network begins at zero, where the planner does what it would do by itself. Each update
plays games in which the learning seats draw among their candidates, and takes one step along the
policy gradient. In the end the best candidates and the planner alone play the same games,
which nobody has played before: their difference is what was learned.

A run is a folder, and the same command goes on with one that was stopped. It has
metrics.jsonl, return.png, and the player under bot: planner(net=RUN/bot) plays it, and
planner(net=RUN/bot,policy=0) the same planner with the network at zero.

Agents for the other seats are those without memory:
%s`, strings.Join(scripted.Planning(), " and "), agentscli.AgentHelp()),
		Example: `  powderkeg plans 'bloc(ops_difficulty=easy)' --from zoo:bloc --games 2000
  powderkeg plans 'bloc(ops_difficulty=hard)' --from runs/EASY
  powderkeg plans 'bloc(mode=semi_cooperative)' --from zoo:bloc_agendas --alone
  powderkeg plans 'bloc(mode=semi_cooperative)' --from zoo:bloc_plans --weights zoo:bloc_agendas --alone
  powderkeg plans 'minuteman(scenario=partisan)' --from zoo:minuteman_partisan --seats 0
  powderkeg plans kuhn --alone --against random --updates 200 --record kuhn/plans.json`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			config.Game = args[0]
			if err := config.Validate(); err != nil {
				return err
			}
			if run == "" {
				run = filepath.Join("runs", folderName("plans-"+config.Game))
			}
			begun := begun(run)
			result, err := plans.Run(c.Context(), config, run, c.ErrOrStderr())
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
			_, err = fmt.Fprintf(c.OutOrStdout(), "planner %s\n", result.Bot)
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&config.From, "from", "",
		"a checkpoint's path or zoo:NAME, by whose weights the planner plans (default: its own); a planner's goes on learning")
	flags.StringVar(&config.Weights, "weights", "",
		"another checkpoint's path or zoo:NAME, by whose weights the planner plans, so that --from gives the network alone")
	flags.IntSliceVar(&config.Seats, "seats", nil, "seats that learn (default: all)")
	flags.BoolVar(&config.Alone, "alone", false, "one of the learning seats in each game, in turn, in place of all of them together")
	flags.StringVar(&config.Against, "against", config.Against, "agent that has the other seats")
	flags.IntSliceVar(&config.Hidden, "hidden", config.Hidden, "widths of the hidden layers")
	flags.IntVar(&config.Updates, "updates", config.Updates, "updates")
	flags.IntVar(&config.Games, "games", config.Games, "games of each")
	flags.Float64Var(&config.Rate, "rate", config.Rate, "learning rate of the network at the beginning")
	flags.Float64Var(&config.ValueRate, "value-rate", config.ValueRate, "learning rate of its values at the beginning")
	flags.Float64Var(&config.Temperature, "temperature", config.Temperature, "by which candidates are drawn in learning")
	flags.Float64Var(&config.Lambda, "lambda", config.Lambda, "how far an advantage looks, 1 for the end of the game")
	flags.Float64Var(&config.Average, "average", config.Average,
		"how much of the mean of the weights, which is then the player, stays in each update, such as 0.98 (0: no mean)")
	flags.Float64Var(&config.Magnet, "magnet", config.Magnet, "how much the network is held to the planner")
	flags.Float64Var(&config.Share, "share", config.Share, "share of the choices that is learned from")
	flags.Float64Var(&config.Moments, "moments", config.Moments, "share of the choices that its values learn from")
	flags.IntVar(&config.Every, "every", config.Every, "updates between two evaluations, 0 for none but the closing games")
	flags.IntVar(&config.EvalGames, "eval-games", config.EvalGames, "games of an evaluation")
	flags.IntVar(&config.ClosingGames, "closing-games", config.ClosingGames, "games that compare the network with none in the end")
	flags.Uint64Var(&config.Seed, "seed", config.Seed, "seed of weights and games")
	flags.IntVar(&config.Workers, "workers", 0, "goroutines that play, 0 for one per processor")
	flags.StringVar(&run, "run", "", "folder of the run (default runs/plans-GAME)")
	flags.BoolVar(&json, "json", false, "print JSON")
	cli.BoundByGame(c, "seats")
	cli.Bound(c, 1, plans.MostUpdates, "updates")
	cli.Bound(c, 1, plans.MostGames, "games")
	cli.Bound(c, 2, plans.MostGames, "closing-games")
	cli.Bound(c, 0, plans.MostGames, "eval-games")
	cli.Bound(c, 0, plans.MostUpdates, "every")
	cli.Bound(c, 1, plans.MostUnits, "hidden")
	cli.Bound(c, 0, 1, "rate", "value-rate", "lambda")
	cli.Bound(c, 0, plans.MostAverage, "average")
	cli.Bound(c, plans.LeastShare, 1, "share", "moments")
	cli.Bound(c, plans.LeastTemperature, plans.MostTemperature, "temperature")
	cli.Bound(c, 0, plans.MostMagnet, "magnet")
	cli.Bound(c, 0, cli.MostWorkers, "workers")
	return cli.Recorded(cli.Finishes(c, "keeps the updates that are over"))
}
