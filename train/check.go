package train

import (
	"errors"
	"fmt"
	"math"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/train/rollout"
)

// ErrPolicy is wrapped, beside ErrPart, by the errors of parts whose games are right but whose
// probabilities or values are not those of the weights that they were to be played with.
var ErrPolicy = errors.New("not by the weights")

// tolerance is how far probabilities and values may be off, relative to one more than their
// size: processors round differently, by some hundredths of it.
const tolerance = 1e-3

// Check reports whether the probabilities and the values of a part are those of the weights that
// its task names, by playing its actions again and looking at every decision. The actor need not
// have played the part. That the actions were drawn by the generators of the run it does not see.
func (a *Actor) Check(task *Task, p *Part, fetch func(Digest) ([]byte, error)) error {
	if err := a.prepare(task, fetch); err != nil {
		return err
	}
	k := a.collector
	w := k.workers[0]
	k.turn()
	// What a cut-off game was worth is seen while the game stands there.
	var worth error
	_, err := k.replay(p, 0, len(k.slots), func(t, i int) {
		b := k.rollout
		values := b.NextValues[(t*b.Envs+i)*b.Seats : (t*b.Envs+i+1)*b.Seats]
		said := append([]float32{}, values...)
		if k.evaluateEnd(w, t, i); worth == nil {
			worth = near("value of what was cut off", t, i, said, values)
		}
	})
	if err == nil {
		err = worth
	}
	for t := 0; err == nil && t < k.rollout.Steps; t++ {
		err = k.checkStep(w, p, t)
	}
	if err != nil {
		return err
	}
	return k.checkNext(w, p)
}

// checkStep compares the decisions of a step.
func (k *collector) checkStep(w *worker, p *Part, t int) error {
	b := k.rollout
	base := t * b.Envs
	w.rows = w.rows[:0]
	for i := range b.Envs {
		if b.Learn[base+i] {
			w.seen[len(w.rows)] = b.Obs[base+i]
			w.rows = append(w.rows, i)
		}
	}
	n := len(w.rows)
	if n == 0 {
		return nil
	}
	k.ask(w, w.seen[:n], w.logits[:n*b.NumActions], w.values[:n*b.Seats])
	if k.critic != nil {
		k.judge(w, w.values[:n*b.Seats], func(row int) int { return base + w.rows[row] })
	}
	for row, i := range w.rows {
		at := base + i
		logits, mask := w.logits[row*b.NumActions:(row+1)*b.NumActions], b.Masks[at*b.NumActions:(at+1)*b.NumActions]
		k.net.Config().Advise(logits, mask)
		normaliser, _ := network.Softmax(w.probs, logits, mask)
		err := near("logarithm of a probability", t, i, p.LogProbs[at:at+1], []float32{logits[p.Actions[at]] - normaliser})
		if err == nil {
			err = near("value", t, i, p.Values[at*b.Seats:(at+1)*b.Seats], w.values[row*b.Seats:(row+1)*b.Seats])
		}
		if err == nil && p.Logits != nil {
			err = near("logit", t, i, p.Logits[at*b.NumActions:(at+1)*b.NumActions], logits)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkNext compares the values after the last step.
func (k *collector) checkNext(w *worker, p *Part) error {
	b := k.rollout
	last := b.Steps * b.Envs
	k.evaluateNext(w)
	for i := range b.Envs {
		if b.NextActors[last+i] == rollout.Opponent || b.NextActors[last+i] == engine.Terminal {
			continue // nobody has looked
		}
		if err := near("next value", b.Steps, i, p.Next[i*b.Seats:(i+1)*b.Seats], b.NextValues[(last+i)*b.Seats:]); err != nil {
			return err
		}
	}
	return nil
}

// near compares what a part says with what is so.
func near(what string, t, i int, said, is []float32) error {
	for q, x := range said {
		if y := float64(is[q]); math.Abs(float64(x)-y) > tolerance*(1+math.Abs(y)) {
			return fmt.Errorf("%w: %w: step %d, environment %d: the %s is %.4g, and said to be %.4g", ErrPart, ErrPolicy, t, i, what, y, x)
		}
	}
	return nil
}
