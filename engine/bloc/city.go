package bloc

import (
	"fmt"
	"math/bits"
)

// Arms of a cell, clockwise from the north (R3.1).
const (
	North Arm = iota
	East
	South
	West
)

var armNames = [Arms]string{"N", "E", "S", "W"}

// String returns the letter of an arm, N, E, S or W.
func (a Arm) String() string { return armNames[a] }

// Opposite returns the arm on the other side of a cell.
func (a Arm) Opposite() Arm { return a ^ 2 }

// CellSet is a set of cells, bit 5*row+column.
type CellSet uint32

// Has reports whether a cell is in the set.
func (s CellSet) Has(c CellID) bool { return s>>c&1 != 0 }

// First returns the lowest cell of a set that is not empty.
func (s CellSet) First() CellID { return CellID(bits.TrailingZeros32(uint32(s))) }

// Count returns how many cells there are.
func (s CellSet) Count() uint8 { return uint8(bits.OnesCount32(uint32(s))) }

func at(c CellID) CellSet { return 1 << c }

// End is one end of a connection: 4*cell+arm.
type End uint8

// EndOf returns the end of a connection at an arm of a cell.
func EndOf(c CellID, arm Arm) End { return End(Arms*uint8(c) + uint8(arm)) }

// Cell returns the cell of an end.
func (e End) Cell() CellID { return CellID(e / Arms) }

// Arm returns its arm.
func (e End) Arm() Arm { return Arm(e % Arms) }

// step returns the cell beyond an arm, NoCell off the grid.
func step(c CellID, arm Arm) CellID {
	row, col := c/Side, c%Side
	switch {
	case arm == North && row > 0:
		return c - Side
	case arm == East && col < Side-1:
		return c + 1
	case arm == South && row < Side-1:
		return c + Side
	case arm == West && col > 0:
		return c - 1
	}
	return NoCell
}

// deadEnd implements R3.1 (Arms): the arm of a three-way district that is closed.
func deadEnd(rotation uint8) Arm { return Arm(rotation) }

// through implements R3.2 (Highways): where a highway leads that is entered by an
// arm. The Overpass goes straight (Ruling 2).
func through(r roads, rotation uint8, in Arm) Arm {
	switch {
	case r == straight:
		return in.Opposite()
	case rotation&1 == 0: // north with east, south with west
		return in ^ 1
	default: // north with west, east with south
		return 3 - in
	}
}

// open reports whether a street leaves the district in a cell by an arm.
func (b *box) open(p *Position, c CellID, arm Arm) bool {
	return b.tiles[p.Tile[c]].Roads == fourWay || arm != deadEnd(p.Rotation[c])
}

// link implements R3.3 (Connection): the end at which a street from a district
// arrives, and whether it ran over a highway. NoEnd if it is a dead end or leads
// back.
func (b *box) link(p *Position, c CellID, arm Arm) (End, bool) {
	if !b.open(p, c, arm) {
		return NoEnd, false
	}
	far, by, over := c, arm, false
	for {
		if far = step(far, by); far == NoCell {
			return NoEnd, false
		}
		t, in := &b.tiles[p.Tile[far]], by.Opposite()
		if t.Type != TypeHighway {
			if far == c || !b.open(p, far, in) {
				return NoEnd, false
			}
			return EndOf(far, in), over
		}
		// A chain cannot run in a circle: each pair of joined arms is passed once
		// in each direction, and the way began at a district.
		by, over = through(t.Roads, p.Rotation[far], in), true
	}
}

// build lays out a whole city: the tiles, and what follows from them (R3.4,
// R3.5, R3.6).
func (b *box) build(p *Position, city *[Cells]placed) {
	for c, x := range city {
		p.Tile[c], p.Rotation[c] = x.tile, x.rotation
	}
	b.survey(p)
}

// survey derives connections, adjacency and the sets of cells from the tiles.
func (b *box) survey(p *Position) {
	p.Survey = Survey{}
	order := [maxID + 1]CellID{}
	for c := range CellID(Cells) {
		t := &b.tiles[p.Tile[c]]
		p.OfType[t.Type] |= at(c)
		for arm := range Arm(Arms) {
			p.Links[EndOf(c, arm)] = NoEnd
		}
		if t.Type == TypeHighway {
			continue
		}
		p.Districts |= at(c)
		order[t.ID] = c + 1
		if t.Metro {
			p.Metro |= at(c)
		}
		for arm := range Arm(Arms) {
			far, over := b.link(p, c, arm)
			p.Links[EndOf(c, arm)] = far
			if far == NoEnd {
				continue
			}
			p.Near[c] |= at(far.Cell())
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
	reached := at(p.Districts.First())
	for todo := reached; todo != 0; {
		c := todo.First()
		todo &^= at(c)
		todo |= p.Near[c] &^ reached
		reached |= p.Near[c]
	}
	return reached == p.Districts
}

// Reach implements R5.3 (Movement): it returns the districts that blocs in cell from can go
// to. Districts with police are entered last, never passed; the metro joins all its
// stations at once unless it is locked (R8.9).
func (p *Position) Reach(from CellID) CellSet {
	reached := at(from)
	for todo := reached; todo != 0; {
		c := todo.First()
		todo &^= at(c)
		next := p.Steps(c)
		todo |= next &^ reached &^ p.Police
		reached |= next
	}
	return reached &^ at(from)
}

// Steps returns the districts that are one step from a district, over a connection or by the
// metro.
func (p *Position) Steps(c CellID) CellSet {
	if p.Lockdown == NoFaction && p.Metro.Has(c) {
		return p.Near[c] | p.Metro
	}
	return p.Near[c]
}

// barricadesAt implements R3.6: the barricades of the connection at an end.
func (p *Position) barricadesAt(e End) uint8 {
	return p.Barricades[e] + p.Barricades[p.Links[e]]
}

// slot implements R3.6 (Barricade storage; Ruling 4): where the barricades of a
// connection lie that are built at an end. A highway has them apart at either end, a street in
// one place, that of its lower end.
func (p *Position) slot(e End) End {
	if far := p.Links[e]; !p.overHighway(e) && far < e {
		return far
	}
	return e
}

// overHighway reports whether the connection at an end runs over a highway.
func (p *Position) overHighway(e End) bool { return p.Over[e.Cell()]>>e.Arm()&1 != 0 }

// freeArms returns the arms of a district whose connection has room for a
// barricade (R1.2), none if the pile is empty.
func (b Board) freeArms(c CellID) uint32 {
	arms := uint32(0)
	if b.Pile == 0 {
		return 0
	}
	for arm := range Arm(Arms) {
		if b.room(EndOf(c, arm)) {
			arms |= 1 << arm
		}
	}
	return arms
}

// room reports whether there is a connection at an end that can take a barricade (R1.2).
func (b Board) room(e End) bool {
	return b.Links[e] != NoEnd && b.barricadesAt(e) < b.box.limits.Barricades
}

// arms returns the arms of a district with a connection.
func (p *Position) arms(c CellID) uint32 {
	arms := uint32(0)
	for arm := range Arm(Arms) {
		if p.Links[EndOf(c, arm)] != NoEnd {
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
			return fmt.Errorf("cell %d: a city has %d different tiles (R1.1, R2.2)", c, Cells)
		}
		seen[t] = true
	}
	if !p.connected() {
		return fmt.Errorf("not every district can be reached from every other (R2.2)")
	}
	return nil
}
