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
// neighbours (R4.3, R17.3). enemy is the other team's zone.
func (g *game) canStep(p *Position, u UnitID, enemy *hexSet) bool {
	h := p.Units[u].Hex
	held := enemy.has(h)
	for _, n := range g.hexes[h].near {
		if n != noHex && !(held && enemy.has(n)) && g.mayEnter(p, u, n) {
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

// search looks for the hexes where a unit may end its move.
type search struct {
	unit    UnitID
	counted bool                          // hexes entered abroad are limited
	abroad  bool                          // all hexes are, since it began there
	costs   *[maxCost + 1]hexSet          // hexes by what the unit pays for them
	enemy   hexSet                        // the zone that stops it
	free    hexSet                        // hexes that it may enter
	doubt   hexSet                        // occupied ones, as long as nothing asked for them
	found   [layers][maxPoints + 1]hexSet // by points left on entering, not only the most
	done    [layers]hexSet                // those found with more points left
}

// reach implements R4.3, R8.4, R8.5, R9 and R17.2: the hexes where a move of the
// unit may end. A hex controlled by the enemy ends the move; from one, the first
// hex entered must be free. Hexes are taken in the order of the points left, which
// every step lowers, so that none is gone on from twice in a layer.
func (g *game) reach(p *Position, u UnitID) hexSet {
	s := search{unit: u, enemy: g.zone(p, p.team(g.owner(p, u)).other(), noHex)}
	from := p.Units[u].Hex
	points, terrain := g.pointsOf(u)
	s.costs = &g.costSet[noTerrain]
	if terrain {
		s.costs = &g.costSet[b2u(p.isWinter())]
	}
	deep := 1
	if s.counted = g.countsAbroad(u); s.counted {
		s.abroad, deep = g.hexes[from].country != us, layers
	}
	for i, w := range g.open {
		s.free[i], s.doubt[i] = w&^p.Occupied[i], w&p.Occupied[i]
	}
	if home, tied := g.homeOf(p, u); tied {
		s.free.intersect(&g.board.country[home])
	}
	s.done[0].add(from)
	g.goOn(p, &s, from, 0, points, s.enemy.has(from))
	for left := points - 1; left >= 0; left-- {
		for layer := range deep {
			for i, w := range s.found[layer][left] {
				w &^= s.done[layer][i]
				s.done[layer][i] |= w
				for w &^= s.enemy[i]; w != 0; w &= w - 1 {
					g.goOn(p, &s, HexID(i<<6+trailing(w)), layer, left, false)
				}
			}
		}
	}
	ends := s.done[0]
	for _, more := range s.done[1:deep] {
		ends.unite(&more)
	}
	ends.del(from)
	return ends
}

// goOn finds the neighbours of a hex that the unit can enter; out of the enemy's
// zone they must not be in it either.
func (g *game) goOn(p *Position, s *search, h HexID, layer, left int, held bool) {
	x := &g.hexes[h].around
	for k, w := range x.bits {
		i := x.word + k
		w &= s.free[i] | s.doubt[i]
		if held {
			w &^= s.enemy[i]
		}
		for d := w & s.doubt[i]; d != 0; d &= d - 1 {
			n := HexID(i<<6 + trailing(d))
			s.doubt.del(n)
			if g.mayEnter(p, s.unit, n) {
				s.free.add(n)
			} else {
				w &^= 1 << (n & 63)
			}
		}
		if s.counted {
			across := w
			if !s.abroad {
				across &^= g.board.country[us][i]
			}
			if w &^= across; layer+1 < layers && left > 0 { // a point each (Ruling 49)
				s.found[layer+1][left-1][i] |= across
			}
		}
		for cost := 1; cost <= min(left, maxCost); cost++ {
			s.found[layer][left-cost][i] |= w & s.costs[cost][i]
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
