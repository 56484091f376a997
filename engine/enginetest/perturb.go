package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/script"
)

// perturbed demands that a script that holds says something, and that each thing it
// says can fail: every expectation is changed alone, and the script must then fail
// or make no sense.
func perturbed(t testing.TB, g engine.Game, data []byte, o script.Options) {
	t.Helper()
	n := 0
	for at := -1; at < steps(data); at++ {
		tries := variants{}
		tries.block(block(parse(t, data), at))
		for _, try := range tries {
			n++
			s := parse(t, data)
			try.change(block(s, at))
			if result, err := script.Run(g, s, o); err == nil && len(result.Failures) == 0 {
				t.Errorf("the script holds as well if %s (step %d)", try.what, at+1)
			}
		}
	}
	if n == 0 {
		t.Error("the script asserts nothing")
	}
}

func parse(t testing.TB, data []byte) *script.Script {
	t.Helper()
	s, err := script.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func steps(data []byte) int {
	s, err := script.Parse(data)
	if err != nil {
		return 0
	}
	return len(s.Steps)
}

// block returns the script's own block for -1, else that of a step.
func block(s *script.Script, at int) *script.Block {
	if at < 0 {
		return &s.Block
	}
	return &s.Steps[at]
}

// variant is one change of a block that must make the script fail.
type variant struct {
	what   string
	change func(*script.Block)
}

type variants []variant

func (v *variants) add(change func(*script.Block), format string, args ...any) {
	*v = append(*v, variant{fmt.Sprintf(format, args...), change})
}

func (v *variants) block(b *script.Block) {
	v.document("expect", b.Expect, func(b *script.Block) *json.RawMessage { return &b.Expect })
	v.document("expect_exactly", b.ExpectExactly, func(b *script.Block) *json.RawMessage { return &b.ExpectExactly })
	for _, name := range b.Legal {
		v.add(func(b *script.Block) { b.Illegal = append(b.Illegal, name) }, "%s is illegal", name)
	}
	for _, name := range b.Illegal {
		v.add(func(b *script.Block) { b.Legal = append(b.Legal, name) }, "%s is legal", name)
	}
	if b.LegalExactly != nil {
		v.exactly(*b.LegalExactly)
	}
	if b.ToAct != nil {
		v.add(func(b *script.Block) { b.ToAct = otherActor(b.ToAct) }, "another is to act")
	}
	for i := range b.Returns {
		v.add(func(b *script.Block) { b.Returns[i]++ }, "seat %d returns one more", i)
	}
	v.outcomes(b.Outcomes)
	if b.Refused != "" {
		v.add(func(b *script.Block) { b.Refused += " in other words" }, "it is refused in other words than %s", b.Refused)
	}
	for i, e := range b.Events {
		for _, changed := range changes(e) {
			v.add(func(b *script.Block) { b.Events[i] = changed }, "the event %d is %s", i, changed)
		}
	}
	for _, seat := range slices.Sorted(maps.Keys(b.Views)) {
		v.view(seat, b.Views[seat])
	}
}

func (v *variants) document(what string, data json.RawMessage, at func(*script.Block) *json.RawMessage) {
	if data == nil {
		return
	}
	for _, changed := range changes(data) {
		v.add(func(b *script.Block) { *at(b) = changed }, "%s is %s", what, changed)
	}
}

func (v *variants) exactly(names []string) {
	for i, name := range names {
		v.add(func(b *script.Block) {
			fewer := slices.Delete(slices.Clone(names), i, i+1)
			b.LegalExactly = &fewer
		}, "%s is not among the legal moves", name)
	}
	v.add(func(b *script.Block) {
		more := append(slices.Clone(names), "no such move")
		b.LegalExactly = &more
	}, "there is one more legal move")
}

func (v *variants) outcomes(weights map[string]uint32) {
	for name, w := range weights {
		if w == 0 || len(weights) > 1 {
			v.add(func(b *script.Block) { b.Outcomes[name] = 2*w + 1 }, "%s has another weight", name)
		}
		if w > 0 {
			v.add(func(b *script.Block) { b.Outcomes[name] = 0 }, "%s is not possible", name)
		}
	}
}

// view changes what is said of one seat's view. That same_as can fail is seen to
// where it is checked: it must be another situation.
func (v *variants) view(seat string, view script.View) {
	edit := func(change func(*script.View), format string, args ...any) {
		v.add(func(b *script.Block) {
			changed := b.Views[seat]
			change(&changed)
			b.Views[seat] = changed
		}, "in the view of seat "+seat+", "+format, args...)
	}
	if view.ToAct != nil {
		edit(func(v *script.View) { v.ToAct = otherActor(v.ToAct) }, "another is to act")
	}
	for _, changed := range changes(view.Fields) {
		edit(func(v *script.View) { v.Fields = changed }, "the fields are %s", changed)
	}
	for _, changed := range changes(view.FieldsExactly) {
		edit(func(v *script.View) { v.FieldsExactly = changed }, "the fields are exactly %s", changed)
	}
	for _, part := range view.Text {
		edit(func(v *script.View) { v.TextWithout = append(v.TextWithout, part) }, "the text lacks %q", part)
	}
	for _, part := range view.TextWithout {
		edit(func(v *script.View) { v.Text = append(v.Text, part) }, "the text has %q", part)
	}
	for key, numbers := range view.Observation {
		for _, changed := range changes(numbers) {
			edit(func(v *script.View) {
				v.Observation = maps.Clone(v.Observation)
				v.Observation[key] = changed
			}, "%s is %s", key, changed)
		}
	}
}

// otherActor returns another player in the words of a script.
func otherActor(who json.RawMessage) json.RawMessage {
	if string(who) == "0" {
		return json.RawMessage(`"end"`)
	}
	return json.RawMessage("0")
}

// changes returns the document once for each of its leaves, with that leaf changed,
// and once for each of its lists, with the last element gone.
func changes(data []byte) []json.RawMessage {
	if data == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil
	}
	var list []json.RawMessage
	emit := func() {
		if out, err := json.Marshal(root); err == nil {
			list = append(list, out)
		}
	}
	eachLeaf(&root, func(v any) { root = v }, emit)
	return list
}

// eachLeaf puts a changed value in the place of each leaf of v in turn, calls emit,
// and puts the leaf back.
func eachLeaf(v *any, put func(any), emit func()) {
	try := func(changed any) {
		before := *v
		put(changed)
		emit()
		put(before)
	}
	switch x := (*v).(type) {
	case map[string]any:
		if len(x) == 0 {
			try(map[string]any{"perturbed": 1})
		}
		for k, child := range x {
			eachLeaf(&child, func(c any) { x[k] = c }, emit)
		}
	case []any:
		if len(x) == 0 {
			try([]any{"perturbed"})
			return
		}
		if _, object := x[0].(map[string]any); !object { // named lists may be partial
			try(x[:len(x)-1])
		}
		for i, child := range x {
			eachLeaf(&child, func(c any) { x[i] = c }, emit)
		}
	case json.Number:
		n, err := x.Float64()
		if err == nil {
			try(n + 1)
		}
	case string:
		try(x + " perturbed")
	case bool:
		try(!x)
	case nil:
		try(1)
	}
}
