package teacher

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"powderkeg/engine"

	"gonum.org/v1/gonum/optimize"
)

// Curve makes of a value what comes of it on average: beta calibration (M. Kull, T. Silva Filho,
// P. Flach, "Beta calibration", AISTATS 2017),
//
//	logit(y) = A ln(x) - B ln(1-x) + C,
//
// which rises with A and B above 0 and leaves 0 and 1 where they are.
type Curve struct {
	Game    string  `json:"game"`
	Teacher string  `json:"teacher"`
	A       float64 `json:"a"`
	B       float64 `json:"b"`
	C       float64 `json:"c"`
	// Made is the command that fitted it.
	Made string `json:"made"`
}

// at returns the curve's value, x itself where there is none.
func (c *Curve) at(x float64) float64 {
	if c == nil || x <= 0 || x >= 1 {
		return x
	}
	return 1 / (1 + math.Exp(-(c.A*math.Log(x) - c.B*math.Log(1-x) + c.C)))
}

// around returns the curve's value and what it makes of a standard error.
func (c *Curve) around(x, err float64) (float64, float64) {
	if c == nil {
		return x, err
	}
	return c.at(x), (c.at(min(x+err, 1)) - c.at(max(x-err, 0))) / 2
}

//go:embed calibration.json
var calibrationData []byte

// curveOf returns the curve of who teaches a game, nil for none: its values come true as they are.
func curveOf(g engine.Game, teacher string) *Curve {
	var all []Curve
	if err := json.Unmarshal(calibrationData, &all); err != nil {
		return nil // which TestShippedCurves rules out
	}
	for i := range all {
		family, _, _ := strings.Cut(all[i].Game, "(")
		if all[i].Teacher == teacher && family == g.Spec().Name {
			return &all[i]
		}
	}
	return nil
}

// fitted returns the curve by which values are likeliest to come true as they did.
func fitted(all []outcome) (*Curve, error) {
	const edge = 1e-4 // values at the ends say nothing of the curve
	loss := func(p []float64) float64 {
		c := Curve{A: math.Exp(p[0]), B: math.Exp(p[1]), C: p[2]}
		sum := 0.0
		for _, o := range all {
			y := min(max(c.at(min(max(o.value, edge), 1-edge)), 1e-9), 1-1e-9)
			sum -= o.real*math.Log(y) + (1-o.real)*math.Log(1-y)
		}
		return sum / float64(len(all))
	}
	found, err := optimize.Minimize(optimize.Problem{Func: loss}, []float64{0, 0, 0}, nil, &optimize.NelderMead{})
	if err != nil {
		return nil, fmt.Errorf("no curve fits the values: %w", err)
	}
	return &Curve{A: math.Exp(found.X[0]), B: math.Exp(found.X[1]), C: found.X[2]}, nil
}
