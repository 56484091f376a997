package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// MaxToken is the length of the longest token of hello, in bytes.
const MaxToken = 1 << 10

// MaxEntries is how many parameters a request may name, those that it names twice included.
// No method has half as many.
const MaxEntries = 32

// Bound is how long a parameter may be.
type Bound struct {
	Items int // of an array, 0 for what is none
	Bytes int // of a str, or of each in an array of them; 0 for what is none
}

// Bounds are those of parameters by their names, which mean the same in all methods. Of bin
// the server knows how much a request can use: see Decoder.Room.
var Bounds = map[string]Bound{
	"action":    {Bytes: 1 << 10},
	"agent":     {Bytes: 4 << 10},
	"agents":    {Items: 16, Bytes: 4 << 10},
	"autoreset": {Bytes: 64},
	"client":    {Bytes: 1 << 10},
	"game":      {Bytes: 4 << 10},
	"position":  {Bytes: 64 << 10}, // several times the longest, which JSON readers take fifty times of
	"snapshot":  {Bytes: 64 << 10},
	"token":     {Bytes: MaxToken},
	"versions":  {Items: 64},
}

// shape is what the parameters of a method may look like. It is held against them before
// anything is allocated for them.
type shape struct {
	fields map[string]field
	handle string // the field that says what bins are about, empty for none
}

// field is a parameter.
type field struct {
	name string
	// A whole number, or an array of them. The decoder below it would take floats for them,
	// and turn -1 into 2^64-1.
	whole, signed bool
	bound         Bound
	element       int // bytes of a number of a bin, 0 for what is none
	// list is set for an array of other values, text for a string or a list of strings, number
	// for a whole number alone or a list of them, truth for a boolean. Others say themselves
	// what they are.
	list, text, number, truth bool
}

// shapeOf returns the shape of a message.
func shapeOf(t reflect.Type) *shape {
	s := &shape{fields: map[string]field{}}
	if t.Kind() != reflect.Struct {
		return s
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		if name == "" {
			name = f.Tag.Get("json")
		}
		own := field{name: name, bound: Bounds[name]}
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		switch {
		case isArray(f.Type):
			own.element = int(inner.Size())
		case inner == reflect.TypeFor[Move]():
			own.whole, own.signed = true, true
		case inner.Kind() == reflect.Int64:
			own.whole, own.signed, own.number = true, true, true
		case inner.Kind() == reflect.Uint64:
			own.whole, own.number = true, true
			if s.handle == "" && f.Type.Kind() == reflect.Uint64 {
				s.handle = name
			}
		case inner.Kind() == reflect.String:
			own.text = true
		case inner.Kind() == reflect.Bool:
			own.truth = true
		}
		own.list = f.Type.Kind() == reflect.Slice && own.element == 0
		s.fields[name] = own
	}
	return s
}

// isArray reports whether a field crosses the wire as bin.
func isArray(t reflect.Type) bool {
	_, ok := reflect.New(t).Interface().(interface{ element() int })
	return ok
}

// check holds parameters, which have passed Check, against the shape. Values of other types
// are left to the decoder, which names the type and allocates nothing for them.
func (s *shape) check(data []byte, room func(name string, handle uint64, n int) error) error {
	if c := data[0]; !msgpcode.IsFixedMap(c) && c != msgpcode.Map16 && c != msgpcode.Map32 {
		return nil
	}
	size, values, _ := head(data)
	if values/2 > MaxEntries {
		return Errorf(CodeLimit, "%d parameters, the limit is %d", values/2, MaxEntries)
	}
	handle, err := s.handleIn(data[size:], values/2)
	if err != nil {
		return err
	}
	data = data[size:]
	for range values / 2 {
		var key []byte
		if key, data, err = text(data); err != nil {
			return errNoName
		}
		f, known := s.fields[string(key)]
		if !known {
			return fmt.Errorf("unknown field %q", key[:min(len(key), 40)])
		}
		if err := f.check(data); err != nil {
			var fault *Error
			if errors.As(err, &fault) {
				return Errorf(fault.Code, "%s %s", f.name, fault.Message)
			}
			return fmt.Errorf("%s %w", f.name, err)
		}
		if n, ok := extent(data); ok && f.element > 0 && room != nil {
			if err := room(f.name, handle, n/f.element); err != nil {
				return err
			}
		}
		data = data[skip(data):]
	}
	return nil
}

var errNoName = errors.New("a name of a parameter is no string")

// handleIn returns the handle among parameters, 0 where there is none: the last one, as the
// decoder does.
func (s *shape) handleIn(data []byte, entries uint64) (handle uint64, err error) {
	if s.handle == "" {
		return 0, nil
	}
	for range entries {
		var key []byte
		if key, data, err = text(data); err != nil {
			return 0, errNoName
		}
		if string(key) == s.handle {
			if err := checkWhole(data, false); err != nil {
				return 0, fmt.Errorf("%s %w", key, err)
			}
			if handle, err = unsigned(data); err != nil && data[0] != msgpcode.Nil {
				return 0, fmt.Errorf("%s is no whole number", key)
			}
		}
		data = data[skip(data):]
	}
	return handle, nil
}

// check checks the value that data begins with.
func (f *field) check(data []byte) error {
	if err := f.checkType(data); err != nil || data[0] == msgpcode.Nil {
		return err
	}
	if f.bound.Items > 0 {
		size, values, _ := head(data)
		if values > uint64(f.bound.Items) {
			return Errorf(CodeLimit, "has %d elements, the limit is %d", values, f.bound.Items)
		}
		for range values {
			n, isText := extent(data[size:])
			if n > f.bound.Bytes {
				return Errorf(CodeLimit, "has an element of %d bytes, the limit is %d", n, f.bound.Bytes)
			}
			if f.text && !isText && data[size] != msgpcode.Nil {
				return errors.New("has an element that is no text")
			}
			size += skip(data[size:])
		}
	} else if n, ok := extent(data); ok && f.bound.Bytes > 0 && n > f.bound.Bytes {
		return Errorf(CodeLimit, "has %d bytes, the limit is %d", n, f.bound.Bytes)
	}
	if f.whole {
		return checkWhole(data, f.signed)
	}
	return nil
}

// checkType says what the value that data begins with is not, in words: the decoder names
// bytes of msgpack. Nil is of every type.
func (f *field) checkType(data []byte) error {
	c := data[0]
	isList := msgpcode.IsFixedArray(c) || c == msgpcode.Array16 || c == msgpcode.Array32
	_, isText := extent(data)
	switch {
	case c == msgpcode.Nil:
		return nil
	case f.list && !isList:
		return errors.New("is no list")
	case f.truth && c != msgpcode.True && c != msgpcode.False:
		return errors.New("is neither true nor false")
	case f.text && !f.list && !isText:
		return errors.New("is no text")
	case f.number && !f.list && !isNumber(c):
		return errors.New("is no whole number")
	}
	return nil
}

// isNumber reports whether a value that begins with c is a number.
func isNumber(c byte) bool {
	return msgpcode.IsFixedNum(c) || c >= msgpcode.Float && c <= msgpcode.Int64
}

// extent returns the length of the str or bin that data begins with, in bytes, and false for
// a value of another type.
func extent(data []byte) (n int, ok bool) {
	size, _, _ := head(data)
	switch c := data[0]; {
	case msgpcode.IsFixedString(c):
		return size - 1, true
	case c == msgpcode.Str8, c == msgpcode.Bin8:
		return size - 2, true
	case c == msgpcode.Str16, c == msgpcode.Bin16:
		return size - 3, true
	case c == msgpcode.Str32, c == msgpcode.Bin32:
		return size - 5, true
	}
	return 0, false
}

// checkWhole checks that the value that data begins with is a whole number within the range
// of a field, or each value of an array.
func checkWhole(data []byte, signed bool) error {
	size, values, _ := head(data)
	if c := data[0]; msgpcode.IsFixedArray(c) || c == msgpcode.Array16 || c == msgpcode.Array32 {
		for range values {
			if err := checkWhole(data[size:], signed); err != nil {
				return err
			}
			size += skip(data[size:])
		}
		return nil
	}
	want := "a whole number"
	if !signed {
		want = "a whole number from 0 to 18446744073709551615"
	}
	switch c := data[0]; {
	case c == msgpcode.Float:
		return fmt.Errorf("is the float %v, it must be %s", math.Float32frombits(binary.BigEndian.Uint32(data[1:])), want)
	case c == msgpcode.Double:
		return fmt.Errorf("is the float %v, it must be %s", math.Float64frombits(binary.BigEndian.Uint64(data[1:])), want)
	case signed && c == msgpcode.Uint64 && data[1] >= 0x80:
		return fmt.Errorf("is %d, it must be below 2^63", binary.BigEndian.Uint64(data[1:]))
	case !signed && negative(data):
		return fmt.Errorf("is negative, it must be %s", want)
	}
	return nil
}

// negative reports whether data begins with a number below 0.
func negative(data []byte) bool {
	switch c := data[0]; c {
	case msgpcode.Int8, msgpcode.Int16, msgpcode.Int32, msgpcode.Int64:
		return data[1] >= 0x80
	default:
		return c >= msgpcode.NegFixedNumLow
	}
}

// unsigned returns the number that data begins with, which is not negative.
func unsigned(data []byte) (uint64, error) {
	switch c := data[0]; {
	case c <= msgpcode.PosFixedNumHigh:
		return uint64(c), nil
	case c == msgpcode.Uint8, c == msgpcode.Int8:
		return uint64(data[1]), nil
	case c == msgpcode.Uint16, c == msgpcode.Int16:
		return uint64(binary.BigEndian.Uint16(data[1:])), nil
	case c == msgpcode.Uint32, c == msgpcode.Int32:
		return uint64(binary.BigEndian.Uint32(data[1:])), nil
	case c == msgpcode.Uint64, c == msgpcode.Int64:
		return binary.BigEndian.Uint64(data[1:]), nil
	}
	return 0, errors.New("no unsigned whole number")
}

// skip returns the size of the value that data begins with, all that it contains included.
func skip(data []byte) int {
	at := 0
	for left := uint64(1); left > 0; left-- {
		size, values, _ := head(data[at:])
		at += size
		left += values
	}
	return at
}
