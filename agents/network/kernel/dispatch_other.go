//go:build !amd64 || purego

package kernel

func shapeFor(cols int) shape { return narrow }

func (shape) tile(rows int, c []float32, cStride int, a []float32, aRow, aStep int, b []float32, k int) {
	plainTile(rows, c, cStride, a, aRow, aStep, b, k)
}

var gathers = [...]int{64, 16}

func gatherSizes() []int { return gathers[:] }

func gatherColumns(c []float32, list []uint64, b []float32) { plainGather(c, list, b) }

func rowTimes(y, w []float32, stride int, x []float32, blocks []int32) {
	plainRow(y, w, stride, x, blocks)
}

func transpose(dst []float32, dstStride int, src []float32, srcStride, rows, cols int) {
	plainTranspose(dst, dstStride, src, srcStride, rows, cols)
}

func copyColumns(dst, src []float32, cols, stride, n int) { plainCopy(dst, src, cols, stride, n) }

func nonzero(mask []uint8, x []float32) { plainNonzero(mask, x) }

func fetch(columns *uint16, numbers *float32) {}

func sumSquares(sums *[4]float64, x []float32) (done int) { return 0 }

func sumRows(sum, rows []float32, stride, n int) (done int) { return 0 }

func relu(y, x []float32) (done int) { return 0 }

func reluGradient(dx, dy, y []float32) (done int) { return 0 }

func adam(w, g, m, v []float32, f *AdamFactors) (done int) { return 0 }

func exp(y, x []float64) (done int) { return 0 }
