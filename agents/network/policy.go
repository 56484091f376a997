package network

import (
	"math"
	"math/rand/v2"

	"powderkeg/agents/network/kernel"
	"powderkeg/engine"
)

// Advise adds to the logits of a decision what its mask says beside 1 for legal: an entry of
// 1 + Advice is the action that is advised. Without Advice the logits stay as they are.
func (c Config) Advise(logits []float32, mask []uint8) {
	if c.Advice == 0 {
		return
	}
	for j, m := range mask {
		if m > 1 {
			logits[j] += float32(m - 1)
		}
	}
}

// Softmax writes the probabilities of the legal actions to p, and 0 for the
// others, and returns log Σ exp(logit) over the legal ones and the entropy. At
// least one action must be legal.
func Softmax(p, logits []float32, mask []uint8) (normaliser float32, entropy float64) {
	top := highest(logits, mask)
	var list [kernel.Most]int32
	var z, e [kernel.Most]float64
	var sum, product float64
	clear(p)
	for from := 0; from < len(mask); from += kernel.Most {
		x, into := logits[from:], p[from:]
		legal := list[:kernel.Places(&list, mask[from:min(from+kernel.Most, len(mask))])]
		for i, j := range legal {
			z[i] = float64(x[j] - top)
		}
		kernel.Exp(e[:len(legal)], z[:len(legal)])
		for i, j := range legal {
			sum += e[i]
			product += e[i] * z[i]
			into[j] = float32(e[i])
		}
	}
	scale := float32(1 / sum)
	for j := range p {
		p[j] *= scale
	}
	log := math.Log(sum)
	return top + float32(log), log - product/sum
}

// highest returns the highest logit of the legal actions.
func highest(logits []float32, mask []uint8) float32 {
	top := float32(math.Inf(-1))
	var list [kernel.Most]int32
	for from := 0; from < len(mask); from += kernel.Most {
		x := logits[from:]
		for _, j := range list[:kernel.Places(&list, mask[from:min(from+kernel.Most, len(mask))])] {
			if x[j] > top {
				top = x[j]
			}
		}
	}
	return top
}

// LogSum returns log Σ exp(logit) over the legal actions, of which there is at
// least one.
func LogSum(logits []float32, mask []uint8) float32 {
	top := highest(logits, mask)
	var list [kernel.Most]int32
	var e [kernel.Most]float64
	var sum float64
	for from := 0; from < len(mask); from += kernel.Most {
		x := logits[from:]
		legal := list[:kernel.Places(&list, mask[from:min(from+kernel.Most, len(mask))])]
		for i, j := range legal {
			e[i] = float64(x[j] - top)
		}
		kernel.Exp(e[:len(legal)], e[:len(legal)])
		for _, x := range e[:len(legal)] {
			sum += x
		}
	}
	return top + float32(math.Log(sum))
}

// Sample draws an index with the given probabilities, which add up to 1 within
// rounding; at least one is above 0. An index of probability 0 is never drawn.
func Sample(p []float32, rng *rand.PCG) int {
	u := engine.Unit(rng)
	last := 0
	for i, x := range p {
		if x > 0 {
			last = i
			if u -= float64(x); u < 0 {
				break
			}
		}
	}
	return last
}

// Best returns the legal action with the highest logit, the first of equal ones.
// At least one must be legal.
func Best(logits []float32, mask []uint8) int {
	best := -1
	for i, legal := range mask {
		if legal != 0 && (best < 0 || logits[i] > logits[best]) {
			best = i
		}
	}
	return best
}
