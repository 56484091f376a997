package solve_test

import (
	"fmt"
	"math"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/train/solve"
)

// slowCFR is the slow twin of the solvers that go over the whole tree: recursion
// over the states, maps over keys.
type slowCFR struct {
	slow   // its play is the current policy
	config solve.Config
	t      int
	regret behaviour
	sum    behaviour
}

func newSlowCFR(t testing.TB, tree *solve.Tree, c solve.Config) *slowCFR {
	w := &slowCFR{slow: slow{tree.Game(), behaviour{}}, config: c, regret: behaviour{}, sum: behaviour{}}
	for key, row := range behaviourOf(t, tree, tree.Uniform()) {
		w.play[key] = append([]float64(nil), row...)
		w.regret[key] = make([]float64, len(row))
		w.sum[key] = make([]float64, len(row))
	}
	return w
}

func (w *slowCFR) iterate() {
	w.t++
	seats := w.g.Spec().Seats
	reach := make([]float64, seats+1)
	for i := range reach {
		reach[i] = 1
	}
	for seat := range engine.Player(seats) {
		w.walk(w.g.New(), seat, reach)
		if !w.config.Simultaneous {
			w.match(seat)
		}
	}
	for seat := range engine.Player(seats) {
		w.match(seat)
	}
	w.discount()
}

// walk returns what the seat expects from s on and adds its regrets. The reaches
// are those of the seats and of chance.
func (w *slowCFR) walk(s engine.State, seat engine.Player, reach []float64) float64 {
	actor := s.ToAct()
	if actor == engine.Terminal {
		return float64(s.Returns(nil)[seat])
	}
	who := int(actor)
	if actor == engine.Chance {
		who = len(reach) - 1
	}
	value := 0.0
	var values []float64
	w.each(s, func(next engine.State, p float64) {
		r := append([]float64(nil), reach...)
		r[who] *= p
		v := w.walk(next, seat, r)
		value += p * v
		values = append(values, v)
	})
	if actor == seat {
		key, others := w.key(s), 1.0
		for i, x := range reach {
			if i != int(seat) {
				others *= x
			}
		}
		for k, v := range values {
			w.regret[key][k] += others * (v - value)
			// Chance makes the sum over the states of an information state the
			// same multiple of the seat's reach in every iteration.
			w.sum[key][k] += w.weight() * reach[len(reach)-1] * reach[seat] * w.play[key][k]
		}
	}
	return value
}

// weight returns that of the current policy in the average, up to a factor that
// all later discounts share.
func (w *slowCFR) weight() float64 {
	if w.config.Algorithm == solve.CFRPlus {
		return float64(w.t)
	}
	return 1
}

// match answers the regrets of a seat.
func (w *slowCFR) match(seat engine.Player) {
	for key, regret := range w.regret {
		if key[0] != '0'+byte(seat) {
			continue
		}
		sum := 0.0
		for _, r := range regret {
			sum += math.Max(r, 0)
		}
		for k, r := range regret {
			if sum > 0 {
				w.play[key][k] = math.Max(r, 0) / sum
			} else {
				w.play[key][k] = 1 / float64(len(regret))
			}
		}
	}
}

// discount spells out the factors of the papers.
func (w *slowCFR) discount() {
	t, c := float64(w.t), w.config
	if c.Algorithm == solve.LinearCFR {
		c.Alpha, c.Beta, c.Gamma = 1, 1, 1
	}
	for key, regret := range w.regret {
		for k, r := range regret {
			switch {
			case c.Algorithm == solve.CFR:
			case c.Algorithm == solve.CFRPlus:
				regret[k] = math.Max(r, 0)
			case r > 0:
				regret[k] *= math.Pow(t, c.Alpha) / (math.Pow(t, c.Alpha) + 1)
			default:
				regret[k] *= math.Pow(t, c.Beta) / (math.Pow(t, c.Beta) + 1)
			}
			if c.Algorithm == solve.DCFR || c.Algorithm == solve.LinearCFR {
				w.sum[key][k] *= math.Pow(t/(t+1), c.Gamma)
			}
		}
	}
}

// average returns the average policy.
func (w *slowCFR) average() behaviour {
	b := behaviour{}
	for key, row := range w.sum {
		total := 0.0
		for _, x := range row {
			total += x
		}
		for _, x := range row {
			if total > 0 {
				b[key] = append(b[key], x/total)
			} else {
				b[key] = append(b[key], 1/float64(len(row)))
			}
		}
	}
	return b
}

// TestSolversAgainstTheSlowTwin compares the average policies after a few
// iterations, before the last digits of cancelling regrets have had time to grow.
func TestSolversAgainstTheSlowTwin(t *testing.T) {
	games := []engine.Game{enginetest.Game(t, "kuhn"), kuhnFor(3), signals(), prisoners()}
	for _, g := range games {
		tree := buildGame(t, g)
		for _, a := range []solve.Algorithm{solve.CFR, solve.CFRPlus, solve.DCFR, solve.LinearCFR} {
			for _, simultaneous := range []bool{false, true} {
				c := solve.Default(a)
				c.Simultaneous = simultaneous
				compareWithTwin(t, tree, c)
			}
		}
	}
}

func compareWithTwin(t *testing.T, tree *solve.Tree, c solve.Config) {
	t.Helper()
	s, twin := solver(t, tree, c), newSlowCFR(t, tree, c)
	for n := 1; n <= 6; n++ {
		s.Iterate()
		twin.iterate()
		want := twin.average()
		for key, row := range behaviourOf(t, tree, s.Average()) {
			for k, p := range row {
				if math.Abs(p-want[key][k]) > 1e-9 {
					t.Errorf("%s, %s, simultaneous %t: after iteration %d %q plays %s, the twin %s", tree.Game().Spec().Text, c.Algorithm, c.Simultaneous, n, key,
						fmt.Sprint(row), fmt.Sprint(want[key]))
					return
				}
			}
		}
	}
}
