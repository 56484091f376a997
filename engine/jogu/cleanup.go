package jogu

import "powderkeg/engine/flow"

// cleanup implements R11.1-R11.3 (Cleanup). A position may begin here, so cards
// that still lie face down are turned up first.
func (g *game) cleanup(p *Position, w *flow.Witness) bool {
	g.turnUpAll(p, w)
	for s := range SeatID(numSeats) {
		g.cleanUp(p, w, s)
	}
	if w != nil {
		w.All("round_over", "R11.3", flow.Arg("round", int(p.Round)), flow.Arg("points", p.points()), flow.Arg("morale", p.moraleOfBoth()))
	}
	if p.Round == p.EndMarker {
		winner, why := p.leader()
		p.finish(w, winner, why)
		return false
	}
	p.Round++
	p.Start = 1 - p.Start
	g.beginRound(p, w)
	return false
}

// cleanUp clears away the cards of one seat. Cards with a Stay token lose it and
// stay (R11.1, R13.1); the Location Card goes to the public discard (R11.2).
func (g *game) cleanUp(p *Position, w *flow.Witness, s SeatID) {
	seat, d := &p.Seats[s], g.deckOf(p, s)
	for place := range Place(Places) {
		if p.Room.Cards[place] == 0 {
			continue
		}
		stay := seat.Tokens[place]
		seat.Tokens[place] = 0
		for t := range TypeID(len(d.cards)) {
			leave := seat.Play[place][t]
			if t == d.tokened {
				leave -= stay
			}
			for range leave {
				g.discardFaceUp(p, s, t, place, false)
			}
			if w != nil {
				g.tellCleared(p, w, "left", s, t, place, leave)
				g.tellCleared(p, w, "stayed", s, t, place, seat.Play[place][t])
			}
		}
	}
	l := &p.Locs[s]
	if l.Card != 0 {
		l.Discard[l.Card-FirstPlace]++
		if w != nil {
			w.All("location_used", "R11.2", seatArg("seat", s), flow.Arg("location", int(l.Card)))
		}
	}
	l.Card, l.Revealed, p.Passed[s] = 0, false, false
}
