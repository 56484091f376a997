package position

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"powderkeg/engine"
)

// Codec writes positions of type P as JSON, reads them, and hashes them, by the tags of
// the fields. P is a plain struct: numbers, flags, arrays and structs of them, without
// pointers. It is made once for a configured game and safe for concurrent use.
//
// A field without a pos tag, or with pos:"-", is kept for speed: it follows from the
// others, is neither written nor read, and hashed only with hash:"true". The others
// have these tags:
//
//	pos:"areas.*.owner,omitzero"  where the value stands: keys, and * for the word of an
//	                               array's index; omitzero leaves out zero elements, sorted
//	                               writes the words in the order of the alphabet
//	by:"area"                      the list that names an array's index. Without a * in
//	                               pos the array is a list of one value each
//	word:"phase"                   an integer that is written as a word of a list, null for
//	                               one outside it, and for a word that is empty. Null is read as
//	                               that word, and as all bits set with none:"true"; else it
//	                               keeps what was there
//	set:"area"                     a bit set, written as the list of its words
//	flags:"seat"                   a bit set, written as a list of true and false
//	many:"card"                    an array of counts, written as a list of words; with by an
//	                               array of such arrays
//	count:"card"                   an array of counts, written as an object of those that
//	                               are not zero
//	len:"Groups"                   an array of which the field of that name says how many
//	                               elements count, written as a list
//	when:"Way"                     a struct that is null where its field of that name is
//	                               zero
//	pos:"use,inline"               a struct whose fields stand in an object of that key, with
//	                               forms of their own where they need them; ",inline" alone for
//	                               one whose fields stand beside those of the struct it is in
//	null:"idle"                    with inline, or on a field of its own: the object or value is
//	                               null where the function of that name in Nulls says so
//	min:"1" max:"turns"            the range of a number: itself or a name in Limits
//	form:"deck"                    a form of its own, of that name in Forms
//	derived:"true"                 a value that follows from others: written, and where
//	                               it is given it must agree (Codec.Derived). With inline:
//	                               each of the fields
//
// An embedded struct stands for its fields. An array of structs with by and without pos
// stands for its fields: each is an array over that index. A list whose words are numbers,
// such as seat, which is always there, is written in numbers. A blank field, of type
// struct{}, is the place of a form that has no field of its own.
type Codec[P any] struct {
	config Config[P]
	nodes  []node[P]
	spans  []span
}

// Config is what a codec needs to know beside the tags.
type Config[P any] struct {
	// Seats is the number of seats, which arrays by seat are cut to.
	Seats int
	// Lists are the words that tags refer to.
	Lists map[string][]string
	// Limits are the numbers that tags refer to.
	Limits map[string]int
	// Forms are the fields that have a form of their own.
	Forms map[string]Form[P]
	// Nulls report whether a value is null.
	Nulls map[string]func(p *P) bool
}

// Form writes and reads a field that has a form of its own. at is the index of the
// element in an array over seats or another list, else 0.
type Form[P any] struct {
	Write func(p *P, at int) any
	// Read is called where the value is given and not null. A nil one leaves the value to
	// the caller of Decode, who finds it in Given.
	Read func(r *Reader, p *P, at int, v any)
}

// node is one field in one place of the document.
type node[P any] struct {
	keys     []string
	path     trail // the same
	off      uintptr
	form     form // nil for one of its own
	own      Form[P]
	at       int
	omitZero bool
	derived  bool
	null     func(p *P) bool // nil where it never is
	whole    int             // how many of the keys name what is null
}

// field is a field while it is compiled: its tags and where it stands.
type field struct {
	reflect.StructField
	owner reflect.Type
	off   uintptr
}

// NewCodec compiles the tags of P. A tag that makes no sense is a fault of the
// program and panics.
func NewCodec[P any](config Config[P]) *Codec[P] {
	lists := map[string][]string{"seat": nil}
	for i := range config.Seats {
		lists["seat"] = append(lists["seat"], strconv.Itoa(i))
	}
	for name, words := range config.Lists {
		lists[name] = words
	}
	config.Lists = lists
	c := &Codec[P]{config: config}
	t := reflect.TypeFor[P]()
	for f := range t.Fields() {
		c.add(field{f, t, f.Offset}, nil)
	}
	for i := range c.nodes {
		c.nodes[i].path = trail{key: strings.Join(c.nodes[i].keys, ".")}
	}
	c.spans = spansOf(t, 0)
	return c
}

// over is an array of structs that stands for its fields.
type over struct {
	words  []string
	stride uintptr
	seats  bool
}

// add compiles a field of P, or of the structs of an array that stands for its fields.
func (c *Codec[P]) add(f field, outer *over) {
	path, options, _ := strings.Cut(f.Tag.Get("pos"), ",")
	if by := f.Tag.Get("by"); path == "" && by != "" {
		o := &over{words: c.list(f, by), stride: f.Type.Elem().Size(), seats: by == "seat"}
		for inner := range f.Type.Elem().Fields() {
			c.add(field{inner, f.Type.Elem(), f.off + inner.Offset}, o)
		}
		return
	}
	if path == "" && (f.Anonymous || options == "inline") {
		for inner := range f.Type.Fields() {
			c.add(field{inner, f.Type, f.off + inner.Offset}, outer)
		}
		return
	}
	if path == "" || path == "-" {
		return
	}
	if options == "inline" {
		c.inline(f, path)
		return
	}
	base := node[P]{off: f.off, omitZero: options == "omitzero", derived: f.Tag.Get("derived") != "", null: c.null(f),
		whole: len(strings.Split(path, "."))}
	if name := f.Tag.Get("form"); name != "" {
		own, ok := c.config.Forms[name]
		if !ok {
			f.fault("there is no form " + name)
		}
		base.own = own
	}
	keys := strings.Split(path, ".")
	switch {
	case outer != nil && strings.Contains(path, "*"):
		order := slices.Clone(outer.words)
		if options == "sorted" {
			slices.Sort(order)
		}
		for _, word := range order {
			n, i := base, slices.Index(outer.words, word)
			n.at, n.off = i, f.off+uintptr(i)*outer.stride
			c.place(f, n, fill(keys, word))
		}
	case outer != nil && base.own.Write != nil:
		base.own = each(base.own, len(outer.words), outer.seats)
		c.nodes = append(c.nodes, with(base, keys))
	case outer != nil:
		elem := c.form(f, f.Type)
		base.form = array{elem: elem, n: len(outer.words), stride: outer.stride, seats: outer.seats}
		c.nodes = append(c.nodes, with(base, keys))
	default:
		c.place(f, base, keys)
	}
}

// inline compiles the fields of a struct below a key of its own.
func (c *Codec[P]) inline(f field, key string) {
	first, null := len(c.nodes), c.null(f)
	for inner := range f.Type.Fields() {
		c.add(field{inner, f.Type, f.off + inner.Offset}, nil)
	}
	for i := first; i < len(c.nodes); i++ {
		n := &c.nodes[i]
		if n.keys = append([]string{key}, n.keys...); null != nil {
			n.null, n.whole = null, 1
		}
		n.derived = n.derived || f.Tag.Get("derived") != ""
	}
}

// null returns the function that a field names, nil without one.
func (c *Codec[P]) null(f field) func(p *P) bool {
	name := f.Tag.Get("null")
	null, ok := c.config.Nulls[name]
	if name != "" && !ok {
		f.fault("there is nothing in Nulls called " + name)
	}
	return null
}

// each makes the form of an element that of a list of n.
func each[P any](elem Form[P], n int, seats bool) Form[P] {
	return Form[P]{
		Write: func(p *P, _ int) any {
			list := make([]any, n)
			for i := range list {
				list[i] = elem.Write(p, i)
			}
			return list
		},
		Read: func(r *Reader, p *P, _ int, v any) {
			entries := r.each(v, n, seats)
			element := r.enter(seats)
			for i, e := range entries {
				if element.index = i; e != nil && r.err == nil {
					elem.Read(r, p, i, e)
				}
			}
			r.leave()
		},
	}
}

// place adds a field whose path may have a * for its own index.
func (c *Codec[P]) place(f field, n node[P], keys []string) {
	if !slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(k, "*") }) {
		if n.own.Write == nil {
			n.form = c.form(f, f.Type)
		}
		c.nodes = append(c.nodes, with(n, keys))
		return
	}
	elem := f.Type
	if elem.Kind() != reflect.Array {
		if n.own.Write == nil {
			f.fault("it has a * and is no array")
		}
	} else {
		elem = elem.Elem()
	}
	for i, word := range c.list(f, f.Tag.Get("by")) {
		e := n
		e.at = i
		if n.own.Write == nil {
			e.form, e.off = c.form(f, elem), n.off+uintptr(i)*elem.Size()
		}
		c.nodes = append(c.nodes, with(e, fill(keys, word)))
	}
}

func with[P any](n node[P], keys []string) node[P] {
	n.keys = keys
	return n
}

// fill puts a word in the place of the *.
func fill(keys []string, word string) []string {
	out := slices.Clone(keys)
	for i, k := range out {
		if strings.Contains(k, "*") {
			out[i] = strings.Replace(k, "*", word, 1)
			break
		}
	}
	return out
}

// list returns the words of a list.
func (c *Codec[P]) list(f field, name string) []string {
	words, ok := c.config.Lists[name]
	if !ok {
		f.fault("there is no list " + name)
	}
	return words
}

// limit returns a number of a tag, or what the tag leaves out.
func (c *Codec[P]) limit(f field, tag string, otherwise int) int {
	text := f.Tag.Get(tag)
	if text == "" {
		return otherwise
	}
	if n, ok := c.config.Limits[text]; ok {
		return n
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		f.fault("there is no limit " + text)
	}
	return n
}

func (f field) fault(what string) {
	panic(fmt.Sprintf("position: field %s of %s: %s", f.Name, f.owner, what))
}

// form returns the form of a value of type t, as the tags of its field have it.
func (c *Codec[P]) form(f field, t reflect.Type) form {
	tag := func(name string) []string { return c.list(f, f.Tag.Get(name)) }
	switch {
	case f.Tag.Get("len") != "" && t == f.Type:
		count, ok := f.owner.FieldByName(f.Tag.Get("len"))
		if !ok {
			f.fault("there is no field " + f.Tag.Get("len"))
		}
		return list{
			elem: c.form(f, t.Elem()), most: t.Len(), stride: t.Elem().Size(),
			count: int(count.Offset) - int(f.StructField.Offset), countType: count.Type,
		}
	case f.Tag.Get("many") != "" && t.Kind() == reflect.Array && t.Elem().Kind() != reflect.Array:
		return many{words: newVocabulary(tag("many")), t: t.Elem()}
	case f.Tag.Get("count") != "" && t.Kind() == reflect.Array:
		_, high := bounds(t.Elem())
		return tally{words: newVocabulary(tag("count")), t: t.Elem(), high: c.limit(f, "max", high)}
	case f.Tag.Get("set") != "":
		return set{words: newVocabulary(tag("set")), t: t}
	case f.Tag.Get("flags") != "":
		return flags{n: len(tag("flags")), t: t, seats: f.Tag.Get("flags") == "seat"}
	case t.Kind() == reflect.Array:
		n, seats := t.Len(), false
		if by := f.Tag.Get("by"); by != "" {
			n, seats = len(c.list(f, by)), by == "seat"
		}
		return array{elem: c.form(f, t.Elem()), n: n, stride: t.Elem().Size(), seats: seats}
	case f.Tag.Get("word") != "":
		return word{words: newVocabulary(tag("word")), t: t, optional: f.Tag.Get("none") != ""}
	case t.Kind() == reflect.Struct:
		return c.record(f, t)
	case t.Kind() == reflect.Bool:
		return boolean{}
	}
	low, high := bounds(t)
	return integer{t: t, low: c.limit(f, "min", low), high: c.limit(f, "max", high)}
}

// record compiles a struct that is an object of its own.
func (c *Codec[P]) record(f field, t reflect.Type) form {
	sub := Codec[P]{config: c.config}
	for inner := range t.Fields() {
		sub.add(field{inner, t, inner.Offset}, nil)
	}
	r := record{when: -1}
	for _, n := range sub.nodes {
		if n.form == nil || len(n.keys) != 1 {
			f.fault("a struct within a position has plain fields only")
		}
		r.members = append(r.members, member{n.keys[0], n.off, n.form})
	}
	if name := f.Tag.Get("when"); name != "" {
		when, ok := t.FieldByName(name)
		if !ok {
			f.fault("there is no field " + name)
		}
		r.when, r.whenType = int(when.Offset), when.Type
	}
	return r
}

// Encode writes every field of a position, in the order of the fields.
func (c *Codec[P]) Encode(p *P) ([]byte, error) { return c.object(p).MarshalJSON() }

// Echo writes what a document says that Decode has read over p: the derived fields, which are
// not read, stand as they were given.
func (c *Codec[P]) Echo(given Given, p *P) ([]byte, error) {
	doc := c.object(p)
	for i := range c.nodes {
		n := &c.nodes[i]
		if v, ok := given[n.path.key]; ok && n.derived {
			doc.at(n.keys[:len(n.keys)-1]).Set(n.keys[len(n.keys)-1], v)
		}
	}
	return doc.MarshalJSON()
}

func (c *Codec[P]) object(p *P) *Object {
	doc := &Object{}
	for i := range c.nodes {
		n := &c.nodes[i]
		if n.null != nil && n.null(p) {
			doc.at(n.keys[:n.whole-1]).Set(n.keys[n.whole-1], nil)
			continue
		}
		parent, v := doc.at(n.keys[:len(n.keys)-1]), c.value(n, p)
		if !n.omitZero || !empty(v) {
			parent.Set(n.keys[len(n.keys)-1], v)
		}
	}
	return doc
}

// value returns what is written of a field.
func (c *Codec[P]) value(n *node[P], p *P) any {
	switch {
	case n.null != nil && n.null(p):
		return nil
	case n.form != nil:
		return n.form.put(unsafe.Add(unsafe.Pointer(p), n.off))
	}
	return n.own.Write(p, n.at)
}

// empty reports whether a value is zero, false or an empty list.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case int:
		return v == 0
	case bool:
		return !v
	case []any:
		return len(v) == 0
	}
	return false
}

// Decode reads a position over p, which keeps what the document leaves out. It checks
// the form: names, ranges and lengths. Given says what the document had. Errors wrap
// engine.ErrPosition and are one line.
func (c *Codec[P]) Decode(data []byte, p *P) (Given, error) {
	var tree any
	if err := number(data, &tree); err != nil {
		return nil, err
	}
	doc, ok := tree.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: it must be an object", engine.ErrPosition)
	}
	given := Given{}
	r := &Reader{lists: c.config.Lists}
	for i := range c.nodes {
		n := &c.nodes[i]
		v, found := take(r, doc, n.keys)
		if r.err != nil {
			return nil, r.err
		}
		if !found {
			continue
		}
		r.path = &n.path
		if given[n.path.key] = v; v != nil && len(n.keys) > 1 {
			given[n.keys[0]] = true
		}
		switch at := unsafe.Add(unsafe.Pointer(p), n.off); {
		case n.derived: // compared by Derived
		case n.form != nil:
			n.form.get(r, at, v)
		case v != nil && n.own.Read != nil:
			n.own.Read(r, p, n.at, v)
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	if name := rest(doc, "", c.above); name != "" {
		return nil, fmt.Errorf("%w: unknown field %q; fields: %s", engine.ErrPosition, name, strings.Join(c.beside(name), ", "))
	}
	return given, nil
}

// above reports whether fields stand below a path.
func (c *Codec[P]) above(path string) bool {
	keys := strings.Split(path, ".")
	return slices.ContainsFunc(c.nodes, func(n node[P]) bool {
		return len(n.keys) > len(keys) && slices.Equal(n.keys[:len(keys)], keys)
	})
}

// beside lists the fields that could stand where an unknown one does.
func (c *Codec[P]) beside(unknown string) []string {
	above := strings.Split(unknown, ".")
	above = above[:len(above)-1]
	var names []string
	for _, n := range c.nodes {
		if len(n.keys) > len(above) && slices.Equal(n.keys[:len(above)], above) && !slices.Contains(names, n.keys[len(above)]) {
			names = append(names, n.keys[len(above)])
		}
	}
	return names
}

// Derived compares the derived fields that a document gave with those of p, which the
// caller has worked out by now.
func (c *Codec[P]) Derived(given Given, p *P) error {
	for i := range c.nodes {
		n := &c.nodes[i]
		v, ok := given[n.path.key]
		if !n.derived || !ok || v == nil {
			continue
		}
		is, err := plainly(c.value(n, p))
		if err != nil {
			return err
		}
		if fmt.Sprint(is) != fmt.Sprint(v) {
			return fmt.Errorf("%w: %s is %v, but it follows from the rest that it is %v", engine.ErrPosition, n.path.key, v, is)
		}
	}
	return nil
}

// Reader returns a reader for a value that Decode has left in Given.
func (c *Codec[P]) Reader(path string) *Reader {
	return &Reader{lists: c.config.Lists, path: &trail{key: path}}
}

// Given holds the fields that a document had, by their paths, and true for the first
// keys of them.
type Given map[string]any

// Has reports whether the document had a field, or one below it.
func (g Given) Has(path string) bool { return g[path] != nil }

// Any reports whether the document had one of the fields.
func (g Given) Any(paths ...string) bool { return slices.ContainsFunc(paths, g.Has) }
