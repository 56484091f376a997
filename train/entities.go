package train

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/env/encoding"
)

// Entities are things of one kind, such as spaces or cards, that have units of their own with
// shared weights in every hidden layer, beside the trunk (network.Entities).
type Entities struct {
	// Count is how many there are.
	Count int `yaml:"count"`
	// Width is how many units each has in a layer.
	Width int `yaml:"width"`
	// Fields name those of the observation that have Count entries along an axis, the
	// first such.
	Fields []string `yaml:"fields"`
	// Actions are what the names of Count actions each begin with, that name the entities
	// in their order.
	Actions []string `yaml:"actions"`
}

// resolve finds the entities in an observation and among the actions of a game.
func (e Entities) resolve(layout *encoding.Layout, spec *engine.Spec) (network.Entities, error) {
	found := network.Entities{Count: e.Count, Width: e.Width}
	for _, name := range e.Fields {
		i := slices.IndexFunc(layout.Fields, func(f encoding.Field) bool { return f.Name == name })
		if i < 0 {
			var names []string
			for _, f := range layout.Fields {
				names = append(names, f.Name)
			}
			return found, fmt.Errorf("%s has no field %q; fields: %s", spec.Name, name, strings.Join(names, ", "))
		}
		f, err := entityField(layout.Fields[i], e.Count)
		if err != nil {
			return found, err
		}
		found.Fields = append(found.Fields, f)
	}
	for _, prefix := range e.Actions {
		first, n := 0, 0
		for a, name := range spec.Actions {
			if strings.HasPrefix(name, prefix) {
				if n++; n == 1 {
					first = a
				}
			}
		}
		if n != e.Count || !strings.HasPrefix(spec.Actions[first+n-1], prefix) {
			return found, fmt.Errorf("%d actions of %s begin with %q, it must be %d in a row", n, spec.Name, prefix, e.Count)
		}
		found.Actions = append(found.Actions, first)
	}
	return found, nil
}

// entityField finds count entities along an axis of a field.
func entityField(f encoding.Field, count int) (network.EntityField, error) {
	each := f.Size
	for _, n := range f.Shape {
		outer := f.Size / each
		each /= n
		if n != count {
			continue
		}
		switch {
		case outer == 1:
			return network.EntityField{Offset: f.Offset, Size: each, Each: each, Next: 1}, nil
		case each == 1:
			return network.EntityField{Offset: f.Offset, Size: outer, Each: 1, Next: count}, nil
		}
	}
	return network.EntityField{}, fmt.Errorf("field %s is %v, it must have %d entries along its first axis or its last", f.Name, f.Shape, count)
}
