package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// weight returns the weight of a chance outcome, 0 if it is impossible here.
func (g *game) weight(p *position, a int) uint32 {
	switch {
	case a < 0 || a >= numOuts:
		return 0
	case a < outChit:
		return g.dieWeight(p) * b2u(a < outDie+6) * g.dieAllowed(p, a+1)
	case a < outMarker:
		return g.numberWeight(p, a-outChit)
	case a < outCounter:
		if p.ask == askMarker {
			return uint32(p.pool[a-outMarker])
		}
	case a < outSeat:
		if isDraw(p.ask) {
			set := g.drawable(p)
			return b2u(set.has(uint8(a - outCounter)))
		}
	default:
		if p.ask == askTie {
			return uint32(p.ties >> (a - outSeat) & 1)
		}
	}
	return 0
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func isDraw(q ask) bool { return q == askDivision || q == askMilitia || q == askForeignDivision }

// dieWeight is 1 where a die is cast.
func (g *game) dieWeight(p *position) uint32 {
	switch p.ask {
	case askConvert, askSpreadDie, askBuildDie, askMoveDie, askCombatDie, askBetrayalDie, askKillDie, askReactDie, askPinDie,
		askRevDie, askForeignDie, askAirDie, askCIGDie, askOrderDie, askStepDie:
		return 1
	}
	return 0
}

// dieAllowed is 0 for a face that would be rolled again: a country off the map for
// the place of foreign intervention (Ruling 46).
func (g *game) dieAllowed(p *position, die int) uint32 {
	if p.ask == askForeignDie && p.foreignStage == foreignPlaceDie && die >= 5 && !g.neighbours && !g.borderless {
		return 0
	}
	return 1
}

// numberWeight is the weight of a chit (C2, C12).
func (g *game) numberWeight(p *position, n int) uint32 {
	switch p.ask {
	case askSetupChit:
		return g.chitWeight(p, n)
	case askChit:
		second := p.phase == setUp && p.lastClass == 1 || p.phase == phaseB && (p.step == stepRebelSecond || p.step == stepGovSecond)
		if second && int(p.die) == n {
			return 1
		}
		return 2
	}
	return 0
}

// Outcomes implements engine.Stochastic.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.p.actor != engine.Chance {
		return dst
	}
	if isDraw(s.p.ask) {
		for i, w := range s.g.drawable(&s.p) {
			for ; w != 0; w &= w - 1 {
				dst = append(dst, engine.Outcome{Action: engine.Action(outCounter + i<<6 + trailing(w)), Weight: 1})
			}
		}
		return dst
	}
	first, end := s.g.outcomeRange(&s.p)
	for a := first; a < end; a++ {
		if w := s.g.weight(&s.p, a); w > 0 {
			dst = append(dst, engine.Outcome{Action: engine.Action(a), Weight: w})
		}
	}
	return dst
}

// outcomeRange bounds the outcomes of the question at rest, if it is no draw.
func (g *game) outcomeRange(p *position) (first, end int) {
	switch p.ask {
	case askSetupChit, askChit:
		return outChit, outMarker
	case askMarker:
		return outMarker, outCounter
	case askTie:
		return outSeat, numOuts
	}
	return outDie, outChit
}

// onlyOutcome returns the first outcome and the number of outcomes, counted up to 2. The
// draw of a special marker is never taken as certain: whether the pool holds one kind
// only is known to nobody.
func (g *game) onlyOutcome(p *position) (a, n int) {
	if p.ask == askMarker && p.poolSize > 0 {
		return 0, 2
	}
	if isDraw(p.ask) {
		set := g.drawable(p)
		if n = set.count(); n > 0 {
			a = outCounter + int(set.first())
		}
		return a, min(n, 2)
	}
	first, end := g.outcomeRange(p)
	for i := first; i < end && n < 2; i++ {
		if g.weight(p, i) > 0 {
			if n == 0 {
				a = i
			}
			n++
		}
	}
	return a, n
}

// happen carries out a possible chance outcome. What follows from it is left to
// settle.
func (g *game) happen(p *position, w *flow.Witness, a int) {
	if w != nil {
		g.tellChance(p, w, a)
	}
	die := a + 1
	switch p.ask {
	case askDivision, askMilitia, askForeignDivision:
		g.drawn(p, w, uint8(a-outCounter))
	case askSetupChit:
		g.setUpChit(p, w, a-outChit)
	case askConvert:
		g.convert(p, w, die)
	case askMarker:
		g.markerDrawn(p, w, marker(a-outMarker))
	case askSpreadDie:
		g.spreadDie(p, w, die)
	case askBuildDie:
		g.buildRoll(p, w, die)
	case askMoveDie:
		if p.combat.stage == combatZoneDie {
			g.zoneRoll(p, w, die)
			return
		}
		g.moveRoll(p, w, die)
	case askCombatDie:
		g.combatRoll(p, w, die)
	case askBetrayalDie:
		g.betrayalRoll(p, w, die)
	case askKillDie:
		g.murder(p, w, die)
	case askChit:
		g.chitDrawn(p, w, a-outChit)
	case askReactDie:
		g.reactRoll(p, w, die)
	case askPinDie:
		g.pinDie(p, w, die)
	case askRevDie:
		g.revolutionDie(p, w, die)
	case askForeignDie:
		g.foreignRoll(p, w, die)
	case askAirDie:
		g.airRoll(p, w, die)
	case askCIGDie:
		g.raiseDie(p, w, die)
	case askOrderDie:
		p.roll[p.seat] = uint8(die)
	case askTie:
		p.lot = uint8(a - outSeat)
	case askStepDie:
		p.die = uint8(die)
	default:
		panic("minuteman: a chance outcome where none is awaited")
	}
}

// drawn lays a counter that was drawn where it belongs (C1, C7, C17).
// the hex was named before.
func (g *game) drawn(p *position, w *flow.Witness, c uint8) {
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
