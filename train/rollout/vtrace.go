package rollout

// Bounds are the most that a ratio counts: Rho, ρ̄, in the error of a decision, and so in which
// policy the values come to be those of; C, c̄, in how far errors travel back, and so in how fast.
type Bounds struct{ Rho, C float32 }

// Trace is Compute for a rollout that was played by another policy, β, than the one that learns,
// π: V-trace (Espeholt et al., "IMPALA", 2018, equation 1 and remark 2), seat by seat. ratios
// [T×N] are π(a)/β(a) of the actions at the learner's decisions. With the notation of Compute,
// ρ(tᵢ) = min(ρ̄, ratio) and c(tᵢ) = min(c̄, ratio) at the seat's own decision,
//
//	M(tᵢ) = ρ(tᵢ) δ(tᵢ) + γ λ c(tᵢ) M(tᵢ₊₁)
//	A(tᵢ) = δ(tᵢ) + γ λ M(tᵢ₊₁)
//
// The target of the actor's value is V + M, with μ in the place of λ as in Compute: the v of the
// paper. A is what the paper multiplies by ρ for the policy's gradient; the objective of PPO
// does that itself, by its ratio to the policy that played. With λ below 1 the paper has
// δ + γ M(tᵢ₊₁) instead, which is no estimate of this family where all ratios are 1; this one is
// GAE then, and the paper's where λ is 1.
//
// The entry of another seat q in a value is corrected for the actor's choice likewise: its
// target is V + ρ(tᵢ) (R + γ V(q) - V) + γ μ c(tᵢ) M(q), of q's next decision. What other seats
// chose between two decisions of a seat is not: as in all of this package it is what happened,
// and a product of all its ratios would be either noise or cut off.
func (b *Buffer) Trace(gamma, lambda, valueLambda float32, ratios []float32, most Bounds) {
	for n := range b.Envs {
		b.cut(b.Steps*b.Envs+n, gamma)
		for t := b.Steps - 1; t >= 0; t-- {
			i := t*b.Envs + n
			b.trace(i, gamma, lambda, valueLambda, min(ratios[i], most.Rho), min(ratios[i], most.C))
		}
	}
}

// trace goes back over one step as step does; gae[q] is M of q's next decision with λ, miss[q]
// with μ.
func (b *Buffer) trace(i int, gamma, lambda, valueLambda, rho, c float32) {
	b.gain(i, gamma)
	if !b.Learn[i] {
		return
	}
	p, actor := b.Seats, int(b.Actors[i])
	values := b.Values[i*p : (i+1)*p]
	for k := range p {
		q := (actor + k) % p
		b.Returns[i*p+k] = values[k]
		if b.known[q] {
			b.Returns[i*p+k] += rho*(b.tail[q]-values[k]) + c*gamma*valueLambda*b.miss[q]
		}
	}
	b.Advantages[i] = 0
	gae, miss := float32(0), float32(0)
	if b.known[actor] {
		delta := b.tail[actor] - values[0]
		b.Advantages[i] = delta + gamma*lambda*b.gae[actor]
		gae = rho*delta + gamma*lambda*c*b.gae[actor]
		miss = rho*delta + gamma*valueLambda*c*b.miss[actor]
	} else {
		b.Learn[i] = false
	}
	b.tail[actor], b.gae[actor], b.miss[actor], b.known[actor] = gamma*values[0], gae, miss, true
}
