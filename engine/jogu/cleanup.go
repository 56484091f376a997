package jogu

import "powderkeg/engine/flow"

// cleanup implements R11.1-R11.3 (Cleanup). A position may begin here, so cards
// that still lie face down are turned up first.
func (g *game) cleanup(p *position, w *flow.Witness) bool {
	g.turnUpAll(p, w)
	for s := range SeatID(numSeats) {
		g.cleanUp(p, w, s)
	}
	if w != nil {
		w.All("round_over", "R11.3", flow.Arg("round", int(p.round)), flow.Arg("points", p.points()), flow.Arg("morale", p.moraleOfBoth()))
	}
	if p.round == p.endMarker {
		winner, why := p.leader()
		p.finish(w, winner, why)
		return false
	}
	p.round++
	p.start = 1 - p.start
	g.beginRound(p, w)
	return false
}

// cleanUp clears away the cards of one seat. Cards with a Stay token lose it and
// stay (R11.1, R13.1); the Location Card goes to the public discard (R11.2).
func (g *game) cleanUp(p *position, w *flow.Witness, s SeatID) {
	seat, d := &p.seats[s], g.deckOf(p, s)
	for place := range Place(numPlaces) {
		if p.room.Cards[place] == 0 {
			continue
		}
		stay := seat.tokens[place]
		seat.tokens[place] = 0
		for t := range TypeID(len(d.cards)) {
			leave := seat.play[place][t]
			if t == d.tokened {
				leave -= stay
			}
			for range leave {
				g.discardFaceUp(p, s, t, place, false)
			}
			if w != nil {
				g.tellCleared(p, w, "left", s, t, place, leave)
				g.tellCleared(p, w, "stayed", s, t, place, seat.play[place][t])
			}
		}
	}
	l := &p.locs[s]
	if l.card != 0 {
		l.discard[l.card-firstLoc]++
		if w != nil {
			w.All("location_used", "R11.2", seatArg("seat", s), flow.Arg("location", int(l.card)))
		}
	}
	l.card, l.revealed, p.passed[s] = 0, false, false
}
