package flow

import "powderkeg/engine"

// View is the shell of what a seat sees of a game: a position in which all else is blank,
// and nothing to play it on with. The game's own View embeds it and adds the text and
// what encoders and players ask.
type View[G Rules[G, P], P any, PP Position[P]] struct {
	G G
	P P
	// Seat is the seat whose view it is, or engine.Everything.
	Seat engine.Player
}

// Show makes v what a seat sees of the state.
func (s *State[G, P, PP]) Show(seat engine.Player, v *View[G, P, PP]) {
	v.G, v.Seat = s.G, seat
	v.P = s.P
	if seat != engine.Everything {
		v.G.Blank(&v.P, seat)
	}
}

// ToAct implements engine.View.
func (v *View[G, P, PP]) ToAct() engine.Player { return PP(&v.P).Asked().Actor }

// Legal implements engine.View.
func (v *View[G, P, PP]) Legal(dst []engine.Action) []engine.Action {
	return PP(&v.P).Choices().Append(dst)
}

// Describe implements engine.Describer.
func (v *View[G, P, PP]) Describe(a engine.Action) string { return v.G.Describe(&v.P, a) }

// Hash implements engine.View.
func (v *View[G, P, PP]) Hash() uint64 { return v.G.Hash(&v.P) }

// MarshalJSON implements engine.View.
func (v *View[G, P, PP]) MarshalJSON() ([]byte, error) { return v.G.Encode(&v.P) }
