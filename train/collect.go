package train

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
	"powderkeg/train/rollout"
)

// collector plays the environments with the current network and records what
// happens. Its goroutines live no longer than a call.
type collector struct {
	// vec keeps the environments and the goroutines that each act in some of them. The
	// collector steps them itself: an episode that is over stands still until settle has
	// looked at it.
	vec     *vec.Vec
	rollout *rollout.Buffer
	spare   *rollout.Buffer // the other one where one is learned from while another is played (Config.Lag), or nil
	net     *network.Network
	turned  *network.Network // net as it plays, over the same weights: see turn
	critic  *network.Network // ppo.Critic, nil without one
	pool    *league.Pool
	slots   []slot
	workers []*worker
	// scale turns returns into the unit of values, the game's largest return.
	scale float32
	ppo   *ppo.Config // says how the learner chooses
	// skip: forced decisions are played without being recorded (Config.SkipForced).
	skip bool
	// advisers are *learned.Adviser, of which any goroutine takes one.
	advisers sync.Pool
	// archive is nil where no game begins in it; share and reach say how often, and how
	// late, one does in this update.
	archive *archive
	share   float64
	reach   float64
	paired  bool    // league.Config.Paired
	margin  float32 // Config.Margin in this update
}

// The PCG streams of a slot: of the choices made in it, and of its lots.
const (
	choiceStream = 0x63686f696365
	lotStream    = 0x6c6f7473
)

// span is a range of a run's slots.
type span struct{ from, to int }

// newCollector makes a collector of some slots of a run. begin or restore comes before
// collect.
func newCollector(g engine.Game, c Config, own span, net, critic *network.Network, pool *league.Pool) (*collector, error) {
	envs := own.to - own.from
	v, err := vec.New(g, vec.Config{
		Envs: envs, Workers: c.workers(), Autoreset: vec.Disabled, Env: env.Options{MaxDecisions: c.MaxDecisions, Written: true},
	})
	if err != nil {
		return nil, err
	}
	shape, spec := net.Config(), g.Spec()
	k := &collector{
		vec: v, net: net, critic: critic, pool: pool,
		rollout: rollout.New(rollout.Shape{Steps: c.Steps, Envs: envs, Inputs: shape.Inputs, NumActions: shape.Actions, Seats: shape.Seats,
			Others: critic != nil}),
		slots:  make([]slot, envs),
		scale:  1 / max(-spec.MinReturn, spec.MaxReturn),
		ppo:    &c.PPO,
		skip:   c.SkipForced,
		share:  c.Archive.Share,
		reach:  float64(c.Archive.Reach.At(ppo.Clock{})),
		paired: c.League.Paired,
	}
	adviser, err := learned.NewAdviser(g, shape)
	if err != nil {
		return nil, err
	}
	k.advisers.New = func() any {
		a, err := learned.NewAdviser(g, shape)
		if err != nil {
			panic(err) // it could be made before
		}
		return a
	}
	k.advisers.Put(adviser)
	if c.Archive.Share > 0 {
		if k.archive, err = newArchive(g, c.Archive, c.Seed); err != nil {
			return nil, err
		}
	}
	k.assign(c, own.from)
	for i := range k.slots {
		k.slots[i].seen = make([]float32, shape.Inputs)
	}
	k.turn()
	workers := v.Workers()
	for w := range workers {
		from, to := w*envs/workers, (w+1)*envs/workers
		k.workers = append(k.workers, &worker{
			from: from, to: to, work: net.NewWorkspace(to - from),
			rows: make([]int, 0, to-from), seen: make([]kernel.Row, to-from),
			logits: make([]float32, (to-from)*shape.Actions), values: make([]float32, (to-from)*shape.Seats),
			probs: make([]float32, shape.Actions), policies: map[int]agents.Policy{},
		})
		if critic != nil {
			own := k.workers[w]
			own.critic = critic.NewWorkspace(to - from)
			own.whole, own.certain = make([]float32, (to-from)*critic.Config().Inputs), make([]float32, to-from)
		}
	}
	return k, nil
}

// assign makes the slots those of a run from a number on, before they have played.
func (k *collector) assign(c Config, from int) {
	// The games against the pool are spread evenly over the run's slots, since they take
	// some workers longer, and begin on every seat.
	for i := range k.slots {
		n, s := from+i, &k.slots[i]
		*s = slot{seen: s.seen}
		s.rng.Seed(vec.SlotSeed(c.Seed, n), choiceStream)
		s.lots.Seed(vec.SlotSeed(c.Seed, n), lotStream)
		if before := int(c.League.Share * float64(n)); int(c.League.Share*float64(n+1)) > before {
			s.seats, s.turn = make([]int, k.rollout.Seats), uint64(before)
		}
	}
}

// turn makes the network play by its present weights, of which it keeps a second form.
func (k *collector) turn() {
	if k.turned == nil || &k.turned.Weights()[0] != &k.net.Weights()[0] {
		k.turned = k.net.Turned()
		return
	}
	k.turned.Turn()
}

func (k *collector) close() { k.vec.Close() }

// observe writes the decision of slot i into the rollout, as that of a step, if it is the
// learner's. Of others nothing is learned, and they look for themselves.
func (k *collector) observe(step, i int) {
	b := k.rollout
	at := step*b.Envs + i
	e := k.vec.Env(i)
	actor := e.Actor()
	if actor < 0 || !k.slots[i].learner(actor) {
		return
	}
	mask := b.Masks[at*b.NumActions : (at+1)*b.NumActions]
	seen := k.slots[i].seen
	e.Observe(seen, mask)
	b.Obs[at].Set(seen)
	adviser := k.advisers.Get().(*learned.Adviser)
	adviser.MarkNext(mask, e)
	k.advisers.Put(adviser)
	if k.critic == nil {
		return
	}
	for n := range b.Seats - 1 {
		seat := (int(actor) + 1 + n) % b.Seats
		e.ObserveAs(engine.Player(seat), seen)
		b.Others[at*(b.Seats-1)+n].Set(seen)
	}
}

// episodes sums up the games that ended during a rollout.
type episodes struct {
	games, truncated int
	decisions        int
	forced           int       // decisions that were played and not recorded
	returns          []float64 // [P], in the game's unit
	duels            []duel
	spent            Spent // on playing them
}

// duel is a finished game against the pool. It counts when the rollout is over, so that who
// meets whom in a rollout follows from the rates before it.
type duel struct {
	at      int // index of its last step in the rollout
	seats   []int
	returns []float32
}

// add adds the games of other slots. Sums of returns come out the same in any order: they have
// more than twice the digits of a return.
func (e *episodes) add(more episodes) {
	e.games, e.truncated, e.decisions, e.forced = e.games+more.games, e.truncated+more.truncated, e.decisions+more.decisions, e.forced+more.forced
	if e.returns == nil {
		e.returns = make([]float64, len(more.returns))
	}
	for q, r := range more.returns {
		e.returns[q] += r
	}
	e.duels = append(e.duels, more.duels...)
}

// score counts the duels of a rollout, in the order of their ends.
func (e *episodes) score(pool *league.Pool) {
	slices.SortFunc(e.duels, func(a, b duel) int { return cmp.Compare(a.at, b.at) })
	for _, d := range e.duels {
		pool.Record(d.seats, d.returns)
	}
}

// collect fills the rollout, unless ctx ends. Nothing that happens in a slot during a rollout
// touches another one, so that each worker plays all its steps on its own: if all waited for the
// slowest after every step, a player that thinks for long at some decisions would hold up all.
func (k *collector) collect(ctx context.Context) (episodes, error) {
	b := k.rollout
	for i := range b.Envs {
		b.Carry(i)
	}
	k.turn()
	all, stop := context.WithCancel(ctx)
	defer stop()
	start := time.Now()
	k.each(func(w *worker) {
		if !k.play(all, w) {
			stop() // the others need not go on
		}
	})
	e := episodes{returns: make([]float64, b.Seats)}
	for _, w := range k.workers {
		e.add(w.games)
		e.spent.Network += w.asking.Seconds() / float64(len(k.workers))
		e.spent.Play += (w.playing - w.asking).Seconds() / float64(len(k.workers))
	}
	e.spent.Waiting = max(0, time.Since(start).Seconds()-e.spent.Play-e.spent.Network)
	if err := ctx.Err(); err != nil {
		return e, err
	}
	return e, k.faults()
}

// play plays the rollout in the slots of a worker, and reports whether it came to its end: a
// fault in one of them ends it, or ctx.
func (k *collector) play(ctx context.Context, w *worker) bool {
	b := k.rollout
	w.games = episodes{returns: make([]float64, b.Seats)}
	w.asking = 0
	start := time.Now()
	defer func() { w.playing = time.Since(start) }()
	worth := func(t, i int) { k.evaluateEnd(w, t, i) }
	for t := range b.Steps {
		if ctx.Err() != nil {
			return false
		}
		if !k.act(w, t) {
			return false
		}
		for i := w.from; i < w.to; i++ {
			s := &k.slots[i]
			if s.err = k.advance(t, i); s.err == nil {
				k.settle(t, i, &w.games, worth)
			}
			if s.err != nil {
				return false
			}
		}
	}
	k.evaluateNext(w)
	return true
}

// each calls f for every worker, on its own goroutine, and returns when all are
// done.
func (k *collector) each(f func(*worker)) {
	k.vec.Each(func(i, _, _ int) { f(k.workers[i]) })
}

// faults returns the first of those of the last step, and says how many more there are.
func (k *collector) faults() error {
	var first error
	more := 0
	for i := range k.slots {
		switch err := k.slots[i].err; {
		case err == nil:
		case first == nil:
			first = fmt.Errorf("environment %d: %w", i, err)
		default:
			more++
		}
	}
	if more > 0 {
		return fmt.Errorf("%w (and %d more)", first, more)
	}
	return first
}
