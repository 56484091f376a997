package minuteman

import "powderkeg/engine/flow"

// Levels of the ladder (R24.4).
const (
	decisive    = 3
	substantive = 2
	marginal    = 1
)

// tally is what counts for victory (R24.3).
type tally struct {
	nets, mm, mil, agts, cigs int
	army                      int // US and Security Divisions under the Government
}

// count tallies the map. R26.2: in Occupation the Militia of all three countries
// count.
func (g *game) count(p *Position) tally {
	t := tally{
		nets: p.OnMap.countIn(netFirst, mmFirst), mm: p.OnMap.countIn(mmFirst, milFirst),
		agts: p.OnMap.countIn(agtFirst, cigFirst), cigs: p.OnMap.countIn(cigFirst, numUnits),
	}
	for u := p.OnMap.next(milFirst); u < armyFirst; u = p.OnMap.next(u + 1) {
		if g.Scenario == Occupation || g.groupOf(p, u) <= militia3 {
			t.mil++
		}
	}
	for u := p.OnMap.next(armyFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
		if !g.isRebel(p, u) && g.groupOf(p, u) <= security {
			t.army++
		}
	}
	return t
}

// rebelsLeft and governmentLeft implement R24.1: whether a side has anything on the
// map. Informers and CIGs of step 1 do not count.
func (g *game) rebelsLeft(p *Position) bool {
	for u := p.OnMap.next(0); u < agtFirst; u = p.OnMap.next(u + 1) {
		if g.isRebel(p, u) {
			return true
		}
	}
	return false
}

func (g *game) governmentLeft(p *Position) bool {
	for u := p.OnMap.next(armyFirst); u != noUnit; u = p.OnMap.next(u + 1) {
		if !g.isRebel(p, u) && (u < cigFirst || p.Units[u].Step > 1) {
			return true
		}
	}
	return false
}

// ended implements R24.1, R25.13 and R28.8: it tests for a decision at once.
func (g *game) ended(p *Position, w *flow.Witness) bool {
	if g.Seats > 2 {
		return g.endedForMany(p, w)
	}
	switch {
	case !g.rebelsLeft(p):
		g.end(p, w, -decisive, byElimination)
	case p.RevTurn > 0 && !g.governmentLeft(p):
		g.end(p, w, decisive, byElimination)
	default:
		return false
	}
	return true
}

// forfeits implements R24.2: whether the game ends with this Game-Turn since nobody has
// declared the Revolution in time.
// not when a Rebel has become the Government.
func (g *game) forfeits(p *Position) bool {
	return p.RevTurn == 0 && int(p.Turn) == g.sc.Deadline && g.sc.Revolution && p.Original
}

// forfeit implements R24.2.
// Ruling 14: counted as decisive.
func (g *game) forfeit(p *Position, w *flow.Witness) {
	if g.Seats > 2 {
		g.endMany(p, w, 1<<p.Gov|g.fedBit(p), decisive, byForfeit)
		return
	}
	g.end(p, w, -decisive, byForfeit)
}

// finish implements R24.3, R25.13 and R28.9 after the last Game-Turn.
func (g *game) finish(p *Position, w *flow.Witness) {
	if g.Seats > 2 {
		g.finishMany(p, w)
		return
	}
	c := g.partisanCities(p)
	g.end(p, w, g.level(p, &c), byCount)
}

// level is the level that the position is worth after the last Game-Turn, before
// the steps of R25.13 and R30. The cities mean something in Partisan alone.
func (g *game) level(p *Position, c *cities) int {
	t := g.count(p)
	if g.Scenario == Partisan {
		return g.partisanLevel(p, &t, c)
	}
	rev := p.RevTurn > 0
	rebel := rev && t.army == 0
	govern := t.mil == 0 && t.nets < 5
	switch {
	case rebel && govern:
		return 0
	case rebel:
		return substantive
	case govern:
		return -substantive
	case rev && t.mil > t.army && t.nets > t.cigs && t.mm > t.agts:
		return marginal
	case t.army > t.mil && t.agts > t.mm && t.cigs >= 3:
		return -marginal
	}
	return 0
}

// close leaves the last phase. How far it had come stays.
func (g *game) close(p *Position) {
	ended := Ended{}
	step, count := p.counts()
	if step != nil {
		ended.Step = *step
	}
	if count != nil {
		ended.Count = *count
	}
	p.Phase, p.Progress = over, Progress{Ended: ended}
}

// end ends a game of two players. R24.4 and R30: foreign intervention costs its
// declarer one step; R25.13: so do every four committed Divisions the Aggressor.
func (g *game) end(p *Position, w *flow.Witness, level int, why cause) {
	p.End = Ending{Level: int8(g.steps(p, level)), By: why}
	switch {
	case p.End.Level > 0:
		p.End.Winners = 2
	case p.End.Level < 0:
		p.End.Winners = 1
	}
	g.close(p)
	g.tellEnd(p, w)
}

// seatsOf lists a set of seats.
func seatsOf(set SeatSet) []int {
	list := []int{}
	for s := range maxSeats {
		if set>>s&1 != 0 {
			list = append(list, s)
		}
	}
	return list
}

func (g *game) tellEnd(p *Position, w *flow.Witness) {
	if w == nil {
		return
	}
	rule := [...]string{byElimination: "R24.1", byForfeit: "R24.2", byCount: "R24.3"}[p.End.By]
	switch {
	case p.End.By == byCount && g.Scenario == Partisan:
		rule = "R25.13"
	case p.End.By == byCount && g.Seats > 2:
		rule = "R28.9"
	}
	w.All("end", rule, flow.Arg("by", causeNames[p.End.By]), flow.Arg("level", int(p.End.Level)), flow.Arg("winners", seatsOf(p.End.Winners)))
}

func (g *game) steps(p *Position, level int) int {
	if g.Scenario == Partisan {
		level += int(p.Commit / g.sc.CommitStep)
	}
	if p.Foreign.Stage != foreignNone {
		if p.Foreign.Seat == p.Gov {
			level++
		} else {
			level--
		}
	}
	return max(-decisive, min(decisive, level))
}

// returnOf implements R24.5.
func (g *game) returnOf(p *Position, seat SeatID) float32 {
	if p.Phase != over || p.End.Winners == 0 {
		return 0
	}
	level := float32(p.End.Level) / decisive
	if level < 0 {
		level = -level
	}
	if p.End.Winners.Has(seat) {
		return level
	}
	return -level
}

// occupies implements R25.12: 1 if the Rebel occupies a Partisan city.
func (g *game) rebelHolds(p *Position, h HexID) bool {
	c := g.look(p, h)
	return c.rebel && !c.govern || c.count[militia] > 0 && !c.govArmy
}

// cities are bit sets of the Partisan cities, bit 0 for the first of
// map.partisan_cities by number (R25.12): those that the Rebel occupies, those that
// no line joins to the Front Line, and those that all Divisions of it reach.
type cities struct{ held, cut, open uint8 }

// partisanCities implements R25.12; other scenarios have none.
func (g *game) partisanCities(p *Position) (c cities) {
	if g.Scenario != Partisan {
		return c
	}
	way := g.freeForLines(p)
	lines := 0
	var reached [8]int
	var line grid // Divisions that one line joins reach the same hexes
	for u := p.OnMap.next(armyFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
		if p.Units[u].Marks&frontLine == 0 {
			continue
		}
		lines++
		x := &g.hexes[p.Units[u].Hex]
		if line[x.col]>>x.row&1 == 0 {
			line = grid{}
			line[x.col] = 1 << x.row & way[x.col]
			g.flood(&line, &way)
		}
		for i, h := range g.board.partisan {
			y := &g.hexes[h]
			reached[i] += int(line[y.col] >> y.row & 1)
		}
	}
	for i, h := range g.board.partisan {
		if g.rebelHolds(p, h) {
			c.held |= 1 << i
		}
		if reached[i] == 0 {
			c.cut |= 1 << i
		}
		if lines > 0 && reached[i] == lines {
			c.open |= 1 << i
		}
	}
	return c
}

// freeForLines returns the hexes that a line may pass (R25.12): not those that Rebels
// control (R25.5), nor those of a Network or Minuteman without a Government Army.
func (g *game) freeForLines(p *Position) grid {
	way := g.field
	for u := p.OnMap.next(netFirst); u < milFirst; u = p.OnMap.next(u + 1) {
		h := p.Units[u].Hex
		x := &g.hexes[h]
		if g.kind[u] == network && g.riotAt(p, h) {
			way.cut(x)
		} else if g.armyIn(p, false, h) == noUnit {
			way[x.col] &^= 1 << x.row
		}
	}
	for u := p.OnMap.next(milFirst); u < armyFirst; u = p.OnMap.next(u + 1) {
		way.cut(&g.hexes[p.Units[u].Hex])
	}
	return way
}

// partisanLevel implements R25.13.
// Ruling 25: Divisions against Militia, a draw between the Marginal wins.
func (g *game) partisanLevel(p *Position, t *tally, c *cities) int {
	level := 0
	most := max(onesCount(c.held), onesCount(c.cut))
	switch {
	case most >= 6:
		level = decisive
	case most >= 4:
		level = substantive
	case most >= 1:
		level = marginal
	case c.held == 0 || c.open == 0xFF:
		level = -marginal
		if g.committedArmy(p) > t.mil && t.agts > t.mm {
			level = -substantive
		}
	}
	if c.held == 0 {
		level = min(level, marginal)
	}
	return level
}

// committedArmy counts the Aggressor's Army east of the Front Line (R25.13).
func (g *game) committedArmy(p *Position) int {
	n := 0
	for u := p.OnMap.next(armyFirst); u < agtFirst; u = p.OnMap.next(u + 1) {
		if !g.hexes[p.Units[u].Hex].front {
			n++
		}
	}
	return n
}
