package nn

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// op is a gorgonia operation over float32 tensors that writes to memory of its
// own, made once when the graph is built: the tape machine allocates the
// results of stock operations anew in every run, and a layer of them makes
// several passes over memory where one does.
type op struct {
	name string // unique in the graph, since gorgonia merges equal operations
	dims []int  // of each input, 0 for a scalar
	// result is a *tensor.Dense, or a *gorgonia.F32 for a scalar.
	result gorgonia.Value
	// run computes the result from the inputs, of which scalars are left out.
	run func(in [][]float32)
	// wrt says which inputs are differentiated, pull builds their gradients (nil
	// for the others). Both are nil where nothing is.
	wrt  []bool
	pull func(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error)
}

// newTensor wraps data, which may be nil for fresh memory.
func newTensor(data []float32, shape ...int) *tensor.Dense {
	options := []tensor.ConsOpt{tensor.WithShape(shape...), tensor.Of(tensor.Float32)}
	if data != nil {
		options = append(options, tensor.WithBacking(data))
	}
	return tensor.New(options...)
}

// numbers returns the memory of a tensor.
func numbers(v gorgonia.Value) []float32 { return v.Data().([]float32) }

// node applies the operation.
func (o *op) node(in ...*gorgonia.Node) (*gorgonia.Node, error) {
	n, err := gorgonia.ApplyOp(o, in...)
	if err != nil {
		return nil, fmt.Errorf("nn: graph: %s: %w", o.name, err)
	}
	return n, nil
}

func typeOf(dims int) hm.Type {
	if dims == 0 {
		return tensor.Float32
	}
	return gorgonia.TensorType{Dims: dims, Of: tensor.Float32}
}

// Arity implements gorgonia.Op.
func (o *op) Arity() int { return len(o.dims) }

// Type implements gorgonia.Op.
func (o *op) Type() hm.Type {
	var types []hm.Type
	for _, d := range o.dims {
		types = append(types, typeOf(d))
	}
	return hm.NewFnType(append(types, typeOf(o.result.Shape().Dims()))...)
}

// InferShape implements gorgonia.Op.
func (o *op) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return o.result.Shape(), nil }

// Do implements gorgonia.Op.
func (o *op) Do(values ...gorgonia.Value) (gorgonia.Value, error) {
	var in [][]float32
	for i, v := range values {
		if o.dims[i] > 0 {
			in = append(in, numbers(v))
		}
	}
	o.run(in)
	return o.result, nil
}

// ReturnsPtr implements gorgonia.Op.
func (o *op) ReturnsPtr() bool { return true }

// CallsExtern implements gorgonia.Op: false, so that the machine allocates no
// result.
func (o *op) CallsExtern() bool { return false }

// OverwritesInput implements gorgonia.Op.
func (o *op) OverwritesInput() int { return -1 }

// WriteHash implements gorgonia.Op.
func (o *op) WriteHash(h hash.Hash) { fmt.Fprint(h, o.name) }

// Hashcode implements gorgonia.Op.
func (o *op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// String implements gorgonia.Op.
func (o *op) String() string { return o.name }

// DiffWRT implements gorgonia.SDOp.
func (o *op) DiffWRT(int) []bool { return o.wrt }

// SymDiff implements gorgonia.SDOp.
func (o *op) SymDiff(in gorgonia.Nodes, out, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return o.pull(in, out, grad)
}
