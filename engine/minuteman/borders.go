package minuteman

import "strings"

// BorderNames implements engine.Mapper and R1.2: a hex by its number, or by the name of its
// centre of population. Sides that nobody passes are no borders (R4.3).
func (s *View) BorderNames(hex string) (name string, borders []string, ok bool) {
	for i := range s.G.box.hexes {
		own := &s.G.box.hexes[i]
		if own.id != hex && (own.name == "" || !strings.EqualFold(own.name, hex)) {
			continue
		}
		for _, h := range own.near {
			if h != noHex {
				borders = append(borders, s.G.box.hexes[h].title())
			}
		}
		return own.title(), borders, true
	}
	return "", nil, false
}

// title is the number of a hex, and the name of its centre of population.
func (x *hex) title() string { return strings.TrimSpace(x.id + " " + x.name) }
