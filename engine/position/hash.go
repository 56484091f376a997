package position

import (
	"reflect"
	"unsafe"

	"powderkeg/engine"
)

// span is a run of bytes of a position that tell it apart from others.
type span struct{ off, size uintptr }

// Hash returns the same number for positions with equal fields, those apart that are
// kept for speed. It does not allocate.
func (c *Codec[P]) Hash(p *P) uint64 {
	h := engine.NewHash()
	for _, s := range c.spans {
		h = h.Bytes(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.off)), s.size))
	}
	return uint64(h)
}

// spansOf returns the runs of bytes of the fields of t that are hashed, without the
// gaps between fields, whose bytes mean nothing.
func spansOf(t reflect.Type, at uintptr) []span {
	var list []span
	add := func(s span) {
		if n := len(list) - 1; n >= 0 && list[n].off+list[n].size == s.off {
			list[n].size += s.size
		} else {
			list = append(list, s)
		}
	}
	for f := range t.Fields() {
		kept := f.Tag.Get("pos") == "" && f.Tag.Get("by") == "" && !f.Anonymous || f.Tag.Get("pos") == "-"
		if (kept && f.Tag.Get("hash") == "") || f.Type.Size() == 0 {
			continue
		}
		for _, s := range spansOfType(f.Type, at+f.Offset) {
			add(s)
		}
	}
	return list
}

func spansOfType(t reflect.Type, at uintptr) []span {
	var list []span
	switch t.Kind() {
	case reflect.Struct:
		return spansOf(t, at)
	case reflect.Array:
		if k := t.Elem().Kind(); k != reflect.Struct && k != reflect.Array {
			return []span{{at, t.Size()}}
		}
		for i := range t.Len() {
			list = append(list, spansOfType(t.Elem(), at+uintptr(i)*t.Elem().Size())...)
		}
		return list
	}
	return []span{{at, t.Size()}}
}
