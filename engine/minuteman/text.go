package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Text implements engine.Teller: the head lines, the map, the markers in hand and
// what stands where. Each hex of the map is two characters on the line of its half
// row: what the Rebels have there, or its ground, and what the Government has.
func (s *View) Text(seat engine.Player) string {
	var b strings.Builder
	s.writeHead(&b)
	s.writeAffairs(&b)
	s.writePlayers(&b)
	s.writeChain(&b)
	s.writeMap(&b)
	b.WriteString("N n Network  M Minuteman  L Militia  * Riot  ' Unrest  A Army  C CIG  a Agent  i Informer  R Rebel Army\n")
	b.WriteString("o O Population I, II  . clear  s n winter cover, south and north  ^ rough brushland\n")
	s.writeHands(&b, seat)
	s.writeStacks(&b)
	return b.String()
}

func (s *View) writeHead(b *strings.Builder) {
	g, p := s.G, &s.P
	if p.Phase == setUp {
		fmt.Fprintf(b, "Set-up. ")
	} else {
		fmt.Fprintf(b, "Turn %d of %d, %s, year %d, phase %s. ", p.Turn, g.sc.Turns, g.Season.Order[(p.Turn-1)%4], (p.Turn-1)/4+1, phaseNames[p.Phase])
	}
	if p.RevTurn > 0 {
		fmt.Fprintf(b, "Revolution since turn %d. ", p.RevTurn)
	}
	fmt.Fprintf(b, "Builds %d, Riots %d, Unrests %d.", p.Track, p.Riot.count(), p.Unrest.count())
	switch {
	case p.Actor == engine.Chance:
		fmt.Fprintf(b, " %s.", s.Question())
	case p.Actor >= 0:
		fmt.Fprintf(b, "\nPlayer %d is asked: %s", p.Actor, flow.Closed(s.Question()))
	case p.Phase == over:
		fmt.Fprintf(b, " Over: level %d by %s, won by players %v.", p.End.Level, causeNames[p.End.By], seatsOf(p.End.Winners))
	}
	b.WriteByte('\n')
}

// writeMap draws the playable hexes.
func (s *View) writeMap(b *strings.Builder) {
	g := s.G
	lines := [2 * 34][]byte{}
	left, top, bottom := 99, 99, 0
	for h := g.playable.next(0); h != noHex; h = g.playable.next(h + 1) {
		x := &g.hexes[h]
		left = min(left, int(x.col))
		y := 2*int(x.row) - int(x.col)&1
		top, bottom = min(top, y), max(bottom, y)
	}
	for h := g.playable.next(0); h != noHex; h = g.playable.next(h + 1) {
		x := &g.hexes[h]
		y, at := 2*int(x.row)-int(x.col)&1, 2*(int(x.col)-left)
		for len(lines[y]) < at+2 {
			lines[y] = append(lines[y], ' ')
		}
		cell := s.cell(h)
		copy(lines[y][at:], cell[:])
	}
	for y := top; y <= bottom; y++ {
		b.WriteString(strings.TrimRight(string(lines[y]), " "))
		b.WriteByte('\n')
	}
}

// cell returns the two characters of a hex.
func (s *View) cell(h HexID) [2]byte {
	g, p := s.G, &s.P
	x := &g.hexes[h]
	ground := [numTerrains]byte{'.', 's', 'n', '^'}[x.terrain]
	if x.pop > 0 {
		ground = "oO"[x.pop-1]
	}
	c := [2]byte{ground, ' '}
	switch {
	case g.riotAt(p, h):
		c[1] = '*'
	case p.Unrest.has(h):
		c[1] = '\''
	}
	if g.informerAt(p, h) {
		c[1] = 'i'
	}
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		switch g.kind[u] {
		case network:
			if c[0] == ground {
				c[0] = "nN"[p.Units[u].Step]
			}
		case minuteman:
			if c[0] == ground {
				c[0] = 'M'
			}
		case militia:
			c[0] = 'L'
		case army:
			if g.isRebel(p, u) {
				c[0] = 'R'
			} else {
				c[1] = 'A'
			}
		case cig:
			if c[1] != 'A' {
				c[1] = 'C'
			}
		case agent:
			if c[1] != 'A' && c[1] != 'C' {
				c[1] = 'a'
			}
		}
	}
	return c
}

func (s *View) writeHands(b *strings.Builder, seat engine.Player) {
	for i := range s.G.Seats {
		role := "Rebel"
		if SeatID(i) == s.P.Gov {
			role = "Government"
		}
		fmt.Fprintf(b, "Player %d, %s: %d special markers", i, role, s.P.HandSize[i])
		if engine.Player(i) == seat {
			for m, n := range s.P.Hand[i] {
				if n > 0 {
					fmt.Fprintf(b, ", %d %s", n, markerNames[m])
				}
			}
		}
		b.WriteByte('\n')
	}
}

// writeStacks lists the occupied hexes.
func (s *View) writeStacks(b *strings.Builder) {
	g, p := s.G, &s.P
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		fmt.Fprintf(b, "%s %s:", g.hexes[h].id, g.hexes[h].name)
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			b.WriteByte(' ')
			b.WriteString(s.unitText(u))
		}
		b.WriteByte('\n')
	}
}

// unitText names a unit in a few characters.
func (s *View) unitText(u UnitID) string {
	g, x := s.G, &s.P.Units[u]
	var t string
	switch k := g.kind[u]; k {
	case militia, army:
		t = groupNames[g.groupOf(&s.P, u)]
		if x.Marks&untried != 0 {
			t += "?"
		}
		attack, defence := s.Strengths(int(u))
		t += fmt.Sprintf("(%.3g-%.3g)", attack, defence) // the mean of an untried one
	case cig:
		t = fmt.Sprintf("cig%d", x.Step)
	default:
		t = kindNames[k]
		if x.Step == 1 {
			t = "strong_" + t
		}
	}
	if g.Seats > 2 && g.colour[u] > 0 {
		t += fmt.Sprintf("/%d", g.colour[u])
	}
	shown := timely(s.P.Phase)
	for i, name := range markNames {
		if m := mark(1) << i; shown&m != 0 && x.Marks&m != 0 {
			t += "+" + name
		}
	}
	return t
}

// timely is the set of marks that mean something in a phase.
func timely(ph phase) mark {
	m := underground | pinned | rebelHeld | frontLine | airRail | fought | placedNow
	switch ph {
	case phaseA1, phaseA2, phaseG2:
		m |= acted
	case phaseA3:
		m |= moved
	case phaseG3:
		m |= moved | noRail
	case phaseA4, phaseG4:
		m |= attacked | advanced
	}
	return m
}
