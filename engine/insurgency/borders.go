package insurgency

import "strings"

// BorderNames implements engine.Mapper and R4.1: the map is printed and the same for all.
func (s *View) BorderNames(space string) (name string, borders []string, ok bool) {
	for i := range s.G.box.spaces {
		own := &s.G.box.spaces[i]
		if !strings.EqualFold(own.id, space) && !strings.EqualFold(own.name, space) {
			continue
		}
		for k := range s.G.box.spaces {
			if own.adjacent.Has(SpaceID(k)) {
				borders = append(borders, s.G.box.spaces[k].name)
			}
		}
		return own.name, borders, true
	}
	return "", nil, false
}
