package eval

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"powderkeg/train/figure"
)

// Payoffs returns the matrix of mean returns, [k][k]: entry i, j is what
// contestant i gained in its games against j. Entries of contestants that did
// not meet, and those on the diagonal, are NaN.
func (r *Result) Payoffs() [][]float64 {
	index := make(map[string]int, len(r.Agents))
	matrix := make([][]float64, len(r.Agents))
	for i, a := range r.Agents {
		index[a.Name] = i
		matrix[i] = slices.Repeat([]float64{math.NaN()}, len(r.Agents))
	}
	for _, p := range r.Pairs {
		a, b := index[p.A], index[p.B]
		matrix[a][b], matrix[b][a] = p.ReturnA, p.ReturnB
	}
	return matrix
}

// cell is an entry of the matrix as text.
func cell(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%+.2f", x)
}

// WriteMatrix prints the matrix of mean returns as text.
func (r *Result) WriteMatrix(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "mean return of the row against the column\t")
	for i := range r.Agents {
		fmt.Fprintf(t, "%d\t", i+1)
	}
	fmt.Fprintln(t)
	for i, row := range r.Payoffs() {
		fmt.Fprintf(t, "%d %s\t", i+1, r.Agents[i].Name)
		for _, x := range row {
			fmt.Fprintf(t, "%s\t", cell(x))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// MatrixMarkdown returns the matrix of mean returns as a table in Markdown.
func (r *Result) MatrixMarkdown() string {
	var b strings.Builder
	b.WriteString("| |")
	for i := range r.Agents {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(r.Agents)) + "|\n")
	for i, row := range r.Payoffs() {
		fmt.Fprintf(&b, "| %d %s |", i+1, r.Agents[i].Name)
		for _, x := range row {
			fmt.Fprintf(&b, " %s |", cell(x))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// WriteHeatMap draws the matrix of mean returns as a picture in the format that the
// extension of the file chooses: png, svg or pdf. Blue are losses and red gains; the scale is
// the same on both sides of 0.
func (r *Result) WriteHeatMap(path string) error {
	k := len(r.Agents)
	g := grid{r.Payoffs()}
	largest := 0.0
	for _, row := range g.payoffs {
		for _, x := range row {
			if !math.IsNaN(x) {
				largest = max(largest, math.Abs(x))
			}
		}
	}
	if largest == 0 {
		largest = 1
	}
	const shades = 255
	m := plotter.NewHeatMap(g, moreland.SmoothBlueRed().Palette(shades))
	m.Min, m.Max = -largest, largest
	m.NaN = color.Gray{Y: 230}

	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: mean return of the row against the column", r.Game)
	p.Add(m)
	labels, err := plotter.NewLabels(g.labels())
	if err != nil {
		return err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = text.XCenter, text.YCenter
	}
	p.Add(labels)
	names := make([]string, k)
	upward := make([]string, k) // the first row is the top one
	for i, a := range r.Agents {
		names[i], upward[k-1-i] = a.Name, a.Name
	}
	p.NominalX(names...)
	p.NominalY(upward...)
	p.X.Tick.Label.Rotation = math.Pi / 6
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YTop
	side := vg.Length(k)*0.6*vg.Inch + 2.5*vg.Inch
	if err := figure.Save(p, side, side, path); err != nil {
		return fmt.Errorf("heat map %s: %w", path, err)
	}
	return nil
}

// grid shows a matrix to a plotter, its first row at the top.
type grid struct{ payoffs [][]float64 }

func (g grid) Dims() (c, r int)   { return len(g.payoffs), len(g.payoffs) }
func (g grid) X(c int) float64    { return float64(c) }
func (g grid) Y(r int) float64    { return float64(r) }
func (g grid) Z(c, r int) float64 { return g.payoffs[len(g.payoffs)-1-r][c] }

func (g grid) labels() plotter.XYLabels {
	var l plotter.XYLabels
	for r := range g.payoffs {
		for c := range g.payoffs {
			l.XYs = append(l.XYs, plotter.XY{X: float64(c), Y: float64(r)})
			l.Labels = append(l.Labels, cell(g.Z(c, r)))
		}
	}
	return l
}
