package goofspiel

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// askedBid is the question of a bid in a sentence.
func (g *game) askedBid(p *Position) string {
	return fmt.Sprintf("Bid a card for the prize of %d", p.Prizes[p.Turned-1])
}

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	switch {
	case p.Actor == engine.Chance:
		return fmt.Sprintf("the prize is %d", a+1)
	case p.Ask == askBid && a >= 0 && int(a) < int(g.cards):
		return fmt.Sprintf("bid the %d for the prize of %d", a+1, p.Prizes[p.Turned-1])
	}
	return fmt.Sprintf("action %d", a)
}

// ending says how a game has ended.
func (p *Position) ending() string {
	switch first, second := p.points(0), p.points(1); {
	case first > second:
		return "seat 0 wins"
	case second > first:
		return "seat 1 wins"
	}
	return "nobody wins"
}

// Text implements engine.Teller.
func (s *View) Text(seat engine.Player) string {
	g, p := s.G, &s.P
	var b strings.Builder
	if left := numbers(g.left(p)); left != "" && g.order == "random" {
		fmt.Fprintf(&b, "prizes still to be drawn:%s\n", left)
	} else if left != "" {
		fmt.Fprintf(&b, "prizes still to come, in %s order:%s\n", g.order, left)
	}
	for i, prize := range p.Prizes[:p.Turned] {
		fmt.Fprintf(&b, "round %d: prize %d", i+1, prize)
		for other := range p.Seats {
			if i < int(p.Seats[other].Made) {
				fmt.Fprintf(&b, ", seat %d bid %s", other, cardName(p.Seats[other].Cards[i]))
			}
		}
		if i < int(p.Scored) {
			if p.Won[i] == tie {
				b.WriteString(", a tie")
			} else {
				fmt.Fprintf(&b, ", seat %d won", p.Won[i])
			}
		}
		b.WriteString("\n")
	}
	for other := range p.Seats {
		fmt.Fprintf(&b, "seat %d", other)
		if engine.Player(other) == seat {
			b.WriteString(" (you)")
		}
		b.WriteString(": " + flow.Count(p.points(other), "point"))
		if s.knows(other) {
			fmt.Fprintf(&b, ", holds%s\n", numbers(g.hand(p, other)))
		} else {
			fmt.Fprintf(&b, ", holds %d cards\n", g.cards-p.Seats[other].Made)
		}
	}
	if p.Actor == engine.Terminal {
		b.WriteString(p.ending() + "\n")
	}
	return b.String()
}

// knows reports whether the view shows every bid of a seat.
func (s *View) knows(seat int) bool {
	for _, card := range s.P.Seats[seat].Cards[:s.P.Seats[seat].Made] {
		if card == 0 {
			return false
		}
	}
	return true
}

// cardName is a bid in the text, which may be hidden.
func cardName(card uint8) string {
	if card == 0 {
		return "?"
	}
	return fmt.Sprint(card)
}

// numbers lists a set of cards or prizes, each behind a space.
func numbers(set uint16) string {
	var b strings.Builder
	for n := 1; n <= maxCards; n++ {
		if set>>n&1 != 0 {
			fmt.Fprintf(&b, " %d", n)
		}
	}
	return b.String()
}
