package insurgency

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// inPlay implements R4.3 (Q22): Canada and Mexico are out of play unless a card
// opens them.
func (g *game) inPlay(p *Position) SpaceSet {
	if p.has(OpenBorders) {
		return everywhere
	}
	return g.box.us
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
func (g *game) tested(p *Position, w *flow.Witness, a engine.Action) {
	i, face := p.Testing, int(a-outD6)+1
	before := g.heardPoints(p, w)
	p.Spaces[i].Status = g.box.test[face]
	if w != nil {
		w.All("test", "R4.4", g.at(i), flow.Arg("die", face), flow.Arg("status", statusNames[p.Spaces[i].Status]))
	}
	g.tellPoints(p, w, "R5.1", before)
	p.Testing = noSpace
}

// shift moves a status marker one level: -1 toward Order, 1 toward Revolt. It is
// clamped; an unmarked space has no status to shift (R4.5, Q8).
func (g *game) shift(p *Position, w *flow.Witness, rule string, i SpaceID, dir int8) {
	switch s := p.Spaces[i].Status; {
	case s == unmarked:
	case dir < 0 && s > order:
		g.setStatus(p, w, rule, i, s-1)
	case dir > 0 && s < revolt:
		g.setStatus(p, w, rule, i, s+1)
	}
}

// toggle changes Anger to Defiance and Defiance to Anger.
func (g *game) toggle(p *Position, w *flow.Witness, rule string, i SpaceID) {
	switch p.Spaces[i].Status {
	case anger:
		g.setStatus(p, w, rule, i, defiance)
	case defiance:
		g.setStatus(p, w, rule, i, anger)
	}
}

func (g *game) setStatus(p *Position, w *flow.Witness, rule string, i SpaceID, status Status) {
	if w != nil {
		w.All("status", rule, g.at(i), flow.Arg("from", statusNames[p.Spaces[i].Status]), flow.Arg("status", statusNames[status]))
	}
	before := g.heardPoints(p, w)
	p.Spaces[i].Status = status
	g.tellPoints(p, w, "R5.1", before)
}

// addUnrest changes the Unrest of a space within its limits (R1.4). It never shifts a
// space by itself (R11.3.3).
func (g *game) addUnrest(p *Position, w *flow.Witness, rule string, i SpaceID, n int8) {
	old := p.Spaces[i].Unrest
	p.Spaces[i].Unrest = uint8(min(max(int8(old)+n, 0), int8(g.box.maxUnrest)))
	if w != nil && p.Spaces[i].Unrest != old {
		w.All("unrest", rule, g.at(i), flow.Arg("change", int(p.Spaces[i].Unrest)-int(old)), flow.Arg("unrest", int(p.Spaces[i].Unrest)))
	}
}

// gain and lose implement R1.5: resources stay from 0 to 30. They return what was
// really gained or lost.
func (g *game) gain(p *Position, w *flow.Witness, rule string, side Side, n uint8) uint8 {
	told := w != nil && n > 0
	n = min(n, maxMoney-p.Resources[side])
	p.Resources[side] += n
	if told {
		w.All("money", rule, bySeat("side", side), flow.Arg("change", int(n)), flow.Arg("resources", int(p.Resources[side])),
			flow.Said(fmt.Sprintf("gains $%d", n)))
	}
	return n
}

func (g *game) lose(p *Position, w *flow.Witness, rule string, side Side, n uint8) uint8 {
	told := w != nil && n > 0
	n = min(n, p.Resources[side])
	p.Resources[side] -= n
	if told {
		w.All("money", rule, bySeat("side", side), flow.Arg("change", -int(n)), flow.Arg("resources", int(p.Resources[side])),
			flow.Said(fmt.Sprintf("loses $%d", n)))
	}
	return n
}

// vp implements R5.1: victory points of a side.
func (g *game) vp(p *Position, side Side) int { return g.points(p)[side] }

// points returns the victory points of both sides, in one pass over the map: they are asked
// for with every observation.
func (g *game) points(p *Position) [numSeats]int {
	red, blue := int(p.OnMap[rebelBase]), int(p.OnMap[federalBase])
	for i := range p.Spaces {
		status, n := p.Spaces[i].Status, int(g.box.spaces[i].population)
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
func (g *game) edge(p *Position) Side { return g.box.sm[p.Social].edge }
