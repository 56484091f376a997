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
	p := e.p
	c := cursor{dst: dst}
	c.oneHot(int(p.Phase), minuteman.Phases)
	c.oneHot(e.s.Decision(), minuteman.Decisions)
	c.put(flag(e.me == e.gov))
	c.put(float32(p.Turn) / turns)
	_, deadline := e.s.Turns()
	c.put(float32(max(0, deadline-int(p.Turn))) / turns)
	c.oneHot(e.s.Season(), 4)
	c.put(flag(p.RevTurn > 0))
	if p.RevTurn > 0 {
		c.put(float32(p.Turn-p.RevTurn) / turns)
	} else {
		c.put(0)
	}
	others := 0
	for s, n := range p.Due {
		if s != e.gov && s != e.me {
			others += int(n)
		}
	}
	own := uint8(0)
	if e.me != e.gov {
		own = p.Due[e.me]
	}
	c.put(bounded(float32(p.Due[e.gov]) / 4))
	c.put(bounded(float32(own) / 6))
	c.put(bounded(float32(others) / 12))
	c.put(bounded(float32(p.Track) / 100))
	r := e.s.Reactions()
	c.put(float32(r.BuildsToColumn) / 19)
	c.put(bounded(float32(r.RiotIndex) / 15))
	c.put(float32(r.Riots) / 8)
	c.put(float32(r.Builds) / 8)
	for m, most := range [4]float32{16, 10, 8, 6} {
		c.put(float32(p.Hand[e.me][m]) / most)
	}
	for i := 1; i <= 3; i++ {
		if i < e.seats {
			c.put(float32(p.HandSize[(e.me+i)%e.seats]) / markersInGame)
		} else {
			c.put(0)
		}
	}
	c.put(float32(p.PoolSize) / markersInGame)
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
	o := e.s.Options()
	c.oneHot(int(o.Scenario), 5)
	for _, b := range [5]bool{o.Unprepared, o.Prepared, o.Uncoordinated, o.Organized, o.Dispersed} {
		c.put(flag(b))
	}
	c.oneHot(e.seats-2, 3)
	for _, b := range [5]bool{o.Neighbours, o.Foreign, o.AirAssault, o.Amphibious, o.Elite} {
		c.put(flag(b))
	}
}

// affairs writes Air/Rail, foreign affairs, the Partisan cities and the players.
func (e *encoder) affairs(c *cursor) {
	p, me := e.p, minuteman.SeatID(e.me)
	c.put(bounded(float32(p.AirRail) / 20))
	c.put(flag(p.Foreign.Seat == me))
	c.put(flag(p.Foreign.Seat != minuteman.NoSeat && p.Foreign.Seat != me))
	c.put(float32(p.Foreign.Left) / 3)
	for country := 1; country <= 2; country++ {
		c.put(float32(p.Sides[country]))
		c.put(flag(p.Built[country]))
	}
	c.put(float32(p.Commit) / 16)
	for _, set := range [2]uint8{e.held, e.cut} {
		for i := range 8 {
			c.put(float32(set >> i & 1))
		}
	}
	for _, seat := range p.Order {
		d := 0
		if seat != minuteman.NoSeat {
			d = (int(seat) - e.me + e.seats) % e.seats
		}
		c.put(float32(d) / 3)
	}
	for i := range 4 {
		c.put(flag(i < e.seats && int(p.Fed) == (e.me+i)%e.seats))
	}
	for i := 1; i < 4; i++ {
		c.put(flag(i < e.seats && p.Gone.Has(minuteman.SeatID((e.me+i)%e.seats))))
	}
}

// balance writes the counts of units and what the position is worth.
func (e *encoder) balance(c *cursor) {
	for i := range 4 {
		c.put(flag(i < e.seats && 2*e.mmOf[(e.me+i)%e.seats] > e.count[1]))
	}
	limits := [7]float32{minuteman.Nets, minuteman.Minutemen, minuteman.Militias, minuteman.Armies, minuteman.Agents, minuteman.CIGs,
		minuteman.Informers}
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
	p := e.p
	if e.seats == 2 {
		return
	}
	seat := func(i int) minuteman.SeatID { return minuteman.SeatID((e.me + i) % e.seats) }
	for a := range 4 {
		for b := a + 1; b < 4; b++ {
			c.put(flag(b < e.seats && p.Truces.Has(seat(a), seat(b))))
		}
	}
	var rebels [3]minuteman.SeatID
	n := 0
	for i := range e.seats {
		if s := seat(i); s != p.Gov && n < len(rebels) {
			rebels[n] = s
			n++
		}
	}
	for speaker := range 4 {
		for i, s := range rebels {
			c.put(flag(speaker < e.seats && i < n && p.Named[seat(speaker)] == s))
		}
	}
	for i, s := range rebels {
		c.put(flag(i < n && p.Pact == s))
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
		c.oneHot((v.Maker-e.me+e.seats)%e.seats, 4)
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
