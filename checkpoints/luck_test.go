package checkpoints

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// measured is what a run has measured.
func measured() *Luck {
	factor := 1.25
	return &Luck{
		Update: 100, Games: 20, Factor: &factor, FactorLow: 1, FactorHigh: 1.5, Explained: 0.5,
		ByPhase: []float64{0.25, 0.75}, ByPhaseIntervals: [][2]float64{{0, 0.5}, {0.5, 1}}, Outcomes: 60, Events: 400,
	}
}

// A measurement comes back as it was, and says the factor or why there is none.
func TestLuckIsKept(t *testing.T) {
	c := sample()
	c.Manifest.Luck = measured()
	files, err := c.files()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(mapped(files))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.Manifest.Luck, measured()) {
		t.Errorf("%+v came back, want %+v", back.Manifest.Luck, measured())
	}
	for want, l := range map[string]*Luck{
		"1.25 [1.00, 1.50]":                                  measured(),
		"none: the game has no chance":                       {},
		"none: the results did not vary":                     {Events: 5, Skipped: 3, Outcomes: 60},
		"none: every chance event has more than 60 outcomes": {Skipped: 3, Outcomes: 60},
	} {
		if got := l.String(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// What cannot have been measured is refused.
func TestLuckThatCannotBeIsRefused(t *testing.T) {
	for want, change := range map[string]func(l *Luck){
		"luck: update is 121":   func(l *Luck) { l.Update = 121 },
		"luck: update is -1":    func(l *Luck) { l.Update = -1 },
		"luck: games is -1":     func(l *Luck) { l.Games = -1 },
		"luck: skipped is -1":   func(l *Luck) { l.Skipped = -1 },
		"2 phases with 1 inter": func(l *Luck) { l.ByPhaseIntervals = l.ByPhaseIntervals[:1] },
		"101 phases":            func(l *Luck) { l.ByPhase, l.ByPhaseIntervals = make([]float64, 101), make([][2]float64, 101) },
	} {
		c := sample()
		c.Manifest.Luck = measured()
		change(c.Manifest.Luck)
		files, err := c.files()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(mapped(files)); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
