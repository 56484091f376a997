package cli

import (
	"fmt"
	"text/tabwriter"

	actor "powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/serve"
	"powderkeg/serve/inference"
	"powderkeg/serve/lineup"
	"powderkeg/serve/server"

	"github.com/spf13/cobra"
)

// BenchServe is the command "bench serve".
func BenchServe() *cobra.Command {
	config := serve.BenchConfig{Server: server.Default()}
	config.Server.NewAgent = roster.New
	config.Server.Network = lineup.Network
	config.Server.Agents = append(config.Server.Agents, "checkpoint")
	var asJSON bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Measure the socket: latency of acts and steps, throughput of a vectorised environment",
		Long: `Measure the socket: one client over a Unix socket, in random play, and then many
that ask one untrained network for decisions, or think beside it. The latency is that of whole round
trips, as the clients see them; clients and server share the machine.`,
		Example: "  powderkeg bench serve\n  powderkeg bench serve --game jogu --agent checkpoint:runs/jogu-quick --json\n" +
			"  powderkeg bench serve --game domination --thinkers 16\n  powderkeg bench serve --record speed/serve.json",
		Args: cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			config.Server.Environments = max(config.Server.Environments, config.Envs+1)
			config.Server.AllEnvironments = max(config.Server.AllEnvironments, config.Server.Environments)
			r, err := serve.Bench(c.Context(), config)
			if err != nil {
				return err
			}
			g, err := env.NewGame(config.Game)
			if err != nil {
				return err
			}
			cli.Found(c, record.Found{Result: r, Games: []engine.Game{g}})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), r)
			}
			const micro = 1e6
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "%s\tround trips\tp50\tp99\n", r.Game)
			fmt.Fprintf(w, "act of %s\t%d\t%.0f µs\t%.0f µs\n", r.Agent, r.Acts, micro*r.ActP50, micro*r.ActP99)
			fmt.Fprintf(w, "step\t%d\t%.0f µs\t%.0f µs\n", r.Steps, micro*r.StepP50, micro*r.StepP99)
			fmt.Fprintf(w, "step of %d environments\t%d\t%.0f decisions/s\t%.0f MB/s\n", r.Envs, r.VecSteps, r.VecDecisions, r.VecBytesPerSec/1e6)
			if r.Clients > 0 {
				fmt.Fprintf(w, "%d decisions for each of %d clients\t%d\t%.0f µs\t%.0f µs\n", r.Rows, r.Clients, r.Batches, micro*r.BatchP50, micro*r.BatchP99)
				fmt.Fprintf(w, "all of them, hidden layers %v\t\t%.0f decisions/s\n", r.Hidden, r.BatchDecisions)
			}
			if r.Thinkers > 0 {
				fmt.Fprintf(w, "step beside %d clients with %s\t%d\t%.0f µs\t%.0f µs\n", r.Thinkers, r.ThinkingAgent, r.Beside, micro*r.BesideP50,
					micro*r.BesideP99)
			}
			return w.Flush()
		},
	}
	f := c.Flags()
	f.StringVar(&config.Game, "game", "jogu", "game string")
	f.StringVar(&config.Agent, "agent", "scripted", "agent whose acts are measured")
	f.IntVar(&config.Envs, "envs", 1024, "slots of the vectorised environment")
	f.IntVar(&config.Clients, "clients", 16, "clients that ask a network at the same time, 0 for none")
	f.IntVar(&config.Rows, "rows", 1, "decisions that each of them asks for at once")
	f.IntVar(&config.Thinkers, "thinkers", 0, "clients whose agents think all the time while another one's steps are measured, 0 for none")
	f.StringVar(&config.ThinkingAgent, "thinking-agent", "mcts(sims=10000)", "agent of these clients")
	f.IntSliceVar(&config.Hidden, "hidden", []int{64, 64}, "widths of the network's hidden layers")
	f.Float64Var(&config.Seconds, "seconds", 3, "seconds of each measurement")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	cli.Bound(c, 1, cli.MostSlots, "envs")
	cli.Bound(c, 0, cli.MostClients, "clients", "thinkers")
	cli.Bound(c, 1, inference.MostRows, "rows")
	cli.Bound(c, 1, actor.MostUnits, "hidden")
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "seconds")
	return cli.Recorded(c)
}
