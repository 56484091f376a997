package lessons

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
)

// player writes games and plays them again. It belongs to one goroutine.
type player struct {
	env     *env.Env
	teacher agents.Policy
	adviser *learned.Adviser
	others  []agents.Policy // who plays, the teacher among them as nil
	learner agents.Policy   // nil without a share
	share   float64         // of the seats that the learner plays
	seats   []agents.Policy // of the game under way, nil for the teacher
	choices []byte          // scratch
	scale   float32         // returns into the unit of values
}

// playStream is the PCG stream of the choices in a game.
const playStream = 0x6c6573736f6e73

// write plays the game of that seed and records it. The same seed and the same players
// give the same game.
func (p *player) write(seed uint64) (record, error) {
	e, rng := p.env, rand.NewPCG(seed, playStream)
	r := record{seed: seed, choices: p.choices[:0]}
	for q := range p.seats {
		if p.learner != nil && engine.Unit(rng) < p.share {
			p.seats[q] = p.learner
			continue
		}
		p.seats[q] = p.others[engine.Uint32N(rng, uint32(len(p.others)))]
	}
	for e.Reset(seed); !e.Terminated(); {
		legal, actor := e.Legal(), e.Actor()
		played := 0
		if len(legal) > 1 {
			view := e.View(actor)
			advised, err := agents.Choose(p.teacher, view, actor, legal, rng)
			if err != nil {
				return record{}, fmt.Errorf("lessons: the teacher on seat %d: %w", actor, err)
			}
			answer := slices.Index(legal, advised)
			played = answer
			if other := p.seats[actor]; other != nil {
				chosen, err := agents.Choose(other, view, actor, legal, rng)
				if err != nil {
					return record{}, fmt.Errorf("lessons: seat %d: %w", actor, err)
				}
				played = slices.Index(legal, chosen)
			}
			r.choose(played, answer)
		}
		if err := e.Step(legal[played]); err != nil {
			return record{}, fmt.Errorf("lessons: seat %d: %w", actor, err)
		}
	}
	p.choices = r.choices
	r.choices = slices.Clone(r.choices)
	return r, nil
}

// part is the rows of a game that a pass takes at once: those whose number is rest
// modulo parts.
type part struct {
	game        int32
	rest, parts int32
}

// rows is how many rows of a game of n the part has.
func (p part) rows(n int) int { return (n - int(p.rest) + int(p.parts) - 1) / int(p.parts) }

// read plays a game of the set again and writes the rows of the part to w, from row at.
func (p *player) read(r *record, take part, w *window, at int) error {
	e := p.env
	choices, first, row := r.choices, at, 0
	for e.Reset(r.seed); !e.Terminated(); {
		legal := e.Legal()
		played := 0
		if len(legal) > 1 {
			var answer int
			var ok bool
			if played, answer, choices, ok = next(choices, len(legal)); !ok || row == r.rows {
				return misfit(take.game)
			}
			if row%int(take.parts) == int(take.rest) {
				w.put(at, e, legal[answer], p.adviser)
				at++
			}
			row++
		}
		if err := e.Step(legal[played]); err != nil {
			return misfit(take.game)
		}
	}
	if len(choices) > 0 || row != r.rows {
		return misfit(take.game)
	}
	w.settle(first, at, e.Returns(), p.scale)
	return nil
}

// misfit is the error of a game that cannot be played again.
func misfit(game int32) error {
	return fmt.Errorf("%w: lessons: game %d of the set is not one of these rules", checkpoints.ErrCorrupt, game)
}

// window is rows of games, mixed enough to learn from.
type window struct {
	inputs, actions, seats int

	rows    int
	obs     []float32 // [rows, inputs]
	mask    []uint8   // [rows, actions]
	answers []int32
	actors  []engine.Player
	// returns [rows, seats] are what each seat still gains from there on, in the actor's
	// perspective: entry k is that of seat (actor+k) mod seats.
	returns []float32
}

func newWindow(rows, inputs, actions, seats int) *window {
	return &window{
		inputs: inputs, actions: actions, seats: seats,
		obs: make([]float32, rows*inputs), mask: make([]uint8, rows*actions),
		answers: make([]int32, rows), actors: make([]engine.Player, rows), returns: make([]float32, rows*seats),
	}
}

// size is how many rows it has room for.
func (w *window) size() int { return len(w.answers) }

// put writes the decision that the environment stands at.
func (w *window) put(row int, e *env.Env, answer engine.Action, adviser *learned.Adviser) {
	mask := w.mask[row*w.actions : (row+1)*w.actions]
	e.Observe(w.obs[row*w.inputs:(row+1)*w.inputs], mask)
	adviser.MarkNext(mask, e)
	w.answers[row], w.actors[row] = int32(answer), e.Actor()
	for q, paid := range e.Returns() {
		w.returns[row*w.seats+w.entry(row, q)] = -paid
	}
}

// settle completes rows from to to with what the game has paid in the end.
func (w *window) settle(from, to int, returns []float32, scale float32) {
	for row := from; row < to; row++ {
		for q, r := range returns {
			at := row*w.seats + w.entry(row, q)
			w.returns[at] = (w.returns[at] + r) * scale
		}
	}
}

// entry is where seat q stands in a row.
func (w *window) entry(row, q int) int { return (q - int(w.actors[row]) + w.seats) % w.seats }
