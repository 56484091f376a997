package domination

import "strings"

// BorderNames implements engine.Mapper: the map is printed and the same for all.
func (s *View) BorderNames(area string) (name string, borders []string, ok bool) {
	for i := range s.G.box.Areas {
		own := &s.G.box.Areas[i]
		if !strings.EqualFold(own.ID, area) && !strings.EqualFold(own.Name, area) {
			continue
		}
		for k := range own.Adjacent.Each() {
			borders = append(borders, s.G.box.Areas[k].Name)
		}
		return own.Name, borders, true
	}
	return "", nil, false
}
