package values

import (
	"powderkeg/engine/option"
	"powderkeg/env/memory"
)

// MostWidth bounds the hidden layers.
const MostWidth = 1 << 14

// Check says what is wrong with what somebody wants collected and learned, before a game is
// played: what is wrong with the numbers, and what would not fit into the memory.
func Check(c Collection, l Learning) error {
	e, err := newEyes(c.Game, c.Sight)
	if err != nil {
		return option.Wrong(err)
	}
	if _, err := c.head(); err != nil {
		return option.Wrong(err)
	}
	if err := l.Validate(); err != nil {
		return option.Wrong(err)
	}
	weights, in := memory.Size(0), e.inputs()
	for _, width := range append(l.Hidden, c.Game.Spec().Seats+1) {
		weights, in = weights.Plus(memory.Of(in+1, width)), width
	}
	// The weights, their start, the best and two moments of Adam, and a gradient for each part.
	net := weights.Times(4 * (5 + parts))
	// A moment is written in some two bytes for each number of an observation that is not 0, of
	// which there are a sixth, and is listed, aimed and drawn with a few more.
	seats := c.Game.Spec().Seats
	moment := memory.Of(e.inputs(), 2).Times(1) / 6
	game := moment.Plus(memory.Of(64 + 16*seats)).Times(2 * int64(c.Moments)).Plus(memory.Of(128))
	return memory.Count{Name: "--games", N: int64(c.Games)}.Check(game, net)
}
