package env

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"powderkeg/engine"
)

// Snapshot is an environment at rest: enough to go on exactly where it was. Its
// JSON form goes into checkpoints.
type Snapshot struct {
	Start     json.RawMessage `json:"start"`    // position that episodes start from; nil for the game's own
	Position  json.RawMessage `json:"position"` // position of the episode under way
	Chance    []byte          `json:"chance"`   // state of the generator of chance events
	Decisions int             `json:"decisions"`
	Moves     int             `json:"moves"`
	Rewards   []float32       `json:"rewards"` // of the last Step
	Truncated bool            `json:"truncated"`
	// Fresh is true before the first Reset.
	Fresh bool `json:"fresh"`
}

// Snapshot returns the environment's present state. Its Start, which is never nil, is shared, and
// not to be written. In the middle of a procedure that takes an environment with Options.Written.
func (e *Env) Snapshot() (Snapshot, error) {
	s, err := e.moment()
	if err == nil {
		s.Start, err = e.startText()
	}
	return s, err
}

// Short is Snapshot with a Start of nil where that is the game's own. The environment remembers
// nothing of it, so that those of strangers are no larger after it.
func (e *Env) Short() (Snapshot, error) {
	s, err := e.moment()
	if err == nil && !e.own {
		s.Start, err = e.start.MarshalJSON()
	}
	return s, err
}

// moment returns a snapshot without its start.
func (e *Env) moment() (Snapshot, error) {
	s := Snapshot{Decisions: e.decisions, Moves: e.moves, Rewards: append([]float32{}, e.rewards...), Truncated: e.truncated,
		Fresh: e.terminated && e.state.ToAct() != engine.Terminal}
	var err error
	if s.Position, err = e.state.MarshalJSON(); err != nil {
		return s, err
	}
	s.Chance, err = e.rng.MarshalBinary()
	return s, err
}

// check says what no environment has in which this seat is to act.
func (s *Snapshot) check(spec *engine.Spec, actor engine.Player) error {
	switch {
	case actor == engine.Chance && !s.Fresh:
		return errors.New("restore: the position is one before a chance event, where no environment stops")
	case actor == engine.Terminal && s.Truncated:
		return errors.New("restore: an episode that the rules have ended is truncated")
	case len(s.Rewards) != spec.Seats:
		return fmt.Errorf("restore: %d rewards for %d seats", len(s.Rewards), spec.Seats)
	case s.Decisions < 0 || s.Decisions > s.Moves || s.Moves > spec.MaxMoves:
		return fmt.Errorf("restore: %d decisions among %d moves; a game has at most %d", s.Decisions, s.Moves, spec.MaxMoves)
	}
	most := spec.MaxReturn - spec.MinReturn
	for _, r := range s.Rewards {
		if !(r >= -most && r <= most) { // NaN too
			return fmt.Errorf("restore: a reward of %g; returns of %s lie from %g to %g", r, spec.Name, spec.MinReturn, spec.MaxReturn)
		}
	}
	return nil
}

// startOf returns where the episodes of a snapshot start, and whether that is the game's own start.
// Of most snapshots it is that which is there.
func (e *Env) startOf(s Snapshot) (engine.State, bool, error) {
	if len(s.Start) == 0 || string(s.Start) == "null" {
		if e.own {
			return e.start, true, nil
		}
		return e.game.New(), true, nil
	}
	text, err := e.startText()
	if err != nil || bytes.Equal(text, s.Start) {
		return e.start, e.own, err
	}
	start, err := e.game.Load(s.Start, engine.Strict)
	return start, false, err
}

// Restore makes the environment go on from a snapshot of one with the same game
// and options. An error changes nothing.
func (e *Env) Restore(s Snapshot) error {
	start, own, err := e.startOf(s)
	if err != nil {
		return fmt.Errorf("restore start: %w", err)
	}
	state, err := e.game.Load(s.Position, engine.Strict)
	if err != nil {
		return fmt.Errorf("restore position: %w", err)
	}
	if err := s.check(e.spec, state.ToAct()); err != nil {
		return err
	}
	if err := e.rng.UnmarshalBinary(s.Chance); err != nil {
		return fmt.Errorf("restore generator: %w", err)
	}
	if start != e.start {
		e.setStart(start, own)
	}
	e.state.CopyFrom(state)
	e.decisions, e.moves, e.truncated = s.Decisions, s.Moves, s.Truncated
	copy(e.rewards, s.Rewards)
	e.returns = e.state.Returns(e.returns[:0])
	e.actor = e.state.ToAct()
	e.terminated = e.actor == engine.Terminal
	if s.Fresh {
		e.actor, e.terminated = engine.Terminal, true
	}
	e.legal = e.legal[:0]
	if !e.terminated && !e.truncated {
		e.legal = e.state.Legal(e.legal)
	}
	return nil
}
