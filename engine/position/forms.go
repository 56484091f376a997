package position

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// form is how a value in memory stands in a document. put returns nil, a bool, an int, a
// string, a list of them or an object; get reads what json.Decoder makes of it.
type form interface {
	put(at unsafe.Pointer) any
	get(r *Reader, at unsafe.Pointer, v any)
}

// load returns an integer of type t.
func load(t reflect.Type, at unsafe.Pointer) int {
	v := reflect.NewAt(t, at).Elem()
	switch {
	case v.CanInt():
		return int(v.Int())
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	}
	return int(v.Uint())
}

// store writes an integer of type t that fits.
func store(t reflect.Type, at unsafe.Pointer, n int) {
	if v := reflect.NewAt(t, at).Elem(); v.CanInt() {
		v.SetInt(int64(n))
	} else {
		v.SetUint(uint64(n))
	}
}

// bounds returns the range of an integer type.
func bounds(t reflect.Type) (low, high int) {
	bits := t.Bits()
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64 {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, int(^uint64(0) >> max(64-bits, 1))
}

// none is the value of type t that stands for nothing: all bits set.
func none(t reflect.Type) int {
	if low, high := bounds(t); low == 0 {
		return high
	}
	return -1
}

type boolean struct{}

func (boolean) put(at unsafe.Pointer) any { return *(*bool)(at) }

func (boolean) get(r *Reader, at unsafe.Pointer, v any) {
	if b, ok := v.(bool); ok {
		*(*bool)(at) = b
	} else if v != nil {
		r.wrongType(v, "true or false")
	}
}

// integer is one within a range.
type integer struct {
	t         reflect.Type
	low, high int
}

func (f integer) put(at unsafe.Pointer) any { return load(f.t, at) }

func (f integer) get(r *Reader, at unsafe.Pointer, v any) {
	if v != nil {
		store(f.t, at, r.Number("", v, f.low, f.high))
	}
}

// vocabulary is a list of words that values stand for by their index. One of numbers is
// written in numbers.
type vocabulary struct {
	words   []string
	numbers []int // nil for other words; an empty word has a 0 here
}

func newVocabulary(words []string) vocabulary {
	numbers := make([]int, len(words))
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if w != "" && (err != nil || strconv.Itoa(n) != w) { // a word, such as 0613
			return vocabulary{words: words}
		}
		numbers[i] = n
	}
	return vocabulary{words, numbers}
}

// value returns what stands in a document for index i, nil for none.
func (v *vocabulary) value(i int) any {
	switch {
	case i < 0 || i >= len(v.words) || v.words[i] == "":
		return nil
	case v.numbers != nil:
		return v.numbers[i]
	}
	return v.words[i]
}

// index returns the index of what stands in a document.
func (v *vocabulary) index(r *Reader, e any) int {
	if v.numbers == nil {
		return r.word("", e, v.words)
	}
	low, high := math.MaxInt, math.MinInt
	for i, n := range v.numbers {
		if v.words[i] != "" {
			low, high = min(low, n), max(high, n)
		}
	}
	n := r.Number("", e, low, high)
	i := slices.Index(v.words, strconv.Itoa(n))
	if i < 0 {
		r.Fail("%s is %d, it must be one of %s", r.path, n, strings.Join(v.words, " "))
		return 0
	}
	return i
}

// word is an integer that indexes a list of words, or names a seat.
type word struct {
	words    vocabulary
	t        reflect.Type
	optional bool // null stands for none
}

func (f word) put(at unsafe.Pointer) any { return f.words.value(load(f.t, at)) }

func (f word) get(r *Reader, at unsafe.Pointer, v any) {
	if v != nil {
		store(f.t, at, f.words.index(r, v))
	} else if i := slices.Index(f.words.words, ""); i >= 0 {
		store(f.t, at, i)
	} else if f.optional {
		store(f.t, at, none(f.t))
	}
}

// set is a bit set.
type set struct {
	words vocabulary
	t     reflect.Type
}

// bit returns the word of memory with bit i, and the bit in it. Sets are one integer, or
// an array of uint64.
func (f set) bit(at unsafe.Pointer, i int) (reflect.Type, unsafe.Pointer, int) {
	if f.t.Kind() == reflect.Array {
		return f.t.Elem(), unsafe.Add(at, i>>6<<3), i & 63
	}
	return f.t, at, i
}

func (f set) has(at unsafe.Pointer, i int) bool {
	t, at, b := f.bit(at, i)
	return reflect.NewAt(t, at).Elem().Uint()>>b&1 != 0
}

func (f set) add(at unsafe.Pointer, i int) {
	t, at, b := f.bit(at, i)
	v := reflect.NewAt(t, at).Elem()
	v.SetUint(v.Uint() | 1<<b)
}

func (f set) put(at unsafe.Pointer) any {
	list := []any{}
	for i := range f.words.words {
		if f.has(at, i) {
			list = append(list, f.words.value(i))
		}
	}
	return list
}

func (f set) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	reflect.NewAt(f.t, at).Elem().SetZero()
	for _, e := range r.List("", v, -1) {
		i := f.words.index(r, e)
		if r.err == nil && f.has(at, i) {
			r.Fail("%s: %v is named twice", r.path, e)
		}
		f.add(at, i)
	}
}

// flags is a bit set as a list of true and false.
type flags struct {
	n     int
	t     reflect.Type
	seats bool
}

func (f flags) put(at unsafe.Pointer) any {
	list := make([]any, f.n)
	for i := range list {
		list[i] = set{t: f.t}.has(at, i)
	}
	return list
}

func (f flags) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	for i, e := range r.each(v, f.n, f.seats) {
		t, at, b := set{t: f.t}.bit(at, i)
		on, ok := e.(bool)
		if !ok && e != nil {
			r.wrongType(e, "true or false")
		}
		if word := reflect.NewAt(t, at).Elem(); ok && r.err == nil {
			word.SetUint(word.Uint() &^ (1 << b))
			if on {
				word.SetUint(word.Uint() | 1<<b)
			}
		}
	}
}

// many is an array of counts, written as a list in which a word comes as often as it
// counts.
type many struct {
	words vocabulary
	t     reflect.Type // of a count
}

func (f many) put(at unsafe.Pointer) any {
	list := []any{}
	for i := range f.words.words {
		for range load(f.t, unsafe.Add(at, uintptr(i)*f.t.Size())) {
			list = append(list, f.words.value(i))
		}
	}
	return list
}

func (f many) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	for i := range f.words.words {
		store(f.t, unsafe.Add(at, uintptr(i)*f.t.Size()), 0)
	}
	_, most := bounds(f.t)
	entries := r.List("", v, -1)
	if len(entries) > most {
		r.Fail("%s has %d entries, at most %d are possible", r.path, len(entries), most)
		return
	}
	for _, e := range entries {
		at := unsafe.Add(at, uintptr(f.words.index(r, e))*f.t.Size())
		store(f.t, at, load(f.t, at)+1)
	}
}

// tally is an array of counts, written as an object of those that are not zero.
type tally struct {
	words vocabulary
	t     reflect.Type // of a count
	high  int
}

func (f tally) put(at unsafe.Pointer) any {
	counts := map[string]int{}
	for i, w := range f.words.words {
		if n := load(f.t, unsafe.Add(at, uintptr(i)*f.t.Size())); n != 0 {
			counts[w] = n
		}
	}
	return counts
}

func (f tally) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	for i := range f.words.words {
		store(f.t, unsafe.Add(at, uintptr(i)*f.t.Size()), 0)
	}
	for _, e := range r.Entries("", v) {
		i := r.word("", e.Key, f.words.words)
		store(f.t, unsafe.Add(at, uintptr(i)*f.t.Size()), r.Number(e.Key, e.Value, 0, f.high))
	}
}

// array is a list with a fixed number of values. null among them keeps what was there.
type array struct {
	elem   form
	n      int
	stride uintptr
	seats  bool
}

func (f array) put(at unsafe.Pointer) any {
	list := make([]any, f.n)
	for i := range list {
		list[i] = f.elem.put(unsafe.Add(at, uintptr(i)*f.stride))
	}
	return list
}

func (f array) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	entries := r.each(v, f.n, f.seats)
	element := r.enter(f.seats)
	for i, e := range entries {
		element.index = i
		f.elem.get(r, unsafe.Add(at, uintptr(i)*f.stride), e)
	}
	r.leave()
}

// list is a list with a number of elements of its own.
type list struct {
	elem      form
	most      int
	stride    uintptr
	count     int // where the number stands, relative to the elements
	countType reflect.Type
}

func (f list) put(at unsafe.Pointer) any {
	entries := make([]any, min(f.most, load(f.countType, unsafe.Add(at, f.count))))
	for i := range entries {
		entries[i] = f.elem.put(unsafe.Add(at, uintptr(i)*f.stride))
	}
	return entries
}

func (f list) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	entries := r.List("", v, -1)
	if len(entries) > f.most {
		r.Fail("%s has %d entries, at most %d are possible", r.path, len(entries), f.most)
		return
	}
	element := r.enter(false)
	for i, e := range entries {
		element.index = i
		f.elem.get(r, unsafe.Add(at, uintptr(i)*f.stride), e)
	}
	r.leave()
	store(f.countType, unsafe.Add(at, f.count), len(entries))
}

// record is a struct that is an object of its own.
type record struct {
	members  []member
	when     int // where the field stands whose zero means null, -1 for none
	whenType reflect.Type
}

type member struct {
	key  string
	off  uintptr
	form form
}

func (f record) put(at unsafe.Pointer) any {
	if f.when >= 0 && load(f.whenType, unsafe.Add(at, f.when)) == 0 {
		return nil
	}
	o := &Object{}
	for _, m := range f.members {
		o.Set(m.key, m.form.put(unsafe.Add(at, m.off)))
	}
	return o
}

func (f record) get(r *Reader, at unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	o, ok := v.(map[string]any)
	if !ok {
		r.wrongType(v, "an object")
		return
	}
	names := make([]string, 0, len(f.members))
	member := r.enter(false)
	for _, m := range f.members {
		names = append(names, m.key)
		if e, found := o[m.key]; found {
			member.key = m.key
			m.form.get(r, unsafe.Add(at, m.off), e)
			delete(o, m.key)
		}
	}
	r.leave()
	r.unknown(o, names)
}
