package bloc

import (
	"strconv"
	"strings"
)

// BorderNames implements engine.Mapper and R3.4: a district by its name, or by its cell, such
// as CELL_7, cell 7 or 7. Districts border those to which a street or a highway leads.
func (s *View) BorderNames(district string) (name string, borders []string, ok bool) {
	digits := strings.TrimLeft(strings.ToLower(district), "cel_ ")
	n, err := strconv.Atoi(digits)
	for c := range CellID(Cells) {
		if !s.P.Districts.Has(c) || !strings.EqualFold(s.TileName(c), district) && (err != nil || CellID(n) != c) {
			continue
		}
		for far := range CellID(Cells) {
			if s.P.Near[c].Has(far) {
				borders = append(borders, s.TileName(far))
			}
		}
		return s.TileName(c), borders, true
	}
	return "", nil, false
}
