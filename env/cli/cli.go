// Package cli holds what the subcommands share, and the subcommands that need
// the engine and the environments alone: games, spec, script, replay and the
// environment benchmark.
package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/replay"
	"powderkeg/engine/script"
	"powderkeg/env"
	"powderkeg/env/file"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	case errors.Is(err, ErrUsage), errors.Is(err, script.ErrScript), errors.Is(err, engine.ErrPosition), errors.Is(err, os.ErrNotExist),
		errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP),
		errors.Is(err, file.ErrIrregular), errors.Is(err, file.ErrTooLong):
		return codeUsage
	default:
		return codeCheckFailed
	}
}

// Usage turns cobra's complaints about arguments into errors that wrap ErrUsage.
func Usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return fmt.Errorf("%w: %s; usage: %s", ErrUsage, clip(err.Error(), mostEcho), c.UseLine())
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

// Warn returns what tells the user of a command in a line that something may not be as meant.
func Warn(c *cobra.Command) func(line string) {
	return func(line string) { fmt.Fprintln(c.ErrOrStderr(), "warning:", line) }
}

// ReadNamed reads a file that the user has named; "-" is standard input. Its errors wrap
// ErrUsage.
func ReadNamed(c *cobra.Command, path string) ([]byte, error) {
	if path == "-" {
		return file.ReadFrom(c.InOrStdin(), "standard input", file.Record)
	}
	data, err := file.Read(path, file.Record)
	if err != nil {
		return nil, Named(err)
	}
	return data, nil
}

// Named returns the error of a file or folder that the user has named as one that wraps
// ErrUsage and repeats no more of the name than can be read.
func Named(err error) error {
	var fault *fs.PathError
	if errors.As(err, &fault) {
		fault.Path = option.Shorten(fault.Path)
	}
	return option.Wrong(err)
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
	return ReadNamed(c, p.file)
}

// Game returns the game with that start, and the position.
func (p *StartAt) Game(c *cobra.Command, g engine.Game) (engine.Game, []byte, error) {
	data, err := p.Read(c)
	if data == nil || err != nil {
		return g, nil, err
	}
	started, err := engine.StartAt(g, data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", option.Shorten(p.file), err)
	}
	return started, data, nil
}

// loadReplay reads a replay file and makes its game.
func loadReplay(data []byte) (engine.Game, *replay.Record, error) {
	r, err := replay.Parse(data)
	if err != nil {
		return nil, nil, option.Wrong(err)
	}
	g, err := env.NewGame(r.Game)
	return g, r, err
}

// FlagError makes cobra's errors about flags wrap ErrUsage and say what would be right.
func FlagError(c *cobra.Command, err error) error {
	text := clip(err.Error(), mostEcho)
	var value *pflag.InvalidValueError
	var name *pflag.NotExistError
	switch {
	case errors.As(err, &value):
		f := value.GetFlag()
		text = fmt.Sprintf("--%s is %q, it must be %s", f.Name, option.Shorten(value.GetValue()), wanted(f))
	case errors.As(err, &name) && len(name.GetSpecifiedName()) > 1:
		text = fmt.Sprintf("there is no flag --%s", option.Shorten(name.GetSpecifiedName()))
	}
	return fmt.Errorf("%w: %s; %s --help lists the flags", ErrUsage, text, c.CommandPath())
}

// wanted says in words what a flag takes.
func wanted(f *pflag.Flag) string {
	text := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 on", "float64": "a number", "bool": "true or false",
		"duration": "a duration, such as 5s or 1m30s", "intSlice": "whole numbers with commas between them",
	}[f.Value.Type()]
	if f.Annotations[boundKey] != nil {
		text += ", " + bounds(f)
	}
	return text
}

// Unknown runs a command that only has subcommands: it names them.
func Unknown(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	return unknown(c, args[0])
}

// unknown says which subcommands a command has, and that a name is none of them.
func unknown(c *cobra.Command, name string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if names == nil {
		return fmt.Errorf("%w: unknown command %q; %s has no commands of its own", ErrUsage, option.Shorten(name), c.CommandPath())
	}
	return fmt.Errorf("%w: unknown command %q; %s has %s", ErrUsage, option.Shorten(name), c.CommandPath(), strings.Join(names, ", "))
}

// Help is the command "help".
func Help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]...",
		Short: "Show what a command does and which flags it has",
		RunE: func(c *cobra.Command, args []string) error {
			asked, rest, err := c.Root().Find(args)
			if len(rest) > 0 { // an error without any is no more than that
				return unknown(asked, rest[0])
			}
			if err != nil {
				return err
			}
			asked.InitDefaultHelpFlag()
			return asked.Help()
		},
	}
}
