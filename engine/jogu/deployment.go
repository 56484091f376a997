package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// deployment implements R8.1-R8.2 and R8.6-R8.7, D2: turns alternate from the
// start player on; a player who has passed is skipped, and the phase ends when
// both have.
func (g *game) deployment(p *Position) bool {
	if p.Passed[p.Turn] {
		if p.Passed[1-p.Turn] {
			p.Phase, p.Turn = resolution, 0
			return false
		}
		p.Turn = 1 - p.Turn
		return false
	}
	types := g.playable(p, p.Turn, &p.Seats[p.Turn].Hand)
	return p.decide(TurnDecision, p.Turn, 1<<ActEnd|g.cardActions(p, p.Turn, types))
}

// chooseTurn carries out an action of D2: a pass, final for the round and recorded
// like any other if it was forced (Q36), or the choice of a card.
func (g *game) chooseTurn(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActEnd {
		p.Passed[p.Turn] = true
		p.Turn = 1 - p.Turn
		return
	}
	g.choosePlay(p, w, a)
}

// playable implements R8.5: the types among the counts that seat s could play
// somewhere. A card without a legal Location can't be chosen.
func (g *game) playable(p *Position, s SeatID, counts *[Types]uint8) typeSet {
	var set typeSet
	cards := g.deckOf(p, s).cards
	for t := range cards {
		if counts[t] > 0 && cards[t].legal(&p.Room) != 0 {
			set |= 1 << t
		}
	}
	return set
}

// legalPlaces returns the Locations to which seat s may play a card of type t.
func (g *game) legalPlaces(p *Position, s SeatID, t TypeID) PlaceSet {
	return g.deckOf(p, s).cards[t].legal(&p.Room)
}

// Room is how the Locations are taken up by the cards of both players.
type Room struct {
	Used              [Places]int16 // capacity strength
	Cards             [Places]int8
	Engineers, Towers [Places]int8
}

// add enters n cards at a place, or takes them out if n is negative.
func (r *Room) add(c *Card, place Place, n int8) {
	r.Used[place] += int16(n) * int16(c.Capacity)
	r.Cards[place] += n
	switch {
	case c.engineer:
		r.Engineers[place] += n
	case c.tower:
		r.Towers[place] += n
	}
}

// legal implements R8.3, R8.4 and the formula of section 17: the Locations to which the
// card may be played. Above Capacity nothing fits but Towers, and at exactly Capacity a
// card of Strength 0 does (R8.4); Engineers have a lower limit (R13.23), and Knights
// one Location (R13.4). Masters of Wind need an empty Location (R13.8), Towers one with
// more Engineers than Towers, of both players (R13.24-R13.27, R2.7, Q11, Q18, R19.2).
func (c *Card) legal(r *Room) PlaceSet {
	set := c.places
	if !c.anyCapacity {
		for place, used := range r.Used {
			if used > c.spare {
				set &^= 1 << place
			}
		}
	}
	if c.emptyOnly {
		for place, n := range r.Cards {
			if n > 0 {
				set &^= 1 << place
			}
		}
	}
	if c.moreEngineers {
		for place, n := range r.Engineers {
			if n <= r.Towers[place] {
				set &^= 1 << place
			}
		}
	}
	return set
}

// lay puts a card of seat s into a Location face up (R2.1).
func (g *game) lay(p *Position, s SeatID, t TypeID, place Place) {
	p.Seats[s].Play[place][t]++
	p.Room.add(&g.deckOf(p, s).cards[t], place, 1)
}

// lift takes a face-up card of seat s out of a Location.
func (g *game) lift(p *Position, s SeatID, t TypeID, place Place) {
	p.Seats[s].Play[place][t]--
	p.Room.add(&g.deckOf(p, s).cards[t], place, -1)
}

// layDown implements R13.17, R13.18, R13.19 and R13.21: a card is played face down
// behind those that lie there already. It counts with its capacity strength (R2.4).
func (g *game) layDown(p *Position, s SeatID, t TypeID, place Place) {
	seat := &p.Seats[s]
	seat.Down[place][seat.downCount(place)] = t + 1
	p.Room.add(&g.deckOf(p, s).cards[t], place, 1)
}

// liftDown takes a face-down card out of its slot and returns its type; the
// cards played later move up.
func (g *game) liftDown(p *Position, s SeatID, place Place, slot uint8) TypeID {
	down := &p.Seats[s].Down[place]
	t := down[slot] - 1
	copy(down[slot:], down[slot+1:])
	down[Slots-1] = 0
	p.Room.add(&g.deckOf(p, s).cards[t], place, -1)
	return t
}
