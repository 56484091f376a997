package jogu

import (
	"fmt"

	"powderkeg/engine/flow"
)

// resolution implements R10.1-R10.7 (Resolution).
func (g *game) resolution(p *Position, w *flow.Witness) bool {
	g.turnUpAll(p, w)
	for i := range p.Seats {
		p.Passed[i] = true // a position may begin here without saying so (R8.7)
		p.LastCards[i] = p.Locs[i].Card
		p.Locs[i].Revealed = p.Locs[i].Card != 0
	}
	if w != nil {
		w.All("location_cards", "R10.1", flow.Arg("locations", []int{int(p.LastCards[0]), int(p.LastCards[1])}),
			flow.Said(fmt.Sprintf("%s (seat 0) and %s (seat 1)", locationText(p.LastCards[0]), locationText(p.LastCards[1]))))
	}
	p.LastBattle = g.battleLocations(p, w)
	if w != nil {
		w.All("battle_locations", "R10.2", flow.Arg("locations", p.LastBattle.numbers()))
	}
	g.masterOfEarth(p, w)
	if w != nil {
		g.tellBoard(p, w)
	}
	for s := range SeatID(numSeats) {
		p.LastRatings[s] = g.rating(p, s)
	}
	p.LastWinner = roundWinner(p.LastRatings, p.Start)
	p.Winners[p.Scored] = p.LastWinner // R10.6
	p.Scored++
	if w != nil {
		p.tellRoundWon(w)
	}
	p.Phase = cleanup
	loser := 1 - p.LastWinner
	g.loseMorale(p, w, loser, g.moraleInPlay(p, loser), "R10.7")
	return false
}

// roundWinner implements R10.5: the higher rating wins, and ties, 0-0 too, go to the
// start player.
func roundWinner(ratings [numSeats]uint16, start SeatID) SeatID {
	switch {
	case ratings[0] > ratings[1]:
		return 0
	case ratings[1] > ratings[0]:
		return 1
	}
	return start
}

// turnUpAll implements R10.1 and Q15: the face-down cards are turned face up.
func (g *game) turnUpAll(p *Position, w *flow.Witness) {
	for s := range SeatID(numSeats) {
		for place := range Place(Places) {
			for slot := uint8(0); p.Seats[s].Down[place][0] != 0; slot++ {
				t := g.liftDown(p, s, place, 0)
				g.lay(p, s, t, place)
				if w != nil {
					g.tellTurnedUp(p, w, "R10.1", s, t, place, slot)
				}
			}
		}
	}
}

// battleLocations implements R10.2 and R2.8: the Location Cards, Locations that
// cards add (Dragoon R13.2 and Q26, Lantern Bearer R13.30), less those that a
// Punisher removes (R13.5).
func (g *game) battleLocations(p *Position, w *flow.Witness) PlaceSet {
	var added, removed PlaceSet
	for s := range SeatID(numSeats) {
		if n := p.Locs[s].Card; n != 0 {
			added |= 1 << (n - FirstPlace)
			if w != nil {
				w.All("named", "R10.2", flow.Arg("location", int(n)), seatArg("owner", s), flow.Arg("by", "location_card"),
					flow.Said(fmt.Sprintf("The Location Card of seat %d", s)))
			}
		}
		d := g.deckOf(p, s)
		for place := range Place(Places) {
			for t, types := TypeID(0), d.resolving; types != 0; t, types = t+1, types>>1 {
				if types&1 == 0 || p.Seats[s].Play[place][t] == 0 {
					continue
				}
				for i := range d.cards[t].Effects {
					e := &d.cards[t].Effects[i]
					at := e.On(place)
					switch e.Op {
					case AddBattleLocation:
						added |= 1 << at
						if w != nil {
							w.All("named", d.cards[t].Rule, placeArg("location", at), seatArg("owner", s), flow.Arg("by", d.cards[t].Key), placeArg("from", place),
								flow.Said(fmt.Sprintf("%s of seat %d at Location %d", d.cards[t].Name, s, place+FirstPlace)))
						}
					case RemoveBattleLocation:
						removed |= 1 << at
						if w != nil {
							w.All("struck_out", d.cards[t].Rule, placeArg("location", at), seatArg("owner", s), flow.Arg("by", d.cards[t].Key), placeArg("from", place))
						}
					}
				}
			}
		}
	}
	return added &^ removed
}

// masterOfEarth implements R10.3, R13.10, Q14 and Q17: spare Capacity, reckoned
// after the reveal, becomes morale before any is lost.
func (g *game) masterOfEarth(p *Position, w *flow.Witness) {
	for s := range SeatID(numSeats) {
		d := g.deckOf(p, s)
		for t, types := TypeID(0), d.resolving; types != 0; t, types = t+1, types>>1 {
			if types&1 == 0 || d.cards[t].Effects[0].Op != GainMorale {
				continue
			}
			for place := range Place(Places) {
				n := uint16(p.Seats[s].Play[place][t])
				total := g.strengthAt(p, 0, place) + g.strengthAt(p, 1, place)
				if n > 0 && total < g.box.capacity {
					p.Morale[s] += n * (g.box.capacity - total)
					if w != nil {
						g.tellGain(p, w, s, t, place, n, g.box.capacity-total)
					}
				}
			}
		}
	}
}

// strengthAt returns the sum of the Strength of seat s's face-up cards at a
// Location.
func (g *game) strengthAt(p *Position, s SeatID, place Place) uint16 {
	n, cards := uint16(0), &p.Seats[s].Play[place]
	if *cards == ([Types]uint8{}) {
		return 0
	}
	strength := &g.deckOf(p, s).strength
	for t, k := range cards {
		n += uint16(strength[t]) * uint16(k)
	}
	return n
}

// rating implements R10.4: the Strategy Rating of seat s.
func (g *game) rating(p *Position, s SeatID) uint16 {
	n := uint16(0)
	for place := range Place(Places) {
		if p.LastBattle.has(place) {
			n += uint16(FirstPlace+place) * g.strengthAt(p, s, place)
		}
	}
	return n
}

// moraleInPlay implements R10.7: the Morale of all own cards in play, at every
// Location, staying ones included.
func (g *game) moraleInPlay(p *Position, s SeatID) uint16 {
	n := uint16(0)
	morale := &g.deckOf(p, s).morale
	for place := range p.Seats[s].Play {
		if p.Room.Cards[place] == 0 {
			continue
		}
		for t, k := range &p.Seats[s].Play[place] {
			n += uint16(morale[t]) * uint16(k)
		}
	}
	return n
}
