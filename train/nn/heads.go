package nn

import (
	"encoding/binary"

	"gonum.org/v1/gonum/blas/blas32"

	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
)

// headLayer is the last layer, of whose outputs a row needs those of its legal actions and its
// values: nothing depends on the others, and their gradient is 0. Where few actions are legal
// the products are made of these alone, with the same numbers.
type headLayer struct {
	plain   // where many are
	batch   *Batch
	actions int
	tiles   [][]int32    // for each kernel.TileColumns outputs the rows that need some of them
	slopes  []kernel.Row // the gradient of each row by its outputs
	few     bool         // whether these are short
}

// newHeadLayer returns nil for a layer whose products are made otherwise.
func newHeadLayer(batch *Batch, c network.Config) *headLayer {
	if network.ForeignBLAS || len(c.Entities) > 0 {
		return nil
	}
	size := len(batch.Action)
	h := &headLayer{plain: plain{rows: size}, batch: batch, actions: c.Actions, slopes: make([]kernel.Row, size)}
	h.tiles = make([][]int32, (c.Outputs()+kernel.TileColumns()-1)/kernel.TileColumns())
	return h
}

// forward leaves the bias in outputs that are not needed.
func (h *headLayer) forward(l *network.Layer, y, x []float32) {
	if !h.find(l.Out) {
		h.plain.forward(l, y, x)
		return
	}
	size := h.plain.rows
	shareRows(size, l.Out, func(from, to int) { network.AddBias(y[from*l.Out:to*l.Out], l.Bias) })
	a, w, c := network.Matrix(x, size, l.In), network.Matrix(l.Weight, l.Out, l.In), network.Matrix(y, size, l.Out)
	shareOut(len(h.tiles), 1, func(from, to int) {
		for tile := from; tile < to; tile++ {
			if rows := h.tiles[tile]; len(rows) > 0 {
				kernel.MultiplySome(a, w, c, rows, tile*kernel.TileColumns(), min(l.Out, (tile+1)*kernel.TileColumns()))
			}
		}
	})
}

// find lists the rows that need some of each tile's outputs, and reports whether these are few
// enough to be made apart.
func (h *headLayer) find(outputs int) bool {
	wide := kernel.TileColumns()
	shareOut(len(h.tiles), 1, func(from, to int) {
		for tile := from; tile < to; tile++ {
			first, end := tile*wide, min(outputs, (tile+1)*wide)
			rows := h.tiles[tile][:0]
			for row := range h.batch.Rows {
				if end > h.actions || anyLegal(h.batch.Mask[row*h.actions+first:row*h.actions+end]) {
					rows = append(rows, int32(row))
				}
			}
			h.tiles[tile] = rows
		}
	})
	needed := 0
	for _, rows := range h.tiles {
		needed += len(rows)
	}
	return 10*needed <= 6*len(h.tiles)*h.batch.Rows
}

func anyLegal(mask []uint8) bool {
	for ; len(mask) >= 8; mask = mask[8:] {
		if binary.LittleEndian.Uint64(mask) != 0 {
			return true
		}
	}
	var any uint8
	for _, m := range mask {
		any |= m
	}
	return any != 0
}

// take keeps what is not zero of the gradient by the outputs [rows, outputs], where that is
// little.
func (h *headLayer) take(grad []float32, outputs int) {
	rows := h.batch.Rows
	shareOut(rows, CopyRows, func(from, to int) {
		for row := from; row < to; row++ {
			h.slopes[row].Set(grad[row*outputs:][:outputs])
		}
	})
	some := 0
	for row := range rows {
		some += len(h.slopes[row].Numbers)
	}
	h.few = 4*some <= rows*outputs
}

func (h *headLayer) inputGradient(l *network.Layer, dx, dy []float32) {
	w := blas32.General{Rows: l.Out, Cols: l.In, Stride: l.In, Data: l.Weight}
	if !h.few || !kernel.WholeTiles(w) {
		h.plain.inputGradient(l, dx, dy)
		return
	}
	rows := h.batch.Rows
	clear(dx[rows*l.In:])
	shareOut(rows, rowsEach, func(from, to int) {
		part := dx[from*l.In : to*l.In]
		clear(part)
		kernel.MultiplyRows(h.slopes[from:to], w, network.Matrix(part, to-from, l.In))
	})
}

func (h *headLayer) weightGradient(g *network.Layer, dy, x []float32) {
	if !h.few {
		h.plain.weightGradient(g, dy, x)
		return
	}
	rows := h.batch.Rows
	b, c := network.Matrix(x[:rows*g.In], rows, g.In), network.Matrix(g.Weight, g.Out, g.In)
	shareOut(g.Out, outputsEach, func(from, to int) { kernel.RowsGradientTurned(h.slopes[:rows], b, c, from, to) })
}

// outputsEach is of how many outputs a goroutine should make the gradient.
const outputsEach = 32
