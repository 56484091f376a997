package network

import (
	"errors"
	"fmt"
	"math"
)

// Activation names the function behind each hidden layer.
type Activation string

// The activations.
const (
	ReLU Activation = "relu" // max(0, x)
	Tanh Activation = "tanh"
)

// Config is the architecture of a network. Its JSON form is part of every
// checkpoint.
type Config struct {
	// Inputs is the size of an observation, Actions the number of logits and Seats
	// the number of values.
	Inputs  int `json:"inputs"`
	Actions int `json:"actions"`
	Seats   int `json:"seats"`
	// Hidden lists the widths of the hidden layers, of which there is at least one.
	Hidden []int `json:"hidden"`
	// Activation stands behind each hidden layer.
	Activation Activation `json:"activation"`
	// LayerNorm normalises each hidden layer before its activation (Ba, Kiros and
	// Hinton, "Layer normalization", 2016).
	LayerNorm bool `json:"layer_norm,omitempty"`
	// Residual adds a hidden layer's input to its output wherever the two have the
	// same width.
	Residual bool `json:"residual,omitempty"`
	// Bins makes a value a distribution over so many numbers, evenly from -1 to 1, of
	// which the mean counts (Expectation): outcomes that come in kinds, and
	// cross-entropy, are easier to learn than means and squares (Farebrother et al.,
	// "Stop regressing", 2024). 0 is a plain number, else at least 2.
	Bins int `json:"bins,omitempty"`
	// Advice is how many nats are added to the logit of the action that the game's scripted
	// player would take, 0 for none and 100 at most: what is learned is where to do otherwise (T. Silver et al., "Residual
	// policy learning", 2018). Forward leaves it to Advise.
	Advice int `json:"advice,omitempty"`
	// Advisers say how the scripted player advises single seats.
	Advisers []Adviser `json:"advisers,omitempty"`
	// Entities have units of their own among the Hidden ones.
	Entities []Entities `json:"entities,omitempty"`
}

// Adviser is how the scripted player advises some seats: how strongly, and by what weights in
// place of what it plays by itself, such as those that were searched for (package train/evolve).
type Adviser struct {
	// Seats are those that are advised so, none for all.
	Seats []int `json:"seats,omitempty" yaml:"seats"`
	// Advice is how many nats these seats have, 0 for as many as the others
	// (Config.Advice) and 100 at most.
	Advice int `json:"advice,omitempty" yaml:"advice"`
	// Weights has the numbers by name, as powderkeg evolve writes them. Those that it leaves
	// out are the player's own.
	Weights map[string]float64 `json:"weights,omitempty" yaml:"weights"`
}

// MostUnits bounds every width, so that a hostile checkpoint cannot make the
// sizes overflow or the program allocate without measure.
const MostUnits = 1 << 16

// maxBins bounds those of a value.
const maxBins = 1 << 10

// maxAdvice bounds Advice: e^100 is certainty.
const maxAdvice = 100

// Validate reports all faults of the config together.
func (c Config) Validate() error {
	var faults []error
	check := func(name string, n int) {
		if n < 1 || n > MostUnits {
			faults = append(faults, fmt.Errorf("network: %s is %d, it must be from 1 to %d", name, n, MostUnits))
		}
	}
	check("inputs", c.Inputs)
	check("actions", c.Actions)
	check("seats", c.Seats)
	if len(c.Hidden) == 0 || len(c.Hidden) > 64 {
		faults = append(faults, fmt.Errorf("network: hidden has %d layers, it must have from 1 to 64", len(c.Hidden)))
	}
	if c.Bins < 0 || c.Bins == 1 || c.Bins > maxBins {
		faults = append(faults, fmt.Errorf("network: bins is %d, it must be 0 or from 2 to %d", c.Bins, maxBins))
	}
	if c.Advice < 0 || c.Advice > maxAdvice {
		faults = append(faults, fmt.Errorf("network: advice is %d, it must be from 0 to %d", c.Advice, maxAdvice))
	}
	if len(c.Advisers) > 0 && c.Advice == 0 {
		faults = append(faults, errors.New("network: advisers without advice: advice is 0"))
	}
	for i, a := range c.Advisers {
		if a.Advice < 0 || a.Advice > maxAdvice {
			faults = append(faults, fmt.Errorf("network: advisers[%d].advice is %d, it must be from 0 to %d", i, a.Advice, maxAdvice))
		}
		for name, w := range a.Weights {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				faults = append(faults, fmt.Errorf("network: advisers[%d].weights.%s is %v", i, name, w))
			}
		}
	}
	for i, n := range c.Hidden {
		check(fmt.Sprintf("hidden[%d]", i), n)
	}
	if c.Activation != ReLU && c.Activation != Tanh {
		faults = append(faults, fmt.Errorf("network: activation is %q, it must be %s or %s", c.Activation, ReLU, Tanh))
	}
	if faults == nil {
		faults = append(faults, c.validateEntities())
	}
	return errors.Join(faults...)
}

// Tensor is a named part of the flat weights.
type Tensor struct {
	// Name follows torch: torso.0.weight, torso.0.bias, torso.0.norm.weight,
	// torso.0.norm.bias, policy.weight, policy.bias, value.weight, value.bias.
	Name string
	// Shape is [out, in] in row-major order for a matrix and [n] for a vector.
	Shape []int
	// Offset and Size are its place in the weights, in numbers.
	Offset, Size int
}

// Tensors lists the parts in their order, without gaps. The weights of the
// policy head are followed by those of the value head, and so are the biases,
// so that both heads are one matrix multiplication.
func (c Config) Tensors() []Tensor {
	var list []Tensor
	offset := 0
	add := func(name string, shape ...int) {
		size := 1
		for _, n := range shape {
			size *= n
		}
		list = append(list, Tensor{name, shape, offset, size})
		offset += size
	}
	in := c.Inputs
	for i, width := range c.Hidden {
		layer := fmt.Sprintf("torso.%d.", i)
		add(layer+"weight", width, in)
		add(layer+"bias", width)
		if c.LayerNorm {
			add(layer+"norm.weight", width)
			add(layer+"norm.bias", width)
		}
		in = width
	}
	add("policy.weight", c.Actions, in)
	add("value.weight", c.ValueOutputs(), in)
	add("policy.bias", c.Actions)
	add("value.bias", c.ValueOutputs())
	return list
}

// NumWeights returns the length of the flat weights.
func (c Config) NumWeights() int {
	list := c.Tensors()
	last := list[len(list)-1]
	return last.Offset + last.Size
}

// ValueOutputs returns the width of the value head: one per seat, or Bins logits per
// seat, those of entry 0 first.
func (c Config) ValueOutputs() int { return c.Seats * max(1, c.Bins) }

// Outputs returns the width of both heads together.
func (c Config) Outputs() int { return c.Actions + c.ValueOutputs() }
