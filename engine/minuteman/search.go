package minuteman

// Movement allowances (R8.4, R8.5, R17.2).
const (
	militiaPoints = 8
	armyPoints    = 10
	agentPoints   = 10
	risenPoints   = 10 // a Minuteman after the Revolution
	hexesAbroad   = 2  // a US Militia in Canada and Mexico (R29.3)
)

// pointsOf returns the movement points of a unit that moves hex by hex, and
// whether it pays for terrain (R9).
func (g *game) pointsOf(u uint8) (points int, terrain bool) {
	switch g.kind[u] {
	case militia:
		return militiaPoints, true
	case army:
		return armyPoints, true
	case agent:
		return agentPoints, false
	}
	return risenPoints, false
}

// homeOf returns the country that a Brigade or a Militia of Canada or Mexico does
// not leave until US forces have entered it (R29.2), and whether there is one.
func (g *game) homeOf(p *position, u uint8) (country, bool) {
	if !g.neighbours || g.kind[u] != militia && g.kind[u] != army {
		return us, false
	}
	home := us
	switch g.groupOf(p, u) {
	case canadianMilitia, canadianBrigade:
		home = canada
	case mexicanMilitia, mexicanBrigade:
		home = mexico
	}
	return home, home != us && p.sides[home] == 0
}

// mayEnter implements R3.1, R17.3, R28.6 and R29.2: whether a unit may stand in a
// hex or pass it, zones apart.
func (g *game) mayEnter(p *position, u uint8, h int16) bool {
	if !g.open.has(h) || !g.fits(p, u, h) {
		return false
	}
	if home, tied := g.homeOf(p, u); tied && g.hexes[h].country != home {
		return false
	}
	return p.fed == noSeat || !g.barred(p, u, h)
}

// barred implements R28.6: other Rebels do not enter or pass hexes with a Militia
// of the federalized one.
func (g *game) barred(p *position, u uint8, h int16) bool {
	if o := g.owner(p, u); o == p.fed || o == p.gov {
		return false
	}
	for v := p.head[h]; v != noUnit; v = p.units[v].next {
		if g.kind[v] == militia && g.owner(p, v) == p.fed {
			return true
		}
	}
	return false
}

// canStep tells whether a unit that moves hex by hex has a destination: one of its
// neighbours (R4.3, R17.3). enemy is the other team's zone.
func (g *game) canStep(p *position, u uint8, enemy *hexSet) bool {
	h := p.units[u].hex
	held := enemy.has(h)
	for _, n := range g.hexes[h].near {
		if n != noHex && !(held && enemy.has(n)) && g.mayEnter(p, u, n) {
			return true
		}
	}
	return false
}

// reach implements R4.3, R8.4, R8.5, R9 and R17.2: the hexes where a move of the
// unit may end. A hex controlled by the enemy ends the move; from one, the first
// hex entered must be free. The search relaxes hexes until nothing improves: the
// points left in a hex, kept apart by the number of hexes entered abroad (R29.3).
func (g *game) reach(p *position, u uint8) hexSet {
	var ends hexSet
	from := p.units[u].hex
	enemy := g.zone(p, 1-p.team(g.owner(p, u)), noHex)
	points, terrain := g.pointsOf(u)
	season := 0
	if p.isWinter() {
		season = 1
	}
	counted := g.neighbours && g.kind[u] == militia && g.colour[u] > 0
	abroad := counted && g.hexes[from].country != us
	const layers = hexesAbroad + 1
	var left [layers][numHexes]int8 // points left + 1, 0 for a hex not reached
	var waiting [layers]hexSet
	var queue [4096]int16
	head, tail := 0, 0
	push := func(layer int, h int16) {
		if !waiting[layer].has(h) {
			waiting[layer].add(h)
			queue[tail&4095] = int16(layer)*1024 + h
			tail++
		}
	}
	left[0][from] = int8(points + 1)
	push(0, from)
	for head != tail {
		code := queue[head&4095]
		head++
		layer, h := int(code>>10), code&1023
		waiting[layer].del(h)
		start := h == from && layer == 0 && left[0][h] == int8(points+1)
		if !start && enemy.has(h) {
			continue
		}
		for _, n := range g.hexes[h].near {
			if n == noHex || start && enemy.has(h) && enemy.has(n) {
				continue
			}
			l, cost := layer, int8(1)
			if terrain {
				cost = int8(g.hexes[n].cost[season])
			}
			if counted && (abroad || g.hexes[n].country != us) {
				l++
			}
			rest := left[layer][h] - cost
			if l == layers || rest < 1 || rest <= left[l][n] || !g.mayEnter(p, u, n) {
				continue
			}
			left[l][n] = rest
			if n != from {
				ends.add(n)
			}
			push(l, n)
		}
	}
	return ends
}

// prices implements R8.3, R25.9 and R26.7: what a Minuteman pays for entering each
// hex before the Revolution, the highest of what applies.
func (g *game) prices(p *position, price *[numHexes]uint8) {
	list := &g.tables.prices[g.priceList]
	for h := range price {
		price[h] = list[3]
	}
	raise := func(h int16, n uint8) { price[h] = max(price[h], n) }
	zone := func(u uint8, n uint8) {
		h := p.units[u].hex
		raise(h, n)
		for _, x := range g.hexes[h].near {
			if x != noHex {
				raise(x, n)
			}
		}
	}
	for u := uint8(armyFirst); u < numUnits; u++ {
		x := &p.units[u]
		switch {
		case x.hex == noHex || x.marks&rebelHeld != 0:
		case u < agtFirst:
			zone(u, list[0])
		case u >= cigFirst:
			zone(u, list[1])
		default:
			raise(x.hex, list[2])
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
func (g *game) lengths(p *position, u uint8, at int16, price *[numHexes]uint8, toward bool, length *[numHexes]uint32) {
	for h := range length {
		length[h] = pathNone
	}
	var queue [1024]int16
	var waiting hexSet
	head, tail := 0, 1
	queue[0] = at
	length[at] = 0
	for head != tail {
		h := queue[head&1023]
		head++
		waiting.del(h)
		for _, n := range g.hexes[h].near {
			if n == noHex || !g.open.has(n) || p.fed != noSeat && n != p.units[u].hex && g.barred(p, u, n) {
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
func (g *game) path(p *position, u uint8, dest int16, hexes *[numHexes]int16) (n int, price int) {
	var prices [numHexes]uint8
	var length [numHexes]uint32
	g.prices(p, &prices)
	g.lengths(p, u, dest, &prices, true, &length)
	h := p.units[u].hex
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
func (g *game) mmTargets(p *position, u uint8) hexSet {
	set := g.open
	full := g.crowded(p, minuteman)
	set.remove(&full)
	set.del(p.units[u].hex)
	if p.fed != noSeat { // R28.6: hexes may be cut off
		var price [numHexes]uint8
		var length [numHexes]uint32
		g.lengths(p, u, p.units[u].hex, &price, false, &length)
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
func (g *game) crowded(p *position, k kind) hexSet {
	var set hexSet
	for h := p.occupied.next(0); h != noHex; h = p.occupied.next(h + 1) {
		if g.roomFor(p, k, false, h) == 0 {
			set.add(h)
		}
	}
	return set
}
