package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	agentscli "powderkeg/agents/cli"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/replay"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/serve/told"
	"powderkeg/train/dataset"

	"github.com/spf13/cobra"
)

// traceFlags are the flags of "trace".
type traceFlags struct {
	config  dataset.Config
	start   cli.StartAt
	seats   []int
	replay  string
	view    bool
	workers int
}

// Trace is the command "trace".
func Trace() *cobra.Command {
	var f traceFlags
	c := &cobra.Command{
		Use:   "trace GAME | --replay FILE",
		Short: "Write games as text for language models: a line of JSON for every decision",
		Long: fmt.Sprintf(`Write games as text for language models: a line of JSON for every decision, with what
the seat was told since its last one (events with their rules), what it sees, what it
is asked and by which rule, what is legal, what it chose, and the rewards.

A line holds what its seat knew, and nothing that only others knew. The games are played
between agents, the same ones as "powderkeg export" plays by the same seed, or read
from a replay. serve/told/README.md describes the fields.

Agents:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg trace jogu --agent scripted --episodes 10 > jogu.jsonl
  powderkeg trace leduc --agent scripted --agent random --episodes 1000 --seat 0 > leduc.jsonl
  powderkeg trace --replay game.json --view`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if (len(args) == 1) == (f.replay != "") {
				return fmt.Errorf("%w: name a game to be played, such as jogu, or a replay with --replay, and not both", cli.ErrUsage)
			}
			out := bufio.NewWriter(c.OutOrStdout())
			var err error
			if f.replay != "" {
				err = f.replayed(c, out)
			} else {
				agentscli.WarnOfEditions(c, args[0], f.config.Agents...)
				err = f.played(c, args[0], out)
			}
			if flushed := out.Flush(); err == nil {
				err = flushed
			}
			return err
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.config.Agents, "agent", []string{"scripted"}, "who plays: once for all seats, or once for each seat in order")
	flags.Int64Var(&f.config.Episodes, "episodes", 1, "games to play")
	flags.Uint64Var(&f.config.Seed, "seed", 1, "seed of all chance and all agents")
	flags.IntVar(&f.config.MaxDecisions, "max-decisions", 0, "decisions after which a game is truncated, 0 for whole games")
	f.start.Add(c)
	flags.IntSliceVar(&f.seats, "seat", nil, "write the decisions of this seat alone; may be repeated (default: all seats)")
	flags.StringVar(&f.replay, "replay", "", "file with a recorded game to write, - for standard input, in place of playing any")
	flags.BoolVar(&f.view, "view", false, "add what the seat sees as JSON, in the format of the game's README")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "games played at a time; the lines do not depend on it")
	cli.Bound(c, 1, cli.MostGames, "episodes")
	cli.Bound(c, 0, cli.MostGames, "max-decisions")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	cli.BoundByGame(c, "seat")
	return c
}

// tracer returns a tracer of a game that writes lines of JSON.
func (f *traceFlags) tracer(g engine.Game, agents []string, out io.Writer) (*told.Tracer, error) {
	seats, n := []engine.Player{}, g.Spec().Seats
	for _, p := range f.seats {
		if p < 0 || p >= n {
			return nil, fmt.Errorf("%w: --seat is %d; %s has the seats 0 to %d", cli.ErrUsage, p, g.Spec().Text, n-1)
		}
		seats = append(seats, engine.Player(p))
	}
	if f.seats == nil {
		for p := range n {
			seats = append(seats, engine.Player(p))
		}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return told.NewTracer(told.NewReader(g), seats, agents, f.view, func(l *told.Line) error { return e.Encode(l) }), nil
}

// played writes games that agents play.
func (f *traceFlags) played(c *cobra.Command, game string, out io.Writer) error {
	start, err := f.start.Read(c)
	if err != nil {
		return err
	}
	config := f.config
	config.Game, config.Start = game, start
	collector, err := dataset.NewCollector(config)
	if err != nil {
		return err
	}
	g := collector.Game()
	t, err := f.tracer(g, collector.Config().Agents, out)
	if err != nil {
		return err
	}
	return collector.Collect(c.Context(), 0, config.Episodes, f.workers, func(b *dataset.Batch) error { return traceBatch(c.Context(), g, start, t, b) })
}

// traceBatch plays the episodes of a batch again, for a tracer.
func traceBatch(ctx context.Context, g engine.Game, start []byte, t *told.Tracer, b *dataset.Batch) error {
	var s engine.State
	apply := func(moves ...int32) error {
		for _, a := range moves {
			if err := t.Move(s, engine.Action(a)); err != nil {
				return err
			}
			if err := s.Apply(engine.Action(a)); err != nil {
				return err
			}
		}
		return nil
	}
	for row := range b.Rows() {
		if b.Steps[row] == 0 {
			if s = g.New(); start != nil {
				var err error
				if s, err = g.Load(start, engine.Strict); err != nil {
					return err
				}
			}
			t.Listen(s)
			if err := apply(b.Opening.Row(row)...); err != nil {
				return err
			}
		}
		if err := apply(b.Actions[row]); err != nil {
			return err
		}
		if err := apply(b.Chance.Row(row)...); err != nil {
			return err
		}
		if b.Terminated[row]|b.Truncated[row] == 0 {
			continue
		}
		if err := t.End(s); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// replayed writes a recorded game.
func (f *traceFlags) replayed(c *cobra.Command, out io.Writer) error {
	data, err := cli.ReadNamed(c, f.replay)
	if err != nil {
		return err
	}
	r, err := replay.Parse(data)
	if err != nil {
		return option.Wrong(fmt.Errorf("%s: %w", option.Shorten(f.replay), err))
	}
	g, err := env.NewGame(r.Game)
	if err != nil {
		return fmt.Errorf("%s: %w", f.replay, err)
	}
	agents := r.Players
	if len(agents) != g.Spec().Seats {
		agents = nil
	}
	t, err := f.tracer(g, agents, out)
	if err != nil {
		return err
	}
	var fault error
	end, err := replay.Play(g, r, func(s engine.State, a engine.Action) {
		if fault == nil {
			fault = t.Move(s, a)
		}
	})
	if err == nil {
		err = fault
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.replay, err)
	}
	return t.End(end)
}
