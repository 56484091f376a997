package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// eventStep is how far phase B has come (R14).
type eventStep uint8

const (
	stepRebelChit eventStep = iota
	stepRebelSecond
	stepGovChit
	stepGovSecond
	stepMarkers
)

// eventPhase implements R14 (phase B): chits for the Rebel and the Government, then
// special markers (C4) in seat order, the Government last. With several Rebels only
// the first in the order of movement draws chits (R28.2).
func (g *game) eventPhase(p *Position, w *flow.Witness) bool {
	if p.Events.Step < stepMarkers {
		p.Seat = p.Gov
		if p.Events.Step < stepGovChit {
			p.Seat, _ = g.inOrder(p, 0)
			if p.Seat == noSeat {
				p.Events.Step = stepGovChit
				return false
			}
		}
		return p.chance(askChit)
	}
	for ; int(p.Events.Seats) < g.Seats; p.Events.Seats++ {
		seat := g.windowSeat(p, p.Events.Seats)
		want := 1 + uint8(b2u(p.Picks.Has(seat)))
		if !p.Gone.Has(seat) && p.Events.Markers < want && p.PoolSize > 0 {
			p.Seat = seat
			return p.chance(askMarker)
		}
		p.Events.Markers = 0
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
	if p.Events.Step == stepRebelChit || p.Events.Step == stepGovChit {
		p.FirstChit = uint8(n)
		p.Events.Step++
		return
	}
	h := g.events[n][p.FirstChit]
	rebel := p.Events.Step == stepRebelSecond
	p.Events.Step++
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
	second := p.SetUp.ChitsDrawn > 0 || p.Phase == phaseB && (p.Events.Step == stepRebelSecond || p.Events.Step == stepGovSecond)
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
	if p.Phase == setUp {
		p.SetUp.Done++
	} else {
		p.Events.Markers++
	}
	if w != nil {
		w.Some(1<<p.Seat, "marker", "R14.3", seatArg(p.Seat), flow.Arg("marker", markerNames[m]))
		w.Others(1<<p.Seat, "marker", "R14.3", seatArg(p.Seat))
	}
}

// reactStep is how far phase G1 has come (R15).
type reactStep uint8

const (
	stepBasis reactStep = iota
	stepReactDie
	stepPlaceCIGs
	stepPlaceAgents
)

// reactionPhase implements R15 (phase G1).
func (g *game) reactionPhase(p *Position, w *flow.Witness) bool {
	switch p.Reaction.Step {
	case stepBasis:
		return p.decide(askReact, p.Gov)
	case stepReactDie:
		return p.chance(askReactDie)
	}
	if p.Reaction.Left > 0 {
		if set := g.reactionPlaces(p); !set.empty() {
			return p.decide(askReactPlace, p.Gov)
		}
	}
	return g.enter(p, w, phaseG2)
}

// reactionColumn implements R15, R25.10 and R26.3: the column by Riots or by builds.
func (g *game) reactionColumn(p *Position, builds bool) int {
	if builds {
		return max(0, column(g.Reaction.Builds[:], int(p.Track))-int(g.sc.ReactionShift))
	}
	return column(g.Reaction.Riots[:], g.riotIndex(p))
}

// riotIndex is Riots and half the Unrests, fractions dropped (R15).
func (g *game) riotIndex(p *Position) int { return p.Riot.count() + p.Unrest.count()/2 }

func (g *game) chooseReact(p *Position, _ *flow.Witness, a engine.Action) {
	p.Reaction.Step = stepReactDie
	p.Reaction.Column = uint8(g.reactionColumn(p, a == actReactBuilds))
}

// reactRoll implements C13.
func (g *game) reactRoll(p *Position, w *flow.Witness, die int) {
	r := g.Reaction.Cells[die][p.Reaction.Column]
	if w != nil {
		w.All("reaction", "R15", flow.Arg("column", int(p.Reaction.Column)+1), flow.Arg("die", die), number("cigs", r.cigs), number("agents", r.agents))
	}
	p.Reaction.Column, p.LastHex = 0, 0
	p.Reaction.Step, p.Reaction.Left = stepPlaceCIGs, r.cigs
	if r.agents > 0 {
		p.Reaction.Step, p.Reaction.Left = stepPlaceAgents, r.agents
	}
}

// reactionPlaces implements D61: ascending hexes, so that the rest fits behind.
func (g *game) reactionPlaces(p *Position) hexSet {
	k := cig
	if p.Reaction.Step == stepPlaceAgents {
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
	return g.fitBehind(p, area.from(p.LastHex), k, min(int(p.Reaction.Left), left))
}

func (g *game) chooseReactPlace(p *Position, w *flow.Witness, a engine.Action) {
	h := HexID(a - actHex)
	p.Reaction.Left--
	p.LastHex = h
	if p.Reaction.Step == stepPlaceAgents {
		g.add(p, w, "R15", agent, p.Gov, h)
		return
	}
	u := g.add(p, w, "R15", cig, p.Gov, h)
	p.Units[u].Marks |= placedNow
	p.LastHex = h + 1
}
