package respond

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// The size of the curve.
const (
	plotWidth  = 7 * vg.Inch
	plotHeight = 4 * vg.Inch
)

// WritePlot draws what the candidates of each learner gain over its training, with the
// bound that was found and, where it is known, the truth, as a PNG, SVG or PDF file by the
// end of its name.
func (r *Result) WritePlot(path string) error {
	p := plot.New()
	name, bound := r.distance()
	p.Title.Text = fmt.Sprintf("%s: responses to %s", r.Game, r.Agent)
	p.X.Label.Text, p.Y.Label.Text = "decisions (millions)", name+", from below"
	p.Add(plotter.NewGrid())
	longest := 0.0
	for i, l := range r.Learners {
		var line, low, high plotter.XYs
		for _, c := range r.Candidates {
			if c.Way == l.Way {
				x, b := float64(c.Decisions)/1e6, r.estimate(c)
				longest = max(longest, x)
				line, low, high = append(line, plotter.XY{X: x, Y: b.Mean}), append(low, plotter.XY{X: x, Y: b.Low}), append(high, plotter.XY{X: x, Y: b.High})
			}
		}
		if err := addCurve(p, string(l.Way)+", 95% interval", line, low, high, plotutil.Color(i)); err != nil {
			return err
		}
	}
	levels := []level{{"found, fresh games", bound.Mean, []vg.Length{vg.Points(4), vg.Points(3)}}}
	if r.Exact != nil {
		levels = append(levels, level{"exact best response", r.Exact.True, nil})
	}
	for _, l := range levels {
		if err := l.add(p, longest); err != nil {
			return err
		}
	}
	p.Y.Min = min(p.Y.Min, 0)
	if err := p.Save(plotWidth, plotHeight, path); err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	return nil
}

// addCurve draws a line with its band.
func addCurve(p *plot.Plot, name string, line, low, high plotter.XYs, ink color.Color) error {
	ring := append(plotter.XYs{}, low...)
	for i := len(high) - 1; i >= 0; i-- {
		ring = append(ring, high[i])
	}
	band, err := plotter.NewPolygon(ring)
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	red, green, blue, _ := ink.RGBA()
	band.Color = color.NRGBA{uint8(red >> 8), uint8(green >> 8), uint8(blue >> 8), 48}
	band.LineStyle.Width = 0
	curve, err := plotter.NewLine(line)
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	curve.Color, curve.Width = ink, vg.Points(1.5)
	p.Add(band, curve)
	p.Legend.Add(name, curve)
	return nil
}

// level is a horizontal line.
type level struct {
	name   string
	y      float64
	dashes []vg.Length
}

func (l level) add(p *plot.Plot, right float64) error {
	line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: l.y}, {X: right, Y: l.y}})
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	line.Dashes = l.dashes
	p.Add(line)
	p.Legend.Add(l.name, line)
	return nil
}
