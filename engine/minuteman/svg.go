package minuteman

import (
	"bytes"
	"fmt"
)

// Colours of the ground on the map, by terrain.
var groundColours = [numTerrains]string{"#f3efdc", "#dfe8c8", "#cfe0ea", "#ecd9b4"}

// SVG draws the situation as a picture: a hexagon for every hex in play with its
// ground, its centre, Riots and Unrests, and the units in short. It works on views,
// and shows what they show.
func (s *View) SVG() []byte {
	const width, height = 36, 42 // of a column, of a row
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">`+"\n", 51*width, 35*height)
	for h := s.G.playable.next(0); h != noHex; h = s.G.playable.next(h + 1) {
		x := &s.G.hexes[h]
		cx, cy := int(x.col)*width, int(x.row)*height-int(x.col)&1*height/2
		fmt.Fprintf(&b, `<g id="h%s"><polygon points="%d,%d %d,%d %d,%d %d,%d %d,%d %d,%d" fill="%s" stroke="#999"/>`,
			x.id, cx-24, cy, cx-12, cy-21, cx+12, cy-21, cx+24, cy, cx+12, cy+21, cx-12, cy+21, groundColours[x.terrain])
		if x.pop > 0 {
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="%d" fill="none" stroke="#555"/>`, cx, cy-8, 10-2*int(x.pop))
		}
		switch {
		case s.G.riotAt(&s.P, h):
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="7" fill="#d33"/>`, cx, cy-8)
		case s.P.Unrest.has(h):
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="7" fill="#e90"/>`, cx, cy-8)
		}
		if c := s.cell(h); s.P.Head[h] != noUnit || s.G.informerAt(&s.P, h) {
			fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="16" text-anchor="middle">%c%c</text>`, cx, cy+14, c[0], c[1])
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="7" text-anchor="middle" fill="#777">%s</text>`, cx, cy-14, x.id)
		fmt.Fprintf(&b, "<title>%s %s</title></g>\n", x.id, x.name)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
