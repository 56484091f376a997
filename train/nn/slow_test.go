package nn

import (
	"math"

	"powderkeg/agents/network"
)

// The network and the objective written down plainly in float64, as the
// reference of the fast ones. Nothing here is shared with them but the names of
// the tensors.

type slowNet struct {
	c       network.Config
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
			if n.c.Activation == network.Tanh {
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
		n.advise(logits, b, row)
		var sum float64
		for j, z := range logits {
			if b.Mask[row*n.c.Actions+j] != 0 {
				sum += math.Exp(z)
			}
		}
		for j, z := range logits {
			if b.Mask[row*n.c.Actions+j] != 0 {
				p := math.Exp(z) / sum
				entropy -= p * math.Log(p)
			}
		}
		old, slow := b.Old[row*n.c.Actions:(row+1)*n.c.Actions], b.Magnet[row*n.c.Actions:(row+1)*n.c.Actions]
		var oldSum, slowSum float64
		for j := range logits {
			if b.Mask[row*n.c.Actions+j] != 0 {
				oldSum += math.Exp(float64(old[j]))
				slowSum += math.Exp(float64(slow[j]))
			}
		}
		for j, z := range logits {
			if b.Mask[row*n.c.Actions+j] != 0 {
				p := math.Exp(z) / sum
				proximal += p * math.Log(p/(math.Exp(float64(old[j]))/oldSum))
				magnet += p * math.Log(p/(math.Exp(float64(slow[j]))/slowSum))
			}
		}
		p := math.Exp(logits[b.Action[row]]) / sum
		if o.Imitate {
			policy += n.imitation(o, logits, b, row)
		} else {
			ratio, a := p/math.Exp(float64(b.LogProb[row])), float64(b.Advantage[row])
			clip := float64(o.ClipRange)
			policy -= math.Min(ratio*a, clamp(ratio, 1-clip, 1+clip)*a)
		}
		for k := range n.c.Seats {
			if n.c.Bins > 0 {
				value += crossEntropy(values[k*n.c.Bins:(k+1)*n.c.Bins], float64(b.Return[row*n.c.Seats+k])) / float64(n.c.Seats)
				continue
			}
			v := values[k]
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

// imitation is the cross-entropy of a row: the answer's share and the one that is spread
// evenly, each for itself.
func (n slowNet) imitation(o Objective, logits []float64, b *Batch, row int) float64 {
	mask := b.Mask[row*n.c.Actions : (row+1)*n.c.Actions]
	p := slowSoftmax(logits, mask)
	var spread, legal float64
	for j := range p {
		if mask[j] != 0 {
			spread, legal = spread+math.Log(p[j]), legal+1
		}
	}
	soft := float64(o.Soften)
	return -(1-soft)*math.Log(p[b.Action[row]]) - soft*spread/legal
}

// slowMean is the mean of the numbers that bins stand for.
func slowMean(logits []float64) float64 {
	mean, sum := 0.0, 0.0
	for i, z := range logits {
		mean += math.Exp(z) * (-1 + 2*float64(i)/float64(len(logits)-1))
		sum += math.Exp(z)
	}
	return mean / sum
}

// crossEntropy is that of a distribution with a number between -1 and 1, outside of
// which it counts as the nearer end: each bin's part in the target falls linearly with
// its distance from the number.
func crossEntropy(logits []float64, x float64) float64 {
	x = clamp(x, -1, 1)
	sum, loss := 0.0, 0.0
	for _, z := range logits {
		sum += math.Exp(z)
	}
	width := 2 / float64(len(logits)-1)
	for i, z := range logits {
		center := -1 + width*float64(i)
		loss -= math.Max(0, 1-math.Abs(x-center)/width) * math.Log(math.Exp(z)/sum)
	}
	return loss
}

// forces is what neural replicator dynamics pushes each logit down with: for every
// row and legal action the regularisers' log-probabilities less the advantage of
// the action taken over its probability at that time, centred.
func (n slowNet) forces(o Objective, b *Batch) [][]float64 {
	var list [][]float64
	for row := range b.Rows {
		logits, mask := n.row(b, row), b.Mask[row*n.c.Actions:(row+1)*n.c.Actions]
		p := slowSoftmax(logits, mask)
		old := slowSoftmax(widen(b.Old[row*n.c.Actions:(row+1)*n.c.Actions]), mask)
		magnet := slowSoftmax(widen(b.Magnet[row*n.c.Actions:(row+1)*n.c.Actions]), mask)
		force := make([]float64, n.c.Actions)
		var mean, legal float64
		for j := range force {
			if mask[j] == 0 {
				continue
			}
			force[j] = float64(o.EntropyCoef)*math.Log(p[j]) + float64(o.Proximal)*math.Log(p[j]/old[j]) + float64(o.Magnet)*math.Log(p[j]/magnet[j])
			if j == int(b.Action[row]) {
				force[j] -= float64(b.Advantage[row]) * math.Min(math.Exp(-float64(b.LogProb[row])), float64(o.NeuRD))
			}
			mean, legal = mean+force[j], legal+1
		}
		for j := range force {
			if mask[j] != 0 {
				force[j] -= mean / legal
			}
		}
		list = append(list, force)
	}
	return list
}

// work is the mean over the rows of Σ f_j z_j.
func (n slowNet) work(forces [][]float64, b *Batch) float64 {
	sum := 0.0
	for row, force := range forces {
		for j, z := range n.row(b, row) {
			sum += force[j] * z
		}
	}
	return sum / float64(b.Rows)
}

// row returns the logits of a row.
func (n slowNet) row(b *Batch, row int) []float64 {
	logits, _ := n.forward(widen(b.Obs[row*n.c.Inputs : (row+1)*n.c.Inputs]))
	n.advise(logits, b, row)
	return logits
}

// advise adds the advice to the logits of a row.
func (n slowNet) advise(logits []float64, b *Batch, row int) {
	for j, m := range b.Mask[row*n.c.Actions : (row+1)*n.c.Actions] {
		logits[j] += math.Max(0, float64(m)-1)
	}
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func slowSoftmax(logits []float64, mask []uint8) []float64 {
	p, sum := make([]float64, len(logits)), 0.0
	for j, z := range logits {
		if mask[j] != 0 {
			p[j] = math.Exp(z)
			sum += p[j]
		}
	}
	for j := range p {
		p[j] /= sum
	}
	return p
}
