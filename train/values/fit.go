package values

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"powderkeg/agents/network"
	"powderkeg/train/luck"
)

// Learning says how a network learns values from a store.
type Learning struct {
	// Games is how many of the store's games there are to learn from, 0 for all. Those that are
	// held out are the same whatever it is.
	Games int
	// Hidden are the widths of the hidden layers, the first a multiple of 16.
	Hidden []int
	// Epochs is how often all moments are seen at most, Batch how many are learned from at a time.
	// Rate is the learning rate at its highest, Decay how much of the weights a step takes away,
	// in units of the rate (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
	Epochs int
	Batch  int
	Rate   float64
	Decay  float64
	// Lambda is the weight of what came later in a game against the network's own values at the
	// next moment that was kept (R. Sutton, "Learning to predict by the methods of temporal
	// differences", 1988); 1 is the result alone. Below 1 it counts from the second epoch on.
	Lambda float64
	// Corrected takes the luck of later moments out of what is learned, by the network's own
	// values: targets have the same mean and less variance.
	Corrected bool
	// Differences is how much more what came at an event of chance counts against what might
	// have: the variance of corrected results is a sum of just that.
	Differences float64
	Seed        uint64
	// Workers is how many share the work; the result does not depend on it.
	Workers int
	// Progress, if not nil, is called after every epoch.
	Progress func(Figures)
}

// DefaultLearning returns the learning of report 0032, where no other setting did clearly better.
func DefaultLearning() Learning {
	return Learning{
		Hidden: []int{128, 64}, Epochs: 6, Batch: 1024, Rate: 1e-3, Decay: 3e-2,
		Lambda: 1, Corrected: true, Differences: 0, Seed: 1, Workers: 1,
	}
}

// Validate reports what is wrong.
func (l Learning) Validate() error {
	switch {
	case len(l.Hidden) == 0 || l.Hidden[0] < 1 || l.Hidden[0]%hiddenUnit != 0:
		return fmt.Errorf("values: hidden layers of %v units; there must be one, and the first a multiple of %d", l.Hidden, hiddenUnit)
	case l.Epochs < 1 || l.Batch < 1 || l.Games < 0:
		return fmt.Errorf("values: %d epochs of batches of %d of %d games, want at least 1, 1 and 0", l.Epochs, l.Batch, l.Games)
	case !(l.Rate > 0 && l.Rate <= 1) || !(l.Decay >= 0 && l.Decay <= 1) ||
		!(l.Lambda >= 0 && l.Lambda <= 1) || !(l.Differences >= 0 && l.Differences <= 1e3):
		return fmt.Errorf("values: rate %v, decay %v, lambda %v, differences %v; want them in (0, 1], [0, 1], [0, 1], [0, 1000]",
			l.Rate, l.Decay, l.Lambda, l.Differences)
	}
	return nil
}

// Figures say what a network knows of games that it has not learned from.
type Figures struct {
	Games int     `json:"games"` // that it learned from
	Epoch int     `json:"epoch"` // from 1 on
	Loss  float64 `json:"loss"`  // mean square of values less results at all moments, in units of the largest return
	// Explained is the share of the variance of results that values at decisions explain, ByPhase
	// the same by fifths of the game.
	Explained float64   `json:"explained"`
	ByPhase   []float64 `json:"explained_by_phase"`
	// Share is the share of the luck to take out, as half of the games that are held out say, and
	// Factor the luck factor with it, estimated from the kept moments of the other half.
	Share  float64 `json:"share"`
	Factor float64 `json:"factor"`
}

// heldOut is how many parts games fall into, by their numbers, of which one stops the learning
// and one says how much of the luck to take out.
const heldOut = 20

type split int

const (
	taught split = iota
	stopping
	sharing
)

func (s *Store) split(game int) split {
	switch game / s.Head.Seats % heldOut {
	case 0:
		return stopping
	case 1:
		return sharing
	}
	return taught
}

// pupil learns from a store.
type pupil struct {
	Learning
	store   *Store
	net     *net
	all     []int32   // moments to learn from
	held    []int32   // moments of games that are held out
	targets []float32 // [len(all), seats]
}

// Fit lets a network learn and returns it as it was after its best epoch, with what it knows
// then.
func Fit(ctx context.Context, s *Store, l Learning) (*network.Network, Figures, error) {
	if err := l.Validate(); err != nil {
		return nil, Figures{}, err
	}
	shape := network.Config{Inputs: s.Head.Inputs, Actions: 1, Seats: s.Head.Seats, Hidden: l.Hidden, Activation: network.ReLU}
	n, err := newNet(shape, l.Seed, l.Workers)
	if err != nil {
		return nil, Figures{}, err
	}
	p := &pupil{Learning: l, store: s, net: n}
	games := p.choose()
	if len(p.all) == 0 || len(p.held) == 0 {
		return nil, Figures{}, errors.New("values: too few games: none to learn from or none to hold out")
	}
	var best Figures
	var kept []float32
	for epoch := range l.Epochs {
		p.aim(epoch > 0)
		if err := p.epoch(ctx, epoch); err != nil {
			return nil, Figures{}, err
		}
		f := p.measure()
		f.Games, f.Epoch = games, epoch+1
		if l.Progress != nil {
			l.Progress(f)
		}
		if kept == nil || f.Loss < best.Loss {
			best, kept = f, append(kept[:0], n.flat...)
		}
	}
	copy(n.flat, kept)
	return n.network(), best, nil
}

// choose sets apart what is held out, and returns how many games there are to learn from.
func (p *pupil) choose() (games int) {
	for i, g := range p.store.games {
		to := &p.held
		if p.store.split(i) == taught {
			if p.Games > 0 && games >= p.Games {
				continue
			}
			games++
			to = &p.all
		}
		for k := range g.moments {
			*to = append(*to, int32(g.first+k))
		}
	}
	p.targets = make([]float32, len(p.all)*p.store.Head.Seats)
	return games
}

// aim sets what the moments are to be worth: the results, or what the network makes of them.
func (p *pupil) aim(own bool) {
	seats := p.store.Head.Seats
	own = own && (p.Lambda < 1 || p.Corrected)
	if !own {
		for i, m := range p.all {
			copy(p.targets[i*seats:], p.store.games[p.store.moments[m].game].returns)
		}
		return
	}
	before, lucky := make([]float32, len(p.targets)), make([]float32, len(p.targets))
	p.net.run(p.store, p.all, false, func(_ int, m *listed, told, _ []float32) {
		b, l := before[m.number*seats:][:seats], lucky[m.number*seats:][:seats]
		m.mean(b, told)
		if len(m.outcomes) > 0 {
			for j, v := range told[m.came*seats:][:seats] {
				l[j] = v - b[j]
			}
		}
	})
	lambda := float32(p.Lambda)
	for i := len(p.all) - 1; i >= 0; i-- {
		game := p.store.moments[p.all[i]].game
		target := p.targets[i*seats:][:seats]
		if i == len(p.all)-1 || p.store.moments[p.all[i+1]].game != game {
			copy(target, p.store.games[game].returns)
			continue
		}
		for j := range target {
			k := (i+1)*seats + j
			later := p.targets[k]
			if p.Corrected {
				later -= lucky[k]
			}
			target[j] = lambda*later + (1-lambda)*before[k]
		}
	}
}

// mean writes what a moment is worth before chance, of any other what it is worth.
func (m *listed) mean(dst, told []float32) {
	if len(m.outcomes) == 0 {
		copy(dst, told)
		return
	}
	clear(dst)
	for i, o := range m.outcomes {
		for j := range dst {
			dst[j] += o.p * told[i*len(dst)+j]
		}
	}
}

// epoch learns from all moments once, in an order of its own.
func (p *pupil) epoch(ctx context.Context, epoch int) error {
	order := make([]int32, len(p.all))
	for i, at := range rand.New(rand.NewPCG(p.Seed, uint64(epoch))).Perm(len(p.all)) {
		order[i] = int32(at)
	}
	seats := p.store.Head.Seats
	steps := (len(order) + p.Batch - 1) / p.Batch
	batch := make([]int32, 0, p.Batch)
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		chosen := order[step*p.Batch : min((step+1)*p.Batch, len(order))]
		batch = batch[:0]
		for _, i := range chosen {
			batch = append(batch, p.all[i])
		}
		scale := 2 / float32(len(chosen)*seats)
		p.net.run(p.store, batch, true, func(_ int, m *listed, told, wrong []float32) {
			p.grade(m, p.targets[int(chosen[m.number])*seats:][:seats], told, wrong, scale)
		})
		p.net.step(float32(p.Rate*p.pace(float64(epoch*steps+step)/float64(p.Epochs*steps))), float32(p.Decay))
	}
	return nil
}

// pace is the share of the rate at a part of the way: it rises quickly and falls to 0 slowly.
func (p *pupil) pace(at float64) float64 {
	const warm = 0.05
	if at < warm {
		return (at + 0.01) / (warm + 0.01)
	}
	return (1 + math.Cos(math.Pi*(at-warm)/(1-warm))) / 2
}

// grade writes the gradients of the loss by what was told of a moment. At an event of chance it
// is (v_came - y)², and Differences times the same as far as it is that of v_came less the mean
// of all v.
func (p *pupil) grade(m *listed, target, told, wrong []float32, scale float32) {
	seats := len(target)
	d := float32(p.Differences)
	for j, y := range target {
		e := scale * (told[m.came*seats+j] - y)
		wrong[m.came*seats+j] += e * (1 + d)
		if d > 0 {
			for i, o := range m.outcomes {
				wrong[i*seats+j] -= e * d * o.p
			}
		}
	}
}

// known adds up what is known of games that are held out.
type known struct {
	loss, rows float64
	missed     [luck.Phases]float64
	spread     [luck.Phases]float64
	// of each of two parts: luck times what it explains, and its square
	common, square [2]float64
}

// measure says what the network knows of the games that are held out.
func (p *pupil) measure() Figures {
	seats := p.store.Head.Seats
	mean := make([]float64, seats)
	variance, games := [2]float64{}, [2]float64{}
	each := func(f func(game int, half split)) {
		for i := range p.store.games {
			if s := p.store.split(i); s != taught {
				f(i, s-stopping)
			}
		}
	}
	all := 0.0
	each(func(i int, half split) {
		all++
		for j, x := range p.store.games[i].returns {
			mean[j] += float64(x)
		}
	})
	for j := range mean {
		mean[j] /= all
	}
	each(func(i int, half split) {
		games[half]++
		for j, x := range p.store.games[i].returns {
			variance[half] += (float64(x) - mean[j]) * (float64(x) - mean[j])
		}
	})
	var sums [parts]known
	p.net.run(p.store, p.held, false, func(part int, m *listed, told, _ []float32) {
		k := &sums[part]
		game := int(p.store.moments[p.held[m.number]].game)
		g := &p.store.games[game]
		half := p.store.split(game) - stopping
		came := told[m.came*seats:][:seats]
		before := make([]float32, seats)
		m.mean(before, told)
		for j, x := range g.returns {
			y := float64(x)
			e := float64(came[j]) - y
			if half == 0 {
				k.loss += e * e
				k.rows++
			}
			if len(m.outcomes) == 0 {
				phase := min(luck.Phases-1, m.ply*luck.Phases/max(1, g.plies))
				k.missed[phase] += e * e
				k.spread[phase] += (y - mean[j]) * (y - mean[j])
				continue
			}
			c := float64(came[j] - before[j])
			weight := float64(g.chance) / float64(g.events)
			k.common[half] += weight * (y - float64(before[j])) * c
			k.square[half] += weight * c * c
		}
	})
	return sumUp(sums[:], variance)
}

func sumUp(sums []known, variance [2]float64) Figures {
	var k known
	for i := range sums {
		s := &sums[i]
		k.loss += s.loss
		k.rows += s.rows
		for j := range k.missed {
			k.missed[j] += s.missed[j]
			k.spread[j] += s.spread[j]
		}
		for j := range k.common {
			k.common[j] += s.common[j]
			k.square[j] += s.square[j]
		}
	}
	f := Figures{Loss: k.loss / max(1, k.rows), Factor: 1}
	var missed, spread float64
	for j := range k.missed {
		f.ByPhase = append(f.ByPhase, explained(k.missed[j], k.spread[j]))
		missed, spread = missed+k.missed[j], spread+k.spread[j]
	}
	f.Explained = explained(missed, spread)
	if k.square[1] > 0 {
		f.Share = min(1, max(0, k.common[1]/k.square[1]))
	}
	if left := variance[0] - 2*f.Share*k.common[0] + f.Share*f.Share*k.square[0]; variance[0] > 0 {
		f.Factor = variance[0] / max(left, variance[0]/1e3)
	}
	return f
}

func explained(missed, spread float64) float64 {
	if spread == 0 {
		return 0
	}
	return 1 - missed/spread
}
