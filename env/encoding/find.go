package encoding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Find returns where in an observation the numbers are that a key names: a field, as
// in "hand", or a part of one, as in "hand[2]" and "areas[3][owner]", with a place
// from 0 or, along the last axis, a label in each pair of brackets. The error says
// what there is.
func (l *Layout) Find(key string) (offset, size int, err error) {
	name, rest, _ := strings.Cut(key, "[")
	i := slices.IndexFunc(l.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		names := make([]string, len(l.Fields))
		for i := range l.Fields {
			names[i] = l.Fields[i].Name
		}
		return 0, 0, fmt.Errorf("%s has no field %q in its observation; fields: %s", l.Game, name, strings.Join(names, ", "))
	}
	f := &l.Fields[i]
	offset, size = f.Offset, f.Size
	if rest == "" {
		return offset, size, nil
	}
	rest, closed := strings.CutSuffix(rest, "]")
	parts := strings.Split(rest, "][")
	if !closed || len(parts) > len(f.Shape) {
		return 0, 0, fmt.Errorf("%q is not of the form %s%s", key, f.Name, strings.Repeat("[place]", len(f.Shape)))
	}
	for axis, part := range parts {
		place, err := f.place(axis, part)
		if err != nil {
			return 0, 0, err
		}
		size /= f.Shape[axis]
		offset += place * size
	}
	return offset, size, nil
}

// place returns the place along an axis that a number or a label names.
func (f *Field) place(axis int, part string) (int, error) {
	n := f.Shape[axis]
	last := axis == len(f.Shape)-1
	if i := slices.Index(f.Labels, part); last && i >= 0 {
		return i, nil
	}
	i, err := strconv.Atoi(part)
	if err == nil && i >= 0 && i < n {
		return i, nil
	}
	if last && f.Labels != nil {
		return 0, fmt.Errorf("field %s has no entry %q; entries: %s", f.Name, part, strings.Join(f.Labels, ", "))
	}
	return 0, fmt.Errorf("axis %d of field %s has the places 0 to %d, not %q", axis, f.Name, n-1, part)
}
