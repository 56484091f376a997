// Package agents holds the interface of everything that can play: random,
// scripted, searching, learned and human players.
package agents

import (
	"context"

	"powderkeg/engine"
)

// Agent plays one seat of one game at a time. It belongs to one goroutine.
type Agent interface {
	// Start begins a new game of the game that the agent was made for. All
	// randomness of the agent's play follows from the seed.
	Start(seat engine.Player, seed uint64)
	// Act chooses one of the legal actions, of which there is at least one. The
	// view has been redacted for the agent's seat, which is to act; it is valid
	// until Act returns and must not be changed. Act returns ctx.Err() soon after
	// ctx ends.
	Act(ctx context.Context, view engine.State, legal []engine.Action) (engine.Action, error)
}
