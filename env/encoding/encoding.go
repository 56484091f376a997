// Package encoding turns views into tensors. It holds what the
// encoders of all games share: the self-describing layout and the interface.
package encoding

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"powderkeg/engine"
)

// Field is one named run of numbers in an observation.
type Field struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
	// Shape is the field's shape in row-major order; its product is Size.
	Shape []int `json:"shape"`
	// Min and Max bound every number of the field.
	Min float32 `json:"min"`
	Max float32 `json:"max"`
	// Meaning says what the numbers are, from whose side, and how they are scaled.
	Meaning string `json:"meaning"`
	// Labels names the entries along the last axis, where they have names.
	Labels []string `json:"labels,omitempty"`
}

// Layout describes every number of an observation.
type Layout struct {
	Game string `json:"game"`
	// Version moves when the meaning or place of any number does.
	Version int     `json:"version"`
	Size    int     `json:"size"`
	Fields  []Field `json:"fields"`
	// Renamed holds, by version, the hashes of older layouts that have the same numbers
	// under other names.
	Renamed map[int]string `json:"-"`
}

// Add appends a field behind the last one and returns its offset. No labels
// means that the entries have no names.
func (l *Layout) Add(name string, min, max float32, meaning string, labels []string, shape ...int) int {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if labels != nil && len(labels) != shape[len(shape)-1] {
		panic(fmt.Sprintf("encoding: field %s has %d labels for an axis of %d", name, len(labels), shape[len(shape)-1]))
	}
	offset := l.Size
	l.Fields = append(l.Fields, Field{name, offset, size, shape, min, max, meaning, labels})
	l.Size += size
	return offset
}

// Hash identifies the layout: the SHA-256 of its JSON form, in hexadecimal.
func (l *Layout) Hash() string {
	data, err := json.Marshal(l)
	if err != nil {
		panic(err) // a struct of strings and numbers always marshals
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Beginning returns the older layout with that version and hash if it is made of the
// first fields of this one: whatever has been added since then stands behind them. Of one
// with Renamed numbers it returns this one's fields.
func (l *Layout) Beginning(version int, hash string) (*Layout, bool) {
	if version >= l.Version {
		return nil, false
	}
	if same, ok := l.Renamed[version]; ok && same == hash {
		return &Layout{Game: l.Game, Version: version, Size: l.Size, Fields: l.Fields}, true
	}
	for n := len(l.Fields); n > 0; n-- {
		last := l.Fields[n-1]
		older := &Layout{Game: l.Game, Version: version, Size: last.Offset + last.Size, Fields: l.Fields[:n]}
		if older.Hash() == hash {
			return older, true
		}
	}
	return nil, false
}

// Encoder writes the observations of one configured game. It is immutable and
// safe for concurrent use.
type Encoder interface {
	// Layout describes the observation. The caller must not change it.
	Layout() *Layout
	// Encode writes the observation of seat p to dst, which has Layout().Size
	// entries; all of them are written, whatever they held. The view is that of p.
	Encode(dst []float32, view engine.View, p engine.Player)
}
