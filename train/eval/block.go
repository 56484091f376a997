package eval

import "powderkeg/env/memory"

// What varies from unit to unit, which intervals and ratings go by, is kept of each block of
// consecutive units. A block is one unit in a match of up to mostBlocks of them, and so many more
// in a longer one that neither their number nor their bytes pass these bounds: units are
// independent, so that blocks of them are, and with so many blocks a finer grain tells nothing
// more.
const (
	mostBlocks     = 1 << 17
	mostBlockBytes = 256 << 20
)

// blockBytes is about what a block takes until all of them are summed up: what contestants and
// pairs of them scored, and the duels, of which a block of more than one unit keeps one a pair.
func blockBytes(seats, contestants, units int) memory.Size {
	holders, pairs := min(units*seats, contestants), min(units*seats*(seats-1)/2, contestants*(contestants-1)/2)
	duels := pairs
	if units == 1 {
		duels = seats * seats * (seats - 1) / 2
	}
	const growth = 2 // of a list that is appended to
	return memory.Of(growth, 4*16, holders).Plus(memory.Of(growth, 16, pairs), memory.Of(growth, 32, duels), memory.Of(8, contestants), 128)
}

// blockOf returns of how many units a block is in a match of so many.
func blockOf(seats, contestants, units int) int {
	for n := 1; ; n *= 2 {
		blocks := (units + n - 1) / n
		if blocks == 1 || blocks <= mostBlocks && blockBytes(seats, contestants, n).Times(int64(blocks)) <= mostBlockBytes {
			return n
		}
	}
}

// blocks has a mean of each block in which there is something to take one of.
type blocks struct {
	closed []mean
	open   mean // of the block that is being read
	units  int  // with something in them
	latest int  // of these, counted from 1
}

// add adds a number of unit u. Units come in their order.
func (b *blocks) add(u int, x float64) {
	if b.latest != u+1 {
		b.latest = u + 1
		b.units++
	}
	b.open.add(x)
}

// end ends the block that is being read.
func (b *blocks) end() {
	if b.open.n > 0 {
		b.closed = append(b.closed, b.open)
	}
	b.open = mean{}
}

// each returns how many units a block has on the average.
func (b *blocks) each() float64 { return float64(b.units) / float64(len(b.closed)) }

// paired are the mean returns of units and the same without luck.
type paired struct{ raw, corrected blocks }

func (p *paired) end() {
	p.raw.end()
	p.corrected.end()
}
