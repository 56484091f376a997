package suite

import (
	"math"
	"math/rand/v2"
	"slices"

	"powderkeg/engine"
)

// The figures over tasks and runs are those of R. Agarwal and others, "Deep reinforcement
// learning at the edge of the statistical precipice" (NeurIPS 2021), as their library
// rliable computes them: scores are [runs][tasks], each normalised by its task.

// IQM is the interquartile mean of all scores: the mean of those that are left when the
// lowest quarter and the highest are cut off, each rounded down to whole scores
// (scipy.stats.trim_mean with 0.25). It is NaN without scores.
func IQM(scores [][]float64) float64 {
	all := flat(scores)
	cut := len(all) / 4
	return average(all[cut : len(all)-cut])
}

// Profile is the performance profile of the scores: at each threshold the share of all
// scores that are above it (rliable's score distribution).
func Profile(scores [][]float64, thresholds []float64) []float64 {
	shares := make([]float64, len(thresholds))
	all := flat(scores)
	for i, t := range thresholds {
		above := len(all) - sortedAbove(all, t)
		shares[i] = float64(above) / float64(len(all))
	}
	return shares
}

// sortedAbove is how many of the ascending numbers are at most t.
func sortedAbove(all []float64, t float64) int {
	n, _ := slices.BinarySearchFunc(all, t, func(x, t float64) int {
		if x <= t {
			return -1
		}
		return 1
	})
	return n
}

// Improvement is the probability that a run of x scores higher than one of y, on a task drawn
// at random, equal scores counting half: the Mann-Whitney statistic of each task over the
// number of pairs, averaged over the tasks. Both have the same tasks.
func Improvement(x, y [][]float64) float64 {
	total := 0.0
	tasks := len(x[0])
	for task := range tasks {
		wins := 0.0
		for _, a := range x {
			for _, b := range y {
				switch {
				case a[task] > b[task]:
					wins++
				case a[task] == b[task]:
					wins += 0.5
				}
			}
		}
		total += wins / float64(len(x)*len(y))
	}
	return total / float64(tasks)
}

// flat lists all scores in ascending order.
func flat(scores [][]float64) []float64 {
	var all []float64
	for _, run := range scores {
		all = append(all, run...)
	}
	slices.Sort(all)
	return all
}

// average is the mean, NaN of nothing.
func average(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// resamples is how many samples a bootstrap draws.
const resamples = 2000

// bootstrapStream is the PCG stream of bootstraps.
const bootstrapStream = 0x626f6f74

// Interval is a 95% interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// stratified is the percentile interval of a figure by the stratified bootstrap: the runs of
// each task are drawn anew, with replacement, for each task by themselves. The seed decides
// the draws.
func stratified(scores [][]float64, seed uint64, figure func([][]float64) float64) Interval {
	runs, tasks := len(scores), len(scores[0])
	rng := rand.NewPCG(seed, bootstrapStream)
	sample := make([][]float64, runs)
	for r := range sample {
		sample[r] = make([]float64, tasks)
	}
	values := make([]float64, resamples)
	for i := range values {
		for r := range sample {
			for t := range tasks {
				sample[r][t] = scores[engine.Uint32N(rng, uint32(runs))][t]
			}
		}
		values[i] = figure(sample)
	}
	slices.Sort(values)
	return Interval{quantile(values, 0.025), quantile(values, 0.975)}
}

// quantile is the linearly interpolated quantile of ascending numbers (type 7 of R. Hyndman
// and Y. Fan, "Sample quantiles in statistical packages", 1996).
func quantile(values []float64, p float64) float64 {
	at := p * float64(len(values)-1)
	low := int(at)
	if low+1 >= len(values) {
		return values[len(values)-1]
	}
	return values[low] + (at-float64(low))*(values[low+1]-values[low])
}
