package train

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/train/league"
	"powderkeg/train/lessons"
	"powderkeg/train/ppo"
)

// Config is a training run. Its YAML form is the config file; what a file leaves
// out has the value of Default.
type Config struct {
	// Game is the game string.
	Game string `yaml:"game"`
	// Position is the JSON position that every game begins in, in full; empty for the
	// game's own start.
	Position string `yaml:"position"`
	// Seed decides everything that is random in the run.
	Seed uint64 `yaml:"seed"`
	// Updates is the length of the run. Each update records Envs × Steps decisions.
	Updates int `yaml:"updates"`
	// Envs is how many games are played side by side.
	Envs int `yaml:"envs"`
	// Steps is how many decisions each of the Envs records for an update.
	Steps int `yaml:"steps"`
	// Workers is the number of goroutines that play, 0 for one per processor. In the
	// pure Go build the results do not depend on it.
	Workers int `yaml:"workers"`
	// Shards is in how many tasks a rollout is divided where others play it, at least as many
	// as there are processors to play them: so many neighbouring environments belong together,
	// Envs / Shards. In the pure Go build the results do not depend on it.
	Shards int `yaml:"shards"`
	// Lag is by how many updates the weights that play a rollout, and the pool that they play
	// against, are behind those that learn from it: 0, or 1 to play the next rollout while the
	// present one is learned from. What is learned follows from it, and is as certain:
	// everything depends on Lag, and nothing on which of the two is done first. It is for
	// learning by PPO; lessons play no rollouts, and evaluations and the gate are of the present
	// weights. See ppo.Config.VTrace.
	Lag int `yaml:"lag"`
	// MaxDecisions truncates longer episodes, 0 for whole games.
	MaxDecisions int `yaml:"max_decisions"`
	// SkipForced plays decisions with one legal action without a look by the network and
	// without recording them, as if the step before had played them too: there is
	// nothing to learn for a policy, and what they gain belongs to the decisions before
	// them. Steps counts the others. The first decision of a game is always recorded.
	SkipForced bool `yaml:"skip_forced"`

	Network Network `yaml:"network"`
	// Margin is the weight of what a seat is ahead by at a game's end (engine.Marginal),
	// 0 to 1, beside which the payoff has the rest: a narrow defeat is worth more than a
	// rout then, and every game says more than who has won it. What is learned is another
	// game until it reaches 0, as it should well before the run ends. (Potential-based
	// shaping, Ng, Harada and Russell 1999, changes no game, but for that reason adds
	// nothing that the first values could not say: Wiewiora 2003.)
	Margin  ppo.Schedule  `yaml:"margin"`
	PPO     ppo.Config    `yaml:"ppo"`
	League  league.Config `yaml:"league"`
	Archive Archive       `yaml:"archive"`
	// Lessons come first: the network learns what a teacher would do before it plays for itself.
	Lessons     lessons.Config `yaml:"lessons"`
	Evaluation  Evaluation     `yaml:"evaluation"`
	Checkpoints Checkpoints    `yaml:"checkpoints"`

	own engine.Game // see For
}

// For returns the config for a game that is not on the list of package games,
// such as one of another module; it has to bring its encoder (env.Encoded).
func (c Config) For(g engine.Game) Config {
	c.Game, c.own = g.Spec().Text, g
	return c
}

// NewGame makes the game, which begins in Position.
func (c Config) NewGame() (engine.Game, error) {
	g, err := c.own, error(nil)
	if g == nil && c.Game == "" {
		return nil, fmt.Errorf("%w: game is missing, it must name one, such as game: jogu; powderkeg games lists them", option.ErrUsage)
	}
	if g == nil {
		g, err = env.NewGame(c.Game)
	}
	if err != nil || c.Position == "" {
		return g, err
	}
	if g, err = engine.StartAt(g, []byte(c.Position)); err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	return g, nil
}

// workers is the number of goroutines that play.
func (c Config) workers() int {
	if c.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}

// Network is the architecture of the network that learns.
//
// network.Config describes the fields that have no comment here; the game gives the rest of it.
type Network struct {
	Hidden     []int              `yaml:"hidden"`
	Activation network.Activation `yaml:"activation"`
	LayerNorm  bool               `yaml:"layer_norm"`
	Residual   bool               `yaml:"residual"`
	Bins       int                `yaml:"bins"`
	// From names a checkpoint, or a run, whose weights this run begins with ("" for
	// fresh ones at random): "zoo:NAME" or a directory. The game and the architecture
	// must be the same, but for Bins, with another number of which the value head begins
	// afresh (ppo.warmup), for Advice and Advisers, and for Entities, which may end here; a magnet begins there too, so that with magnet_rate 0 the
	// policy is held to the one it began with. Read once: a resumed run does without.
	From string `yaml:"from"`
	// Sharpen multiplies the logits of From's policy, by 0.01 to 100 (0 is 1, as they are). What
	// lessons leave of doubt is ruinous in games of many decisions, and teaches little: a
	// temperature of 1/Sharpen from the first game on is worth more than a bonus on entropy.
	// Below 1 it gives a policy that is sure of everything, its faults too, doubts to learn by.
	Sharpen float64 `yaml:"sharpen"`
	// Advice adds so many nats to the logit of what the game's scripted player would do, 0 for
	// none: the policy begins near that player, and is that player's where it has learned
	// nothing better. With n other actions that nothing is known of the advice has e^Advice/(e^Advice+n).
	Advice int `yaml:"advice"`
	// Advisers say how that player advises single seats: with another number of nats, or by
	// other weights than its own, such as powderkeg evolve finds.
	Advisers []network.Adviser `yaml:"advisers"`
	// Entities have units of their own in every hidden layer, beside those of Hidden.
	Entities []Entities `yaml:"entities"`
}

// Evaluation says how play is measured.
type Evaluation struct {
	// Every evaluates after so many updates, 0 for the closing evaluation alone.
	Every int `yaml:"every"`
	// Games is how many games each opponent gets in an evaluation on the way.
	Games int `yaml:"games"`
	// ClosingGames is how many games each opponent gets in the evaluation at the end.
	ClosingGames int `yaml:"closing_games"`
	// Tournament is how many games the learner and the pool play among themselves at
	// the end, for their ratings; 0 for none.
	Tournament int `yaml:"tournament"`
	// Against names the opponents (agents/roster).
	Against []string `yaml:"against"`
	// Temperature is that of the learner's play: 1 for its policy as it is, 0 for
	// the most probable action.
	Temperature float64 `yaml:"temperature"`
	// Exact measures exploitability on the whole tree too (package solve), of the
	// network, of the magnet and of the pool's snapshots as one average policy. It is
	// for small games with information states.
	Exact bool `yaml:"exact"`
	// Luck is in how many games of the network against itself each evaluation measures its luck
	// factor and what its values explain, and five times as many at the end; 0 for none, else
	// from 2 on.
	Luck int `yaml:"luck"`
}

// Checkpoints says when the run is saved. It is always saved at its end.
type Checkpoints struct {
	// Every saves after so many updates.
	Every int `yaml:"every"`
	// Keep is how many of the newest stay.
	Keep int `yaml:"keep"`
	// Milestone keeps those after a multiple of so many updates too, 0 for none.
	Milestone int `yaml:"milestone"`
}

// Default returns the settings for a game that its config file leaves out.
func Default() Config {
	return Config{
		Seed: 1, Updates: 100, Envs: 64, Steps: 64, Shards: 8,
		Network:     Network{Hidden: []int{128, 128}, Activation: network.ReLU},
		PPO:         ppo.Default(),
		League:      league.Default(),
		Archive:     defaultArchive(),
		Lessons:     lessons.Default(),
		Evaluation:  Evaluation{Every: 20, Games: 200, ClosingGames: 1000, Tournament: 1000, Against: []string{"random"}, Temperature: 1, Luck: 8},
		Checkpoints: Checkpoints{Every: 20, Keep: 3},
	}
}

// mostLuck bounds the games whose luck is measured.
const mostLuck = 10_000

// MostUpdates bounds the length of a run.
const MostUpdates = 1 << 30

// Validate reports all faults together. Whether what is asked for fits into the machine's memory
// is another matter: see CheckMemory.
func (c Config) Validate() error {
	faults := []error{c.Network.config(1, 1, 1).Validate(), c.PPO.Validate(), c.League.Validate()}
	atLeast := func(name string, n, least, most int) {
		if n < least || n > most {
			faults = append(faults, fmt.Errorf("%s is %d, it must be from %d to %d", name, n, least, most))
		}
	}
	const many = 1 << 30
	atLeast("updates", c.Updates, 1, MostUpdates)
	atLeast("envs", c.Envs, 1, 1<<20)
	atLeast("steps", c.Steps, 1, 1<<20)
	atLeast("workers", c.Workers, 0, 1<<10)
	atLeast("shards", c.Shards, 1, 1<<10)
	atLeast("lag", c.Lag, 0, 1)
	atLeast("max_decisions", c.MaxDecisions, 0, many)
	atLeast("evaluation.every", c.Evaluation.Every, 0, many)
	atLeast("evaluation.games", c.Evaluation.Games, 1, many)
	atLeast("evaluation.closing_games", c.Evaluation.ClosingGames, 1, many)
	atLeast("evaluation.tournament", c.Evaluation.Tournament, 0, many)
	atLeast("checkpoints.every", c.Checkpoints.Every, 1, many)
	atLeast("checkpoints.keep", c.Checkpoints.Keep, 1, many)
	atLeast("checkpoints.milestone", c.Checkpoints.Milestone, 0, many)
	if n := c.Evaluation.Luck; n != 0 && (n < 2 || n > mostLuck) {
		faults = append(faults, fmt.Errorf("evaluation.luck is %d, it must be from 2 to %d, or 0 for none", n, mostLuck))
	}
	if err := learned.CheckTemperature(c.Evaluation.Temperature); err != nil {
		faults = append(faults, fmt.Errorf("evaluation.%w", err))
	}
	if n := c.Network; n.Sharpen != 0 && (n.From == "" || !(n.Sharpen >= 0.01 && n.Sharpen <= 100)) {
		faults = append(faults, fmt.Errorf("network.sharpen is %v, it must be from 0.01 to 100, and 0 without network.from", n.Sharpen))
	}
	g, err := c.NewGame()
	if err != nil {
		return oneLine(append(faults, err))
	}
	if _, err := c.networkFor(g); err != nil && c.Network.config(1, 1, 1).Validate() == nil {
		faults = append(faults, err)
	}
	faults = append(faults, c.Archive.validate(g), c.validateMargin(g))
	if c.Evaluation.Exact {
		faults = append(faults, validateExact(g))
	}
	if _, err := league.New(g, c.League); err != nil && c.League.Validate() == nil {
		faults = append(faults, err)
	}
	if c.Network.Bins > 0 && c.PPO.ValueClip > 0 {
		faults = append(faults, errors.New("ppo.value_clip: it is for values that are numbers; with network.bins it must be 0"))
	}
	if _, err := learned.NewAdviser(g, network.Config{Advice: c.Network.Advice, Advisers: c.Network.Advisers}); err != nil {
		faults = append(faults, fmt.Errorf("network.advice: %w", err))
	}
	if c.Network.Advice > 0 && c.PPO.Unmasked {
		faults = append(faults, errors.New("network.advice: masks carry it; ppo.unmasked must be false"))
	}
	if c.SkipForced && c.PPO.Unmasked {
		faults = append(faults, errors.New("skip_forced: without masks no decision is forced; ppo.unmasked must be false"))
	}
	if c.Lessons.Updates > 0 && c.PPO.Unmasked {
		faults = append(faults, errors.New("lessons: a teacher plays legal moves alone; ppo.unmasked must be false"))
	}
	faults = append(faults, c.Lessons.Validate(g))
	for _, name := range c.Evaluation.Against {
		if _, err := roster.New(g, name); err != nil {
			faults = append(faults, fmt.Errorf("evaluation.against: %w", err))
		}
	}
	return oneLine(faults)
}

// validateMargin reports what is wrong with Margin.
func (c Config) validateMargin(g engine.Game) error {
	if err := c.Margin.Validate("margin", 1); err != nil {
		return err
	}
	if _, ok := g.New().(engine.Marginal); c.Margin != (ppo.Schedule{}) && !ok {
		return fmt.Errorf("margin: in %s nobody can say by how much a seat is ahead; it must be 0", g.Spec().Name)
	}
	return nil
}

// oneLine joins faults, keeping what they wrap, into an error of a single line.
func oneLine(faults []error) error {
	err := errors.Join(faults...)
	if err == nil {
		return nil
	}
	return lineError{err}
}

type lineError struct{ error }

func (e lineError) Error() string {
	text := "config: " + strings.ReplaceAll(e.error.Error(), "\n", "; ")
	if usage := option.ErrUsage.Error() + ": "; errors.Is(e.error, option.ErrUsage) {
		text = usage + strings.ReplaceAll(text, usage, "")
	}
	return text
}
func (e lineError) Unwrap() error { return e.error }

// config is the whole architecture for a game's sizes.
func (n Network) config(inputs, actions, seats int) network.Config {
	return network.Config{
		Inputs: inputs, Actions: actions, Seats: seats,
		Hidden: n.Hidden, Activation: n.Activation, LayerNorm: n.LayerNorm, Residual: n.Residual, Bins: n.Bins, Advice: n.Advice, Advisers: n.Advisers,
	}
}

// networkFor returns the architecture for a game.
func (c Config) networkFor(g engine.Game) (network.Config, error) {
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return network.Config{}, err
	}
	shape := c.Network.config(encoder.Layout().Size, len(g.Spec().Actions), g.Spec().Seats)
	shape.Hidden = slices.Clone(shape.Hidden)
	for i, e := range c.Network.Entities {
		found, err := e.resolve(encoder.Layout(), g.Spec())
		if err != nil {
			return shape, fmt.Errorf("network.entities[%d]: %w", i, err)
		}
		shape.Entities = append(shape.Entities, found)
		for layer := range shape.Hidden {
			shape.Hidden[layer] += e.Count * e.Width
		}
	}
	return shape, shape.Validate()
}
