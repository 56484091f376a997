package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
)

// drawer is an agent that can say by which probabilities it drew its last
// action (learned.Agent).
type drawer interface {
	Probabilities() []float32
}

// player plays episodes one after another into batches. It belongs to one
// goroutine and allocates nothing once its batches have grown.
type player struct {
	plan   *plan
	env    *env.Env
	seats  []agents.Agent
	drawn  []engine.Action // chance since the last decision
	batch  *Batch
	seed   uint64
	number int64
	most   int // decisions, 0 for any number
	over   error
}

func newPlayer(p *plan) (*player, error) {
	w := &player{plan: p}
	var err error
	if w.env, err = env.New(p.game, env.Options{MaxDecisions: p.config.MaxDecisions,
		Drawn: func(o engine.Action) { w.drawn = append(w.drawn, o) }}); err != nil {
		return nil, err
	}
	if err := w.env.StartFrom(p.config.Start); err != nil {
		return nil, err
	}
	w.seats, err = p.newSeats()
	return w, err
}

// episodeSeed returns the seed of an episode of a dataset. An environment that is
// reset with it and given the episode's actions plays the same game.
func episodeSeed(seed uint64, episode int64) uint64 {
	return uint64(engine.NewHash().Word(seed).Word(uint64(episode)))
}

// play appends an episode to b.
func (w *player) play(ctx context.Context, b *Batch, number int64) error {
	w.batch, w.number, w.seed, w.drawn = b, number, episodeSeed(w.plan.config.Seed, number), w.drawn[:0]
	w.env.Reset(w.seed)
	for p, a := range w.seats {
		a.Start(engine.Player(p), uint64(engine.NewHash().Word(w.seed).Word(uint64(p))))
	}
	if w.env.Terminated() {
		return fmt.Errorf("dataset: episode %d ends by chance before its first decision, so it has no row; start from an earlier position", number)
	}
	first := b.Rows()
	for !w.env.Terminated() && !w.env.Truncated() {
		if w.most > 0 && b.Rows()-first >= w.most {
			return w.over
		}
		if err := w.step(ctx, int32(b.Rows()-first)); err != nil {
			return fmt.Errorf("dataset: episode %d: %w", number, err)
		}
	}
	w.addFinals(first)
	b.Terminated[b.Rows()-1], b.Truncated[b.Rows()-1] = one(w.env.Terminated()), one(w.env.Truncated())
	for range b.Rows() - first {
		b.Returns = append(b.Returns, w.env.Returns()...)
	}
	return nil
}

// addFinals writes for each row of the episode, the first one given, what the actor sees
// at the end, if the row is the actor's last.
func (w *player) addFinals(first int) {
	b := w.batch
	for i := first; i < b.Rows(); i++ {
		if seat := b.Actors[i]; !slices.Contains(b.Actors[i+1:], seat) {
			var final []float32
			b.Finals.Values, final = extend(b.Finals.Values, w.plan.layout.Size)
			w.plan.encoder.Encode(final, w.env.View(engine.Player(seat)), engine.Player(seat))
		}
		b.Finals.end()
	}
}

func one(yes bool) uint8 {
	if yes {
		return 1
	}
	return 0
}

// step plays a decision and writes its row, all but what is known at the end.
func (w *player) step(ctx context.Context, step int32) error {
	b, e, p := w.batch, w.env, w.env.Actor()
	view := e.View(p)
	var obs []float32
	var mask []uint8
	b.Observations, obs = extend(b.Observations, w.plan.layout.Size)
	w.plan.encoder.Encode(obs, view, p)
	b.Masks, mask = extend(b.Masks, len(w.plan.spec.Actions))
	clear(mask)
	for _, a := range e.Legal() {
		mask[a] = 1
	}
	if w.plan.config.Text {
		b.Text = append(b.Text, view.(engine.Teller).Text(p))
	}
	a, err := w.seats[p].Act(ctx, view, e.Legal())
	if err != nil {
		return fmt.Errorf("seat %d: %w", p, err)
	}
	if w.plan.config.Logits {
		w.addLogits(w.seats[p])
	}
	if step == 0 {
		b.Opening.Values = appendMoves(b.Opening.Values, w.drawn)
	}
	w.drawn = w.drawn[:0]
	if err := e.Step(a); err != nil {
		return fmt.Errorf("seat %d: %w", p, err)
	}
	b.Chance.Values = appendMoves(b.Chance.Values, w.drawn)
	b.Opening.end()
	b.Chance.end()
	b.Actions, b.Actors = append(b.Actions, int32(a)), append(b.Actors, int8(p))
	b.Rewards = append(b.Rewards, e.Rewards()...)
	b.Episodes, b.Steps, b.Seeds = append(b.Episodes, w.number), append(b.Steps, step), append(b.Seeds, w.seed)
	b.Terminated, b.Truncated, b.Hashes = append(b.Terminated, 0), append(b.Truncated, 0), append(b.Hashes, e.State().Hash())
	return nil
}

func appendMoves(dst []int32, moves []engine.Action) []int32 {
	for _, m := range moves {
		dst = append(dst, int32(m))
	}
	return dst
}

// addLogits writes the logarithms of the probabilities by which the agent has
// just drawn, or that there are none.
func (w *player) addLogits(a agents.Agent) {
	b := w.batch
	var row []float32
	b.Logits, row = extend(b.Logits, len(w.plan.spec.Actions))
	d, ok := a.(drawer)
	b.HasLogits = append(b.HasLogits, one(ok))
	if !ok {
		for i := range row {
			row[i] = nan
		}
		return
	}
	for i, x := range d.Probabilities() {
		row[i] = float32(math.Log(float64(x)))
	}
}

// nan is one bit pattern, so that files are equal byte for byte.
var nan = float32(math.NaN())
