package nn

import (
	"math"

	"powderkeg/agents/network"
)

// valueRow adds the value term of a row to s and writes the gradient with
// respect to the outputs of the value head.
func (o *Objective) valueRow(c *network.Config, b *Batch, row int, values, grad []float32, s *Stats) {
	if c.Bins > 0 {
		o.binsRow(c, b, row, values, grad, s)
		return
	}
	scale := o.ValueCoef / float32(b.Rows*c.Seats)
	for k, v := range values {
		i := row*c.Seats + k
		miss := v - b.Return[i]
		square, pull := miss*miss, miss
		if o.ValueClip > 0 {
			old := b.Value[i]
			moved := min(max(v, old-o.ValueClip), old+o.ValueClip)
			if far := moved - b.Return[i]; far*far > square {
				square, pull = far*far, 0
				if moved == v {
					pull = far
				}
			}
		}
		s.Value += float64(square) / float64(2*c.Seats)
		grad[k] = pull * scale
	}
}

// binsRow is valueRow for values that are distributions. The target is R split over the
// two bins between which it lies (network.Bin), t, and the term is the mean over the
// seats of
//
//	-Σ t_i log p_i, with the gradient p - t
//
// The expected return is all that the target says, as in the scalar head, and where it
// is drawn from two outcomes the two bins at the ends learn their odds.
func (o *Objective) binsRow(c *network.Config, b *Batch, row int, logits, grad []float32, s *Stats) {
	scale := o.ValueCoef / float32(b.Rows*c.Seats)
	for k := range c.Seats {
		z, d := logits[k*c.Bins:(k+1)*c.Bins], grad[k*c.Bins:(k+1)*c.Bins]
		low, upper := network.Bin(b.Return[row*c.Seats+k], c.Bins)
		normaliser := logSum(z)
		s.Value += float64(normaliser-(1-upper)*z[low]-upper*z[low+1]) / float64(c.Seats)
		for i := range d {
			d[i] = scale * float32(math.Exp(float64(z[i]-normaliser)))
		}
		d[low] -= scale * (1 - upper)
		d[low+1] -= scale * upper
	}
}

// logSum is log Σ exp(z).
func logSum(z []float32) float32 {
	top := z[0]
	for _, x := range z {
		top = max(top, x)
	}
	var sum float64
	for _, x := range z {
		sum += math.Exp(float64(x - top))
	}
	return top + float32(math.Log(sum))
}
