package kernel

// The kernels in plain Go, for other processors and as what the assembly is held
// against. A product is converted where it is added, since Go may otherwise fuse the two
// where the processor can.

// plainTile adds a [rows, k] times b [k, narrow.cols] to c [rows, narrow.cols], two rows and
// four columns at a time. The last of an odd number of rows is its own second.
func plainTile(rows int, c []float32, cStride int, a []float32, aRow, aStep int, b []float32, k int) {
	for i := 0; i < rows; i += 2 {
		second := min(i+1, rows-1)
		for j := 0; j < narrow.cols; j += 4 {
			c0, c1 := (*[4]float32)(c[i*cStride+j:]), (*[4]float32)(c[second*cStride+j:])
			x0, x1, x2, x3 := c0[0], c0[1], c0[2], c0[3]
			y0, y1, y2, y3 := c1[0], c1[1], c1[2], c1[3]
			p, q, columns := i*aRow, second*aRow, b[j:]
			for t := range k {
				v := (*[4]float32)(columns[t*narrow.cols:])
				f, g := a[p], a[q]
				x0 += float32(f * v[0])
				x1 += float32(f * v[1])
				x2 += float32(f * v[2])
				x3 += float32(f * v[3])
				y0 += float32(g * v[0])
				y1 += float32(g * v[1])
				y2 += float32(g * v[2])
				y3 += float32(g * v[3])
				p, q = p+aStep, q+aStep
			}
			*c0 = [4]float32{x0, x1, x2, x3}
			*c1 = [4]float32{y0, y1, y2, y3}
		}
	}
}

// plainGather adds to c the rows of b that a list names, times its numbers.
func plainGather(c []float32, list []uint64, b []float32) {
	for _, e := range list {
		x, at := value(e)
		for j, v := range b[at : at+len(c)] {
			c[j] += float32(x * v)
		}
	}
}

// plainRow adds to y the products of the rows of w with x over the blocks of eight columns
// that begin where the list says, four rows at a time. The last rows may be the same.
func plainRow(y, w []float32, stride int, x []float32, blocks []int32) {
	last := len(y) - 1
	for j := 0; j < len(y); j += 4 {
		j1, j2, j3 := min(j+1, last), min(j+2, last), min(j+3, last)
		y0, y1, y2, y3 := y[j], y[j1], y[j2], y[j3]
		for _, from := range blocks {
			v := (*[8]float32)(x[from:])
			w0, w1 := (*[8]float32)(w[j*stride+int(from):]), (*[8]float32)(w[j1*stride+int(from):])
			w2, w3 := (*[8]float32)(w[j2*stride+int(from):]), (*[8]float32)(w[j3*stride+int(from):])
			for k, x := range v {
				y0 += float32(x * w0[k])
				y1 += float32(x * w1[k])
				y2 += float32(x * w2[k])
				y3 += float32(x * w3[k])
			}
		}
		y[j], y[j1], y[j2], y[j3] = y0, y1, y2, y3
	}
}

// plainTranspose writes the transpose of src [rows, cols] to dst.
func plainTranspose(dst []float32, dstStride int, src []float32, srcStride, rows, cols int) {
	for i := range rows {
		for j, v := range src[i*srcStride : i*srcStride+cols] {
			dst[j*dstStride+i] = v
		}
	}
}

// plainCopy copies n rows [cols] of src behind each other.
func plainCopy(dst, src []float32, cols, stride, n int) {
	for t := range n {
		copy(dst[t*cols:], src[t*stride:][:cols])
	}
}

// plainNonzero sets bit j%8 of mask[j/8], which is clear, where x[j] is not 0.
func plainNonzero(mask []uint8, x []float32) {
	for j, v := range x {
		if v != 0 {
			mask[j/8] |= 1 << (j % 8)
		}
	}
}
