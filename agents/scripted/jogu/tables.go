package jogu

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mathext"
)

// The two functions that the player's thinking spends its time in are read off
// tables: computed to the last digit they took two thirds of it, and its guesses are
// good to no more than a few hundredths.

// normal is the distribution function of the standard normal distribution, within
// 1e-5.
func normal(x float64) float64 {
	t := normals()
	at := (x + normalEnd) * normalSteps
	switch {
	case at <= 0:
		return 0
	case at >= float64(len(t)-1):
		return 1
	}
	i := int(at)
	return t[i] + (at-float64(i))*(t[i+1]-t[i])
}

const (
	normalEnd   = 5   // the table goes from -5 to 5
	normalSteps = 100 // entries in 1
)

var normals = sync.OnceValue(func() *[2*normalEnd*normalSteps + 1]float64 {
	var t [2*normalEnd*normalSteps + 1]float64
	for i := range t {
		t[i] = math.Erfc((normalEnd-float64(i)/normalSteps)/math.Sqrt2) / 2
	}
	return &t
})

// race is the regularised incomplete beta function I_p(a, b), the chance to win a
// race to a points against one to b with a chance of p for each, within 0.01. a and
// b are above 0, and p is from leastChance to mostChance. Whoever has more than
// raceEnd points to go is taken to have so many.
func race(a, b, p float64) float64 {
	t := races()
	i, x := raceAt(a)
	j, y := raceAt(b)
	at := (p - leastChance) * (raceChances - 1) / (mostChance - leastChance)
	k := min(max(int(at), 0), raceChances-2)
	z := at - float64(k)
	between := func(c *[raceChances]float64) float64 { return c[k] + z*(c[k+1]-c[k]) }
	low := between(&t[i][j]) + y*(between(&t[i][j+1])-between(&t[i][j]))
	high := between(&t[i+1][j]) + y*(between(&t[i+1][j+1])-between(&t[i+1][j]))
	return low + x*(high-low)
}

const (
	raceEnd     = 16 // points
	racePlaces  = 49 // entries for numbers of points, evenly spaced in their roots
	raceChances = 25 // entries for chances
	leastChance = 0.1
	mostChance  = 0.9
)

// raceAt returns the entry below n points and how far n is from it to the next.
func raceAt(n float64) (int, float64) {
	at := math.Sqrt(min(n, raceEnd)/raceEnd) * (racePlaces - 1)
	i := min(int(at), racePlaces-2)
	return i, at - float64(i)
}

var races = sync.OnceValue(func() *[racePlaces][racePlaces][raceChances]float64 {
	var t [racePlaces][racePlaces][raceChances]float64
	points := func(i int) float64 {
		root := float64(i) / (racePlaces - 1)
		return max(root*root*raceEnd, 1e-6)
	}
	for i := range t {
		for j := range t[i] {
			for k := range t[i][j] {
				p := leastChance + (mostChance-leastChance)*float64(k)/(raceChances-1)
				t[i][j][k] = mathext.RegIncBeta(points(i), points(j), p)
			}
		}
	}
	return &t
})
