// Package figure draws curves with bands around them and saves pictures, which look the
// same whatever part of the trainer draws them.
package figure

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The size of curves.
const (
	Width  = 7 * vg.Inch
	Height = 4 * vg.Inch
)

// margin is left free around a picture: plots go to the edge of what they are drawn on.
var margin = vg.Points(6)

// inks are the colours of Okabe and Ito (Color Universal Design, 2008), which people with any kind
// of colour blindness tell apart, without their yellow, which is hard to see on white.
var inks = []color.Color{
	color.NRGBA{0x00, 0x72, 0xb2, 0xff}, // blue
	color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	color.NRGBA{0x00, 0x9e, 0x73, 0xff}, // bluish green
	color.NRGBA{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	color.NRGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
	color.NRGBA{0x00, 0x00, 0x00, 0xff},
	color.NRGBA{0x56, 0xb4, 0xe9, 0xff}, // sky blue
}

// dashes tell curves apart without any colour. There are not as many as inks, and no divisor is
// common, so that 35 curves differ.
var dashes = [][]vg.Length{
	nil, {vg.Points(7), vg.Points(3)}, {vg.Points(2), vg.Points(2)},
	{vg.Points(9), vg.Points(3), vg.Points(2), vg.Points(3)}, {vg.Points(5), vg.Points(2), vg.Points(1), vg.Points(2), vg.Points(1), vg.Points(2)},
}

// Ink is the colour of the curve or point of a number from 0 on.
func Ink(number int) color.Color { return inks[number%len(inks)] }

// AddCurve draws a line, and a band of the line's colour from low to high unless they are
// nil, and names it in the legend. The number, from 0 on, decides the colour and the dashes.
func AddCurve(p *plot.Plot, number int, name string, line, low, high plotter.XYs) error {
	ink := Ink(number)
	if low != nil {
		ring := slices.Concat(low, high)
		slices.Reverse(ring[len(low):])
		band, err := plotter.NewPolygon(ring)
		if err != nil {
			return fmt.Errorf("figure: band of %s: %w", name, err)
		}
		r, g, b, _ := ink.RGBA()
		band.Color = color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 48}
		band.LineStyle.Width = 0
		p.Add(band)
	}
	curve, err := plotter.NewLine(line)
	if err != nil {
		return fmt.Errorf("figure: %s: %w", name, err)
	}
	curve.Color, curve.Width, curve.Dashes = ink, vg.Points(1.5), dashes[number%len(dashes)]
	p.Add(curve)
	p.Legend.Add(name, curve)
	return nil
}

// Save writes a picture as a PNG, SVG or PDF file by the end of its name, with a margin, and
// the legend a little away from the axes.
func Save(p *plot.Plot, width, height vg.Length, path string) error {
	p.Legend.Padding = vg.Points(2)
	p.Legend.ThumbnailWidth = vg.Points(32) // a whole pattern of dashes
	p.Legend.XOffs, p.Legend.YOffs = -margin, margin
	if p.Legend.Left {
		p.Legend.XOffs = margin
	}
	if p.Legend.Top {
		p.Legend.YOffs = -margin
	}
	canvas, err := draw.NewFormattedCanvas(width, height, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
	if err != nil {
		return fmt.Errorf("figure: %s: %w", path, err)
	}
	whole := draw.New(canvas)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	p.Draw(draw.Crop(whole, margin, -margin, margin, -margin))
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	if _, err := canvas.WriteTo(f); err != nil {
		_ = f.Close() // what could not be written is the fault to tell of
		return fmt.Errorf("figure: %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	return nil
}
