package bloc

import (
	"fmt"
	"math/bits"
)

// Arms of a cell, clockwise from the north (R3.1).
const (
	north uint8 = iota
	east
	south
	west
)

var armNames = [numArms]string{"N", "E", "S", "W"}

// CellSet is a set of cells, bit 5*row+column.
type CellSet uint32

func (s CellSet) has(c uint8) bool { return s>>c&1 != 0 }

func (s CellSet) first() uint8 { return uint8(bits.TrailingZeros32(uint32(s))) }

func (s CellSet) count() uint8 { return uint8(bits.OnesCount32(uint32(s))) }

func at(c uint8) CellSet { return 1 << c }

// noCell stands for no cell, noTile for a cell without a tile, noLink for an arm
// without a connection.
const (
	noCell = 0xFF
	noTile = 0xFF
	noLink = 0xFF
)

// end is one end of a connection: 4*cell+arm.
type end = uint8

// step returns the cell beyond an arm, noCell off the grid.
func step(c, arm uint8) uint8 {
	row, col := c/side, c%side
	switch {
	case arm == north && row > 0:
		return c - side
	case arm == east && col < side-1:
		return c + 1
	case arm == south && row < side-1:
		return c + side
	case arm == west && col > 0:
		return c - 1
	}
	return noCell
}

// deadEnd implements R3.1 (Arms): the arm of a three-way district that is closed.
func deadEnd(rotation uint8) uint8 { return rotation }

// through implements R3.2 (Highways): where a highway leads that is entered by an
// arm. The Overpass goes straight (Ruling 2).
func through(r roads, rotation, in uint8) uint8 {
	switch {
	case r == straight:
		return in ^ 2
	case rotation&1 == 0: // north with east, south with west
		return in ^ 1
	default: // north with west, east with south
		return 3 - in
	}
}

// open reports whether a street leaves the district in a cell by an arm.
func (b *box) open(p *Position, c, arm uint8) bool {
	return b.tiles[p.Tile[c]].Roads == fourWay || arm != deadEnd(p.Rotation[c])
}

// link implements R3.3 (Connection): the end at which a street from a district
// arrives, and whether it ran over a highway. noLink if it is a dead end or leads
// back.
func (b *box) link(p *Position, c, arm uint8) (end, bool) {
	if !b.open(p, c, arm) {
		return noLink, false
	}
	far, by, over := c, arm, false
	for {
		if far = step(far, by); far == noCell {
			return noLink, false
		}
		t, in := &b.tiles[p.Tile[far]], by^2
		if t.Type != highway {
			if far == c || !b.open(p, far, in) {
				return noLink, false
			}
			return 4*far + in, over
		}
		// A chain cannot run in a circle: each pair of joined arms is passed once
		// in each direction, and the way began at a district.
		by, over = through(t.Roads, p.Rotation[far], in), true
	}
}

// build lays out a whole city: the tiles, and what follows from them (R3.4,
// R3.5, R3.6).
func (b *box) build(p *Position, city *[numCells]placed) {
	for c, x := range city {
		p.Tile[c], p.Rotation[c] = x.tile, x.rotation
	}
	b.survey(p)
}

// survey derives connections, adjacency and the sets of cells from the tiles.
func (b *box) survey(p *Position) {
	p.Districts, p.Metro, p.Highways = 0, 0, 0
	p.OfType = [numTypes]CellSet{}
	p.ByID = [numCells]uint8{}
	order := [maxID + 1]uint8{}
	for c := range uint8(numCells) {
		p.Near[c], p.Over[c] = 0, 0
		t := &b.tiles[p.Tile[c]]
		p.OfType[t.Type] |= at(c)
		for arm := range uint8(numArms) {
			p.Links[4*c+arm] = noLink
		}
		if t.Type == highway {
			continue
		}
		p.Districts |= at(c)
		order[t.ID] = c + 1
		if t.Metro {
			p.Metro |= at(c)
		}
		for arm := range uint8(numArms) {
			far, over := b.link(p, c, arm)
			p.Links[4*c+arm] = far
			if far == noLink {
				continue
			}
			p.Near[c] |= at(far / 4)
			if over {
				p.Over[c] |= 1 << arm
				p.Highways++
			}
		}
	}
	n := 0
	for _, c := range order {
		if c > 0 {
			p.ByID[n] = c - 1
			n++
		}
	}
}

// maxID is the highest police ID.
const maxID = 26

// connected implements the condition of R2.2 (Ruling 1): every district can be
// reached from every other over streets and highways.
func (p *Position) connected() bool {
	if p.Districts == 0 {
		return false
	}
	reached := at(p.Districts.first())
	for todo := reached; todo != 0; {
		c := todo.first()
		todo &^= at(c)
		todo |= p.Near[c] &^ reached
		reached |= p.Near[c]
	}
	return reached == p.Districts
}

// reach implements R5.3 (Movement): the districts that blocs in cell from can go
// to. Districts with police are entered last, never passed; the metro joins all its
// stations at once unless it is locked (R8.9).
func (p *Position) reach(from uint8) CellSet {
	reached := at(from)
	for todo := reached; todo != 0; {
		c := todo.first()
		todo &^= at(c)
		next := p.steps(c)
		todo |= next &^ reached &^ p.Police
		reached |= next
	}
	return reached &^ at(from)
}

// steps returns the districts that are one step from a district, over a connection or by the
// metro.
func (p *Position) steps(c uint8) CellSet {
	if p.Lockdown == noFaction && p.Metro.has(c) {
		return p.Near[c] | p.Metro
	}
	return p.Near[c]
}

// barricadesAt implements R3.6: the barricades of the connection at an end.
func (p *Position) barricadesAt(e end) uint8 {
	return p.Barricades[e] + p.Barricades[p.Links[e]]
}

// slot implements R3.6 (Barricade storage; Ruling 4): where the barricades of a
// connection lie that are built at an end. A highway has them apart at either end, a street in
// one place, that of its lower end.
func (p *Position) slot(e end) end {
	if far := p.Links[e]; p.Over[e/4]>>(e%4)&1 == 0 && far < e {
		return far
	}
	return e
}

// freeArms returns the arms of a district whose connection has room for a
// barricade (R1.2), none if the pile is empty.
func (g *game) freeArms(p *Position, c uint8) uint32 {
	arms := uint32(0)
	if p.Pile == 0 {
		return 0
	}
	for arm := range uint8(numArms) {
		if g.room(p, 4*c+arm) {
			arms |= 1 << arm
		}
	}
	return arms
}

// room reports whether there is a connection at an end that can take a barricade (R1.2).
func (g *game) room(p *Position, e end) bool {
	return p.Links[e] != noLink && p.barricadesAt(e) < g.box.limits.Barricades
}

// arms returns the arms of a district with a connection.
func (p *Position) arms(c uint8) uint32 {
	arms := uint32(0)
	for arm := range uint8(numArms) {
		if p.Links[4*c+arm] != noLink {
			arms |= 1 << arm
		}
	}
	return arms
}

// checkCity refuses a city that is not connected (R2.2) or repeats a tile
// (R1.1).
func (b *box) checkCity(p *Position) error {
	seen := [numTiles]bool{}
	for c, t := range p.Tile {
		if t >= numTiles || seen[t] {
			return fmt.Errorf("cell %d: a city has %d different tiles (R1.1, R2.2)", c, numCells)
		}
		seen[t] = true
	}
	if !p.connected() {
		return fmt.Errorf("not every district can be reached from every other (R2.2)")
	}
	return nil
}
