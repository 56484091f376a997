package flow

import (
	"unsafe"

	"powderkeg/engine"
)

// View is the shell of what a seat sees of a game: a position in which all else is blank,
// and nothing to play it on with. The game's own View embeds it and adds the text and
// what encoders and players ask.
type View[G Rules[G, P], P, L any] struct {
	G G
	P P
	// Seat is the seat whose view it is, or engine.Everything.
	Seat engine.Player
}

// Show makes v what a seat sees of the state.
func (s *State[G, P, L]) Show(seat engine.Player, v *View[G, P, L]) {
	v.G, v.Seat = s.G, seat
	v.P = s.P
	if seat != engine.Everything {
		v.G.Blank(&v.P, seat)
	}
}

func (v *View[G, P, L]) rest() *Rest[L] { return (*Rest[L])(unsafe.Pointer(&v.P)) }

// ToAct implements engine.View.
func (v *View[G, P, L]) ToAct() engine.Player { return v.rest().Actor }

// Legal implements engine.View.
func (v *View[G, P, L]) Legal(dst []engine.Action) []engine.Action {
	return v.rest().Choices().Append(dst)
}

// Asks implements engine.Asker.
func (v *View[G, P, L]) Asks() (question, rule string) {
	return asks(v.G.Table(), v.rest().Ask, v.rest().Actor)
}

// Question implements engine.Teller.
func (v *View[G, P, L]) Question() string {
	return question(v.G, &v.P, v.rest().Ask)
}

// Describe implements engine.Describer.
func (v *View[G, P, L]) Describe(a engine.Action) string { return v.G.Describe(&v.P, a) }

// Hash implements engine.View.
func (v *View[G, P, L]) Hash() uint64 { return v.G.Hash(&v.P) }

// MarshalJSON implements engine.View.
func (v *View[G, P, L]) MarshalJSON() ([]byte, error) { return v.G.Encode(&v.P) }
