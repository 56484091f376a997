package bank

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/train/solve"
)

// Config says where positions come from, and which are kept.
type Config struct {
	Game engine.Game
	// Players makes a player of all seats; Name is the player's.
	Players func() agents.Policy
	Name    string
	// Positions is how many are wanted, Games how many games are played for them at the most.
	Positions int
	Games     int
	// Each is how many a game gives at the most, drawn from those that it has.
	Each   int
	Limits Limits
	Seed   uint64
	// Workers is how many games are looked at at a time, 0 for one. The bank does not depend on it.
	Workers int
	// Progress, if not nil, is told of the positions found after each games.
	Progress func(positions, games int)
}

// What a Config may ask for at the most.
const (
	MostPositions = 1_000_000
	MostDeals     = 1_000_000
	MostNodes     = 100_000_000
)

// Default returns settings for a game.
func Default(g engine.Game) Config {
	return Config{Game: g, Positions: 100, Games: 10_000, Each: 2, Limits: Limits{Deals: 4096, Nodes: 200_000, Cut: 0.1}, Seed: 1}
}

// validate reports all faults at once.
func (c Config) validate() error {
	var faults []error
	within := func(name string, n, most int) {
		if n < 1 || n > most {
			faults = append(faults, fmt.Errorf("%s is %d, it must be from 1 to %d", name, n, most))
		}
	}
	within("positions", c.Positions, MostPositions)
	within("games", c.Games, MostPositions)
	within("each", c.Each, MostPositions)
	within("deals", c.Limits.Deals, MostDeals)
	within("nodes", c.Limits.Nodes, MostNodes)
	if !(c.Limits.Cut >= 0 && c.Limits.Cut <= 2) {
		faults = append(faults, fmt.Errorf("cut is %g, it must be from 0 to 2", c.Limits.Cut))
	}
	if faults == nil {
		return nil
	}
	return option.Wrong(fmt.Errorf("bank: %w", errors.Join(faults...)))
}

// Make plays games and keeps positions of them, each once. There are fewer than wanted if the games come to
// an end first, and an error if there are none. When ctx ends it returns ctx's error, with the bank of the games that
// are over if they have given any positions: so many games give it again.
func Make(ctx context.Context, c Config) (*Bank, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	spec := c.Game.Spec()
	b := &Bank{Game: spec.Text, Rules: spec.Version, Players: c.Name, Seed: c.Seed, Limits: c.Limits}
	finders := make([]*finder, max(1, c.Workers))
	for i := range finders {
		finders[i] = &finder{config: &c, players: c.Players()}
	}
	known := map[string]bool{} // positions, by the digests of their deals
	for b.Games < c.Games && len(b.Positions) < c.Positions {
		n := min(len(finders), c.Games-b.Games)
		found, faults := make([][]Position, n), make([]error, n)
		var all sync.WaitGroup
		for i, f := range finders[:n] {
			all.Go(func() { found[i], faults[i] = f.game(ctx, b.Games+i) })
		}
		all.Wait()
		// Games count one by one, so that the last of them does not depend on how many there are at a time.
		for i := 0; i < n && len(b.Positions) < c.Positions; i++ {
			if ctx.Err() != nil && errors.Is(faults[i], ctx.Err()) && len(b.Positions) > 0 {
				return b, ctx.Err()
			}
			if faults[i] != nil {
				return nil, fmt.Errorf("bank: game %d: %w", b.Games+1, faults[i])
			}
			b.Games++
			for _, p := range found[i] {
				if !known[p.Digest] && len(b.Positions) < c.Positions {
					known[p.Digest] = true
					b.Positions = append(b.Positions, p)
				}
			}
			if c.Progress != nil {
				c.Progress(len(b.Positions), b.Games)
			}
		}
	}
	if len(b.Positions) == 0 {
		return nil, fmt.Errorf("bank: no contested position of %s could be solved in %d games, with up to %d deals and %d nodes",
			spec.Text, b.Games, c.Limits.Deals, c.Limits.Nodes)
	}
	return b, nil
}

// Alone makes the bank of the one position that a game begins in, which all seats know, without any games.
func Alone(ctx context.Context, g engine.Game, l Limits) (*Bank, error) {
	spec := g.Spec()
	start := g.New()
	p, err := pose(ctx, g, start, l, true)
	if err != nil {
		return nil, err
	}
	at, err := p.solved(ctx, start)
	if err != nil {
		return nil, err
	}
	return &Bank{Game: spec.Text, Rules: spec.Version, Known: true, Limits: l, Positions: []Position{*at}}, nil
}

// solved solves a position.
func (p *Problem) solved(ctx context.Context, s engine.State) (*Position, error) {
	value, gap, err := p.Solve(ctx)
	if err != nil {
		return nil, err
	}
	lost, err := p.lost(Uniform{}, value)
	if err != nil {
		return nil, err
	}
	text, err := written(s)
	if err != nil {
		return nil, err
	}
	deals, nodes, digest := p.size()
	return &Position{Position: text, Deals: deals, Digest: digest, Nodes: nodes, Value: value, Gap: gap, Uniform: lost}, nil
}

// finder looks for positions. It belongs to one goroutine.
type finder struct {
	config  *Config
	players agents.Policy
	states  []engine.State // at the choices of a game
	legal   []engine.Action

	probe    engine.State // of random games
	outcomes []engine.Outcome
	returns  []float32 // at its end, and at that of the first one
	first    []float32
}

// findStream is the PCG stream of the draws of a game.
const findStream = 0x66696e64

// tooLarge is how many positions in a row may be too large before earlier ones are taken to be so too.
const tooLarge = 4

// game plays the game of that number and returns the positions that are kept of it, the earliest first.
func (f *finder) game(ctx context.Context, number int) ([]Position, error) {
	c := f.config
	rng := rand.NewPCG(uint64(engine.NewHash().Word(c.Seed).Word(uint64(number))), findStream)
	if err := f.play(ctx, rng); err != nil {
		return nil, err
	}
	var kept []Position
	for back, large := 1, 0; back <= len(f.states) && large < tooLarge; back++ {
		p, err := f.position(ctx, f.states[len(f.states)-back])
		switch {
		case errors.Is(err, solve.ErrTooLarge) || errors.Is(err, errManyDeals):
			large++
			continue
		case err != nil:
			return nil, err
		}
		if large = 0; p != nil {
			p.Game, p.Back = number, back
			kept = append(kept, *p)
		}
	}
	for len(kept) > c.Each {
		i := int(engine.Uint32N(rng, uint32(len(kept))))
		kept = slices.Delete(kept, i, i+1)
	}
	slices.Reverse(kept)
	return kept, nil
}

// play plays a game and keeps the states of all choices among several actions.
func (f *finder) play(ctx context.Context, rng *rand.PCG) error {
	g := f.config.Game
	f.states = f.states[:0]
	for s := g.New(); s.ToAct() != engine.Terminal; {
		if err := ctx.Err(); err != nil {
			return err
		}
		seat := s.ToAct()
		if seat == engine.Chance {
			if err := s.Apply(engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)); err != nil {
				return err
			}
			continue
		}
		f.legal = s.Legal(f.legal[:0])
		a := f.legal[0]
		if len(f.legal) > 1 {
			f.states = append(f.states, engine.Clone(g, s))
			var err error
			if a, err = agents.Choose(f.players, engine.Look(s, seat), seat, f.legal, rng); err != nil {
				return err
			}
		}
		if err := s.Apply(a); err != nil {
			return err
		}
	}
	return nil
}

// position solves a state. It is nil if it is not contested, or of no kind that can be solved.
func (f *finder) position(ctx context.Context, s engine.State) (*Position, error) {
	c := f.config
	switch nodes, alike := f.guess(s); {
	case nodes > float64(c.Limits.Nodes):
		return nil, solve.ErrTooLarge
	case alike && nodes > few:
		return nil, nil
	}
	p, err := Pose(ctx, c.Game, s, c.Limits)
	if errors.Is(err, errKind) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !p.contested(c.Limits.Cut * p.largest) {
		return nil, nil
	}
	at, err := p.solved(ctx, s)
	if errors.Is(err, errUnsolved) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, x := range at.Uniform {
		sum += x
	}
	if sum < c.Limits.Cut*p.largest {
		return nil, nil
	}
	return at, nil
}

// What is not worth a look is passed over by random games from a position: one whose tree is guessed to have more
// nodes than it may have, and one of more than a few nodes whose games all end alike. To build the trees
// of these took nine tenths of the time, and few were kept: most trees that are too large are far too large, and
// most late positions are decided. A few that are good go with them. In a cooperative game the states
// are fewer than the nodes of the tree.
const (
	probes = 16
	few    = 2000
)

// probeStream is the PCG stream of the random games from a position.
const probeStream = 0x70726f6265

// guess estimates the nodes of the tree that begins in s, by random games from there: the product of the
// numbers of moves on the way to a node is how many nodes stand for it (D. E. Knuth, "Estimating the
// Efficiency of Backtrack Programs", Mathematics of Computation 29, 1975). It also says whether all of the games
// had the same end. They begin in s and in what the seat to act holds possible, and depend on s alone.
func (f *finder) guess(s engine.State) (nodes float64, alike bool) {
	rng := rand.NewPCG(s.Hash(), probeStream)
	if f.probe == nil {
		f.probe = f.config.Game.New()
	}
	enough := probes * float64(f.config.Limits.Nodes)
	alike = true
	for n := range probes {
		f.probe.CopyFrom(s)
		if hidden, ok := f.probe.(engine.Hidden); ok && n > 0 && s.ToAct() >= 0 {
			hidden.Redeal(engine.Look(s, s.ToAct()), rng)
		}
		for stand := 1.0; nodes <= enough; {
			nodes += stand
			if f.probe.ToAct() == engine.Terminal {
				break
			}
			move, of := f.randomly(rng)
			stand *= float64(of)
			if f.probe.Apply(move) != nil {
				return 0, false // whoever builds the tree says what is wrong
			}
		}
		f.returns = f.probe.Returns(f.returns[:0])
		if n == 0 {
			f.first = append(f.first[:0], f.returns...)
		}
		alike = alike && slices.Equal(f.first, f.returns)
	}
	return nodes / probes, alike
}

// randomly draws a move of the random game, and says of how many.
func (f *finder) randomly(rng *rand.PCG) (move engine.Action, of int) {
	if f.probe.ToAct() == engine.Chance {
		f.outcomes = f.probe.(engine.Stochastic).Outcomes(f.outcomes[:0])
		return engine.Sample(f.outcomes, rng), len(f.outcomes)
	}
	f.legal = f.probe.Legal(f.legal[:0])
	return f.legal[engine.Uint32N(rng, uint32(len(f.legal)))], len(f.legal)
}

// written is the position of a state; of one in the middle of a procedure, what it is loaded from and no more.
func written(s engine.State) (json.RawMessage, error) {
	text, err := s.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var middle struct {
		Rest  json.RawMessage `json:"rest,omitempty"`
		Since json.RawMessage `json:"since,omitempty"`
	}
	if err := json.Unmarshal(text, &middle); err != nil || middle.Rest == nil {
		return text, err
	}
	return json.Marshal(&middle)
}
