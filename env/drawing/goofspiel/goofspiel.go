// Package goofspiel draws a table of Goofspiel: the prizes in the order of the rounds, the
// bids below and above them, and the cards that can be bid.
package goofspiel

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/goofspiel"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	wide, high = 44.0, 60.0 // of a card
	step       = 52.0       // from one card to the next
	left       = 128.0      // where the cards begin
)

// Draw draws a view. Its spaces are the cards that can be bid, named as the actions are.
func Draw(g engine.Game, view *goofspiel.View) []byte {
	names := g.Spec().Actions
	n := float64(view.Cards())
	s := sheet.New(view, left+max(n, 5)*step+20, 470, "Goofspiel", func(a engine.Action) []string { return names[a : a+1] })
	s.Head(18, "Goofspiel", view.ToAct())
	mine := view.Seat
	if mine < 0 { // whoever looks from outside sees both hands, and the one that is asked
		mine = max(view.ToAct(), 0)
	}
	drawBids(s, view, 1-mine, 60)
	drawPrizes(s, view, 145)
	drawBids(s, view, mine, 230)
	s.Text(20, 345, 16, svg.Start, "bold", "Hand")
	for i, name := range names {
		x := left + float64(i)*step
		if !view.Holds(mine, i+1) {
			s.Slot(x, 310, wide, high, "")
			continue
		}
		s.Part(name, fmt.Sprintf("bid the %d", i+1))
		drawCard(s, x, 310, i+1, "f-panel k-edge w2 aim")
		s.Close()
	}
	s.Text(20, 425, 16, svg.Start, "soft", fmt.Sprintf("Prizes to come:%s", toCome(view)))
	return s.Bytes()
}

// drawPrizes draws the prizes by round, each with the seat that has won it.
func drawPrizes(s *sheet.Sheet, view *goofspiel.View, y float64) {
	s.Text(20, y+35, 16, svg.Start, "bold", "Prizes")
	for round, prize := range view.Prizes() {
		x, what := left+float64(round)*step, "bid for now"
		winner := -1
		if round < view.Rounds() {
			if what, winner = "won by nobody", view.Winner(round); winner >= 0 {
				what = fmt.Sprintf("won by seat %d", winner)
			}
		}
		s.Thing("", fmt.Sprintf("round %d: the prize of %d, %s", round+1, prize, what))
		drawCard(s, x, y, int(prize), "f-well k-ink w2")
		if winner >= 0 {
			s.Piece(winner, x+wide/2, y+high, 9, fmt.Sprint(winner))
		}
		s.Close()
	}
}

// drawBids draws what a seat has bid by round, and its points.
func drawBids(s *sheet.Sheet, view *goofspiel.View, seat engine.Player, y float64) {
	s.Piece(int(seat), 32, y+22, 14, fmt.Sprint(seat))
	s.Text(54, y+28, 16, svg.Start, "bold", fmt.Sprintf("Seat %d", seat))
	s.Text(54, y+50, 14, svg.Start, "soft", "points: "+fmt.Sprint(view.Points(seat)))
	for round, card := range view.Bids(seat) {
		x := left + float64(round)*step
		if card == 0 {
			s.Thing("", fmt.Sprintf("round %d: a bid of seat %d, not seen", round+1, seat))
			s.Back(x, y, wide, high, int(seat), "?")
		} else {
			s.Thing("", fmt.Sprintf("round %d: seat %d bid the %d", round+1, seat, card))
			drawCard(s, x, y, int(card), "f-panel k-edge w1")
		}
		s.Close()
	}
}

func drawCard(s *sheet.Sheet, x, y float64, number int, class string) {
	s.Rect(x, y, wide, high, 6, class)
	s.Text(x+wide/2, y+high/2+8, 22, svg.Middle, "bold", fmt.Sprint(number))
}

// toCome lists the prizes that are still to be turned up.
func toCome(view *goofspiel.View) string {
	text := ""
	for prize := 1; prize <= view.Cards(); prize++ {
		if view.Left(prize) {
			text += fmt.Sprintf(" %d", prize)
		}
	}
	if text == "" {
		return " none"
	}
	return text
}
