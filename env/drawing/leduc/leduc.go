// Package leduc draws a table of Leduc poker.
package leduc

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/leduc"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

// Draw draws a view: nothing on the table is a space, for a seat folds, calls or raises.
func Draw(g engine.Game, view *leduc.View) []byte {
	s := sheet.New(view, 400, 330, "Leduc poker", func(engine.Action) []string { return nil })
	s.Head(16, "Leduc poker", view.ToAct())
	names := g.Spec().Outcomes
	pot := 0
	for seat := range 2 {
		p := sheet.PokerSeat{Seat: seat, Paid: view.Paid(engine.Player(seat)), Said: said(g.Spec().Actions, view, seat)}
		if c := view.Card(seat); c >= 0 {
			p.Card = names[c]
		}
		pot += p.Paid
		s.PokerSeat(20, 45+float64(seat)*140, p)
	}
	public := ""
	if c := view.Card(2); c >= 0 {
		public = names[c]
	}
	s.PokerCard(326, 45, public, "public")
	s.Text(354, 140, 13, svg.Middle, "soft", "public")
	s.Pot(354, 235, fmt.Sprint(pot))
	return s.Bytes()
}

// said lists what a seat has done, round after round. Seat 0 begins each round.
func said(words []string, view *leduc.View, seat int) []string {
	var list []string
	for round := range 2 {
		if round > 0 && len(view.Betting(1)) > seat {
			list = append(list, "|")
		}
		for i, a := range view.Betting(round) {
			if i&1 == seat {
				list = append(list, words[a]+"s")
			}
		}
	}
	return list
}

// Cards tells about the six cards.
func Cards(g engine.Game) []sheet.Card {
	var list []sheet.Card
	for i, name := range g.Spec().Outcomes {
		title := [3]string{"Jack", "Queen", "King"}[i/2] + " of " + [2]string{"spades", "hearts"}[i%2]
		text := "A pair with the public card beats every card without one; else the higher rank wins, and suits do not count."
		list = append(list, sheet.Card{Kind: "card", Name: name, Title: title, Text: text})
	}
	return list
}
