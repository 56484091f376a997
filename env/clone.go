package env

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// Clone returns a copy of the environment with the same options: given the same actions, both
// show the same from now on, chance events and further episodes included. They share nothing
// mutable but what Options.Drawn does.
func (e *Env) Clone() *Env {
	c := newEnv(e.game, e.encoder, e.options, e.remembers)
	c.CopyFrom(e)
	return c
}

// CopyFrom makes the environment what another one of the same game is, and keeps its own
// options. It allocates nothing, so that a search can use one environment for one branch after
// another.
func (e *Env) CopyFrom(src *Env) {
	e.StartLike(src)
	e.state.CopyFrom(src.state)
	e.rng, e.actor = src.rng, src.actor
	e.legal = append(e.legal[:0], src.legal...)
	copy(e.returns, src.returns)
	copy(e.rewards, src.rewards)
	e.decisions, e.moves, e.earlier = src.decisions, src.moves, src.earlier
	e.terminated, e.truncated = src.terminated, src.truncated
}

// redealStream is the PCG stream from which worlds are dealt anew.
const redealStream = 0x72656465616c

// Redeal puts one of the worlds that seat p may be in into the place of the present one, drawn
// uniformly: what p cannot know is dealt anew. The outcome depends on what p sees and on the seed
// alone, and so do all chance events from now on: environments that p cannot tell apart are
// equal after it, wherever their episodes had come from. So the count of decisions begins anew,
// and the last rewards are zero. Nothing happens after the end of an episode.
//
// In a game without hidden information the world stays, and only the chance events to come
// differ. After a Redeal in the middle of a procedure a Snapshot has to wait for its end
// (engine.Keeper).
func (e *Env) Redeal(p engine.Player, seed uint64) {
	if e.terminated || e.truncated {
		return
	}
	if e.hidden != nil {
		var rng rand.PCG
		rng.Seed(seed, redealStream)
		e.hidden.Redeal(e.View(p), &rng)
	}
	e.rng.Seed(seed, chanceStream)
	e.earlier += e.moves
	e.decisions, e.moves = 0, 0
	clear(e.rewards)
	e.settle() // a world in which nobody is asked may go on
	e.returns = e.state.Returns(e.returns[:0])
}
