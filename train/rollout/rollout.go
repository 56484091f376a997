// Package rollout keeps what self-play has recorded, computes advantages and
// returns, and deals the samples into minibatches. It knows no network.
//
// A rollout is T steps of N environments, of any number of seats P. In each
// step every environment records one decision of one seat. A seat's trajectory
// is the subsequence of its own decisions; what it gains between two of them
// belongs to the earlier one. Decisions of opponents from the pool are no
// trajectory: to the learner they are what happens between its own. Values are
// vectors in the actor's perspective: entry k is that of seat (actor+k) mod P.
package rollout

import (
	"fmt"
	"math/rand/v2"

	"powderkeg/agents/network/kernel"
	"powderkeg/engine"
)

// End says how a step ended its episode.
type End uint8

const (
	// Running: the episode goes on.
	Running End = iota
	// Terminated: the rules have ended it; nothing follows.
	Terminated
	// Truncated: a cap has ended it; what would have followed is estimated.
	Truncated
)

// Shape is the size of a buffer.
type Shape struct {
	Steps      int // T
	Envs       int // N
	Inputs     int // D, size of an observation
	NumActions int // A
	Seats      int // P
	// Others: what the other seats observe is recorded too.
	Others bool
}

// Buffer records a rollout. Step t of environment n has index i = t*N + n. The
// recorder fills the exported slices, then Compute fills the last two.
type Buffer struct {
	Shape
	// Age is by how many updates the weights that played are behind those that learn.
	Age int64
	// Obs [(T+1)×N] of D numbers each and Masks [(T+1)×N×A] are of the actor, where that is the
	// learner. The last N rows belong to the decisions after the last step, which the next
	// rollout begins with. Of observations what is not zero is kept, a third to a sixth of them.
	Obs    []kernel.Row
	Masks  []uint8
	Actors []engine.Player // [T×N]
	// Others [(T+1)×N×(P-1)] is what the other seats observe at the learner's
	// decisions, in their order after the actor; nil where Shape.Others is false. It is for
	// values alone.
	Others []kernel.Row
	// Actions [T×N] were taken, LogProbs are their log-probabilities.
	Actions  []engine.Action
	LogProbs []float32
	// Logits [T×N×A] are those that the actions were drawn by, of the decisions that
	// are learned from.
	Logits []float32
	// Values [T×N×P] are the estimates at the learner's decisions, in the actor's
	// perspective.
	Values []float32
	// Learn [T×N] marks the learner's decisions, from which it learns; those of
	// opponents from the pool are not marked. Compute takes the mark off a decision
	// that nothing says the worth of.
	Learn []bool
	// Rewards [T×N×P] is what each seat has gained in the step, by seat.
	Rewards []float32
	// Ends [T×N] says whether the step ended the episode.
	Ends []End
	// NextActors and NextValues say who would have decided next and what that
	// decision's observation was worth: of step t at index i where Ends is
	// Truncated, and of the decision after the last step at T*N + n. Other entries
	// are not read. Where an opponent decides next, the actor is Opponent and there
	// are no values: the learner's network knows what a view is worth to itself.
	NextActors []engine.Player // [(T+1)×N]
	NextValues []float32       // [(T+1)×N×P]

	// Advantages [T×N] are of the actor; Returns [T×N×P] are the targets of Values.
	Advantages []float32
	Returns    []float32

	// Scratch of Compute, each [P]: see step.
	tail, gae, miss []float32
	known           []bool // whether these are known
}

// Opponent stands in NextActors for any seat that the learner does not hold.
const Opponent engine.Player = -1

// New returns an empty buffer.
func New(s Shape) *Buffer {
	n := s.Steps * s.Envs
	var others []kernel.Row
	if s.Others {
		others = make([]kernel.Row, (n+s.Envs)*(s.Seats-1))
	}
	return &Buffer{
		Shape: s, Others: others,
		Obs: make([]kernel.Row, n+s.Envs), Masks: make([]uint8, (n+s.Envs)*s.NumActions),
		Actors: make([]engine.Player, n), Actions: make([]engine.Action, n), LogProbs: make([]float32, n),
		Logits: make([]float32, n*s.NumActions),
		Values: make([]float32, n*s.Seats), Learn: make([]bool, n),
		Rewards: make([]float32, n*s.Seats), Ends: make([]End, n),
		NextActors: make([]engine.Player, n+s.Envs), NextValues: make([]float32, (n+s.Envs)*s.Seats),
		Advantages: make([]float32, n), Returns: make([]float32, n*s.Seats),
		tail: make([]float32, s.Seats), gae: make([]float32, s.Seats), miss: make([]float32, s.Seats), known: make([]bool, s.Seats),
	}
}

// Follow makes the decisions that stand after the last step of another buffer of the same
// shape stand after that of this one, so that its rollout goes on where the other's ends.
func (b *Buffer) Follow(from *Buffer) {
	n := b.Steps * b.Envs
	for i := n; i < n+b.Envs; i++ {
		b.Obs[i].CopyFrom(&from.Obs[i])
	}
	copy(b.Masks[n*b.NumActions:], from.Masks[n*b.NumActions:])
	for i := n * (b.Seats - 1); i < len(b.Others); i++ {
		b.Others[i].CopyFrom(&from.Others[i])
	}
}

// Carry makes the decision that stands after the last step of environment n its first one. What
// stood there stands after the last step then, to be written over.
func (b *Buffer) Carry(n int) {
	last := b.Steps*b.Envs + n
	b.Obs[n], b.Obs[last] = b.Obs[last], b.Obs[n]
	copy(b.Masks[n*b.NumActions:(n+1)*b.NumActions], b.Masks[last*b.NumActions:])
	if b.Others != nil {
		for k := range b.Seats - 1 {
			first, after := &b.Others[n*(b.Seats-1)+k], &b.Others[last*(b.Seats-1)+k]
			*first, *after = *after, *first
		}
	}
}

// Seen writes what the actor observes at the decision of index i to dst [D].
func (b *Buffer) Seen(dst []float32, i int) { b.Obs[i].Expand(dst[:b.Inputs]) }

// Whole writes what all seats observe at the decision of index i, of Others too, to dst
// [P×D], the actor's first.
func (b *Buffer) Whole(dst []float32, i int) {
	b.Seen(dst, i)
	for k := range b.Seats - 1 {
		b.Others[i*(b.Seats-1)+k].Expand(dst[(k+1)*b.Inputs:][:b.Inputs])
	}
}

// Compute fills Advantages and Returns by generalised advantage estimation
// (Schulman et al., "High-dimensional continuous control using generalized
// advantage estimation", 2016, equation 16), seat by seat. With t₀ < t₁ < ... the
// learner's decisions of a seat, R the sum of its rewards from one (included) to the
// next (excluded), and V its value at its own decisions,
//
//	δ(tᵢ) = R(tᵢ) + γ V(tᵢ₊₁) - V(tᵢ)
//	A(tᵢ) = δ(tᵢ) + γ λ A(tᵢ₊₁)
//
// After the last decision of a terminated episode R goes to its end and V(tᵢ₊₁)
// is 0. Where the episode is truncated or the buffer ends first, R goes to that
// point and γ V(tᵢ₊₁) is estimated there: by γ times the value if the seat itself
// would decide next, and otherwise by its entry in the value of whoever does. If an
// opponent does, there is no estimate: the seat's last decision before that point has
// no advantage, and only its value is used, in what came before.
//
// The target of a seat's entry in a value is R from there to its next decision
// plus γ (V + μ M) of that decision, where M is A with μ, valueLambda, in the place of λ;
// for the actor it is M + V. So an entry of another seat estimates what it is used for:
// R + γ V(tᵢ₊₁) from that moment. An entry whose target is not known has itself as its
// target.
// A reward before a seat's first decision of the buffer belongs to no decision
// in it and is not learned from.
func (b *Buffer) Compute(gamma, lambda, valueLambda float32) {
	for n := range b.Envs {
		b.cut(b.Steps*b.Envs+n, gamma)
		for t := b.Steps - 1; t >= 0; t-- {
			b.step(t*b.Envs+n, gamma, lambda, valueLambda)
		}
	}
}

// step goes back over one step. Before and after it, tail[q] + miss[q]·γμ is what
// seat q may expect from that moment on, if known, with tail[q] = R + γ V(tᵢ₊₁),
// gae[q] = A(tᵢ₊₁) and miss[q] = M(tᵢ₊₁) for its next decision tᵢ₊₁.
func (b *Buffer) step(i int, gamma, lambda, valueLambda float32) {
	b.gain(i, gamma)
	if !b.Learn[i] {
		return
	}
	p, actor := b.Seats, int(b.Actors[i])
	values := b.Values[i*p : (i+1)*p]
	b.Advantages[i] = 0
	miss := float32(0)
	if b.known[actor] {
		miss = b.tail[actor] - values[0] + gamma*valueLambda*b.miss[actor]
		b.Advantages[i] = b.tail[actor] - values[0] + gamma*lambda*b.gae[actor]
	} else {
		b.Learn[i] = false
	}
	for k := range p {
		q := (actor + k) % p
		b.Returns[i*p+k] = values[k]
		if b.known[q] {
			b.Returns[i*p+k] = b.tail[q] + gamma*valueLambda*b.miss[q]
		}
	}
	b.tail[actor], b.gae[actor], b.miss[actor], b.known[actor] = gamma*values[0], b.Advantages[i], miss, true
}

// gain goes back over what a step has brought, and over the end of an episode after it.
func (b *Buffer) gain(i int, gamma float32) {
	switch b.Ends[i] {
	case Terminated:
		b.restart(true)
	case Truncated:
		b.cut(i, gamma)
	}
	for q, r := range b.Rewards[i*b.Seats : (i+1)*b.Seats] {
		b.tail[q] += r
	}
}

// restart begins at a point after which nothing is gained, or nothing is known.
func (b *Buffer) restart(known bool) {
	clear(b.tail)
	clear(b.gae)
	clear(b.miss)
	for q := range b.known {
		b.known[q] = known
	}
}

// cut starts from the estimates at NextValues[i].
func (b *Buffer) cut(i int, gamma float32) {
	actor := int(b.NextActors[i])
	b.restart(actor >= 0)
	if actor < 0 {
		return
	}
	p := b.Seats
	for k, v := range b.NextValues[i*p : (i+1)*p] {
		b.tail[(actor+k)%p] = v
	}
	b.tail[actor] *= gamma
}

// Samples appends the indices of the decisions to learn from, in order.
func (b *Buffer) Samples(dst []int32) []int32 {
	for i, learn := range b.Learn {
		if learn {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// Shuffle permutes the samples, each order with the same probability (Fisher
// and Yates).
func Shuffle(samples []int32, rng *rand.PCG) {
	for i := len(samples) - 1; i > 0; i-- {
		j := engine.Uint32N(rng, uint32(i+1))
		samples[i], samples[j] = samples[j], samples[i]
	}
}

// Minibatches cuts the samples into as few parts of at most size as possible,
// which differ by one sample at the most: no small last part with a noisy
// gradient.
func Minibatches(samples []int32, size int) [][]int32 {
	if size < 1 {
		panic(fmt.Sprintf("rollout: minibatches of %d", size))
	}
	count := (len(samples) + size - 1) / size
	parts := make([][]int32, count)
	for i := range parts {
		parts[i] = samples[i*len(samples)/count : (i+1)*len(samples)/count]
	}
	return parts
}
