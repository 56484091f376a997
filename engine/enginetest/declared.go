package enginetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/flow"
)

// SecretsDeclared plays games of one family at random and demands that what a view may
// hide is declared at the fields of the position: whatever differs between the position P
// of a state and that of its view carries the tag secret, which names the rule, and
// whatever carries it does differ somewhere. The question at rest (flow.Rest) needs no tag,
// since who is asked in secret follows from the table. A family whose states have no P is
// left out.
func SecretsDeclared(t testing.TB, games []engine.Game) {
	t.Helper()
	demand.Games(t, games)
	d := &declared{t: t, hidden: map[string]bool{}}
	for i, g := range games {
		if !position(g.New()).IsValid() {
			return
		}
		for seed := range Times(30) {
			d.play(g, rand.NewPCG(uint64(seed), uint64(i)))
		}
	}
	for path, met := range d.hidden {
		if !met {
			t.Errorf("%s is declared a secret, and no view hides it", path)
		}
	}
}

// position returns the field P of a state or a view, invalid where there is none.
func position(s any) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(s))
	if v.Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.FieldByName("P")
}

// declared knows of every field declared a secret whether a view has hidden it.
type declared struct {
	t      testing.TB
	hidden map[string]bool
}

func (d *declared) play(g engine.Game, rng *rand.PCG) {
	s := g.New()
	if _, ok := s.(engine.Hidden); !ok {
		return
	}
	demand.Play(d.t, g, s, rng, func() {
		for seat := range g.Spec().Seats {
			here, seen := position(s), position(engine.Look(s, engine.Player(seat)))
			if !seen.IsValid() || here.Type() != seen.Type() {
				d.t.Fatalf("%s: the state holds a %s in P, and its view does not", g.Spec().Text, here.Type())
			}
			d.compare("", here, seen)
		}
		if d.t.Failed() {
			d.t.FailNow()
		}
	})
}

// compare walks through two values of one type. It goes on into structs and into lists of
// structs, where the tags stand.
func (d *declared) compare(path string, real, seen reflect.Value) {
	switch holder := real.Type(); {
	case holder.Kind() == reflect.Struct:
		for i := range holder.NumField() {
			d.compareField(path, holder.Field(i), real.Field(i), seen.Field(i))
		}
	case holder.Kind() == reflect.Array && tagged(holder.Elem()):
		for i := range real.Len() {
			d.compare(path, real.Index(i), seen.Index(i))
		}
	case !real.Equal(seen):
		d.t.Errorf("%s is %v, and a view shows %v: say at the field that it is a secret, with the rule", path, real, seen)
	}
}

func (d *declared) compareField(path string, field reflect.StructField, real, seen reflect.Value) {
	path = strings.TrimPrefix(fmt.Sprint(path, ".", field.Name), ".")
	if rule := field.Tag.Get("secret"); rule != "" {
		d.hidden[path] = d.hidden[path] || !real.Equal(seen)
		return
	}
	if field.Anonymous && strings.HasPrefix(field.Type.Name(), "Rest[") && field.Type.PkgPath() == reflect.TypeFor[flow.Rest[uint64]]().PkgPath() {
		return
	}
	d.compare(path, real, seen)
}

// tagged reports whether a tag secret stands somewhere in a type.
func tagged(holder reflect.Type) bool {
	switch holder.Kind() {
	case reflect.Array:
		return tagged(holder.Elem())
	case reflect.Struct:
		for i := range holder.NumField() {
			if holder.Field(i).Tag.Get("secret") != "" || tagged(holder.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
