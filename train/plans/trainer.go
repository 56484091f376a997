package plans

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"powderkeg/agents/network"
	"powderkeg/agents/planner"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/nn"
)

// Trainer is a training under way. It belongs to one goroutine; those that it starts end with
// each call.
type Trainer struct {
	config   Config
	game     engine.Game
	advisers []network.Adviser
	planner  planner.Planner // for its features
	seats    []int           // that learn

	net, values         *network.Network
	mean                *network.Network // of net's weights, nil for none
	adam, valueAdam     *nn.Adam
	players             []*player
	blocks              []block
	updates             int
	choices, games      int64
	gradient, vGradient []float32
	valueTape           *tape
	alone               map[[2]uint64][]float64 // what the planner alone gains in games, by their seed and number
}

// blocks is how many parts an update's games are summed up in, whatever the workers.
const blocks = 64

// New begins a training. Errors wrap option.ErrUsage where they are the caller's.
func New(c Config) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	g, err := env.NewGame(c.Game)
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c, game: g}
	begin, err := c.start(g)
	if err != nil {
		return nil, err
	}
	t.advisers = begin.advisers
	if t.planner, err = planner.New(g, t.advisers); err != nil {
		return nil, err
	}
	arch := network.Config{Inputs: len(t.planner.Features()), Actions: 1, Seats: 1, Hidden: c.Hidden, Activation: network.ReLU}
	for i, net := range []**network.Network{&t.net, &t.values} {
		if *net, err = network.New(arch, rand.NewPCG(c.Seed, initStream+uint64(i))); err != nil {
			return nil, err
		}
		heads := (*net).Layers()[len(c.Hidden)]
		clear(heads.Weight)
	}
	if err := t.begin(begin); err != nil {
		return nil, err
	}
	if c.Average > 0 {
		t.mean = t.net.Clone()
	}
	t.adam, t.valueAdam = nn.NewAdam(arch.NumWeights()), nn.NewAdam(arch.NumWeights())
	// The mean gradient of choices that say next to nothing is far below the usual ε.
	t.adam.Epsilon = 1e-9
	t.gradient, t.vGradient = make([]float32, arch.NumWeights()), make([]float32, arch.NumWeights())
	sides := 1
	if t.seats = c.seats(g.Spec()); c.Alone {
		sides = len(t.seats)
	}
	for range min(blocks, c.Games) {
		t.blocks = append(t.blocks, block{policy: make([]float32, arch.NumWeights()), stats: make([]tally, sides)})
	}
	return t, t.makePlayers()
}

// begin takes over what has been learned before.
func (t *Trainer) begin(s start) error {
	if s.net == nil {
		return nil
	}
	copy(t.net.Weights(), s.net.Weights())
	if len(s.from.Pool) == 0 { // a bot, without its run
		return nil
	}
	return load(t.values, s.from.Pool, valuesPrefix)
}

// player returns the network that is evaluated and saved for play.
func (t *Trainer) player() *network.Network {
	if t.mean != nil {
		return t.mean
	}
	return t.net
}

// load reads a network's weights out of tensors.
func load(net *network.Network, list []checkpoints.Tensor, prefix string) error {
	for _, part := range net.Config().Tensors() {
		tensor, err := checkpoints.Find(list, prefix+part.Name)
		if err == nil {
			err = tensor.Float32s(net.Weights()[part.Offset:part.Offset+part.Size], part.Shape...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// initStream is the PCG stream of the first weights.
const initStream = 0x696e6974

func (t *Trainer) makePlayers() error {
	spec := t.game.Spec()
	others, err := roster.Policies(t.game, "random")
	if t.config.others(spec) {
		others, err = roster.Policies(t.game, t.config.Against)
	}
	if err != nil {
		return err
	}
	for range t.config.workers() {
		p := &player{
			config: &t.config, others: others(), seats: t.seats, width: len(t.planner.Features()),
			largest: float64(max(-spec.MinReturn, spec.MaxReturn)),
		}
		if p.env, err = env.New(t.game, env.Options{}); err != nil {
			return err
		}
		if p.planner, err = planner.New(t.game, t.advisers); err != nil {
			return err
		}
		t.players = append(t.players, p)
	}
	return nil
}

// each lets the workers do n pieces of work.
func (t *Trainer) each(ctx context.Context, n int, work func(p *player, i int) error) error {
	faults := make([]error, len(t.players))
	var next atomic.Int64
	var all sync.WaitGroup
	for w, p := range t.players {
		all.Go(func() {
			defer env.Recover(t.game, &faults[w])
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if faults[w] = ctx.Err(); faults[w] != nil {
					return
				}
				if faults[w] = work(p, i); faults[w] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return cmp.Or(faults...) // they fail alike
}

// Stats describes an update.
type Stats struct {
	// Update counts from 1.
	Update int `json:"update"`
	// Games and Choices are those of all updates so far.
	Games   int64 `json:"games"`
	Choices int64 `json:"choices"`
	// Return is the mean return of the learning seats, which draw among their candidates.
	Return float64 `json:"return"`
	// Departures is the share of the choices that are not the planner's own, Entropy that of
	// the odds, Divergence that from the planner's odds, in nats a choice.
	Departures float64 `json:"departures"`
	Entropy    float64 `json:"entropy"`
	Divergence float64 `json:"divergence"`
	// Explained is the share of the variance of the returns that the values explained before
	// they learned from these games, Late that in the last fifth of each game.
	Explained float64 `json:"explained"`
	Late      float64 `json:"explained_late"`
	// Norm is that of the policy's gradient, a choice.
	Norm float64 `json:"gradient_norm"`
	// Best and Alone are the mean returns of the best candidates, with the network and without, in the
	// same games; Error is half of the 95% interval of their difference. All are nil between
	// evaluations.
	Best  *float64 `json:"best,omitempty"`
	Alone *float64 `json:"planner,omitempty"`
	Error *float64 `json:"error,omitempty"`
	// Seats has the same of each learning seat by itself where a game has only one: the mean of
	// two sides hides one that loses, and which side it is explains most of what a game comes to.
	Seats []SeatStats `json:"seats,omitempty"`
	// Seconds is what the update took, the evaluation left out.
	Seconds float64 `json:"seconds"`
}

// SeatStats describes an update's games of one learning seat, as Stats does. Of a seat without a
// game the numbers are zeros.
type SeatStats struct {
	Seat       int      `json:"seat"`
	Games      int      `json:"games"` // of this update
	Return     float64  `json:"return"`
	Departures float64  `json:"departures"`
	Divergence float64  `json:"divergence"`
	Explained  float64  `json:"explained"`
	Late       float64  `json:"explained_late"`
	Best       *float64 `json:"best,omitempty"`
	Alone      *float64 `json:"planner,omitempty"`
	Error      *float64 `json:"error,omitempty"`
}

// Update plays the games of an update and learns from them. One that ctx ends leaves the trainer
// as it was.
func (t *Trainer) Update(ctx context.Context) (Stats, error) {
	c := &t.config
	seed := uint64(engine.NewHash().Word(c.Seed).Word(uint64(t.updates)))
	frozen := t.net.Clone().Frozen()
	for i := range t.blocks {
		b := &t.blocks[i]
		clear(b.policy)
		b.moments, b.results = b.moments[:0], b.results[:0]
		clear(b.stats)
	}
	for _, p := range t.players {
		p.policy = planner.NewPolicy(p.planner, frozen, c.Temperature)
	}
	err := t.each(ctx, len(t.blocks), func(p *player, i int) error {
		b := &t.blocks[i]
		p.tape, p.valueTape = p.tape.on(t.net, b.policy), p.valueTape.on(t.values, nil)
		for n := i * c.Games / len(t.blocks); n < (i+1)*c.Games/len(t.blocks); n++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := p.learn(seed+uint64(n), n, b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Stats{}, err
	}
	return t.step(), nil
}

// step takes a step along the sum of the blocks.
func (t *Trainer) step() Stats {
	c := &t.config
	all, sides := tally{}, make([]tally, len(t.blocks[0].stats))
	clear(t.gradient)
	for i := range t.blocks {
		b := &t.blocks[i]
		for side := range b.stats {
			all.add(&b.stats[side])
			sides[side].add(&b.stats[side])
		}
		for k, v := range b.policy {
			t.gradient[k] += v
		}
	}
	for k := range t.gradient {
		t.gradient[k] /= float32(max(all.Learned, 1))
	}
	fall := 1 - 0.9*float64(t.updates)/float64(c.Updates)
	norm := t.adam.Update(t.net.Weights(), t.gradient, float32(c.Rate*fall), 0)
	t.learnValues(float32(c.ValueRate * fall))
	t.updates++
	if t.mean != nil {
		nn.Follow(t.mean.Weights(), t.net.Weights(), c.Average, int64(t.updates))
	}
	t.games += int64(all.Games)
	t.choices += int64(all.Choices)
	whole := all.describe(0)
	s := Stats{
		Update: t.updates, Games: t.games, Choices: t.choices, Return: whole.Return, Departures: whole.Departures,
		Entropy: all.Entropy / float64(max(all.Learned, 1)), Divergence: whole.Divergence, Explained: whole.Explained, Late: whole.Late, Norm: norm,
	}
	if c.Alone {
		for i, seat := range t.seats {
			s.Seats = append(s.Seats, sides[i].describe(seat))
		}
	}
	return s
}

// describe sums a tally up, as that of a seat.
func (t *tally) describe(seat int) SeatStats {
	return SeatStats{
		Seat: seat, Games: t.Games, Return: t.Return / float64(max(t.Games, 1)),
		Departures: float64(t.Departures) / float64(max(t.Choices, 1)), Divergence: t.Divergence / float64(max(t.Learned, 1)),
		Explained: explained(t.Error, t.Spread, t.Sum, t.Count), Late: explained(t.LateError, t.LateSpread, t.LateSum, t.LateCount),
	}
}

// valueBatch is how many moments a step of the values learns from, and valueEpochs how often they
// go over those of an update, which are of games that they have not seen before.
const (
	valueBatch  = 512
	valueEpochs = 2
)

// learnValues lets the values learn from the moments of the update.
func (t *Trainer) learnValues(rate float32) {
	type moment struct{ block, number int }
	var all []moment
	for i := range t.blocks {
		for k := range t.blocks[i].results {
			all = append(all, moment{i, k})
		}
	}
	width := t.values.Config().Inputs
	t.valueTape = t.valueTape.on(t.values, t.vGradient)
	rng := rand.New(rand.NewPCG(t.config.Seed, valueStream+uint64(t.updates)))
	x, slope := make([]float32, 0, valueBatch*width), make([]float32, 2*valueBatch)
	for range valueEpochs {
		rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		for rest := all; len(rest) > 0; {
			n := min(valueBatch, len(rest))
			x = x[:0]
			for _, m := range rest[:n] {
				x = append(x, t.blocks[m.block].moments[m.number*width:(m.number+1)*width]...)
			}
			out := t.valueTape.forward(x, n)
			for i, m := range rest[:n] {
				slope[2*i+1] = 2 * (out[2*i+1] - t.blocks[m.block].results[m.number]) / float32(n)
			}
			clear(t.vGradient)
			t.valueTape.backward(x, slope[:2*n], n)
			t.valueAdam.Update(t.values.Weights(), t.vGradient, rate, 1)
			rest = rest[n:]
		}
	}
}

// valueStream is the PCG stream of the order of moments.
const valueStream = 0x76616c7565

// Comparison sets the best candidates with the network beside the planner by itself, in the
// same games.
type Comparison struct {
	Games int `json:"games"`
	// Found and Start are the mean returns with the network and without, with half of their
	// 95% intervals, Gain the mean difference with its own.
	Found      float64 `json:"found"`
	FoundError float64 `json:"found_error"`
	Start      float64 `json:"start"`
	StartError float64 `json:"start_error"`
	Gain       float64 `json:"gain"`
	GainError  float64 `json:"gain_error"`
	// Seats has the same of each learning seat by itself where a game has only one.
	Seats []SeatComparison `json:"seats,omitempty"`
}

// SeatComparison is a Comparison of the games of one learning seat.
type SeatComparison struct {
	Seat int `json:"seat"`
	Comparison
}

// closingSeeds and evalSeeds keep the games of Compare apart from those of learning.
const (
	closingSeeds = 1 << 62
	evalSeeds    = 1 << 61
)

// Compare plays n games from a seed on.
func (t *Trainer) Compare(ctx context.Context, n int, from uint64) (*Comparison, error) {
	frozen := t.player().Clone().Frozen()
	with, without := make([]*planner.Policy, len(t.players)), make([]*planner.Policy, len(t.players))
	at := map[*player]int{}
	for i, p := range t.players {
		at[p] = i
		with[i], without[i] = planner.NewPolicy(p.planner, frozen, 0), planner.NewPolicy(p.planner, nil, 0)
	}
	gains := make([]float64, 2*n)
	todo := 2 * n
	key := [2]uint64{from, uint64(n)}
	if known, ok := t.alone[key]; ok {
		copy(gains[n:], known)
		todo = n
	}
	err := t.each(ctx, todo, func(p *player, i int) (err error) {
		policy := with[at[p]]
		if i >= n {
			policy = without[at[p]]
		}
		gains[i], err = p.evaluate(from+t.config.Seed<<40+uint64(i%n), i%n, policy)
		return err
	})
	if err != nil {
		return nil, err
	}
	if todo > n {
		if t.alone == nil {
			t.alone = map[[2]uint64][]float64{}
		}
		t.alone[key] = slices.Clone(gains[n:])
	}
	c := compare(gains[:n], gains[n:], 0, 1)
	if t.config.Alone {
		for i, seat := range t.seats {
			c.Seats = append(c.Seats, SeatComparison{seat, compare(gains[:n], gains[n:], i, len(t.seats))})
		}
	}
	return &c, nil
}

// compare compares the gains of every so many games from one on.
func compare(found, start []float64, from, every int) (c Comparison) {
	var with, without, gains []float64
	for i := from; i < len(found); i += every {
		with, without, gains = append(with, found[i]), append(without, start[i]), append(gains, found[i]-start[i])
	}
	c.Games = len(gains)
	c.Found, c.FoundError = mean(with)
	c.Start, c.StartError = mean(without)
	c.Gain, c.GainError = mean(gains)
	return c
}

// mean returns the mean and half of its 95% interval.
func mean(x []float64) (mean, half float64) {
	n := float64(max(len(x), 1))
	for _, v := range x {
		mean += v / n
	}
	squares := 0.0
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, 1.96 * math.Sqrt(squares/max(n-1, 1)/n)
}

// policyPrefix, valuesPrefix and learnerPrefix begin the names of the tensors of either network,
// and of the weights that learn where their mean is the player.
const (
	policyPrefix  = "policy."
	valuesPrefix  = "values."
	learnerPrefix = "learner."
)

// Checkpoint returns the trainer between two updates.
func (t *Trainer) Checkpoint() (*checkpoints.Checkpoint, error) {
	c, err := planner.Checkpoint(t.game, t.planner, planner.Config{Advisers: t.advisers}, t.player())
	if err != nil {
		return nil, err
	}
	c.Manifest.Updates, c.Manifest.Decisions, c.Manifest.Games = int64(t.updates), t.choices, t.games
	c.Optimiser = append(renamed(policyPrefix, t.adam.Tensors()), renamed(valuesPrefix, t.valueAdam.Tensors())...)
	c.Pool = renamed(valuesPrefix, t.values.Tensors())
	if t.mean != nil {
		c.Pool = append(c.Pool, renamed(learnerPrefix, t.net.Tensors())...)
	}
	return c, nil
}

func renamed(prefix string, list []checkpoints.Tensor) []checkpoints.Tensor {
	for i := range list {
		list[i].Name = prefix + list[i].Name
	}
	return list
}

// restore goes on from a checkpoint of a trainer with the same config.
func (t *Trainer) restore(c *checkpoints.Checkpoint) error {
	if err := load(t.player(), c.Weights, ""); err != nil {
		return err
	}
	if t.mean != nil {
		if err := load(t.net, c.Pool, learnerPrefix); err != nil {
			return err
		}
	}
	if err := load(t.values, c.Pool, valuesPrefix); err != nil {
		return err
	}
	for prefix, adam := range map[string]*nn.Adam{policyPrefix: t.adam, valuesPrefix: t.valueAdam} {
		var own []checkpoints.Tensor
		for _, tensor := range c.Optimiser {
			if name, ok := cut(tensor.Name, prefix); ok {
				tensor.Name = name
				own = append(own, tensor)
			}
		}
		if err := adam.Restore(own); err != nil {
			return fmt.Errorf("plans: %w", err)
		}
	}
	t.updates, t.choices, t.games = int(c.Manifest.Updates), c.Manifest.Decisions, c.Manifest.Games
	return nil
}

func cut(name, prefix string) (string, bool) {
	if len(name) < len(prefix) || name[:len(prefix)] != prefix {
		return "", false
	}
	return name[len(prefix):], true
}
