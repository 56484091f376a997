package eval

import (
	"context"
	"encoding/json"

	"powderkeg/train/job"
)

// MatchKind is the kind of jobs that play some units of a match (DoMatch).
const MatchKind = "match"

// matchPayload is the JSON of a job: some units of a match. The result is what each seat has
// gained in each game, as little-endian float32.
type matchPayload struct {
	part
	Solo  bool `json:"solo,omitempty"`
	Games int  `json:"games"`
}

// playElsewhere is playHere by the hands.
func (c Config) playElsewhere(ctx context.Context, p plan, take takeUnit) error {
	if err := c.Elsewhere.agentsFor("match", len(c.Contestants)); err != nil {
		return err
	}
	size := p.seats * p.seats
	returns := make([]float32, min(p.units, stretchElsewhere)*size)
	return inStretches(p.units, stretchElsewhere, func(first, end int) error {
		err := c.Elsewhere.send(ctx, errand{
			kind: MatchKind, game: c.Game, seed: c.Seed, first: first, units: end - first,
			payload: func(own part) any { return matchPayload{own, c.Solo, c.Games} },
			take: func(from, to int, result []byte) error {
				return readReturns(returns[(from-first)*size:(to-first)*size], result, c.Game.Spec())
			},
			told: func(done int) {
				if c.Progress != nil {
					c.Progress((first+done)*p.seats, p.games())
				}
			},
		})
		if err != nil {
			return err
		}
		for u := first; u < end; u++ {
			take(u, returns[(u-first)*size:(u-first+1)*size], nil)
		}
		return nil
	})
}

// DoMatch returns what plays the units of a job of MatchKind, with the agents of a roster.
func DoMatch(r Roster) job.Do {
	return func(ctx context.Context, j *job.Job, fetch func(job.Digest) ([]byte, error)) ([]byte, error) {
		var m matchPayload
		if err := json.Unmarshal(j.Payload, &m); err != nil {
			return nil, err
		}
		g, contestants, err := r.open(m.part, fetch)
		if err != nil {
			return nil, err
		}
		c := Config{Game: g, Contestants: contestants, Solo: m.Solo, Games: m.Games, Seed: j.Seed}
		if err := c.validate(); err != nil {
			return nil, err
		}
		p := newPlan(len(contestants), g.Spec().Seats, c.Games, c.Solo)
		if err := m.within(p.units); err != nil {
			return nil, err
		}
		w, size := newWorker(c, p), p.seats*p.seats
		returns := make([]float32, (m.To-m.From)*size)
		for u := m.From; u < m.To; u++ {
			if err := w.unit(ctx, u, returns[(u-m.From)*size:(u-m.From+1)*size]); err != nil {
				return nil, err
			}
		}
		return appendReturns(nil, returns), nil
	}
}
