package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/train/league"
	"powderkeg/train/lessons"
	"powderkeg/train/ppo"
	"powderkeg/train/rollout"
)

// Trainer is a run in memory: it plays and learns, and writes nothing. It
// belongs to one goroutine.
type Trainer struct {
	config    Config
	game      engine.Game
	identity  checkpoints.Identity
	net       *network.Network
	learner   *ppo.Learner
	pool      *league.Pool
	collector *collector
	shards    int                  // into which a rollout is divided for the crew
	crew      Crew                 // nil where the collector plays
	names     map[int]namedWeights // of the pool's snapshots, by ID
	// course is nil where there are no lessons, or no more.
	course *lessons.Course
	// ahead is the rollout that is played while another is learned from, nil if there is none.
	ahead *ahead
	ctx   context.Context // of its play; Close ends it
	stop  context.CancelFunc

	updates, decisions, games int64

	spent Spent             // in the last update
	luck  *checkpoints.Luck // as it was measured last, nil before
}

// weightStream is the PCG stream of the first weights.
const weightStream = 0x77656967687473

// NewTrainer sets up a run before its first update. Close frees it.
func NewTrainer(c Config) (*Trainer, error) {
	t, err := newTrainer(c, c.Network.From)
	if err != nil {
		return nil, err
	}
	if c.League.SnapshotEvery > 0 {
		if _, err := t.snapshot(); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	if err := t.collector.begin(c.Seed); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// ResumeTrainer sets up a run as it was when the checkpoint was made. The config
// must be that of the run, except that Updates, Workers, Shards, Evaluation and
// Checkpoints may differ.
func ResumeTrainer(c Config, from *checkpoints.Checkpoint) (*Trainer, error) {
	t, err := newTrainer(c, "")
	if err != nil {
		return nil, err
	}
	if err := t.restore(from); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// newTrainer makes all parts; the environments have no episode yet. Unless from
// is empty, the weights are those of the checkpoint that it names.
func newTrainer(c Config, from string) (*Trainer, error) {
	if err := cmp.Or(c.Validate(), c.CheckMemory()); err != nil {
		return nil, err
	}
	t := &Trainer{config: c}
	t.ctx, t.stop = context.WithCancel(context.Background())
	err := t.makeNetwork(from)
	if err != nil {
		return nil, err
	}
	if t.pool, err = league.New(t.game, c.League); err != nil {
		return nil, err
	}
	if t.learner, err = ppo.New(c.PPO, t.net, c.Seed); err != nil {
		return nil, err
	}
	net, critic := t.net, t.learner.Critic()
	if c.Lag > 0 { // those of before play
		if net = net.Clone(); critic != nil {
			critic = critic.Clone()
		}
	}
	if t.collector, err = newCollector(t.game, c, span{0, c.Envs}, net, critic, t.pool); err != nil {
		return nil, errors.Join(err, t.learner.Close())
	}
	if c.Lag > 0 {
		t.collector.spare = rollout.New(t.collector.rollout.Shape)
	}
	if c.Lessons.Updates > 0 {
		if t.course, err = lessons.New(c.Lessons, lessons.Setup{
			Game: t.game, Network: t.net, Seed: c.Seed, Rows: c.Envs * c.Steps, Workers: c.workers(),
			ValueCoef: c.PPO.ValueCoef, MaxGradNorm: c.PPO.MaxGradNorm,
		}); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

// makeNetwork makes the game and the network, with the weights that from names, if any.
func (t *Trainer) makeNetwork(from string) error {
	c := t.config
	var err error
	if t.game, err = c.NewGame(); err != nil {
		return err
	}
	if t.identity, err = IdentityOf(c); err != nil {
		return err
	}
	shape, err := c.networkFor(t.game)
	if err != nil {
		return err
	}
	if t.net, err = network.New(shape, rand.NewPCG(c.Seed, weightStream)); err != nil || from == "" {
		return err
	}
	return t.adopt(from)
}

// CheckFrom says what is wrong with the weights that a run of the config is to begin with
// (Network.From), as NewTrainer would, for whoever has more to prepare first.
func (c Config) CheckFrom() error {
	if c.Network.From == "" {
		return nil
	}
	return (&Trainer{config: c}).makeNetwork(c.Network.From)
}

// adopt takes over the weights of a checkpoint of the same game and architecture, and
// sharpens its policy. Where the values of the two are of another form the value head stays
// as it is, fresh.
func (t *Trainer) adopt(ref string) error {
	brain, err := learned.Open(t.game, ref)
	if err != nil {
		return option.Wrong(fmt.Errorf("network.from: %w", err))
	}
	own, other := t.net.Config(), brain.Network().Config()
	same := other
	same.Bins, same.Advice, same.Advisers = own.Bins, own.Advice, own.Advisers
	if own.Entities == nil { // what was the same need not stay so
		same.Entities = nil
	}
	if !reflect.DeepEqual(own, same) {
		return option.Wrong(fmt.Errorf("network.from: %s: %w: it is %s, this run's network %s", ref, checkpoints.ErrMismatch, architecture(other),
			architecture(own)))
	}
	from := other.Tensors()
	for i, part := range own.Tensors() {
		if part.Size == from[i].Size {
			copy(t.net.Weights()[part.Offset:part.Offset+part.Size], brain.Network().Weights()[from[i].Offset:])
		}
		if s := t.config.Network.Sharpen; s > 0 && strings.HasPrefix(part.Name, "policy.") {
			blas32.Scal(float32(s), blas32.Vector{N: part.Size, Data: t.net.Weights()[part.Offset:], Inc: 1})
		}
	}
	return nil
}

// architecture describes a network in a few words.
func architecture(c network.Config) string {
	text := fmt.Sprintf("%v %s", c.Hidden, c.Activation)
	if c.LayerNorm {
		text += " layer_norm"
	}
	if c.Residual {
		text += " residual"
	}
	for _, e := range c.Entities {
		text += fmt.Sprintf(" %d entities of width %d", e.Count, e.Width)
	}
	if c.Bins > 0 {
		text += fmt.Sprintf(" %d bins", c.Bins)
	}
	return text
}

// Close frees the trainer. A rollout that is being played is given up.
func (t *Trainer) Close() error {
	t.stop()
	if t.ahead != nil && t.ahead.done != nil {
		<-t.ahead.done
	}
	t.collector.close()
	return errors.Join(t.learner.Close(), t.dismiss())
}

// dismiss frees the course.
func (t *Trainer) dismiss() error {
	if t.course == nil {
		return nil
	}
	course := t.course
	t.course = nil
	return course.Close()
}

// Game returns the game, Network the network that plays, which changes with
// each Update, and Pool its opponents.
func (t *Trainer) Game() engine.Game { return t.game }

// Network is described at Game.
func (t *Trainer) Network() *network.Network { return t.player() }

// Pool is described at Game.
func (t *Trainer) Pool() *league.Pool { return t.pool }

// Updates returns how many updates have been made.
func (t *Trainer) Updates() int64 { return t.updates }

// Spent returns where the time of the last update went, the zero value after a lesson.
func (t *Trainer) Spent() Spent { return t.spent }

// Done reports whether the run has reached its length.
func (t *Trainer) Done() bool { return t.updates >= int64(t.config.Updates) }

// Update gives a lesson, or plays one rollout and learns from it.
func (t *Trainer) Update() (m UpdateMetrics, err error) {
	number := t.updates + 1
	if t.course != nil {
		m, err = t.lesson()
	} else {
		m, err = t.practise()
	}
	if err == nil {
		err = t.sound()
	}
	if errors.Is(err, network.ErrNotFinite) {
		err = fmt.Errorf("update %d: %w; the run stays as it was last saved, and network.from begins another there", number, err)
	}
	if err != nil {
		return UpdateMetrics{}, err
	}
	if every := t.config.League.SnapshotEvery; every > 0 && t.updates%int64(every) == 0 {
		if m.Gate, err = t.snapshot(); err != nil {
			return UpdateMetrics{}, err
		}
	}
	if t.ahead == nil {
		t.collector.forget(t.pool)
	}
	return m, nil
}

// sound fails if an update has left a weight that is not finite, by which nothing could be
// played, nor a checkpoint be read again.
func (t *Trainer) sound() error {
	list := []*network.Network{t.net, t.player()}
	if critic := t.learner.Critic(); critic != nil {
		list = append(list, critic)
	}
	for _, n := range list {
		if err := n.Finite(); err != nil {
			return fmt.Errorf("%w; try a smaller learning rate", err)
		}
	}
	return nil
}

// player returns the network that is evaluated, saved and shipped.
func (t *Trainer) player() *network.Network {
	if t.course != nil {
		return t.net
	}
	return t.learner.Player()
}

// lesson makes an update of imitation. After the last one the policy is held to what it
// has learned there, as far as it is held to anything.
func (t *Trainer) lesson() (UpdateMetrics, error) {
	s, err := t.course.Learn(t.updates)
	if err != nil {
		return UpdateMetrics{}, err
	}
	t.spent = Spent{}
	t.count(s.Played, 0)
	if t.updates == int64(t.config.Lessons.Updates) {
		t.learner.Anchor()
		if err := t.dismiss(); err != nil {
			return UpdateMetrics{}, err
		}
	}
	return t.lessonMetrics(s), nil
}

// practise learns from one rollout.
func (t *Trainer) practise() (UpdateMetrics, error) {
	start := time.Now()
	e, b, err := t.rollout()
	if err != nil {
		return UpdateMetrics{}, err
	}
	t.spent = e.spent
	if t.config.Lag > 0 || t.crew != nil {
		t.spent.Waiting = time.Since(start).Seconds()
	}
	start = time.Now()
	stats, err := t.learner.Update(b, t.clock(t.updates))
	if err != nil {
		return UpdateMetrics{}, err
	}
	t.spent.Learning = time.Since(start).Seconds()
	t.count(e.games, e.forced)
	m := t.metrics(e, stats)
	m.Lag = b.Age
	return m, nil
}

// count counts an update in which so many games ended and so many forced decisions were
// played besides those to learn from.
func (t *Trainer) count(games, forced int) {
	t.updates++
	t.decisions += int64(t.config.Envs*t.config.Steps + forced)
	t.games += int64(games)
}

// Identity is that of the game.
func (t *Trainer) Identity() checkpoints.Identity { return t.identity }
