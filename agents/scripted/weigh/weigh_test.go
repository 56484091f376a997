package weigh

import (
	"strings"
	"testing"
)

// TestWeightsAreReadAndWrittenByName, private fields and arrays among them.
func TestWeightsAreReadAndWrittenByName(t *testing.T) {
	w := struct {
		army  float32
		Prize float64
		pay   [2]float64
	}{0.5, -2, [2]float64{3, 4}}
	l := Of(&w)
	want := []struct {
		name  string
		value float64
	}{{"army", 0.5}, {"Prize", -2}, {"pay[0]", 3}, {"pay[1]", 4}}
	if l.Len() != len(want) {
		t.Fatalf("%d weights, want %d", l.Len(), len(want))
	}
	for i, x := range want {
		if l.Name(i) != x.name || l.Value(i) != x.value || l.Find(x.name) != i {
			t.Errorf("weight %d is %s = %v, want %s = %v", i, l.Name(i), l.Value(i), x.name, x.value)
		}
	}
	l.Set(0, 1.25)
	l.Set(3, 7)
	if w.army != 1.25 || w.pay != [2]float64{3, 7} {
		t.Errorf("after writing: %+v", w)
	}
	if l.Find("navy") != -1 {
		t.Error("a weight that is not there is found")
	}
	if err := l.Change(map[string]float64{"army": 9, "navy": 1}); err == nil ||
		!strings.Contains(err.Error(), `no weight "navy"; weights: army, Prize, pay[0], pay[1]`) || w.army != 1.25 {
		t.Errorf("a weight that is not there: error %v, army %v; want the list, and nothing changed", err, w.army)
	}
	if err := l.Change(map[string]float64{"army": 2, "pay[1]": 8}); err != nil || w.army != 2 || w.pay[1] != 8 {
		t.Errorf("error %v, weights %+v, want 2 and 8 written", err, w)
	}
}

func TestOnlyNumbersAreWeights(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a struct with a text is listed")
		}
	}()
	Of(&struct{ name string }{"x"})
}
