package liarsdice

import (
	"fmt"
	"strings"

	"powderkeg/engine"
)

// faceNames are the words for one die of a face and for several.
var faceNames = [maxFaces][2]string{
	{"one", "ones"}, {"two", "twos"}, {"three", "threes"}, {"four", "fours"}, {"five", "fives"}, {"six", "sixes"},
}

// name says a bid in words.
func (g *game) name(b Bid) string {
	quantity, face := g.unrank(b)
	return fmt.Sprintf("%d %s", quantity, faceNames[face][min(quantity-1, 1)])
}

// askedBid is the question of a bid in a sentence.
func (g *game) askedBid(p *Position) string {
	if p.Made == 0 {
		return "Make the first bid"
	}
	last := g.bidder(int(p.Made) - 1)
	if p.open() == int(g.liar) {
		return fmt.Sprintf("No bid is higher than seat %d's %s: call it", last, g.name(p.last()))
	}
	return fmt.Sprintf("Bid more than seat %d's %s, or call it", last, g.name(p.last()))
}

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	switch {
	case p.Actor == engine.Chance:
		return fmt.Sprintf("seat %d rolls a %d", g.roller(p), a+1)
	case a == g.liar && p.Made > 0:
		return fmt.Sprintf("call seat %d a liar: fewer than %s", g.bidder(int(p.Made)-1), g.name(p.last()))
	case a < 0 || a >= g.liar:
		return fmt.Sprintf("action %d", a)
	}
	return "bid " + g.name(Bid(a))
}

// Phrase takes a name apart for programs: of a bid the quantity in dice and the face.
func (s *View) Phrase(a engine.Action) (verb, object string, amount int) {
	if a < 0 || a >= s.G.liar {
		return "", "", -1
	}
	quantity, face := s.G.unrank(Bid(a))
	return "BID", fmt.Sprint(face + 1), int(quantity)
}

// shown lists the dice of a seat, the lowest first.
func (g *game) shown(p *Position, seat engine.Player) []int {
	dice := []int{}
	for f, n := range p.Dice[seat] {
		for range n {
			dice = append(dice, f+1)
		}
	}
	return dice
}

// Text implements engine.Teller.
func (s *View) Text(seat engine.Player) string {
	g, p := s.G, &s.P
	var b strings.Builder
	fmt.Fprintf(&b, "%d dice in the game, faces 1 to %d; %s are wild\n", g.total, g.faces, faceNames[g.faces-1][1])
	for other := range g.seats {
		fmt.Fprintf(&b, "seat %d%s:", other, you(engine.Player(other) == seat))
		dice := g.shown(p, engine.Player(other))
		for _, d := range dice {
			fmt.Fprintf(&b, " %d", d)
		}
		b.WriteString(strings.Repeat(" ?", g.due(p, other)-len(dice)) + "\n")
	}
	for i, bid := range p.Bids[:p.Made] {
		fmt.Fprintf(&b, "seat %d bid %s\n", g.bidder(i), g.name(bid))
	}
	if p.Called {
		_, face := g.unrank(p.last())
		winner, loser := g.outcome(p)
		fmt.Fprintf(&b, "seat %d called: %d of the dice count, seat %d wins, seat %d loses\n", g.bidder(int(p.Made)), g.counted(p, face), winner, loser)
	}
	return b.String()
}

func you(own bool) string {
	if own {
		return " (you)"
	}
	return ""
}
