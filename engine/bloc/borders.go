package bloc

import (
	"strconv"
	"strings"
)

// BorderNames implements engine.Mapper and R3.4: a district by its name, or by its cell, such
// as CELL_7, cell 7 or 7. Districts border those to which a street or a highway leads.
func (b Board) BorderNames(district string) (name string, borders []string, ok bool) {
	digits := strings.TrimLeft(strings.ToLower(district), "cel_ ")
	n, err := strconv.Atoi(digits)
	for c := range CellID(Cells) {
		if !b.Districts.Has(c) || !strings.EqualFold(b.TileName(c), district) && (err != nil || CellID(n) != c) {
			continue
		}
		for far := range CellID(Cells) {
			if b.Near[c].Has(far) {
				borders = append(borders, b.TileName(far))
			}
		}
		return b.TileName(c), borders, true
	}
	return "", nil, false
}
