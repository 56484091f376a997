package solve_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/train/solve"
)

// iterationsOf returns when a run evaluates.
func iterationsOf(points []solve.Point) []int {
	var list []int
	for _, p := range points {
		list = append(list, p.Iteration)
	}
	return list
}

func TestRunsEvaluateOnSchedule(t *testing.T) {
	tree := build(t, "kuhn")
	for _, c := range []struct {
		schedule solve.Schedule
		want     []int
	}{
		{solve.Schedule{Iterations: 1}, []int{1}},
		{solve.Schedule{Iterations: 7, Every: 3}, []int{3, 6, 7}},
		{solve.Schedule{Iterations: 120}, []int{1, 2, 5, 10, 20, 50, 100, 120}},
	} {
		var told []solve.Point
		policy, points, err := solve.Run(context.Background(), tree, solve.Default(solve.CFR), c.schedule, func(p solve.Point) { told = append(told, p) })
		if err != nil {
			t.Fatal(err)
		}
		if got := iterationsOf(points); !slices.Equal(got, c.want) || !slices.Equal(iterationsOf(told), c.want) {
			t.Errorf("%+v: evaluated after %v and told of %v, want %v", c.schedule, got, iterationsOf(told), c.want)
		}
		last := points[len(points)-1]
		near(t, "exploitability of the policy returned", tree.Evaluate(policy).Exploitability, last.Exploitability)
		if last.Time <= 0 || last.Time < points[0].Time {
			t.Errorf("times go from %v to %v", points[0].Time, last.Time)
		}
	}
}

func TestRunsStop(t *testing.T) {
	for _, a := range solve.Algorithms() {
		ctx, cancel := context.WithCancel(context.Background())
		told := 0
		_, _, err := solve.Run(ctx, build(t, "kuhn"), solve.Default(a), solve.Schedule{Iterations: 1 << 40, Every: 1000}, func(solve.Point) {
			told++
			cancel()
		})
		if !errors.Is(err, context.Canceled) || told != 1 {
			t.Errorf("%s: error is %v after %d evaluations, want that the context has ended after 1", a, err, told)
		}
	}
	for _, s := range []solve.Schedule{{}, {Iterations: 1, Every: -1}} {
		if _, _, err := solve.Run(context.Background(), build(t, "kuhn"), solve.Default(solve.CFR), s, nil); err == nil {
			t.Errorf("%+v is run", s)
		}
	}
}

func TestPlots(t *testing.T) {
	dir := t.TempDir()
	_, points, err := solve.Run(context.Background(), build(t, "kuhn"), solve.Default(solve.CFRPlus), solve.Schedule{Iterations: 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, silent, err := solve.Run(context.Background(), buildGame(t, oddOneOut()), solve.Default(solve.CFR), solve.Schedule{Iterations: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		points []solve.Point
		begins string
	}{
		"curve.png":  {points, "\x89PNG"},
		"curve.SVG":  {points, "<?xml"},
		"curve.pdf":  {points, "%PDF"},
		"single.png": {points[:1], "\x89PNG"},
		"zero.png":   {silent, "\x89PNG"}, // an equilibrium from the start
	} {
		path := filepath.Join(dir, name)
		if err := solve.WritePlot(path, "kuhn", c.points); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), c.begins) {
			t.Errorf("%s begins with %.8q, error %v, want %q", name, data, err, c.begins)
		}
	}
	if err := solve.WritePlot(filepath.Join(dir, "curve.doc"), "kuhn", points); err == nil ||
		!strings.Contains(err.Error(), "must end in one of .png, .svg, .pdf") {
		t.Errorf("error is %v, want the kinds of files", err)
	}
	if err := solve.WritePlot(filepath.Join(dir, "none.png"), "kuhn", nil); err == nil {
		t.Error("nothing is drawn")
	}
}
