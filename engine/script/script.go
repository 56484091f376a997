// Package script runs scripted situations: a position, moves by name, and what
// must hold after them. A rules question becomes a file that a player can read.
package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	// About says what the script shows, Rules which rules of the game's
	// specification it is about. Both are for the reader.
	About string   `json:"about,omitempty"`
	Rules []string `json:"rules,omitempty"`
	// Position overrides fields of the initial position. Pieces may be missing
	// (engine.Lenient); every other limit of the rules is checked.
	Position json.RawMessage `json:"position,omitempty"`
	// Do lists the actions and chance outcomes that are played, by name.
	Do []string `json:"do"`
	// Expect is a partial position that must agree with the result. Objects may
	// be partial; in a list, null stands for what is there (position.Overlay).
	Expect json.RawMessage `json:"expect,omitempty"`
	// Legal names moves that must be possible at the end, Illegal moves that must
	// not be.
	Legal   []string `json:"legal,omitempty"`
	Illegal []string `json:"illegal,omitempty"`
}

// Result tells how a script went.
type Result struct {
	// Failures says what did not hold, a line each; none means that all held.
	Failures []string `json:"failures"`
	// Position is the position at the end.
	Position json.RawMessage `json:"position"`
}

// Parse reads a script. It checks the form, not the game.
func Parse(data []byte) (*Script, error) {
	var s Script
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrScript, strings.TrimPrefix(err.Error(), "json: "))
	}
	if s.Game == "" {
		return nil, fmt.Errorf(`%w: it has no "game"`, ErrScript)
	}
	return &s, nil
}

// Run plays the script in game g, which must be the one that s.Game names. An
// expectation that fails is a line of the result; a script that makes no sense
// (an unknown name, a position that breaks a limit) is an error.
func Run(g engine.Game, s *Script) (*Result, error) {
	state := g.New()
	if s.Position != nil {
		var err error
		if state, err = g.Load(s.Position, engine.Lenient); err != nil {
			return nil, fmt.Errorf("%w: position: %w", ErrScript, err)
		}
	}
	for _, name := range slices.Concat(s.Legal, s.Illegal) {
		if !slices.Contains(g.Spec().Actions, name) && !slices.Contains(g.Spec().Outcomes, name) {
			return nil, fmt.Errorf("%w: %s has no action or outcome %q", ErrScript, g.Spec().Name, name)
		}
	}
	result := &Result{Failures: []string{}}
	fail := func(format string, args ...any) {
		result.Failures = append(result.Failures, fmt.Sprintf(format, args...))
	}
	for i, name := range s.Do {
		a, err := engine.FindMove(g, state, name)
		if err == nil {
			err = state.Apply(a)
		}
		if err != nil {
			fail("do, step %d: %v", i+1, err)
			break
		}
	}
	var err error
	if result.Position, err = state.MarshalJSON(); err != nil {
		return nil, err
	}
	if len(result.Failures) > 0 {
		return result, nil
	}
	possible := map[string]bool{}
	for _, a := range engine.Moves(state) {
		possible[engine.MoveName(g, state, a)] = true
	}
	for _, name := range s.Legal {
		if !possible[name] {
			fail("legal: %s is not possible", name)
		}
	}
	for _, name := range s.Illegal {
		if possible[name] {
			fail("illegal: %s is possible", name)
		}
	}
	if s.Expect != nil {
		lines, err := compare(g, result.Position, s.Expect)
		if err != nil {
			return nil, fmt.Errorf("%w: expect: %w", ErrScript, err)
		}
		for _, line := range lines {
			fail("expect: %s", line)
		}
	}
	return result, nil
}

// compare lists where the expectation is not met. The expectation is laid over
// the result; if it holds, that changes nothing. Loading the overlay puts lists
// whose order has no meaning into the game's own order, so that a hand may be
// written in any order. An overlay that breaks a limit of the rules cannot be
// loaded and is compared as it is written.
func compare(g engine.Game, got, expect []byte) ([]string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(expect, &fields); err != nil {
		return nil, errors.New("it must be an object")
	}
	var known map[string]json.RawMessage
	if err := json.Unmarshal(got, &known); err != nil {
		return nil, err
	}
	mask := make([]string, 0, len(fields))
	for k := range fields {
		if _, ok := known[k]; !ok {
			return nil, fmt.Errorf("unknown field %q", k)
		}
		mask = append(mask, k)
	}
	want, err := position.Overlay(got, expect)
	if err != nil {
		return nil, err
	}
	if s, err := g.Load(want, engine.Lenient); err == nil {
		if normal, err := s.MarshalJSON(); err == nil {
			return position.Differences(got, normal, mask)
		}
	}
	return position.Differences(got, want, mask)
}
