package nn

import "math"

// The network and the objective written down plainly in float64, as the
// reference of the fast ones. Nothing here is shared with them but the names of
// the tensors.

type slowNet struct {
	c       Config
	weights []float64
}

// tensor finds a part by name.
func (n slowNet) tensor(name string) []float64 {
	for _, t := range n.c.Tensors() {
		if t.Name == name {
			return n.weights[t.Offset : t.Offset+t.Size]
		}
	}
	panic("no tensor " + name)
}

func slowLinear(x, w, b []float64) []float64 {
	y := make([]float64, len(b))
	for i := range y {
		y[i] = b[i]
		for j := range x {
			y[i] += w[i*len(x)+j] * x[j]
		}
	}
	return y
}

func (n slowNet) forward(obs []float64) (logits, values []float64) {
	x := obs
	for i := range n.c.Hidden {
		layer := "torso." + string(rune('0'+i)) + "."
		y := slowLinear(x, n.tensor(layer+"weight"), n.tensor(layer+"bias"))
		if n.c.LayerNorm {
			var mean, variance float64
			for _, v := range y {
				mean += v / float64(len(y))
			}
			for _, v := range y {
				variance += (v - mean) * (v - mean) / float64(len(y))
			}
			for j := range y {
				y[j] = (y[j]-mean)/math.Sqrt(variance+1e-5)*n.tensor(layer + "norm.weight")[j] + n.tensor(layer + "norm.bias")[j]
			}
		}
		for j := range y {
			if n.c.Activation == Tanh {
				y[j] = math.Tanh(y[j])
			} else {
				y[j] = math.Max(0, y[j])
			}
			if n.c.Residual && len(x) == len(y) {
				y[j] += x[j]
			}
		}
		x = y
	}
	return slowLinear(x, n.tensor("policy.weight"), n.tensor("policy.bias")),
		slowLinear(x, n.tensor("value.weight"), n.tensor("value.bias"))
}

func clamp(x, low, high float64) float64 { return math.Max(low, math.Min(high, x)) }

// loss is the objective over a batch.
func (n slowNet) loss(o Objective, b *Batch) float64 {
	var policy, value, entropy, proximal, magnet float64
	for row := range b.Rows {
		obs := make([]float64, n.c.Inputs)
		for j := range obs {
			obs[j] = float64(b.Obs[row*n.c.Inputs+j])
		}
		logits, values := n.forward(obs)
		var sum float64
		for j, z := range logits {
			if b.Mask[row*n.c.Actions+j] == 1 {
				sum += math.Exp(z)
			}
		}
		for j, z := range logits {
			if b.Mask[row*n.c.Actions+j] == 1 {
				p := math.Exp(z) / sum
				entropy -= p * math.Log(p)
			}
		}
		old, slow := b.Old[row*n.c.Actions:(row+1)*n.c.Actions], b.Magnet[row*n.c.Actions:(row+1)*n.c.Actions]
		var oldSum, slowSum float64
		for j := range logits {
			if b.Mask[row*n.c.Actions+j] == 1 {
				oldSum += math.Exp(float64(old[j]))
				slowSum += math.Exp(float64(slow[j]))
			}
		}
		for j, z := range logits {
			if b.Mask[row*n.c.Actions+j] == 1 {
				p := math.Exp(z) / sum
				proximal += p * math.Log(p/(math.Exp(float64(old[j]))/oldSum))
				magnet += p * math.Log(p/(math.Exp(float64(slow[j]))/slowSum))
			}
		}
		p := math.Exp(logits[b.Action[row]]) / sum
		ratio, a := p/math.Exp(float64(b.LogProb[row])), float64(b.Advantage[row])
		clip := float64(o.ClipRange)
		policy -= math.Min(ratio*a, clamp(ratio, 1-clip, 1+clip)*a)
		for k, v := range values {
			target, old := float64(b.Return[row*n.c.Seats+k]), float64(b.Value[row*n.c.Seats+k])
			miss := (v - target) * (v - target)
			if o.ValueClip > 0 {
				moved := clamp(v, old-float64(o.ValueClip), old+float64(o.ValueClip))
				miss = math.Max(miss, (moved-target)*(moved-target))
			}
			value += miss / 2 / float64(n.c.Seats)
		}
	}
	rows := float64(b.Rows)
	return policy/rows + float64(o.ValueCoef)*value/rows - float64(o.EntropyCoef)*entropy/rows +
		float64(o.Proximal)*proximal/rows + float64(o.Magnet)*magnet/rows
}
