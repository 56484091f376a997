package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
)

// check compares the state with all that the block says of it.
func (r *runner) check(b *Block) error {
	r.checkMoves(b)
	r.checkOutcomes(b)
	r.checkReturns(b)
	if b.ToAct != nil {
		if got, err := r.actor(b.ToAct, r.state.ToAct()); err != nil {
			return fmt.Errorf("to_act: %w", err)
		} else if got != "" {
			r.fail("to_act: %s", got)
		}
	}
	data, err := r.state.MarshalJSON()
	if err != nil {
		return err
	}
	same := r.loadsAs(r.state.Hash())
	if err := r.contain("expect", data, b.Expect, same, false); err != nil {
		return err
	}
	if err := r.contain("expect_exactly", data, b.ExpectExactly, same, true); err != nil {
		return err
	}
	if err := r.checkEvents(b.Events); err != nil {
		return fmt.Errorf("events: %w", err)
	}
	for _, seat := range slices.Sorted(maps.Keys(b.Views)) {
		p, err := strconv.Atoi(seat)
		if err != nil || p < 0 || p >= r.game.Spec().Seats {
			return fmt.Errorf("views: %q is no seat; seats are 0 to %d", seat, r.game.Spec().Seats-1)
		}
		if err := r.checkView(b.Views[seat], engine.Player(p)); err != nil {
			return fmt.Errorf("views: seat %d: %w", p, err)
		}
	}
	return nil
}

// loadsAs returns a check whether a changed position is another way to write the
// state of that hash.
func (r *runner) loadsAs(hash uint64) func(root any) (bool, error) {
	return func(root any) (bool, error) {
		data, err := json.Marshal(root)
		if err != nil {
			return false, err
		}
		s, err := r.game.Load(data, engine.Lenient)
		if err != nil {
			return false, err
		}
		return s.Hash() == hash, nil
	}
}

// contain demands that the document contains what is wanted. A field that no
// position has is an error.
func (r *runner) contain(what string, got, want []byte, same func(any) (bool, error), whole bool) error {
	if want == nil {
		return nil
	}
	wanted, ok := decode(want).(map[string]any)
	if !ok {
		return fmt.Errorf("%s: it must be an object", what)
	}
	m := matcher{root: decode(got), same: same, whole: whole}
	fields := m.root.(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(wanted)) {
		if err := m.member(fields, k, k, wanted[k]); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	for _, line := range m.lines {
		r.fail("%s: %s", what, line)
	}
	return nil
}

func (r *runner) checkMoves(b *Block) {
	possible := map[string]bool{}
	for _, a := range engine.Moves(r.state) {
		possible[engine.MoveName(r.game, r.state, a)] = true
	}
	for _, name := range b.Legal {
		if !possible[name] {
			r.fail("legal: %s is not possible", name)
		}
	}
	for _, name := range b.Illegal {
		if possible[name] {
			r.fail("illegal: %s is possible", name)
		}
	}
	if b.LegalExactly == nil {
		return
	}
	for _, name := range *b.LegalExactly {
		if !possible[name] {
			r.fail("legal_exactly: %s is not possible", name)
		}
		delete(possible, name)
	}
	if len(possible) > 0 {
		r.fail("legal_exactly: also possible: %s", strings.Join(slices.Sorted(maps.Keys(possible)), ", "))
	}
}

func (r *runner) checkOutcomes(b *Block) {
	if b.Outcomes == nil {
		return
	}
	weights := map[string]uint32{}
	if r.state.ToAct() == engine.Chance {
		for _, o := range r.state.(engine.Stochastic).Outcomes(nil) {
			weights[engine.MoveName(r.game, r.state, o.Action)] = o.Weight
		}
	}
	if proportional(weights, b.Outcomes) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.Outcomes)) {
		if weights[name] != b.Outcomes[name] {
			r.fail("outcomes: %s has the weight %d, expected %d", name, weights[name], b.Outcomes[name])
		}
	}
}

// proportional reports whether the wanted weights name every possible outcome, and
// give each the probability that it has.
func proportional(got, want map[string]uint32) bool {
	var sum, wanted uint64
	for name, w := range got {
		sum += uint64(w)
		wanted += uint64(want[name])
	}
	for name, w := range want {
		if uint64(w)*sum != uint64(got[name])*wanted {
			return false
		}
	}
	for name := range got {
		if want[name] == 0 {
			return false
		}
	}
	return sum > 0
}

func (r *runner) checkReturns(b *Block) {
	if b.Returns == nil {
		return
	}
	near := func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-6 }
	if got := r.state.Returns(nil); !slices.EqualFunc(got, b.Returns, near) {
		r.fail("returns: %v, expected %v", got, b.Returns)
	}
}

// actor compares a player with one in the words of a script and returns what is
// wrong, nothing if they agree.
func (r *runner) actor(want json.RawMessage, got engine.Player) (string, error) {
	names := map[engine.Player]string{engine.Chance: `"chance"`, engine.Terminal: `"end"`, engine.Nobody: `"nobody"`}
	for p := range r.game.Spec().Seats {
		names[engine.Player(p)] = strconv.Itoa(p)
	}
	if !slices.Contains(slices.Collect(maps.Values(names)), string(want)) {
		return "", fmt.Errorf(`%s is none of a seat from 0 to %d, "chance", "end" and, in a view, "nobody"`, want, r.game.Spec().Seats-1)
	}
	if names[got] != string(want) {
		return fmt.Sprintf("it is %s, expected %s", names[got], want), nil
	}
	return "", nil
}

// checkEvents demands that the events were told in this order.
func (r *runner) checkEvents(want []json.RawMessage) error {
	if want == nil {
		return nil
	}
	at := 0
	for _, raw := range want {
		var fields map[string]any
		switch w := decode(raw).(type) {
		case string:
			fields = map[string]any{"kind": w}
		case map[string]any:
			fields = w
		}
		if len(fields) == 0 {
			return fmt.Errorf("%s is neither a kind nor an object", raw)
		}
		for at < len(r.events) && !r.events[at].is(fields) {
			at++
		}
		if at == len(r.events) {
			told := make([]string, len(r.events))
			for i, e := range r.events {
				told[i] = fmt.Sprint(e["kind"])
			}
			r.fail("events: %s was not told, or not in this order; told: %s", raw, strings.Join(told, ", "))
			return nil
		}
		at++
	}
	return nil
}

// is reports whether the event has all the fields, with these values.
func (e event) is(fields map[string]any) bool {
	m := matcher{root: map[string]any(e)}
	for k, v := range fields {
		if _, ok := e[k]; !ok || m.match(k, e[k], v, nil) != nil || len(m.lines) > 0 {
			return false
		}
	}
	return true
}

// checkView compares what seat p may see.
func (r *runner) checkView(v View, p engine.Player) error {
	view := engine.Look(r.state, p)
	prefix := r.prefix
	defer func() { r.prefix = prefix }()
	r.prefix += fmt.Sprintf("view of seat %d: ", p)
	if v.ToAct != nil {
		if wrong, err := r.actor(v.ToAct, view.ToAct()); err != nil {
			return fmt.Errorf("to_act: %w", err)
		} else if wrong != "" {
			r.fail("to_act: %s", wrong)
		}
	}
	data, err := view.MarshalJSON()
	if err != nil {
		return err
	}
	if err := r.contain("fields", data, v.Fields, nil, false); err != nil {
		return err
	}
	if err := r.contain("fields_exactly", data, v.FieldsExactly, nil, true); err != nil {
		return err
	}
	text := view.(engine.Teller).Text(p)
	for _, part := range v.Text {
		if !strings.Contains(text, part) {
			r.fail("text: it lacks %q", part)
		}
	}
	for _, part := range v.TextWithout {
		if strings.Contains(text, part) {
			r.fail("text_without: it has %q", part)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v.Observation)) {
		if err := r.checkObservation(view, p, key, v.Observation[key]); err != nil {
			return fmt.Errorf("observation: %w", err)
		}
	}
	if v.SameAs != nil {
		return r.checkSame(v.SameAs, view, p)
	}
	return nil
}

func (r *runner) checkObservation(view engine.View, p engine.Player, key string, raw json.RawMessage) error {
	if r.options.Observe == nil {
		return errors.New("there is no encoder here")
	}
	got, err := r.options.Observe(r.game, view, p, key)
	if err != nil {
		return err
	}
	var want []float32
	if err := json.Unmarshal(raw, &want); err != nil {
		var one float32
		if err := json.Unmarshal(raw, &one); err != nil {
			return fmt.Errorf("%s: %s is neither a number nor a list of numbers", key, raw)
		}
		want = []float32{one}
	}
	near := func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-5 }
	if !slices.EqualFunc(got, want, near) {
		r.fail("observation: %s is %v, expected %v", key, got, want)
	}
	return nil
}

// checkSame demands that the seat's view of another situation is the same.
func (r *runner) checkSame(other *Situation, view engine.View, p engine.Player) error {
	o := &runner{game: r.game, script: r.script, result: &Result{}}
	o.begin(r.game.New(), []byte("{}"))
	from := other.Position
	if from == nil {
		from = r.script.Position
	}
	if err := o.block(&Block{Position: from, Do: other.Do}, true); err != nil {
		return fmt.Errorf("same_as: %w", err)
	}
	for _, f := range o.result.Failures {
		return fmt.Errorf("same_as: %s", f)
	}
	if o.state.Hash() == r.state.Hash() {
		return errors.New("same_as: it is this very situation")
	}
	v := engine.Look(o.state, p)
	if a, b := view.ToAct(), v.ToAct(); a != b {
		r.fail("same_as: player %d is to act here, %d there", a, b)
	}
	x, err := view.MarshalJSON()
	if err != nil {
		return err
	}
	y, err := v.MarshalJSON()
	if err != nil {
		return err
	}
	if string(x) != string(y) {
		r.fail("same_as: the position is %s here, %s there", x, y)
	}
	if a, b := view.(engine.Teller).Text(p), v.(engine.Teller).Text(p); a != b {
		r.fail("same_as: the text is %q here, %q there", a, b)
	}
	if view.Hash() != v.Hash() {
		r.fail("same_as: the views have different hashes")
	}
	return nil
}
