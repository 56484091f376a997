//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// assembly says whether the processor can run it.
var assembly = cpu.X86.HasAVX

// tile adds a [rows, k] times b [k, tileCols] to c [rows, tileCols].
func tile(rows int, c []float32, cStride int, a []float32, aRow, aStep int, b []float32, k int) {
	if !assembly {
		plainTile(rows, c, cStride, a, aRow, aStep, b, k)
		return
	}
	// Direct calls, since what is passed through a variable escapes to the heap.
	switch rows {
	case 1:
		tile1(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 2:
		tile2(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 3:
		tile3(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 4:
		tile4(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 5:
		tile5(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	case 6:
		tile6(&c[0], cStride, &a[0], aRow, aStep, &b[0], k)
	}
}

// gatherColumns adds to c, 64 numbers or 16, the rows of b that a list names, times its
// numbers. The list is not empty.
func gatherColumns(c []float32, list []uint64, b []float32) {
	switch {
	case !assembly:
		plainGather(c, list, b)
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

// copyColumns copies n rows [tileCols] of src behind each other.
func copyColumns(dst, src []float32, stride, n int) {
	if !assembly || n == 0 {
		plainCopy(dst, src, stride, n)
		return
	}
	copy16(&dst[0], &src[0], stride, n)
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
