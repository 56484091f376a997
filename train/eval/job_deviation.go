package eval

import (
	"context"
	"encoding/json"
	"fmt"

	"powderkeg/engine"
	"powderkeg/train/job"
)

// DeviationKind is the kind of jobs that play some units of a Deviation (DoDeviation).
const DeviationKind = "deviation"

// deviationPayload is the JSON of a job: some of so many units. The first agent is the one that
// is deviated from, the others deviate: one on all seats, or one on each. The result is what
// the agent gained in each unit on each seat, and then what the deviant did, as little-endian
// float32.
type deviationPayload struct {
	part
	Units int `json:"units"`
}

// playElsewhere has the units played by the hands.
func (c DeviationConfig) playElsewhere(ctx context.Context, own, deviant []float32) error {
	spec := c.Game.Spec()
	if n := len(c.Elsewhere.Agents); n != 2 && n != 1+spec.Seats {
		return fmt.Errorf("eval: deviation: %d agents for an agent and one who deviates, or one for each of %d seats", n, spec.Seats)
	}
	return c.Elsewhere.send(ctx, errand{
		kind: DeviationKind, game: c.Game, seed: c.Seed, units: c.Units,
		payload: func(p part) any { return deviationPayload{p, c.Units} },
		take: func(from, to int, result []byte) error {
			return readDeviations(own[from*spec.Seats:to*spec.Seats], deviant[from*spec.Seats:to*spec.Seats], result, spec)
		},
		told: func(done int) {
			if c.Progress != nil {
				c.Progress(done, c.Units)
			}
		},
	})
}

// readDeviations reads the result of a job.
func readDeviations(own, deviant []float32, result []byte, spec *engine.Spec) error {
	if want := 8 * len(own); len(result) != want {
		return fmt.Errorf("%w: %d bytes, not %d", job.ErrResult, len(result), want)
	}
	if err := readReturns(own, result[:4*len(own)], spec); err != nil {
		return err
	}
	return readReturns(deviant, result[4*len(own):], spec)
}

// DoDeviation returns what plays the units of a job of DeviationKind, with the agents of a
// roster.
func DoDeviation(r Roster) job.Do {
	return func(ctx context.Context, j *job.Job, fetch func(job.Digest) ([]byte, error)) ([]byte, error) {
		var m deviationPayload
		if err := json.Unmarshal(j.Payload, &m); err != nil {
			return nil, err
		}
		g, list, err := r.open(m.part, fetch)
		if err != nil {
			return nil, err
		}
		seats := g.Spec().Seats
		if len(list) != 2 && len(list) != 1+seats {
			return nil, fmt.Errorf("%d agents for an agent and who deviates in a game of %d seats", len(list), seats)
		}
		if err := m.within(m.Units); err != nil {
			return nil, err
		}
		d, err := newDeviator(DeviationConfig{Game: g, Agent: list[0], Deviant: BySeat(list[1:]), Units: m.Units, Seed: j.Seed})
		if err != nil {
			return nil, err
		}
		own, deviant := make([]float32, (m.To-m.From)*seats), make([]float32, (m.To-m.From)*seats)
		for u := m.From; u < m.To; u++ {
			at := (u - m.From) * seats
			if err := d.unit(ctx, u, own[at:at+seats], deviant[at:at+seats]); err != nil {
				return nil, err
			}
		}
		return appendReturns(appendReturns(nil, own), deviant), nil
	}
}
