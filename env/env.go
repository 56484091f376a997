// Package env is the Gym-style environment around the rules engines: reset,
// observe, step, with chance sampled from a seeded stream.
package env

import (
	"fmt"
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/env/encoding"
)

// Options sets up an environment. The zero value plays whole games.
type Options struct {
	// MaxDecisions, if above 0, truncates an episode after so many decisions. It
	// never terminates one: the returns of a truncated episode are those of an
	// unfinished game.
	MaxDecisions int
	// Observer, if not nil, is the seat that an episode's last observation belongs to,
	// such as that of a learner. Nil shows the seat that would act next, and seat 0
	// after the game's end.
	Observer *engine.Player
	// Drawn, if not nil, is told every outcome of chance once it is carried out, so that
	// an episode can be recorded whole.
	Drawn func(outcome engine.Action)
	// Written is true where Snapshot, or MarshalJSON of State, is to write down any moment. An
	// environment without it is faster, and writes those where no procedure is under way.
	Written bool
}

// Env is one game in progress. It belongs to one goroutine at a time.
type Env struct {
	game    engine.Game
	spec    *engine.Spec
	encoder encoding.Encoder
	options Options
	// Whether observations are written by an encoder that remembers, and what writes them: nil
	// before the first one if so.
	remembers bool
	writer    encoding.Encoder

	start engine.State // copied at each reset, never changed, and shared by copies
	own   bool         // it is the game's own
	paid  []float32    // its returns
	text  []byte       // its JSON, nil before anybody has asked
	state engine.State
	// The abilities of state, looked up once.
	chance     engine.Stochastic // nil for a game without chance
	drawer     engine.Drawer     // nil if it does not draw itself
	masker     engine.Masker     // nil if it writes no masks
	hidden     engine.Hidden     // state, nil where nothing is hidden
	view       engine.View       // what was seen last; state itself where nothing is hidden
	rng        rand.PCG
	actor      engine.Player
	legal      []engine.Action
	outcomes   []engine.Outcome
	returns    []float32 // so far
	rewards    []float32 // since the decision before
	decisions  int
	moves      int
	earlier    int // moves of the episodes before this one
	terminated bool
	truncated  bool
}

// New makes an environment. It is at the end of an episode that never was:
// Reset comes first.
func New(g engine.Game, o Options) (*Env, error) {
	envs, err := Several(g, o, 1)
	if err != nil {
		return nil, err
	}
	return envs[0], nil
}

// rememberedMost bounds the bytes that the encoders of environments made together remember.
// Beyond what a processor's own cache holds, to fetch them takes longer than they save.
const rememberedMost = 3 << 19

// Several makes n environments of one game, as New makes one. They share its encoder, whose
// layout is long.
func Several(g engine.Game, o Options, n int) ([]*Env, error) {
	encoder, err := EncoderFor(g)
	if err != nil {
		return nil, err
	}
	if o.MaxDecisions < 0 {
		return nil, fmt.Errorf("env: the limit of decisions is %d, it must not be negative", o.MaxDecisions)
	}
	spec := g.Spec()
	if o.Observer != nil && (*o.Observer < 0 || int(*o.Observer) >= spec.Seats) {
		return nil, fmt.Errorf("env: the observer is %d, %s has seats 0 to %d", *o.Observer, spec.Name, spec.Seats-1)
	}
	r, ok := encoder.(encoding.Rememberer)
	remembers := ok && n*r.RememberingBytes() <= rememberedMost
	envs := make([]*Env, n)
	for i := range envs {
		envs[i] = newEnv(g, encoder, o, remembers)
	}
	return envs, nil
}

func newEnv(g engine.Game, encoder encoding.Encoder, o Options, remembers bool) *Env {
	spec := g.Spec()
	e := &Env{
		game: g, spec: spec, encoder: encoder, remembers: remembers, options: o,
		start: g.New(), own: true, state: g.New(),
		legal:      make([]engine.Action, 0, len(spec.Actions)),
		outcomes:   make([]engine.Outcome, 0, len(spec.Outcomes)),
		returns:    make([]float32, spec.Seats),
		rewards:    make([]float32, spec.Seats),
		actor:      engine.Terminal,
		terminated: true,
	}
	if !remembers {
		e.writer = encoder
	}
	if !o.Written {
		e.state = engine.Unwritten(g)
	}
	e.paid = e.start.Returns(nil)
	e.chance, _ = e.state.(engine.Stochastic)
	e.drawer, _ = e.state.(engine.Drawer)
	e.masker, _ = e.state.(engine.Masker)
	e.view = e.state
	if e.hidden, _ = e.state.(engine.Hidden); e.hidden != nil {
		e.view = e.hidden.NewView()
	}
	return e
}

// StartFrom makes all further episodes start from a JSON position, nil for the
// initial one. The episode under way goes on. Errors wrap engine.ErrPosition and
// change nothing.
func (e *Env) StartFrom(position []byte) error {
	if position == nil {
		e.setStart(e.game.New(), true)
		return nil
	}
	start, err := e.game.Load(position, engine.Strict)
	if err != nil {
		return err
	}
	e.setStart(start, false)
	return nil
}

// StartLike makes all further episodes start as those of another environment of the game do.
func (e *Env) StartLike(other *Env) {
	if e.start != other.start {
		e.start, e.own, e.paid, e.text = other.start, other.own, other.paid, nil
	}
}

func (e *Env) setStart(s engine.State, own bool) {
	e.start, e.own, e.paid, e.text = s, own, s.Returns(nil), nil
}

// startText returns the JSON of the position that episodes start from, which is not to be written.
func (e *Env) startText() ([]byte, error) {
	var err error
	if e.text == nil {
		e.text, err = e.start.MarshalJSON()
	}
	return e.text, err
}

// Reset begins a new episode whose chance events follow from the seed.
func (e *Env) Reset(seed uint64) {
	e.rng.Seed(seed, chanceStream)
	e.Restart()
}

// Restart begins a new episode that goes on with the stream of chance events.
func (e *Env) Restart() {
	e.state.CopyFrom(e.start)
	e.earlier += e.moves
	e.decisions, e.moves = 0, 0
	e.terminated, e.truncated = false, false
	for i, paid := range e.paid { // so few that calls of copy and clear take longer
		e.returns[i], e.rewards[i] = paid, 0
	}
	e.settle()
}

// chanceStream is the PCG stream of chance events; agents and shuffles use
// others, so that one seed gives independent numbers for each purpose.
const chanceStream = 0x6368616e6365

// Step plays an action of the actor and all chance events up to the next
// decision or the end. The error of an illegal action wraps engine.ErrIllegal
// and leaves the environment as it was.
func (e *Env) Step(a engine.Action) error {
	if e.terminated || e.truncated {
		return fmt.Errorf("%w: action %d after the end of the episode; reset first", engine.ErrIllegal, a)
	}
	if err := e.state.Apply(a); err != nil {
		return err
	}
	e.decisions++
	e.moves++
	e.settle()
	if e.terminated || e.spec.PaysInPlay { // rewards are zero otherwise, and stay so
		e.reward()
	}
	return nil
}

// settle samples chance events until a seat is to act or the game is over.
func (e *Env) settle() {
	e.actor = e.state.ToAct()
	for e.actor == engine.Chance {
		var outcome engine.Action
		if e.drawer != nil {
			outcome, e.outcomes = e.drawer.Draw(&e.rng, e.outcomes)
		} else {
			outcome = e.draw()
		}
		if e.options.Drawn != nil {
			e.options.Drawn(outcome)
		}
		e.moves++
		e.actor = e.state.ToAct()
	}
	switch {
	case e.actor == engine.Terminal:
		e.terminated = true
	case e.options.MaxDecisions > 0 && e.decisions >= e.options.MaxDecisions:
		e.truncated = true
	}
	e.legal = e.legal[:0]
	if !e.truncated {
		e.legal = e.state.Legal(e.legal)
	}
}

// draw draws a chance event of a state that does not draw itself.
func (e *Env) draw() engine.Action {
	e.outcomes = e.chance.Outcomes(e.outcomes[:0])
	outcome := engine.Sample(e.outcomes, &e.rng)
	if err := e.state.Apply(outcome); err != nil {
		panic(fmt.Sprintf("env: %s refuses its own chance outcome: %v", e.spec.Text, err))
	}
	return outcome
}

// reward sets rewards to what the returns have gained since the last decision.
func (e *Env) reward() {
	e.rewards = e.state.Returns(e.rewards[:0])
	for i, now := range e.rewards {
		e.rewards[i], e.returns[i] = now-e.returns[i], now
	}
}

// Actor returns the seat to act, engine.Terminal after the game's end. In a
// truncated episode it is the seat that would act.
func (e *Env) Actor() engine.Player { return e.actor }

// Legal returns the legal actions of the actor in ascending order, none at an
// episode's end. The slice is valid until the next Step or Reset and must not be changed.
func (e *Env) Legal() []engine.Action { return e.legal }

// Rewards returns what each seat has gained in the last Step, valid until the
// next Step or Reset.
func (e *Env) Rewards() []float32 { return e.rewards }

// Returns returns what each seat has gained in the episode, valid until the
// next Step or Reset.
func (e *Env) Returns() []float32 { return e.returns }

// Truncate ends the episode where it is, as MaxDecisions does. It changes nothing
// after an end.
func (e *Env) Truncate() {
	if !e.terminated {
		e.truncated, e.legal = true, e.legal[:0]
	}
}

// Terminated reports whether the rules have ended the episode, Truncated whether
// MaxDecisions or Truncate has. Of the two at most one is true.
func (e *Env) Terminated() bool { return e.terminated }

// Truncated is described at Terminated.
func (e *Env) Truncated() bool { return e.truncated }

// Decisions returns how many decisions the episode has had, Moves how many
// decisions and chance events.
func (e *Env) Decisions() int { return e.decisions }

// Moves is described at Decisions.
func (e *Env) Moves() int { return e.moves }

// AllMoves returns the moves of all episodes since New.
func (e *Env) AllMoves() int { return e.earlier + e.moves }

// Game returns the game.
func (e *Env) Game() engine.Game { return e.game }

// Encoder returns the encoder of the observations.
func (e *Env) Encoder() encoding.Encoder { return e.encoder }

// State returns the full state, secrets included. It belongs to the environment
// and must not be changed.
func (e *Env) State() engine.State { return e.state }

// View returns what seat p sees, valid until the next call of View, Observe, Step or
// Reset.
func (e *Env) View(p engine.Player) engine.View {
	if e.hidden != nil {
		e.hidden.See(p, e.view)
	}
	return e.view
}

// Observer returns the seat whose observation Observe writes: the actor, and at an
// episode's end that of Options.Observer.
func (e *Env) Observer() engine.Player {
	if e.options.Observer != nil && (e.terminated || e.truncated) {
		return *e.options.Observer
	}
	return max(e.actor, 0)
}

// Observe writes the observation of Observer to obs, which has Layout().Size
// entries, and the actor's action mask to mask, which has one entry per action: 1
// for a legal one, 0 otherwise. At an episode's end the mask is all zero.
func (e *Env) Observe(obs []float32, mask []uint8) {
	e.ObserveAs(e.Observer(), obs)
	if e.masker != nil && !e.truncated {
		e.masker.Mask(mask)
		return
	}
	clear(mask)
	for _, a := range e.legal {
		mask[a] = 1
	}
}

// ObserveAs writes the observation of seat p, whoever is to act.
func (e *Env) ObserveAs(p engine.Player, obs []float32) {
	if e.writer == nil {
		e.writer = e.encoder.(encoding.Rememberer).Remembering()
	}
	e.writer.Encode(obs, e.View(p), p)
}
