package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	envcli "powderkeg/env/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands lists the command and all below it.
func commands(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		list = append(list, commands(sub)...)
	}
	return list
}

// A number that somebody types must not end the process: each has a bound, and the default lies
// within it.
func TestEveryNumberHasABound(t *testing.T) {
	all := commands(root())
	if len(all) < 30 {
		t.Fatalf("there are only %d commands", len(all))
	}
	for _, c := range all {
		if names := envcli.Unbounded(c); names != nil {
			t.Errorf("%s: flags %q take any number; use cli.Bound", c.CommandPath(), names)
		}
	}
}

// TestSchemaDescribesEveryCommand, with every flag that its help shows.
func TestSchemaDescribesEveryCommand(t *testing.T) {
	c := root()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetArgs([]string{"schema", "commands"})
	if err := c.Execute(); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name, Use, Short string
		Flags            []struct{ Name, Type, Meaning string }
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	described := map[string]string{}
	for _, d := range list {
		if d.Use == "" || d.Short == "" {
			t.Errorf("%s: use %q, what it is for %q", d.Name, d.Use, d.Short)
		}
		described[d.Name] = ""
		for _, f := range d.Flags {
			if f.Type == "" || f.Meaning == "" {
				t.Errorf("%s --%s: takes %q, means %q", d.Name, f.Name, f.Type, f.Meaning)
			}
			described[d.Name+" --"+f.Name] = f.Meaning
		}
	}
	flags := 0
	for _, c := range commands(root()) {
		if _, ok := described[c.CommandPath()]; !ok && !c.Hidden && c.Name() != "help" {
			t.Errorf("%s is not described", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			if _, ok := described[c.CommandPath()+" --"+f.Name]; !ok && !c.Hidden && !f.Hidden {
				t.Errorf("%s --%s is not described", c.CommandPath(), f.Name)
			}
		})
	}
	if flags < 100 {
		t.Errorf("there are only %d flags", flags)
	}
}

// Only flags that were given are looked at, so that defaults may stand for something else.
func TestFlagsAreChecked(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		want      string // "" for none
	}{
		{[]string{"match", "--games", "0"}, "wrong usage: --games is 0, it must be from 1 to 1099511627776"},
		{[]string{"match", "--games", "-5", "--workers", "2000"},
			"wrong usage: --games is -5, it must be from 1 to 1099511627776; --workers is 2000, it must be from 1 to 1024"},
		{[]string{"match", "--games", "10000000"}, ""},
		{[]string{"bench", "env", "--envs", "-1"}, "wrong usage: --envs is -1, it must be at least 0"},
		{[]string{"bench", "env", "--seconds", "nan"}, "wrong usage: --seconds is NaN, it must be from 0.001 to 10000000"},
		{[]string{"web", "--idle", "0s"}, "wrong usage: --idle is 0s, it must be from 1ms to 2777h46m40s"},
		{[]string{"bench", "serve", "--hidden", "8,0"}, "wrong usage: --hidden is 0, it must be from 1 to 65536"},
		{[]string{"solve", "--policy", ""}, "wrong usage: --policy is empty; give it a value, or leave it out"},
		{[]string{"respond", "--by", ""}, "wrong usage: --by is empty; give it a value, or leave it out"},
		{[]string{"evolve", "--seats", "99", "--workers", "0"}, ""},
		{[]string{"solve"}, ""},
	} {
		command, rest, err := root().Find(c.arguments)
		if err != nil {
			t.Fatal(err)
		}
		if err := command.ParseFlags(slices.Clone(rest)); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := envcli.CheckFlags(command, nil); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: error %q, want %q", c.arguments, got, c.want)
		}
	}
}

// The page of commands lists each of them, and no other.
func TestPageOfCommands(t *testing.T) {
	page, err := os.ReadFile("serve/cli/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^powderkeg ([a-z-]+) `).FindAllStringSubmatch(string(page), -1) {
		listed[m[1]] = true
	}
	for _, c := range root().Commands() {
		if !listed[c.Name()] {
			t.Errorf("serve/cli/README.md does not list powderkeg %s", c.Name())
		}
		delete(listed, c.Name())
	}
	delete(listed, "--version")
	if len(listed) > 0 {
		t.Errorf("serve/cli/README.md lists %q, which are no commands", slices.Sorted(maps.Keys(listed)))
	}
}
