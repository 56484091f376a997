package protocol

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// wholes are the fields of a message that hold whole numbers: true for those that may be
// negative. The decoder below it would take floats for them, and turn -1 into 2^64-1.
type wholes map[string]bool

// wholesOf lists the whole numbers of a message, none for one without any.
func wholesOf(t reflect.Type) wholes {
	list := wholes{}
	if t.Kind() != reflect.Struct {
		return list
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		if name == "" {
			name = f.Tag.Get("json")
		}
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		switch {
		case inner == reflect.TypeFor[Move](), inner.Kind() == reflect.Int64:
			list[name] = true
		case inner.Kind() == reflect.Uint64:
			list[name] = false
		}
	}
	return list
}

// check refuses numbers in data, a map that has passed Check, that are not whole or out of
// the field's range. Values of other types are left to the decoder, which names the type.
func (w wholes) check(data []byte) error {
	if c := data[0]; len(w) == 0 || !msgpcode.IsFixedMap(c) && c != msgpcode.Map16 && c != msgpcode.Map32 {
		return nil
	}
	size, values, _ := head(data)
	data = data[size:]
	for range values / 2 {
		var key []byte
		var err error
		if key, data, err = text(data); err != nil {
			return fmt.Errorf("a name of a parameter is no string")
		}
		if signed, ok := w[string(key)]; ok {
			if err := checkWhole(data, signed); err != nil {
				return fmt.Errorf("%s %v", key, err)
			}
		}
		data = data[skip(data):]
	}
	return nil
}

// checkWhole checks the value that data begins with, or each value of an array.
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
