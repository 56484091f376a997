package train

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/train/league"
	"powderkeg/train/rollout"
)

// slot is what the collector knows of an environment.
type slot struct {
	// rng is of the choices made in it, lots of who sits where and where its games begin:
	// apart, so that a game can be set up without the choices of the one before.
	rng, lots rand.PCG
	// turn counts the games against the pool, seats says who holds which seat of the
	// present one (league.Pool.Seat). Both are unused where the learner plays itself:
	// seats is nil.
	turn  uint64
	seats []int
	// seed is that of the chance of the present round of paired games (league.Config).
	seed uint64
	// archived: the present game began in a position of the archive.
	archived bool
	// action is played in this step; penalty is what the choice costs (ppo.Choice).
	action  engine.Action
	penalty float32
	margins []float32 // scratch of addMargin
	seen    []float32 // [D] scratch of what is observed
	forced  int       // decisions that this step has played beside
	err     error     // of this step
}

// learner reports whether the learner holds a seat of the present game.
func (s *slot) learner(seat engine.Player) bool {
	return s.seats == nil || s.seats[seat] == league.Learner
}

// next is who decides next as the rollout wants to know it.
func (s *slot) next(actor engine.Player) engine.Player {
	if s.learner(actor) {
		return actor
	}
	return rollout.Opponent
}
