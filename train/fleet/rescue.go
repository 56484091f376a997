package fleet

import (
	"context"
	"time"
)

// standstill is how many times overdue no part has come before the learner plays what somebody has
// taken: a worker may hold tasks for as long as it likes. It says that it is still at them, or ends
// them without an answer, banned or not, and the broker, which knows neither lies nor bans, obeys.
// (Where it ever waited longer for a part that came, it waits three times as long as that.) It plays
// piece by piece until the parts of others come again. What comes of it is the same whoever plays.
const standstill = 15

// moved notes that a part has come that was wanted.
func (p *play) moved() {
	p.longest = max(p.longest, time.Since(p.taken))
	p.taken = time.Now()
}

// stands reports whether no part has come for longer than can be.
func (p *play) stands() bool {
	return len(p.trying) == 0 && time.Since(p.taken) > max(standstill*overdue, 3*p.longest)
}

// rescue begins to play a piece here that somebody has taken and not answered. One that nobody has
// taken waits for workers.
func (p *play) rescue() {
	id := p.longestOut()
	n, wanted := p.waiting[id]
	if !wanted {
		return
	}
	p.trying[id] = true
	p.count(func(c *Counts) { c.Rescued++ })
	p.options.Tell("%s is played here: somebody has taken it, and no part has come for %v",
		p.pieces[n].name, time.Since(p.taken).Round(time.Millisecond))
	go func() {
		p.tried <- outcome{n: n, task: id, here: true, err: p.pieces[n].own(p.ctx)}
	}()
}

// longestOut returns the piece that was handed to a worker first of those without a part: one that
// the broker does not have any more, or has with a worker. It is "" if there is none.
func (p *play) longestOut() (id string) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	queue, err := p.js.Consumer(ctx, p.Learner.tasks(), workersQueue)
	if err != nil {
		return "" // what the broker has lost is made anew elsewhere
	}
	given, first := queue.CachedInfo().Delivered.Stream, ^uint64(0)
	for sequence, task := range p.at {
		if _, wanted := p.waiting[task]; wanted && sequence < first && sequence <= given {
			id, first = task, sequence
		}
	}
	return id
}
