package option

import (
	"slices"
	"testing"
)

// What does not go together is changed with as little else as possible, the kept option never.
func TestNearest(t *testing.T) {
	exists := func(v Values) bool {
		switch {
		case v.Int("sims") > 500:
			return v.Choice("deck") == "blue" && !v.Bool("elite")
		case v.Text("from") == "nowhere":
			return false
		}
		return !v.Bool("elite") || v.Choice("deck") == "red" && v.Int("sims") == 400
	}
	for _, c := range []struct{ text, kept, want string }{
		{"x(sims=7)", "", "x(sims=7)"},
		{"x(sims=501)", "sims", "x(deck=blue,sims=501)"},
		{"x(sims=501)", "deck", "x"},
		{"x(deck=blue,sims=7,c=2,elite=true)", "elite", "x(c=2,elite=true)"},
		{"x(deck=blue,sims=7,c=2,elite=true)", "deck", "x(deck=blue,sims=7,c=2)"},
		{"x(from=nowhere,c=2)", "c", "x(c=2)"},
		{"x(from=nowhere)", "from", ""},
	} {
		v, err := parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		near, ok := v.Nearest(c.kept, exists)
		if ok != (c.want != "") || ok && near.Format("x") != c.want {
			t.Errorf("nearest to %s with %s kept is %s (%v), want %s", c.text, c.kept, near.Format("x"), ok, c.want)
		}
	}
}

// Values lists what can be listed, all of which is possible.
func TestValuesOfOptions(t *testing.T) {
	for _, o := range declared {
		for _, value := range o.Values() {
			if got, ok := o.canonical(value); !ok || got != value {
				t.Errorf("%s=%s is listed and not possible", o.Name, value)
			}
		}
	}
	if got := (Option{Kind: Int, Min: 2, Max: 4}).Values(); !slices.Equal(got, []string{"2", "3", "4"}) {
		t.Errorf("2 to 4 has the values %q", got)
	}
	if got := (Option{Kind: Int, Max: 1e7}).Values(); got != nil {
		t.Errorf("ten million numbers are listed, %d of them", len(got))
	}
}
