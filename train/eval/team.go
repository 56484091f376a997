package eval

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
)

// TeamConfig describes games in which one agent holds every seat: what a
// cooperative game asks of a team, and how often a game of mixed motives is won by
// equals.
type TeamConfig struct {
	Game  engine.Game
	Agent Contestant
	// Games is how many to play, each with chance of its own.
	Games int
	// Seed decides all chance events and agents' seeds.
	Seed uint64
	// Workers is how many games are played at a time; 0 means 1. The result does not
	// depend on it as long as the agents do not.
	Workers int
}

// TeamResult counts games by how many seats gained more than nothing.
type TeamResult struct {
	Game  string `json:"game"`
	Agent string `json:"agent"`
	Games int    `json:"games"`
	// Winners counts games by the number of seats with a return above 0, from none to
	// all. In a cooperative game only the ends occur.
	Winners []int `json:"winners"`
	// WinRate is the share of games in which at least one seat did, with the 95%
	// interval of Wilson.
	WinRate float64 `json:"win_rate"`
	CILow   float64 `json:"ci_low"`
	CIHigh  float64 `json:"ci_high"`
	// MeanReturn is the mean over games and seats.
	MeanReturn float64 `json:"mean_return"`
	// Endings counts how games ended, and what was won by, of a game that says so
	// (engine.Ender): a game with two winners by cards of their own counts for each.
	Endings map[string]int `json:"endings,omitempty"`
}

// Team plays an agent with itself on every seat. It ends early with ctx's error when
// ctx ends, and with the first error of an agent.
func Team(ctx context.Context, c TeamConfig) (*TeamResult, error) {
	if c.Game == nil || c.Agent.New == nil || c.Games < 1 || c.Workers < 0 {
		return nil, fmt.Errorf("eval: team: a game, an agent, at least 1 game (not %d) and 0 or more workers (not %d) are needed", c.Games, c.Workers)
	}
	seats := c.Game.Spec().Seats
	r := &TeamResult{Game: c.Game.Spec().Text, Agent: c.Agent.Name, Games: c.Games, Winners: make([]int, seats+1), Endings: map[string]int{}}
	var (
		group, groupCtx = errgroup.WithContext(ctx)
		next            atomic.Int64
		mu              sync.Mutex
		sum             float64 // guarded by mu, like r.Winners and r.Endings
	)
	for range max(1, min(c.Workers, c.Games)) {
		group.Go(func() error {
			players, err := c.players(seats)
			if err != nil {
				return err
			}
			t := table.New(c.Game)
			ender, _ := t.State().(engine.Ender)
			var endings []string
			for {
				n := int(next.Add(1)) - 1
				if n >= c.Games {
					return nil
				}
				h := engine.NewHash().Word(c.Seed)
				seeds := table.Seeds{Chance: uint64(h.Word(0).Word(uint64(n))), Agents: uint64(h.Word(1).Word(uint64(n)))}
				returns, err := t.Play(groupCtx, players, seeds, table.Options{})
				if err != nil {
					return fmt.Errorf("game %d: %w", n+1, err)
				}
				winners, gain := 0, 0.0
				for _, x := range returns {
					if gain += float64(x); x > 0 {
						winners++
					}
				}
				if ender != nil {
					endings = ender.Endings(endings[:0])
				}
				mu.Lock()
				for _, e := range endings {
					r.Endings[e]++
				}
				r.Winners[winners]++
				sum += gain
				mu.Unlock()
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	won := c.Games - r.Winners[0]
	r.WinRate = float64(won) / float64(c.Games)
	ci := wilson(float64(won), c.Games)
	r.CILow, r.CIHigh = ci.Low, ci.High
	r.MeanReturn = sum / float64(c.Games*seats)
	return r, nil
}

// players makes one player a seat.
func (c TeamConfig) players(seats int) ([]agents.Agent, error) {
	var players []agents.Agent
	for range seats {
		p, err := c.Agent.New()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Agent.Name, err)
		}
		players = append(players, p)
	}
	return players, nil
}

// Write prints the result as text.
func (r *TeamResult) Write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s: %d games of %s on every seat; 95%% interval\nwon %.3f [%.3f, %.3f], mean return %+.3f; games by seats that gained:", r.Game, r.Games, r.Agent, r.WinRate, r.CILow, r.CIHigh, r.MeanReturn); err != nil {
		return err
	}
	for n, games := range r.Winners {
		if _, err := fmt.Fprintf(w, " %d: %d", n, games); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(w); err != nil || len(r.Endings) == 0 {
		return err
	}
	list := slices.SortedFunc(maps.Keys(r.Endings), func(a, b string) int {
		return cmp.Or(r.Endings[b]-r.Endings[a], strings.Compare(a, b))
	})
	for i, e := range list {
		list[i] = fmt.Sprintf("%s: %d", e, r.Endings[e])
	}
	_, err := fmt.Fprintf(w, "endings: %s\n", strings.Join(list, "; "))
	return err
}
