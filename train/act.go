package train

import (
	"fmt"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
	"powderkeg/train/league"
)

// worker acts in a range of slots.
type worker struct {
	from, to int
	work     *network.Workspace
	rows     []int        // slots in which the learner decides, from 0
	seen     []kernel.Row // [to-from], their observations
	logits   []float32    // [to-from × A]
	values   []float32    // [to-from × P]
	probs    []float32    // [A]
	// Of the critic, nil without one: its workspace, what it sees [to-from × P×D], and the
	// logit of its one action [to-from].
	critic   *network.Workspace
	whole    []float32
	certain  []float32
	policies map[int]agents.Policy
	games    episodes // that ended in the present rollout
	// In it the worker has played for so long, and asked networks for so long of that.
	playing, asking time.Duration
}

// act records the decisions of a worker's slots and chooses actions. The network
// looks at the learner's own alone. It reports whether all could choose; the slot has the
// fault of one that could not.
func (k *collector) act(w *worker, t int) bool {
	b := k.rollout
	base := t * b.Envs
	w.rows = w.rows[:0]
	for i := w.from; i < w.to; i++ {
		s, actor := &k.slots[i], k.vec.Env(i).Actor()
		at := base + i
		b.Actors[at] = actor
		if b.Learn[at] = s.learner(actor); b.Learn[at] {
			w.rows = append(w.rows, i)
			continue
		}
		e := k.vec.Env(i)
		if b.Actions[at], s.err = agents.Choose(w.policy(k.pool, s.seats[actor]), e.View(actor), actor, e.Legal(), &s.rng); s.err != nil {
			return false
		}
		s.action = b.Actions[at]
	}
	n, p := len(w.rows), b.Seats
	if n == 0 {
		return true
	}
	for row, i := range w.rows {
		w.seen[row] = b.Obs[base+i]
	}
	k.ask(w, w.seen[:n], w.logits[:n*b.NumActions], w.values[:n*p])
	if k.critic != nil {
		k.judge(w, w.values[:n*p], func(row int) int { return base + w.rows[row] })
	}
	if s := &k.slots[w.rows[0]]; k.odd(w, s) {
		return false
	}
	for row, i := range w.rows {
		copy(b.Values[(base+i)*p:(base+i+1)*p], w.values[row*p:])
		k.decide(w, i, base+i, w.logits[row*b.NumActions:(row+1)*b.NumActions])
	}
	return true
}

// ask writes what the network makes of observations.
func (k *collector) ask(w *worker, seen []kernel.Row, logits, values []float32) {
	start := time.Now()
	k.turned.ForwardRows(w.work, seen, logits, values)
	w.asking += time.Since(start)
}

// odd reports whether what the networks have found last is not finite, and leaves that in a slot.
func (k *collector) odd(w *worker, s *slot) bool {
	err := w.work.Err()
	if err == nil && k.critic != nil {
		if err = w.critic.Err(); err != nil {
			err = fmt.Errorf("critic: %w", err)
		}
	}
	if err != nil {
		s.err = fmt.Errorf("the network that learns: %w", err)
	}
	return err != nil
}

// judge writes what the critic thinks of len(values)/P decisions, of which at gives the
// indices.
func (k *collector) judge(w *worker, values []float32, at func(row int) int) {
	start := time.Now()
	d, n := k.critic.Config().Inputs, len(values)/k.rollout.Seats
	for row := range n {
		k.rollout.Whole(w.whole[row*d:(row+1)*d], at(row))
	}
	k.critic.Forward(w.critic, w.whole[:n*d], w.certain[:n], values)
	w.asking += time.Since(start)
}

// decide records a decision of the learner in slot i, whose logits are given, and
// what is played there.
func (k *collector) decide(w *worker, i, at int, logits []float32) {
	b, s, e := k.rollout, &k.slots[i], k.vec.Env(i)
	mask := b.Masks[at*b.NumActions : (at+1)*b.NumActions]
	k.net.Config().Advise(logits, mask)
	choice := k.ppo.Choose(w.probs, logits, mask, e.Legal(), &s.rng)
	s.action, s.penalty = choice.Played, choice.Penalty
	b.Actions[at] = choice.Drawn
	b.LogProbs[at] = logits[b.Actions[at]] - choice.Normaliser
	copy(b.Logits[at*b.NumActions:], logits)
}

// policy returns the worker's own player for a member of the pool.
func (w *worker) policy(pool *league.Pool, id int) agents.Policy {
	p, ok := w.policies[id]
	if !ok {
		p = pool.Member(id).NewPolicy()
		w.policies[id] = p
	}
	return p
}
