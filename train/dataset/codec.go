//go:build !library

package dataset

import (
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// boundCodecs has the Parquet library unpack into the memory that a page says that it takes,
// which is charged, and no further: its own codecs go on as long as there is something to
// unpack. They pack as before.
var boundCodecs = sync.OnceFunc(func() {
	for codec, decode := range map[compress.Compression]func(dst, src []byte) ([]byte, error){
		compress.Codecs.Zstd: decodeZstd, compress.Codecs.Snappy: decodeSnappy,
	} {
		own, err := compress.GetCodec(codec)
		if err != nil {
			panic(err) // the library has both
		}
		compress.RegisterCodec(codec, &boundCodec{own, decode})
	}
})

type boundCodec struct {
	compress.Codec
	decode func(dst, src []byte) ([]byte, error)
}

// DecodeWithError implements compress.ErrorCodec.
func (c *boundCodec) DecodeWithError(dst, src []byte) ([]byte, error) { return c.decode(dst, src) }

// Decode implements compress.Codec; guarded turns its panic into an error.
func (c *boundCodec) Decode(dst, src []byte) []byte {
	data, err := c.decode(dst, src)
	if err != nil {
		panic(err)
	}
	return data
}

// zstdDecoder unpacks no more than what it is given room for.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderConcurrency(0))
})

func decodeZstd(dst, src []byte) ([]byte, error) {
	d, err := zstdDecoder()
	if err != nil {
		return nil, err
	}
	return d.DecodeAll(src, dst[:0:len(dst)])
}

func decodeSnappy(dst, src []byte) ([]byte, error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, err
	}
	if n > len(dst) {
		return nil, fmt.Errorf("a page unpacks to %d bytes, it says %d", n, len(dst))
	}
	return snappy.Decode(dst, src)
}
