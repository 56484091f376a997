package ppo

import (
	"powderkeg/agents/network"
	"powderkeg/agents/network/kernel"
	"powderkeg/train/nn"
	"powderkeg/train/rollout"
)

// readRows is how many decisions a goroutine of a reader looks at at a time.
const readRows = 256

// reader asks a network about decisions, on all processors.
type reader struct {
	net    *network.Network
	turned *network.Network // over the same weights, nil before it is needed
	whole  bool             // it is asked about what all seats observe
	parts  []readerPart     // one for each goroutine
}

// readerPart is what a goroutine needs.
type readerPart struct {
	work   *network.Workspace
	obs    []float32    // [readRows, Inputs] of all seats, or nil
	seen   []kernel.Row // [readRows] of the actor
	logits []float32    // [readRows, Actions]
	values []float32    // [readRows, Seats]
}

// read calls f for each of the samples of a rollout with the network's logits [Actions] and
// values [Seats], which it may change and not keep; on several goroutines at the same time, for
// a sample once.
func (r *reader) read(samples []int32, b *rollout.Buffer, f func(i int, logits, values []float32)) {
	c := r.net.Config()
	if r.turned == nil {
		r.turned = r.net.Turned()
	} else {
		r.turned.Turn()
	}
	for len(r.parts) < nn.Parts(len(samples), nn.CopyRows) {
		p := readerPart{
			work: r.net.NewWorkspace(readRows), seen: make([]kernel.Row, readRows),
			logits: make([]float32, readRows*c.Actions), values: make([]float32, readRows*c.Seats),
		}
		if r.whole {
			p.obs = make([]float32, readRows*c.Inputs)
		}
		r.parts = append(r.parts, p)
	}
	nn.Share(len(samples), nn.CopyRows, func(part, from, to int) {
		p := &r.parts[part]
		for ; from < to; from += readRows {
			some := samples[from:min(from+readRows, to)]
			n := len(some)
			for row, i := range some {
				if r.whole {
					b.Whole(p.obs[row*c.Inputs:(row+1)*c.Inputs], int(i))
				} else {
					p.seen[row] = b.Obs[i]
				}
			}
			if r.whole {
				r.turned.Forward(p.work, p.obs[:n*c.Inputs], p.logits[:n*c.Actions], p.values[:n*c.Seats])
			} else {
				r.turned.ForwardRows(p.work, p.seen[:n], p.logits[:n*c.Actions], p.values[:n*c.Seats])
			}
			for row, i := range some {
				f(int(i), p.logits[row*c.Actions:(row+1)*c.Actions], p.values[row*c.Seats:(row+1)*c.Seats])
			}
		}
	})
}
