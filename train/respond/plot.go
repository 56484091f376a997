package respond

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"powderkeg/train/figure"
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
		if err := figure.AddCurve(p, i, string(l.Way)+", 95% interval", line, low, high); err != nil {
			return fmt.Errorf("respond: plot: %w", err)
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
	if err := figure.Save(p, figure.Width, figure.Height, path); err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
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
