// Package nn makes the network of the learned players (package network) learn: the
// objective, its gradient by a gorgonia graph, and Adam.
//
//	l, err := nn.NewLearner(net, 1024)
//	stats, err := l.Step(objective, adam, rate, maxNorm) // on l.Batch()
//
// The graph reads the network's weights in place, so that whoever acts with it sees
// what the last step wrote.
package nn
