package learned

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/env"
)

// Adviser marks in masks what the game's scripted player would do, for networks that are
// advised by it (network.Config.Advice). It belongs to one goroutine. A nil Adviser marks
// nothing.
type Adviser struct {
	player agents.Policy
	rng    rand.PCG
	nats   uint8
}

// adviceStream is the PCG stream of what the scripted player draws.
const adviceStream = 0x616476696365

// NewAdviser returns an adviser of so much weight, nil for 0. Errors are those of
// scripted.New.
func NewAdviser(g engine.Game, nats int) (*Adviser, error) {
	if nats == 0 {
		return nil, nil
	}
	player, err := scripted.New(g)
	if err != nil {
		return nil, err
	}
	return &Adviser{player: player, nats: uint8(nats)}, nil
}

// Mark adds the weight to the entry of the action that is advised, in a mask with 1 for each
// of the legal actions; a choice that is forced needs no advice. What is advised follows from
// the view alone, so that a policy with advice is one, too.
func (a *Adviser) Mark(mask []uint8, view engine.View, seat engine.Player, legal []engine.Action) {
	if a == nil || len(legal) < 2 {
		return
	}
	a.rng.Seed(view.Hash(), adviceStream)
	mask[a.player.Choose(view, seat, legal, &a.rng)] += a.nats
}

// MarkNext is Mark for the decision at which an environment stands. Nobody's view is made for
// a nil Adviser.
func (a *Adviser) MarkNext(mask []uint8, e *env.Env) {
	if a != nil {
		a.Mark(mask, e.View(e.Actor()), e.Actor(), e.Legal())
	}
}
