package evolve

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// search is separable CMA-ES (R. Ros and N. Hansen, "A simple modification in CMA-ES
// achieving linear time and space complexity", 2008, table 1) with mirrored samples, since a
// step that helps by chance hurts on the other side. Its fields are its whole state, but for
// the generator's, which follows from seed and generation.
type search struct {
	Mean     []float64 `json:"mean"`
	Variance []float64 `json:"variance"`
	StepPath []float64 `json:"step_path"`
	Path     []float64 `json:"path"`
	Step     float64   `json:"step"`
}

func newSearch(n int, step float64) *search {
	return &search{Mean: make([]float64, n), Variance: slices.Repeat([]float64{1}, n), StepPath: make([]float64, n), Path: make([]float64, n),
		Step: step}
}

// sample is a place in units of the search's spread, and what it is worth.
type sample struct {
	z     []float64
	worth float64
}

// searchStream is the PCG stream of the samples.
const searchStream = 0x65766f6c7665

// draw returns an even number of samples and where they lie.
func (s *search) draw(population int, seed uint64) (samples []sample, places [][]float64) {
	rng := rand.New(rand.NewPCG(seed, searchStream))
	for i := range population {
		z, x := make([]float64, len(s.Mean)), slices.Clone(s.Mean)
		for j := range z {
			if z[j] = rng.NormFloat64(); i%2 == 1 {
				z[j] = -samples[i-1].z[j]
			}
			x[j] += s.Step * math.Sqrt(s.Variance[j]) * z[j]
		}
		samples, places = append(samples, sample{z: z}), append(places, x)
	}
	return samples, places
}

// learn moves the mean and the variances towards the better half of the samples, which it
// sorts, and fits the step.
func (s *search) learn(samples []sample) {
	slices.SortStableFunc(samples, func(a, b sample) int { return cmp.Compare(b.worth, a.worth) })
	shares, mass := recombination(len(samples))
	n := float64(len(s.Mean))
	pathRate, stepRate := 4/(n+4), (mass+2)/(n+mass+5)
	oneRate := 2 / ((n+1.3)*(n+1.3) + mass) * (n + 2) / 3
	manyRate := min(1-oneRate, 2*(mass-2+1/mass)/((n+2)*(n+2)+mass)*(n+2)/3)
	norm := 0.0
	for i := range s.Mean {
		move, spread := 0.0, 0.0
		for k, share := range shares {
			z := samples[k].z[i]
			move += share * z
			spread += share * z * z
		}
		deviation := math.Sqrt(s.Variance[i])
		s.Mean[i] += s.Step * deviation * move
		s.StepPath[i] = (1-stepRate)*s.StepPath[i] + math.Sqrt(stepRate*(2-stepRate)*mass)*move
		s.Path[i] = (1-pathRate)*s.Path[i] + math.Sqrt(pathRate*(2-pathRate)*mass)*deviation*move
		s.Variance[i] *= 1 - oneRate - manyRate + manyRate*spread
		s.Variance[i] += oneRate * s.Path[i] * s.Path[i]
		norm += s.StepPath[i] * s.StepPath[i]
	}
	expected := math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	s.Step *= math.Exp(min(1, stepRate/(1+stepRate)*(math.Sqrt(norm)/expected-1)))
}

// recombination returns how much each of the better half counts, best first, and of how many
// equal samples that has the noise.
func recombination(population int) (shares []float64, mass float64) {
	sum, squares := 0.0, 0.0
	for i := range population / 2 {
		share := math.Log(float64(population+1)/2) - math.Log(float64(i+1))
		shares = append(shares, share)
		sum += share
	}
	for i := range shares {
		shares[i] /= sum
		squares += shares[i] * shares[i]
	}
	return shares, 1 / squares
}
