package eval_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/eval"
	"powderkeg/train/luck"
)

// misled are values that have nothing to do with the game.
type misled struct{}

func (misled) Values(dst []float64, s engine.State) {
	h := engine.NewHash().Word(s.Hash())
	for p := range dst {
		dst[p] = float64(uint64(h.Word(uint64(p)))%1000)/100 - 3
	}
}

// averages are the values of uniform play.
type averages struct {
	game  engine.Game
	known map[uint64][]float64 // by the hash of a state
}

func (v averages) Values(dst []float64, s engine.State) {
	if _, ok := v.known[s.Hash()]; !ok {
		clear(dst)
		v.add(dst, s, 1)
		v.known[s.Hash()] = append([]float64(nil), dst...)
	}
	copy(dst, v.known[s.Hash()])
}

func (v averages) add(dst []float64, s engine.State, p float64) {
	var moves []engine.Outcome
	switch s.ToAct() {
	case engine.Terminal:
		for seat, x := range s.Returns(nil) {
			dst[seat] += p * float64(x)
		}
		return
	case engine.Chance:
		moves = s.(engine.Stochastic).Outcomes(nil)
	default:
		for _, a := range s.Legal(nil) {
			moves = append(moves, engine.Outcome{Action: a, Weight: 1})
		}
	}
	for _, m := range moves {
		after := v.game.New()
		after.CopyFrom(s)
		if err := after.Apply(m.Action); err != nil {
			panic(err)
		}
		v.add(dst, after, p*float64(m.Weight)/float64(engine.Total(moves)))
	}
}

// Whatever the values are, corrected results estimate the mean return that raw ones do: by good
// values with fewer games, by wrong ones with more. In Kuhn poker both games of a unit have the
// same deal, so that of luck by which both seats gain alike nothing is left to be taken out.
func TestCorrectedMatch(t *testing.T) {
	for _, v := range []struct {
		game     string
		good     bool
		low, top float64 // of the factor
	}{{"kuhn", true, 1, 1}, {"kuhn", false, 0, 0.6}, {"leduc", true, 1.01, 4}, {"leduc", false, 0, 0.6}} {
		g := enginetest.Game(t, v.game)
		c := eval.Config{
			Game: g, Games: 6000, Seed: 4, Workers: 2,
			Contestants: []eval.Contestant{{Name: "last", New: lastPlayer}, {Name: "random", New: randomPlayer}},
		}
		plain, err := eval.Match(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		by := func() luck.Values { return misled{} }
		if v.good {
			by = func() luck.Values { return averages{g, map[uint64][]float64{}} }
		}
		c.Correction = &luck.Correction{Values: by, Digest: "fixed", Share: 1}
		r, err := eval.Match(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range r.Corrected.Agents {
			if a.Name != r.Agents[i].Name || math.Abs(a.Raw.Mean-r.Agents[i].MeanReturn) > 1e-6 {
				t.Errorf("%s: %s: raw %v, the match says %v", v.game, a.Name, a.Raw, r.Agents[i].MeanReturn)
			}
			// Both intervals are about the same number.
			apart := math.Abs(a.Corrected.Mean - a.Raw.Mean)
			if most := math.Hypot(a.Corrected.High-a.Corrected.Mean, a.Raw.High-a.Raw.Mean); apart > 1.5*most {
				t.Errorf("%s by %T: %v corrected, %v raw", v.game, by(), a.Corrected, a.Raw)
			}
			if a.Factor < v.low-1e-9 || a.Factor > v.top+1e-9 || a.FactorLow > a.Factor || a.FactorHigh < a.Factor {
				t.Errorf("%s by %T: factor %v [%v, %v], want it from %v to %v", v.game, by(), a.Factor, a.FactorLow, a.FactorHigh, v.low, v.top)
			}
		}
		var out strings.Builder
		if err := r.Write(&out); err != nil || !strings.Contains(out.String(), "mean returns, 1 of the luck taken out by values fixed") {
			t.Errorf("%v: %s", err, out.String())
		}
		// What is not corrected is as it was.
		if r.Corrected = nil; !reflect.DeepEqual(r, plain) {
			t.Errorf("%s: a match that is corrected differs otherwise, too", v.game)
		}
	}
}

// A team's results are corrected as well, the same for any number of workers; where equals gain
// what they lose there is nothing to correct.
func TestCorrectedTeam(t *testing.T) {
	g := enginetest.Game(t, "bloc")
	c := eval.TeamConfig{
		Game: g, Games: 12, Seed: 4, Workers: 1, Agent: eval.Contestant{Name: "random", New: randomPlayer},
		Correction: &luck.Correction{Values: func() luck.Values { return misled{} }, Digest: "fixed", Share: 0.5},
	}
	one, err := eval.Team(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Workers = 3
	three, err := eval.Team(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, three) {
		t.Errorf("one worker says %+v, three %+v", one.Corrected, three.Corrected)
	}
	if a := one.Corrected.Agents[0]; a.Factor >= 0.1 || math.Abs(a.Raw.Mean-one.MeanReturn) > 1e-6 {
		t.Errorf("wrong values make %v of %v, factor %v", a.Corrected, one.MeanReturn, a.Factor)
	}
	c.Game = enginetest.Game(t, "kuhn")
	if _, err := eval.Team(context.Background(), c); err == nil || !strings.Contains(err.Error(), "no luck to take out") {
		t.Errorf("a team of Kuhn is corrected: %v", err)
	}
}
