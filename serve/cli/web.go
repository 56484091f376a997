package cli

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"powderkeg/agents/roster"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/env/file"
	"powderkeg/serve/web"

	"github.com/spf13/cobra"
)

// Web is the command "web".
func Web() *cobra.Command {
	config := web.RunConfig{Server: web.Default()}
	sims, files := 2000, false
	c := &cobra.Command{
		Use:   "web",
		Short: "Play in the browser: the board, bots, hints, review, replays",
		Long: `Play in the browser: the board, bots, hints, review, replays.

The address of the page is printed. A game is a link; whoever has it can take an open
seat or watch. Games are kept in a folder, move by move. Other hosts than this machine
take --tls-cert, --tls-key and --tokens.`,
		Example: "  powderkeg web\n  powderkeg web --listen 127.0.0.1:8080 --folder tables\n  powderkeg web --listen 0.0.0.0:8443 --tls-cert " +
			"cert.pem --tls-key key.pem --tokens tokens",
		Args:        cli.Usage(cobra.NoArgs),
		Annotations: cli.ForStrangers(),
		RunE: func(c *cobra.Command, _ []string) error {
			s := &config.Server
			if s.Folder == "" {
				folder, err := os.UserConfigDir()
				if err != nil {
					return option.Wrong(fmt.Errorf("name a folder for the games with --folder: %w", err))
				}
				s.Folder = filepath.Join(folder, "powderkeg", "tables")
			}
			if err := file.CheckFolder(s.Folder); err != nil {
				return err
			}
			s.NewAgent = web.Players(roster.Limits{Sims: sims, Files: files})
			s.Logger = slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
			s.NewAgent = roster.Maker(s.NewAgent).Warning(logged(s.Logger))
			if err := s.Validate(); err != nil {
				return fmt.Errorf("%w: %s", cli.ErrUsage, strings.ReplaceAll(err.Error(), "\n", "; "))
			}
			ready := false
			config.Ready = func(url string) {
				ready = true
				fmt.Fprintf(c.OutOrStdout(), "The table is set at %s\n", url)
			}
			err := web.Run(c.Context(), config)
			if err != nil && !ready { // an address, a certificate or a folder that will not do
				return option.Wrong(err)
			}
			return err
		},
	}
	f, s := c.Flags(), &config.Server
	f.StringVar(&config.Listen, "listen", "127.0.0.1:8030", "address of the page; port 0 takes a free one")
	f.StringVar(&s.Folder, "folder", "", "where games are kept (default: powderkeg/tables in your folder of settings)")
	f.StringVar(&config.Certificate, "tls-cert", "", "PEM file of the certificate that the page is encrypted with")
	f.StringVar(&config.Key, "tls-key", "", "PEM file of its key")
	f.StringVar(&config.Tokens, "tokens", "", "file with one token per line, one of which every browser must name")
	f.IntVar(&s.Games, "games", s.Games, "largest number of games that are kept")
	f.IntVar(&s.Awake, "awake", s.Awake, "largest number of games in memory")
	f.IntVar(&s.AllListeners, "listeners", s.AllListeners, "largest number of pages that look on at once")
	f.DurationVar(&s.Think, "think", s.Think, "how long a bot may think about a move, without the time for which it waits for its turn")
	f.BoolVar(&s.EvenTime, "even-time", s.EvenTime,
		"bots think as long where they have no choice, or were not asked in secret but may have been, so that the time tells nobody what they hold")
	f.IntVar(&s.Thinkers, "thinkers", s.Thinkers,
		"bots that think for long at once, over all games; one fewer than processors keeps one free for the pages")
	f.DurationVar(&s.Idle, "idle", s.Idle, "how long a game that nobody looks at stays in memory")
	f.DurationVar(&s.Expire, "expire", s.Expire, "after how long without a move a game that is not over is removed; 0 keeps all")
	f.IntVar(&sims, "simulations", sims, "largest number of simulations per move of bots that search")
	f.BoolVar(&files, "files", false, "pages may name networks in files of this machine (checkpoint:PATH)")
	cli.Bound(c, 1, cli.MostSlots, "games", "awake", "listeners")
	cli.Bound(c, cli.LeastSeconds, cli.MostSeconds, "think", "idle")
	cli.Bound(c, 0, cli.MostSeconds, "expire")
	cli.Bound(c, 1, roster.MaxSims, "simulations")
	cli.Bound(c, 1, cli.MostWorkers, "thinkers")
	return cli.Finishes(c, "finishes the moves under way")
}
