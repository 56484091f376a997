//go:build !library

package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"powderkeg/engine"
)

// Fault is the first thing in a file that does not hold.
type Fault struct {
	File string `json:"file"`
	// Episode, Row (in the file, from 0) and Column say where, and the values what is
	// in the file and what replaying gives. They are absent where the file as a whole
	// is at fault, which Problem then tells.
	Episode int64  `json:"episode"`
	Row     int64  `json:"row"`
	Column  string `json:"column,omitempty"`
	Found   string `json:"found,omitempty"`
	Want    string `json:"want,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// Error describes the fault in a line.
func (f *Fault) Error() string {
	if f.Column == "" {
		return f.File + ": " + f.Problem
	}
	return fmt.Sprintf("%s: episode %d, row %d, %s: the file has %s, replaying gives %s", f.File, f.Episode, f.Row, f.Column, f.Found, f.Want)
}

// verifier replays the episodes of a file, row by row, without a generator:
// chance is what the file says. It shares no code with the environment that
// played them.
type verifier struct {
	plan     *plan
	shape    shape
	start    engine.State
	state    engine.State
	view     engine.View // state itself where nothing is hidden
	legal    []engine.Action
	outcomes []engine.Outcome
	obs      []float32
	mask     []uint8
	before   []float32 // returns so far
	after    []float32
	rewards  []float32
	stated   []float32 // returns in the episode's rows
	episode  int64     // the one under way, or the next
	step     int32
	rows     int64 // before the present batch
	finals   []final
}

// final is what the last row of a seat in the episode says that the seat sees at the end.
type final struct {
	given []float32
	step  int32 // of that row, -1 for none
}

func newVerifier(p *plan, from int64) (*verifier, error) {
	v := &verifier{plan: p, shape: p.shape(), start: p.game.New(), state: p.game.New(), episode: from,
		obs: make([]float32, p.layout.Size), mask: make([]uint8, len(p.spec.Actions)),
		rewards: make([]float32, p.spec.Seats), stated: make([]float32, p.spec.Seats),
		finals: make([]final, p.spec.Seats)}
	v.view = engine.Look(v.state, 0)
	if p.config.Start != nil {
		var err error
		if v.start, err = p.game.Load(p.config.Start, engine.Strict); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// batch replays the rows of a batch. It returns nil if all hold. The faults of row count
// theirs from the row that it checks.
func (v *verifier) batch(b *Batch) *Fault {
	for i := range b.Rows() {
		if f := v.row(b, i); f != nil {
			f.Episode, f.Row = v.episode, f.Row+v.rows+int64(i)
			return f
		}
	}
	v.rows += int64(b.Rows())
	return nil
}

// differ compares a value of the file with the true one.
func differ[T comparable](column string, found, want T) *Fault {
	if found == want {
		return nil
	}
	return &Fault{Column: column, Found: fmt.Sprint(found), Want: fmt.Sprint(want)}
}

// row checks row i and carries out its move.
func (v *verifier) row(b *Batch, i int) *Fault {
	seed := episodeSeed(v.plan.config.Seed, v.episode)
	for _, f := range []*Fault{differ("episode", b.Episodes[i], v.episode), differ("step", b.Steps[i], v.step), differ("seed", b.Seeds[i], seed)} {
		if f != nil {
			return f
		}
	}
	if v.step == 0 {
		v.state.CopyFrom(v.start)
		v.before = v.start.Returns(v.before[:0])
		copy(v.stated, b.Returns[i*v.shape.seats:])
		for p := range v.finals {
			v.finals[p].step = -1
		}
		if f := v.chance("opening", b.Opening.Row(i)); f != nil {
			return f
		}
	} else if given := b.Opening.Row(i); len(given) > 0 {
		return differ("opening", fmt.Sprint(given), "[]")
	}
	if f := v.decision(b, i); f != nil {
		return f
	}
	if a := engine.Action(b.Actions[i]); !slices.Contains(v.legal, a) {
		return &Fault{Column: "action", Found: fmt.Sprint(a), Want: fmt.Sprintf("one of %v", v.legal)}
	} else if err := v.state.Apply(a); err != nil {
		return &Fault{Column: "action", Found: fmt.Sprint(a), Want: err.Error()}
	}
	if f := v.chance("chance", b.Chance.Row(i)); f != nil {
		return f
	}
	if f := differ("state_hash", b.Hashes[i], v.state.Hash()); f != nil {
		return f
	}
	return v.outcome(b, i)
}

// chance carries out the outcomes that the file gives. They must lead to a
// decision or the end.
func (v *verifier) chance(column string, given []int32) *Fault {
	done := 0
	for v.state.ToAct() == engine.Chance {
		v.outcomes = v.state.(engine.Stochastic).Outcomes(v.outcomes[:0])
		if done == len(given) {
			return &Fault{Column: column, Found: fmt.Sprint(given), Want: "another outcome behind these"}
		}
		o := engine.Action(given[done])
		if !slices.ContainsFunc(v.outcomes, func(x engine.Outcome) bool { return x.Action == o }) {
			return &Fault{Column: column, Found: fmt.Sprint(given), Want: fmt.Sprintf("a possible outcome as number %d, which %d is not", done, o)}
		}
		if err := v.state.Apply(o); err != nil {
			return &Fault{Column: column, Found: fmt.Sprint(given), Want: err.Error()}
		}
		done++
	}
	if done < len(given) {
		return &Fault{Column: column, Found: fmt.Sprint(given), Want: fmt.Sprint(given[:done])}
	}
	return nil
}

// decision checks what the actor sees.
func (v *verifier) decision(b *Batch, i int) *Fault {
	p := v.state.ToAct()
	if p == engine.Terminal {
		return &Fault{Column: "opening", Found: fmt.Sprint(b.Opening.Row(i)), Want: "outcomes that lead to a decision"}
	}
	if f := differ("actor", b.Actors[i], int8(p)); f != nil {
		return f
	}
	if hidden, ok := v.state.(engine.Hidden); ok {
		hidden.See(p, v.view)
	}
	v.plan.encoder.Encode(v.obs, v.view, p)
	if f := differBits("observation", b.Observations[i*v.shape.observation:], v.obs); f != nil {
		return f
	}
	v.legal = v.state.Legal(v.legal[:0])
	clear(v.mask)
	for _, a := range v.legal {
		v.mask[a] = 1
	}
	for k, want := range v.mask {
		if f := differ(fmt.Sprintf("mask[%d]", k), b.Masks[i*v.shape.actions+k], want); f != nil {
			return f
		}
	}
	if v.shape.text {
		if f := differ("text", strconv.Quote(b.Text[i]), strconv.Quote(v.view.(engine.Teller).Text(p))); f != nil {
			return f
		}
	}
	if v.shape.logits && b.HasLogits[i] == 1 {
		return v.logits(b.Logits[i*v.shape.actions:(i+1)*v.shape.actions], b.Actions[i])
	}
	return nil
}

// differBits compares numbers bit for bit.
func differBits(column string, found, want []float32) *Fault {
	for k, x := range want {
		if math.Float32bits(found[k]) != math.Float32bits(x) {
			return &Fault{Column: fmt.Sprintf("%s[%d]", column, k), Found: fmt.Sprint(found[k]), Want: fmt.Sprint(x)}
		}
	}
	return nil
}

// tolerance bounds how far probabilities in 32 bits may add up to other than 1.
const tolerance = 1e-3

// logits checks what holds for any agent: the row has the logarithms of
// probabilities over the legal actions, and the one taken is possible.
func (v *verifier) logits(row []float32, action int32) *Fault {
	sum := 0.0
	for k, x := range row {
		if v.mask[k] == 0 && !math.IsInf(float64(x), -1) || math.IsNaN(float64(x)) || x > tolerance {
			want := "the logarithm of a probability"
			if v.mask[k] == 0 {
				want = "-Inf for an illegal action"
			}
			return &Fault{Column: fmt.Sprintf("logits[%d]", k), Found: fmt.Sprint(x), Want: want}
		}
		sum += math.Exp(float64(x))
	}
	if math.Abs(sum-1) > tolerance {
		return &Fault{Column: "logits", Found: fmt.Sprintf("probabilities that add up to %g", sum), Want: "1"}
	}
	if action >= 0 && int(action) < len(row) && math.IsInf(float64(row[action]), -1) {
		return &Fault{Column: fmt.Sprintf("logits[%d]", action), Found: "-Inf", Want: "a number, since the action was taken"}
	}
	return nil
}

// outcome checks what the move has led to, and whether the episode ends.
func (v *verifier) outcome(b *Batch, i int) *Fault {
	p := v.shape.seats
	v.after = v.state.Returns(v.after[:0])
	for k := range v.rewards {
		v.rewards[k] = v.after[k] - v.before[k]
	}
	terminated := v.state.ToAct() == engine.Terminal
	if !terminated && !v.plan.spec.PaysInPlay {
		clear(v.rewards)
	}
	v.before, v.after = v.after, v.before
	limit := v.plan.config.MaxDecisions
	truncated := !terminated && limit > 0 && int(v.step)+1 >= limit
	for _, f := range []*Fault{
		differBits("rewards", b.Rewards[i*p:], v.rewards), differBits("returns", b.Returns[i*p:], v.stated),
		differ("terminated", b.Terminated[i], one(terminated)), differ("truncated", b.Truncated[i], one(truncated)),
	} {
		if f != nil {
			return f
		}
	}
	// Only the seat's next row, or the end, shows whether this one is its last.
	last := &v.finals[b.Actors[i]]
	if f := v.noFinal(last); f != nil {
		return f
	}
	last.given, last.step = append(last.given[:0], b.Finals.Row(i)...), v.step
	if terminated || truncated {
		if f := v.final(); f != nil {
			return f
		}
	}
	v.step++
	if terminated || truncated {
		if f := differBits("returns", v.stated, v.before); f != nil {
			return f
		}
		v.episode, v.step = v.episode+1, 0
	}
	return nil
}

const finalColumn = "final_observation"

// noFinal checks that a row which proves not to be its seat's last has no final
// observation.
func (v *verifier) noFinal(last *final) *Fault {
	if last.step < 0 || len(last.given) == 0 {
		return nil
	}
	return &Fault{Row: int64(last.step - v.step), Column: finalColumn, Found: fmt.Sprintf("%d numbers", len(last.given)),
		Want: "none, since the seat decides again"}
}

// final checks what each seat sees at the end of the episode.
func (v *verifier) final() *Fault {
	for p := range v.finals {
		last := &v.finals[p]
		if last.step < 0 {
			continue
		}
		if hidden, ok := v.state.(engine.Hidden); ok {
			hidden.See(engine.Player(p), v.view)
		}
		v.plan.encoder.Encode(v.obs, v.view, engine.Player(p))
		f := differ(finalColumn, fmt.Sprintf("%d numbers", len(last.given)), fmt.Sprintf("%d numbers", len(v.obs)))
		if f == nil {
			f = differBits(finalColumn, last.given, v.obs)
		}
		if f != nil {
			f.Row = int64(last.step - v.step)
			return f
		}
	}
	return nil
}

// end says whether the rows stop where they should.
func (v *verifier) end(to int64) *Fault {
	if v.step != 0 {
		return &Fault{Problem: fmt.Sprintf("it stops within episode %d, behind step %d", v.episode, v.step-1)}
	}
	if v.episode != to {
		return &Fault{Problem: fmt.Sprintf("it stops before episode %d, its metadata promise all before %d", v.episode, to)}
	}
	return nil
}
