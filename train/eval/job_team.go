package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"powderkeg/engine"
	"powderkeg/train/job"
)

// TeamKind is the kind of jobs that play some games of a Team (DoTeam).
const TeamKind = "team"

// teamPayload is the JSON of a job: some of so many games of an agent with itself.
type teamPayload struct {
	part
	Games int `json:"games"`
}

// teamResult is the JSON of a result: what each seat has gained in each game, [games][seats],
// and how often games ended in which way.
type teamResult struct {
	Returns []float32      `json:"returns"`
	Endings map[string]int `json:"endings,omitempty"`
}

// playElsewhere is playHere by the hands.
func (c TeamConfig) playElsewhere(ctx context.Context, s *teamSummary) error {
	if err := c.Elsewhere.agentsFor("team", 1); err != nil {
		return err
	}
	seats := c.Game.Spec().Seats
	returns := make([]float32, min(c.Games, stretchElsewhere)*seats)
	var mu sync.Mutex // of the endings
	return inStretches(c.Games, stretchElsewhere, func(first, end int) error {
		err := c.Elsewhere.send(ctx, errand{
			kind: TeamKind, game: c.Game, seed: c.Seed, first: first, units: end - first,
			payload: func(p part) any { return teamPayload{p, c.Games} },
			take: func(from, to int, result []byte) error {
				r, err := c.read(to-from, result)
				if err != nil {
					return err
				}
				copy(returns[(from-first)*seats:(to-first)*seats], r.Returns)
				mu.Lock()
				defer mu.Unlock()
				for e, n := range r.Endings {
					s.result.Endings[e] += n
				}
				return nil
			},
			told: func(done int) {
				if c.Progress != nil {
					c.Progress(first+done, c.Games)
				}
			},
		})
		if err != nil {
			return err
		}
		for n := first; n < end; n++ {
			s.game(n, returns[(n-first)*seats:(n-first+1)*seats], nil)
		}
		return nil
	})
}

// read reads the result of a job of so many games.
func (c TeamConfig) read(games int, result []byte) (*teamResult, error) {
	var r teamResult
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, fmt.Errorf("%w: %w", job.ErrResult, err)
	}
	spec := c.Game.Spec()
	if len(r.Returns) != games*spec.Seats {
		return nil, fmt.Errorf("%w: %d returns, not %d", job.ErrResult, len(r.Returns), games*spec.Seats)
	}
	for _, x := range r.Returns {
		if x < spec.MinReturn || x > spec.MaxReturn {
			return nil, fmt.Errorf("%w: a return of %v", job.ErrResult, x)
		}
	}
	least, most := 0, 0
	if _, can := c.Game.New().(engine.Ender); can {
		least, most = games, games*(1+spec.Seats) // how it ended, and for each seat what it won by
	}
	total := 0
	for _, e := range slices.Sorted(maps.Keys(r.Endings)) {
		if n := r.Endings[e]; n < 1 || n > most-total {
			return nil, fmt.Errorf("%w: %d times %q in %d games", job.ErrResult, n, e, games)
		}
		total += r.Endings[e]
	}
	if total < least {
		return nil, fmt.Errorf("%w: %d endings of %d games", job.ErrResult, total, games)
	}
	return &r, nil
}

// DoTeam returns what plays the games of a job of TeamKind, with the agents of a roster.
func DoTeam(r Roster) job.Do {
	return func(ctx context.Context, j *job.Job, fetch func(job.Digest) ([]byte, error)) ([]byte, error) {
		var m teamPayload
		if err := json.Unmarshal(j.Payload, &m); err != nil {
			return nil, err
		}
		g, list, err := r.open(m.part, fetch)
		if err != nil {
			return nil, err
		}
		if len(list) != 1 {
			return nil, fmt.Errorf("a team of %d agents", len(list))
		}
		if err := m.within(m.Games); err != nil {
			return nil, err
		}
		p, err := newTeamPlayer(TeamConfig{Game: g, Agent: list[0], Seed: j.Seed})
		if err != nil {
			return nil, err
		}
		seats := g.Spec().Seats
		result := teamResult{Returns: make([]float32, (m.To-m.From)*seats), Endings: map[string]int{}}
		for n := m.From; n < m.To; n++ {
			endings, err := p.game(ctx, n, result.Returns[(n-m.From)*seats:(n-m.From+1)*seats])
			if err != nil {
				return nil, err
			}
			for _, e := range endings {
				result.Endings[e]++
			}
		}
		return json.Marshal(result)
	}
}
