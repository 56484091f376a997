// Package cli holds what the subcommands share, and the subcommands that need
// the engine and the environments alone: games, spec, script, replay and the
// environment benchmark.
package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/replay"
	"powderkeg/engine/script"
	"powderkeg/env"

	"github.com/spf13/cobra"
)

// The exit codes of the command.
const (
	codeDone        = 0
	codeCheckFailed = 1
	codeUsage       = 2
)

// ErrCheck is wrapped by the error of a command that has done its work and found
// that something does not hold.
var ErrCheck = errors.New("check failed")

// ErrUsage is wrapped by errors that the person who typed the command can mend:
// the arguments or the files that they name are at fault.
var ErrUsage = option.ErrUsage

// Code returns the exit code that an error calls for.
func Code(err error) int {
	switch {
	case err == nil:
		return codeDone
	case errors.Is(err, ErrUsage), errors.Is(err, script.ErrScript), errors.Is(err, engine.ErrPosition), errors.Is(err, os.ErrNotExist):
		return codeUsage
	default:
		return codeCheckFailed
	}
}

// Usage turns cobra's complaints about arguments into errors that wrap ErrUsage.
func Usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return fmt.Errorf("%w: %v; usage: %s", ErrUsage, err, c.UseLine())
		}
		return nil
	}
}

// PrintJSON writes v as indented JSON.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// read reads a file that the user has named; "-" is standard input.
func read(c *cobra.Command, path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(c.InOrStdin())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return data, nil
}

// StartAt is the flag --position: a file with the position that games begin in.
type StartAt struct{ file string }

// Add adds the flag to a command.
func (p *StartAt) Add(c *cobra.Command) {
	c.Flags().StringVar(&p.file, "position", "", "file with a JSON position (the game's README.md says how) that games begin in; - is standard input")
}

// Read returns the position, nil where none was asked for.
func (p *StartAt) Read(c *cobra.Command) ([]byte, error) {
	if p.file == "" {
		return nil, nil
	}
	return read(c, p.file)
}

// Game returns the game with that start, and the position.
func (p *StartAt) Game(c *cobra.Command, g engine.Game) (engine.Game, []byte, error) {
	data, err := p.Read(c)
	if data == nil || err != nil {
		return g, nil, err
	}
	started, err := engine.StartAt(g, data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.file, err)
	}
	return started, data, nil
}

// loadReplay reads a replay file and makes its game.
func loadReplay(data []byte) (engine.Game, *replay.Record, error) {
	r, err := replay.Parse(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	g, err := env.NewGame(r.Game)
	return g, r, err
}

// FlagError makes cobra's errors about flags wrap ErrUsage.
func FlagError(c *cobra.Command, err error) error {
	return fmt.Errorf("%w: %v; %s --help lists the flags", ErrUsage, err, c.CommandPath())
}

// Unknown runs a command that only has subcommands: it names them.
func Unknown(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return fmt.Errorf("%w: unknown command %q; %s has %s", ErrUsage, args[0], c.CommandPath(), strings.Join(names, ", "))
}
