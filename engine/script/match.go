package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// nameKeys are the fields that name an element of a list, such as a unit.
var nameKeys = []string{"unit", "counter", "name", "key", "id"}

// matcher compares a document with a partial one.
type matcher struct {
	root any
	// same reports whether the root, changed in one place, still is the same
	// position; its error says why it is none. Nil where that cannot be asked, as of a
	// view.
	same  func(root any) (bool, error)
	whole bool     // objects and named lists must be complete
	lines []string // what does not agree
}

func (m *matcher) fail(path string, got, want any) {
	m.lines = append(m.lines, fmt.Sprintf("%s is %s, expected %s", path, show(got), show(want)))
}

// match notes where got does not agree with want. put replaces got in the root. An
// error says that want makes no sense.
func (m *matcher) match(path string, got, want any, put func(any)) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(w) == 0 && len(g) > 0 {
			m.fail(path, got, want)
			return nil
		}
		return m.object(path, g, w)
	case []any:
		g, ok := got.([]any)
		if !ok || len(w) == 0 && len(g) > 0 {
			m.fail(path, got, want)
			return nil
		}
		return m.list(path, g, w, put)
	default:
		if !equal(got, want) {
			m.fail(path, got, want)
		}
	}
	return nil
}

func (m *matcher) object(path string, got, want map[string]any) error {
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if err := m.member(got, k, path+"."+k, want[k]); err != nil {
			return err
		}
	}
	if m.whole {
		for _, k := range slices.Sorted(maps.Keys(got)) {
			if _, ok := want[k]; !ok {
				m.lines = append(m.lines, fmt.Sprintf("%s.%s is %s, expected nothing", path, k, show(got[k])))
			}
		}
	}
	return nil
}

// member compares one field of an object. One that is left out because it is at its
// default agrees with the default.
func (m *matcher) member(object map[string]any, key, path string, want any) error {
	put := func(v any) { object[key] = v }
	if got, ok := object[key]; ok {
		return m.match(path, got, want, put)
	}
	if m.same == nil {
		if want != nil {
			m.fail(path, nil, want)
		}
		return nil
	}
	put(want)
	same, err := m.same(m.root)
	delete(object, key)
	if err != nil {
		return fmt.Errorf("%s is not in the result, which with it makes no sense: %w", path, err)
	}
	if !same {
		m.lines = append(m.lines, fmt.Sprintf("%s is at its default, expected %s", path, show(want)))
	}
	return nil
}

func (m *matcher) list(path string, got, want []any, put func(any)) error {
	if named(got) && named(want) && !m.whole {
		if len(m.assign(got, want, put)) < len(want) {
			for _, w := range want {
				if len(m.assign(got, []any{w}, put)) == 0 {
					m.fail(path, got, w)
					return nil
				}
			}
			m.fail(path, got, want)
		}
		return nil
	}
	if len(got) != len(want) {
		m.fail(path, got, want)
		return nil
	}
	if m.reordered(got, want, put) || m.rewritten(got, want, put) {
		return nil
	}
	for i := range got {
		at := func(v any) { got[i] = v }
		if err := m.match(path+"["+strconv.Itoa(i)+"]", got[i], want[i], at); err != nil {
			return err
		}
	}
	return nil
}

// reordered reports whether the elements agree in another order, and the game sees
// no meaning in their order.
func (m *matcher) reordered(got, want []any, put func(any)) bool {
	places := m.assign(got, want, put)
	if len(places) < len(want) {
		return false
	}
	if slices.IsSorted(places) {
		return true
	}
	if m.same == nil || put == nil {
		return false
	}
	in := make([]any, len(got))
	for i, place := range places {
		in[i] = got[place]
	}
	put(in)
	same, err := m.same(m.root)
	put(got)
	return err == nil && same
}

// rewritten reports whether the wanted list is another way to write the same one, as
// where an edge of the board can be named from both of its sides. A difference that
// could be taken back alone is none of that kind: the game does not read it.
func (m *matcher) rewritten(got, want []any, put func(any)) bool {
	if m.same == nil || put == nil || hasNull(want) {
		return false
	}
	defer put(got)
	is := func() bool {
		put(want)
		same, err := m.same(m.root)
		return err == nil && same
	}
	return is() && !takenBack(got, want, is)
}

// takenBack reports whether there is a leaf in which want differs from got and which
// can have got's value instead while is still holds.
func takenBack(got, want any, is func() bool) bool {
	back := func(g, w any, set func(any)) bool {
		switch w.(type) {
		case map[string]any, []any:
			return takenBack(g, w, is)
		}
		if equal(g, w) {
			return false
		}
		set(g)
		defer set(w)
		return is()
	}
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for k := range w {
			if v, ok := g[k]; ok && back(v, w[k], func(v any) { w[k] = v }) {
				return true
			}
		}
	case []any:
		g, _ := got.([]any)
		for i := range min(len(g), len(w)) {
			if back(g[i], w[i], func(v any) { w[i] = v }) {
				return true
			}
		}
	}
	return false
}

// hasNull reports whether there is a null in v, which in a position would stand for
// whatever the initial position has there.
func hasNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(v, hasNull)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), hasNull)
	}
	return false
}

// assign finds for each wanted element an element of its own that contains it, by
// augmenting paths, preferring its own place, and returns their places. It returns
// fewer places than elements if there are not enough.
func (m *matcher) assign(got, want []any, put func(any)) []int {
	taker := make([]int, len(got)) // which wanted element has the place
	for i := range taker {
		taker[i] = -1
	}
	fits := func(w, g int) bool {
		quiet := matcher{root: got[g], whole: m.whole}
		err := quiet.match("", got[g], want[w], nil)
		return err == nil && (len(quiet.lines) == 0 || m.alias(got, g, want[w], put))
	}
	var place func(w int, tried []bool) bool
	place = func(w int, tried []bool) bool {
		for i := range got {
			g := (w + i) % len(got)
			if tried[g] || !fits(w, g) {
				continue
			}
			tried[g] = true
			if taker[g] < 0 || place(taker[g], tried) {
				taker[g] = w
				return true
			}
		}
		return false
	}
	for w := range want {
		if len(got) == 0 || !place(w, make([]bool, len(got))) {
			return nil
		}
	}
	places := make([]int, len(want))
	for g, w := range taker {
		if w >= 0 {
			places[w] = g
		}
	}
	return places
}

// alias reports whether the wanted element is another way to write one of the list: it
// differs in the name alone, and with that name the position is the same. So a unit
// can be named by its kind.
func (m *matcher) alias(got []any, at int, want any, put func(any)) bool {
	g, ok := got[at].(map[string]any)
	w, also := want.(map[string]any)
	if !ok || !also || m.same == nil || put == nil {
		return false
	}
	renamed := maps.Clone(g)
	for _, k := range nameKeys {
		if name, ok := w[k]; ok {
			renamed[k] = name
		}
	}
	quiet := matcher{root: renamed, whole: m.whole}
	if quiet.match("", renamed, w, nil) != nil || len(quiet.lines) > 0 {
		return false
	}
	list := slices.Clone(got)
	list[at] = renamed
	put(list)
	same, err := m.same(m.root)
	put(got)
	return err == nil && same
}

// named reports whether every element of a list is an object with a name.
func named(list []any) bool {
	for _, v := range list {
		object, ok := v.(map[string]any)
		if !ok || !slices.ContainsFunc(nameKeys, func(k string) bool { _, ok := object[k]; return ok }) {
			return false
		}
	}
	return true
}

func equal(a, b any) bool {
	x, ok := a.(json.Number)
	y, also := b.(json.Number)
	if !ok || !also {
		switch a.(type) {
		case map[string]any, []any:
			return false // b is no such thing, or matched elsewhere
		}
		return a == b
	}
	f, err1 := x.Float64()
	g, err2 := y.Float64()
	return x == y || err1 == nil && err2 == nil && f == g
}

// decode reads a JSON document that has been parsed before, numbers as they are
// written.
func decode(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(fmt.Sprintf("script: %v in %s", err, data))
	}
	return v
}

func show(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
