package respond

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"powderkeg/engine/option"
	"powderkeg/engine/position"
	"powderkeg/env/file"
	"powderkeg/train/figure"
)

// Named is a result with the name that tables and plots have for it.
type Named struct {
	Name string
	*Result
}

// Read reads the results in a folder (*.json), by file name. Those of games whose truth is
// known come first.
func Read(dir string) ([]Named, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: %s has no results (*.json)", option.ErrUsage, option.Shorten(dir))
	}
	var list []Named
	for _, path := range paths {
		text, err := file.Read(path, file.Report)
		if err != nil {
			return nil, err
		}
		var r Result
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("%w: %s: %s", option.ErrUsage, path, position.Plainly(err, nil))
		}
		switch {
		case r.Format != Format:
			return nil, fmt.Errorf("%s: format is %q, this program reads %q", path, r.Format, Format)
		case r.Fresh == nil || len(r.Fresh.Seats) == 0:
			return nil, fmt.Errorf("%s: the result has no fresh games", path)
		}
		list = append(list, Named{strings.TrimSuffix(filepath.Base(path), ".json"), &r})
	}
	known := func(n Named) bool { return n.Exact != nil }
	return append(keep(list, known), keep(list, func(n Named) bool { return !known(n) })...), nil
}

func keep(list []Named, wanted func(Named) bool) []Named {
	return slices.DeleteFunc(slices.Clone(list), func(n Named) bool { return !wanted(n) })
}

// Table is the results in Markdown: what was found of each agent, what it took, and the share
// of the truth that it is where that is known.
func Table(results []Named) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| game | agent | measure | found, in fresh games | true | share | by | decisions |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|")
	for _, r := range results {
		name, bound := r.distance()
		truth, share := "-", "-"
		if r.Exact != nil {
			truth, share = fmt.Sprintf("%.4g", r.Exact.True), r.Exact.share()
		}
		var ways []string
		for _, c := range r.Response {
			if !slices.Contains(ways, string(c.Way)) {
				ways = append(ways, string(c.Way))
			}
		}
		decisions := int64(0)
		for _, l := range r.Learners {
			decisions += l.Decisions
		}
		start := ""
		if len(r.Position) > 0 {
			start = ", from a position"
		}
		fmt.Fprintf(&b, "| `%s`%s | `%s` | %s | %.4g [%.4g, %.4g] | %s | %s | %s | %.1f M |\n",
			r.Game, start, r.Agent, name, bound.Mean, bound.Low, bound.High, truth, share, strings.Join(ways, ", "), float64(decisions)/1e6)
	}
	return b.String()
}

// ErrNoTruth says that no result knows the truth.
var ErrNoTruth = errors.New("none of the results has the truth beside it (respond --exact)")

// PlotCalibration draws what was found against the truth on logarithmic axes, since games
// pay in units of their own, as a PNG, SVG or PDF file by the end of its name. Errors wrap
// ErrNoTruth.
func PlotCalibration(results []Named, path string) error {
	p := plot.New()
	p.Title.Text = "What a learned response finds of the truth"
	p.X.Label.Text, p.Y.Label.Text = "true exploitability or NashConv", "found in fresh games, 95% interval"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	low, high := 0.0, 0.0
	n := 0
	for _, r := range results {
		if r.Exact == nil {
			continue
		}
		_, bound := r.distance()
		if err := addFound(p, r.Name, r.Exact.True, bound, n); err != nil {
			return err
		}
		if n == 0 {
			low, high = r.Exact.True, r.Exact.True
		}
		low, high = min(low, r.Exact.True, bound.Low), max(high, r.Exact.True, bound.High)
		n++
	}
	if n == 0 {
		return ErrNoTruth
	}
	ends := plotter.XYs{{X: low / 1.3, Y: low / 1.3}, {X: high * 1.3, Y: high * 1.3}}
	all, err := plotter.NewLine(ends)
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	most, err := plotter.NewLine(plotter.XYs{{X: ends[0].X, Y: 0.95 * ends[0].Y}, {X: ends[1].X, Y: 0.95 * ends[1].Y}})
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	most.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(all, most)
	p.Legend.Add("all of it", all)
	p.Legend.Add("95%", most)
	p.Legend.Top, p.Legend.Left = true, true
	if err := figure.Save(p, figure.Height*1.4, figure.Height*1.2, path); err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	return nil
}

// addFound draws a result as a point with its interval.
func addFound(p *plot.Plot, name string, truth float64, found Bound, n int) error {
	at := plotter.XYs{{X: truth, Y: found.Mean}}
	point, err := plotter.NewScatter(at)
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	point.GlyphStyle = draw.GlyphStyle{Color: figure.Ink(n), Radius: vg.Points(4), Shape: plotutil.Shape(n)}
	bars, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{at, plotter.YErrors{{Low: found.Mean - found.Low, High: found.High - found.Mean}}})
	if err != nil {
		return fmt.Errorf("respond: plot: %w", err)
	}
	bars.LineStyle.Color = color.Gray{96}
	p.Add(bars, point)
	p.Legend.Add(name, point)
	return nil
}
