package sheet

import (
	"fmt"
	"strings"

	"powderkeg/env/drawing/svg"
)

// PokerSeat is a seat of one of the small poker games.
type PokerSeat struct {
	Seat int
	Card string // such as "Qh", or "" where none is seen
	Paid int    // chips put in
	Said []string
}

// PokerSeat draws a seat with its upper left corner at x, y, 280 wide and 128 high.
func (s *Sheet) PokerSeat(x, y float64, p PokerSeat) {
	s.Rect(x, y, 280, 128, 10, "f-panel k-edge w1")
	s.PokerCard(x+12, y+16, p.Card, fmt.Sprintf("card of seat %d", p.Seat))
	s.Piece(p.Seat, x+96, y+28, 12, fmt.Sprint(p.Seat))
	s.Text(x+116, y+34, 17, svg.Start, "bold", fmt.Sprintf("Seat %d", p.Seat))
	s.Fit(x+84, y+66, 186, 15, svg.Start, "", fmt.Sprintf("%d in the pot", p.Paid))
	s.Block(x+84, y+92, 186, 14, 2, svg.Start, "soft", strings.Join(p.Said, ", "))
}

// PokerCard draws a card of 56 by 80 by its rank and suit; its back where it is not seen.
func (s *Sheet) PokerCard(x, y float64, card, whose string) {
	if card == "" {
		s.Thing("", whose+": not seen")
		s.Back(x, y, 56, 80, -1, "?")
		s.Close()
		return
	}
	s.Thing(card, whose+": "+card)
	s.Rect(x, y, 56, 80, 6, "f-ground k-edge w2")
	s.Text(x+28, y+42, 32, svg.Middle, "bold", card[:1])
	if len(card) > 1 {
		s.suit(card[1], x+28, y+62)
	}
	s.Close()
}

// suit draws a spade or a heart around x, y: black and filled, or red and open.
func (s *Sheet) suit(suit byte, x, y float64) {
	if suit == 's' {
		s.Polygon("f-ink", svg.Point{X: x, Y: y - 12}, svg.Point{X: x + 10, Y: y + 3}, svg.Point{X: x + 2, Y: y + 4}, svg.Point{X: x + 5, Y: y + 11},
			svg.Point{X: x - 5, Y: y + 11}, svg.Point{X: x - 2, Y: y + 4}, svg.Point{X: x - 10, Y: y + 3})
		return
	}
	s.Polygon("none k-danger w3 round", svg.Point{X: x, Y: y + 11}, svg.Point{X: x + 11, Y: y - 3}, svg.Point{X: x + 6, Y: y - 10}, svg.Point{X: x, Y: y - 4},
		svg.Point{X: x - 6, Y: y - 10}, svg.Point{X: x - 11, Y: y - 3})
}

// Pot draws the chips of a pot around x, y.
func (s *Sheet) Pot(x, y float64, chips string) {
	s.Thing("", "pot: "+chips)
	s.Circle(x, y, 34, "f-mark k-edge w3")
	s.Circle(x, y, 25, "f-panel k-edge w2 dash")
	s.Text(x, y+8, 22, svg.Middle, "bold", chips)
	s.Text(x, y+54, 14, svg.Middle, "soft", "pot")
	s.Close()
}
