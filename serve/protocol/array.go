package protocol

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/vmihailenco/msgpack/v5"
)

// Element is a number that arrays are made of.
type Element interface {
	~int8 | ~uint8 | ~int32 | ~int64 | ~uint64 | ~float32
}

// Array is a run of numbers that crosses the wire as msgpack bin: contiguous,
// in row-major order where it has a shape, each number little-endian. On
// little-endian machines it is written and read as it lies in memory.
type Array[E Element] []E

// nativeLittle reports whether this machine keeps numbers as the wire does.
var nativeLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// EncodeMsgpack implements msgpack.CustomEncoder. A Writer keeps a long array by
// reference.
func (a *Array[E]) EncodeMsgpack(enc *msgpack.Encoder) error {
	data := raw(*a)
	if !nativeLittle {
		data = swapped(*a)
	}
	if err := enc.EncodeBytesLen(len(data)); err != nil {
		return err
	}
	if w, ok := enc.Writer().(*Writer); ok {
		w.raw(data)
		return nil
	}
	_, err := enc.Writer().Write(data)
	return err
}

// DecodeMsgpack implements msgpack.CustomDecoder. It reuses the array's memory.
func (a *Array[E]) DecodeMsgpack(dec *msgpack.Decoder) error {
	n, err := dec.DecodeBytesLen()
	if err != nil {
		return err
	}
	n = max(n, 0) // -1 stands for nil
	size := a.element()
	if n%size != 0 {
		return fmt.Errorf("an array of %d bytes, which is no multiple of %d", n, size)
	}
	count := n / size
	if count > cap(*a) {
		*a = make(Array[E], count)
	}
	*a = (*a)[:count]
	if _, err := io.ReadFull(dec.Buffered(), raw(*a)); err != nil {
		return err
	}
	if !nativeLittle {
		copy(raw(*a), swapped(*a))
	}
	return nil
}

// element is the size of a number of the array, in bytes.
func (a *Array[E]) element() int {
	var zero E
	return int(unsafe.Sizeof(zero))
}

// raw is the memory of a, as bytes.
func raw[E Element](a []E) []byte {
	if len(a) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), len(a)*int(unsafe.Sizeof(a[0])))
}

// swapped returns a copy of the memory of a with the bytes of each number in
// reverse order.
func swapped[E Element](a []E) []byte {
	if len(a) == 0 {
		return nil
	}
	from, size := raw(a), int(unsafe.Sizeof(a[0]))
	out := make([]byte, len(from))
	for i := range from {
		out[i] = from[i/size*size+size-1-i%size]
	}
	return out
}

// wireType names the type for errors.
func (a *Array[E]) wireType() string {
	var zero E
	return fmt.Sprintf("bin of %s", reflect.TypeOf(zero).Kind())
}
