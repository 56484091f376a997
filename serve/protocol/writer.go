package protocol

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"github.com/vmihailenco/msgpack/v5"
)

// refer is the size in bytes from which an array is kept by reference; shorter
// ones are cheaper to copy than to hand to the kernel apart.
const refer = 8 << 10

// Kinds of messages, the first element of each. The numbers are those of
// MessagePack-RPC.
const (
	kindRequest  = 0
	kindResponse = 1
)

// Writer builds one frame at a time and sends it. Its memory is reused; it
// belongs to one goroutine.
type Writer struct {
	enc  *msgpack.Encoder
	buf  []byte // header and all that is copied
	cuts []cut
	held int         // bytes kept by reference
	iov  net.Buffers // backing of out
	out  net.Buffers // consumed by Flush
}

// cut is an array that belongs between buf[:at] and buf[at:].
type cut struct {
	at   int
	data []byte
}

// NewWriter returns an empty writer.
func NewWriter() *Writer {
	w := &Writer{}
	w.enc = msgpack.NewEncoder(w)
	return w
}

// Request builds a request. Params is a pointer to a struct, or nil. Long arrays
// in it must not change before Flush.
func (w *Writer) Request(id uint64, method string, params any) error {
	w.begin()
	return join(w.enc.EncodeArrayLen(4), w.enc.EncodeUint(kindRequest), w.enc.EncodeUint(id), w.enc.EncodeString(method), w.enc.Encode(params))
}

// Response builds the response to request id: a result, which is a pointer to a
// struct, or an error. Long arrays in it must not change before Flush.
func (w *Writer) Response(id uint64, fault *Error, result any) error {
	w.begin()
	if fault != nil {
		return join(w.enc.EncodeArrayLen(4), w.enc.EncodeUint(kindResponse), w.enc.EncodeUint(id), w.enc.Encode(fault), w.enc.EncodeNil())
	}
	return join(w.enc.EncodeArrayLen(4), w.enc.EncodeUint(kindResponse), w.enc.EncodeUint(id), w.enc.EncodeNil(), w.enc.Encode(result))
}

func join(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) begin() {
	w.buf = append(w.buf[:0], make([]byte, HeaderSize)...)
	clear(w.cuts)
	w.cuts, w.held = w.cuts[:0], 0
	w.enc.Reset(w)
	// Types of other packages that have names for JSON cross the wire by those.
	w.enc.SetCustomStructTag("json")
	w.enc.UseCompactInts(true)
}

// Write implements io.Writer for the encoder.
func (w *Writer) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	return len(p), nil
}

// WriteByte implements io.ByteWriter for the encoder.
func (w *Writer) WriteByte(c byte) error {
	w.buf = append(w.buf, c)
	return nil
}

// raw adds the bytes of an array.
func (w *Writer) raw(data []byte) {
	if len(data) < refer {
		w.buf = append(w.buf, data...)
		return
	}
	w.cuts = append(w.cuts, cut{len(w.buf), data})
	w.held += len(data)
}

// Size returns the size of the frame's body, in bytes.
func (w *Writer) Size() int { return len(w.buf) - HeaderSize + w.held }

// Flush sends the frame, in one system call where the kernel takes it at once.
// A frame longer than limit is refused, and nothing is sent.
func (w *Writer) Flush(to io.Writer, limit int) error {
	if n := w.Size(); n > min(limit, MaxFrameBytes) {
		return fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrFrame, n, limit)
	}
	binary.BigEndian.PutUint32(w.buf, uint32(w.Size()))
	if len(w.cuts) == 0 {
		_, err := to.Write(w.buf)
		return err
	}
	w.iov = w.iov[:0]
	from := 0
	for _, c := range w.cuts {
		w.iov = append(w.iov, w.buf[from:c.at], c.data)
		from = c.at
	}
	if from < len(w.buf) {
		w.iov = append(w.iov, w.buf[from:])
	}
	w.out = w.iov
	_, err := w.out.WriteTo(to)
	clear(w.iov) // lets go of the arrays
	return err
}
