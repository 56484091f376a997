package cli

import (
	"powderkeg/env/cli"
	"powderkeg/serve/newgame"

	"github.com/spf13/cobra"
)

// NewGame is the command "newgame".
func NewGame() *cobra.Command {
	var g newgame.Game
	c := &cobra.Command{
		Use:   "newgame NAME",
		Short: "Write the files of a new game into a checkout, to be filled in",
		Long: `Write the files of a new game into a checkout of the sources, and enter it into the
lists where games are registered.

What is written compiles and can be played at once: it is a stand-in of three rules.
Lines marked FILL IN say where your own go, and the game's tests fail at the marks one
after another, in the order of the ten steps of .github/CONTRIBUTING.md. Nothing that is
there already is written over; the lists get a line each.`,
		Example: "  powderkeg newgame goofspiel\n  powderkeg newgame hex_war --title 'Hex War'",
		Args:    cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if g.Name = args[0]; !c.Flags().Changed("title") {
				g.Title = newgame.TitleOf(g.Name)
			}
			if g.Root, err = newgame.Root(g.Root); err != nil {
				return err
			}
			done, err := g.Write()
			if err != nil {
				return err
			}
			g.Report(c.OutOrStdout(), done)
			return nil
		},
	}
	c.Flags().StringVar(&g.Title, "title", "", "the game's name for people (default: NAME in capitals)")
	c.Flags().StringVar(&g.Root, "dir", ".", "a folder of the checkout")
	return c
}
