package fleet

import (
	"encoding/binary"
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// bounds are how deep the lists and maps of a message may be nested, and how many values it may
// hold, those of unknown keys included. A list of a million empty strings is a megabyte as a
// message, and 16 times as much when it is decoded; a megabyte of nested lists ends the process,
// since they are skipped by recursion.
type bounds struct{ depth, values int }

// Of the messages whose size does not follow from what was asked: tasks, of which some hold the
// games of many environments so far, jobs, and their results.
var (
	taskBounds   = bounds{depth: 16, values: 1 << 21}
	jobBounds    = bounds{depth: 3, values: 1 << 12}
	resultBounds = bounds{depth: 0, values: 1}
)

// decode decodes MessagePack that may come from anybody.
func decode(data []byte, v any, b bounds) error {
	if err := b.check(data); err != nil {
		return fmt.Errorf("%w: %w", errMessage, err)
	}
	if err := msgpack.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%w: %w", errMessage, err)
	}
	return nil
}

// check reports whether data is one value of MessagePack within the bounds. It allocates nothing
// but a number for each level.
func (b bounds) check(data []byte) error {
	open := make([]int, 1, b.depth+2) // values that are still to come, by level
	open[0] = 1
	for values := 0; len(open) > 0; {
		last := len(open) - 1
		if open[last] == 0 {
			open = open[:last]
			continue
		}
		open[last]--
		if values++; values > b.values {
			return fmt.Errorf("more than %d values", b.values)
		}
		size, inside, err := token(data)
		if err != nil {
			return err
		}
		data = data[size:]
		switch {
		case inside > b.values-values:
			return fmt.Errorf("more than %d values", b.values)
		case inside > 0 && last == b.depth:
			return fmt.Errorf("more than %d levels", b.depth)
		case inside > 0:
			open = append(open, inside)
		}
	}
	if len(data) > 0 {
		return fmt.Errorf("%d bytes after the end", len(data))
	}
	return nil
}

// token returns the size of the value that data begins with, without the values inside, and how
// many of these there are.
func token(data []byte) (size, inside int, err error) {
	if len(data) == 0 {
		return 0, 0, fmt.Errorf("it ends too early")
	}
	c := data[0]
	head, unit, perUnit := 1, 0, 0 // bytes of the length, and what a unit of it is: bytes, or values
	fixed := 0
	switch {
	case msgpcode.IsFixedNum(c), c == msgpcode.Nil, c == msgpcode.False, c == msgpcode.True:
	case msgpcode.IsFixedString(c):
		fixed = int(c & msgpcode.FixedStrMask)
	case msgpcode.IsFixedArray(c):
		inside = int(c & msgpcode.FixedArrayMask)
	case msgpcode.IsFixedMap(c):
		inside = 2 * int(c&msgpcode.FixedMapMask)
	default:
		form, known := forms[c]
		if !known {
			return 0, 0, fmt.Errorf("byte %#x begins no value", c)
		}
		head, unit, perUnit, fixed = 1+form.length, form.bytes, form.values, form.fixed
	}
	if len(data) < head {
		return 0, 0, fmt.Errorf("it ends too early")
	}
	var n uint64
	switch head {
	case 2:
		n = uint64(data[1])
	case 3:
		n = uint64(binary.BigEndian.Uint16(data[1:]))
	case 5:
		n = uint64(binary.BigEndian.Uint32(data[1:]))
	}
	total := uint64(head) + uint64(fixed) + n*uint64(unit)
	inside += int(n) * perUnit
	if total+uint64(inside) > uint64(len(data)) { // each value has a byte at least
		return 0, 0, fmt.Errorf("it ends too early")
	}
	return int(total), inside, nil
}

// forms are those of values with a length, or of more than a byte.
var forms = map[byte]struct{ length, bytes, values, fixed int }{
	msgpcode.Uint8: {fixed: 1}, msgpcode.Uint16: {fixed: 2}, msgpcode.Uint32: {fixed: 4}, msgpcode.Uint64: {fixed: 8},
	msgpcode.Int8: {fixed: 1}, msgpcode.Int16: {fixed: 2}, msgpcode.Int32: {fixed: 4}, msgpcode.Int64: {fixed: 8},
	msgpcode.Float: {fixed: 4}, msgpcode.Double: {fixed: 8},
	msgpcode.Str8: {length: 1, bytes: 1}, msgpcode.Str16: {length: 2, bytes: 1}, msgpcode.Str32: {length: 4, bytes: 1},
	msgpcode.Bin8: {length: 1, bytes: 1}, msgpcode.Bin16: {length: 2, bytes: 1}, msgpcode.Bin32: {length: 4, bytes: 1},
	msgpcode.Array16: {length: 2, values: 1}, msgpcode.Array32: {length: 4, values: 1},
	msgpcode.Map16: {length: 2, values: 2}, msgpcode.Map32: {length: 4, values: 2},
	// Of an extension the type follows the length.
	msgpcode.FixExt1: {fixed: 2}, msgpcode.FixExt2: {fixed: 3}, msgpcode.FixExt4: {fixed: 5}, msgpcode.FixExt8: {fixed: 9},
	msgpcode.FixExt16: {fixed: 17},
	msgpcode.Ext8:     {length: 1, bytes: 1, fixed: 1}, msgpcode.Ext16: {length: 2, bytes: 1, fixed: 1}, msgpcode.Ext32: {length: 4, bytes: 1, fixed: 1},
}
