package cli

import (
	"fmt"
	"slices"

	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"

	"github.com/spf13/cobra"
)

// Contestants checks the agents that a command is to have play, whose games, such as "matches",
// people do not play, and warns of those whose network was trained on another edition of the game.
func Contestants(c *cobra.Command, g engine.Game, games string, names ...string) error {
	for _, name := range names {
		if name == "human" {
			return fmt.Errorf("%w: people do not play %s; use powderkeg play", cli.ErrUsage, games)
		}
		if _, err := roster.New(g, name); err != nil {
			return err
		}
	}
	warn(c, g, names)
	return nil
}

// WarnOfEditions warns of agents whose network was trained on another edition of the game that a
// string names. What is wrong with the string or with an agent is left to who plays.
func WarnOfEditions(c *cobra.Command, game string, names ...string) {
	if g, err := env.NewGame(game); err == nil {
		warn(c, g, names)
	}
}

// warn says of each agent once that it plays another edition than it was trained on.
func warn(c *cobra.Command, g engine.Game, names []string) {
	for i, name := range names {
		if line := roster.OtherEdition(g, name); line != "" && !slices.Contains(names[:i], name) {
			cli.Warn(c)(name + ": " + line)
		}
	}
}
