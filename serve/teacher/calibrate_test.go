package teacher

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/env"

	"powderkeg/engine/enginetest"
)

// A curve is found again from what came by it, rises, and leaves what is decided alone.
func TestCurves(t *testing.T) {
	want := &Curve{A: 0.8, B: 1.5, C: -0.4}
	rng := rand.New(rand.NewPCG(1, 1))
	var all []outcome
	for range 20000 {
		o := outcome{value: rng.Float64()}
		if rng.Float64() < want.at(o.value) {
			o.real = 1
		}
		all = append(all, o)
	}
	got, err := fitted(all)
	if err != nil {
		t.Fatal(err)
	}
	for x := 0.05; x < 1; x += 0.1 {
		if math.Abs(got.at(x)-want.at(x)) > 0.02 {
			t.Errorf("%v becomes %v by the curve that was found, want %v", x, got.at(x), want.at(x))
		}
	}
	if got.at(0) != 0 || got.at(1) != 1 {
		t.Errorf("what is decided becomes %v and %v", got.at(0), got.at(1))
	}
	var c Calibration
	for i := range all {
		all[i].value = got.at(all[i].value)
	}
	if c.count(all); c.Error > 0.02 || c.Chance > 0.02 {
		t.Errorf("by the curve the values miss %v, chance alone %v", c.Error, c.Chance)
	}
}

// The curves that ship are of games and teachers that there are, and rise.
func TestShippedCurves(t *testing.T) {
	var all []Curve
	if err := json.Unmarshal(calibrationData, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		g, err := env.NewGame(c.Game)
		if err != nil {
			t.Fatal(err)
		}
		if own := New(g); own == nil || own.name != c.Teacher || *own.curve != c || c.A <= 0 || c.B <= 0 || !strings.HasPrefix(c.Made, "powderkeg calibrate ") {
			t.Errorf("the curve %+v is nobody's", c)
		}
	}
}

// The result does not depend on the workers, and an interruption ends it.
func TestCalibrate(t *testing.T) {
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
	g, err := env.NewGame("leduc")
	if err != nil {
		t.Fatal(err)
	}
	m := Measure{Game: g, Agent: "scripted", Games: 30, Moments: 2, Trials: 40, Seed: 1, Workers: 1}
	one, err := Calibrate(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	m.Workers = 3
	three, err := Calibrate(t.Context(), m)
	if err != nil || *one != *three || one.Moments < 50 {
		t.Errorf("one worker finds %+v, three %+v (%v)", one, three, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Calibrate(ctx, m); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted it returns %v", err)
	}
}
