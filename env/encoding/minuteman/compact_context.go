package minuteman

import "powderkeg/engine/minuteman"

// cursor writes numbers one behind the other.
type cursor struct {
	dst []float32
	n   int
}

func (c *cursor) put(x float32) {
	c.dst[c.n] = x
	c.n++
}

// oneHot writes n numbers, a 1 in place i if it is one of them.
func (c *cursor) oneHot(i, n int) {
	if i >= 0 && i < n {
		c.dst[c.n+i] = 1
	}
	c.n += n
}

// globals writes what is not on the map. The counts of units are those that the
// other blocks have found.
func (e *encoder) globals(dst []float32) {
	const markersInGame, turns = 40, 24
	g := &e.g
	c := cursor{dst: dst}
	c.oneHot(g.Phase, minuteman.Phases)
	c.oneHot(g.Decision, minuteman.Decisions)
	c.put(flag(e.me == g.Government))
	c.put(float32(g.Turn) / turns)
	c.put(float32(max(0, g.Deadline-g.Turn)) / turns)
	c.oneHot(g.Season, 4)
	c.put(flag(g.RevolutionTurn > 0))
	if g.RevolutionTurn > 0 {
		c.put(float32(g.Turn-g.RevolutionTurn) / turns)
	} else {
		c.put(0)
	}
	others := 0
	for s, n := range g.Due {
		if s != g.Government && s != e.me {
			others += n
		}
	}
	own := 0
	if e.me != g.Government {
		own = g.Due[e.me]
	}
	c.put(bounded(float32(g.Due[g.Government]) / 4))
	c.put(bounded(float32(own) / 6))
	c.put(bounded(float32(others) / 12))
	c.put(bounded(float32(g.Track) / 100))
	c.put(float32(g.BuildsToNext) / 19)
	c.put(bounded(float32(g.RiotIndex) / 15))
	c.put(float32(g.RiotColumn) / 8)
	c.put(float32(g.BuildColumn) / 8)
	for m, most := range [4]float32{16, 10, 8, 6} {
		c.put(float32(g.Hand[e.me][m]) / most)
	}
	for i := 1; i <= 3; i++ {
		if i < g.Seats {
			c.put(float32(g.HandSize[(e.me+i)%g.Seats]) / markersInGame)
		} else {
			c.put(0)
		}
	}
	c.put(float32(g.Pool) / markersInGame)
	e.piles(&c)
	e.rules(&c)
	e.affairs(&c)
	e.balance(&c)
	e.talk(&c)
}

// piles writes the share of each kind's counters that are off the map.
func (e *encoder) piles(c *cursor) {
	all, drawn := e.s.Counters()
	for i := range all {
		k := i
		if i < 9 {
			k = i/3*3 + e.colour(i%3)
		}
		c.put(float32(all[k]-drawn[k]-e.out[k]) / float32(all[k]))
	}
}

// rules writes scenario, variants, players and options.
func (e *encoder) rules(c *cursor) {
	g := &e.g
	c.oneHot(g.Scenario, 5)
	for _, b := range [5]bool{g.Unprepared, g.Prepared, g.Uncoordinated, g.Organized, g.Dispersed} {
		c.put(flag(b))
	}
	c.oneHot(g.Seats-2, 3)
	for _, b := range [5]bool{g.Neighbours, g.Foreign, g.AirAssault, g.Amphibious, g.Elite} {
		c.put(flag(b))
	}
}

// affairs writes Air/Rail, foreign affairs, the Partisan cities and the players.
func (e *encoder) affairs(c *cursor) {
	g := &e.g
	c.put(bounded(float32(g.AirRailHalves) / 20))
	c.put(flag(g.ForeignSeat == e.me))
	c.put(flag(g.ForeignSeat >= 0 && g.ForeignSeat != e.me))
	c.put(float32(g.ForeignLeft) / 3)
	for country := 1; country <= 2; country++ {
		c.put(float32(g.Sides[country]))
		c.put(flag(g.Built[country]))
	}
	c.put(float32(g.Committed) / 16)
	for _, set := range [2]uint8{e.held, e.cut} {
		for i := range 8 {
			c.put(float32(set >> i & 1))
		}
	}
	for _, seat := range g.Order {
		d := 0
		if seat >= 0 {
			d = (seat - e.me + g.Seats) % g.Seats
		}
		c.put(float32(d) / 3)
	}
	for i := range 4 {
		c.put(flag(i < g.Seats && g.Federalized == (e.me+i)%g.Seats))
	}
	for i := 1; i < 4; i++ {
		c.put(flag(i < g.Seats && g.Eliminated>>((e.me+i)%g.Seats)&1 != 0))
	}
}

// balance writes the counts of units and what the position is worth.
func (e *encoder) balance(c *cursor) {
	g := &e.g
	for i := range 4 {
		c.put(flag(i < g.Seats && 2*e.mmOf[(e.me+i)%g.Seats] > e.count[1]))
	}
	limits := [7]float32{minuteman.Nets, minuteman.Minutemen, minuteman.Militias, minuteman.Armies, minuteman.Agents, minuteman.CIGs, minuteman.Informers}
	for i, n := range e.count {
		c.put(float32(n) / limits[i])
	}
	c.put(float32(e.count[2]-e.count[3]) / minuteman.Armies)
	c.put(float32(e.count[0]-e.count[5]) / minuteman.Nets)
	c.put(float32(e.count[1]-e.count[4]) / minuteman.Minutemen)
	c.oneHot(e.level+3, 7)
}

// talk writes what is on display from the last negotiation, the seats from the
// observer's on.
func (e *encoder) talk(c *cursor) {
	g := &e.g
	if g.Seats == 2 {
		return
	}
	seat := func(i int) int { return (e.me + i) % g.Seats }
	for a := range 4 {
		for b := a + 1; b < 4; b++ {
			c.put(flag(b < g.Seats && g.TruceOf(seat(a), seat(b))))
		}
	}
	var rebels [3]int
	n := 0
	for i := range g.Seats {
		if s := seat(i); s != g.Government && n < len(rebels) {
			rebels[n] = s
			n++
		}
	}
	for speaker := range 4 {
		for i, s := range rebels {
			c.put(flag(speaker < g.Seats && i < n && g.Named[seat(speaker)] == s))
		}
	}
	for i, s := range rebels {
		c.put(flag(i < n && g.Pact == s))
	}
}

// decision writes the chain of choices under way.
func (e *encoder) decision(dst []float32) {
	v := &e.chain
	c := cursor{dst: dst}
	c.oneHot(v.Attack, 4)
	c.oneHot(v.Class, minuteman.Classes)
	for i, h := range [2]int{v.Hex, v.Target} {
		if h == minuteman.NoHex && i == 0 {
			c.dst[c.n], c.dst[c.n+2] = flag(v.Begun), flag(v.Mexico)/rows
		}
		if h != minuteman.NoHex {
			place(c.dst[c.n:], e.s.Facts(h))
		}
		c.n += 3
	}
	c.put(bounded(v.AttackSum / 40))
	c.put(bounded(v.Known / 40))
	c.put(bounded(v.Defence / 40))
	c.oneHot(v.Column, 7)
	c.put(bounded(float32(v.Modifier)))
	for _, b := range [4]bool{v.Doubled, v.Ruthless, v.Tried, v.Betrayed} {
		c.put(flag(b))
	}
	c.put(bounded(float32(v.Points) / 9))
	c.put(float32(v.BuildColumn) / 6)
	c.put(bounded(float32(v.Organizers) / 8))
	c.put(float32(v.Helpers) / 3)
	c.put(bounded(float32(v.Left) / 6))
	c.put(bounded(float32(v.Price) / 60))
	c.put(v.Success)
	c.put(v.Stop)
	c.put(v.Lost)
	c.put(float32(v.Shown) / 6)
	c.oneHot(v.RetreatClass, 3)
	c.put(flag(v.Second))
	c.oneHot(v.Placing, 5)
	c.oneHot(v.Proposal, 4)
	if v.Maker >= 0 {
		c.oneHot((v.Maker-e.me+e.g.Seats)%e.g.Seats, 4)
	}
}

// near writes the chosen hex and the two rings around it.
func (e *encoder) near(dst []float32) {
	focus := e.chain.Hex
	if focus == minuteman.NoHex {
		focus = e.chain.Target
	}
	if focus == minuteman.NoHex {
		return
	}
	var costs minuteman.EntryCosts
	costs.SetUnit(e.s, e.chain.Moving)
	f := e.s.Facts(focus)
	e.nearHex(dst, &costs, focus, true)
	for i, h := range f.Beside {
		if h == minuteman.NoHex {
			continue
		}
		e.nearHex(dst[(1+i)*nearSize:], &costs, h, f.Near[i] != minuteman.NoHex)
		// Of the ring of 12, place 2i lies straight on, place 2i+1 one further clockwise.
		r := e.s.Facts(h)
		for k := range 2 {
			if x := r.Beside[(i+k)%6]; x != minuteman.NoHex {
				e.nearHex(dst[(7+2*i+k)*nearSize:], &costs, x, r.Near[(i+k)%6] != minuteman.NoHex && f.Near[i] != minuteman.NoHex)
			}
		}
	}
}

func (e *encoder) nearHex(dst []float32, costs *minuteman.EntryCosts, h int, passable bool) {
	f := e.s.Facts(h)
	c := cursor{dst: dst[:nearSize]}
	c.put(flag(e.s.Playable().Has(h)))
	c.put(flag(passable))
	c.oneHot(f.Terrain, 4)
	c.oneHot(f.Population-1, 2)
	c.put(flag(f.Coast))
	c.put(bounded(float32(costs.Of(e.s, h)) / 3))
	c.put(flag(e.government.Has(h)))
	c.put(flag(e.rebels.Has(h)))
	c.put(flag(e.s.Riot(h)))
	var defence, attack [2]float32
	e.s.UnitsIn(h, func(slot int) {
		u := e.s.Unit(slot)
		side := 0
		if !u.Rebel {
			side = 1
		}
		a, d := e.s.Strengths(slot)
		attack[side] += a
		defence[side] += d
	})
	for side := range 2 {
		c.put(bounded(defence[side] / 20))
		c.put(bounded(attack[side] / 20))
	}
	c.put(flag(h == e.chain.Target))
}
