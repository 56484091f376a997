package network

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// Product adds op(a) op(b) to c, as Multiply does.
type Product func(ta, tb blas.Transpose, a, b, c blas32.General)

// sharing says which of a layer's weights entities share, so that they can be multiplied by once,
// without the zeroes beside them: a row of a batch is for each kind a matrix of its entities.
type sharing struct {
	entities []Entities
	heads    bool
	first    bool // the layer's inputs are an observation
	below    int  // inputs that are nobody's own
	plain    int  // outputs that are nobody's own: of a hidden layer the trunk, of the heads all
	// columns are by kind the inputs of an observation that describe each entity,
	// [Count, in], nil in later layers.
	columns [][]int32
}

// own is what kind e has in a layer: for each entity in inputs and out outputs.
func (s *sharing) own(e *Entities) (in, out int) {
	if in, out = e.Width, e.Width; s.first {
		in = e.features()
	}
	if s.heads {
		out = len(e.Actions)
	}
	return in, out
}

// seen is the width of what a plain output of a later layer sees: the trunk, and for each kind
// the sum of its entities, whose weights are those of a mean.
func (s *sharing) seen() int {
	n := s.below
	for _, e := range s.entities {
		n += e.Width
	}
	return n
}

// Shared is the scratch memory of layers of one form whose weights entities share, for up to so
// many rows. It belongs to one goroutine.
type Shared struct {
	*sharing
	seen  []float32   // [rows, seen]
	plain []float32   // weights [plain, seen]
	own   [][]float32 // by kind, inputs [rows × Count, in]
	out   [][]float32 // by kind, outputs [rows × Count, out]
	by    [][]float32 // by kind, weights [out, in]
	trunk []float32   // [rows, Width], what entities see of the trunk
}

// NewShared returns scratch memory for the products of a layer, nil where nothing is shared.
func (l *Layer) NewShared(rows int) *Shared {
	s := l.sharing
	if s == nil {
		return nil
	}
	b := &Shared{sharing: s}
	if !s.first {
		b.seen, b.plain = make([]float32, rows*s.seen()), make([]float32, s.plain*s.seen())
	}
	widest := 0
	for i := range s.entities {
		e := &s.entities[i]
		in, out := s.own(e)
		b.own = append(b.own, make([]float32, rows*e.Count*in))
		b.out = append(b.out, make([]float32, rows*e.Count*out))
		b.by = append(b.by, make([]float32, in*out))
		widest = max(widest, e.Width)
	}
	b.trunk = make([]float32, rows*widest)
	return b
}

// each calls f for every kind, with where its units begin among the inputs, and the outputs, of a
// later and a hidden layer.
func (s *sharing) each(f func(kind int, e *Entities, from, to int)) {
	from, to := s.below, s.plain
	for i := range s.entities {
		e := &s.entities[i]
		f(i, e, from, to)
		from, to = from+e.Count*e.Width, to+e.Count*e.Width
	}
}

// names reports whether an output is an action that names an entity.
func (s *sharing) names(output int) bool {
	for _, e := range s.entities {
		for _, a := range e.Actions {
			if s.heads && output >= a && output < a+e.Count {
				return true
			}
		}
	}
	return false
}

// load copies the shared weights together.
func (b *Shared) load(l *Layer) {
	s := b.sharing
	if !s.first {
		wide := s.seen()
		for row := range s.plain {
			to, from := b.plain[row*wide:(row+1)*wide], l.Weight[row*l.In:(row+1)*l.In]
			copy(to[:s.below], from)
			rest, named := to[s.below:], s.names(row)
			s.each(func(_ int, e *Entities, at, _ int) {
				if copy(rest[:e.Width], from[at:]); named {
					clear(rest[:e.Width])
				}
				rest = rest[e.Width:]
			})
		}
	}
	s.each(func(kind int, e *Entities, from, to int) {
		b.weights(l, kind, from, to, func(shared, weight []float32) { copy(shared, weight) })
	})
}

// weights calls f with runs of a kind's shared weights, and where they stand in the layer.
func (b *Shared) weights(l *Layer, kind int, from, to int, f func(shared, weight []float32)) {
	s := b.sharing
	e := &s.entities[kind]
	in, out := s.own(e)
	for k := range out {
		row := to + k
		if s.heads {
			row = e.Actions[k]
		}
		shared, weight := b.by[kind][k*in:(k+1)*in], l.Weight[row*l.In:(row+1)*l.In]
		if !s.first {
			f(shared, weight[from:from+in])
			continue
		}
		for _, field := range e.Fields {
			if field.Next == 1 {
				f(shared[:field.Size], weight[field.Offset:field.Offset+field.Size])
				shared = shared[field.Size:]
				continue
			}
			for n := range field.Size {
				f(shared[:1], weight[field.Offset+n*field.Next:][:1])
				shared = shared[1:]
			}
		}
	}
}

// take copies the inputs of entities, and what plain outputs see, from x [rows, In].
func (b *Shared) take(l *Layer, x []float32, rows int) {
	s := b.sharing
	wide := s.seen()
	for row := range rows {
		from := x[row*l.In : (row+1)*l.In]
		var seen []float32
		if !s.first {
			seen = b.seen[row*wide : (row+1)*wide]
			copy(seen, from[:s.below])
			seen = seen[s.below:]
			clear(seen)
		}
		s.each(func(kind int, e *Entities, at, _ int) {
			in, _ := s.own(e)
			to := b.own[kind][row*e.Count*in : (row+1)*e.Count*in]
			if s.first {
				for i, column := range s.columns[kind] {
					to[i] = from[column]
				}
				return
			}
			copy(to, from[at:])
			addUp(seen[:in], to)
			seen = seen[in:]
		})
	}
}

// addUp adds the rows of x to a sum as long as one.
func addUp(sum, x []float32) {
	for ; len(x) > 0; x = x[len(sum):] {
		for i := range sum {
			sum[i] += x[i]
		}
	}
}

// Forward sets y = x wᵀ + bias, with x [rows, In] and y [rows, Out].
func (b *Shared) Forward(l *Layer, y, x []float32, rows int, multiply Product) {
	s := b.sharing
	b.load(l)
	b.take(l, x, rows)
	AddBias(y, l.Bias)
	plain := blas32.General{Rows: rows, Cols: s.plain, Stride: l.Out, Data: y}
	switch {
	case s.first && l.turned.Data != nil:
		multiply(blas.NoTrans, blas.NoTrans, Matrix(x, rows, l.In), blas32.General{Rows: l.In, Cols: s.plain, Stride: l.turned.Stride, Data: l.turned.Data},
			plain)
	case s.first:
		multiply(blas.NoTrans, blas.Trans, Matrix(x, rows, l.In), Matrix(l.Weight, s.plain, l.In), plain)
	default:
		multiply(blas.NoTrans, blas.Trans, Matrix(b.seen, rows, s.seen()), Matrix(b.plain, s.plain, s.seen()), plain)
	}
	s.each(func(kind int, e *Entities, _, to int) {
		in, out := s.own(e)
		if out == 0 {
			return
		}
		result := b.out[kind][:rows*e.Count*out]
		clear(result)
		multiply(blas.NoTrans, blas.Trans, Matrix(b.own[kind], rows*e.Count, in), Matrix(b.by[kind], out, in), Matrix(result, rows*e.Count, out))
		if s.heads {
			b.named(l, kind, rows, func(at, n int) { y[at] += result[n] })
			return
		}
		var trunk []float32
		if !s.first {
			trunk = b.trunk[:rows*out]
			clear(trunk)
			multiply(blas.NoTrans, blas.Trans, slim(Matrix(b.seen, rows, s.seen()), s.below), s.reads(l.Weight, l.In, to, out), Matrix(trunk, rows, out))
		}
		for row := range rows {
			to := y[row*l.Out+to:][:e.Count*out]
			for n, x := range result[row*e.Count*out : (row+1)*e.Count*out] {
				to[n] += x
			}
			if trunk == nil {
				continue
			}
			for from := trunk[row*out : (row+1)*out]; len(to) > 0; to = to[out:] {
				for n, x := range from {
					to[n] += x
				}
			}
		}
	})
}

// named calls f with the place of each action that names an entity of a kind in outputs
// [rows, Out], and that of the number in [rows × Count, kinds of action].
func (b *Shared) named(l *Layer, kind, rows int, f func(at, n int)) {
	e := &b.entities[kind]
	for row := range rows {
		for entity := range e.Count {
			for k, first := range e.Actions {
				f(row*l.Out+first+entity, (row*e.Count+entity)*len(e.Actions)+k)
			}
		}
	}
}

// slim returns the first columns of a matrix.
func slim(m blas32.General, columns int) blas32.General {
	m.Cols = columns
	return m
}

// reads is the part of a flat matrix, rows of in numbers, by which the units of entity 0, from a
// row on, see the trunk.
func (s *sharing) reads(flat []float32, in, row, units int) blas32.General {
	return blas32.General{Rows: units, Cols: s.below, Stride: in, Data: flat[row*in:]}
}

// takeOut copies the gradients of entities' outputs from dy [rows, Out].
func (b *Shared) takeOut(l *Layer, kind int, dy []float32, rows, to int) []float32 {
	s := b.sharing
	e := &s.entities[kind]
	_, out := s.own(e)
	result := b.out[kind][:rows*e.Count*out]
	if s.heads {
		b.named(l, kind, rows, func(at, n int) { result[n] = dy[at] })
		return result
	}
	for row := range rows {
		copy(result[row*e.Count*out:(row+1)*e.Count*out], dy[row*l.Out+to:])
	}
	return result
}

// sum adds up what entities of a kind have, [rows × Count, Width], in trunk.
func (b *Shared) sum(e *Entities, result []float32, rows int) []float32 {
	total := b.trunk[:rows*e.Width]
	clear(total)
	for row := range rows {
		addUp(total[row*e.Width:(row+1)*e.Width], result[row*e.Count*e.Width:(row+1)*e.Count*e.Width])
	}
	return total
}

// InputGradient sets dx = dy w, of a layer that does not read observations.
func (b *Shared) InputGradient(l *Layer, dx, dy []float32, rows int, multiply Product) {
	s := b.sharing
	b.load(l)
	wide := s.seen()
	seen := b.seen[:rows*wide]
	clear(seen)
	multiply(blas.NoTrans, blas.NoTrans, blas32.General{Rows: rows, Cols: s.plain, Stride: l.Out, Data: dy}, Matrix(b.plain, s.plain, wide),
		Matrix(seen, rows, wide))
	past := s.below
	s.each(func(kind int, e *Entities, from, to int) {
		in, out := s.own(e)
		own := b.own[kind][:rows*e.Count*in]
		clear(own)
		if out > 0 {
			result := b.takeOut(l, kind, dy, rows, to)
			multiply(blas.NoTrans, blas.NoTrans, Matrix(result, rows*e.Count, out), Matrix(b.by[kind], out, in), Matrix(own, rows*e.Count, in))
			if !s.heads {
				total := b.sum(e, result, rows)
				multiply(blas.NoTrans, blas.NoTrans, Matrix(total, rows, out), s.reads(l.Weight, l.In, to, out), slim(Matrix(seen, rows, wide), s.below))
			}
		}
		for row := range rows {
			to, from := dx[row*l.In+from:][:e.Count*in], own[row*e.Count*in:]
			for mean := seen[row*wide+past:][:in]; len(to) > 0; to, from = to[in:], from[in:] {
				for n, x := range mean {
					to[n] = from[n] + x
				}
			}
		}
		past += in
	})
	for row := range rows {
		copy(dx[row*l.In:][:s.below], seen[row*wide:])
	}
}

// WeightGradient sets g's weights to dyᵀ x, as those that Ties.Gather leaves: entity 0's have
// the sum. x is that of the last Forward.
func (b *Shared) WeightGradient(g *Layer, dy, x []float32, rows int, multiply Product) {
	s := b.sharing
	clear(g.Weight)
	if !s.first { // InputGradient may have been there
		b.take(g, x, rows)
	}
	plain := blas32.General{Rows: rows, Cols: s.plain, Stride: g.Out, Data: dy}
	wide := s.seen()
	if s.first {
		multiply(blas.Trans, blas.NoTrans, plain, Matrix(x, rows, g.In), Matrix(g.Weight, s.plain, g.In))
	} else {
		clear(b.plain)
		multiply(blas.Trans, blas.NoTrans, plain, Matrix(b.seen, rows, wide), Matrix(b.plain, s.plain, wide))
		for row := range s.plain {
			from, to := b.plain[row*wide:(row+1)*wide], g.Weight[row*g.In:(row+1)*g.In]
			copy(to[:s.below], from)
			rest, named := from[s.below:], s.names(row)
			s.each(func(_ int, e *Entities, at, _ int) {
				if !named {
					copy(to[at:], rest[:e.Width])
				}
				rest = rest[e.Width:]
			})
		}
	}
	s.each(func(kind int, e *Entities, from, to int) {
		in, out := s.own(e)
		if out == 0 {
			return
		}
		result := b.takeOut(g, kind, dy, rows, to)
		clear(b.by[kind])
		multiply(blas.Trans, blas.NoTrans, Matrix(result, rows*e.Count, out), Matrix(b.own[kind], rows*e.Count, in), Matrix(b.by[kind], out, in))
		b.weights(g, kind, from, to, func(shared, weight []float32) { copy(weight, shared) })
		if !s.heads && !s.first {
			total := b.sum(e, result, rows)
			multiply(blas.Trans, blas.NoTrans, Matrix(total, rows, out), slim(Matrix(b.seen, rows, wide), s.below), s.reads(g.Weight, g.In, to, out))
		}
	})
}
