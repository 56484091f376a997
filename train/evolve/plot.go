package evolve

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"powderkeg/train/figure"
)

// plotFile has the curves of a run.
const plotFile = "return.png"

// writePlot draws what the samples of each generation returned into a run's folder: their mean
// and the best of them, the luckiest among equals.
func writePlot(dir, game string, history []Stats) error {
	p := plot.New()
	p.Title.Text = "evolution, " + game
	p.X.Label.Text, p.Y.Label.Text = "generation", "return"
	p.Add(plotter.NewGrid())
	for i, c := range []struct {
		name string
		y    func(Stats) float64
	}{
		{"mean of the samples", func(s Stats) float64 { return s.Return }},
		{"best sample", func(s Stats) float64 { return s.Best }},
	} {
		var points plotter.XYs
		for _, s := range history {
			points = append(points, plotter.XY{X: float64(s.Generation), Y: c.y(s)})
		}
		if err := figure.AddCurve(p, i, c.name, points, nil, nil); err != nil {
			return fmt.Errorf("evolve: plot: %w", err)
		}
	}
	if err := figure.Save(p, figure.Width, figure.Height, filepath.Join(dir, plotFile)); err != nil {
		return fmt.Errorf("evolve: plot: %w", err)
	}
	return nil
}
