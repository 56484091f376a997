// Package envtest holds games for tests of what goes on around an engine: one that breaks
// down (Mine), and two of more than two seats whose best play is known (Sealed).
package envtest

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/encoding"
)

// The actions of Mine.
const (
	Step engine.Action = iota
	Tread
)

// Mine is a walk of three steps by two seats in turn. Whoever treads on the mine ends
// the walk with a panic of the engine.
type Mine struct{}

// Spec implements engine.Game.
func (Mine) Spec() *engine.Spec {
	return &engine.Spec{
		Name: "mine", Title: "Mine", Text: "mine", Version: 1, Seats: 2, Actions: []string{"step", "tread"},
		MaxDecisions: 3, MaxMoves: 3, Payoff: engine.GeneralSum,
	}
}

// New implements engine.Game.
func (Mine) New() engine.State { return &walk{} }

// Load implements engine.Game. There is one position.
func (Mine) Load([]byte, engine.Strictness) (engine.State, error) { return &walk{}, nil }

// Encoder implements env.Encoded.
func (Mine) Encoder() encoding.Encoder { return encoder{} }

type walk struct{ steps uint8 }

func (w *walk) ToAct() engine.Player {
	if w.steps == 3 {
		return engine.Terminal
	}
	return engine.Player(w.steps % 2)
}

func (w *walk) Legal(dst []engine.Action) []engine.Action {
	if w.steps == 3 {
		return dst
	}
	return append(dst, Step, Tread)
}

func (w *walk) Apply(a engine.Action) error {
	switch {
	case a < Step || a > Tread || w.steps == 3:
		return fmt.Errorf("%w: action %d", engine.ErrIllegal, a)
	case a == Tread:
		panic("the mine went off")
	}
	w.steps++
	return nil
}

func (w *walk) Returns(dst []float32) []float32 { return append(dst, 0, 0) }
func (w *walk) CopyFrom(src engine.State)       { *w = *src.(*walk) }
func (w *walk) Hash() uint64                    { return uint64(w.steps) }
func (w *walk) MarshalJSON() ([]byte, error)    { return fmt.Appendf(nil, `{"steps":%d}`, w.steps), nil }

type encoder struct{}

func (encoder) Layout() *encoding.Layout {
	l := &encoding.Layout{Game: "mine", Version: 1}
	l.Add("steps", 0, 3, "steps made", nil, 1)
	return l
}

func (encoder) Encode(dst []float32, view engine.View, _ engine.Player) {
	dst[0] = float32(view.(*walk).steps)
}
