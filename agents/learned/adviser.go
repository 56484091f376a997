package learned

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/agents/network"
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
	nats   []uint8 // by seat
}

// adviceStream is the PCG stream of what the scripted player draws.
const adviceStream = 0x616476696365

// NewAdviser returns the adviser that a network of that architecture wants, nil for one
// without advice. Errors are those of scripted.New and, where the player is to weigh with
// other weights, of scripted.NewWeighing; they name seats and weights that there are not.
func NewAdviser(g engine.Game, c network.Config) (*Adviser, error) {
	if c.Advice == 0 {
		return nil, nil
	}
	player, err := scripted.New(g)
	if err != nil {
		return nil, err
	}
	a := &Adviser{player: player, nats: bytes.Repeat([]byte{uint8(c.Advice)}, g.Spec().Seats)}
	for i, one := range c.Advisers {
		if err := a.change(g, one); err != nil {
			return nil, fmt.Errorf("advisers[%d]%w", i, err)
		}
	}
	return a, nil
}

// Weigh gives seats of a scripted player the weights of their advisers. Errors are those of
// NewAdviser.
func Weigh(g engine.Game, player agents.Policy, advisers []network.Adviser) error {
	a := &Adviser{player: player, nats: make([]uint8, g.Spec().Seats)}
	for i, one := range advisers {
		if err := a.change(g, one); err != nil {
			return fmt.Errorf("advisers[%d]%w", i, err)
		}
	}
	return nil
}

// change lets some seats be advised otherwise.
func (a *Adviser) change(g engine.Game, to network.Adviser) error {
	seats := to.Seats
	if len(seats) == 0 {
		for seat := range g.Spec().Seats {
			seats = append(seats, seat)
		}
	}
	for _, seat := range seats {
		if seat < 0 || seat >= g.Spec().Seats {
			return fmt.Errorf(".seats: %d is no seat, %s has seats 0 to %d", seat, g.Spec().Name, g.Spec().Seats-1)
		}
		if to.Advice > 0 {
			a.nats[seat] = uint8(to.Advice)
		}
		if len(to.Weights) == 0 {
			continue
		}
		player, ok := a.player.(scripted.Weighing)
		if !ok {
			_, err := scripted.NewWeighing(g)
			return fmt.Errorf(".weights: %w", err)
		}
		if err := player.Weights(seat).Change(to.Weights); err != nil {
			return fmt.Errorf(".weights: %w", err)
		}
	}
	return nil
}

// Mark adds the weight to the entry of the action that is advised, in a mask with 1 for each
// of the legal actions; a choice that is forced needs no advice. What is advised follows from
// the view alone, so that a policy with advice is one, too.
func (a *Adviser) Mark(mask []uint8, view engine.View, seat engine.Player, legal []engine.Action) {
	if a == nil || len(legal) < 2 {
		return
	}
	a.rng.Seed(view.Hash(), adviceStream)
	mask[a.player.Choose(view, seat, legal, &a.rng)] += a.nats[seat]
}

// MarkNext is Mark for the decision at which an environment stands. Nobody's view is made for
// a nil Adviser.
func (a *Adviser) MarkNext(mask []uint8, e *env.Env) {
	if a != nil {
		a.Mark(mask, e.View(e.Actor()), e.Actor(), e.Legal())
	}
}
