package minuteman

// grid is a set of hexes as the map is printed: a word a column, a bit a row. Whole
// columns take a step together.
type grid [lastColumn + 2]uint64

// Directions of hex.near.
const (
	north = iota
	northEast
	southEast
	south
	southWest
	northWest
)

// grid draws a set of hexes.
func (b *board) grid(set *hexSet) (drawn grid) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			x := &b.hexes[i<<6+trailing(w)]
			drawn[x.col] |= 1 << x.row
		}
	}
	return drawn
}

// cut takes a hex and its neighbours over passable sides out of a set.
func (s *grid) cut(x *hex) {
	w := s[x.col-1:][:3]
	w[0] &^= x.cells[0]
	w[1] &^= x.cells[1]
	w[2] &^= x.cells[2]
}

// join adds a hex and its neighbours over passable sides.
func (s *grid) join(x *hex) {
	w := s[x.col-1:][:3]
	w[0] |= x.cells[0]
	w[1] |= x.cells[1]
	w[2] |= x.cells[2]
}

// flood adds to seen all hexes of way that lines through it reach over passable
// sides. It sweeps over the columns to and fro until a sweep finds nothing.
func (b *board) flood(seen, way *grid) {
	west, east := 1, lastColumn
	for west < east && way[west] == 0 {
		west++
	}
	for changed := true; changed; {
		changed = false
		for c := west; c <= east; c++ {
			changed = b.floodColumn(seen, way, c) || changed
		}
		for c := east; c >= west; c-- {
			changed = b.floodColumn(seen, way, c) || changed
		}
	}
}

// across returns what of a column lies beside a set's hexes in the columns next to it, over
// passable sides. Even columns lie half a hex lower: the same row is north of theirs.
func (b *board) across(set *grid, c int) uint64 {
	west, east := set[c-1], set[c+1]
	up, down := west, west>>1
	upEast, downEast := east, east>>1
	if c&1 == 1 {
		up, down, upEast, downEast = west<<1, west, east<<1, east
	}
	return up&b.enter[northWest][c] | down&b.enter[southWest][c] | upEast&b.enter[northEast][c] | downEast&b.enter[southEast][c]
}

// beside sets the columns from west to east of dst to what lies beside the hexes of a set, in the
// same column too.
func (b *board) beside(dst, set *grid, west, east int) {
	for c := west; c <= east; c++ {
		dst[c] = b.across(set, c) | set[c]<<1&b.enter[north][c] | set[c]>>1&b.enter[south][c]
	}
}

// floodColumn takes the steps into one column and within it.
func (b *board) floodColumn(seen, way *grid, c int) bool {
	now := seen[c] | way[c]&b.across(seen, c)
	for {
		more := now | way[c]&(now<<1&b.enter[north][c]|now>>1&b.enter[south][c])
		if more == now {
			break
		}
		now = more
	}
	changed := now != seen[c]
	seen[c] = now
	return changed
}
