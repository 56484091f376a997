package menu

import "fmt"

// Writer fills the numbers of a candidate in their order.
type Writer struct {
	x []float32
	i int
}

// Write returns a writer that begins at the first of x, which are zeros.
func Write(x []float32) Writer { return Writer{x: x} }

// Put writes numbers.
func (w *Writer) Put(list ...float32) {
	w.i += copy(w.x[w.i:], list)
}

// Num writes a count in units of another one.
func (w *Writer) Num(n, unit int) {
	w.x[w.i] = float32(n) / float32(unit)
	w.i++
}

// Most is the greatest size of a number that Scaled writes.
const Most = 4

// Scaled writes a number in units of another one, from -Most to Most.
func (w *Writer) Scaled(x, unit float32) {
	w.x[w.i] = max(-Most, min(x/unit, Most))
	w.i++
}

// Count writes a count in units of another one, Most at the most.
func (w *Writer) Count(n, unit int) { w.Scaled(float32(n), float32(unit)) }

// Hot writes n numbers, of which that at is 1; none is where at is out of range.
func (w *Writer) Hot(at, n int) {
	if at >= 0 && at < n {
		w.x[w.i+at] = 1
	}
	w.i += n
}

// Flag writes 1 for true and 0 for false.
func (w *Writer) Flag(b bool) {
	if b {
		w.x[w.i] = 1
	}
	w.i++
}

// Skip leaves n numbers zero.
func (w *Writer) Skip(n int) { w.i += n }

// Numbered names n numbers alike, as in card[2].
func Numbered(name string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s[%d]", name, i))
	}
	return list
}
