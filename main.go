// Command powderkeg is a reinforcement-learning training environment for
// tabletop games of insurgency and war.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	agentscli "powderkeg/agents/cli"
	envcli "powderkeg/env/cli"
	servecli "powderkeg/serve/cli"
	traincli "powderkeg/train/cli"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var running atomic.Pointer[cobra.Command]
	command := root()
	editions := command.PersistentPreRunE
	command.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		running.Store(c)
		if err := envcli.CheckFlags(c, args); err != nil {
			return err
		}
		return editions(c, args)
	}
	go func() {
		<-ctx.Done()
		stop() // so that a second signal ends the process
		time.Sleep(envcli.Grace)
		if !envcli.Stopping(running.Load(), os.Stderr) {
			os.Exit(envcli.Code(ctx.Err()))
		}
	}()
	if err := command.ExecuteContext(ctx); err != nil {
		envcli.Report(running.Load(), err, os.Stderr)
		os.Exit(envcli.Code(err))
	}
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
	envcli.EditionFlag(c)
	bench := &cobra.Command{Use: "bench", Short: "Measure throughput", RunE: envcli.Unknown}
	bench.AddCommand(envcli.BenchEnv(), traincli.BenchNet(), traincli.BenchTrain(), servecli.BenchServe())
	c.SetHelpCommand(envcli.Help())
	c.AddCommand(
		envcli.Games(), envcli.Spec(), envcli.Rules(), envcli.Edition(), agentscli.Play(), envcli.Script(), envcli.Replay(),
		traincli.Match(), traincli.Train(), traincli.Worker(), traincli.Cluster(), traincli.Sweep(), traincli.Solve(),
		traincli.Respond(), traincli.Luck(), traincli.Parts(), traincli.Bank(), traincli.Values(), traincli.Evolve(), traincli.Plans(),
		traincli.Suite(servecli.Agents), traincli.Export(), traincli.ImportCheck(), traincli.Schema(),
		servecli.Serve(), servecli.Web(), servecli.MCP(), servecli.Calibrate(), servecli.Trace(), servecli.NewGame(), bench,
	)
	return c
}
