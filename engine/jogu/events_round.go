package jogu

import (
	"fmt"
	"strings"
)

// What Resolution and Cleanup tell (R16.9). Nobody decides anything there, so
// these events are all that players learn of a round's end before the next begins.

// locationCards tells the two Location Cards that are revealed (R10.1).
func (w *witness) locationCards(p *position) {
	if w == nil {
		return
	}
	w.say(everybody, "location_cards", "R10.1", told{arg("locations", []int{int(p.lastCards[0]), int(p.lastCards[1])})},
		"The Location Cards are %s (seat 0) and %s (seat 1)", locationText(p.lastCards[0]), locationText(p.lastCards[1]))
}

// namedByCard tells that the Location Card of seat s makes a Battle Location.
func (w *witness) namedByCard(s, n uint8) {
	if w == nil {
		return
	}
	w.say(everybody, "named", "R10.2", told{arg("location", int(n)), arg("owner", int(s)), arg("by", "location_card")},
		"The Location Card of seat %d makes Location %d a Battle Location", s, n)
}

// named tells that a type of card of seat s in play makes a Battle Location, or
// that it keeps a Location from being one.
func (w *witness) named(p *position, s, t, from, place uint8, makes bool) {
	if w == nil {
		return
	}
	c := w.card(p, s, t)
	args := told{arg("location", int(place)+firstLoc), arg("owner", int(s)), arg("by", c.Key), arg("from", int(from)+firstLoc)}
	if makes {
		w.say(everybody, "named", c.Rule, args, "%s of seat %d at Location %d makes Location %d a Battle Location", c.Name, s, from+firstLoc, place+firstLoc)
		return
	}
	w.say(everybody, "struck_out", c.Rule, args, "%s of seat %d: Location %d is no Battle Location", c.Name, s, place+firstLoc)
}

// battleLocations tells the Battle Locations (R10.2).
func (w *witness) battleLocations(p *position) {
	if w == nil {
		return
	}
	list := []int{}
	for place := range uint8(numPlaces) {
		if p.lastBattle.has(place) {
			list = append(list, int(place)+firstLoc)
		}
	}
	w.say(everybody, "battle_locations", "R10.2", told{arg("locations", list)}, "Battle Locations: %s", placesText(p.lastBattle))
}

// board tells each Location as it stands when the ratings are reckoned, before
// Cleanup takes it away: all cards, the Strength of each seat and, at a Battle
// Location, the products (R10.4).
func (w *witness) board(p *position) {
	if w == nil {
		return
	}
	s := View{g: w.g, p: *p}
	for place := range uint8(numPlaces) {
		n := int(place) + firstLoc
		strength := [numSeats]int{int(w.g.strengthAt(p, 0, place)), int(w.g.strengthAt(p, 1, place))}
		battle := p.lastBattle.has(place)
		args := told{arg("location", n), arg("strength", strength[:]), arg("battle", battle)}
		var text strings.Builder
		fmt.Fprintf(&text, "Location %d", n)
		for i := range uint8(numSeats) {
			args = append(args, arg(fmt.Sprintf("cards_%d", i), w.cardsAt(p, i, place)))
			cards := s.cardsText(i, place)
			if cards == "" {
				cards = "no cards"
			}
			fmt.Fprintf(&text, "; seat %d: %s, strength %d", i, cards, strength[i])
			if battle {
				fmt.Fprintf(&text, " x %d = %d", n, n*strength[i])
			}
		}
		if battle {
			args = append(args, arg("products", []int{n * strength[0], n * strength[1]}))
		}
		w.say(everybody, "strength", "R10.4", args, "%s", text.String())
	}
}

// cardsAt lists the face-up cards of seat s at a Location.
func (w *witness) cardsAt(p *position, s, place uint8) []string {
	return w.g.deckOf(p, s).list(&p.seats[s].play[place])
}

// roundWon tells the ratings, the winner of the round and the victory points that
// both seats now have (R10.4-R10.6).
func (w *witness) roundWon(p *position) {
	if w == nil {
		return
	}
	how := fmt.Sprintf("%d to %d", p.lastRatings[p.lastWinner], p.lastRatings[1-p.lastWinner])
	if p.lastRatings[0] == p.lastRatings[1] {
		how += ", as start player"
	}
	w.say(everybody, "round_won", "R10.5", told{
		arg("round", int(p.round)), arg("ratings", []int{int(p.lastRatings[0]), int(p.lastRatings[1])}),
		arg("winner", int(p.lastWinner)), arg("points", p.points()),
	}, "Seat %d wins round %d with %s", p.lastWinner, p.round, how)
}

// cleared tells which cards of a type have left a Location and which stay because
// of their Stay tokens (R11.1). The caller has a listener.
func (w *witness) cleared(p *position, s, t, place, left uint8) {
	stay, c := p.seats[s].play[place][t], w.card(p, s, t)
	for _, e := range []struct {
		kind, text string
		n          uint8
	}{{"left", "Seat %d takes %s away from Location %d", left}, {"stayed", "Seat %d leaves %s at Location %d, a Stay token less on each", stay}} {
		if e.n > 0 {
			w.say(everybody, e.kind, "R11.1", told{
				arg("owner", int(s)), arg("card", c.Key), arg("number", int(e.n)), arg("location", int(place)+firstLoc),
			}, e.text, s, times(e.n, c.Name), place+firstLoc)
		}
	}
}

// locationUsed tells that a Location Card has gone to its discard (R11.2).
func (w *witness) locationUsed(p *position, s uint8) {
	if w == nil {
		return
	}
	n := p.seats[s].locCard
	w.say(everybody, "location_used", "R11.2", told{arg("seat", int(s)), arg("location", int(n))},
		"Location Card %d of seat %d goes to the discard", n, s)
}

// roundOver tells that the round is over (R11.3).
func (w *witness) roundOver(p *position) {
	if w == nil {
		return
	}
	points := p.points()
	w.say(everybody, "round_over", "R11.3", told{arg("round", int(p.round)), arg("points", points), arg("morale", w.morale(p))},
		"Round %d is over: %d to %d victory points, %d to %d morale",
		p.round, points[0], points[1], p.seats[0].morale, p.seats[1].morale)
}
