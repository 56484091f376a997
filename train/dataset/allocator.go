//go:build !library

package dataset

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// bounded is an allocator with a budget for all that is asked of it until the next refill; over
// it, it panics, which guarded turns into an error. Buffers state their own length, and running
// out of memory cannot be recovered from.
type bounded struct {
	memory.GoAllocator
	most, left int64 // bytes
}

// Budgets of bounded allocators, in bytes: for what stands in front of a file's rows, and for
// the rows of a record, of which there are up to a batch. The largest batch that was ever
// played, 13 games of Domination, takes 110 MB.
const (
	openBudget = 64 << 20
	rowsBudget = 512 << 20
)

func newBounded(most int64) *bounded {
	return &bounded{*memory.NewGoAllocator(), most, most}
}

// refill begins with a new budget.
func (a *bounded) refill(most int64) { a.most, a.left = most, most }

func (a *bounded) Allocate(size int) []byte {
	a.charge(size)
	return a.GoAllocator.Allocate(size)
}

func (a *bounded) Reallocate(size int, b []byte) []byte {
	a.charge(size - len(b))
	return a.GoAllocator.Reallocate(size, b)
}

// charge takes bytes from the budget. A buffer that shrinks, or is freed, gives nothing back.
func (a *bounded) charge(size int) {
	if a.left -= max(int64(size), 0); a.left < 0 {
		panic(fmt.Sprintf("its rows unpack to more than %d bytes at once", a.most))
	}
}

// rowsBudget returns the budget for rows of the shape that are read at once, of which there are
// no more than a batch has.
func (p *plan) rowsBudget() int64 {
	// Twice for what a column is before it has its form.
	return min(max(openBudget, 2*p.rowBytes()*p.batchRows()), rowsBudget)
}

// rowBytes is about what a row takes in a batch.
func (p *plan) rowBytes() int64 {
	s := p.shape()
	row := int64(2*4*s.observation + s.actions + 2*4*s.seats + 128)
	if s.logits {
		row += int64(4 * s.actions)
	}
	return row
}
