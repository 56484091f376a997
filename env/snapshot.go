package env

import (
	"bytes"
	"encoding/json"
	"fmt"

	"powderkeg/engine"
)

// Snapshot is an environment at rest: enough to go on exactly where it was. Its
// JSON form goes into checkpoints.
type Snapshot struct {
	Start     json.RawMessage `json:"start"`    // position that episodes start from
	Position  json.RawMessage `json:"position"` // position of the episode under way
	Chance    []byte          `json:"chance"`   // state of the generator of chance events
	Decisions int             `json:"decisions"`
	Moves     int             `json:"moves"`
	Rewards   []float32       `json:"rewards"` // of the last Step
	Truncated bool            `json:"truncated"`
	// Fresh is true before the first Reset.
	Fresh bool `json:"fresh"`
}

// Snapshot returns the environment's present state. Its Start is shared, and not to be written.
// In the middle of a procedure that takes an environment with Options.Written.
func (e *Env) Snapshot() (Snapshot, error) {
	s := Snapshot{Decisions: e.decisions, Moves: e.moves, Rewards: append([]float32{}, e.rewards...), Truncated: e.truncated,
		Fresh: e.terminated && e.state.ToAct() != engine.Terminal}
	var err error
	if s.Start, err = e.startText(); err != nil {
		return s, err
	}
	if s.Position, err = e.state.MarshalJSON(); err != nil {
		return s, err
	}
	s.Chance, err = e.rng.MarshalBinary()
	return s, err
}

// Restore makes the environment go on from a snapshot of one with the same game
// and options. After an error it must be reset before it is used again.
func (e *Env) Restore(s Snapshot) error {
	start := e.start
	text, err := e.startText()
	if err != nil {
		return fmt.Errorf("restore start: %w", err)
	}
	if !bytes.Equal(text, s.Start) { // of most snapshots it is that which is there
		if start, err = e.game.Load(s.Start, engine.Lenient); err != nil {
			return fmt.Errorf("restore start: %w", err)
		}
	}
	state, err := e.game.Load(s.Position, engine.Lenient)
	if err != nil {
		return fmt.Errorf("restore position: %w", err)
	}
	if len(s.Rewards) != e.spec.Seats {
		return fmt.Errorf("restore: %d rewards for %d seats", len(s.Rewards), e.spec.Seats)
	}
	if err := e.rng.UnmarshalBinary(s.Chance); err != nil {
		return fmt.Errorf("restore generator: %w", err)
	}
	if start != e.start {
		e.setStart(start)
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
