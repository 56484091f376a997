package train

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/league"
	"powderkeg/train/rollout"
)

// advance plays the action of slot i and what is forced behind it, and records what
// the seats gain. If the episode goes on, its next decision is written as that of the
// next step.
func (k *collector) advance(t, i int) (err error) {
	e, s, b := k.vec.Env(i), &k.slots[i], k.rollout
	defer env.Recover(e.Game(), &err)
	at := t*b.Envs + i
	rewards := b.Rewards[at*b.Seats : (at+1)*b.Seats]
	if err := e.Step(s.action); err != nil {
		return err
	}
	copy(rewards, e.Rewards())
	s.forced = 0
	for k.skip && len(e.Legal()) == 1 {
		if err := e.Step(e.Legal()[0]); err != nil {
			return err
		}
		s.forced++
		for q, r := range e.Rewards() {
			rewards[q] += r
		}
	}
	for q := range rewards {
		rewards[q] *= k.scale
	}
	if k.margin > 0 {
		k.addMargin(s, e, rewards)
	}
	rewards[b.Actors[at]] -= s.penalty
	s.penalty = 0
	if !e.Terminated() && !e.Truncated() {
		k.observe(t+1, i)
	}
	return nil
}

// addMargin mixes what the seats are ahead by at a game's end into what they gain.
func (k *collector) addMargin(s *slot, e *env.Env, rewards []float32) {
	for q := range rewards {
		rewards[q] *= 1 - k.margin
	}
	if !e.Terminated() {
		return
	}
	s.margins = e.State().(engine.Marginal).Margins(s.margins[:0])
	for q, m := range s.margins {
		rewards[q] += k.margin * m
	}
}

// settle records how a step ended, and begins the next episode where one is over. Where it
// was cut off before a decision of the learner, worth says what that was worth.
func (k *collector) settle(t, i int, sum *episodes, worth func(t, i int)) {
	b, e, s := k.rollout, k.vec.Env(i), &k.slots[i]
	at := t*b.Envs + i
	b.Ends[at] = rollout.Running
	sum.forced += s.forced
	if !e.Terminated() && !e.Truncated() {
		return
	}
	b.Ends[at] = rollout.Terminated
	if e.Truncated() {
		b.Ends[at] = rollout.Truncated
		if b.NextActors[at] = s.next(e.Actor()); b.NextActors[at] != rollout.Opponent {
			worth(t, i)
		}
		sum.truncated++
	}
	sum.games++
	sum.decisions += e.Decisions()
	for q, r := range e.Returns() {
		sum.returns[q] += float64(r)
	}
	// An unfinished game has no winner, and one from the archive may have had one before
	// it began.
	if s.seats != nil && e.Terminated() && !s.archived {
		sum.duels = append(sum.duels, duel{at, slices.Clone(s.seats), slices.Clone(e.Returns())})
	}
	if s.err == nil {
		s.err = k.restart(i)
	}
	if s.err == nil {
		k.observe(t+1, i)
	}
}

// evaluateEnd estimates what would follow the episode that step t has cut off.
func (k *collector) evaluateEnd(w *worker, t, i int) {
	b := k.rollout
	k.observe(t+1, i)
	at, next := t*b.Envs+i, (t+1)*b.Envs+i
	values := b.NextValues[at*b.Seats : (at+1)*b.Seats]
	if k.critic != nil {
		k.judge(w, values, func(int) int { return next })
		return
	}
	k.ask(w, b.Obs[next:next+1], w.logits[:b.NumActions], values)
}

// evaluateNext estimates what follows the last step.
func (k *collector) evaluateNext(w *worker) {
	b := k.rollout
	base := b.Steps * b.Envs
	if k.critic != nil {
		k.judge(w, w.values, func(row int) int { return base + w.from + row })
	} else {
		k.ask(w, b.Obs[base+w.from:base+w.to], w.logits, w.values)
	}
	copy(b.NextValues[(base+w.from)*b.Seats:], w.values)
	for i := w.from; i < w.to; i++ {
		b.NextActors[base+i] = k.slots[i].next(k.vec.Env(i).Actor())
	}
}

// forget drops those of the run's pool that nobody plays against any more.
func (k *collector) forget(pool *league.Pool) {
	inUse := map[int]bool{}
	for i := range k.slots {
		for _, id := range k.slots[i].seats {
			inUse[id] = true
		}
	}
	pool.Forget(inUse)
	for _, w := range k.workers {
		for id := range w.policies {
			if pool.Member(id) == nil {
				delete(w.policies, id)
			}
		}
	}
}
