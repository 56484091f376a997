package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/perft"
	"powderkeg/env"
	"powderkeg/env/memory"
)

// What is written down in experiments/suite/perft.json.
const (
	CountDepth     = 20
	CountPositions = 4_000
)

// CountAfter lists the starts that are counted from, as moves from the task's own.
func CountAfter() []int { return []int{0, 24} }

// TaskCounts has the counts of a task's game from one place.
type TaskCounts struct {
	Task     string `json:"task"`
	Game     string `json:"game"`
	Rules    int    `json:"rules"`
	Position string `json:"position,omitempty"`
	// After is how many moves were made before the count, From the JSON position that they
	// led to (perft.Middle); without it the count is from where the task begins.
	After  int             `json:"after"`
	From   json.RawMessage `json:"from,omitempty"`
	Levels []perft.Level   `json:"levels"`
}

// levelBytes is about what a position of a level takes beside its state: a hash in a table that
// may be half empty.
const levelBytes = 256

// Counts counts what lies within some moves of each task's start and of the places so many
// middle moves after it, where the game is not over by then. Tasks are named by themselves
// or by their tier; no name stands for all. Errors wrap option.ErrUsage where there is no
// such task, and where a number is below 0.
func Counts(ctx context.Context, d *Definition, names []string, after []int, limits perft.Limits) ([]TaskCounts, error) {
	tasks, err := d.named(names)
	if err != nil {
		return nil, err
	}
	var list []TaskCounts
	for _, t := range tasks {
		if t.bank != nil {
			continue // it begins in positions of its own
		}
		for _, n := range after {
			c, err := t.counts(ctx, n, limits)
			if err != nil {
				return nil, fmt.Errorf("task %s, after %d moves: %w", t.Name, n, err)
			}
			if c != nil {
				list = append(list, *c)
			}
		}
	}
	return list, nil
}

// counts counts from one place, which must be within the game.
func (t *Task) counts(ctx context.Context, after int, limits perft.Limits) (*TaskCounts, error) {
	if limits.Positions == 0 {
		// Two levels are there at a time, each with its positions and a table of their hashes.
		limits.Positions = int(min(memory.Usable()/env.StateBytes(t.game).Plus(levelBytes).Times(2), math.MaxInt32))
	}
	c := &TaskCounts{Task: t.Name, Game: t.Game, Rules: t.Rules, Position: t.Position, After: after}
	from, err := perft.Middle(t.game, after)
	if from == nil || err != nil {
		return nil, err
	}
	g := t.game
	if after > 0 {
		c.From = from
		if g, err = engine.StartAt(engine.Original(g), from); err != nil {
			return nil, err
		}
	}
	c.Levels, err = perft.Count(ctx, g, limits)
	return c, err
}

// CountTable has the deepest level of each count in Markdown.
func CountTable(counts []TaskCounts) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| task | after | depth | sequences | at a decision | at a chance node | ended | positions | sequences of all depths "+
		"|\n|---|---|---|---|---|---|---|---|---|")
	for _, c := range counts {
		if len(c.Levels) == 0 {
			fmt.Fprintf(&b, "| %s | %d | 0 | - | - | - | - | - | - |\n", c.Task, c.After)
			continue
		}
		var all uint64
		for _, l := range c.Levels {
			all += l.Sequences
		}
		l := c.Levels[len(c.Levels)-1]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", c.Task, c.After, l.Depth, l.Sequences, l.Decisions, l.Chance, l.Ends,
			l.Positions, all)
	}
	return b.String()
}
