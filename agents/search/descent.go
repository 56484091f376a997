package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
)

// Judge looks at many situations at once, as a network does. It belongs to one
// goroutine.
type Judge interface {
	// Rows is how many situations it can look at together.
	Rows() int
	// Show puts a situation into a row: the view of seat, which is to act and may do what
	// is legal. Neither is kept.
	Show(row int, view engine.View, seat engine.Player, legal []engine.Action)
	// Look judges the first so many rows.
	Look(rows int)
	// Policy writes how likely each legal action of a row is to be chosen, in their order;
	// the numbers add up to 1.
	Policy(row int, dst []float32)
	// Values returns what each seat may be expected to gain from the situation on, in
	// the units of Returns, valid until the next call.
	Values(row int) []float32
}

// Drawing is a Judge that draws what it answers, as a player without probabilities does.
type Drawing interface {
	Judge
	// Seed comes before each Show of a row, which is to be answered by this number alone.
	Seed(row int, seed uint64)
}

// DescentConfig sets up a Descent.
type DescentConfig struct {
	// Simulations and Time end the search of a move, whichever comes first; 0 means no
	// limit, and one of them must be set. Simulations are rounded to whole worlds: every
	// legal action is started once in each. A search by time is not repeatable.
	Simulations int
	Time        time.Duration
	// Depth is how many decisions with a choice a simulation plays after the first action
	// before its situation is judged, 0 for to the end of the game.
	Depth int
	// Step is η, how far one step of mirror descent goes along the values, which count in
	// units of the game's largest possible return; Magnet is α, how much it is held to
	// uniform play.
	Step, Magnet float64
	// Judge plays the simulations, judges where they are cut, and is the policy that the
	// step starts from.
	Judge Judge
}

// DefaultDescent returns a config of 400 simulations, without its judge.
func DefaultDescent() DescentConfig {
	return DescentConfig{Simulations: 400, Depth: 20, Step: 2, Magnet: 0.01}
}

// Validate reports all faults of a config at once.
func (c DescentConfig) Validate() error {
	var faults []error
	notBelow0 := func(name string, x float64) {
		if !(x >= 0) || math.IsInf(x, 1) { // NaN too
			faults = append(faults, fmt.Errorf("%s is %g, want 0 or more", name, x))
		}
	}
	notBelow0("simulations", float64(c.Simulations))
	notBelow0("time", float64(c.Time))
	notBelow0("depth", float64(c.Depth))
	notBelow0("step", c.Step)
	notBelow0("magnet", c.Magnet)
	if c.Simulations == 0 && c.Time == 0 {
		faults = append(faults, errors.New("neither simulations nor time limit the search"))
	}
	if c.Judge == nil {
		faults = append(faults, errors.New("nobody judges: it needs a network"))
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("search: %w", errors.Join(faults...))
}

// Descent is a player that improves a policy in each situation by one step of mirror
// descent, without a tree. It samples worlds, hidden information filled in at random,
// starts every legal action once in each of them and lets the policy play on for all
// seats; the mean of what its seat gets is Q. Then it plays the step in closed form,
//
//	π'(a) ∝ exp((log π(a) + η Q(a)) / (1 + η α))
//
// which is magnetic mirror descent towards uniform play (S. Sokol, G. Farina, D. Wu,
// H. Hu, J. Z. Kolter, N. Brown, "The update equivalence framework for decision-time
// planning", arXiv:2304.13138, 2024; as the search of Ataraxos, arXiv:2511.07312). What
// it plays is a policy that mixes, and bluffs as far as the policy does.
//
// The actions share their worlds and the random numbers of what follows, so that luck
// cancels in their differences. The worlds are uniform over what the seat's view allows
// (engine.Hidden.Redeal): what others have done tells it nothing of what they hold
// beyond that.
type Descent struct {
	config  DescentConfig
	seat    engine.Player
	rng     rand.PCG
	largest float64 // return
	sampler sampler

	policy   []float32 // at the root
	values   []float64 // mean returns by the root's legal actions, sums while they are simulated
	worlds   int
	improved []float64
}

var (
	_ agents.Pretender   = (*Descent)(nil)
	_ agents.Remembering = (*Descent)(nil)
)

// NewDescent returns a player of game g.
func NewDescent(g engine.Game, c DescentConfig) (*Descent, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	spec := g.Spec()
	d := &Descent{config: c, largest: float64(max(-spec.MinReturn, spec.MaxReturn))}
	d.sampler.init(g, c.Judge, c.Judge, c.Depth)
	d.sampler.ended = func(r *run, gain float64) { d.values[r.action] += gain }
	return d, nil
}

// descentStream is the PCG stream of these searches.
const descentStream = 0x64657363656e74

// Start implements agents.Agent.
func (d *Descent) Start(seat engine.Player, seed uint64) {
	d.seat = seat
	d.rng.Seed(seed, descentStream)
}

// Memory implements agents.Remembering.
func (d *Descent) Memory() *rand.PCG { return &d.rng }

// Act implements agents.Agent. A forced action is not searched.
func (d *Descent) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if len(legal) == 1 {
		return legal[0], nil
	}
	if err := d.search(ctx, view, legal); err != nil {
		return 0, err
	}
	u := engine.Unit(&d.rng)
	for i, p := range d.improved {
		if u -= p; u < 0 {
			return legal[i], nil
		}
	}
	return legal[len(legal)-1], nil
}

// Pretend implements agents.Pretender.
func (d *Descent) Pretend(ctx context.Context, view engine.View, seat engine.Player, legal []engine.Action) error {
	own, rng := d.seat, d.rng
	defer func() { d.seat, d.rng = own, rng }()
	d.seat = seat
	return d.search(ctx, view, legal)
}

// Found is what the last search has found: for each legal action in order its mean
// return for the searching seat, in the units of Returns, and with which probability it
// was to be played, out of so many worlds. Both are valid until the next search.
func (d *Descent) Found() (values, policy []float64, worlds int) {
	return d.values, d.improved, d.worlds
}

// search estimates the values of the legal actions and takes the step.
func (d *Descent) search(ctx context.Context, view engine.View, legal []engine.Action) error {
	var deadline time.Time
	if d.config.Time > 0 {
		deadline = time.Now().Add(d.config.Time)
	}
	n := len(legal)
	d.policy, d.values, d.improved = resize(d.policy, n), resize(d.values, n), resize(d.improved, n)
	judge := d.config.Judge
	judge.Show(0, view, d.seat, legal)
	judge.Look(1)
	judge.Policy(0, d.policy)
	clear(d.values)
	d.worlds = 0
	together := max(1, judge.Rows()/n)
	for d.config.Simulations == 0 || d.worlds == 0 || (d.worlds+1)*n <= d.config.Simulations {
		if err := ctx.Err(); err != nil {
			return err
		}
		// The first worlds are played in any case, so that there are values.
		if d.worlds > 0 && d.config.Time > 0 && !time.Now().Before(deadline) {
			break
		}
		worlds := together
		if d.config.Simulations > 0 {
			worlds = max(1, min(worlds, d.config.Simulations/n-d.worlds))
		}
		if !d.simulate(ctx, view, legal, worlds) {
			return ctx.Err()
		}
		d.worlds += worlds
		if err := faultOf(judge); err != nil {
			return err
		}
	}
	for i := range d.values {
		d.values[i] /= float64(d.worlds)
	}
	d.step()
	return nil
}

// resize returns a slice of n numbers, whatever they are.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// simulate plays all legal actions in so many worlds, and reports whether it could before ctx ended.
func (d *Descent) simulate(ctx context.Context, view engine.View, legal []engine.Action, worlds int) bool {
	for w := range worlds {
		d.sampler.deal(view, &d.rng)
		luck := d.rng.Uint64()
		for i, a := range legal {
			r := &d.sampler.runs[w*len(legal)+i]
			r.rng.Seed(luck, descentStream)
			r.action = i
			d.sampler.start(r, a)
		}
	}
	return d.sampler.play(ctx, worlds*len(legal), d.seat)
}

// step fills improved with the policy after one step of mirror descent.
func (d *Descent) step() {
	eta := d.config.Step / d.largest
	top := math.Inf(-1)
	for i := range d.improved {
		// A probability of 0 in single precision is small, not impossible.
		log := math.Log(max(float64(d.policy[i]), 1e-30))
		d.improved[i] = (log + eta*d.values[i]) / (1 + d.config.Step*d.config.Magnet)
		top = max(top, d.improved[i])
	}
	sum := 0.0
	for i, x := range d.improved {
		d.improved[i] = math.Exp(x - top)
		sum += d.improved[i]
	}
	for i := range d.improved {
		d.improved[i] /= sum
	}
}

// DescentPolicy is a Descent as a player without memory (Policy).
type DescentPolicy struct {
	agent *Descent
	fault error
}

var _ agents.Fallible = (*DescentPolicy)(nil)

// NewDescentPolicy returns a policy. Only simulations may limit it.
func NewDescentPolicy(g engine.Game, c DescentConfig) (*DescentPolicy, error) {
	if c.Time != 0 {
		return nil, errTimed
	}
	a, err := NewDescent(g, c)
	if err != nil {
		return nil, err
	}
	return &DescentPolicy{agent: a}, nil
}

// Choose implements agents.Policy.
func (p *DescentPolicy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	p.agent.Start(seat, rng.Uint64())
	return act(p.agent, view, legal, &p.fault)
}

// Err implements agents.Fallible.
func (p *DescentPolicy) Err() error { return p.fault }
