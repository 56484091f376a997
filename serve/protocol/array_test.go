package protocol

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// The two ways of writing an array must agree with encoding/binary, whichever
// of them this machine uses.
func TestArraysAreWrittenInEitherByteOrder(t *testing.T) {
	check(t, []float32{0, 1, -2.5})
	check(t, []int32{-1, 1 << 30})
	check(t, []uint64{1, 1 << 63})
	check(t, []int8{-2, 7})
	check(t, []uint8(nil))
}

func check[E Element](t *testing.T, a []E) {
	t.Helper()
	for _, c := range []struct {
		name  string
		got   []byte
		order binary.AppendByteOrder
	}{
		{"as it lies in memory", raw(a), binary.NativeEndian},
		{"the other way round", swapped(a), map[bool]binary.AppendByteOrder{true: binary.BigEndian, false: binary.LittleEndian}[nativeLittle]},
	} {
		want, err := binary.Append(nil, c.order.(binary.ByteOrder), a)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(c.got, want) {
			t.Errorf("%T %v %s: got %x, want %x", a, a, c.name, c.got, want)
		}
	}
}
