package soak

import "testing"

func TestTimes(t *testing.T) {
	for text, want := range map[string]int{"": 7, "1": 7, "20": 140} {
		t.Setenv(Variable, text)
		if got := Times(7); got != want || On() != (text != "") {
			t.Errorf("with %q 7 times are %d, on %v; want %d", text, got, On(), want)
		}
	}
	for _, text := range []string{"0", "-3", "long"} {
		t.Setenv(Variable, text)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is accepted", text)
				}
			}()
			Times(1)
		}()
	}
}
