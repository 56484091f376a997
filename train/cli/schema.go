package cli

import (
	"cmp"
	"slices"

	"powderkeg/env/cli"
	"powderkeg/train"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Schema is the command "schema".
func Schema() *cobra.Command {
	c := &cobra.Command{
		Use:   "schema",
		Short: "Descriptions for other programs: of the configuration, and of the commands",
		RunE:  cli.Unknown,
	}
	config := &cobra.Command{
		Use:   "config",
		Short: "The JSON schema of a configuration of powderkeg train",
		Long: `The JSON schema, of draft 2020-12, of a configuration of powderkeg train: every key
with its type, default, range, meaning and an example.

An editor that knows JSON schemas completes keys by it and marks what is wrong. For
those that use the YAML language server, write the schema into a file and name it in the
first line of the configuration:

  # yaml-language-server: $schema=config.schema.json

What depends on other keys, or on the game, powderkeg train checks itself.`,
		Example: "  powderkeg schema config > config.schema.json",
		Args:    cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(train.Schema)
			return err
		},
	}
	commands := &cobra.Command{
		Use:     "commands",
		Short:   "Every command with its flags, as JSON",
		Example: "  powderkeg schema commands",
		Args:    cli.Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return cli.PrintJSON(c.OutOrStdout(), described(c.Root()))
		},
	}
	c.AddCommand(config, commands)
	return c
}

// command is what "schema commands" says of a command.
type command struct {
	Name    string `json:"name"`
	Use     string `json:"use"`
	Short   string `json:"short"`
	Long    string `json:"long,omitempty"`
	Example string `json:"example,omitempty"`
	Flags   []flag `json:"flags"`
	// Group is set where the command does nothing without one of those below it.
	Group bool `json:"group,omitempty"`
}

// flag is what "schema commands" says of a flag.
type flag struct {
	Name    string `json:"name"`
	Short   string `json:"short,omitempty"`
	Type    string `json:"type"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
}

// described lists the commands that help shows, those below another one after it.
func described(c *cobra.Command) []command {
	list := []command{{
		Name: c.CommandPath(), Use: c.UseLine(), Short: c.Short, Long: c.Long, Example: c.Example, Flags: flags(c),
		Group: c.HasAvailableSubCommands() && c.HasParent() && len(c.Example) == 0,
	}}
	for _, below := range slices.SortedFunc(slices.Values(c.Commands()), func(a, b *cobra.Command) int { return cmp.Compare(a.Name(), b.Name()) }) {
		if below.IsAvailableCommand() {
			list = append(list, described(below)...)
		}
	}
	return list
}

// flags lists the flags of a command itself; the root's are those of all commands.
func flags(c *cobra.Command) []flag {
	list := []flag{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name, meaning := pflag.UnquoteUsage(f)
		list = append(list, flag{f.Name, f.Shorthand, cmp.Or(name, "bool"), f.DefValue, meaning})
	})
	return list
}
