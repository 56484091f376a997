package run

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"powderkeg/engine"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// curve is a line with a name.
type curve struct {
	name   string
	points plotter.XYs
	// low and high bound a band around the line, nil for none.
	low, high plotter.XYs
}

// add appends a point, with its band where there is one.
func (c *curve) add(x, y float64) { c.points = append(c.points, plotter.XY{X: x, Y: y}) }

// writePlots draws the learning curves of a run into dir as PNG files. Their
// x axis is millions of decisions played.
func writePlots(dir string, spec *engine.Spec, h *history) error {
	if err := file.MakeFolder(dir); err != nil {
		return err
	}
	pick := func(name string, y func(train.UpdateMetrics) float64) *curve {
		c := &curve{name: name}
		for _, u := range h.updates {
			c.add(millions(u.Decisions), y(u))
		}
		return c
	}
	type picture struct {
		file, title, y string
		curves         []*curve
		axis           axis
	}
	title, rate := "share of games ahead of all others", "games ahead, draws in equal parts"
	switch spec.Payoff {
	case engine.ZeroSum:
		title, rate = "win rate", "win rate, draws as half"
	case engine.Cooperative:
		title, rate = "team wins", "share of games that the team has won"
	}
	length := &curve{name: "decisions per game"}
	for _, u := range h.updates {
		if u.GamesEnded > 0 {
			length.add(millions(u.Decisions), u.Length)
		}
	}
	pictures := []picture{
		{"win_rate.png", title + " with 95% interval", rate, winRates(h), share},
		{"return.png", "mean return with 95% interval", "return", meanReturns(h), linear},
		{"loss.png", "losses", "loss", []*curve{
			pick("policy", func(u train.UpdateMetrics) float64 { return u.PolicyLoss }),
			pick("value", func(u train.UpdateMetrics) float64 { return u.ValueLoss }),
		}, linear},
		{"entropy.png", "entropy of the policy", "nats", []*curve{pick("entropy", func(u train.UpdateMetrics) float64 { return u.Entropy })}, linear},
		{"length.png", "length of games", "decisions", []*curve{length}, linear},
	}
	if curves := spent(h); len(curves[0].points) > 0 {
		pictures = append(pictures, picture{"seconds.png", "where the time of an update goes", "seconds", curves, linear})
	}
	if curves := agreements(h); len(curves[0].points) > 0 {
		pictures = append(pictures, picture{agreementPlot, "agreement with the teacher", "share of decisions", curves, share})
	}
	if curves := distances(h); len(curves) > 0 {
		pictures = append(pictures, picture{exactPlot, "distance from an equilibrium", "exploitability", curves, logarithmic})
	}
	if factors, explained := luckCurves(h); len(explained) > 0 {
		if len(factors.points) > 0 {
			pictures = append(pictures, picture{luckPlot, "luck factor of the values, with 95% interval", "luck factor", []*curve{factors}, linear})
		}
		pictures = append(pictures, picture{explainedPlot, "what the values explain, by fifths of a game", "share of the results' variance", explained,
			linear})
	}
	for _, f := range pictures {
		if err := draw(filepath.Join(dir, f.file), spec.Text+": "+f.title, f.y, f.curves, f.axis); err != nil {
			return fmt.Errorf("plot %s: %w", f.file, err)
		}
	}
	return nil
}

// spent makes a curve of each part of the time of updates.
func spent(h *history) []*curve {
	play, network := &curve{name: "play"}, &curve{name: "network of play"}
	learning, waiting := &curve{name: "learning"}, &curve{name: "waiting"}
	for _, u := range h.updates {
		if s := u.Spent; s != nil {
			x := millions(u.Decisions)
			play.add(x, s.Play)
			network.add(x, s.Network)
			learning.add(x, s.Learning)
			waiting.add(x, s.Waiting)
		}
	}
	return []*curve{play, network, learning, waiting}
}

// exactPlot is there in runs that are measured exactly.
const exactPlot = "exploitability.png"

// luckPlot and explainedPlot are there in runs that measure luck, the first in games of chance.
const (
	luckPlot      = "luck.png"
	explainedPlot = "explained.png"
)

// luckCurves makes the curve of the luck factor, and one of what the values explain in each part
// of a game.
func luckCurves(h *history) (factors *curve, explained []*curve) {
	factors = &curve{name: "all luck taken out"}
	for _, m := range h.luck {
		x := millions(m.Decisions)
		for i, y := range m.ByPhase {
			if i == len(explained) {
				explained = append(explained, &curve{name: fmt.Sprintf("part %d", i+1)})
			}
			explained[i].add(x, y)
		}
		if m.Factor != nil {
			factors.add(x, *m.Factor)
			factors.low = append(factors.low, plotter.XY{X: x, Y: m.FactorLow})
			factors.high = append(factors.high, plotter.XY{X: x, Y: m.FactorHigh})
		}
	}
	return factors, explained
}

// agreementPlot is there in runs with lessons.
const agreementPlot = "agreement.png"

// agreements makes the curves of lessons: how often the network would have answered like
// its teacher, in games that it learns from and in others.
func agreements(h *history) []*curve {
	taught, heldOut := &curve{name: "in the set, before learning"}, &curve{name: "in games held out"}
	for _, u := range h.updates {
		if u.Lessons == nil {
			continue
		}
		taught.add(millions(u.Decisions), u.Lessons.Agreement)
		if exam := u.Lessons.HeldOut; exam != nil {
			heldOut.add(millions(u.Decisions), exam.Agreement)
		}
	}
	return []*curve{taught, heldOut}
}

// distances makes a curve of each policy that was measured exactly.
func distances(h *history) []*curve {
	var list []*curve
	byName := map[string]*curve{}
	for _, m := range h.exact {
		c := byName[m.Policy]
		if c == nil {
			c = &curve{name: m.Policy}
			byName[m.Policy] = c
			list = append(list, c)
		}
		c.add(millions(m.Decisions), m.Distance())
	}
	return list
}

// winRates makes a curve of each opponent, in the order of their first games.
func winRates(h *history) []*curve {
	return byOpponent(h, func(e train.EvaluationMetrics) (y, low, high float64) { return e.WinRate, e.CILow, e.CIHigh })
}

// meanReturns does the same for what the learner gained.
func meanReturns(h *history) []*curve {
	return byOpponent(h, func(e train.EvaluationMetrics) (y, low, high float64) { return e.Return, e.ReturnLow, e.ReturnHigh })
}

// byOpponent makes a curve with its band of each opponent.
func byOpponent(h *history, value func(train.EvaluationMetrics) (y, low, high float64)) []*curve {
	var list []*curve
	byName := map[string]*curve{}
	for _, e := range h.evaluations {
		c := byName[e.Opponent]
		if c == nil {
			c = &curve{name: "against " + e.Opponent}
			byName[e.Opponent] = c
			list = append(list, c)
		}
		x := millions(e.Decisions)
		y, low, high := value(e)
		c.add(x, y)
		c.low = append(c.low, plotter.XY{X: x, Y: low})
		c.high = append(c.high, plotter.XY{X: x, Y: high})
	}
	return list
}

// millions keeps the numbers along the x axis short.
func millions(decisions int64) float64 { return float64(decisions) / 1e6 }

// axis is how the y axis of a figure runs.
type axis int

const (
	linear axis = iota
	share       // from 0 to 1
	logarithmic
)

// draw writes one figure. Curves without points are left out.
func draw(path, title, y string, curves []*curve, scale axis) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "decisions (millions)"
	p.Y.Label.Text = y
	p.Add(plotter.NewGrid())
	for i, c := range curves {
		if len(c.points) == 0 {
			continue
		}
		if scale == logarithmic {
			for _, line := range []plotter.XYs{c.points, c.low, c.high} {
				raise(line)
			}
		}
		if err := figure.AddCurve(p, i, c.name, c.points, c.low, c.high); err != nil {
			return err
		}
	}
	switch scale {
	case share:
		p.Y.Min, p.Y.Max = 0, 1
	case logarithmic:
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
		p.Legend.Top = true // such curves fall
	}
	return figure.Save(p, figure.Width, figure.Height, path)
}

// decades labels 1, 2 and 5 times each power of ten: gonum's own ticks label the
// powers alone, of which a short axis may have one.
func decades(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, digit := range []float64{1, 2, 5} {
			if x := digit * power; x >= low && x <= high {
				ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 4, 64)})
			}
		}
	}
	return ticks
}

// raise puts points at 0 and below, which an equilibrium found or a wide band has, at
// the lower end of what a logarithmic axis is to show.
func raise(line plotter.XYs) {
	const least = 1e-6
	for i := range line {
		line[i].Y = max(line[i].Y, least)
	}
}
