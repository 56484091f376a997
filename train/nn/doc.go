// Package nn holds the network of the learned players: one shared torso, a
// policy head and a value head.
//
//	config := nn.Config{Inputs: 9, Actions: 2, Seats: 2, Hidden: []int{64, 64}, Activation: nn.ReLU}
//	net, err := nn.New(config, rand.NewPCG(seed, 1))
//	w := net.NewWorkspace(256)                  // inference: straight through BLAS
//	net.Forward(w, observations, logits, values)
//	l, err := nn.NewLearner(net, 1024)          // learning: a gorgonia graph
//	stats, err := l.Step(batch, objective, adam)
//
// The weights are one flat slice, which the graph, the inference path, Adam and
// the checkpoints all read in place; Config.Tensors names its parts.
//
// The value head has one output a seat, in the actor's perspective: entry 0 is
// the seat whose observation it was, entry k the seat that comes k places
// behind it in the order of the seats, (actor+k) mod Seats.
//
// The default build multiplies matrices in pure Go. With the build tag openblas
// (and CGO_LDFLAGS=-lopenblas) the same code runs on OpenBLAS.
package nn
