package trial_test

import (
	"slices"
	"testing"

	"powderkeg/engine/enginetest/trial"
)

func TestOf(t *testing.T) {
	for name, test := range map[string]struct {
		run   func(t testing.TB)
		lines []string
		panic any
	}{
		"passes":              {func(t testing.TB) { t.Helper(); t.Log("nothing"); t.Logf("%d", 1) }, nil, nil},
		"errors":              {func(t testing.TB) { t.Error("one", 2); t.Errorf("%d\nmore", 3) }, []string{"one 2", "3"}, nil},
		"is fatal":            {func(t testing.TB) { t.Fatal("end"); t.Error("beyond") }, []string{"end"}, nil},
		"is fatal, formatted": {func(t testing.TB) { t.Fatalf("%s", "end"); t.Error("beyond") }, []string{"end"}, nil},
		"fails":               {func(t testing.TB) { t.Fail(); t.FailNow(); t.Error("beyond") }, []string{"failed", "failed"}, nil},
		"panics":              {func(t testing.TB) { t.Error("one"); panic("boom") }, []string{"one"}, "boom"},
	} {
		t.Run(name, func(t *testing.T) {
			v := trial.Of(t, test.run)
			if !slices.Equal(v.Lines, test.lines) || v.Panic != test.panic || v.Failed() != (len(test.lines) > 0) {
				t.Errorf("the verdict is %+v, want %q and %v", v, test.lines, test.panic)
			}
		})
	}
}

// Finds is itself tried: it must fail where nothing is found.
func TestFinds(t *testing.T) {
	fails := func(t testing.TB) { t.Error("the hand has 8 cards") }
	trial.Finds(t, fails, "hand", "8")
	trial.Finds(t, func(t testing.TB) { trial.Finds(t, fails, "hand", "9") }, "no line has")
	trial.Finds(t, func(t testing.TB) { trial.Finds(t, func(testing.TB) {}, "") }, "no line has")
	trial.Finds(t, func(t testing.TB) { trial.Finds(t, func(testing.TB) { panic("boom") }, "") }, "the test panics: boom")
}
