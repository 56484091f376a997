package evidence

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"powderkeg/env/record"
	"powderkeg/train/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Picture is one that is drawn from records.
type Picture struct {
	// File is where it stands, below the repository's root.
	File string
	// Config is the configuration whose runs it shows, below configs and without ending; Curve names the curves of
	// their records.
	Config, Curve string
	Title, X, Y   string
}

// Pictures are those that pages show.
var Pictures = []Picture{{
	File: Records + "/jogu/quick.svg", Config: "jogu/quick", Curve: "against.scripted.win_rate",
	Title: "Warriors of Jogu learned by make train: win rate against the scripted player, 95% intervals",
	X:     "decisions played, millions", Y: "win rate, draws as half",
}}

// Draw draws a picture into a file, a curve for each record of the configuration that has one, and reports whether
// there was any. Records from before there were curves have none.
func (s *Sources) Draw(picture Picture, file string) (bool, error) {
	all, err := s.All()
	if err != nil {
		return false, err
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = picture.Title, picture.X, picture.Y
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	slices.SortStableFunc(all, func(a, b *record.Record) int { return slices.Compare(a.Seeds, b.Seeds) })
	n := 0
	for _, r := range all {
		if r.Config == nil || r.Config.File != path.Join(configs, picture.Config+".yaml") || r.Curves[picture.Curve] == nil {
			continue
		}
		if err := addCurve(p, n, r, picture.Curve); err != nil {
			return false, err
		}
		n++
	}
	if n == 0 {
		return false, nil
	}
	p.Y.Min, p.Y.Max = 0, math.Max(p.Y.Max, 0.5)
	return true, figure.Save(p, figure.Width, figure.Height, file)
}

// addCurve adds the curve of a record.
func addCurve(p *plot.Plot, number int, r *record.Record, name string) error {
	var line, low, high plotter.XYs
	for _, at := range r.Curves[name] {
		x := at.X / 1e6
		line = append(line, plotter.XY{X: x, Y: at.Y})
		if at.Low != nil && at.High != nil {
			low, high = append(low, plotter.XY{X: x, Y: *at.Low}), append(high, plotter.XY{X: x, Y: *at.High})
		}
	}
	if len(low) < len(line) {
		low, high = nil, nil
	}
	return figure.AddCurve(p, number, "seed "+strings.Trim(fmt.Sprint(r.Seeds), "[]"), line, low, high)
}
