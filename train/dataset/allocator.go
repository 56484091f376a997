package dataset

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// maxBuffer bounds the memory of one buffer of a file that is read, in bytes.
// Buffers state their own length, and running out of memory cannot be recovered
// from. A row group has 16384 rows, or a batch: this leaves 64 KiB a row.
const maxBuffer = 1 << 30

// bounded is an allocator that panics where more is asked for, which guarded
// turns into an error.
type bounded struct{ memory.GoAllocator }

func newBounded() memory.Allocator { return &bounded{*memory.NewGoAllocator()} }

func (a *bounded) Allocate(size int) []byte {
	checkBuffer(size)
	return a.GoAllocator.Allocate(size)
}

func (a *bounded) Reallocate(size int, b []byte) []byte {
	checkBuffer(size)
	return a.GoAllocator.Reallocate(size, b)
}

func checkBuffer(size int) {
	if size < 0 || size > maxBuffer {
		panic(fmt.Sprintf("a buffer of %d bytes; at most %d can be", size, maxBuffer))
	}
}
