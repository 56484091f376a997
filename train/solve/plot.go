package solve

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"powderkeg/engine/option"
	"powderkeg/train/figure"
)

// floor is the least distance to an equilibrium that is drawn: a logarithmic axis
// has no 0, and this is what double precision leaves of one.
const floor = 1e-16

// plotKinds are the kinds of files that can be drawn.
var plotKinds = []string{".png", ".svg", ".pdf"}

// CheckPlot reports whether WritePlot knows the kind of file that path ends in.
func CheckPlot(path string) error {
	if !slices.Contains(plotKinds, strings.ToLower(filepath.Ext(path))) {
		return fmt.Errorf("solve: plot %s: the name must end in one of %s", option.Shorten(path), strings.Join(plotKinds, ", "))
	}
	return nil
}

// WritePlot draws how the distance to an equilibrium fell, on two logarithmic axes,
// as a PNG, SVG or PDF file by the end of its name. There must be a point.
func WritePlot(path, title string, points []Point) error {
	if err := CheckPlot(path); err != nil {
		return err
	}
	if len(points) == 0 {
		return errors.New("solve: plot: no points")
	}
	var xys plotter.XYs
	low, high := math.Inf(1), 0.0
	var name string
	for _, p := range points {
		var y float64
		name, y = p.Distance()
		y = max(y, floor)
		low, high = min(low, y), max(high, y)
		xys = append(xys, plotter.XY{X: float64(p.Iteration), Y: y})
	}
	line, dots, err := plotter.NewLinePoints(xys)
	if err != nil {
		return fmt.Errorf("solve: plot: %w", err)
	}
	line.Color, line.Width = figure.Ink(0), vg.Points(1.5)
	dots.Color, dots.Radius = figure.Ink(0), vg.Points(2)
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "iterations", name
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: 6}, plot.LogTicks{Prec: 6}
	p.Add(plotter.NewGrid(), line, dots)
	// Whole powers of ten, and never a range of nothing, which a scale cannot have.
	p.X.Min, p.X.Max = decades(xys[0].X, xys[len(xys)-1].X)
	p.Y.Min, p.Y.Max = decades(low, high)
	if err := figure.Save(p, figure.Width, figure.Height, path); err != nil {
		return fmt.Errorf("solve: plot: %w", err)
	}
	return nil
}

// decades returns the powers of ten around a range.
func decades(low, high float64) (from, to float64) {
	from = math.Pow(10, math.Floor(math.Log10(low)))
	to = math.Pow(10, math.Ceil(math.Log10(high)))
	if to <= from {
		to = 10 * from
	}
	return from, to
}
