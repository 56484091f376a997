// Package script runs scripted situations: a position, moves by name, and what
// must hold after them. A rules question becomes a file that a player can read.
package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/position"
)

// ErrScript is wrapped by the error of a script that cannot be run: it is
// malformed, or names something that does not exist.
var ErrScript = errors.New("bad script")

// Script is one scripted situation. Its JSON form is the file format.
type Script struct {
	// Game is the game string.
	Game string `json:"game"`
	// Rules names the rules of the game's specification that the script is about, for
	// the reader.
	Rules []string `json:"rules,omitempty"`
	Block
	// Steps go on from the block before, one after another.
	Steps []Block `json:"steps,omitempty"`
}

// Block is a part of a script: moves, and what must hold after them. Whatever is
// left out is not looked at.
type Block struct {
	// About says what the block shows, for the reader.
	About string `json:"about,omitempty"`
	// Position overrides fields of the initial position, in a step those of the
	// position reached. Pieces may be missing (engine.Lenient); every other limit of
	// the rules is checked.
	Position json.RawMessage `json:"position,omitempty"`
	// Do lists the actions and chance outcomes that are played, by name. A move that
	// is the only one possible may be left out, and one that the game carries out
	// unasked (its option auto_forced) may be written.
	Do []string `json:"do,omitempty"`
	// Expect is a partial position that the result must contain as it is written: null,
	// {} and [] stand for themselves. Other objects may be partial, and so may lists
	// of elements that have a name (nameKeys), which are matched by it. Lists in whose
	// order the game sees no meaning may be written in any. Of what the position leaves
	// out because it is at its default, the default is expected.
	Expect json.RawMessage `json:"expect,omitempty"`
	// ExpectExactly is Expect with objects and lists whole.
	ExpectExactly json.RawMessage `json:"expect_exactly,omitempty"`
	// Legal names moves that must be possible at the end, Illegal moves that must not
	// be, LegalExactly all that are possible.
	Legal        []string  `json:"legal,omitempty"`
	Illegal      []string  `json:"illegal,omitempty"`
	LegalExactly *[]string `json:"legal_exactly,omitempty"`
	// ToAct is a seat, "chance" or "end".
	ToAct json.RawMessage `json:"to_act,omitempty"`
	// Returns has a number per seat.
	Returns []float32 `json:"returns,omitempty"`
	// Outcomes gives the weights of chance outcomes, 0 to one that is not possible. If
	// all that are possible are named, it is enough that the weights are in the same
	// proportion.
	Outcomes map[string]uint32 `json:"outcomes,omitempty"`
	// Refused is a rule number or another part of the message by which the last move
	// of Do, or Position if Do is empty, is refused. The state is then the one before.
	Refused string `json:"refused,omitempty"`
	// Events lists what must have been told on the way (engine.Narrator), in this
	// order; other events may stand between. An element is a kind, or an object with
	// "kind", "rule", "text" or arguments by name.
	Events []json.RawMessage `json:"events,omitempty"`
	// Views says by seat what the seat may see.
	Views map[string]View `json:"views,omitempty"`
}

// View is what must hold of a seat's view.
type View struct {
	// ToAct is a seat, "chance", "end" or "nobody".
	ToAct json.RawMessage `json:"to_act,omitempty"`
	// Fields and FieldsExactly are to the view's JSON what Expect and ExpectExactly are
	// to the position's.
	Fields        json.RawMessage `json:"fields,omitempty"`
	FieldsExactly json.RawMessage `json:"fields_exactly,omitempty"`
	// Text holds parts of the text that the seat reads, TextWithout what it must not
	// read.
	Text        []string `json:"text,omitempty"`
	TextWithout []string `json:"text_without,omitempty"`
	// Observation gives numbers of the observation, by the field's name, or with the
	// places or labels of its axes as in "hand[2]" and "areas[CAN][owner]". A value is
	// a number or a list of them.
	Observation map[string]json.RawMessage `json:"observation,omitempty"`
	// SameAs is another situation that the seat cannot tell from this one.
	SameAs *Situation `json:"same_as,omitempty"`
}

// Situation is reached from a position by moves.
type Situation struct {
	// Position overrides fields of the initial position; left out, it is the one that
	// the script begins with.
	Position json.RawMessage `json:"position,omitempty"`
	Do       []string        `json:"do,omitempty"`
}

// Options are what a run needs beside the engine.
type Options struct {
	// Observe returns numbers of the observation of seat p, by a key of
	// View.Observation. Without it a script that looks at observations cannot be run.
	Observe func(g engine.Game, view engine.View, p engine.Player, key string) ([]float32, error)
	// New makes the games of other game strings; nil is games.New, which knows no editions.
	New func(text string) (engine.Game, error)
}

// Result is how a script went.
type Result struct {
	// Failures says what did not hold, a line each; none means that all held.
	Failures []string `json:"failures"`
	// Position is the position at the end, null if the script's own was refused.
	Position json.RawMessage `json:"position"`
}

// Parse reads a script. It checks the form, not the game.
func Parse(data []byte) (*Script, error) {
	var s Script
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrScript, position.Plainly(err, nil))
	}
	if s.Game == "" {
		return nil, fmt.Errorf(`%w: it has no "game"`, ErrScript)
	}
	return &s, nil
}
