package enginetest

import (
	"maps"
	"math/rand/v2"
	"slices"

	"powderkeg/engine"
)

// Mutator changes decoded JSON documents at random places, for tests of what Load
// makes of positions that are nearly right. It belongs to one goroutine.
type Mutator struct {
	RNG *rand.PCG // nil makes one of seed 0
	// Words are put in the places of strings; those met on the way are added.
	Words []any
	// Numbers are put in the places of numbers and of null, which stay as they are where
	// there are none; they may hold null.
	Numbers []any
}

// N returns a number from 0 up to but not including n.
func (m *Mutator) N(n int) int {
	if m.RNG == nil {
		m.RNG = rand.NewPCG(0, 0)
	}
	return int(engine.Uint32N(m.RNG, uint32(n)))
}

// Change changes one random place of v, in place where it can, and returns it.
func (m *Mutator) Change(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if keys := slices.Sorted(maps.Keys(v)); len(keys) > 0 {
			k := keys[m.N(len(keys))]
			v[k] = m.Change(v[k])
		}
		return v
	case []any:
		switch i := m.N(8); {
		case i == 0 && len(v) > 0:
			return v[:len(v)-1]
		case i == 1 && len(v) > 0:
			return append(v, v[m.N(len(v))])
		case len(v) > 0:
			k := m.N(len(v))
			v[k] = m.Change(v[k])
		case len(m.Words) > 0:
			return append(v, m.Words[m.N(len(m.Words))])
		}
		return v
	case string:
		m.Words = append(m.Words, v)
		return m.Words[m.N(len(m.Words))]
	case bool:
		return !v
	default:
		if len(m.Numbers) == 0 {
			return v
		}
		return m.Numbers[m.N(len(m.Numbers))]
	}
}

// AtRest is the function AtRest most of the time. Else what stands beside is kept, or changes
// are to be made in it too.
func (m *Mutator) AtRest(doc map[string]any) (whole, rest map[string]any) {
	whole, rest = AtRest(doc)
	if whole["rest"] == nil {
		return whole, rest
	}
	if m.N(4) == 0 {
		whole = doc
	}
	if m.N(4) == 0 {
		rest = whole
	}
	return whole, rest
}
