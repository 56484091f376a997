package luck

import (
	"cmp"

	"powderkeg/agents/learned"
	"powderkeg/engine"
)

// Critic is the value head of a network. It is asked from the view of the seat to act, which is
// what it has learned from. At chance nobody acts, and the opinions of all seats are averaged:
// one may see what another cannot. Where all gain the same, the first seat's opinion does.
type Critic struct {
	brain   *learned.Brain
	batch   *learned.Batch
	looking int  // seats that are asked at chance
	inPlay  bool // what has been gained already is no part of the network's values
	largest float64
	inputs  int
	obs     []float32
	views   []engine.View
	returns []float32
	fault   error
}

// NewCritic returns the critic of a brain of the game. It belongs to one goroutine.
func NewCritic(g engine.Game, b *learned.Brain) *Critic {
	spec := g.Spec()
	c := &Critic{brain: b, looking: spec.Seats, inPlay: spec.PaysInPlay, largest: float64(max(-spec.MinReturn, spec.MaxReturn)),
		inputs: b.Network().Config().Inputs}
	if spec.Payoff == engine.Cooperative {
		c.looking = 1
	}
	c.batch = b.NewBatch(c.looking, 1)
	c.obs = make([]float32, c.looking*c.inputs)
	c.views = make([]engine.View, spec.Seats)
	return c
}

// Values implements Values. At the end they are the returns.
func (c *Critic) Values(dst []float64, s engine.State) {
	clear(dst)
	over := s.ToAct() == engine.Terminal
	if over || c.inPlay {
		c.returns = s.Returns(c.returns[:0])
		for p, x := range c.returns {
			dst[p] = float64(x)
		}
	}
	if over {
		return
	}
	from, seats := 0, c.looking
	if p := s.ToAct(); p >= 0 {
		from, seats = int(p), 1
	}
	for i := range seats {
		p := from + i
		c.brain.Encoder().Encode(c.obs[i*c.inputs:][:c.inputs], c.look(s, p), engine.Player(p))
	}
	c.batch.Look(c.obs[:seats*c.inputs], seats)
	c.fault = cmp.Or(c.fault, c.batch.Err())
	for i := range seats {
		_, values := c.batch.Found(i)
		for k, v := range values {
			dst[(from+i+k)%len(dst)] += float64(v) * c.largest / float64(seats)
		}
	}
}

// Err implements Fallible.
func (c *Critic) Err() error { return c.fault }

// look returns what seat p sees of s.
func (c *Critic) look(s engine.State, p int) engine.View {
	hidden, ok := s.(engine.Hidden)
	if !ok {
		return s
	}
	if c.views[p] == nil {
		c.views[p] = hidden.NewView()
	}
	hidden.See(engine.Player(p), c.views[p])
	return c.views[p]
}
