package jogu_test

import (
	"powderkeg/engine"
	"powderkeg/engine/jogu"
)

// comesToLight reports whether a step of the game may have shown a seat what was
// hidden from it without anybody's choosing it, so that two worlds that the seat
// could not tell apart may differ from here on. For enginetest.Suite.
func comesToLight(before, after engine.View) bool {
	b, a := open(before), open(after)
	if a.P.Scored != b.P.Scored { // Resolution has turned up everything
		return true
	}
	drawn, locations := 0, 0
	for p := range engine.Player(2) {
		switch {
		case cards(&a.P.Seats[p].Discard) > cards(&b.P.Seats[p].Discard), // D1, Saboteur, Assassin, Bomb Tower
			a.P.Seats[p].Revealed != b.P.Seats[p].Revealed, // Assassin
			a.P.Locs[p].Revealed && !b.P.Locs[p].Revealed,  // Patriot
			known(a, p) > known(b, p):                      // Saboteur, also what its owner knew
			return true
		}
		drawn += max(0, int(a.P.Seats[p].HandSize)-int(b.P.Seats[p].HandSize))
		if a.LocationCard(p) > 0 && b.LocationCard(p) == 0 || a.P.Locs[p].TopKnown && !b.P.Locs[p].TopKnown {
			locations++
		}
	}
	// A draw of which the result is certain is no chance event: what is certain
	// depends on hidden cards.
	certain := drawn + locations
	if b.ToAct() == engine.Chance {
		certain--
	}
	return certain > 0 || unasked(b, a)
}

// unasked reports whether a card has acted on a hand without a question to anybody:
// a Good-for-Something whose player had one card to play or none (D8), or an
// Assassin before a hand of one type.
func unasked(b, a *jogu.View) bool {
	if b.P.Depth == 0 || b.Decision() == jogu.SomethingDecision || a.Decision() == jogu.SomethingDecision || a.ToAct() == engine.Chance {
		return false
	}
	if b.Play().Card < 0 {
		return false
	}
	key := b.Facts(b.Turn(), b.Play().Card).Key
	return key == "good_for_something" || key == "assassin"
}

func cards(counts *jogu.Counts) int {
	n := 0
	for _, k := range counts {
		n += int(k)
	}
	return n
}

// known returns how many cards of seat p's pile it knows, and how many the other seat does.
func known(s *jogu.View, p engine.Player) int {
	n := 0
	top, bottom := s.FixedCards(p)
	for i := range top + bottom {
		_, owner, other := s.FixedCard(p, i)
		for _, knows := range []bool{owner, other} {
			if knows {
				n++
			}
		}
	}
	return n
}
