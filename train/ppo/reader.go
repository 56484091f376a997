package ppo

import (
	"powderkeg/agents/network"
	"powderkeg/train/nn"
)

// readRows is how many decisions a goroutine of a reader looks at at a time.
const readRows = 256

// reader asks a network about decisions, on all processors.
type reader struct {
	net   *network.Network
	parts []readerPart // one for each goroutine
}

// readerPart is what a goroutine needs.
type readerPart struct {
	work   *network.Workspace
	obs    []float32 // [readRows, Inputs]
	logits []float32 // [readRows, Actions]
	values []float32 // [readRows, Seats]
}

// read calls observe for each of the samples, which writes what the network sees to dst, and
// then f with the network's logits [Actions] and values [Seats], which it may change and not
// keep. Both are called on several goroutines at the same time, for a sample once.
func (r *reader) read(samples []int32, observe func(dst []float32, i int), f func(i int, logits, values []float32)) {
	c := r.net.Config()
	for len(r.parts) < nn.Parts(len(samples), nn.CopyRows) {
		r.parts = append(r.parts, readerPart{
			r.net.NewWorkspace(readRows), make([]float32, readRows*c.Inputs), make([]float32, readRows*c.Actions), make([]float32, readRows*c.Seats),
		})
	}
	nn.Share(len(samples), nn.CopyRows, func(part, from, to int) {
		p := &r.parts[part]
		for ; from < to; from += readRows {
			some := samples[from:min(from+readRows, to)]
			for row, i := range some {
				observe(p.obs[row*c.Inputs:(row+1)*c.Inputs], int(i))
			}
			n := len(some)
			r.net.Forward(p.work, p.obs[:n*c.Inputs], p.logits[:n*c.Actions], p.values[:n*c.Seats])
			for row, i := range some {
				f(int(i), p.logits[row*c.Actions:(row+1)*c.Actions], p.values[row*c.Seats:(row+1)*c.Seats])
			}
		}
	})
}
