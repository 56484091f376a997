package minuteman

const (
	maxPoints   = 10 // the greatest movement allowance
	hexesAbroad = 2  // of a US Militia in Canada and Mexico (R29.3)
)

// pointsOf returns the movement points of a unit that moves hex by hex, and
// whether it pays for terrain (R9).
// Ruling 18: a centre costs its terrain.
func (g *game) pointsOf(u UnitID) (points int, terrain bool) {
	k := g.kind[u]
	return int(g.allowance[k]), k == militia || k == army
}

// homeOf returns the country that a Brigade or a Militia of Canada or Mexico does
// not leave until US forces have entered it (R29.2), and whether there is one.
func (g *game) homeOf(p *Position, u UnitID) (country, bool) {
	if !g.Neighbours || g.kind[u] != militia && g.kind[u] != army {
		return us, false
	}
	home := us
	switch g.groupOf(p, u) {
	case canadianMilitia, canadianBrigade:
		home = canada
	case mexicanMilitia, mexicanBrigade:
		home = mexico
	}
	return home, home != us && p.Sides[home] == 0
}

// mayEnter implements R3.1, R17.3, R28.6 and R29.2: whether a unit may stand in a
// hex or pass it, zones apart.
func (g *game) mayEnter(p *Position, u UnitID, h HexID) bool {
	if !g.open.has(h) || !g.fits(p, u, h) {
		return false
	}
	if home, tied := g.homeOf(p, u); tied && g.hexes[h].country != home {
		return false
	}
	return p.Fed == noSeat || !g.barred(p, u, h)
}

// barred implements R28.6: other Rebels do not enter or pass hexes with a Militia
// of the federalized one.
func (g *game) barred(p *Position, u UnitID, h HexID) bool {
	if o := g.owner(p, u); o == p.Fed || o == p.Gov {
		return false
	}
	for v := p.Head[h]; v != noUnit; v = p.Units[v].Next {
		if g.kind[v] == militia && g.owner(p, v) == p.Fed {
			return true
		}
	}
	return false
}

// canStep reports whether a unit that moves hex by hex has a destination: one of its
// neighbours (R4.3, R17.3).
func (g *game) canStep(p *Position, u UnitID) bool {
	h, enemy := p.Units[u].Hex, p.team(g.owner(p, u)).other()
	held := g.controlled(p, enemy, h, noHex)
	for _, n := range g.hexes[h].near {
		if n != noHex && g.mayEnter(p, u, n) && !(held && g.controlled(p, enemy, n, noHex)) {
			return true
		}
	}
	return false
}

// countsAbroad implements R29.3: whether a unit is a Militia of the US where Canada and
// Mexico are in play, which counts the hexes that it enters there.
func (g *game) countsAbroad(u UnitID) bool {
	return g.Neighbours && g.kind[u] == militia && g.colour[u] > 0
}

// abroad implements R29.3: whether a unit pays one point for a hex whatever its ground,
// since that hex or the one where it began lies abroad.
func (g *game) abroad(p *Position, u UnitID, h HexID) bool {
	return g.countsAbroad(u) && (g.hexes[h].country != us || g.hexes[p.Units[u].Hex].country != us)
}

// layers of a search: the hexes entered abroad so far (R29.3).
const layers = hexesAbroad + 1

// foundRows is how many numbers of points left are under way together.
const foundRows = maxCost + 1

// search looks for the hexes where a unit may end its move, a whole column of the map at a time.
type search struct {
	unit    UnitID
	counted bool                    // hexes entered abroad are limited
	abroad  bool                    // all hexes are, since it began there
	costs   *[maxCost + 1]grid      // hexes by what the unit pays for them
	dearest int                     // the highest of them
	enemy   grid                    // the zone that stops it
	free    grid                    // hexes that it may enter
	doubt   grid                    // occupied ones, as long as nothing asked for them
	front   grid                    // hexes that are gone on from together
	next    grid                    // what lies beside them
	found   [layers][foundRows]grid // by points left on entering, modulo their number; not only the most
	done    [layers]grid            // those found with more points left
}

// reach implements R4.3, R8.4, R8.5, R9 and R17.2: the hexes where a move of the
// unit may end. A hex controlled by the enemy ends the move; from one, the first
// hex entered must be free. Hexes are taken in the order of the points left, which
// every step lowers, so that none is gone on from twice in a layer.
func (g *game) reach(p *Position, u UnitID) hexSet {
	from := p.Units[u].Hex
	at := &g.hexes[from]
	points, terrain := g.pointsOf(u)
	s := search{unit: u, costs: &g.costSet[noTerrain], dearest: 1}
	if terrain {
		s.costs, s.dearest = &g.costSet[b2u(p.isWinter())], maxCost
	}
	deep := 1
	if s.counted = g.countsAbroad(u); s.counted {
		s.abroad, deep = at.country != us, layers
	}
	centres := g.centres(p, p.team(g.owner(p, u)).other())
	for i, w := range centres {
		for ; w != 0; w &= w - 1 {
			s.enemy.join(&g.hexes[i<<6+trailing(w)])
		}
	}
	s.free, s.doubt = g.way, g.grid(&p.Occupied)
	home, tied := g.homeOf(p, u)
	for c := range s.free {
		taken := s.doubt[c]
		s.doubt[c] &= s.free[c]
		if s.free[c] &^= taken; tied {
			s.free[c] &= g.countries[home][c]
		}
	}
	col := int(at.col)
	s.done[0][col], s.front[col] = 1<<at.row, 1<<at.row
	g.goOn(p, &s, col, col, 0, points, s.enemy[col]>>at.row&1 != 0)
	for left := points - 1; left >= 0; left-- {
		west, east := max(1, col-points+left), min(lastColumn, col+points-left) // no hex costs less than a point
		for layer := range deep {
			found, done := &s.found[layer][left%foundRows], &s.done[layer]
			first, last := lastColumn, 0 // columns of the front
			for c := west; c <= east; c++ {
				fresh := found[c] &^ done[c]
				found[c] = 0
				done[c] |= fresh
				if s.front[c] = fresh &^ s.enemy[c]; s.front[c] != 0 {
					first, last = min(first, c), c
				}
			}
			if last > 0 && left > 0 {
				g.goOn(p, &s, first, last, layer, left, false)
			}
		}
	}
	var ends hexSet
	for c := range s.done[0] {
		w := s.done[0][c]
		for _, more := range s.done[1:deep] {
			w |= more[c]
		}
		for w != 0 { // hexes below each other follow each other in the list, too
			row := trailing(w)
			run := uint64(1)<<trailing(^(w>>row)) - 1
			w &^= run << row
			ends.addBits(int(g.at[c][row]), run)
		}
	}
	ends.del(from)
	return ends
}

// goOn finds the neighbours of the hexes in front, which lie in the columns from west to east,
// that the unit can enter; out of the enemy's zone they must not be in it either.
func (g *game) goOn(p *Position, s *search, west, east, layer, left int, held bool) {
	west, east = max(1, west-1), min(lastColumn, east+1)
	g.beside(&s.next, &s.front, west, east)
	for c := west; c <= east; c++ {
		w := s.next[c] & (s.free[c] | s.doubt[c])
		if held {
			w &^= s.enemy[c]
		}
		for d := w & s.doubt[c]; d != 0; d &= d - 1 {
			bit := d & -d
			s.doubt[c] &^= bit
			if g.mayEnter(p, s.unit, g.at[c][trailing(d)]) {
				s.free[c] |= bit
			} else {
				w &^= bit
			}
		}
		if s.counted {
			across := w
			if !s.abroad {
				across &^= g.countries[us][c]
			}
			if w &^= across; layer+1 < layers && left > 0 { // a point each (Ruling 49)
				s.found[layer+1][uint(left-1)%foundRows][c] |= across
			}
		}
		s.next[c] = w
	}
	for cost := 1; cost <= min(left, s.dearest); cost++ {
		found, costs := s.found[layer][uint(left-cost)%foundRows][west:east+1], s.costs[cost][west:east+1]
		for i, w := range s.next[west : east+1] {
			found[i] |= w & costs[i]
		}
	}
}

// prices implements R8.3, R25.9, R26.7 and R28.6: what a Minuteman of a seat pays for
// entering each hex before the Revolution, the highest of what applies. The Zones of his
// own side cost nothing.
// Ruling 3: 5 in an Army's Zone.
// an Agent costs a federalized Rebel too.
func (g *game) prices(p *Position, seat SeatID, price *[numHexes]uint8) {
	list, side := &g.tables.prices[g.priceList], p.team(seat)
	for h := range price {
		price[h] = list[3]
	}
	raise := func(h HexID, n uint8) { price[h] = max(price[h], n) }
	zone := func(u UnitID, n uint8) {
		h := p.Units[u].Hex
		raise(h, n)
		for _, x := range g.hexes[h].near {
			if x != noHex {
				raise(x, n)
			}
		}
	}
	for u := p.OnMap.next(armyFirst); u != noUnit; u = p.OnMap.next(u + 1) {
		x := &p.Units[u]
		switch hostile := p.team(g.owner(p, u)) != side; {
		case g.kind[u] == agent:
			raise(x.Hex, list[2])
		case hostile && g.kind[u] == army:
			zone(u, list[0])
		case hostile:
			zone(u, list[1])
		}
	}
}

// A path's length is its price and, among equal prices, its number of hexes.
const (
	pathHex  = 1
	pathCost = 1 << 12
	pathNone = ^uint32(0)
)

// lengths finds the length of the best path between a hex and every other hex:
// with toward set from each hex to it, otherwise from it to each. The first hex
// of a path is free, the last is paid.
func (g *game) lengths(p *Position, u UnitID, at HexID, price *[numHexes]uint8, toward bool, length *[numHexes]uint32) {
	for h := range length {
		length[h] = pathNone
	}
	var queue [1024]HexID
	var waiting hexSet
	head, tail := 0, 1
	queue[0] = at
	length[at] = 0
	for head != tail {
		h := queue[head&1023]
		head++
		waiting.del(h)
		for _, n := range g.hexes[h].near {
			if n == noHex || !g.open.has(n) || p.Fed != noSeat && n != p.Units[u].Hex && g.barred(p, u, n) {
				continue // where it stands it may be, even beside his Militia
			}
			paid := n
			if toward {
				paid = h
			}
			l := length[h] + uint32(price[paid])*pathCost + pathHex
			if l >= length[n] {
				continue
			}
			length[n] = l
			if !waiting.has(n) {
				waiting.add(n)
				queue[tail&1023] = n
				tail++
			}
		}
	}
}

// path implements R8.3: the hexes that a Minuteman enters on its way, in order, by
// the path of least price, then fewest hexes, then least hex numbers. It returns
// their number, and the price.
// Ruling 37: the cheapest path, ties fixed.
func (g *game) path(p *Position, u UnitID, dest HexID, hexes *[numHexes]HexID) (n int, price int) {
	var prices [numHexes]uint8
	var length [numHexes]uint32
	g.prices(p, g.owner(p, u), &prices)
	g.lengths(p, u, dest, &prices, true, &length)
	h := p.Units[u].Hex
	price = int(length[h] / pathCost)
	for h != dest {
		best := noHex
		for _, x := range g.hexes[h].near {
			if x != noHex && g.open.has(x) && length[x] != pathNone &&
				length[x]+uint32(prices[x])*pathCost+pathHex == length[h] && (best == noHex || x < best) {
				best = x
			}
		}
		h = best
		hexes[n] = h
		n++
	}
	return n, price
}

// mmTargets returns where a Minuteman may go before the Revolution: every playable
// hex with room that can be reached.
func (g *game) mmTargets(p *Position, u UnitID) hexSet {
	set := g.open
	full := g.crowded(p, minuteman)
	set.remove(&full)
	set.del(p.Units[u].Hex)
	if p.Fed != noSeat { // R28.6: hexes may be cut off
		var price [numHexes]uint8
		var length [numHexes]uint32
		g.lengths(p, u, p.Units[u].Hex, &price, false, &length)
		for h := set.next(0); h != noHex; h = set.next(h + 1) {
			if length[h] == pathNone {
				set.del(h)
			}
		}
	}
	return set
}

// crowded returns the hexes where no further unit of a kind fits; for an Army those
// of the Government's.
func (g *game) crowded(p *Position, k kind) hexSet {
	var set hexSet
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		if g.roomFor(p, k, false, h) == 0 {
			set.add(h)
		}
	}
	return set
}
