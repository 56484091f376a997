package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// drawn lays a counter that was drawn where it belongs (C1, C7, C17).
// the hex was named before.
func (g *game) drawn(p *Position, w *flow.Witness, a engine.Action) {
	c := CounterID(a - outCounter)
	d := p.Draw
	p.Draw = Draw{Hex: noHex}
	if d.Hex == noHex {
		p.Queue[p.Queued] = c
		if p.Queued++; w != nil {
			w.All("drawn", g.setUpRule(), flow.Arg("type", groupNames[g.masked[c].group]))
		}
		return
	}
	g.addMasked(p, w, g.drawRule(p, d.Ask), c, d.Hex, d.Marks)
}

// drawRule is the rule by which a counter is drawn and placed.
func (g *game) drawRule(p *Position, q ask) string {
	switch {
	case p.Phase == setUp:
		return g.setUpRule()
	case q == askForeignDivision:
		return "R30"
	case p.Rising.Stage == risingTurncoat:
		return "R28.8"
	}
	switch p.Phase {
	case phaseA2:
		if p.Builds.Step == stepArrival {
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
