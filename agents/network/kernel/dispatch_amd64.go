//go:build !purego

package kernel

import (
	"math"

	"github.com/klauspost/cpuid/v2"
)

// Which assembly runs: that of AVX, and beside it that of AVX-512 for lists and for tiles.
// All of it gives the same numbers. Tests switch it off and on.
var (
	assembly  = cpuid.CPU.Supports(cpuid.AVX)
	wide      = cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX512F)
	wideTiles = wide && !halves()
	powers    = cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3) && samePowers()
)

// samePowers reports whether the assembly of powers gives what math.Exp does: that of another
// version of Go may do other things, and it does where GODEBUG forbids fused products.
func samePowers() bool {
	var x, y [64]float64
	for i := range x {
		x[i] = -float64(i*i) / 7
	}
	exp4(&y[0], &x[0], &expFactors[0][0], len(x)/expBlock)
	for i := range x {
		if y[i] != math.Exp(x[i]) {
			return false
		}
	}
	return true
}

// halves reports whether the processor works through a vector of AVX-512 in two halves, as
// AMD's Zen 4 does. Its loads are as wide as the vectors, which speeds lists up; its tiles,
// which wait for sums and not for loads, are no faster with them.
func halves() bool { return cpuid.CPU.VendorID == cpuid.AMD && cpuid.CPU.Family == 0x19 }

// shapeFor returns the shape of the tiles for a number of columns that are left.
func shapeFor(cols int) shape {
	if wideTiles && cols > narrow.cols {
		return shape{rows: 12, cols: 32, inner: 192}
	}
	return narrow
}

// tile adds a [rows, k] times b [k, cols of the shape] to c.
func (s shape) tile(rows int, c []float32, cStride int, a []float32, aRow, aStep int, b []float32, k int) {
	switch {
	case s.cols > narrow.cols:
		wideTile(rows, c, cStride, a, aRow, aStep, b, k)
	case assembly:
		narrowTile(rows, c, cStride, a, aRow, aStep, b, k)
	default:
		plainTile(rows, c, cStride, a, aRow, aStep, b, k)
	}
}

// narrowTile is tile for at most six rows and sixteen columns.
func narrowTile(rows int, c []float32, cStride int, a []float32, aRow, aStep int, b []float32, k int) {
	// Direct calls, since what is passed through a variable escapes to the heap.
	switch rows {
	case 1:
		tile1x16(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 2:
		tile2x16(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 3:
		tile3x16(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 4:
		tile4x16(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 5:
		tile5x16(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 6:
		tile6x16(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	}
}

// wideTile is tile for at most twelve rows and 32 columns: as few kernels as there are of
// that width, one below the other.
func wideTile(rows int, c []float32, cStride int, a []float32, aRow, aStep int, b []float32, k int) {
	for done := 0; done < rows; {
		c, a := c[done*cStride:], a[done*aRow:]
		switch left := rows - done; {
		case left >= 12:
			tile12x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done += 12
		case left >= 8:
			tile8x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done += 8
		case left >= 6:
			tile6x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done += 6
		case left >= 4:
			tile4x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done += 4
		case left == 3:
			tile3x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done += 3
		case left == 2:
			tile2x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done += 2
		default:
			tile1x32(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
			done++
		}
	}
}

// gatherSizes are the numbers of columns that gatherColumns takes, the largest first.
func gatherSizes() []int {
	if wide {
		return wideGathers[:]
	}
	return wideGathers[1:]
}

var wideGathers = [...]int{256, 64, 16}

// gatherColumns adds to c, of one of the gatherSizes, the rows of b that a list names,
// times its numbers. The list is not empty.
func gatherColumns(c []float32, list []uint64, b []float32) {
	switch {
	case !assembly:
		plainGather(c, list, b)
	case len(c) == 256:
		gather256wide(&c[0], &list[0], len(list), &b[0])
	case len(c) == 64 && wide:
		gather64wide(&c[0], &list[0], len(list), &b[0])
	case len(c) == 64:
		gather64(&c[0], &list[0], len(list), &b[0])
	default:
		gather16(&c[0], &list[0], len(list), &b[0])
	}
}

// rowTimes adds to y the products of the rows of w with x over the blocks of eight
// columns that begin where the list says.
func rowTimes(y, w []float32, stride int, x []float32, blocks []int32) {
	if !assembly || len(blocks) == 0 {
		plainRow(y, w, stride, x, blocks)
		return
	}
	done := 0
	for ; len(y)-done >= 16; done += 16 {
		row16(&y[done], &w[done*stride], stride, &x[0], &blocks[0], len(blocks))
	}
	for ; len(y)-done >= 8; done += 8 {
		row8(&y[done], &w[done*stride], stride, &x[0], &blocks[0], len(blocks))
	}
	if done < len(y) {
		plainRow(y[done:], w[done*stride:], stride, x, blocks)
	}
}

// transpose writes the transpose of src [rows, cols] to dst.
func transpose(dst []float32, dstStride int, src []float32, srcStride, rows, cols int) {
	down, across := 0, 0
	if assembly {
		down, across = rows&^7, cols&^7
	}
	for i := 0; i < down && across > 0; i += 8 {
		transpose8(&dst[i], dstStride, &src[i*srcStride], srcStride, across/8)
	}
	if across < cols {
		plainTranspose(dst[across*dstStride:], dstStride, src[across:], srcStride, down, cols-across)
	}
	if down < rows {
		plainTranspose(dst[down:], dstStride, src[down*srcStride:], srcStride, rows-down, cols)
	}
}

// copyColumns copies n rows [cols], of a shape's columns, of src behind each other.
func copyColumns(dst, src []float32, cols, stride, n int) {
	switch {
	case !assembly || n == 0:
		plainCopy(dst, src, cols, stride, n)
	case cols == narrow.cols:
		copy16(&dst[0], &src[0], stride, n)
	default:
		copy32(&dst[0], &src[0], stride, n)
	}
}

// nonzero sets bit j%8 of mask[j/8], which is clear, where x[j] is not 0.
func nonzero(mask []uint8, x []float32) {
	blocks := 0
	if assembly {
		blocks = len(x) / 8
	}
	if blocks > 0 {
		nonzero8(&mask[0], &x[0], blocks)
	}
	plainNonzero(mask[blocks:], x[8*blocks:])
}

// sumSquares adds the squares of the beginning of x to four sums by turns, and returns of how many
// numbers that was.
func sumSquares(sums *[4]float64, x []float32) (done int) {
	if !assembly || len(x) < 4 {
		return 0
	}
	sumSquares4(&sums[0], &x[0], len(x)/4)
	return len(x) &^ 3
}

// The following do the beginning of their work, in whole vectors, and return how many
// numbers that was; of sumRows, columns.

func sumRows(sum, rows []float32, stride, n int) (done int) {
	width := len(sum)
	if !assembly || n == 0 {
		return 0
	}
	for ; width-done >= 64; done += 64 {
		sumRows64(&sum[done], &rows[done], stride, n)
	}
	for ; width-done >= 8; done += 8 {
		sumRows8(&sum[done], &rows[done], stride, n)
	}
	return done
}

func relu(y, x []float32) (done int) {
	if !assembly || len(x) < 8 {
		return 0
	}
	relu8(&y[0], &x[0], len(x)/8)
	return len(x) &^ 7
}

func reluGradient(dx, dy, y []float32) (done int) {
	if !assembly || len(y) < 8 {
		return 0
	}
	reluGradient8(&dx[0], &dy[0], &y[0], len(y)/8)
	return len(y) &^ 7
}

func adam(w, g, m, v []float32, f *AdamFactors) (done int) {
	if !assembly || len(w) < 8 {
		return 0
	}
	adam8(&w[0], &g[0], &m[0], &v[0], &f.Scale, len(w)/8)
	return len(w) &^ 7
}

func exp(y, x []float64) (done int) {
	if !powers || len(x) < expBlock {
		return 0
	}
	return expBlock * exp4(&y[0], &x[0], &expFactors[0][0], len(x)/expBlock)
}
