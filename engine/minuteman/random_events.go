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
func (g *game) eventPhase(p *Position, w *flow.Witness) bool {
	if p.Step < stepMarkers {
		p.Seat = p.Gov
		if p.Step < stepGovChit {
			p.Seat = g.inOrder(p, 0)
			if p.Seat == noSeat {
				p.Step = stepGovChit
				return false
			}
		}
		return p.chance(askChit)
	}
	for ; int(p.Window)-g.seats < g.seats; p.Window++ {
		seat := g.windowSeat(p, p.Window-uint8(g.seats))
		want := 1 + uint8(b2u(p.Picks.has(seat)))
		if !p.Gone.has(seat) && p.Count < want && p.PoolSize > 0 {
			p.Seat = seat
			return p.chance(askMarker)
		}
		p.Count = 0
	}
	p.Picks = 0
	return g.enter(p, w, phaseG1)
}

// chitDrawn implements C12 and R14.1.
// Ruling 22: thirty Informers.
func (g *game) chitDrawn(p *Position, w *flow.Witness, n int) {
	if p.Phase == setUp {
		g.setUpEvent(p, w, n)
		return
	}
	if p.Step == stepRebelChit || p.Step == stepGovChit {
		p.FirstChit = uint8(n)
		p.Step++
		return
	}
	h := g.events[n][p.FirstChit]
	rebel := p.Step == stepRebelSecond
	p.Step++
	p.FirstChit = 0
	switch {
	case h == noHex:
		if p.Picks |= 1 << p.Seat; w != nil {
			w.All("pick", "R14.1", seatArg(p.Seat))
		}
		return
	case w != nil:
		w.All("event", "R14.1", seatArg(p.Seat), g.hexArg(h))
	}
	switch {
	case p.RevTurn > 0 || !g.open.has(h): // R14.2
	case rebel:
		g.newNetwork(p, w, "R14.1", p.Seat, h)
	default:
		g.addInformer(p, w, "R14.1", h)
	}
}

// markersLeft is the weight of C4: the markers of a kind in the pool. That only one kind
// is left is known to nobody, so that the draw is never taken as certain.
func markersLeft(_ *game, p *Position, m int) uint32 { return uint32(p.Pool[m]) }

// eventChitWeight is the weight of a chit of C12: two of each number, one of them gone
// for the second.
func (g *game) eventChitWeight(p *Position, n int) uint32 {
	second := p.Phase == setUp && p.SecondChit || p.Phase == phaseB && (p.Step == stepRebelSecond || p.Step == stepGovSecond)
	if second && int(p.FirstChit) == n {
		return 1
	}
	return 2
}

// markerDrawn implements R14.3 and C4: the marker goes from the pool to the hand.
func (g *game) markerDrawn(p *Position, w *flow.Witness, a engine.Action) {
	m := marker(a - outMarker)
	p.Pool[m]--
	p.PoolSize--
	p.Hand[p.Seat][m]++
	p.HandSize[p.Seat]++
	p.Count++
	if w != nil {
		w.Some(1<<p.Seat, "marker", "R14.3", seatArg(p.Seat), flow.Arg("marker", markerNames[m]))
		w.Others(1<<p.Seat, "marker", "R14.3", seatArg(p.Seat))
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
func (g *game) reactionPhase(p *Position, w *flow.Witness) bool {
	switch p.Step {
	case stepBasis:
		return p.decide(askReact, p.Gov)
	case stepReactDie:
		return p.chance(askReactDie)
	}
	if p.Count > 0 {
		if set := g.reactionPlaces(p); !set.empty() {
			return p.decide(askReactPlace, p.Gov)
		}
	}
	return g.enter(p, w, phaseG2)
}

// reactionColumn implements R15, R25.10 and R26.3: the column by Riots or by builds.
func (g *game) reactionColumn(p *Position, builds bool) int {
	if builds {
		return max(0, column(g.buildColumns[:], int(p.Track))-int(g.sc.ReactionShift))
	}
	return column(g.riotColumns[:], g.riotIndex(p))
}

// riotIndex is Riots and half the Unrests, fractions dropped (R15).
func (g *game) riotIndex(p *Position) int { return p.Riot.count() + p.Unrest.count()/2 }

func offerReact(_ *game, p *Position) {
	p.allow(actReactRiots)
	p.allow(actReactBuilds)
}

func (g *game) chooseReact(p *Position, _ *flow.Witness, a engine.Action) {
	p.Step = stepReactDie
	p.Column = uint8(g.reactionColumn(p, a == actReactBuilds))
}

// reactRoll implements C13.
func (g *game) reactRoll(p *Position, w *flow.Witness, die int) {
	r := g.reaction[die][p.Column]
	if w != nil {
		w.All("reaction", "R15", flow.Arg("column", int(p.Column)+1), flow.Arg("die", die), number("cigs", r.cigs), number("agents", r.agents))
	}
	p.Column, p.LastHex = 0, 0
	p.Step, p.Count = stepPlaceCIGs, r.cigs
	if r.agents > 0 {
		p.Step, p.Count = stepPlaceAgents, r.agents
	}
}

// reactionPlaces implements D61: ascending hexes, so that the rest fits behind.
func (g *game) reactionPlaces(p *Position) hexSet {
	k := cig
	if p.Step == stepPlaceAgents {
		k = agent
	}
	if g.freeUnit(p, k, p.Gov) == noUnit {
		return hexSet{}
	}
	left := 0
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex {
			left++
		}
	}
	area := g.area()
	return g.fitBehind(p, area.from(p.LastHex), k, min(int(p.Count), left))
}

// placedAt reports whether the last unit of a reaction stands where the order of hexes
// has come to.
func (g *game) placedAt(p *Position) bool {
	switch p.Step {
	case stepPlaceAgents:
		return p.LastHex < numHexes && g.first(p, agent, p.LastHex) != noUnit
	case stepPlaceCIGs:
		u := g.first(p, cig, p.LastHex-1)
		return u != noUnit && p.Units[u].Marks&placedNow != 0
	}
	return false
}

func (g *game) offerReactPlace(p *Position) {
	set := g.reactionPlaces(p)
	p.allowHexes(&set)
}

func (g *game) chooseReactPlace(p *Position, w *flow.Witness, a engine.Action) {
	h := HexID(a - actHex)
	p.Count--
	p.LastHex = h
	if p.Step == stepPlaceAgents {
		g.add(p, w, "R15", agent, p.Gov, h)
		return
	}
	u := g.add(p, w, "R15", cig, p.Gov, h)
	p.Units[u].Marks |= placedNow
	p.LastHex = h + 1
}
