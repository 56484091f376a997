package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// HeaderSize is the size of a frame's length, in bytes.
const HeaderSize = 4

// MaxFrameBytes is the highest limit that a server may set to the body of a
// frame.
const MaxFrameBytes = 1 << 30

// MaxHelloBytes is the limit to the body of the requests of a connection that has not said
// hello: nobody knows yet who that is.
const MaxHelloBytes = 4 << 10

// ErrFrame is wrapped by the errors of bytes that are no message.
var ErrFrame = errors.New("bad frame")

// growth is how much memory a body begins with; more of it is taken by the growthFactor, as
// it comes. A peer that claims a long frame and sends little of it thereby costs little, and
// one that sends all of it little more than the frame: what it has outgrown is a third.
const growth, growthFactor = 64 << 10, 4

// Length reads the length of a frame's body, in bytes, from its header and holds
// it against the limit. Errors wrap ErrFrame.
func Length(header [HeaderSize]byte, limit int) (int, error) {
	n := binary.BigEndian.Uint32(header[:])
	if n == 0 {
		return 0, fmt.Errorf("%w: it is empty", ErrFrame)
	}
	if uint64(n) > uint64(limit) {
		return 0, fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrFrame, n, limit)
	}
	return int(n), nil
}

// ReadBody reads a body of n bytes. It uses buf, grown where it must be, and
// returns the body, which shares its memory. A stream that ends before is
// io.ErrUnexpectedEOF.
func ReadBody(r io.Reader, n int, buf []byte) ([]byte, error) {
	buf = buf[:0]
	for len(buf) < n {
		end := n
		if n > cap(buf) {
			end = min(n, max(growthFactor*len(buf), growth))
		}
		if end > cap(buf) {
			grown := make([]byte, len(buf), end)
			copy(grown, buf)
			buf = grown
		}
		got, err := io.ReadFull(r, buf[len(buf):end])
		buf = buf[:len(buf)+got]
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return buf, err
		}
	}
	return buf, nil
}

// ReadFrame reads one frame and returns its body, which shares the memory of buf
// where that is large enough. io.EOF means that the stream ended between frames.
func ReadFrame(r io.Reader, limit int, buf []byte) ([]byte, error) {
	var header [HeaderSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, err
	}
	n, err := Length(header, limit)
	if err != nil {
		return nil, err
	}
	return ReadBody(r, n, buf)
}
