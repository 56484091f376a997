package cli

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"powderkeg/agents/roster"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/serve/mcp"
	"powderkeg/serve/protocol"
	"powderkeg/serve/web"

	"github.com/spf13/cobra"
)

// MCP is the command "mcp".
func MCP() *cobra.Command {
	config := mcp.Default()
	address, sims, files, verbose := "", 2000, false, false
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Let language models play: a server of the Model Context Protocol",
		Long: `Let language models play: a server of the Model Context Protocol.

A client (an assistant, an editor, an agent of your own) starts this command and
speaks with it over its standard streams. Its tools list the games, read the rules,
begin a game against bots, look, list the legal actions, act and ask for a hint. The
model plays one seat and is told what that seat knows. Logs go to standard error.

Most clients have a file of servers; there this one is

  {"mcpServers": {"powderkeg": {"command": "powderkeg", "args": ["mcp"]}}}

With --http the protocol is spoken over HTTP instead, on this machine alone.`,
		Example: `  powderkeg mcp
  powderkeg mcp --games 4 --think 10s
  powderkeg mcp --http 127.0.0.1:8031            then http://127.0.0.1:8031/mcp is its URL
  claude mcp add powderkeg -- powderkeg mcp      such as in Claude Code`,
		Args:        cli.Usage(cobra.NoArgs),
		Annotations: cli.ForStrangers(),
		RunE: func(c *cobra.Command, _ []string) error {
			level := slog.LevelWarn
			if verbose {
				level = slog.LevelDebug
			}
			config.NewAgent = roster.Maker(web.Players(roster.Limits{Sims: sims, Files: files})).Warning(cli.Warn(c))
			config.Logger = slog.New(slog.NewTextHandler(c.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
			if err := config.Validate(); err != nil {
				return fmt.Errorf("%w: %s", cli.ErrUsage, strings.ReplaceAll(err.Error(), "\n", "; "))
			}
			s, err := mcp.New(config)
			if err != nil {
				return err
			}
			if address == "" {
				in, ok := c.InOrStdin().(io.ReadCloser)
				if !ok {
					in = io.NopCloser(c.InOrStdin())
				}
				return s.Serve(c.Context(), in, c.OutOrStdout())
			}
			ready := false
			err = s.ServeHTTP(c.Context(), address, func(url string) {
				ready = true
				fmt.Fprintf(c.OutOrStdout(), "listening at %s\n", url)
			})
			if err != nil && !ready { // an address that will not do
				return option.Wrong(err)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&address, "http", "", "speak HTTP (streamable) at this address of this machine, such as 127.0.0.1:8031, in place of the standard "+
		"streams; port 0 takes a free one")
	f.IntVar(&config.Games, "games", config.Games, "largest number of games that are open; a new one takes the place of the one not touched for longest")
	f.IntVar(&config.RequestBytes, "request-bytes", config.RequestBytes, "largest request, in bytes")
	f.DurationVar(&config.Think, "think", config.Think, "how long bots may think in one call")
	f.DurationVar(&config.Hint, "hint", config.Hint, "how long a hint may be thought of")
	f.IntVar(&sims, "simulations", sims, "largest number of simulations per move of bots that search")
	f.BoolVar(&files, "files", false, "the model may name networks in files of this machine (checkpoint:PATH)")
	f.BoolVar(&verbose, "verbose", false, "log requests")
	cli.Bound(c, 1, cli.MostSlots, "games")
	cli.Bound(c, 1, protocol.MaxFrameBytes, "request-bytes")
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "think", "hint")
	cli.Bound(c, 1, roster.MaxSims, "simulations")
	return cli.Finishes(c, "finishes the calls under way")
}
