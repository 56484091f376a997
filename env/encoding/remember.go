package encoding

import "unsafe"

// Rememberer is an Encoder of a game in which so little changes from one observation to the
// next that it pays to write only what differs.
type Rememberer interface {
	Encoder
	// Remembering returns an encoder that writes the same. It keeps the last observation and
	// the view that it was made from, and makes again only the parts whose share of the view
	// differs. So what it writes follows from the view and the seat alone, whatever it wrote
	// before and wherever it wrote to. It belongs to one goroutine at a time.
	Remembering() Encoder
	// RememberingBytes is what one remembering encoder holds.
	RememberingBytes() int
}

// Span is a run of fields of a P that stand beside each other.
type Span[P any] struct{ from, to uintptr }

// Between returns the span from one field of p to another, both included.
func Between[P, A, B any](p *P, first *A, last *B) Span[P] {
	s := Span[P]{from: uintptr(unsafe.Pointer(first)) - uintptr(unsafe.Pointer(p))}
	s.to = uintptr(unsafe.Pointer(last)) - uintptr(unsafe.Pointer(p)) + unsafe.Sizeof(*last)
	if s.from > s.to || s.to > unsafe.Sizeof(*p) {
		panic("encoding: the fields are not in order, or of another value")
	}
	return s
}

// Same reports whether all fields of the span hold the same in a and b. To compare them at
// once is faster than one by one. It may miss that they do where Go leaves gaps between them.
// P must not hold pointers.
func (s Span[P]) Same(a, b *P) bool { return string(s.of(a)) == string(s.of(b)) }

func (s Span[P]) of(p *P) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.from)), s.to-s.from)
}
