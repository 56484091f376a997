package svg

// Terrain is a kind of ground that reads as such: a pattern of small signs that is laid over its colour.
type Terrain uint8

// The kinds of terrain.
const (
	Wood  Terrain = iota // broad-leaved trees
	Fir                  // conifers
	Hill                 // peaks
	Dune                 // sand
	Grass                // tufts
	Wave                 // water
	terrains
)

// signs are the signs of a tile of 48 by 40 of each terrain, as strokes.
var signs = [terrains]struct{ name, path string }{
	{"wood", "M12 17v-4M8 13a4 4 0 1 1 8 0zM36 37v-4M32 33a4 4 0 1 1 8 0z"},
	{"fir", "M12 18v-3M8 15h8l-4-8zM36 38v-3M32 35h8l-4-8z"},
	{"hill", "M4 18l7-10 4 6 2-3 5 7M28 38l7-10 4 6 2-3 5 7"},
	{"dune", "M5 14q5-5 10 0t10 0M29 34q5-5 10 0t10 0M38 12h.1M12 33h.1"},
	{"grass", "M10 16l-2-5M12 16v-6M14 16l2-5M34 36l-2-5M36 36v-6M38 36l2-5"},
	{"wave", "M4 12q4-4 8 0t8 0M28 32q4-4 8 0t8 0"},
}

// Terrain returns the class that fills with the signs of a terrain, which let through what lies beneath: it is
// laid over a shape that is drawn in the ground's colour.
func (d *Doc) Terrain(t Terrain) string {
	sign := signs[t]
	if d.terrains&(1<<t) == 0 {
		d.terrains |= 1 << t
		d.Open("defs")
		d.Open("pattern", Attr{"id", "pk-ground-" + sign.name}, Attr{"width", "48"}, Attr{"height", "40"}, Attr{"patternUnits", "userSpaceOnUse"})
		d.start("path")
		d.attr("d", sign.path)
		d.end("none k-edge w1 round faint")
		d.Close()
		d.Close()
	}
	return "g-" + sign.name
}
