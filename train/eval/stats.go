package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// z is the two-sided 95% point of the normal distribution.
const z = 1.959963984540054

// interval is a 95% confidence interval.
type interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// wilson returns the score interval of a probability after wins out of n
// independent trials (E. B. Wilson, "Probable Inference, the Law of
// Succession, and Statistical Inference", JASA 22, 1927, without continuity
// correction). Shared wins may make wins a fraction: a trial that pays between
// 0 and 1 varies less than one that pays 0 or 1, so the interval is then too
// wide rather than too narrow. Without trials it is [0, 1].
func wilson(wins float64, n int) interval {
	if n == 0 {
		return interval{0, 1}
	}
	p, m := wins/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return interval{max(0, centre-half), min(1, centre+half)}
}

// unitInterval returns an interval of the mean of a score between 0 and 1 that
// was measured once in each of some independent units, such as the mean score
// of two games with swapped seats and the same chance seed. Games within a unit
// may depend on each other in any way; nothing is assumed about scores but
// their range.
//
// It is the normal interval of the mean after adding two units of score 0 and
// two of score 1, which for scores of 0 and 1 is the "plus four" interval of
// A. Agresti and B. A. Coull ("Approximate Is Better than Exact", The American
// Statistician 52, 1998). The four keep it honest where units are few or all of
// them agree.
//
// Each score may be the mean of a block of units, as many as each says on the average.
// Without units it is [0, 1].
func unitInterval(scores []float64, each float64) interval {
	if len(scores) == 0 {
		return interval{0, 1}
	}
	n := each*float64(len(scores)) + 4
	sum := 2.0
	for _, x := range scores {
		sum += each * x
	}
	mean := sum / n
	squares := 2*mean*mean + 2*(1-mean)*(1-mean)
	for _, x := range scores {
		d := each * (x - mean)
		squares += d * d
	}
	// What the four have moved the mean by counts once a unit, not as something that all units of
	// a block have in common.
	moved := (sum-2)/(n-4) - mean
	squares -= (each - 1) * (n - 4) * moved * moved
	half := z * math.Sqrt(squares/n/n)
	return interval{max(0, mean-half), min(1, mean+half)}
}

// meanInterval returns Student's interval of the mean of a number that was measured
// once in each of some independent units (Student, "The Probable Error of a
// Mean", Biometrika 6, 1908). It assumes that the mean is about normal, which
// it is for returns of bounded size in some dozens of units. With less than two
// units it is unbounded, which is written as the given limits.
func meanInterval(values []float64, low, high float64) interval {
	n := float64(len(values))
	if n < 2 {
		return interval{low, high}
	}
	mean, variance := stat.MeanVariance(values, nil)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	half := t * math.Sqrt(variance/n)
	return interval{max(low, mean-half), min(high, mean+half)}
}

// linearised returns a number for each unit, or block of them, for unitInterval and meanInterval, so that
// their mean is the mean of all that was measured in the units and their spread tells its
// error: a unit's own mean where all units hold equally much. Where some hold more, as a
// contestant has three of five seats in one line-up and two in the next, the mean of all
// is a ratio of two sums, and the numbers are those that it is the mean of to first order
// (R. S. Woodruff, "A Simple Method for Approximating the Variance of a Complicated
// Estimate", JASA 66, 1971). Every unit must hold something.
func linearised(units []mean) []float64 {
	var whole mean
	for _, u := range units {
		whole.sum += u.sum
		whole.n += u.n
	}
	numbers := make([]float64, len(units))
	size := float64(whole.n) / float64(len(units))
	for i, u := range units {
		weight := float64(u.n) / size
		numbers[i] = weight*u.value() + (1-weight)*whole.value()
	}
	return numbers
}

// Rating is an Elo rating with its 95% interval.
type Rating struct {
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Duel is the outcome of one comparison of two contestants in one game: Score
// is 1 if A came out ahead, 0 if B did, and ½ for a draw.
type Duel struct {
	A, B   int
	Score  float64
	Weight float64
}

// eloPerNat turns the logistic scale into Elo: 400 points are odds of 10 to 1.
var eloPerNat = 400 / math.Ln10

// Rate returns the maximum-likelihood ratings of k contestants in the model
// of R. A. Bradley and M. E. Terry ("Rank Analysis of Incomplete Block Designs",
// Biometrika 39, 1952), draws as half a win, with their mean at 0. Each unit
// holds duels that may depend on each other; units are independent.
//
// One draw of weight 1 is added between every two contestants that met, so that
// ratings are finite after a clean sweep. Intervals are Wald intervals with the
// sandwich estimator (H. White, "Maximum Likelihood Estimation of Misspecified
// Models", Econometrica 50, 1982), summed by unit: they allow for the pairing of
// games and for draws. An error says that the contestants fall into groups that
// did not meet, so that no common scale exists.
func Rate(k int, units [][]Duel) ([]Rating, error) {
	met := meetings(k, units)
	if !connected(met) {
		return nil, fmt.Errorf("eval: ratings need games that connect all %d contestants", k)
	}
	theta, hessian := fit(k, units, met)
	covariance, err := sandwich(k, theta, hessian, units, met)
	if err != nil {
		return nil, err
	}
	ratings := make([]Rating, k)
	for i := range ratings {
		elo := theta[i] * eloPerNat
		half := z * math.Sqrt(max(0, covariance.At(i, i))) * eloPerNat
		ratings[i] = Rating{elo, elo - half, elo + half}
	}
	return ratings, nil
}

// Expected is the score that a contestant expects who is so many points of Elo stronger.
func Expected(elo float64) float64 { return expected(elo / eloPerNat) }

// meetings tells which contestants met.
func meetings(k int, units [][]Duel) [][]bool {
	met := make([][]bool, k)
	for i := range met {
		met[i] = make([]bool, k)
	}
	for _, unit := range units {
		for _, d := range unit {
			met[d.A][d.B], met[d.B][d.A] = true, true
		}
	}
	return met
}

func connected(met [][]bool) bool {
	reached := make([]bool, len(met))
	queue := []int{0}
	reached[0] = true
	for n := 0; n < len(queue); n++ {
		for j, m := range met[queue[n]] {
			if m && !reached[j] {
				reached[j] = true
				queue = append(queue, j)
			}
		}
	}
	return len(queue) == len(met)
}

// each calls f for every duel, the added draws behind the units. A draw is two
// half wins, one each way, and each of them is a unit of its own.
func each(units [][]Duel, met [][]bool, f func(unit int, d Duel)) (numUnits int) {
	for u, unit := range units {
		for _, d := range unit {
			f(u, d)
		}
	}
	u := len(units)
	for i := range met {
		for j := i + 1; j < len(met); j++ {
			if met[i][j] {
				f(u, Duel{i, j, 1, 0.5})
				f(u+1, Duel{i, j, 0, 0.5})
				u += 2
			}
		}
	}
	return u
}

// expected is the chance that a contestant d nats stronger wins.
func expected(d float64) float64 { return 1 / (1 + math.Exp(-d)) }

// fit maximises the likelihood by Newton's method with the mean held at 0. It
// returns the strengths in nats and the Fisher information plus 11ᵀ/k, which
// is regular; the added term only fixes the mean.
func fit(k int, units [][]Duel, met [][]bool) ([]float64, *mat.SymDense) {
	theta := make([]float64, k)
	var hessian *mat.SymDense
	const rounds = 100 // convergence is quadratic; a dozen is usual
	for range rounds {
		hessian = mat.NewSymDense(k, nil)
		gradient := mat.NewVecDense(k, nil)
		each(units, met, func(_ int, d Duel) {
			p := expected(theta[d.A] - theta[d.B])
			g, h := d.Weight*(d.Score-p), d.Weight*p*(1-p)
			gradient.SetVec(d.A, gradient.AtVec(d.A)+g)
			gradient.SetVec(d.B, gradient.AtVec(d.B)-g)
			hessian.SetSym(d.A, d.A, hessian.At(d.A, d.A)+h)
			hessian.SetSym(d.B, d.B, hessian.At(d.B, d.B)+h)
			hessian.SetSym(d.A, d.B, hessian.At(d.A, d.B)-h)
		})
		for i := range k {
			for j := i; j < k; j++ {
				hessian.SetSym(i, j, hessian.At(i, j)+1/float64(k))
			}
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if !chol.Factorize(hessian) || chol.SolveVecTo(&step, gradient) != nil {
			break // flat beyond the precision of float64: what is reached stands
		}
		// A step is held to one nat, where the quadratic model is still good.
		largest := mat.Norm(&step, math.Inf(1))
		scale := 1 / max(1, largest)
		for i := range theta {
			theta[i] += scale * step.AtVec(i)
		}
		if largest < 1e-10 {
			break
		}
	}
	return theta, hessian
}

// sandwich returns H⁻¹ (Σ gᵤ gᵤᵀ) H⁻¹ with gᵤ the gradient of unit u.
func sandwich(k int, theta []float64, hessian *mat.SymDense, units [][]Duel, met [][]bool) (*mat.Dense, error) {
	var inverse mat.SymDense
	var chol mat.Cholesky
	if !chol.Factorize(hessian) {
		return nil, fmt.Errorf("eval: ratings of %d contestants are not determined by the games", k)
	}
	if err := chol.InverseTo(&inverse); err != nil {
		return nil, fmt.Errorf("eval: ratings: %w", err)
	}
	gradients := make(map[int][]float64)
	n := each(units, met, func(u int, d Duel) {
		if gradients[u] == nil {
			gradients[u] = make([]float64, k)
		}
		g := d.Weight * (d.Score - expected(theta[d.A]-theta[d.B]))
		gradients[u][d.A] += g
		gradients[u][d.B] -= g
	})
	meat := mat.NewSymDense(k, nil)
	for u := range n {
		if g := gradients[u]; g != nil {
			meat.SymRankOne(meat, 1, mat.NewVecDense(k, g))
		}
	}
	var half, full mat.Dense
	half.Mul(&inverse, meat)
	full.Mul(&half, &inverse)
	return &full, nil
}
