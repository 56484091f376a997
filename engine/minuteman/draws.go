package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// drawn lays a counter that was drawn where it belongs (C1, C7, C17).
// the hex was named before.
func (g *game) drawn(p *position, w *flow.Witness, a engine.Action) {
	c := uint8(a - outCounter)
	d := p.draw
	p.draw = draw{hex: noHex}
	if d.hex == noHex {
		p.queue[p.queued] = c
		if p.queued++; w != nil {
			w.All("drawn", g.setUpRule(), flow.Arg("type", groupNames[g.masked[c].group]))
		}
		return
	}
	g.addMasked(p, w, g.drawRule(p, d.ask), c, d.hex, d.marks)
}

// drawRule is the rule by which a counter is drawn and placed.
func (g *game) drawRule(p *position, q ask) string {
	switch {
	case p.phase == setUp:
		return g.setUpRule()
	case q == askForeignDivision:
		return "R30"
	case p.rising.stage == risingTurncoat:
		return "R28.8"
	}
	switch p.phase {
	case phaseA2:
		if p.step == stepArrival {
			return "R29.4"
		}
		return "R7.5"
	case phaseG2:
		if q == askDivision {
			return "R27.2"
		}
		return "R7.5" // of a federalized Rebel
	case phaseA3, phaseG3:
		return "R20.5"
	}
	return "R10.12"
}
