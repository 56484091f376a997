package ppo

import (
	"math"
	"slices"

	"powderkeg/train/rollout"
)

// valueLambda is that of the values' targets.
func (c *Config) valueLambda() float32 {
	if c.ValueLambda == 0 {
		return float32(c.Lambda)
	}
	return float32(c.ValueLambda)
}

// filter keeps those of the samples that Config.Filter lets through, in their order and
// in their place.
func (l *Learner) filter(b *rollout.Buffer, samples []int32) []int32 {
	f := l.config.Filter
	if f == (Filter{}) {
		return samples
	}
	l.sizes = l.sizes[:0]
	for _, i := range samples {
		l.sizes = append(l.sizes, size(b.Advantages[i]))
	}
	least := float32(f.Floor)
	if len(l.sizes) > 0 {
		slices.Sort(l.sizes)
		least = max(least, l.sizes[int(f.Quantile*float64(len(l.sizes)))])
	}
	return slices.DeleteFunc(samples, func(i int32) bool { return size(b.Advantages[i]) < least })
}

// size is the amount of an advantage.
func size(advantage float32) float32 { return float32(math.Abs(float64(advantage))) }
