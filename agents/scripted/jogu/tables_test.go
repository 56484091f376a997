package jogu

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// TestTablesAgreeWithTheFunctions holds what is read off the tables against the
// functions, at random places and beyond the ends.
func TestTablesAgreeWithTheFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	worstNormal, worstRace := 0.0, 0.0
	for range 100_000 {
		x := 12*r.Float64() - 6
		worstNormal = max(worstNormal, math.Abs(normal(x)-math.Erfc(-x/math.Sqrt2)/2))
		a, b, p := 0.05+10*r.Float64(), 0.05+10*r.Float64(), leastChance+(mostChance-leastChance)*r.Float64()
		worstRace = max(worstRace, math.Abs(race(a, b, p)-mathext.RegIncBeta(a, b, p)))
	}
	if worstNormal > 1e-5 {
		t.Errorf("normal is off by up to %v, want at most 1e-5", worstNormal)
	}
	if worstRace > 0.01 {
		t.Errorf("race is off by up to %v, want at most 0.01", worstRace)
	}
	for _, c := range []struct{ a, b, p, want float64 }{{100, 1, 0.5, 0}, {1, 100, 0.5, 1}, {1e-9, 3, 0.1, 1}, {2, 2, 0.5, 0.5}} {
		if got := race(c.a, c.b, c.p); math.Abs(got-c.want) > 0.01 {
			t.Errorf("race(%v, %v, %v) = %v, want %v", c.a, c.b, c.p, got, c.want)
		}
	}
}
