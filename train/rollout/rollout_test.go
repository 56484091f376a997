package rollout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
)

// random fills a buffer with episodes of random lengths, actors, rewards, values
// and ends.
func random(s Shape, seed uint64) *Buffer {
	b := New(s)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range b.Actors {
		b.Actors[i] = engine.Player(r.IntN(s.Seats))
		b.Learn[i] = r.IntN(3) > 0
		switch r.IntN(8) {
		case 0:
			b.Ends[i] = Terminated
		case 1:
			b.Ends[i] = Truncated
		}
	}
	for i := range b.NextActors {
		b.NextActors[i] = engine.Player(r.IntN(s.Seats+1)) - 1 // Opponent too
	}
	for _, numbers := range [][]float32{b.Values, b.Rewards, b.NextValues} {
		for i := range numbers {
			numbers[i] = float32(r.NormFloat64())
		}
	}
	return b
}

// slow computes by the definition, decision by decision and in float64, for one
// environment. It shares nothing with Compute but the buffer.
type slow struct {
	b             *Buffer
	learned       []bool // b.Learn before Compute
	env           int
	gamma, lambda float64
	valueLambda   float64
}

func (s slow) index(t int) int { return t*s.b.Envs + s.env }

// value is the value of seat q at the decision of step t.
func (s slow) value(t, q int) float64 {
	i := s.index(t)
	k := (q - int(s.b.Actors[i]) + s.b.Seats) % s.b.Seats
	return float64(s.b.Values[i*s.b.Seats+k])
}

// ahead returns what seat q gains from step t (included) to the learner's next
// decision for it after t and that decision's step, or the estimate of all that
// follows where there is none in the episode and the buffer: next is then -1. It is
// not known where an opponent would decide next.
func (s slow) ahead(t, q int) (gain float64, next int, estimate float64, known bool) {
	for u := t; ; u++ {
		i := s.index(u)
		gain += float64(s.b.Rewards[i*s.b.Seats+q])
		at := -1
		switch {
		case s.b.Ends[i] == Terminated:
			return gain, -1, 0, true
		case s.b.Ends[i] == Truncated:
			at = i
		case u == s.b.Steps-1:
			at = s.index(s.b.Steps)
		case s.learned[s.index(u+1)] && int(s.b.Actors[s.index(u+1)]) == q:
			return gain, u + 1, 0, true
		}
		if at >= 0 {
			actor := int(s.b.NextActors[at])
			if actor < 0 {
				return 0, -1, 0, false
			}
			k := (q - actor + s.b.Seats) % s.b.Seats
			v := float64(s.b.NextValues[at*s.b.Seats+k])
			if actor == q {
				v *= s.gamma
			}
			return gain, -1, v, true
		}
	}
}

// target is what seat q should expect at step t: for the actor its own return.
// What is not known is the value itself.
func (s slow) target(t, q int) float64 {
	gain, next, estimate, known := s.ahead(t, q)
	if !known {
		return s.value(t, q)
	}
	if next < 0 {
		return gain + estimate
	}
	return gain + s.gamma*(s.value(next, q)+s.valueLambda*s.errors(next, s.valueLambda))
}

// errors is the sum of the errors of the actor's trajectory, discounted by γλ, as far
// as they are known: with the λ of advantages the advantage.
func (s slow) errors(t int, lambda float64) float64 {
	q := int(s.b.Actors[s.index(t)])
	sum, weight := 0.0, 1.0
	for t >= 0 {
		gain, next, estimate, known := s.ahead(t, q)
		if !known {
			break
		}
		follow := estimate
		if next >= 0 {
			follow = s.gamma * s.value(next, q)
		}
		sum += weight * (gain + follow - s.value(t, q))
		weight *= s.gamma * lambda
		t = next
	}
	return sum
}

func TestComputeAgreesWithTheDefinition(t *testing.T) {
	for seats := 1; seats <= 4; seats++ {
		for seed := range uint64(20) {
			b := random(Shape{Steps: 1 + int(seed)*2, Envs: 3, Inputs: 1, NumActions: 1, Seats: seats}, seed)
			gamma, lambda := 0.9, 0.8
			if seed%3 == 0 {
				gamma, lambda = 1, 1
			}
			learned := slices.Clone(b.Learn)
			valueLambda := lambda
			if seed%2 == 0 {
				valueLambda = 0.3
			}
			b.Compute(float32(gamma), float32(lambda), float32(valueLambda))
			for n := range b.Envs {
				s := slow{b, learned, n, gamma, lambda, valueLambda}
				for step := range b.Steps {
					i := s.index(step)
					_, _, _, known := s.ahead(step, int(b.Actors[i]))
					if got, want := b.Learn[i], learned[i] && known; got != want {
						t.Fatalf("%d seats, seed %d, env %d, step %d: learned from: %v, want %v", seats, seed, n, step, got, want)
					}
					if !b.Learn[i] {
						continue
					}
					if got, want := float64(b.Advantages[i]), s.errors(step, lambda); math.Abs(got-want) > 1e-4 {
						t.Fatalf("%d seats, seed %d, env %d, step %d: advantage %v, want %v", seats, seed, n, step, got, want)
					}
					for k := range seats {
						q := (int(b.Actors[i]) + k) % seats
						if got, want := float64(b.Returns[i*seats+k]), s.target(step, q); math.Abs(got-want) > 1e-4 {
							t.Fatalf("%d seats, seed %d, env %d, step %d: return of seat %d is %v, want %v", seats, seed, n, step, q, got, want)
						}
					}
				}
			}
		}
	}
}

// TestTwoSeatsByHand is a game small enough to follow: seat 0, seat 1, seat 0,
// then the end, with a reward for seat 1 on the way.
func TestTwoSeatsByHand(t *testing.T) {
	b := New(Shape{Steps: 3, Envs: 1, Inputs: 1, NumActions: 1, Seats: 2})
	b.Actors = []engine.Player{0, 1, 0}
	b.Learn = []bool{true, true, true}
	b.Ends = []End{Running, Running, Terminated}
	b.Values = []float32{0.5, -0.5, 0.25, -0.25, 0.75, -0.75} // own, other
	b.Rewards = []float32{0, 0.5, 0, 0, 1, -1}
	b.Compute(1, 1, 1)
	// Seat 0 gains 1 after both of its decisions. Seat 1 gains -1 after its one
	// decision; the 0.5 before it is nobody's.
	if want := []float32{1 - 0.5, -1 - 0.25, 1 - 0.75}; !slices.Equal(b.Advantages, want) {
		t.Errorf("advantages are %v, want %v", b.Advantages, want)
	}
	// The entry of the other seat includes what comes before its next decision.
	if want := []float32{1, -0.5, -1, 1, 1, -1}; !slices.Equal(b.Returns, want) {
		t.Errorf("returns are %v, want %v", b.Returns, want)
	}
}

// TestOpponentsAreBetweenTheDecisions is the same with an opponent in seat 1, and
// the buffer ends before the game: seat 0 cannot tell what its last decision is
// worth, but that decision's value says what the first one was.
func TestOpponentsAreBetweenTheDecisions(t *testing.T) {
	b := New(Shape{Steps: 4, Envs: 1, Inputs: 1, NumActions: 1, Seats: 2})
	b.Actors = []engine.Player{0, 1, 0, 1}
	b.Learn = []bool{true, false, true, false}
	b.Values = []float32{0.5, -0.5, 9, 9, 0.75, -0.75, 9, 9}
	b.Rewards = []float32{0, 0, 0.125, 0, 0, 0, 9, 9}
	b.NextActors[4] = Opponent
	b.Compute(1, 1, 1)
	if want := []bool{true, false, false, false}; !slices.Equal(b.Learn, want) {
		t.Errorf("learned from: %v, want %v", b.Learn, want)
	}
	if got, want := b.Advantages[0], float32(0.125+0.75-0.5); got != want {
		t.Errorf("the advantage is %v, want %v", got, want)
	}
	if got, want := b.Returns[:2], []float32{0.125 + 0.75, -0.5}; !slices.Equal(got, want) {
		t.Errorf("the returns are %v, want %v", got, want)
	}
}

func TestComputeAllocatesNothing(t *testing.T) {
	b := random(Shape{Steps: 8, Envs: 4, Inputs: 1, NumActions: 1, Seats: 3}, 1)
	if got := testing.AllocsPerRun(10, func() { b.Compute(0.99, 0.95, 0.9) }); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func TestMinibatchesDealEverySampleOnceAndEvenly(t *testing.T) {
	for _, n := range []int{0, 1, 7, 64, 65, 129} {
		b := New(Shape{Steps: n + 3, Envs: 1, Inputs: 1, NumActions: 1, Seats: 1})
		for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n + 3)[:n] {
			b.Learn[i] = true
		}
		samples := b.Samples(nil)
		want := slices.Clone(samples)
		Shuffle(samples, rand.NewPCG(3, 4))
		parts := Minibatches(samples, 64)
		if len(parts) != (n+63)/64 {
			t.Errorf("%d samples make %d minibatches of at most 64", n, len(parts))
		}
		var got []int32
		for _, p := range parts {
			if len(p) > 64 || len(p) < n/len(parts) {
				t.Errorf("%d samples: a minibatch has %d", n, len(p))
			}
			got = append(got, p...)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d samples: the minibatches have %v, want %v", n, got, want)
		}
	}
}

// TestShuffleIsUniform counts the six orders of three samples: 20.5 is the
// 99.9% point of chi-squared with 5 degrees of freedom.
func TestShuffleIsUniform(t *testing.T) {
	rng := rand.NewPCG(1, 2)
	counts := map[string]int{}
	const draws = 6000
	for range draws {
		s := []int32{0, 1, 2}
		Shuffle(s, rng)
		counts[fmt.Sprint(s)]++
	}
	chi := 0.0
	for _, n := range counts {
		d := float64(n) - draws/6.0
		chi += d * d / (draws / 6.0)
	}
	if len(counts) != 6 || chi > 20.5 {
		t.Errorf("orders %v: chi-squared %.1f, want below 20.5", counts, chi)
	}
}
