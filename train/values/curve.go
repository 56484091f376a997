package values

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"powderkeg/agents/network"
	"powderkeg/checkpoints/durable"
	"powderkeg/train/figure"
	"powderkeg/train/luck"
)

// Curve lets a network learn from more and more of a store, four times as many games from one
// to the next and points times in all, and returns what each knows of the same games that are
// held out. The last has learned from all.
func Curve(ctx context.Context, s *Store, l Learning, points int) (*network.Network, []Figures, error) {
	most := 0
	for i := range s.games {
		if s.split(i) == taught {
			most++
		}
	}
	var curve []Figures
	for i := range points {
		if l.Games = most >> (2 * (points - 1 - i)); l.Games == 0 {
			continue
		}
		net, f, err := Fit(ctx, s, l)
		if err != nil {
			return nil, nil, err
		}
		if curve = append(curve, f); i == points-1 {
			return net, curve, nil
		}
	}
	return nil, nil, fmt.Errorf("values: a curve of %d points; want at least 1", points)
}

// Names of what WriteCurve writes.
const (
	CurveName = "curve.json"
	PlotName  = "curve.png"
)

// WriteCurve writes a curve to a folder, as JSON and as a picture.
func WriteCurve(dir string, curve []Figures) error {
	data, err := json.MarshalIndent(curve, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(dir, CurveName), append(data, '\n')); err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = "What values know of games that are held out"
	p.X.Label.Text, p.Y.Label.Text = "games learned from", "share explained; luck factor"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: 3}
	p.Legend.Top, p.Legend.Left = true, true
	for number, line := range []struct {
		name string
		of   func(Figures) float64
	}{
		{"explained", func(f Figures) float64 { return f.Explained }},
		{"explained, last fifth of the game", func(f Figures) float64 { return f.ByPhase[luck.Phases-1] }},
		{"luck factor", func(f Figures) float64 { return f.Factor }},
	} {
		var xy plotter.XYs
		for _, f := range curve {
			xy = append(xy, plotter.XY{X: float64(f.Games), Y: line.of(f)})
		}
		if err := figure.AddCurve(p, number, line.name, xy, nil, nil); err != nil {
			return err
		}
	}
	if len(curve) == 1 { // an axis of one number has no logarithm between two
		p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, plot.DefaultTicks{}
	}
	p.Y.Max += 0.3 * (p.Y.Max - p.Y.Min) // above the curves, for the legend
	return figure.Save(p, figure.Width, figure.Height, filepath.Join(dir, PlotName))
}
