package values

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/train/luck"
)

// SegmentGames is how many games each file of a store has: what an interruption loses at most,
// for each worker.
const SegmentGames = 64

// Collection describes the games of a store.
type Collection struct {
	Game engine.Game
	// Names are those of Agent and Others: a player for the seat that moves on from game to game,
	// and one for each other seat.
	Names [2]string
	// Prints identify what the names mean where that may change (checkpoints.Fingerprint), else "".
	Prints        [2]string
	Agent, Others func() (agents.Agent, error)
	// Games is how many there shall be, rounded up to whole segments.
	Games int
	// Moments is how many decisions, and how many events of chance, are kept of a game at most.
	Moments int
	Sight   Sight
	Seed    uint64
	// Workers is how many games are played at a time; the store does not depend on it.
	Workers  int
	Progress func(done, total int)
}

// Collect plays the games that the store in dir lacks and returns it. A store that is there must
// be of the same games; one with more of them stays as it is and is read as far as asked. After
// ctx ends, what is whole stays, and Collect goes on from there another time.
func Collect(ctx context.Context, dir string, c Collection) (*Store, error) {
	head, err := c.head()
	if err != nil {
		return nil, err
	}
	segments := (c.Games + SegmentGames - 1) / SegmentGames
	missing, err := prepare(dir, head, segments)
	if err != nil {
		return nil, err
	}
	if err := c.play(ctx, dir, head, segments, missing); err != nil {
		return nil, err
	}
	return Open(dir, c.Game, segments*SegmentGames)
}

// play plays the segments that are missing of so many.
func (c Collection) play(ctx context.Context, dir string, head Head, segments int, missing []int) error {
	var (
		group, groupCtx = errgroup.WithContext(ctx)
		next            atomic.Int64
		mu              sync.Mutex
		done            = (segments - len(missing)) * SegmentGames // guarded by mu
	)
	for range max(1, min(c.Workers, len(missing))) {
		group.Go(func() error {
			w, err := newPlayer(c)
			if err != nil {
				return err
			}
			for {
				k := int(next.Add(1)) - 1
				if k >= len(missing) {
					return nil
				}
				data, err := w.segment(groupCtx, missing[k], func() {
					mu.Lock()
					defer mu.Unlock()
					if done++; c.Progress != nil {
						c.Progress(done, segments*SegmentGames)
					}
				})
				if err != nil {
					return err
				}
				if err := writeSegment(dir, head, missing[k], data); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// moment is a state that may be kept.
type moment struct {
	state engine.State
	ply   int
	came  engine.Action // of chance
}

// reservoir keeps so many of the moments that it is shown, each with the same probability.
type reservoir struct {
	kept []moment // used up to n
	n    int
	seen int
}

func newReservoir(g engine.Game, most int) reservoir {
	r := reservoir{kept: make([]moment, most)}
	for i := range r.kept {
		r.kept[i].state = g.New()
	}
	return r
}

func (r *reservoir) begin() { r.n, r.seen = 0, 0 }

// show keeps the moment or passes it by (Vitter, "Random sampling with a reservoir", 1985,
// algorithm R).
func (r *reservoir) show(s engine.State, ply int, came engine.Action, rng *rand.Rand) {
	at := r.n
	if r.n < len(r.kept) {
		r.n++
	} else if at = rng.IntN(r.seen + 1); at >= r.n {
		at = -1
	}
	r.seen++
	if at >= 0 {
		m := &r.kept[at]
		m.state.CopyFrom(s)
		m.ply, m.came = ply, came
	}
}

// player plays the games of segments. It belongs to one goroutine.
type player struct {
	c                 Collection
	table             *table.Table
	eyes              *eyes
	agent             agents.Agent
	others, seats     []agents.Agent
	decisions, chance reservoir
	probe             engine.State
	outcomes          []engine.Outcome
	base, after       []float32
	returns           []float32
}

func newPlayer(c Collection) (*player, error) {
	e, err := newEyes(c.Game, c.Sight)
	if err != nil {
		return nil, err
	}
	w := &player{
		c: c, table: table.New(c.Game), eyes: e, seats: make([]agents.Agent, c.Game.Spec().Seats),
		decisions: newReservoir(c.Game, c.Moments), chance: newReservoir(c.Game, c.Moments), probe: c.Game.New(),
		base: make([]float32, e.inputs()), after: make([]float32, e.inputs()),
	}
	if w.agent, err = c.Agent(); err != nil {
		return nil, err
	}
	for range len(w.seats) - 1 {
		other, err := c.Others()
		if err != nil {
			return nil, err
		}
		w.others = append(w.others, other)
	}
	return w, nil
}

// segment plays the games of a segment.
func (w *player) segment(ctx context.Context, segment int, played func()) ([]byte, error) {
	var data []byte
	for k := range SegmentGames {
		n := segment*SegmentGames + k
		plies, returns, err := w.play(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", n+1, err)
		}
		data = w.write(data, plies, returns)
		played()
	}
	return data, nil
}

// play plays game n.
func (w *player) play(ctx context.Context, n int) (plies int, returns []float32, err error) {
	seat := n % len(w.seats)
	copy(w.seats, w.others[:seat])
	w.seats[seat] = w.agent
	copy(w.seats[seat+1:], w.others[seat:])
	h := engine.NewHash().Word(w.c.Seed).Word(uint64(n)).Word(0x76616c756573)
	rng := rand.New(rand.NewPCG(uint64(h.Word(2)), 0))
	w.decisions.begin()
	w.chance.begin()
	returns, err = w.table.Play(ctx, w.seats, table.Seeds{Chance: uint64(h.Word(0)), Agents: uint64(h.Word(1))}, table.Options{
		Each: func(s engine.State, a engine.Action) {
			if s.ToAct() != engine.Chance {
				w.decisions.show(s, plies, 0, rng)
			} else if w.outcomes = s.(engine.Stochastic).Outcomes(w.outcomes[:0]); len(w.outcomes) > 1 && len(w.outcomes) <= luck.MostOutcomes {
				w.chance.show(s, plies, a, rng)
			}
			plies++
		},
	})
	return plies, returns, err
}

// write appends a game: its plies, how many events of chance it had, its returns, and its
// moments in their order.
func (w *player) write(dst []byte, plies int, returns []float32) []byte {
	dst = binary.AppendUvarint(dst, uint64(plies))
	dst = binary.AppendUvarint(dst, uint64(w.chance.seen))
	for _, x := range returns {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	kept := slices.Concat(w.decisions.kept[:w.decisions.n], w.chance.kept[:w.chance.n])
	slices.SortFunc(kept, func(a, b moment) int { return a.ply - b.ply })
	dst = binary.AppendUvarint(dst, uint64(len(kept)))
	for i := range kept {
		dst = w.writeMoment(dst, &kept[i])
	}
	return dst
}

// writeMoment appends a moment: its ply, what is observed of it, and of an event of chance its
// outcomes: how many, which one came, and for each its weight, whether the game is over then,
// and what is observed beyond what was before, or the returns.
func (w *player) writeMoment(dst []byte, m *moment) []byte {
	dst = binary.AppendUvarint(dst, uint64(m.ply))
	w.eyes.encode(w.base, m.state)
	dst = appendRow(dst, w.base, nil)
	if m.state.ToAct() != engine.Chance {
		return append(dst, 0)
	}
	w.outcomes = m.state.(engine.Stochastic).Outcomes(w.outcomes[:0])
	dst = binary.AppendUvarint(dst, uint64(len(w.outcomes)))
	came := slices.IndexFunc(w.outcomes, func(o engine.Outcome) bool { return o.Action == m.came })
	dst = binary.AppendUvarint(dst, uint64(came))
	for _, o := range w.outcomes {
		w.probe.CopyFrom(m.state)
		if err := w.probe.Apply(o.Action); err != nil {
			panic("values: an outcome that was offered is refused: " + err.Error())
		}
		dst = binary.AppendUvarint(dst, uint64(o.Weight))
		if w.probe.ToAct() == engine.Terminal {
			dst = append(dst, 1)
			w.returns = w.probe.Returns(w.returns[:0])
			for _, x := range w.returns {
				dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
			}
			continue
		}
		dst = append(dst, 0)
		w.eyes.encode(w.after, w.probe)
		dst = appendRow(dst, w.after, w.base)
	}
	return dst
}
