package luck_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/luck"
)

// A line is a game from its beginning to its end, if seats choose uniformly.
type line struct {
	moves       []engine.Action
	probability float64
	returns     []float32
}

// lines lists all games.
func lines(t *testing.T, g engine.Game) []line {
	t.Helper()
	var list []line
	var walk func(s engine.State, moves []engine.Action, p float64)
	walk = func(s engine.State, moves []engine.Action, p float64) {
		next := func(a engine.Action, share float64) {
			after := g.New()
			after.CopyFrom(s)
			if err := after.Apply(a); err != nil {
				t.Fatal(err)
			}
			walk(after, append(moves[:len(moves):len(moves)], a), p*share)
		}
		switch s.ToAct() {
		case engine.Terminal:
			list = append(list, line{moves, p, s.Returns(nil)})
		case engine.Chance:
			outcomes := s.(engine.Stochastic).Outcomes(nil)
			for _, o := range outcomes {
				next(o.Action, float64(o.Weight)/float64(engine.Total(outcomes)))
			}
		default:
			legal := s.Legal(nil)
			for _, a := range legal {
				next(a, 1/float64(len(legal)))
			}
		}
	}
	walk(g.New(), nil, 1)
	return list
}

// wrong values are numbers that have nothing to do with the game.
type wrong struct{}

func (wrong) Values(dst []float64, s engine.State) {
	h := engine.NewHash().Word(s.Hash())
	for p := range dst {
		dst[p] = float64(uint64(h.Word(uint64(p)))%1000) - 300
	}
}

// exact values are those of uniform play.
type exact struct{ game engine.Game }

func (e exact) Values(dst []float64, s engine.State) {
	clear(dst)
	var add func(s engine.State, p float64)
	add = func(s engine.State, p float64) {
		if s.ToAct() == engine.Terminal {
			for seat, x := range s.Returns(nil) {
				dst[seat] += p * float64(x)
			}
			return
		}
		weights := map[engine.Action]float64{}
		if s.ToAct() == engine.Chance {
			outcomes := s.(engine.Stochastic).Outcomes(nil)
			for _, o := range outcomes {
				weights[o.Action] = float64(o.Weight) / float64(engine.Total(outcomes))
			}
		} else {
			legal := s.Legal(nil)
			for _, a := range legal {
				weights[a] = 1 / float64(len(legal))
			}
		}
		for a, w := range weights {
			after := e.game.New()
			after.CopyFrom(s)
			if err := after.Apply(a); err != nil {
				panic(err)
			}
			add(after, p*w)
		}
	}
	add(s, 1)
}

// measured returns the luck of each seat in a line.
func measured(t *testing.T, g engine.Game, m *luck.Meter, l line) []float64 {
	t.Helper()
	s := g.New()
	m.Begin()
	for _, a := range l.moves {
		m.Move(s, a)
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	return m.Luck()
}

// Whatever the values are, luck is 0 on average over all games.
func TestLuckIsFair(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc"} {
		g := enginetest.Game(t, name)
		m := luck.NewMeter(g, wrong{}, luck.MostOutcomes)
		sum, size := make([]float64, g.Spec().Seats), 0.0
		for _, l := range lines(t, g) {
			for p, x := range measured(t, g, m, l) {
				sum[p] += l.probability * x
				size += l.probability * math.Abs(x)
			}
		}
		for p, x := range sum {
			if math.Abs(x) > 1e-9 {
				t.Errorf("%s: luck of seat %d is %g on average", name, p, x)
			}
		}
		if size < 100 {
			t.Errorf("%s: wrong values give luck of a mean size of %g, so nothing was tested", name, size)
		}
		if m.Events == 0 || m.Skipped != 0 {
			t.Errorf("%s: %d events, %d skipped", name, m.Events, m.Skipped)
		}
	}
}

// Of exact values, luck is all of the variance that chance makes: what is left has nothing to do
// with it.
func TestExactValuesTakeAllLuckOut(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	m := luck.NewMeter(g, exact{g}, luck.MostOutcomes)
	var mean, raw, left, common, lucky float64
	all := lines(t, g)
	for _, l := range all {
		mean += l.probability * float64(l.returns[0])
	}
	for _, l := range all {
		x := float64(l.returns[0]) - mean
		y := measured(t, g, m, l)[0]
		raw += l.probability * x * x
		left += l.probability * (x - y) * (x - y)
		lucky += l.probability * y * y
		common += l.probability * (x - y) * y
	}
	if math.Abs(common) > 1e-12 || math.Abs(raw-left-lucky) > 1e-12 {
		t.Errorf("variance %g is not %g and %g: what is left has a covariance of %g with luck", raw, left, lucky, common)
	}
	if got := raw / left; math.Abs(got-135.0/71) > 1e-9 {
		t.Errorf("luck factor %v, that of uniform play is 135/71", got)
	}
}

// Deals of more outcomes than the meter looks at, and moves of seats, are no luck.
func TestManyOutcomesAreSkipped(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	m := luck.NewMeter(g, wrong{}, 2)
	for _, l := range lines(t, g)[:1] {
		measured(t, g, m, l)
	}
	if m.Events != 1 || m.Skipped != 1 { // the first card of three is dealt, then the second of two
		t.Errorf("%d events, %d skipped, want 1 and 1", m.Events, m.Skipped)
	}
}

func config(t *testing.T, name string, v luck.Values) luck.Config {
	g := enginetest.Game(t, name)
	return luck.Config{
		Game: g, Games: 2000, Seed: 3, Outcomes: luck.MostOutcomes, Share: 1, Workers: 2,
		Values: func() luck.Values { return v },
		Agent:  func() (agents.Agent, error) { return random.New(), nil },
		Others: func() (agents.Agent, error) { return random.New(), nil },
	}
}

// The corrected mean estimates what the raw one does, by exact values better and by wrong ones
// worse, and the factor tells which.
func TestMeasure(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	for name, c := range map[string]struct {
		values  luck.Values
		low     float64
		high    float64
		knowing bool
	}{"exact": {exact{g}, 1.5, 3, true}, "wrong": {wrong{}, 0, 0.001, false}} {
		r, err := luck.Measure(context.Background(), config(t, "kuhn", c.values))
		if err != nil {
			t.Fatal(err)
		}
		if r.Factor < c.low || r.Factor > c.high || r.FactorLow > r.Factor || r.FactorHigh < r.Factor {
			t.Errorf("%s values: luck factor %g [%g, %g], want it in [%g, %g]", name, r.Factor, r.FactorLow, r.FactorHigh, c.low, c.high)
		}
		// Both seats play alike, so that the game is fair.
		if r.Raw.Low > 0 || r.Raw.High < 0 || r.Corrected.Low > 0 || r.Corrected.High < 0 {
			t.Errorf("%s values: means %v and %v do not contain 0", name, r.Raw, r.Corrected)
		}
		if c.knowing != (r.Explained > 0.1) || c.knowing != (math.Abs(r.BestShare-1) < 0.2) || r.BestFactor < r.Factor || r.BestFactor < 1 {
			t.Errorf("%s values: explained %g, best share %g with factor %g", name, r.Explained, r.BestShare, r.BestFactor)
		}
		if len(r.ByPhase) != luck.Phases || r.Events != 4000 || r.Skipped != 0 {
			t.Errorf("%s values: %d phases, %d events, %d skipped", name, len(r.ByPhase), r.Events, r.Skipped)
		}
	}
}

// How many workers play does not matter.
func TestWorkersAgree(t *testing.T) {
	var want *luck.Result
	for _, workers := range []int{1, 3} {
		c := config(t, "leduc", wrong{})
		c.Games, c.Workers = 50, workers
		got, err := luck.Measure(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %+v, one: %+v", workers, got, want)
		}
	}
}

// The seat that is measured is each in turn, and the others are others.
func TestSeatsTakeTurns(t *testing.T) {
	c := config(t, "leduc", wrong{})
	script, err := scripted.New(c.Game)
	if err != nil {
		t.Fatal(err)
	}
	c.Agent = func() (agents.Agent, error) { return agents.FromPolicy(script), nil }
	c.Games, c.Workers = 1000, 1
	r, err := luck.Measure(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Raw.Low <= 0 {
		t.Errorf("the scripted player gains %v from random ones", r.Raw)
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(*luck.Config){
		"a variance needs at least 2": func(c *luck.Config) { c.Games = 1 },
		"at least 2 are needed":       func(c *luck.Config) { c.Outcomes = 1 },
		"from 0 to 1":                 func(c *luck.Config) { c.Share = math.NaN() },
	} {
		c := config(t, "kuhn", wrong{})
		change(&c)
		if _, err := luck.Measure(context.Background(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
	c := config(t, "kuhn", wrong{})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := luck.Measure(ctx, c); err == nil {
		t.Error("a measurement that was cancelled ended well")
	}
}

// The result is told in words.
func TestWrite(t *testing.T) {
	c := config(t, "kuhn", exact{enginetest.Game(t, "kuhn")})
	c.Games = 100
	r, err := luck.Measure(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kuhn: 100 games", "luck factor", "by fifths", "200 corrected, 0 skipped"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q lacks %q", out.String(), want)
		}
	}
}

// Who sits where is no luck: what seats differ by is in no factor and explains nothing.
func TestSeatsAreNoLuck(t *testing.T) {
	var want *luck.Result
	for _, lead := range []float64{0, 5} {
		c := config(t, "kuhn", nil)
		c.Game = ahead{c.Game, float32(lead)}
		c.Values = func() luck.Values { return plus{exact{enginetest.Game(t, "kuhn")}, lead} }
		r, err := luck.Measure(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = r
		}
		if math.Abs(r.Factor-want.Factor) > 1e-6 || math.Abs(r.Explained-want.Explained) > 1e-6 ||
			math.Abs(r.Raw.High-r.Raw.Low-want.Raw.High+want.Raw.Low) > 1e-6 {
			t.Errorf("with a lead of %v: factor %v, explained %v, raw %v; without %v, %v, %v", lead, r.Factor, r.Explained, r.Raw, want.Factor, want.Explained,
				want.Raw)
		}
	}
}

// ahead is a game in which the first seat has a lead.
type ahead struct {
	engine.Game
	lead float32
}

func (g ahead) New() engine.State { return &leading{g.Game.New(), g.lead} }

type leading struct {
	engine.State
	lead float32
}

func (s *leading) Outcomes(dst []engine.Outcome) []engine.Outcome {
	return s.State.(engine.Stochastic).Outcomes(dst)
}

func (s *leading) CopyFrom(o engine.State) { s.State.CopyFrom(o.(*leading).State) }

func (s *leading) Returns(dst []float32) []float32 {
	n := len(dst)
	dst = s.State.Returns(dst)
	dst[n] += s.lead
	dst[n+1] -= s.lead
	return dst
}

// plus are values with that lead.
type plus struct {
	exact
	lead float64
}

func (v plus) Values(dst []float64, s engine.State) {
	v.exact.Values(dst, s.(*leading).State)
	dst[0] += v.lead
	dst[1] -= v.lead
}
