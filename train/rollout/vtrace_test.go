package rollout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
)

// off adds what equation 1 of the paper needs to the definition in slow.
type off struct {
	slow
	ratios []float32
	rho, c float64
}

// delta is the error of the actor's decision at step t, and the step of its next one, -1 if
// there is none. It is not known where an opponent would decide next.
func (o off) delta(t, seat int) (error float64, next int, known bool) {
	gain, next, estimate, known := o.ahead(t, seat)
	if next >= 0 {
		estimate = o.gamma * o.value(next, seat)
	}
	return gain + estimate - o.value(t, seat), next, known
}

func (o off) cap(t int, most float64) float64 {
	return min(float64(o.ratios[o.index(t)]), most)
}

// excess is v - V of the actor's decision at step t: the sum over its later decisions u of
// γ^(u-t) (Π c) ρ δ, with c = λ min(c̄, ratio).
func (o off) excess(t int, lambda float64) float64 {
	seat := int(o.b.Actors[o.index(t)])
	sum, weight := 0.0, 1.0
	for t >= 0 {
		delta, next, known := o.delta(t, seat)
		if !known {
			break
		}
		sum += weight * o.cap(t, o.rho) * delta
		weight *= o.gamma * lambda * o.cap(t, o.c)
		t = next
	}
	return sum
}

// traced is a random buffer after Trace, with what the definition says of each environment.
func traced(s Shape, seed uint64, gamma, lambda, valueLambda float64, most Bounds, ratio func(*rand.Rand) float32) (b *Buffer, learned []bool,
	of func(env int) off) {
	b = random(s, seed)
	r := rand.New(rand.NewPCG(seed, 2))
	ratios := make([]float32, len(b.Actors))
	for i := range ratios {
		ratios[i] = ratio(r)
	}
	learned = slices.Clone(b.Learn)
	b.Trace(float32(gamma), float32(lambda), float32(valueLambda), ratios, most)
	return b, learned, func(env int) off {
		return off{slow{b, learned, env, gamma, lambda, valueLambda}, ratios, float64(most.Rho), float64(most.C)}
	}
}

func TestTraceAgreesWithTheDefinition(t *testing.T) {
	near := func(got float32, want float64) bool { return math.Abs(float64(got)-want) < 2e-4*max(1, math.Abs(want)) }
	for seats := 1; seats <= 4; seats++ {
		for seed := range uint64(20) {
			gamma, lambda, valueLambda := 0.9, 0.8, 0.8
			if seed%3 == 0 {
				gamma, lambda = 1, 1
			}
			if seed%2 == 0 {
				valueLambda = 0.3
			}
			most := []Bounds{{1, 1}, {2, 1}, {1.5, 0.5}, {100, 100}}[seed%4]
			b, learned, of := traced(Shape{Steps: 1 + int(seed)*2, Envs: 3, Inputs: 1, NumActions: 1, Seats: seats}, seed, gamma, lambda, valueLambda, most,
				func(r *rand.Rand) float32 { return float32(math.Exp(r.NormFloat64() / 2)) })
			for n := range b.Envs {
				o := of(n)
				for step := range b.Steps {
					i := o.index(step)
					actor := int(b.Actors[i])
					delta, next, known := o.delta(step, actor)
					if b.Learn[i] != (learned[i] && known) {
						t.Fatalf("%d seats, seed %d, env %d, step %d: learned from: %v", seats, seed, n, step, b.Learn[i])
					}
					if !b.Learn[i] {
						continue
					}
					advantage := delta
					if next >= 0 {
						advantage += gamma * lambda * o.excess(next, lambda)
					}
					if !near(b.Advantages[i], advantage) {
						t.Fatalf("%d seats, seed %d, env %d, step %d: advantage %v, want %v", seats, seed, n, step, b.Advantages[i], advantage)
					}
					for k := range seats {
						q := (actor + k) % seats
						want := o.value(step, q)
						if delta, next, known := o.delta(step, q); known {
							want += o.cap(step, o.rho) * delta
							if next >= 0 {
								want += o.cap(step, o.c) * gamma * valueLambda * o.excess(next, valueLambda)
							}
						}
						if !near(b.Returns[i*seats+k], want) {
							t.Fatalf("%d seats, seed %d, env %d, step %d: return of seat %d is %v, want %v", seats, seed, n, step, q, b.Returns[i*seats+k], want)
						}
					}
					if own := o.value(step, actor) + o.excess(step, valueLambda); !near(b.Returns[i*seats], own) {
						t.Fatalf("%d seats, seed %d, env %d, step %d: the actor's return is %v, v of the paper %v", seats, seed, n, step, b.Returns[i*seats], own)
					}
				}
			}
		}
	}
}

// TestTraceOfOnesIsCompute: what was played by the policy that learns needs no correction.
func TestTraceOfOnesIsCompute(t *testing.T) {
	for seed := range uint64(10) {
		s := Shape{Steps: 30, Envs: 3, Inputs: 1, NumActions: 1, Seats: 1 + int(seed)%4}
		b, _, _ := traced(s, seed, 0.9, 0.8, 0.5, Bounds{1, 1}, func(*rand.Rand) float32 { return 1 })
		plain := random(s, seed)
		plain.Compute(0.9, 0.8, 0.5)
		if !slices.Equal(b.Learn, plain.Learn) {
			t.Fatalf("seed %d: other decisions are learned from", seed)
		}
		for i, learn := range b.Learn {
			if !learn {
				continue
			}
			if math.Abs(float64(b.Advantages[i]-plain.Advantages[i])) > 1e-5 {
				t.Fatalf("seed %d, decision %d: advantage %v, by Compute %v", seed, i, b.Advantages[i], plain.Advantages[i])
			}
			for k := range s.Seats {
				if got, want := b.Returns[i*s.Seats+k], plain.Returns[i*s.Seats+k]; math.Abs(float64(got-want)) > 1e-5 {
					t.Fatalf("seed %d, decision %d: return %v, by Compute %v", seed, i, got, want)
				}
			}
		}
	}
}

// TestTraceTendsToTheValueOfTheOtherPolicy: a decision with two outcomes, 1 and 0, played with
// probabilities β. The value whose targets are itself in the mean is that of π where nothing is
// cut off, and otherwise that of the policy in proportion to min(ρ̄ β, π).
func TestTraceTendsToTheValueOfTheOtherPolicy(t *testing.T) {
	played, pi := []float64{0.2, 0.8}, []float64{0.6, 0.4}
	for rho, want := range map[float32]float64{10: 0.6, 1: 0.2 / (0.2 + 0.4)} {
		mean := 0.0
		for a, p := range played {
			b := New(Shape{Steps: 1, Envs: 1, Inputs: 1, NumActions: 2, Seats: 1})
			b.Learn[0], b.Ends[0], b.Actions[0] = true, Terminated, engine.Action(a)
			b.Values[0], b.Rewards[0] = float32(want), float32(1-a)
			b.Trace(1, 1, 1, []float32{float32(pi[a] / played[a])}, Bounds{rho, 1})
			mean += p * float64(b.Returns[0])
		}
		if math.Abs(mean-want) > 1e-6 {
			t.Errorf("with ρ̄ = %v the value %v has the mean target %v", rho, want, mean)
		}
	}
}

func TestTraceAllocatesNothing(t *testing.T) {
	b := random(Shape{Steps: 8, Envs: 4, Inputs: 1, NumActions: 1, Seats: 3}, 1)
	ratios := make([]float32, len(b.Actors))
	if got := testing.AllocsPerRun(10, func() { b.Trace(0.99, 0.95, 0.9, ratios, Bounds{1, 1}) }); got != 0 {
		t.Errorf("%v allocations, want none", got)
	}
}
