package figure_test

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// TestCurvesAreToldApart by colour and by dashes: no two of 35 have both, and the colours differ in
// lightness or hue for people without red, green or blue cones.
func TestCurvesAreToldApart(t *testing.T) {
	seen := map[string]int{}
	var inks []color.Color
	for i := range 35 {
		p := plot.New()
		if err := figure.AddCurve(p, i, "a", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, nil, nil); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "a.svg")
		p.HideAxes()
		p.Legend = plot.NewLegend()
		if err := figure.Save(p, figure.Width, figure.Height, path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[string(text)]; ok {
			t.Errorf("curves %d and %d look alike", other, i)
		}
		seen[string(text)] = i
		if !slices.Contains(inks, figure.Ink(i)) {
			inks = append(inks, figure.Ink(i))
		}
	}
	if len(inks) < 7 {
		t.Fatalf("%d colours, want 7", len(inks))
	}
	for i, a := range inks {
		if contrast := 1.05 / (luminance(linear(a)) + 0.05); contrast < 2 {
			t.Errorf("colour %d has a contrast of %.2f with white", i, contrast)
		}
		for j, b := range inks[:i] {
			for name, m := range blind {
				if d := distance(see(m, linear(a)), see(m, linear(b))); d < 0.08 {
					t.Errorf("%s: colours %d and %d are %.3f apart", name, j, i, d)
				}
			}
		}
	}
}

// blind are the matrices of Machado, Oliveira and Fernandes (2009) for full colour blindness, in
// linear RGB.
var blind = map[string][3][3]float64{
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func linear(c color.Color) (out [3]float64) {
	r, g, b, _ := c.RGBA()
	for i, v := range []uint32{r, g, b} {
		if x := float64(v) / 0xffff; x <= 0.04045 {
			out[i] = x / 12.92
		} else {
			out[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return out
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func see(m [3][3]float64, c [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = m[i][0]*c[0] + m[i][1]*c[1] + m[i][2]*c[2]
	}
	return out
}

// distance is Euclid's, of what is about as far apart as it looks.
func distance(a, b [3]float64) (sum float64) {
	for i := range a {
		d := math.Cbrt(max(a[i], 0)) - math.Cbrt(max(b[i], 0))
		sum += d * d
	}
	return math.Sqrt(sum)
}
