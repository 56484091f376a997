package eval

import "powderkeg/engine"

// mean is a running mean, 0 of nothing.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) {
	m.sum += x
	m.n++
}

func (m mean) value() float64 {
	if m.n == 0 {
		return 0
	}
	return m.sum / float64(m.n)
}

// tally gathers the games of one contestant.
type tally struct {
	score, gain, rank mean
	gained            mean
	wins, draws       int
	bySeat            []seatTally
	// Scores and returns of each unit that it played in, and of the one that is being
	// read.
	units, unitGains   []mean
	inUnit, gainInUnit mean
}

type seatTally struct{ score, gain mean }

// pairTally gathers the games of two contestants; score is that of the one with
// the smaller number.
type pairTally struct {
	score, gainA, gainB mean
	inUnit              mean
	units               []mean
}

// summary gathers a match.
type summary struct {
	plan plan
	// together is set where all seats win or lose a game together.
	together bool
	tallies  []tally
	pairs    [][]pairTally // [a][b] with a < b
	duels    [][]Duel      // of each unit
}

// summarise reads the returns of all games, [games][seats], in the order of the
// plan, so that it does not matter who played them when.
func summarise(spec *engine.Spec, names []string, p plan, returns []float32) (*Result, error) {
	k := len(names)
	s := &summary{plan: p, together: spec.Payoff == engine.Cooperative, tallies: make([]tally, k), pairs: make([][]pairTally, k), duels: make([][]Duel, p.units)}
	for i := range k {
		s.tallies[i].bySeat = make([]seatTally, p.seats)
		s.pairs[i] = make([]pairTally, k)
	}
	for u := range p.units {
		for n := u * p.seats; n < (u+1)*p.seats; n++ {
			s.game(n, returns[n*p.seats:(n+1)*p.seats])
		}
		s.closeUnit()
	}
	ratings, err := Rate(k, s.duels)
	if err != nil {
		return nil, err
	}
	r := &Result{Game: spec.Text, Payoff: spec.Payoff, Games: p.games(), Units: p.units, Seats: p.seats, Even: 1 / float64(p.seats), Pairs: []PairResult{}}
	for i, t := range s.tallies {
		r.Agents = append(r.Agents, t.result(spec, names[i], ratings[i]))
	}
	for a := range k {
		for b := a + 1; b < k; b++ {
			if t := s.pairs[a][b]; t.score.n > 0 {
				r.Pairs = append(r.Pairs, t.result(names[a], names[b]))
			}
		}
	}
	r.warn()
	return r, nil
}

// game reads the returns of game n.
func (s *summary) game(n int, returns []float32) {
	for seat := range returns {
		c := s.plan.contestant(n, seat)
		s.tallies[c].game(seat, returns, s.together)
		for other := range seat {
			s.duel(n, c, s.plan.contestant(n, other), returns[seat], returns[other])
		}
	}
}

// closeUnit ends the unit that has been read.
func (s *summary) closeUnit() {
	for i := range s.tallies {
		t := &s.tallies[i]
		t.units = appendMean(t.units, &t.inUnit)
		t.unitGains = appendMean(t.unitGains, &t.gainInUnit)
		for j := range s.pairs[i] {
			p := &s.pairs[i][j]
			p.units = appendMean(p.units, &p.inUnit)
		}
	}
}

// appendMean appends the mean, if it is one of something, and empties it.
func appendMean(units []mean, m *mean) []mean {
	if m.n > 0 {
		units = append(units, *m)
	}
	*m = mean{}
	return units
}

// game adds a game in which the contestant held a seat. Together, all seats win or lose it.
func (t *tally) game(seat int, returns []float32, together bool) {
	ahead, level := 0, 0
	for _, r := range returns {
		switch {
		case r > returns[seat]:
			ahead++
		case r == returns[seat]:
			level++
		}
	}
	score := 0.0
	switch {
	case together && returns[seat] > 0:
		score = 1
		t.wins++
	case together:
	case ahead > 0:
	case level == 1:
		score = 1
		t.wins++
	default:
		score = 1 / float64(level)
		t.draws++
	}
	gain, gained := float64(returns[seat]), 0.0
	if gain > 0 {
		gained = 1
	}
	t.gained.add(gained)
	t.score.add(score)
	t.inUnit.add(score)
	t.gain.add(gain)
	t.gainInUnit.add(gain)
	t.rank.add(1 + float64(ahead) + float64(level-1)/2)
	t.bySeat[seat].score.add(score)
	t.bySeat[seat].gain.add(gain)
}

func (t *tally) result(spec *engine.Spec, name string, rated Rating) AgentResult {
	ci := unitInterval(linearised(t.units))
	gain := meanInterval(linearised(t.unitGains), float64(spec.MinReturn), float64(spec.MaxReturn))
	r := AgentResult{
		Name: name, Games: t.score.n, Wins: t.wins, Draws: t.draws,
		WinRate: t.score.value(), CILow: ci.Low, CIHigh: ci.High,
		Elo: rated.Elo, EloLow: rated.Low, EloHigh: rated.High,
		MeanReturn: t.gain.value(), ReturnLow: gain.Low, ReturnHigh: gain.High,
		Gained: t.gained.value(), MeanRank: t.rank.value(),
	}
	for _, s := range t.bySeat {
		ci := wilson(s.score.sum, s.score.n)
		r.BySeat = append(r.BySeat, SeatResult{s.score.n, s.score.value(), ci.Low, ci.High, s.gain.value()})
	}
	return r
}

// duel compares what contestants a and b gained in game n. A contestant does not duel with itself.
func (s *summary) duel(n, a, b int, gainA, gainB float32) {
	if a == b {
		return
	}
	if a > b {
		a, b, gainA, gainB = b, a, gainB, gainA
	}
	score := 0.5
	switch {
	case gainA > gainB:
		score = 1
	case gainA < gainB:
		score = 0
	}
	t := &s.pairs[a][b]
	t.score.add(score)
	t.inUnit.add(score)
	t.gainA.add(float64(gainA))
	t.gainB.add(float64(gainB))
	u := n / s.plan.seats
	s.duels[u] = append(s.duels[u], Duel{a, b, score, 1})
}

func (t *pairTally) result(a, b string) PairResult {
	ci := unitInterval(linearised(t.units))
	return PairResult{a, b, t.score.value(), ci.Low, ci.High, t.gainA.value(), t.gainB.value()}
}
