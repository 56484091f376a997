package cli

import (
	"cmp"
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/replay"
	"powderkeg/engine/script"
	"powderkeg/env"

	"github.com/spf13/cobra"
)

// scriptResult is one script as "script --json" prints it.
type scriptResult struct {
	File   string `json:"file"`
	Passed bool   `json:"passed"`
	Error  string `json:"error,omitempty"` // of a script that cannot be run
	*script.Result
}

// Script is the command "script".
func Script() *cobra.Command {
	var asJSON, show bool
	c := &cobra.Command{
		Use:   "script FILE...",
		Short: "Run scripted situations and check what they expect",
		Long: `Run scripted situations and check what they expect.

A script is a JSON file:

  {"game": "leduc",
   "position": {"cards": ["Js", "Kh"]},
   "do": ["call", "raise"],
   "expect": {"round1": ["call", "raise"]},
   "legal": ["fold", "call"], "illegal": ["Js"], "to_act": 0,
   "views": {"1": {"text_without": ["Js"]}},
   "steps": [{"do": ["fold"], "to_act": "end", "returns": [-1, 1]}]}

"position" overrides fields of the initial position (each game's README.md
describes them; pieces may be missing). "do" lists actions and chance outcomes by
name ("powderkeg spec GAME" lists them); a move without an alternative may be
left out. What must hold after them, as far as it is given:

  expect          a part of the position, as it is written: null, {} and [] stand
                  for themselves; units and other named elements by their names
  expect_exactly  the same with objects and lists whole
  legal, illegal  moves that are possible, moves that are not
  legal_exactly   all that are possible
  to_act          a seat, "chance" or "end"
  returns         a number per seat
  outcomes        the weights of chance outcomes by name, 0 if impossible
  refused         the rule, or another part of the message, by which the last move
                  (the position, if there is none) is refused
  events          what was told on the way, in order, where the game tells it
  views           by seat: to_act, fields, fields_exactly, text, text_without,
                  observation (field or field[place]: number or list), and
                  same_as: {"position": ..., "do": [...]}, a situation that the
                  seat cannot tell from this one
  steps           more such blocks, each going on from the one before

The exit code is 1 if an expectation fails and 2 if a script cannot be run.`,
		Example: "  powderkeg script engine/jogu/testdata/vectors/*.json\n  powderkeg script --show my_situation.json",
		Args:    Usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, files []string) error {
			var results []scriptResult
			var broken error
			failed := 0
			for _, file := range files {
				r := scriptResult{File: option.Shorten(file)}
				data, err := ReadNamed(c, file)
				if err == nil {
					if r.Result, err = runScript(data); err != nil {
						err = fmt.Errorf("%s: %w", r.File, err)
					}
				}
				if err != nil { // it names the file
					r.Error = strings.ReplaceAll(Message(err), ErrUsage.Error()+": ", "")
					broken = cmp.Or(broken, err)
				} else {
					r.Passed = len(r.Result.Failures) == 0
				}
				if !r.Passed {
					failed++
				}
				results = append(results, r)
				if !asJSON {
					printScript(c, r, show)
				}
			}
			if asJSON {
				if err := PrintJSON(c.OutOrStdout(), results); err != nil {
					return err
				}
			} else {
				fmt.Fprintf(c.OutOrStdout(), "%d passed, %d failed\n", len(results)-failed, failed)
			}
			switch {
			case broken != nil:
				return broken
			case failed > 0:
				return fmt.Errorf("%w: %d of %d scripts", ErrCheck, failed, len(results))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: per file whether it passed, its failures and the position at the end")
	c.Flags().BoolVar(&show, "show", false, "print the position at the end of each script")
	return c
}

func runScript(data []byte) (*script.Result, error) {
	s, err := script.Parse(data)
	if err != nil {
		return nil, err
	}
	g, err := env.NewGame(s.Game)
	if err != nil {
		return nil, err
	}
	return script.Run(g, s, script.Options{Observe: env.ObservedBy, New: env.NewGame})
}

func printScript(c *cobra.Command, r scriptResult, show bool) {
	out := c.OutOrStdout()
	switch {
	case r.Error != "":
		fmt.Fprintf(out, "cannot be run: %s\n", r.Error)
		return
	case r.Passed:
		fmt.Fprintf(out, "%s: ok\n", r.File)
	default:
		fmt.Fprintf(out, "%s: FAILED\n", r.File)
		for _, f := range r.Failures {
			fmt.Fprintf(out, "  %s\n", f)
		}
	}
	if show {
		fmt.Fprintf(out, "  %s\n", r.Position)
	}
}

// replayResult is a replay as "replay --json" prints it.
type replayResult struct {
	File    string    `json:"file"`
	Game    string    `json:"game"`
	Players []string  `json:"players,omitempty"`
	Moves   int       `json:"moves"`
	Over    bool      `json:"over"`
	Returns []float32 `json:"returns,omitempty"`
	Hash    string    `json:"hash"`
}

// Replay is the command "replay".
func Replay() *cobra.Command {
	var asJSON, quiet bool
	var seat, most int
	var folder string
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Check a recorded game by playing it again, and show it",
		Long: `Check a recorded game by playing it again, and show it.

Every move, the returns and the hash of the last state must agree with the rules
of this version; the exit code is 1 if they do not. All that the seats kept secret
is shown, unless --seat names one: then only what that seat got to know.

With --frames the game is drawn instead: the table as the seat sees it (seat 0, unless
--seat names another one), in a sequence of SVG files, with frames.json, which lists
them with what the seat was told in between.`,
		Example: `  powderkeg replay game.json
  powderkeg replay game.json --seat 1
  powderkeg replay game.json --quiet --json
  powderkeg replay game.json --frames pictures --seat 1 --most 20`,
		Args: Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := ReadNamed(c, args[0])
			if err != nil {
				return err
			}
			g, r, err := loadReplay(data)
			if err != nil {
				return fmt.Errorf("%s: %w", option.Shorten(args[0]), err)
			}
			looker := engine.Everything
			if c.Flags().Changed("seat") {
				if looker = engine.Player(seat); seat < 0 || seat >= g.Spec().Seats {
					return fmt.Errorf("%w: --seat is %d; %s has the seats 0 to %d", ErrUsage, seat, g.Spec().Text, g.Spec().Seats-1)
				}
			}
			out := c.OutOrStdout()
			if c.Flags().Changed("frames") {
				n, err := writeFrames(g, r, max(looker, 0), folder, most)
				if err != nil {
					return fmt.Errorf("%s: %w", option.Shorten(args[0]), err)
				}
				fmt.Fprintf(out, "%s: %d pictures of %s in %s\n", args[0], n, r.Game, folder)
				return nil
			}
			var each func(engine.State, engine.Action)
			if !asJSON && !quiet {
				log := engine.NewLog(g, looker, func(line string) { fmt.Fprintln(out, line) })
				each = func(s engine.State, a engine.Action) {
					if narrator, ok := s.(engine.Narrator); ok {
						narrator.Listen(log.Event)
					}
					log.Move(s, a)
				}
			}
			end, err := replay.Play(g, r, each)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if asJSON {
				return PrintJSON(out, replayResult{args[0], r.Game, r.Players, len(r.Moves), end.ToAct() == engine.Terminal, r.Returns, r.Hash})
			}
			fmt.Fprintf(out, "\n%s", engine.Look(end, looker).(engine.Teller).Text(max(looker, 0)))
			if r.Returns != nil {
				fmt.Fprintf(out, "returns: %v\n", r.Returns)
			}
			fmt.Fprintf(out, "%s: verified, %d moves of %s\n", args[0], len(r.Moves), r.Game)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&quiet, "quiet", false, "check only, without the moves")
	c.Flags().IntVar(&seat, "seat", 0, "show what this seat got to know and nothing else (default: everything)")
	c.Flags().StringVar(&folder, "frames", "", "folder to make, for pictures of the game as a seat sees it")
	c.Flags().IntVar(&most, "most", 60, "largest number of pictures, evenly spread over the game")
	BoundByGame(c, "seat")
	Bound(c, 2, mostFrames, "most")
	return c
}
