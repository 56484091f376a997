// Package replay records games as a header and a list of moves, and verifies
// a record by playing it again.
package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
)

// Format names the file format and its version.
const Format = "powderkeg-replay/1"

// ErrRecord is wrapped by the errors of Parse and Play.
var ErrRecord = errors.New("bad replay")

// Record is a recorded game, whole or unfinished. Its JSON form is the file
// format.
type Record struct {
	Format string `json:"format"`
	// Game is the game string, Rules the Spec.Version that the game was played by.
	Game  string `json:"game"`
	Rules int    `json:"rules"`
	// Players names who sat where, for the reader only.
	Players []string `json:"players,omitempty"`
	// Position is the start, the game's own initial position where it is absent.
	Position json.RawMessage `json:"position,omitempty"`
	// Moves lists actions and chance outcomes by name, in order.
	Moves []string `json:"moves"`
	// Returns are the returns at the end, one a seat, absent while the game goes on.
	Returns []float32 `json:"returns,omitempty"`
	// Hash is the hexadecimal hash of the last state.
	Hash string `json:"hash"`
}

// New starts a record of a game that begins at the initial position.
func New(g engine.Game, players ...string) *Record {
	return &Record{Format: Format, Game: g.Spec().Text, Rules: g.Spec().Version, Players: players, Moves: []string{}}
}

// Add notes the move that is about to be applied to s.
func (r *Record) Add(g engine.Game, s engine.State, a engine.Action) {
	r.Moves = append(r.Moves, engine.MoveName(g, s, a))
}

// Close notes how the game stands after its last move.
func (r *Record) Close(s engine.State) {
	r.Hash = fmt.Sprintf("%016x", s.Hash())
	if s.ToAct() == engine.Terminal {
		r.Returns = s.Returns(nil)
	}
}

// Parse reads a record. It checks the form, not the moves.
func Parse(data []byte) (*Record, error) {
	var r Record
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrRecord, position.Plainly(err, nil))
	}
	if r.Format != Format {
		return nil, fmt.Errorf("%w: format is %q, this program reads %q", ErrRecord, option.Shorten(r.Format), Format)
	}
	return &r, nil
}

// Play carries out the record in game g, calls each (if not nil) with every
// state before the move that is made in it, and returns the last state. It
// fails if the rules' version, a move, the returns or the hash do not agree.
func Play(g engine.Game, r *Record, each func(s engine.State, a engine.Action)) (engine.State, error) {
	spec := g.Spec()
	if r.Rules != spec.Version {
		return nil, fmt.Errorf("%w: it was played by version %d of the rules of %s, this program has version %d", ErrRecord, r.Rules, spec.Name,
			spec.Version)
	}
	s := g.New()
	if r.Position != nil {
		var err error
		if s, err = g.Load(r.Position, engine.Strict); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRecord, err)
		}
	}
	for i, name := range r.Moves {
		a, err := engine.FindMove(g, s, name)
		if err != nil {
			return nil, fmt.Errorf("%w: move %d: %w", ErrRecord, i+1, err)
		}
		if each != nil {
			each(s, a)
		}
		if err := s.Apply(a); err != nil {
			return nil, fmt.Errorf("%w: move %d (%s): %w", ErrRecord, i+1, name, err)
		}
	}
	if got := fmt.Sprintf("%016x", s.Hash()); got != r.Hash {
		return nil, fmt.Errorf("%w: the last state has hash %s, the record says %s", ErrRecord, got, r.Hash)
	}
	var returns []float32
	if s.ToAct() == engine.Terminal {
		returns = s.Returns(nil)
	}
	if !slices.Equal(returns, r.Returns) {
		return nil, fmt.Errorf("%w: the returns are %v, the record says %v", ErrRecord, returns, r.Returns)
	}
	return s, nil
}
