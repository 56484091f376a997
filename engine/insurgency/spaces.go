package insurgency

import (
	"fmt"

	"powderkeg/engine"
)

// inPlay implements R4.3 (Q22): Canada and Mexico are out of play unless a card
// opens them.
func (b Board) inPlay() SpaceSet {
	if b.has(OpenBorders) {
		return everywhere
	}
	return b.box.us
}

// has tells whether the event of a momentum key is in play.
func (p *Position) has(key MomentumKey) bool { return p.Momentum.Has(key) }

// needsTest implements R4.4: it makes the test of an unmarked space due and tells
// whether it did.
func (p *Position) needsTest(i SpaceID) bool {
	if p.Spaces[i].Status != unmarked {
		return false
	}
	p.Testing = i
	return true
}

// tested carries out C2. A test may take points, since a card can order one of a space in
// Order or Revolt.
func (b Board) tested(a engine.Action) {
	i, face := b.Testing, int(a-outD6)+1
	before := b.heardPoints()
	b.Spaces[i].Status = b.box.test[face]
	b.tell(spaceTested, "R4.4", i, face, b.Spaces[i].Status)
	b.tellPoints("R5.1", before)
	b.Testing = noSpace
}

// shift moves a status marker one level: -1 toward Order, 1 toward Revolt. It is
// clamped; an unmarked space has no status to shift (R4.5, Q8).
func (b Board) shift(rule string, i SpaceID, dir int8) {
	switch s := b.Spaces[i].Status; {
	case s == unmarked:
	case dir < 0 && s > order:
		b.setStatus(rule, i, s-1)
	case dir > 0 && s < revolt:
		b.setStatus(rule, i, s+1)
	}
}

// toggle changes Anger to Defiance and Defiance to Anger.
func (b Board) toggle(rule string, i SpaceID) {
	switch b.Spaces[i].Status {
	case anger:
		b.setStatus(rule, i, defiance)
	case defiance:
		b.setStatus(rule, i, anger)
	}
}

func (b Board) setStatus(rule string, i SpaceID, status Status) {
	b.tell(statusShifted, rule, i, b.Spaces[i].Status, status)
	before := b.heardPoints()
	b.Spaces[i].Status = status
	b.tellPoints("R5.1", before)
}

// addUnrest changes the Unrest of a space within its limits (R1.4). It never shifts a
// space by itself (R11.3.3).
func (b Board) addUnrest(rule string, i SpaceID, n int8) {
	old := b.Spaces[i].Unrest
	b.Spaces[i].Unrest = uint8(min(max(int8(old)+n, 0), int8(b.box.maxUnrest)))
	if b.w != nil && b.Spaces[i].Unrest != old {
		b.tell(unrestChanged, rule, i, int(b.Spaces[i].Unrest)-int(old), b.Spaces[i].Unrest)
	}
}

// gain and lose implement R1.5: resources stay from 0 to 30. They return what was
// really gained or lost.
func (b Board) gain(rule string, side Side, n uint8) uint8 {
	told := b.w != nil && n > 0
	n = min(n, maxMoney-b.Resources[side])
	b.Resources[side] += n
	if told {
		b.tell(moneyChanged, rule, side, n, b.Resources[side], fmt.Sprintf("gains $%d", n))
	}
	return n
}

func (b Board) lose(rule string, side Side, n uint8) uint8 {
	told := b.w != nil && n > 0
	n = min(n, b.Resources[side])
	b.Resources[side] -= n
	if told {
		b.tell(moneyChanged, rule, side, -int(n), b.Resources[side], fmt.Sprintf("loses $%d", n))
	}
	return n
}

// vp implements R5.1: victory points of a side.
func (b Board) vp(side Side) int { return b.points()[side] }

// points returns the victory points of both sides, in one pass over the map: they are asked
// for with every observation.
func (b Board) points() [numSeats]int {
	red, blue := int(b.OnMap[rebelBase]), int(b.OnMap[federalBase])
	for i := range b.Spaces {
		status, n := b.Spaces[i].Status, int(b.box.spaces[i].population)
		if status == revolt {
			red += n
		}
		if status == order {
			blue += n
		}
	}
	return [numSeats]int{red, blue}
}

// edge implements R13.3.4 (Edge): who wins ties.
func (b Board) edge() Side { return b.box.sm[b.Social].edge }
