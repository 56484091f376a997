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
	// Scores and returns of the units that it played in.
	units, unitGains blocks
	// Where results are corrected, sums of the unit that is being read, and what came of all.
	inUnit, correctedInUnit mean
	compared                paired
}

type seatTally struct{ score, gain mean }

// pairTally gathers the games of two contestants; score is that of the one with
// the smaller number.
type pairTally struct {
	score, gainA, gainB mean
	units               blocks
}

// summary gathers a match, unit by unit.
type summary struct {
	spec *engine.Spec
	plan plan
	// block is how many units a block has (blockOf).
	block int
	// together is set where all seats win or lose a game together.
	together bool
	tallies  []tally
	pairs    [][]pairTally // [a][b] with a < b
	duels    [][]Duel      // of each block
	inBlock  []Duel        // of the block that is being read, if that is of one unit
}

func newSummary(spec *engine.Spec, contestants int, p plan, block int) *summary {
	s := &summary{spec: spec, plan: p, block: block, together: spec.Payoff == engine.Cooperative, tallies: make([]tally, contestants),
		pairs: make([][]pairTally, contestants)}
	for i := range contestants {
		s.tallies[i].bySeat = make([]seatTally, p.seats)
		s.pairs[i] = make([]pairTally, contestants)
	}
	return s
}

// unit reads what each seat has gained in each game of unit u, [seats][seats], and, if corrected is
// not nil, the same without luck. Units come in their order, whoever played them when.
func (s *summary) unit(u int, returns []float32, corrected []float64) {
	for g := range s.plan.seats {
		from, to := g*s.plan.seats, (g+1)*s.plan.seats
		s.game(u, u*s.plan.seats+g, returns[from:to])
		if corrected != nil {
			s.correct(u*s.plan.seats+g, returns[from:to], corrected[from:to])
		}
	}
	for i := range s.tallies {
		s.tallies[i].endUnit(u)
	}
	if (u+1)%s.block == 0 || u+1 == s.plan.units {
		s.endBlock()
	}
}

// result sums up all units that have been read.
func (s *summary) result(names []string) (*Result, error) {
	p, k := s.plan, len(names)
	ratings, err := Rate(k, s.duels)
	if err != nil {
		return nil, err
	}
	r := &Result{Game: s.spec.Text, Payoff: s.spec.Payoff, Games: p.games(), Units: p.units, Seats: p.seats, Even: 1 / float64(p.seats),
		Pairs: []PairResult{}}
	for i := range s.tallies {
		r.Agents = append(r.Agents, s.tallies[i].result(s.spec, names[i], ratings[i]))
	}
	for a := range k {
		for b := a + 1; b < k; b++ {
			if t := &s.pairs[a][b]; t.score.n > 0 {
				r.Pairs = append(r.Pairs, t.result(names[a], names[b]))
			}
		}
	}
	r.warn()
	return r, nil
}

// game reads the returns of game n, which is of unit u.
func (s *summary) game(u, n int, returns []float32) {
	for seat := range returns {
		c := s.plan.contestant(n, seat)
		s.tallies[c].game(u, seat, returns, s.together)
		for other := range seat {
			s.duel(u, c, s.plan.contestant(n, other), returns[seat], returns[other])
		}
	}
}

// correct reads the returns of game n and the same without luck.
func (s *summary) correct(n int, returns []float32, corrected []float64) {
	for seat, x := range returns {
		t := &s.tallies[s.plan.contestant(n, seat)]
		t.inUnit.add(float64(x))
		t.correctedInUnit.add(corrected[seat])
	}
}

// endUnit ends unit u.
func (t *tally) endUnit(u int) {
	if t.inUnit.n > 0 {
		t.compared.raw.add(u, t.inUnit.value())
		t.compared.corrected.add(u, t.correctedInUnit.value())
	}
	t.inUnit, t.correctedInUnit = mean{}, mean{}
}

// endBlock ends the block that has been read.
func (s *summary) endBlock() {
	duels := s.inBlock
	for i := range s.tallies {
		t := &s.tallies[i]
		t.units.end()
		t.unitGains.end()
		t.compared.end()
		for j := range s.pairs[i] {
			p := &s.pairs[i][j]
			if met := p.units.open; s.block > 1 && met.n > 0 {
				duels = append(duels, Duel{i, j, met.value(), float64(met.n)})
			}
			p.units.end()
		}
	}
	s.duels, s.inBlock = append(s.duels, duels), nil
}

// game adds a game of unit u in which the contestant held a seat. Together, all seats win or lose it.
func (t *tally) game(u, seat int, returns []float32, together bool) {
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
	t.units.add(u, score)
	t.gain.add(gain)
	t.unitGains.add(u, gain)
	t.rank.add(1 + float64(ahead) + float64(level-1)/2)
	t.bySeat[seat].score.add(score)
	t.bySeat[seat].gain.add(gain)
}

func (t *tally) result(spec *engine.Spec, name string, rated Rating) AgentResult {
	ci := unitInterval(linearised(t.units.closed), t.units.each())
	gain := meanInterval(linearised(t.unitGains.closed), float64(spec.MinReturn), float64(spec.MaxReturn))
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

// duel compares what contestants a and b gained in a game of unit u. A contestant does not duel with itself.
func (s *summary) duel(u, a, b int, gainA, gainB float32) {
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
	t.units.add(u, score)
	t.gainA.add(float64(gainA))
	t.gainB.add(float64(gainB))
	if s.block == 1 {
		s.inBlock = append(s.inBlock, Duel{a, b, score, 1})
	}
}

func (t *pairTally) result(a, b string) PairResult {
	ci := unitInterval(linearised(t.units.closed), t.units.each())
	return PairResult{a, b, t.score.value(), ci.Low, ci.High, t.gainA.value(), t.gainB.value()}
}
