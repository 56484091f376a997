package minuteman

// Printed returns the number that is printed in a hex, such as "3015", and its name, "" for
// most.
func (s *View) Printed(h int) (number, name string) {
	x := &s.G.hexes[h]
	return x.id, x.name
}

// Seasons returns the names of the seasons, in the order of the Game-Turns of a year.
func (s *View) Seasons() [4]string { return s.G.Season.Order }

// MarkerNames returns the names of the special markers, as hands number them.
func MarkerNames() []string { return markerNames[:] }
