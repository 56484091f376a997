package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

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
		want := 1 + uint8(b2u(p.picks.has(seat)))
		if !p.gone.has(seat) && p.count < want && p.poolSize > 0 {
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
		p.firstChit = uint8(n)
		p.step++
		return
	}
	h := g.events[n][p.firstChit]
	rebel := p.step == stepRebelSecond
	p.step++
	p.firstChit = 0
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

// markersLeft is the weight of C4: the markers of a kind in the pool. That only one kind
// is left is known to nobody, so that the draw is never taken as certain.
func markersLeft(_ *game, p *position, m int) uint32 { return uint32(p.pool[m]) }

// eventChitWeight is the weight of a chit of C12: two of each number, one of them gone
// for the second.
func (g *game) eventChitWeight(p *position, n int) uint32 {
	second := p.phase == setUp && p.secondChit || p.phase == phaseB && (p.step == stepRebelSecond || p.step == stepGovSecond)
	if second && int(p.firstChit) == n {
		return 1
	}
	return 2
}

// markerDrawn implements R14.3 and C4: the marker goes from the pool to the hand.
func (g *game) markerDrawn(p *position, w *flow.Witness, a engine.Action) {
	m := marker(a - outMarker)
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

func offerReact(_ *game, p *position) {
	p.allow(actReactRiots)
	p.allow(actReactBuilds)
}

func (g *game) chooseReact(p *position, _ *flow.Witness, a engine.Action) {
	p.step = stepReactDie
	p.column = uint8(g.reactionColumn(p, a == actReactBuilds))
}

// reactRoll implements C13.
func (g *game) reactRoll(p *position, w *flow.Witness, die int) {
	r := g.reaction[die][p.column]
	if w != nil {
		w.All("reaction", "R15", flow.Arg("column", int(p.column)+1), flow.Arg("die", die), number("cigs", r.cigs), number("agents", r.agents))
	}
	p.column, p.lastHex = 0, 0
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

// placedAt reports whether the last unit of a reaction stands where the order of hexes
// has come to.
func (g *game) placedAt(p *position) bool {
	switch p.step {
	case stepPlaceAgents:
		return p.lastHex < numHexes && g.first(p, agent, p.lastHex) != noUnit
	case stepPlaceCIGs:
		u := g.first(p, cig, p.lastHex-1)
		return u != noUnit && p.units[u].marks&placedNow != 0
	}
	return false
}

func (g *game) offerReactPlace(p *position) {
	set := g.reactionPlaces(p)
	p.allowHexes(&set)
}

func (g *game) chooseReactPlace(p *position, w *flow.Witness, a engine.Action) {
	h := HexID(a - actHex)
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
