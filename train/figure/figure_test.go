package figure_test

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"powderkeg/train/figure"
)

// rising draws a curve with a band to the last number of its axis.
func rising(t *testing.T, path string, legend func(*plot.Legend)) {
	t.Helper()
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "title", "x", "y"
	line := plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 2}, {X: 2, Y: 4}}
	low, high := plotter.XYs{{X: 0, Y: 0}, {X: 2, Y: 3}}, plotter.XYs{{X: 0, Y: 2}, {X: 2, Y: 5}}
	if err := figure.AddCurve(p, 0, "a curve", line, low, high); err != nil {
		t.Fatal(err)
	}
	if err := figure.AddCurve(p, 1, "one without a band", line, nil, nil); err != nil {
		t.Fatal(err)
	}
	legend(&p.Legend)
	if err := figure.Save(p, figure.Width, figure.Height, path); err != nil {
		t.Fatal(err)
	}
}

// TestMarginsAreFree wherever the legend is: curves, axes and words keep away from the edges.
func TestMarginsAreFree(t *testing.T) {
	for name, legend := range map[string]func(*plot.Legend){
		"right":    func(*plot.Legend) {},
		"top left": func(l *plot.Legend) { l.Top, l.Left = true, true },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "curve.png")
			rising(t, path, legend)
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			picture, err := png.Decode(f)
			if err != nil {
				t.Fatal(err)
			}
			inner := picture.Bounds().Inset(6)
			inked := 0
			for y := range picture.Bounds().Dy() {
				for x := range picture.Bounds().Dx() {
					white := color.GrayModel.Convert(picture.At(x, y)) == color.Gray{Y: 255}
					switch in := (image.Point{X: x, Y: y}).In(inner); {
					case white:
					case in:
						inked++
					default:
						t.Fatalf("ink at %d, %d of a picture of %v", x, y, picture.Bounds())
					}
				}
			}
			if inked < 5000 {
				t.Errorf("%d pixels of ink, want a picture", inked)
			}
		})
	}
}

func TestFormatsByName(t *testing.T) {
	for name, starts := range map[string]string{"a.svg": "<?xml", "a.PDF": "%PDF", "a.png": "\x89PNG"} {
		path := filepath.Join(t.TempDir(), name)
		rising(t, path, func(*plot.Legend) {})
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), starts) {
			t.Errorf("%s begins with %q, want %q", name, text[:8], starts)
		}
	}
}

func TestFaultsAreNamed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "a.gif"), "gif"},
		{filepath.Join(dir, "a"), filepath.Join(dir, "a")},
		{filepath.Join(dir, "none", "a.png"), "no such file or directory"},
	} {
		if err := figure.Save(plot.New(), figure.Width, figure.Height, c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.path, err, c.want)
		}
	}
	hole := plotter.XYs{{X: 1, Y: math.NaN()}}
	if err := figure.AddCurve(plot.New(), 0, "loss", hole, nil, nil); err == nil || !strings.Contains(err.Error(), "loss") {
		t.Errorf("a curve of no number: got %v, want an error that names it", err)
	}
}
