package main

import (
	"slices"
	"testing"

	"powderkeg/engine/enginetest/kept"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestReleasedCommands: every command and flag of a released version is there, and takes what it took.
func TestReleasedCommands(t *testing.T) {
	kept.Lines(t, "serve/cli/testdata/released", "commands.txt", usage())
}

// usage names each command, and each of its flags with its type, a line each. What is deprecated counts: it works.
func usage() []string {
	var lines []string
	for _, c := range commands(root()) {
		lines = append(lines, c.CommandPath())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			line := c.CommandPath() + " --" + f.Name + " " + f.Value.Type()
			if f.Shorthand != "" {
				line += " -" + f.Shorthand
			}
			lines = append(lines, line)
		})
	}
	return lines
}

func TestUsageNamesEveryFlag(t *testing.T) {
	lines := usage()
	for _, want := range []string{"powderkeg", "powderkeg bench env", "powderkeg play --seat intSlice", "powderkeg --version bool"} {
		if !slices.Contains(lines, want) {
			t.Errorf("no %q in %q", want, lines)
		}
	}
	if n := len(commands(&cobra.Command{})); n != 1 {
		t.Errorf("a command alone counts as %d", n)
	}
}
