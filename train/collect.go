package train

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
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
	vec     *vec.Vec
	buffers *vec.Buffers // whose slices point into the rollout
	actions []engine.Action
	rollout *rollout.Buffer
	net     *network.Network
	pool    *league.Pool
	slots   []slot
	workers []*worker
	// lesson: the teacher answers in the learner's decisions (Lessons).
	lesson bool
	// scale turns returns into the unit of values, the game's largest return.
	scale float32
	ppo   *ppo.Config // says how the learner chooses
}

// slot is what the collector knows of an environment.
type slot struct {
	rng rand.PCG // of the choices made in it
	// turn counts the games against the pool, seats says who holds which seat of the
	// present one (league.Pool.Seat). Both are unused where the learner plays itself:
	// seats is nil.
	turn  uint64
	seats []int
	// penalty is that of the choice in this step (ppo.Choice).
	penalty float32
}

// learner reports whether the learner holds a seat of the present game.
func (s *slot) learner(seat engine.Player) bool {
	return s.seats == nil || s.seats[seat] == league.Learner
}

// next is who decides next as the rollout wants to know it.
func (s *slot) next(actor engine.Player) engine.Player {
	if s.learner(actor) {
		return actor
	}
	return rollout.Opponent
}

// worker acts in a range of slots.
type worker struct {
	from, to int
	work     *network.Workspace
	rows     []int     // slots in which the learner decides, from 0
	obs      []float32 // [to-from × D], their observations
	logits   []float32 // [to-from × A]
	values   []float32 // [to-from × P]
	probs    []float32 // [A]
	policies map[int]agents.Policy
	teacher  agents.Policy // nil without lessons
}

// choiceStream is the PCG stream of the choices in a slot.
const choiceStream = 0x63686f696365

// newCollector makes a collector. begin or restore comes before collect.
func newCollector(g engine.Game, c Config, net *network.Network, pool *league.Pool) (*collector, error) {
	v, err := vec.New(g, vec.Config{Envs: c.Envs, Workers: c.workers(), Autoreset: vec.SameStep, Env: env.Options{MaxDecisions: c.MaxDecisions}})
	if err != nil {
		return nil, err
	}
	shape, spec := net.Config(), g.Spec()
	k := &collector{
		vec: v, buffers: v.NewBuffers(c.Envs), actions: make([]engine.Action, c.Envs), net: net, pool: pool,
		rollout: rollout.New(rollout.Shape{Steps: c.Steps, Envs: c.Envs, Inputs: shape.Inputs, NumActions: shape.Actions, Seats: shape.Seats}),
		slots:   make([]slot, c.Envs),
		scale:   1 / max(-spec.MinReturn, spec.MaxReturn),
		ppo:     &c.PPO,
	}
	for i := range k.slots {
		k.slots[i].rng.Seed(vec.SlotSeed(c.Seed, i), choiceStream)
	}
	// The games against the pool are spread evenly over the slots, since they take
	// some workers longer, and begin on every seat.
	for i, turn := 0, uint64(0); i < c.Envs; i++ {
		if int(c.League.Share*float64(i+1)) > int(c.League.Share*float64(i)) {
			k.slots[i].seats = make([]int, spec.Seats)
			k.slots[i].turn = turn
			turn++
		}
	}
	var newTeacher func() agents.Policy
	if c.Lessons.Updates > 0 {
		if newTeacher, err = roster.Policies(g, c.Lessons.Teacher); err != nil {
			return nil, err
		}
	}
	workers := v.Workers()
	for w := range workers {
		from, to := w*c.Envs/workers, (w+1)*c.Envs/workers
		k.workers = append(k.workers, &worker{
			from: from, to: to, work: net.NewWorkspace(to - from),
			rows: make([]int, 0, to-from), obs: make([]float32, (to-from)*shape.Inputs),
			logits: make([]float32, (to-from)*shape.Actions), values: make([]float32, (to-from)*shape.Seats),
			probs: make([]float32, shape.Actions), policies: map[int]agents.Policy{},
		})
		if newTeacher != nil {
			k.workers[w].teacher = newTeacher()
		}
	}
	return k, nil
}

func (k *collector) close() { k.vec.Close() }

// begin starts the first episode everywhere.
func (k *collector) begin(seed uint64) {
	k.show(k.rollout.Steps)
	k.vec.Reset(seed, k.buffers)
	for i := range k.slots {
		k.seat(&k.slots[i])
	}
}

// seat draws who plays the next game of a slot.
func (k *collector) seat(s *slot) {
	if s.seats != nil {
		k.pool.Seat(s.seats, s.turn, &s.rng)
		s.turn++
	}
}

// show makes the environments write the decisions of a step into the rollout.
func (k *collector) show(step int) {
	b, n := k.rollout, k.rollout.Envs
	k.buffers.Observations = b.Obs[step*n*b.Inputs : (step+1)*n*b.Inputs]
	k.buffers.Masks = b.Masks[step*n*b.NumActions : (step+1)*n*b.NumActions]
}

// episodes sums up the games that ended during a rollout.
type episodes struct {
	games, truncated int
	decisions        int
	returns          []float64 // [P], in the game's unit
}

// collect fills the rollout.
func (k *collector) collect() (episodes, error) {
	b, n := k.rollout, k.rollout.Envs
	e := episodes{returns: make([]float64, b.Seats)}
	copy(b.Obs, b.Obs[b.Steps*n*b.Inputs:])
	copy(b.Masks, b.Masks[b.Steps*n*b.NumActions:])
	for t := range b.Steps {
		k.each(func(w *worker) { k.act(w, t) })
		k.show(t + 1)
		k.buffers.Rewards = b.Rewards[t*n*b.Seats : (t+1)*n*b.Seats]
		if err := k.vec.Step(k.actions, k.buffers); err != nil {
			return e, err
		}
		for i := range n {
			k.settle(t, i, &e)
		}
	}
	k.each(func(w *worker) { k.evaluateNext(w) })
	return e, nil
}

// each calls f for every worker, on its own goroutine, and returns when all are
// done.
func (k *collector) each(f func(*worker)) {
	k.vec.Each(func(i, _, _ int) { f(k.workers[i]) })
}

// act records the decisions of a worker's slots and chooses actions. The network
// looks at the learner's own alone.
func (k *collector) act(w *worker, t int) {
	b := k.rollout
	base := t * b.Envs
	w.rows = w.rows[:0]
	for i := w.from; i < w.to; i++ {
		s, actor := &k.slots[i], k.buffers.Actors[i]
		at := base + i
		b.Actors[at] = actor
		if b.Learn[at] = s.learner(actor); b.Learn[at] {
			w.rows = append(w.rows, i)
			continue
		}
		e := k.vec.Env(i)
		b.Actions[at] = w.policy(k.pool, s.seats[actor]).Choose(e.View(actor), actor, e.Legal(), &s.rng)
		k.actions[i], b.Taught[at] = b.Actions[at], false
	}
	n, d, p := len(w.rows), b.Inputs, b.Seats
	if n == 0 {
		return
	}
	obs := b.Obs[(base+w.from)*d : (base+w.to)*d]
	if n < w.to-w.from {
		obs = w.obs[:n*d]
		for row, i := range w.rows {
			copy(obs[row*d:(row+1)*d], b.Obs[(base+i)*d:])
		}
	}
	k.net.Forward(w.work, obs, w.logits[:n*b.NumActions], w.values[:n*p])
	for row, i := range w.rows {
		copy(b.Values[(base+i)*p:(base+i+1)*p], w.values[row*p:])
		k.decide(w, i, base+i, w.logits[row*b.NumActions:(row+1)*b.NumActions])
	}
}

// decide records a decision of the learner in slot i, whose logits are given, and
// what is played there: as a rule the action that is drawn, but in lessons the
// teacher's answer is what is learned, and in every other slot it is played too.
func (k *collector) decide(w *worker, i, at int, logits []float32) {
	b, s, e := k.rollout, &k.slots[i], k.vec.Env(i)
	choice := k.ppo.Choose(w.probs, logits, b.Masks[at*b.NumActions:(at+1)*b.NumActions], e.Legal(), &s.rng)
	k.actions[i], s.penalty = choice.Played, choice.Penalty
	b.Actions[at], b.Taught[at] = choice.Drawn, k.lesson
	if k.lesson {
		actor := b.Actors[at]
		b.Actions[at] = w.teacher.Choose(e.View(actor), actor, e.Legal(), &s.rng)
		if i%2 == 0 {
			k.actions[i] = b.Actions[at]
		}
	}
	b.LogProbs[at] = logits[b.Actions[at]] - choice.Normaliser
	copy(b.Logits[at*b.NumActions:], logits)
}

// policy returns the worker's own player for a member of the pool.
func (w *worker) policy(pool *league.Pool, id int) agents.Policy {
	p, ok := w.policies[id]
	if !ok {
		p = pool.Member(id).NewPolicy()
		w.policies[id] = p
	}
	return p
}

// settle records how a step ended.
func (k *collector) settle(t, i int, e *episodes) {
	b, v := k.rollout, k.buffers
	at := t*b.Envs + i
	for q := range b.Seats {
		b.Rewards[at*b.Seats+q] *= k.scale
	}
	b.Rewards[at*b.Seats+int(b.Actors[at])] -= k.slots[i].penalty
	k.slots[i].penalty = 0
	b.Ends[at] = rollout.Running
	if v.Terminated[i] == 0 && v.Truncated[i] == 0 {
		return
	}
	b.Ends[at] = rollout.Terminated
	if v.Truncated[i] != 0 {
		b.Ends[at] = rollout.Truncated
		b.NextActors[at] = k.slots[i].next(v.FinalActors[i])
		if b.NextActors[at] != rollout.Opponent {
			w := k.workers[0]
			k.net.Forward(w.work, v.Final[i*b.Inputs:(i+1)*b.Inputs], w.logits[:b.NumActions], b.NextValues[at*b.Seats:(at+1)*b.Seats])
		}
		e.truncated++
	}
	returns := v.Returns[i*b.Seats : (i+1)*b.Seats]
	e.games++
	e.decisions += int(v.Lengths[i])
	for q, r := range returns {
		e.returns[q] += float64(r)
	}
	if s := &k.slots[i]; s.seats != nil {
		if v.Terminated[i] != 0 { // an unfinished game has no winner
			k.pool.Record(s.seats, returns)
		}
		k.seat(s)
	}
}

// evaluateNext estimates what follows the last step.
func (k *collector) evaluateNext(w *worker) {
	b := k.rollout
	base := b.Steps * b.Envs
	k.net.Forward(w.work, b.Obs[(base+w.from)*b.Inputs:(base+w.to)*b.Inputs], w.logits, w.values)
	copy(b.NextValues[(base+w.from)*b.Seats:], w.values)
	for i := w.from; i < w.to; i++ {
		b.NextActors[base+i] = k.slots[i].next(k.buffers.Actors[i])
	}
}

// forget drops the pool's members that nobody plays against any more.
func (k *collector) forget() {
	inUse := map[int]bool{}
	for i := range k.slots {
		for _, id := range k.slots[i].seats {
			inUse[id] = true
		}
	}
	k.pool.Forget(inUse)
	for _, w := range k.workers {
		for id := range w.policies {
			if k.pool.Member(id) == nil {
				delete(w.policies, id)
			}
		}
	}
}
