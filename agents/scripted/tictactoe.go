package scripted

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
)

// ticTacToe plays perfectly, and among perfect moves sets traps: it takes the
// one after which an opponent that moves at random does worst. It remembers the
// positions that it has solved; there are 5478.
type ticTacToe struct {
	stack  []engine.State // scratch, one per move of the game
	solved map[uint64]verdict
}

// verdict judges a position for the seat to act.
type verdict struct {
	value float32 // under perfect play
	luck  float32 // against an opponent that moves at random, playing perfectly oneself
}

func (v verdict) above(w verdict) bool {
	return v.value > w.value || v.value == w.value && v.luck > w.luck
}

func newTicTacToe(g engine.Game) agents.Policy {
	p := &ticTacToe{solved: map[uint64]verdict{}}
	for range g.Spec().MaxDecisions + 1 {
		p.stack = append(p.stack, g.New())
	}
	return p
}

// Choose implements agents.Policy.
func (p *ticTacToe) Choose(view engine.View, _ engine.Player, _ []engine.Action, _ *rand.PCG) engine.Action {
	_, a := p.best(view.(engine.State), 0) // nothing is hidden
	return a
}

// best returns the best move of the seat to act, of several the first.
func (p *ticTacToe) best(s engine.State, depth int) (best verdict, move engine.Action) {
	for i, a := range s.Legal(nil) {
		next := p.stack[depth]
		next.CopyFrom(s)
		apply(next, a)
		if v := p.after(next, s.ToAct(), depth+1); i == 0 || v.above(best) {
			best, move = v, a
		}
	}
	return best, move
}

// after judges the position that seat p has moved into, for p.
func (p *ticTacToe) after(s engine.State, seat engine.Player, depth int) verdict {
	if s.ToAct() == engine.Terminal {
		r := s.Returns(nil)[seat]
		return verdict{r, r}
	}
	if v, ok := p.solved[s.Hash()]; ok {
		return v
	}
	reply, _ := p.best(s, depth)
	v := verdict{value: -reply.value}
	replies := s.Legal(nil)
	for _, a := range replies {
		next := p.stack[depth]
		next.CopyFrom(s)
		apply(next, a)
		luck := float32(0)
		if next.ToAct() == engine.Terminal {
			luck = next.Returns(nil)[seat]
		} else {
			own, _ := p.best(next, depth+1)
			luck = own.luck
		}
		v.luck += luck / float32(len(replies))
	}
	p.solved[s.Hash()] = v
	return v
}
