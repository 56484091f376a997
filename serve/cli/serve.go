// Package cli holds the subcommands that serve: serve and the server benchmark.
package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"

	agentscli "powderkeg/agents/cli"
	"powderkeg/agents/roster"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/serve"
	"powderkeg/serve/inference"
	"powderkeg/serve/lineup"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/spf13/cobra"
)

// Serve is the command "serve".
func Serve() *cobra.Command {
	config := serve.Config{Server: server.Default()}
	s := &config.Server
	var verbose, untilEOF bool
	sims := lineup.Sims
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve environments and agents over a msgpack socket",
		Long: fmt.Sprintf(`Serve environments and agents over a msgpack socket.

serve/protocol/PROTOCOL.md describes the socket; serve/python is a client. Addresses
are unix:PATH or tcp:127.0.0.1:PORT; other hosts take --tls-cert, --tls-key and --tokens.
Clients load agents by name, of the kinds that --agents lists. Ctrl-C or SIGTERM lets
the requests under way finish.

Agents:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg serve --listen unix:/tmp/powderkeg.sock
  powderkeg serve --listen tcp:127.0.0.1:7777 --http 127.0.0.1:9090
  powderkeg serve --listen tcp:127.0.0.1:7777 --agents random,scripted,checkpoint
  powderkeg serve --listen tcp:0.0.0.0:7777 --tls-cert cert.pem --tls-key key.pem --tokens tokens`,
		Args:        cli.Usage(cobra.NoArgs),
		Annotations: cli.ForStrangers(),
		RunE: func(c *cobra.Command, _ []string) error {
			level := slog.LevelInfo
			if verbose {
				level = slog.LevelDebug
			}
			for _, name := range s.Agents {
				if !slices.Contains(agentKinds(), name) {
					return fmt.Errorf("%w: --agents: there is no kind of agent %q; kinds: %s", cli.ErrUsage, option.Shorten(name), strings.Join(agentKinds(), ", "))
				}
			}
			s.Logger = slog.New(slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
			lineup.Configure(s, sims, logged(s.Logger))
			if err := s.Validate(); err != nil {
				return fmt.Errorf("%w: %s", cli.ErrUsage, strings.ReplaceAll(err.Error(), "\n", "; "))
			}
			ready := false
			config.Ready = func(sockets []net.Addr, http net.Addr) {
				ready = true
				for _, a := range sockets {
					fmt.Fprintf(c.OutOrStdout(), "listening on %s:%s\n", a.Network(), a)
				}
				if http != nil {
					fmt.Fprintf(c.OutOrStdout(), "metrics at http://%s/metrics\n", http)
				}
			}
			ctx := c.Context()
			if untilEOF {
				var stop context.CancelFunc
				ctx, stop = cli.UntilEOF(ctx, c.InOrStdin())
				defer stop()
			}
			err := serve.Run(ctx, config)
			if err != nil && !ready { // an address, a certificate or a file of tokens that will not do
				return option.Wrong(err)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringArrayVar(&config.Listen, "listen", []string{"tcp:127.0.0.1:7777"}, "address of the socket; may be repeated")
	f.StringVar(&config.HTTP, "http", "", "address of /metrics, /healthz and /readyz, such as 127.0.0.1:9090 (default: none)")
	f.StringVar(&config.Certificate, "tls-cert", "", "PEM file of the certificate that TCP connections are encrypted with")
	f.StringVar(&config.Key, "tls-key", "", "PEM file of its key")
	f.StringVar(&config.Tokens, "tokens", "", "file with one token per line, one of which every client must name")
	f.StringSliceVar(&s.Agents, "agents", s.Agents, "agents that clients may load; with checkpoint or tabular, they choose files of this machine")
	f.IntVar(&s.Connections, "connections", s.Connections, "largest number of connections at a time that have said hello")
	f.IntVar(&s.Newcomers, "newcomers", s.Newcomers,
		"largest number of connections that have not said hello; beyond it the oldest goes (default: four times --connections)")
	f.IntVar(&s.NewcomersPerAddress, "newcomers-per-address", s.NewcomersPerAddress,
		"largest number of those from one address (default: as many as --connections)")
	f.IntVar(&s.Environments, "environments", s.Environments, "largest number of environments per connection, slots of vectorised ones included")
	f.IntVar(&s.AllEnvironments, "all-environments", s.AllEnvironments, "largest number of environments over all connections")
	f.IntVar(&s.AgentsPerConnection, "agents-per-connection", s.AgentsPerConnection,
		"largest number of agents per connection, those on seats of its environments included")
	f.IntVar(&s.MemoryBytes, "memory-bytes", s.MemoryBytes,
		"memory limit in bytes of a connection's environments, agents, datasets and long requests, estimated from above")
	f.IntVar(&sims, "simulations", sims, "largest number of simulations per move of agents that search")
	f.IntVar(&s.FrameBytes, "frame-bytes", s.FrameBytes, "largest frame in bytes, in either direction")
	f.IntVar(&s.Workers, "workers", s.Workers, "goroutines that step one vectorised environment")
	f.BoolVar(&s.EvenTime, "even-time", s.EvenTime,
		"agents on seats think as long where they have no choice, so that the time tells the client nothing of what they hold")
	f.IntVar(&s.Thinking.Thinkers, "thinkers", s.Thinking.Thinkers,
		"agents that think for long at once, over all connections; one fewer than processors keeps one free for the others")
	f.IntVar(&s.Thinking.Queue, "think-queue", s.Thinking.Queue, "thoughts that may wait before more are refused")
	f.IntVar(&s.Inference.MaxBatch, "max-batch", s.Inference.MaxBatch, "largest number of decisions that a network makes at once, over all connections")
	f.DurationVar(&s.Inference.MaxWait, "max-wait", s.Inference.MaxWait, "how long a batch waits to become as large as the one before it")
	f.DurationVar(&s.Inference.Reload, "reload", s.Inference.Reload, "how often to look for newer checkpoints, 0 for never")
	f.DurationVar(&s.IdleTimeout, "idle-timeout", s.IdleTimeout, "how long a connection may stay silent")
	f.BoolVar(&untilEOF, "until-eof", false,
		"end when standard input does: a program that starts a server keeps a pipe to it, which closes whatever becomes of the program")
	f.BoolVar(&verbose, "verbose", false, "log connections that come and go")
	cli.Bound(c, 1, cli.MostSlots, "connections", "environments", "all-environments", "agents-per-connection")
	cli.Bound(c, 0, cli.MostSlots, "newcomers", "newcomers-per-address")
	cli.Bound(c, 1, cli.MostSlots, "think-queue")
	cli.Bound(c, 1, cli.MostWorkers, "thinkers")
	cli.Bound(c, 1<<20, 1<<50, "memory-bytes")
	cli.Bound(c, server.LeastFrame, protocol.MaxFrameBytes, "frame-bytes")
	cli.Bound(c, 1, roster.MaxSims, "simulations")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	cli.Bound(c, 1, inference.MostRows, "max-batch")
	cli.Bound(c, 0, cli.MostSeconds, "max-wait", "reload")
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "idle-timeout")
	return cli.Finishes(c, "finishes the requests under way")
}

// agentKinds lists the kinds of agents by which clients may load any; people are at no server.
func agentKinds() []string {
	var names []string
	for _, k := range roster.List() {
		if k.Name != "human" {
			names = append(names, k.Name)
		}
	}
	return names
}

// logged returns what logs the warnings about agents.
func logged(l *slog.Logger) func(string) {
	return func(line string) { l.Warn("an agent was trained on another edition", "agent", line) }
}
