// Package perft counts what lies within some moves of the start of a game.
//
//	levels, err := perft.Count(ctx, g, perft.Limits{Depth: 4})
//	fmt.Println(levels[3].Sequences) // of four moves
//
// Two programs that implement the same rules have the same counts, so counts that are
// written down test an implementation against another one: the name and the habit are those
// of chess programs ("performance test, move path enumeration").
package perft

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Level has the counts of one depth.
//
// A move is an action that is legal for the seat to act, or an outcome of a chance node,
// which counts once whatever its weight. What the rules carry out without a choice is part
// of the move before it. A sequence of Depth moves begins at the start of the game, and none
// of its moves but the last may end the game.
type Level struct {
	Depth int `json:"depth"`
	// Sequences is how many sequences of Depth moves there are: Decisions + Chance + Ends.
	Sequences uint64 `json:"sequences"`
	// Decisions, Chance and Ends are the sequences after which a seat is to act, after which
	// chance is, and with which the game is over.
	Decisions uint64 `json:"decisions"`
	Chance    uint64 `json:"chance"`
	Ends      uint64 `json:"ends"`
	// Positions is how many different positions the sequences lead to. Two are the same
	// exactly if their JSON forms are, byte for byte.
	Positions int `json:"positions"`
}

// Limits says how deep to count.
type Limits struct {
	// Depth is the last level, 0 for no such limit.
	Depth int
	// Positions is the most positions that a level may have; the first that has more is left
	// out, and all after it. 0 stands for no such limit.
	Positions int
}

// Middle returns the JSON position after n moves from the start, each the middle one of
// those possible: of m, in ascending order of their numbers in the game's vocabularies, that
// with index m/2 rounded down. It returns nothing if the game is over by then.
func Middle(g engine.Game, n int) ([]byte, error) {
	if n < 0 {
		return nil, fmt.Errorf("%w: %d moves, want 0 or more", option.ErrUsage, n)
	}
	s := g.New()
	for ; n > 0 && s.ToAct() != engine.Terminal; n-- {
		moves := engine.Moves(s)
		if err := s.Apply(moves[len(moves)/2]); err != nil {
			return nil, err
		}
	}
	if s.ToAct() == engine.Terminal {
		return nil, nil
	}
	return s.MarshalJSON()
}

// node is a position of a level, and how many sequences lead to it.
type node struct {
	state engine.State
	ways  uint64
}

// Count returns the levels from depth 1 to the first limit, or to the end of the longest
// game. Sequences that meet in a position go on together, so time and memory grow with
// positions. It returns what it has with the error of ctx, or where a count passes 64 bits.
// Errors wrap option.ErrUsage where a limit is below 0.
func Count(ctx context.Context, g engine.Game, limits Limits) ([]Level, error) {
	if limits.Depth < 0 || limits.Positions < 0 {
		return nil, fmt.Errorf("%w: limits of %d moves and %d positions, want 0 or more", option.ErrUsage, limits.Depth, limits.Positions)
	}
	var levels []Level
	open := []node{{g.New(), 1}}
	for depth := 1; len(open) > 0 && (limits.Depth == 0 || depth <= limits.Depth); depth++ {
		level, next, err := expand(ctx, g, open, limits.Positions)
		if err != nil {
			return levels, fmt.Errorf("depth %d: %w", depth, err)
		}
		if level == nil {
			break
		}
		level.Depth = depth
		levels, open = append(levels, *level), next
	}
	return levels, nil
}

// expand makes every move in every open position. It returns the level that this gives and
// its positions in which the game goes on, or nothing if there are more than most.
func expand(ctx context.Context, g engine.Game, open []node, most int) (*Level, []node, error) {
	var level Level
	var next []node
	index := map[[sha256.Size]byte]int{} // into next, or ended
	const ended = -1
	child := g.New()
	for _, from := range open {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for _, move := range engine.Moves(from.state) {
			child.CopyFrom(from.state)
			if err := child.Apply(move); err != nil {
				return nil, nil, err
			}
			if err := level.add(child.ToAct(), from.ways); err != nil {
				return nil, nil, err
			}
			text, err := engine.Print(child)
			if err != nil {
				return nil, nil, err
			}
			key := sha256.Sum256(text)
			at, met := index[key]
			switch {
			case met && at != ended:
				next[at].ways += from.ways // no more than Sequences, which did not pass 64 bits
			case met:
			case most > 0 && len(index) == most:
				return nil, nil, nil
			case child.ToAct() == engine.Terminal:
				index[key] = ended
			default:
				index[key] = len(next)
				next = append(next, node{engine.Clone(g, child), from.ways})
			}
		}
	}
	level.Positions = len(index)
	return &level, next, nil
}

// add counts sequences after which that player is to act.
func (l *Level) add(toAct engine.Player, ways uint64) error {
	sum, carry := bits.Add64(l.Sequences, ways, 0)
	if carry != 0 {
		return fmt.Errorf("there are more than %d sequences", l.Sequences)
	}
	l.Sequences = sum
	switch toAct {
	case engine.Terminal:
		l.Ends += ways
	case engine.Chance:
		l.Chance += ways
	default:
		l.Decisions += ways
	}
	return nil
}
