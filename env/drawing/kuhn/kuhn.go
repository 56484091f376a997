// Package kuhn draws a table of Kuhn poker.
package kuhn

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/kuhn"
	"powderkeg/env/drawing/sheet"
)

var ranks = [3]string{"J", "Q", "K"}

// Draw draws a view: nothing on the table is a space, for a seat passes or bets.
func Draw(g engine.Game, view *kuhn.View) []byte {
	s := sheet.New(view, 400, 330, "Kuhn poker", func(engine.Action) []string { return nil })
	played, bets := view.History()
	paid := [2]int{1, 1}
	words := [2][]string{}
	for i := range played {
		word := "passes"
		if bets>>i&1 != 0 {
			word = "bets"
			paid[i&1]++
		}
		words[i&1] = append(words[i&1], word)
	}
	s.Head(16, "Kuhn poker", view.ToAct())
	for seat := range 2 {
		p := sheet.PokerSeat{Seat: seat, Paid: paid[seat], Said: words[seat]}
		if c := view.Card(engine.Player(seat)); c >= 0 {
			p.Card = ranks[c]
		}
		s.PokerSeat(20, 45+float64(seat)*140, p)
	}
	s.Pot(354, 185, fmt.Sprint(paid[0]+paid[1]))
	return s.Bytes()
}

// Cards tells about the three cards.
func Cards(engine.Game) []sheet.Card {
	return []sheet.Card{
		{Kind: "card", Name: "J", Title: "Jack", Text: "The lowest of the three."},
		{Kind: "card", Name: "Q", Title: "Queen", Text: "Beats the jack, loses to the king."},
		{Kind: "card", Name: "K", Title: "King", Text: "The highest of the three."},
	}
}
