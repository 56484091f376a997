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

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/train/luck"
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
	// Elsewhere, if not nil, is where the games are played. The result is the same.
	Elsewhere *Elsewhere
	// Correction, if not nil, says how results are corrected for luck (TeamResult.Corrected). It
	// needs a game in which equals do not gain just what they lose.
	Correction *luck.Correction
	// Progress, if not nil, is called after every game, by one goroutine at a time.
	Progress func(done, total int)
}

// TeamResult counts games by how many seats gained more than nothing.
type TeamResult struct {
	Game   string        `json:"game"`
	Payoff engine.Payoff `json:"payoff"`
	Agent  string        `json:"agent"`
	Games  int           `json:"games"`
	// Winners counts games by the number of seats with a return above 0, from none to
	// all. In a cooperative game only the ends occur.
	Winners []int `json:"winners"`
	// WinRate is the share of games in which at least one seat did, with the 95%
	// interval of Wilson; null where what one seat gains others lose, so that equals win nothing.
	WinRate *float64 `json:"win_rate"`
	CILow   *float64 `json:"ci_low"`
	CIHigh  *float64 `json:"ci_high"`
	// MeanReturn is the mean over games and seats, SeatReturns that of each seat.
	MeanReturn  float64   `json:"mean_return"`
	SeatReturns []float64 `json:"seat_returns"`
	// Endings counts how games ended, and what was won by, of a game that says so
	// (engine.Ender): a game with two winners by cards of their own counts for each.
	Endings map[string]int `json:"endings,omitempty"`
	// Corrected has the mean return over seats without luck, nil where nobody asked.
	Corrected *CorrectedResult `json:"corrected,omitempty"`
}

// Team plays an agent with itself on every seat. It ends early with ctx's error when
// ctx ends, and with the first error of an agent. What it takes of memory does not grow
// with the number of games beyond a bound.
func Team(ctx context.Context, c TeamConfig) (*TeamResult, error) {
	if c.Game == nil || c.Agent.New == nil || c.Games < 1 || c.Games > MostGames || c.Workers < 0 {
		return nil, fmt.Errorf("eval: team: a game, an agent, from 1 to %d games (not %d) and 0 or more workers (not %d) are needed", MostGames, c.Games,
			c.Workers)
	}
	switch {
	case c.Correction == nil:
	case c.Elsewhere != nil:
		return nil, fmt.Errorf("eval: team: %w", errCorrectedElsewhere)
	case c.Game.Spec().Payoff == engine.ZeroSum:
		return nil, fmt.Errorf("%w: there is no luck to take out of what one agent gains from itself in %s", option.ErrUsage, c.Game.Spec().Text)
	}
	s := newTeamSummary(c)
	play := c.playHere
	if c.Elsewhere != nil {
		play = c.playElsewhere
	}
	if err := play(ctx, s); err != nil {
		return nil, err
	}
	return s.end(), nil
}

// playHere plays all games and adds one after another to the summary.
func (c TeamConfig) playHere(ctx context.Context, s *teamSummary) error {
	players := make([]*teamPlayer, max(1, min(c.Workers, c.Games)))
	for i := range players {
		var err error
		if players[i], err = newTeamPlayer(c); err != nil {
			return err
		}
	}
	seats := c.Game.Spec().Seats
	returns := make([]float32, min(c.Games, stretchHere)*seats)
	corrected := make([]float64, len(returns))
	var (
		mu   sync.Mutex
		done int // guarded by mu, like the endings of s
	)
	return inStretches(c.Games, stretchHere, func(from, to int) error {
		err := share(ctx, players, from, to, func(ctx context.Context, p *teamPlayer, n int) error {
			own := (n - from) * seats
			p.corrected = corrected[own : own+seats]
			endings, err := p.game(ctx, n, returns[own:own+seats])
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, e := range endings {
				s.result.Endings[e]++
			}
			if done++; c.Progress != nil {
				c.Progress(done, c.Games)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for n := from; n < to; n++ {
			own := (n - from) * seats
			s.game(n, returns[own:own+seats], corrected[own:own+seats])
		}
		return nil
	})
}

// teamPlayer plays games one after another with players of its own.
type teamPlayer struct {
	config  TeamConfig
	table   *table.Table
	players []agents.Agent // one per seat
	endings []string       // of the latest game
	meter   *luck.Meter    // nil where results are not corrected
	// corrected is for the returns of the game without luck.
	corrected []float64
}

func newTeamPlayer(c TeamConfig) (*teamPlayer, error) {
	p := &teamPlayer{config: c, table: table.New(c.Game), meter: newMeter(c.Game, c.Correction)}
	for range c.Game.Spec().Seats {
		a, err := c.Agent.New()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Agent.Name, err)
		}
		p.players = append(p.players, a)
	}
	return p, nil
}

// game plays game n, writes what each seat has gained, and returns how it ended, until the next
// call.
func (p *teamPlayer) game(ctx context.Context, n int, returns []float32) (endings []string, err error) {
	h := engine.NewHash().Word(p.config.Seed)
	seeds := table.Seeds{Chance: uint64(h.Word(0).Word(uint64(n))), Agents: uint64(h.Word(1).Word(uint64(n)))}
	got, err := p.table.Play(ctx, p.players, seeds, measured(p.meter))
	if err = cmp.Or(err, luckFault(p.meter)); err != nil {
		return nil, fmt.Errorf("game %d: %w", n+1, err)
	}
	copy(returns, got)
	if p.meter != nil {
		p.meter.Correct(p.corrected, got, p.config.Correction.Share)
	}
	if ender, can := p.table.State().(engine.Ender); can {
		p.endings = ender.Endings(p.endings[:0])
	}
	return p.endings, nil
}

// teamSummary sums up games one after another.
type teamSummary struct {
	config   TeamConfig
	result   *TeamResult
	sum      float64 // of all returns
	block    int     // how many games a block has (blockOf)
	compared paired
}

func newTeamSummary(c TeamConfig) *teamSummary {
	spec := c.Game.Spec()
	return &teamSummary{config: c, block: blockOf(spec.Seats, 1, c.Games), result: &TeamResult{
		Game: spec.Text, Payoff: spec.Payoff, SeatReturns: make([]float64, spec.Seats), Agent: c.Agent.Name,
		Games: c.Games, Winners: make([]int, spec.Seats+1), Endings: map[string]int{},
	}}
}

// game adds what each seat has gained in game n and, where results are corrected, the same without
// luck. Games come in their order, whoever played them when.
func (s *teamSummary) game(n int, returns []float32, corrected []float64) {
	r, winners, gain := s.result, 0, 0.0
	for seat, x := range returns {
		r.SeatReturns[seat] += float64(x) / float64(s.config.Games)
		if gain += float64(x); x > 0 {
			winners++
		}
	}
	r.Winners[winners]++
	s.sum += gain
	if s.config.Correction == nil {
		return
	}
	raw, own, seats := 0.0, 0.0, float64(len(returns))
	for seat, x := range returns {
		raw += float64(x) / seats
		own += corrected[seat] / seats
	}
	s.compared.raw.add(n, raw)
	s.compared.corrected.add(n, own)
	if (n+1)%s.block == 0 || n+1 == s.config.Games {
		s.compared.end()
	}
}

// end is the result of all games.
func (s *teamSummary) end() *TeamResult {
	r, c := s.result, s.config
	if r.Payoff != engine.ZeroSum {
		won := float64(c.Games - r.Winners[0])
		ci, rate := wilson(won, c.Games), won/float64(c.Games)
		r.WinRate, r.CILow, r.CIHigh = &rate, &ci.Low, &ci.High
	}
	r.MeanReturn = s.sum / float64(c.Games*len(r.SeatReturns))
	if c.Correction != nil {
		r.Corrected = &CorrectedResult{Values: c.Correction.Digest, Share: c.Correction.Share}
		r.Corrected.add(c.Agent.Name, &s.compared, c.Seed)
	}
	return r
}

// Write prints the result as text, by what can be said of equals in games of this payoff: how many
// a team has won, what the seats have gained, and where they play for each other's loss what a seat
// is worth.
func (r *TeamResult) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d games of %s on every seat; 95%% interval\n", r.Game, r.Games, r.Agent)
	switch r.Payoff {
	case engine.Cooperative:
		fmt.Fprintf(&b, "the team won %.3f [%.3f, %.3f], mean return %+.3f\n", *r.WinRate, *r.CILow, *r.CIHigh, r.MeanReturn)
	case engine.ZeroSum:
		fmt.Fprintf(&b, "nobody wins against itself; mean return by seat:%s; even games: %d\n", joinReturns(r.SeatReturns), r.Winners[0])
	default:
		fmt.Fprintf(&b, "mean return %+.3f, by seat:%s; games by seats that gained:", r.MeanReturn, joinReturns(r.SeatReturns))
		for n, games := range r.Winners {
			fmt.Fprintf(&b, " %d: %d", n, games)
		}
		fmt.Fprintln(&b)
	}
	list := slices.SortedFunc(maps.Keys(r.Endings), func(a, b string) int {
		return cmp.Or(r.Endings[b]-r.Endings[a], strings.Compare(a, b))
	})
	for i, e := range list {
		list[i] = fmt.Sprintf("%s: %d", e, r.Endings[e])
	}
	if list != nil {
		fmt.Fprintf(&b, "endings: %s\n", strings.Join(list, "; "))
	}
	if r.Corrected != nil {
		b.WriteString(r.Corrected.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func joinReturns(returns []float64) string {
	var b strings.Builder
	for _, x := range returns {
		fmt.Fprintf(&b, " %+.3f", x)
	}
	return b.String()
}
