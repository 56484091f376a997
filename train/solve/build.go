package solve

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"powderkeg/engine"
	"powderkeg/env/memory"
)

// ErrTooLarge is wrapped by the error of Build for a tree above the limit.
var ErrTooLarge = errors.New("too large")

// ErrMemory is wrapped beside ErrTooLarge where the machine's memory is the limit.
var ErrMemory = errors.New("the memory of this machine")

// ErrNoInfoStates is wrapped by the error of Build for a game whose states do not
// tell information states apart.
var ErrNoInfoStates = errors.New("no information states")

// DefaultMaxNodes is the limit of a tree where none is given. A tree of that size
// takes some seconds to build and some hundred megabytes of memory.
const DefaultMaxNodes = 2_000_000

// Limits bound a tree and say who is told about its growth.
type Limits struct {
	// MaxNodes is the largest number of nodes, chance nodes and ends included, below
	// 1<<31; 0 means DefaultMaxNodes.
	MaxNodes int
	// Progress, if not nil, is told the number of nodes now and then.
	Progress func(nodes int)
	// ByView takes the hash of what a seat sees for the key of its information state, so that
	// games without keys (engine.Recaller) can be solved from late positions: a view holds all
	// that its seat knows. Two of the few million views of such a tree share a hash of 64 bits
	// with a probability below one in a million.
	ByView bool
}

// heap is how much memory the process's objects take.
func heap() memory.Size {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return memory.Size(s.HeapAlloc)
}

// checkEvery is how many nodes lie between two looks at the context.
const checkEvery = 1 << 16

// Build walks the whole game. Errors wrap ErrTooLarge, ErrNoInfoStates or
// ctx.Err(), or tell of a game that breaks the contract of engine.Recaller.
func Build(ctx context.Context, g engine.Game, limits Limits) (*Tree, error) {
	return BuildAmong(ctx, g, []engine.State{g.New()}, limits)
}

// BuildAmong walks the game that begins in one of the states, each as likely as another: deals
// that the seats cannot tell apart, say. A seat that can, knows from the first which it is in. The
// states stay the caller's. Errors are those of Build.
func BuildAmong(ctx context.Context, g engine.Game, starts []engine.State, limits Limits) (*Tree, error) {
	if limits.MaxNodes == 0 {
		limits.MaxNodes = DefaultMaxNodes
	}
	if limits.MaxNodes < 0 || limits.MaxNodes > math.MaxInt32 {
		return nil, fmt.Errorf("solve: at most %d nodes are allowed, want 1 to %d", limits.MaxNodes, math.MaxInt32)
	}
	name := g.Spec().Text
	if len(starts) == 0 {
		return nil, fmt.Errorf("solve: %s has no state to start from", name)
	}
	if _, ok := starts[0].(engine.Recaller); !ok && !limits.ByView {
		return nil, fmt.Errorf("%s has %w", name, ErrNoInfoStates)
	}
	seats := g.Spec().Seats
	b := builder{
		ctx: ctx, limits: limits, game: g,
		tree:  &Tree{game: g, sides: make([]side, seats)},
		known: make([]map[string]int32, seats),
		now:   make([]int32, seats),
	}
	for i := range b.tree.sides {
		b.tree.sides[i].first = []int32{1}
		b.known[i] = map[string]int32{}
	}
	if err := b.begin(starts); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := b.tree
	t.at = append(t.at, int32(len(t.edges)))
	for i := range t.sides {
		t.sides[i].forgets = forgets(t.sides[i].states)
	}
	return t, nil
}

func forgets(states []InfoState) bool {
	keys := make(map[string]bool, len(states))
	for i := range states {
		if keys[states[i].Key] {
			return true
		}
		keys[states[i].Key] = true
	}
	return false
}

// builder holds what grows while the tree is walked.
type builder struct {
	ctx    context.Context
	limits Limits
	game   engine.Game
	tree   *Tree
	// known finds the information states of each seat by the sequence that leads to
	// them, in four bytes, and their key.
	known []map[string]int32
	now   []int32 // the sequence of each seat at the node being walked
	depth []scratch
	key   []byte
}

// scratch is the memory that the nodes of one depth share.
type scratch struct {
	state    engine.State
	legal    []engine.Action
	outcomes []engine.Outcome
	returns  []float32
}

// begin walks the only start, or a chance node before several.
func (b *builder) begin(starts []engine.State) error {
	if len(starts) == 1 {
		return b.walk(starts[0], 0, 1)
	}
	t := b.tree
	t.at, t.actor, t.info = append(t.at, 0), append(t.actor, engine.Chance), append(t.info, 0)
	t.chances++
	share := 1 / float64(len(starts))
	from := b.open(len(starts))
	for range starts {
		t.lots = append(t.lots, share)
	}
	for k, s := range starts {
		t.edges[from+k] = int32(len(t.actor))
		if err := b.walk(s, 0, share); err != nil {
			return err
		}
	}
	return nil
}

// walk appends the node of s and all below it. The chance events up to it have the
// given probability.
func (b *builder) walk(s engine.State, depth int, chance float64) error {
	t := b.tree
	n := len(t.actor)
	if n == b.limits.MaxNodes {
		return fmt.Errorf("%w: the tree has more than %d nodes", ErrTooLarge, n)
	}
	if n%checkEvery == 0 {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		// What has grown so far grows by as much again when its slices are full.
		if n > 0 && heap() > memory.Usable() {
			return fmt.Errorf("%w for %w: the tree has more than %d nodes", ErrTooLarge, ErrMemory, n)
		}
		if b.limits.Progress != nil && n > 0 {
			b.limits.Progress(n)
		}
	}
	if depth == len(b.depth) {
		b.depth = append(b.depth, scratch{state: b.game.New()})
	}
	actor := s.ToAct()
	t.at = append(t.at, int32(len(t.edges)))
	t.actor = append(t.actor, actor)
	switch actor {
	case engine.Terminal:
		b.end(s, depth, chance)
		return nil
	case engine.Chance:
		return b.event(s, depth, chance)
	}
	return b.decision(s, depth, chance)
}

// end records the payoffs of an end of the game.
func (b *builder) end(s engine.State, depth int, chance float64) {
	d := &b.depth[depth]
	d.returns = s.Returns(d.returns[:0])
	for i := range b.tree.sides {
		side := &b.tree.sides[i]
		side.last = append(side.last, b.now[i])
		side.returns = append(side.returns, d.returns[i])
	}
	b.tree.info = append(b.tree.info, int32(len(b.tree.chance)))
	b.tree.chance = append(b.tree.chance, chance)
}

// event walks the outcomes of a chance node.
func (b *builder) event(s engine.State, depth int, chance float64) error {
	d := &b.depth[depth]
	d.outcomes = s.(engine.Stochastic).Outcomes(d.outcomes[:0])
	outcomes, total := d.outcomes, float64(engine.Total(d.outcomes))
	t := b.tree
	t.chances++
	t.info = append(t.info, int32(len(t.lots)))
	for _, o := range outcomes {
		t.lots = append(t.lots, float64(o.Weight)/total)
	}
	from := b.open(len(outcomes))
	for k, o := range outcomes {
		if err := b.child(s, from+k, depth, o.Action, chance*(float64(o.Weight)/total)); err != nil {
			return err
		}
	}
	return nil
}

// decision finds the information state of a decision and walks its actions.
func (b *builder) decision(s engine.State, depth int, chance float64) error {
	d := &b.depth[depth]
	d.legal = s.Legal(d.legal[:0])
	seat := s.ToAct()
	i, err := b.infoState(s, seat, d.legal)
	if err != nil {
		return err
	}
	b.tree.decisions++
	b.tree.info = append(b.tree.info, i)
	legal, first, before := d.legal, b.tree.sides[seat].first[i], b.now[seat]
	from := b.open(len(legal))
	for k, a := range legal {
		b.now[seat] = first + int32(k)
		if err := b.child(s, from+k, depth, a, chance); err != nil {
			return err
		}
	}
	b.now[seat] = before
	return nil
}

// open makes room for the edges of a node with k children and returns the first.
func (b *builder) open(k int) int {
	from := len(b.tree.edges)
	b.tree.edges = append(b.tree.edges, make([]int32, k)...)
	return from
}

// child walks what follows from one move in s.
func (b *builder) child(s engine.State, edge, depth int, a engine.Action, chance float64) error {
	// Deeper calls may move the slice of scratches, not the states in it.
	next := b.depth[depth].state
	next.CopyFrom(s)
	if err := next.Apply(a); err != nil {
		return fmt.Errorf("a possible move is refused: %w", err)
	}
	b.tree.edges[edge] = int32(len(b.tree.actor))
	return b.walk(next, depth+1, chance)
}

// infoState returns the number of the seat's information state in s, a new one the
// first time.
func (b *builder) infoState(s engine.State, seat engine.Player, legal []engine.Action) (int32, error) {
	side := &b.tree.sides[seat]
	const prefix = 4
	b.key = binary.LittleEndian.AppendUint32(b.key[:0], uint32(b.now[seat]))
	if b.limits.ByView {
		b.key = binary.LittleEndian.AppendUint64(b.key, engine.Look(s, seat).Hash())
	} else {
		b.key = s.(engine.Recaller).InfoState(b.key, seat)
	}
	if i, ok := b.known[seat][string(b.key)]; ok {
		if have := side.states[i].Legal; !slices.Equal(have, legal) {
			return 0, fmt.Errorf("information state %q of seat %d allows the actions %v in one state and %v in another", b.key[prefix:], seat, have, legal)
		}
		return i, nil
	}
	i := int32(len(side.states))
	b.known[seat][string(b.key)] = i
	view := engine.Look(s, seat)
	if _, shared := view.(engine.State); shared {
		view = engine.Clone(b.game, s) // s is played on
	}
	side.states = append(side.states, InfoState{Seat: seat, Key: string(b.key[prefix:]), Legal: slices.Clone(legal), View: view})
	side.parent = append(side.parent, b.now[seat])
	side.first = append(side.first, side.first[i]+int32(len(legal)))
	return i, nil
}
