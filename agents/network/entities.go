package network

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Entities are things of one kind that an observation describes alike, such as the spaces of a
// map. They have units of their own in every hidden layer, Width for each, behind those of the
// trunk and of the kinds before: entity e's see what is observed of e, and in later layers the
// trunk and e's units below, by weights that all entities share. The trunk and the values see the
// mean of all. The logit of an action that names e sees e's units beside the trunk. (Zaheer et
// al., "Deep sets", 2017; Vinyals et al., "Grandmaster level in StarCraft II", 2019, have more.)
//
// Which weights are shared and which are zero concerns whoever changes them (Ties): the layers
// are those that Hidden says and may be computed as any others. Forward and the learner multiply
// by what is shared once (Shared), which gives the same but for the last bits.
type Entities struct {
	// Count is how many there are, Width the units of each.
	Count int `json:"count"`
	Width int `json:"width"`
	// Fields say where in an observation they are described.
	Fields []EntityField `json:"fields"`
	// Actions are the first of Count actions each that name them, in their order.
	Actions []int `json:"actions,omitempty"`
}

// EntityField is Size numbers for each entity: number n of entity e is input
// Offset + e*Each + n*Next.
type EntityField struct {
	Offset int `json:"offset"`
	Size   int `json:"size"`
	Each   int `json:"each"`
	Next   int `json:"next"`
}

// features returns how many numbers describe an entity.
func (e *Entities) features() int {
	n := 0
	for _, f := range e.Fields {
		n += f.Size
	}
	return n
}

// columns returns for each kind the inputs that describe its entities, [Count, features].
func (c *Config) columns() [][]int32 {
	var list [][]int32
	for _, e := range c.Entities {
		var columns []int32
		for entity := range e.Count {
			for _, f := range e.Fields {
				for n := range f.Size {
					columns = append(columns, int32(f.Offset+entity*f.Each+n*f.Next))
				}
			}
		}
		list = append(list, columns)
	}
	return list
}

// validateEntities reports what does not fit the sizes of the network.
func (c Config) validateEntities() error {
	var faults []error
	units, named := 0, map[int]bool{}
	for i, e := range c.Entities {
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Errorf("network: entities[%d]: %s", i, fmt.Sprintf(format, args...)))
		}
		if e.Count < 2 || e.Count > MostUnits || e.Width < 1 || e.Width > MostUnits || len(e.Fields) == 0 {
			fault("%d of width %d with %d fields; there must be at least 2, 1 and 1", e.Count, e.Width, len(e.Fields))
			continue
		}
		units += e.Count * e.Width
		for _, f := range e.Fields {
			inside := func(n int) bool { return n >= 0 && n <= c.Inputs }
			if f.Next < 1 && f.Size > 1 || !inside(f.Offset) || f.Size < 1 || !inside(f.Size) || f.Each < 1 || !inside(f.Each) || !inside(f.Next) ||
				f.Offset+(e.Count-1)*f.Each+(f.Size-1)*f.Next >= c.Inputs {
				fault("a field of %d numbers from %d is not within %d inputs", f.Size, f.Offset, c.Inputs)
			}
		}
		if n := e.features(); n < 0 || n > c.Inputs/e.Count {
			fault("%d numbers describe each of %d, more than there are inputs", n, e.Count)
		}
		for _, a := range e.Actions {
			if a < 0 || a > c.Actions-e.Count {
				fault("actions from %d are not within %d", a, c.Actions)
				continue
			}
			for n := range e.Count {
				if named[a+n] {
					fault("action %d names an entity already", a+n)
				}
				named[a+n] = true
			}
		}
	}
	for i, n := range c.Hidden {
		if len(c.Entities) > 0 && n <= units {
			faults = append(faults, fmt.Errorf("network: hidden[%d] is %d, of which entities have %d; the trunk needs some", i, n, units))
		}
	}
	return errors.Join(faults...)
}

// trunk returns how many of a hidden layer's units are nobody's own.
func (c *Config) trunk(width int) int {
	for _, e := range c.Entities {
		width -= e.Count * e.Width
	}
	return width
}

// Ties say which weights of a network with entities are the same, and which are zero. They hold
// for all arrays as long as the weights.
type Ties struct {
	// lead is for each weight the first of those that are the same, itself if there is no
	// other, and none for a zero.
	lead []int32
}

const none = -1

// Ties returns those of a network, nil without entities.
func (c Config) Ties() *Ties {
	if len(c.Entities) == 0 {
		return nil
	}
	t := &Ties{lead: make([]int32, c.NumWeights())}
	for i := range t.lead {
		t.lead[i] = int32(i)
	}
	layers, at := c.Layers(make([]float32, c.NumWeights())), 0
	for i, l := range layers {
		below := l.In // units of the trunk below
		if i > 0 {
			below = c.trunk(l.In)
		}
		heads := i == len(layers)-1
		row := func(r int) []int32 { return t.lead[at+r*l.In:][:l.In] }
		// plain is a row of nobody's own: it sees the mean of every kind.
		plain := func(r int) {
			col := below
			for _, e := range c.Entities {
				for n := range e.Count * e.Width {
					if i > 0 {
						row(r)[col+n] = int32(at + r*l.In + col + n%e.Width)
					}
				}
				col += e.Count * e.Width
			}
		}
		// own is the row of an entity, which shares its weights with row first, of entity 0.
		own := func(r, first, kind, entity int) {
			to := row(r)
			if i == 0 {
				for j := range to {
					to[j] = none
				}
				for _, f := range c.Entities[kind].Fields {
					for n := range f.Size {
						to[f.Offset+entity*f.Each+n*f.Next] = int32(at + first*l.In + f.Offset + n*f.Next)
					}
				}
				return
			}
			for j := range below {
				if !heads {
					to[j] = int32(at + first*l.In + j)
				}
			}
			col := below
			for k, e := range c.Entities {
				for n := range e.Count * e.Width {
					if to[col+n] = none; k == kind && n/e.Width == entity {
						to[col+n] = int32(at + first*l.In + col + n%e.Width)
					}
				}
				col += e.Count * e.Width
			}
		}
		if heads {
			for r := range l.Out {
				plain(r)
			}
			for kind, e := range c.Entities {
				for _, first := range e.Actions {
					for n := range e.Count {
						own(first+n, first, kind, n)
					}
				}
			}
			break
		}
		for r := range c.trunk(l.Out) {
			plain(r)
		}
		first := c.trunk(l.Out)
		for kind, e := range c.Entities {
			for n := range e.Count * e.Width {
				own(first+n, first+n%e.Width, kind, n/e.Width)
				for vector := range (len(l.Bias) + len(l.Scale) + len(l.Shift)) / l.Out {
					base := at + (l.In+vector)*l.Out
					t.lead[base+first+n] = int32(base + first + n%e.Width)
				}
			}
			first += e.Count * e.Width
		}
		at += l.In*l.Out + len(l.Bias) + len(l.Scale) + len(l.Shift)
	}
	return t
}

// Gather turns a gradient by the weights as they stand into one by those that there are: the
// first of each that are the same has the sum, the others, and zeroes, have 0.
func (t *Ties) Gather(gradient []float32) {
	for i, lead := range t.lead {
		if int(lead) == i {
			continue
		}
		if lead != none {
			gradient[lead] += gradient[i]
		}
		gradient[i] = 0
	}
}

// Spread sets the weights to the first of those that each is the same as.
func (t *Ties) Spread(weights []float32) {
	for i, lead := range t.lead {
		switch {
		case lead == none:
			weights[i] = 0
		case int(lead) != i:
			weights[i] = weights[lead]
		}
	}
}

// tie draws what entities share anew, in the size that goes with what they see, and spreads it.
// The parts of a mean are divided among those that it is of.
func (n *Network) tie(r *rand.Rand) {
	c := &n.config
	for i := range n.layers {
		l := &n.layers[i]
		heads := i == len(n.layers)-1
		below := l.In
		if i > 0 {
			below = c.trunk(l.In)
			col := below
			for _, e := range c.Entities {
				rows := l.Out
				if !heads {
					rows = c.trunk(l.Out)
				}
				for row := range rows {
					part := l.Weight[row*l.In+col:][:e.Width]
					// As large as a unit of the trunk is to the row, and the mean of the entities.
					for j := range part {
						part[j] *= float32(math.Sqrt(float64(l.In)/float64(below))) / float32(e.Count)
					}
				}
				col += e.Count * e.Width
			}
		}
		if heads {
			for _, e := range c.Entities {
				for _, a := range e.Actions {
					for j := range l.In - below {
						l.Weight[a*l.In+below+j] *= float32(e.Count) // no mean: it sees its own
					}
				}
			}
			break
		}
		first, col := c.trunk(l.Out), below
		for _, e := range c.Entities {
			in := below + e.Width
			if i == 0 {
				in = e.features()
			}
			w := make([]float32, e.Width*in)
			orthogonal(w, e.Width, in, math.Sqrt2, r)
			for k := range e.Width {
				to, from := l.Weight[(first+k)*l.In:], w[k*in:(k+1)*in]
				if i == 0 {
					for _, f := range e.Fields {
						for j := range f.Size {
							to[f.Offset+j*f.Next], from = from[0], from[1:]
						}
					}
					continue
				}
				copy(to[:below], from)
				copy(to[col:col+e.Width], from[below:])
			}
			first += e.Count * e.Width
			col += e.Count * e.Width
		}
	}
	c.Ties().Spread(n.weights)
}
