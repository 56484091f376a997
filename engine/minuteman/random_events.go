package minuteman

import "powderkeg/engine/flow"

// Steps of phase B (R14).
const (
	stepRebelChit = iota
	stepRebelSecond
	stepGovChit
	stepGovSecond
	stepMarkers
)

// eventPhase implements R14 (phase B): chits for the Rebel and the Government, then
// special markers (C4) in seat order, the Government last. With several Rebels only
// the first in the order of movement draws chits (R28.2).
func (g *game) eventPhase(p *position, w *flow.Witness) bool {
	if p.step < stepMarkers {
		p.seat = p.gov
		if p.step < stepGovChit {
			p.seat = g.inOrder(p, 0)
			if p.seat == noSeat {
				p.step = stepGovChit
				return false
			}
		}
		return p.chance(askChit)
	}
	for ; int(p.window)-g.seats < g.seats; p.window++ {
		seat := g.windowSeat(p, p.window-uint8(g.seats))
		want := 1 + p.picks>>seat&1
		if p.gone>>seat&1 == 0 && p.count < want && p.poolSize > 0 {
			p.seat = seat
			return p.chance(askMarker)
		}
		p.count = 0
	}
	p.picks = 0
	return g.enter(p, w, phaseG1)
}

// chitDrawn implements C12 and R14.1.
// Ruling 22: thirty Informers.
func (g *game) chitDrawn(p *position, w *flow.Witness, n int) {
	if p.phase == setUp {
		g.setUpEvent(p, w, n)
		return
	}
	if p.step == stepRebelChit || p.step == stepGovChit {
		p.die = uint8(n)
		p.step++
		return
	}
	h := g.events[n][p.die]
	rebel := p.step == stepRebelSecond
	p.step++
	p.die = 0
	switch {
	case h == noHex:
		if p.picks |= 1 << p.seat; w != nil {
			w.All("pick", "R14.1", seatArg(p.seat))
		}
		return
	case w != nil:
		w.All("event", "R14.1", seatArg(p.seat), g.hexArg(h))
	}
	switch {
	case p.revTurn > 0 || !g.open.has(h): // R14.2
	case rebel:
		g.newNetwork(p, w, "R14.1", p.seat, h)
	default:
		g.addInformer(p, w, "R14.1", h)
	}
}

// markerDrawn implements R14.3 and C4: the marker goes from the pool to the hand.
func (g *game) markerDrawn(p *position, w *flow.Witness, m marker) {
	p.pool[m]--
	p.poolSize--
	p.hand[p.seat][m]++
	p.handSize[p.seat]++
	p.count++
	if w != nil {
		w.Some(1<<p.seat, "marker", "R14.3", seatArg(p.seat), flow.Arg("marker", markerNames[m]))
		w.Others(1<<p.seat, "marker", "R14.3", seatArg(p.seat))
	}
}

// Steps of phase G1 (R15).
const (
	stepBasis = iota
	stepReactDie
	stepPlaceCIGs
	stepPlaceAgents
)

// reactionPhase implements R15 (phase G1).
func (g *game) reactionPhase(p *position, w *flow.Witness) bool {
	switch p.step {
	case stepBasis:
		return p.decide(askReact, p.gov)
	case stepReactDie:
		return p.chance(askReactDie)
	}
	if p.count > 0 {
		if set := g.reactionPlaces(p); !set.empty() {
			return p.decide(askReactPlace, p.gov)
		}
	}
	return g.enter(p, w, phaseG2)
}

// reactionColumn implements R15, R25.10 and R26.3: the column by Riots or by builds.
func (g *game) reactionColumn(p *position, builds bool) int {
	if builds {
		return max(0, column(g.buildColumns[:], int(p.track))-int(g.sc.ReactionShift))
	}
	return column(g.riotColumns[:], g.riotIndex(p))
}

// riotIndex is Riots and half the Unrests, fractions dropped (R15).
func (g *game) riotIndex(p *position) int { return p.riot.count() + p.unrest.count()/2 }

func (g *game) chooseReact(p *position, a int) {
	p.step = stepReactDie
	p.die = uint8(g.reactionColumn(p, a == actReactBuilds))
}

// reactRoll implements C13.
func (g *game) reactRoll(p *position, w *flow.Witness, die int) {
	r := g.reaction[die][p.die]
	if w != nil {
		w.All("reaction", "R15", flow.Arg("column", int(p.die)+1), flow.Arg("die", die), number("cigs", r.cigs), number("agents", r.agents))
	}
	p.die, p.lastHex = 0, 0
	p.step, p.count = stepPlaceCIGs, r.cigs
	if r.agents > 0 {
		p.step, p.count = stepPlaceAgents, r.agents
	}
}

// reactionPlaces implements D61: ascending hexes, so that the rest fits behind.
func (g *game) reactionPlaces(p *position) hexSet {
	k := cig
	if p.step == stepPlaceAgents {
		k = agent
	}
	if g.freeUnit(p, k, p.gov) == noUnit {
		return hexSet{}
	}
	left := 0
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.units[u].hex == noHex {
			left++
		}
	}
	area := g.area()
	return g.fitBehind(p, area.from(p.lastHex), k, min(int(p.count), left))
}

func (g *game) chooseReactPlace(p *position, w *flow.Witness, a int) {
	h := int16(a - actHex)
	p.count--
	p.lastHex = h
	if p.step == stepPlaceAgents {
		g.add(p, w, "R15", agent, p.gov, h)
		return
	}
	u := g.add(p, w, "R15", cig, p.gov, h)
	p.units[u].marks |= placedNow
	p.lastHex = h + 1
}
