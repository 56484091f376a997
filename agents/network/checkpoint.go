package network

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"powderkeg/checkpoints"
	"powderkeg/engine/position"
)

// Tensors returns the weights as the named tensors of a checkpoint.
func (n *Network) Tensors() []checkpoints.Tensor {
	var list []checkpoints.Tensor
	for _, t := range n.config.Tensors() {
		list = append(list, checkpoints.Float32s(t.Name, n.weights[t.Offset:t.Offset+t.Size], t.Shape...))
	}
	return list
}

// FromCheckpoint makes the network of a checkpoint. Errors wrap
// checkpoints.ErrCorrupt or ErrMismatch.
func FromCheckpoint(c *checkpoints.Checkpoint) (*Network, error) {
	var config Config
	d := json.NewDecoder(bytes.NewReader(c.Manifest.Network))
	d.DisallowUnknownFields()
	if err := d.Decode(&config); err != nil {
		return nil, fmt.Errorf("%w: network: %s", checkpoints.ErrCorrupt, position.Plainly(err, nil))
	}
	if err := config.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %s", checkpoints.ErrCorrupt, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	parts := config.Tensors()
	if len(parts) != len(c.Weights) {
		return nil, fmt.Errorf("%w: it has %d tensors, its network has %d", checkpoints.ErrCorrupt, len(c.Weights), len(parts))
	}
	// The tensors are in memory already, so that what the shapes ask for is
	// bounded by the file before anything is allocated.
	for _, part := range parts {
		t, err := checkpoints.Find(c.Weights, part.Name)
		if err == nil {
			err = t.Finite()
		}
		if err == nil && 4*part.Size != len(t.Data) {
			err = fmt.Errorf("%w: tensor %s has %d bytes, its network %d", checkpoints.ErrCorrupt, part.Name, len(t.Data), 4*part.Size)
		}
		if err != nil {
			return nil, err
		}
	}
	weights := make([]float32, config.NumWeights())
	for _, part := range parts {
		t, _ := checkpoints.Find(c.Weights, part.Name)
		if err := t.Float32s(weights[part.Offset:part.Offset+part.Size], part.Shape...); err != nil {
			return nil, err
		}
	}
	return FromWeights(config, weights), nil
}
