package suite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"reflect"
	"slices"

	"powderkeg/train/bank"
	"powderkeg/train/solve"
)

// A task with a bank is not played: its agent is asked what it does wherever its own answers let it come,
// and what it loses follows from the answers, which the archive keeps as it keeps games of other tasks.

// openBank reads the bank of a task and sets its anchors. It returns the file.
func (t *Task) openBank(folder fs.FS) ([]byte, error) {
	data, err := fs.ReadFile(folder, path.Join("banks", t.Bank))
	if err != nil {
		return nil, err
	}
	b, g, err := bank.Read(data)
	if err != nil {
		return nil, err
	}
	if spec := g.Spec(); spec.Text != t.game.Spec().Text || b.Rules != t.Rules {
		return nil, fmt.Errorf("its bank is of %s by version %d of the rules", spec.Text, b.Rules)
	}
	t.game, t.bank = g, b
	random := 0.0
	for i := range b.Positions {
		for _, x := range b.Positions[i].Uniform {
			random += x
		}
	}
	spec := g.Spec()
	unit := max(-float64(spec.MinReturn), float64(spec.MaxReturn)) * float64(len(b.Positions))
	t.Anchors = Anchors{Zero: -random / unit, One: 0, ZeroAgent: "random", OneAgent: "an equilibrium"}
	return data, nil
}

// solvedPlaces lists where the agent is asked: each run has its part of the positions, or all of them
// where there are fewer than runs.
func (d *Definition) solvedPlaces(t *Task) []Place {
	var list []Place
	n := len(t.bank.Positions)
	for run := range d.Runs {
		for i := range n {
			if n < d.Runs || i%d.Runs == run {
				list = append(list, Place{Task: t.Name, Run: run, Unit: i})
			}
		}
	}
	return list
}

// newSolved makes the player of an agent for the task and the run of a place.
func newSolved(ctx context.Context, d *Definition, at Place, source Source, agent string) (bank.Player, error) {
	t := d.Task(at.Task)
	seed := d.seeds(Place{Task: at.Task, Run: at.Run}).Agents
	if source != (ours{}) {
		own, err := source.Agent(ctx, t.game, at.agent(agent))
		return &bank.Asked{Context: ctx, Agent: own, Asks: t.Asks, Seed: seed}, err
	}
	players, err := bank.Players(ctx, t.game, at.agent(agent), t.Asks, seed)
	if err != nil {
		return nil, err
	}
	return players()
}

// lose says what a player loses in the position of a place, and by which answers.
func (d *Definition) lose(ctx context.Context, at Place, player bank.Player) (Entry, error) {
	t := d.Task(at.Task)
	answers := &answers{player: player}
	lost, err := t.bank.Judge(ctx, t.game, at.Unit, answers)
	if err != nil {
		return Entry{}, err
	}
	return Entry{Place: at, Answers: answers.said, Lost: lost}, nil
}

// proveLost works out again what the answers of an entry lose.
func (d *Definition) proveLost(ctx context.Context, e Entry) error {
	t := d.Task(e.Task)
	if e.Unit < 0 || e.Unit >= len(t.bank.Positions) {
		return fmt.Errorf("the bank has no position %d", e.Unit+1)
	}
	said := &retoldAnswers{rest: e.Answers}
	lost, err := t.bank.Judge(ctx, t.game, e.Unit, said)
	switch {
	case err != nil:
		return err
	case len(said.rest) > 0:
		return fmt.Errorf("%d bytes of answers are left, which nobody has asked for", len(said.rest))
	case !slices.EqualFunc(lost, e.Lost, func(x, y float64) bool { return math.Abs(x-y) <= rounded }):
		return fmt.Errorf("the answers lose %v, the record says %v", lost, e.Lost)
	}
	return nil
}

// rounded is how far a number may be from the same one worked out by another processor.
const rounded = 1e-4

// againLost asks the agent anew.
func (d *Definition) againLost(ctx context.Context, e Entry, source Source, agent string) error {
	player, err := newSolved(ctx, d, e.Place, source, agent)
	if err != nil {
		return err
	}
	fresh, err := d.lose(ctx, e.Place, player)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(fresh.Answers, e.Answers) {
		return errors.New("the agent gives other answers than the record")
	}
	return nil
}

// parts is how finely odds are kept: 0 to 1 in so many steps, a number of many divisors. What is judged is
// what is kept.
const parts = 240

// answers keeps what a player is asked: for a choice that it always makes, 1 and its number among
// the legal actions, else 0 and a byte for each.
type answers struct {
	player bank.Player
	said   []byte
}

// Odds implements bank.Player.
func (a *answers) Odds(dst []float64, s solve.InfoState) error {
	if err := a.player.Odds(dst, s); err != nil {
		return err
	}
	steps := inSteps(dst)
	if k := slices.Index(steps, parts); k >= 0 {
		a.said = binary.AppendUvarint(a.said, uint64(k)+1)
	} else {
		a.said = append(append(a.said, 0), steps...)
	}
	fromSteps(dst, steps)
	return nil
}

// inSteps rounds odds to whole steps that add up to all parts: what rounding down leaves goes to those that
// it took most from, of equal ones to the first.
func inSteps(odds []float64) []byte {
	sum := 0.0
	for _, x := range odds {
		sum += x
	}
	steps, left := make([]byte, len(odds)), make([]float64, len(odds))
	rest := parts
	for k, x := range odds {
		exact := x / sum * parts
		steps[k] = byte(exact)
		left[k] = exact - math.Floor(exact)
		rest -= int(steps[k])
	}
	for ; rest > 0; rest-- {
		most := 0
		for k, x := range left {
			if x > left[most] {
				most = k
			}
		}
		steps[most]++
		left[most] = -1
	}
	return steps
}

func fromSteps(dst []float64, steps []byte) {
	for k, n := range steps {
		dst[k] = float64(n) / parts
	}
}

// retoldAnswers gives the answers of a record.
type retoldAnswers struct{ rest []byte }

// errAnswers is the error of a record whose answers are none.
var errAnswers = errors.New("the record's answers are not those of the questions")

// Odds implements bank.Player.
func (r *retoldAnswers) Odds(dst []float64, s solve.InfoState) error {
	k, n := binary.Uvarint(r.rest)
	if n <= 0 || k > uint64(len(dst)) {
		return errAnswers
	}
	r.rest = r.rest[n:]
	if k > 0 {
		dst[k-1] = 1
		return nil
	}
	if len(r.rest) < len(dst) {
		return errAnswers
	}
	sum := 0
	for _, x := range r.rest[:len(dst)] {
		sum += int(x)
	}
	if sum != parts {
		return errAnswers
	}
	fromSteps(dst, r.rest[:len(dst)])
	r.rest = r.rest[len(dst):]
	return nil
}

// lostIn is what is lost over all seats.
func lostIn(e Entry) float64 {
	sum := 0.0
	for _, x := range e.Lost {
		sum += x
	}
	return sum
}

// seatsOf is how many games of a task have the same chance, one for each seat; one of solved positions.
func (t *Task) seatsOf() int {
	if t.bank != nil {
		return 1
	}
	return t.game.Spec().Seats
}
