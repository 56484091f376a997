// Command powderkeg is a reinforcement-learning training environment for
// tabletop games of insurgency and war.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	agentscli "powderkeg/agents/cli"
	envcli "powderkeg/env/cli"
	servecli "powderkeg/serve/cli"
	traincli "powderkeg/train/cli"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "powderkeg:", err)
	}
	os.Exit(envcli.Code(err))
}

func root() *cobra.Command {
	var version bool
	c := &cobra.Command{
		Use:   "powderkeg",
		Short: "A reinforcement-learning training environment for tabletop games of insurgency and war",
		Long: `Powderkeg is a reinforcement-learning training environment for tabletop games of
insurgency and war: exact rules engines, Gym-style environments, self-play
training, opponents to play against, and a socket that Python talks to.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if !version {
				return envcli.Unknown(c, args)
			}
			text, err := servecli.Version()
			fmt.Fprint(c.OutOrStdout(), text)
			return err
		},
	}
	c.Flags().BoolVar(&version, "version", false, "print version, commit, and the versions of rules and observations")
	c.SetFlagErrorFunc(envcli.FlagError)
	bench := &cobra.Command{Use: "bench", Short: "Measure throughput", RunE: envcli.Unknown}
	bench.AddCommand(envcli.BenchEnv(), traincli.BenchNet(), traincli.BenchTrain(), servecli.BenchServe())
	c.AddCommand(
		envcli.Games(), envcli.Spec(), envcli.Rules(), agentscli.Play(), envcli.Script(), envcli.Replay(),
		traincli.Match(), traincli.Train(), traincli.Worker(), traincli.Cluster(), traincli.Sweep(), traincli.Solve(), traincli.Respond(), traincli.Luck(), traincli.Evolve(),
		traincli.Suite(servecli.Agents), traincli.Export(), traincli.ImportCheck(),
		servecli.Serve(), servecli.Web(), servecli.MCP(), servecli.Trace(), bench,
	)
	return c
}
