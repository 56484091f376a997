// Package network holds the network of the learned players, as far as it acts: one
// shared torso, a policy head and a value head. Package train/nn makes it learn.
//
//	config := network.Config{Inputs: 9, Actions: 2, Seats: 2, Hidden: []int{64, 64}, Activation: network.ReLU}
//	net, err := network.New(config, rand.NewPCG(seed, 1))
//	w := net.NewWorkspace(256)
//	net.Forward(w, observations, logits, values) // on one goroutine, without allocations
//
// The weights are one flat slice, which the forward pass, the learner's graph, Adam and
// the checkpoints all read in place; Config.Tensors names its parts.
//
// The value head has one output per seat, in the actor's perspective: entry 0 is
// the seat whose observation it was, entry k the seat that comes k places
// behind it in the order of the seats, (actor+k) mod Seats.
//
// The default build multiplies matrices in Go and assembly (package kernel), with sums
// that do not depend on the machine. With the build tag openblas (and
// CGO_LDFLAGS=-lopenblas) the same code runs on OpenBLAS.
package network
