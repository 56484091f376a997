package lessons

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/nn"
)

// Setup is what a course needs besides its Config.
type Setup struct {
	Game engine.Game
	// Network is taught, and nobody else writes to it during the course.
	Network *network.Network
	// Seed decides the games, their order and that of the minibatches.
	Seed uint64
	// Rows is how many decisions an update learns from.
	Rows int
	// Workers is how many goroutines play; the result does not depend on it.
	Workers int
	// ValueCoef weighs the value loss against the cross-entropy, MaxGradNorm shortens
	// longer gradients, 0 for none.
	ValueCoef, MaxGradNorm float64
}

// Course is the lessons of a run. It belongs to one goroutine; those that it starts end
// with each call.
type Course struct {
	config  Config
	setup   Setup
	graph   *nn.Learner
	adam    *nn.Adam
	players []*player // one for each worker
	set     *set
	pass    pass
	window  *window
	exam    *window // of games held out
	work    []*network.Workspace
	parts   []part
	order   []int32
}

// New prepares the course; the first Learn plays the first games. Errors wrap
// option.ErrUsage where an agent cannot be made.
func New(c Config, s Setup) (*Course, error) {
	l := &Course{config: c, setup: s, adam: nn.NewAdam(len(s.Network.Weights())), set: &set{}}
	brain, err := learned.NewBrain(s.Game, s.Network)
	if err != nil {
		return nil, err
	}
	teachers, err := roster.Policies(s.Game, c.Teacher)
	if err != nil {
		return nil, err
	}
	var others []func() agents.Policy
	for _, name := range c.names() {
		if name == c.Teacher {
			others = append(others, nil)
			continue
		}
		other, err := roster.Policies(s.Game, name)
		if err != nil {
			return nil, err
		}
		others = append(others, other)
	}
	spec, shape := s.Game.Spec(), s.Network.Config()
	for range s.Workers {
		e, err := env.New(s.Game, env.Options{})
		if err != nil {
			return nil, err
		}
		p := &player{env: e, teacher: teachers(), adviser: brain.NewAdviser(), share: c.Learner, seats: make([]agents.Policy, spec.Seats),
			scale: 1 / max(-spec.MinReturn, spec.MaxReturn)}
		for _, other := range others {
			if other == nil {
				p.others = append(p.others, nil)
			} else {
				p.others = append(p.others, other())
			}
		}
		if c.Learner > 0 {
			p.learner = brain.NewPolicy(sharpened)
		}
		l.players = append(l.players, p)
		l.work = append(l.work, s.Network.NewWorkspace(examRows))
	}
	if l.graph, err = nn.NewRowLearner(s.Network, c.Minibatch); err != nil {
		return nil, err
	}
	l.window = newWindow(s.Rows, shape.Inputs, shape.Actions, shape.Seats)
	l.exam = newWindow(min(s.Rows, examRows), shape.Inputs, shape.Actions, shape.Seats)
	l.pass = pass{seed: s.Seed, window: s.Rows}
	return l, nil
}

// sharpened is the temperature at which the learner plays.
const sharpened = 0.5

// examRows bounds the decisions of held-out games that are measured.
const examRows = 4096

// Close frees the course.
func (l *Course) Close() error { return l.graph.Close() }

// Stats describes a lesson. The terms of the loss are means over its samples.
type Stats struct {
	nn.Stats
	// Samples is how many decisions it has learned from, Rate the learning rate at its
	// end.
	Samples int
	Rate    float64
	// Played is how many games and Written how many decisions have come to the set, which
	// then has Decisions of Games in Bytes.
	Played, Written         int
	Games, Decisions, Bytes int64
	// Passes is how often the set has been gone through.
	Passes float64
	// Exam is what the network knew of held-out games after the lesson, nil where it was
	// not asked.
	Exam *Exam
}

// Exam is what a network knows of games that it has not learned from.
type Exam struct {
	Decisions int `json:"decisions"`
	// Agreement is the share of them in which its most probable action is the teacher's,
	// CrossEntropy the mean of -log π of the teacher's, in nats.
	Agreement    float64 `json:"agreement"`
	CrossEntropy float64 `json:"cross_entropy"`
	// Explained is the share of the variance of the actors' returns that their values
	// explain, 0 if all are equal.
	Explained float64 `json:"explained_variance"`
}

// Learn is update number update of the run, from 0: it lets the set grow, and the
// network learns from a window of it.
func (l *Course) Learn(update int64) (Stats, error) {
	var s Stats
	games, before := len(l.set.games), l.set.rows
	if err := l.grow(l.config.due(update)); err != nil {
		return s, err
	}
	s.Played, s.Written = len(l.set.games)-games, int(l.set.rows-before)
	l.parts, l.window.rows = l.pass.deal(l.parts[:0], l.set.games)
	if err := l.fill(l.window, l.parts); err != nil {
		return s, err
	}
	if err := l.study(update, &s); err != nil {
		return s, err
	}
	s.Games, s.Decisions, s.Bytes, s.Passes = int64(len(l.set.games)), l.set.rows, l.set.bytes, l.pass.passes()
	if last := update+1 == int64(l.config.Updates); last || update%examEvery == 0 {
		exam, err := l.examine()
		if err != nil {
			return s, err
		}
		s.Exam = &exam
	}
	return s, nil
}

// examEvery is how many updates there are from one exam to the next.
const examEvery = 10

// each calls f for every worker on its own goroutine and returns when all are done.
func (l *Course) each(f func(worker int) error) (err error) {
	faults := make([]error, len(l.players))
	var all sync.WaitGroup
	for i := range l.players {
		all.Go(func() {
			defer env.Recover(l.setup.Game, &faults[i])
			faults[i] = f(i)
		})
	}
	all.Wait()
	return errors.Join(faults...)
}

// round is how many games are played between two looks at the size of the set.
const round = 32

// grow plays games until the set has so many decisions. What is played depends on the
// seed, the number of the game and the learner's weights alone.
func (l *Course) grow(due int64) error {
	for fruitless := 0; l.set.rows < due; {
		first := len(l.set.games)
		var played [round]record
		err := l.each(func(worker int) (err error) {
			for i := worker; i < round && err == nil; i += len(l.players) {
				seed := engine.NewHash().Word(l.setup.Seed).Word(uint64(first + i))
				played[i], err = l.players[worker].write(uint64(seed))
			}
			return err
		})
		if err != nil {
			return err
		}
		before := l.set.rows
		for _, r := range played {
			l.set.add(r)
		}
		if l.set.rows > before {
			fruitless = 0
		} else if fruitless++; fruitless == 100 {
			return fmt.Errorf("lessons: %d games had no decision with a choice", fruitless*round)
		}
	}
	return nil
}

// fill plays the parts again; together they fit the window.
func (l *Course) fill(w *window, parts []part) error {
	at := make([]int, len(parts))
	for i := 1; i < len(parts); i++ {
		at[i] = at[i-1] + parts[i-1].rows(l.set.games[parts[i-1].game].rows)
	}
	return l.each(func(worker int) (err error) {
		for i := worker; i < len(parts) && err == nil; i += len(l.players) {
			err = l.players[worker].read(&l.set.games[parts[i].game], parts[i], w, at[i])
		}
		return err
	})
}

// orderStream is the PCG stream of the order of the rows of a window.
const orderStream = 0x6f72646572

// study learns from the window in minibatches, in an order drawn for it.
func (l *Course) study(update int64, s *Stats) error {
	rows := l.window.rows
	rng := rand.NewPCG(uint64(engine.NewHash().Word(l.setup.Seed).Word(uint64(update))), orderStream)
	l.order = l.order[:0]
	for i := range rows {
		l.order = append(l.order, int32(i))
		j := engine.Uint32N(rng, uint32(i+1))
		l.order[i], l.order[j] = l.order[j], l.order[i]
	}
	objective := nn.Objective{Imitate: true, Soften: float32(l.config.Soften), ValueCoef: float32(l.setup.ValueCoef)}
	count := (rows + l.config.Minibatch - 1) / l.config.Minibatch
	for k := range count {
		batch := l.order[k*rows/count : (k+1)*rows/count]
		l.gather(batch)
		rate := l.config.rate((float64(update) + float64(k)/float64(count)) / float64(l.config.Updates))
		step, err := l.graph.Step(objective, l.adam, rate, float32(l.setup.MaxGradNorm))
		if err != nil {
			return err
		}
		share := float64(len(batch)) / float64(rows)
		s.Loss += share * step.Loss
		s.Policy += share * step.Policy
		s.Value += share * step.Value
		s.Entropy += share * step.Entropy
		s.Agreement += share * step.Agreement
		s.GradNorm += share * step.GradNorm
		s.Rate = float64(rate)
	}
	s.Samples = rows
	if math.IsNaN(s.Loss) || math.IsInf(s.Loss, 0) {
		return fmt.Errorf("lessons: the loss is %v, %w, after %d updates of the weights; try a smaller learning rate", s.Loss, network.ErrNotFinite,
			l.adam.Steps)
	}
	return nil
}

// gather copies rows of the window into the learner's batch.
func (l *Course) gather(rows []int32) {
	w, to := l.window, l.graph.Batch()
	to.Rows = len(rows)
	d, a, p := w.inputs, w.actions, w.seats
	nn.Share(len(rows), nn.CopyRows, func(_, from, end int) {
		for row := from; row < end; row++ {
			i := int(rows[row])
			to.Seen[row].Set(w.obs[i*d : (i+1)*d])
			copy(to.Mask[row*a:(row+1)*a], w.mask[i*a:(i+1)*a])
			copy(to.Return[row*p:(row+1)*p], w.returns[i*p:(i+1)*p])
			to.Action[row] = w.answers[i]
		}
	})
}

// examine asks the network about the first games held out. Where there are more than it
// asks about, only every second to eighth decision of each game is, so that there are
// many games in it.
func (l *Course) examine() (Exam, error) {
	w := l.exam
	whole := 0
	for i := 0; i < len(l.set.games); i += heldOutEvery {
		whole += l.set.games[i].rows
	}
	parts := max(1, min(whole/w.size(), 8))
	l.parts, w.rows = l.parts[:0], 0
	for i := 0; i < len(l.set.games); i += heldOutEvery {
		take := part{int32(i), int32(i / heldOutEvery % parts), int32(parts)}
		n := take.rows(l.set.games[i].rows)
		if w.rows+n > w.size() {
			break
		}
		if n > 0 {
			l.parts, w.rows = append(l.parts, take), w.rows+n
		}
	}
	if err := l.fill(w, l.parts); err != nil {
		return Exam{}, err
	}
	logits, values := make([]float32, w.rows*w.actions), make([]float32, w.rows*w.seats)
	if err := l.each(func(worker int) error {
		from, to := worker*w.rows/len(l.players), (worker+1)*w.rows/len(l.players)
		l.setup.Network.Forward(l.work[worker], w.obs[from*w.inputs:to*w.inputs], logits[from*w.actions:to*w.actions], values[from*w.seats:to*w.seats])
		return l.work[worker].Err()
	}); err != nil {
		return Exam{}, err
	}
	return w.grade(l.setup.Network.Config(), logits, values), nil
}

// grade compares answers and values with what the window says.
func (w *window) grade(shape network.Config, logits, values []float32) Exam {
	e := Exam{Decisions: w.rows}
	var sum, squares, miss, missSquares float64
	for row := range w.rows {
		z, mask := logits[row*w.actions:(row+1)*w.actions], w.mask[row*w.actions:(row+1)*w.actions]
		shape.Advise(z, mask)
		if network.Best(z, mask) == int(w.answers[row]) {
			e.Agreement++
		}
		e.CrossEntropy += float64(network.LogSum(z, mask) - z[w.answers[row]])
		r := float64(w.returns[row*w.seats])
		d := r - float64(values[row*w.seats])
		sum, squares, miss, missSquares = sum+r, squares+r*r, miss+d, missSquares+d*d
	}
	n := max(float64(w.rows), 1)
	e.Agreement /= n
	e.CrossEntropy /= n
	if total := squares/n - sum/n*sum/n; total > 1e-12 {
		e.Explained = 1 - (missSquares/n-miss/n*miss/n)/total
	}
	return e
}

// prefix begins the names of a course's tensors in a checkpoint.
const prefix = "lessons."

// Tensors returns the state of the course between two lessons, the set included.
func (l *Course) Tensors() []checkpoints.Tensor {
	text := l.set.encode()
	list := []checkpoints.Tensor{
		{Name: prefix + "set", DType: checkpoints.U8, Shape: []int{len(text)}, Data: text},
		checkpoints.Int64s(prefix+"pass", l.pass.number, int64(l.pass.games), int64(l.pass.at)),
	}
	for _, t := range l.adam.Tensors() {
		t.Name = prefix + t.Name
		list = append(list, t)
	}
	return list
}

// Restore sets the course to a state that Tensors has returned. Errors wrap
// checkpoints.ErrCorrupt or ErrMismatch.
func (l *Course) Restore(tensors []checkpoints.Tensor) error {
	own := make([]checkpoints.Tensor, 0, len(tensors))
	for _, t := range tensors {
		if len(t.Name) > len(prefix) && t.Name[:len(prefix)] == prefix {
			t.Name = t.Name[len(prefix):]
			own = append(own, t)
		}
	}
	text, err := checkpoints.Find(own, "set")
	if err != nil {
		return err
	}
	if text.DType != checkpoints.U8 {
		return fmt.Errorf("%w: tensor %sset is %s, it must be %s", checkpoints.ErrMismatch, prefix, text.DType, checkpoints.U8)
	}
	set, err := decodeSet(text.Data)
	if err != nil {
		return err
	}
	dealt, err := checkpoints.Find(own, "pass")
	if err != nil {
		return err
	}
	state, err := dealt.Int64s(3)
	if err != nil {
		return err
	}
	if err := l.pass.resume(state, set.games); err != nil {
		return err
	}
	l.set = set
	return l.adam.Restore(own)
}
