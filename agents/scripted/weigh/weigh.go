// Package weigh reads and writes by name what a scripted player weighs with, so that it
// can be searched over (package train/evolve) and kept with a network that the player
// advises (network.Config.Advisers).
package weigh

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Player is a scripted player whose weights can be changed.
type Player interface {
	// Weights returns what the player weighs with for a seat. The numbers are the seat's
	// own: who writes to them changes how it is played, and nothing else. Who writes after a
	// decision asks for them again.
	Weights(seat int) List
}

// List is the weights of a seat, each with its name, in a fixed order.
type List struct {
	names   []string
	values  []reflect.Value
	factors int // how many of the last ones are factors (Course)
}

// Of lists the numbers of the struct that w points to, which has float32s, float64s and
// arrays of them alone. A number of an array is called by its place, as in dollars[2].
func Of(w any) List {
	var l List
	s := reflect.ValueOf(w).Elem()
	for i := range s.NumField() {
		field, name := s.Field(i), s.Type().Field(i).Name
		if field.Kind() != reflect.Array {
			l.add(name, field)
			continue
		}
		for k := range field.Len() {
			l.add(fmt.Sprintf("%s[%d]", name, k), field.Index(k))
		}
	}
	return l
}

// add appends a number. The fields are private to their packages, which hand them out.
func (l *List) add(name string, v reflect.Value) {
	if !v.CanFloat() {
		panic(fmt.Sprintf("weigh: %s is a %s, no number", name, v.Kind()))
	}
	l.names = append(l.names, name)
	l.values = append(l.values, reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem())
}

// Len is how many weights there are.
func (l List) Len() int { return len(l.names) }

// Name and Value are those of weight i.
func (l List) Name(i int) string { return l.names[i] }

// Value is described at Name.
func (l List) Value(i int) float64 { return l.values[i].Float() }

// Set changes weight i, which may have single precision.
func (l List) Set(i int, value float64) { l.values[i].SetFloat(value) }

// Find returns the place of the weight of that name, -1 if there is none.
func (l List) Find(name string) int {
	for i, n := range l.names {
		if n == name {
			return i
		}
	}
	return -1
}

// Change sets the weights that are named. Of a name that there is not, it changes nothing and
// lists those that there are; nor does it of a factor (Course) that is not above 0.
func (l List) Change(values map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := l.Find(name)
		if i < 0 {
			return fmt.Errorf("there is no weight %q; weights: %s", name, strings.Join(l.names, ", "))
		}
		if i >= l.Len()-l.factors && !(values[name] > 0) {
			return fmt.Errorf("%s is %v, a factor must be above 0", name, values[name])
		}
	}
	for name, v := range values {
		l.Set(l.Find(name), v)
	}
	return nil
}
