package goofspiel

import (
	"math/rand/v2"

	"powderkeg/engine"
)

// redeal fills in the bids of the other that a view hides: cards of which each is played
// once, and which lose, win or tie as the rounds did (R2.2). It is a matching of rounds and
// cards, which is found by augmenting paths; as rounds and cards are tried in random order,
// each matching can come about.
func (g *game) redeal(p *Position, seat int, rng *rand.PCG) {
	m := matching{g: g, p: p, seat: seat, other: &p.Seats[1-seat]}
	order, cards := shuffled(int(m.other.Made), rng), shuffled(int(g.cards), rng)
	for i, card := range m.other.Cards[:m.other.Made] {
		if card > 0 {
			m.round[card] = uint8(i) + 1
		}
	}
	for _, round := range order[:m.other.Made] {
		if m.other.Cards[round] == 0 {
			m.tried = 0
			m.place(round, cards[:g.cards])
		}
	}
	for card, round := range m.round {
		if round > 0 {
			m.other.Cards[round-1] = uint8(card)
		}
	}
}

// matching says in which round each card of the other was played.
type matching struct {
	g     *game
	p     *Position
	seat  int // whose view it is
	other *bids
	round [maxCards + 1]uint8 // by card; 0 for none, else the round plus 1
	tried uint16              // cards that the path has come to
}

// place finds a card for a round, moving those of other rounds if need be.
func (m *matching) place(round uint8, cards []uint8) bool {
	for _, i := range cards {
		card := i + 1
		if m.tried>>card&1 != 0 || !m.fits(round, card) {
			continue
		}
		m.tried |= 1 << card
		held := m.round[card]
		if held == 0 || m.other.Cards[held-1] == 0 && m.place(held-1, cards) {
			m.round[card] = round + 1
			return true
		}
	}
	return false
}

// fits reports whether a round would have been won as it was if the other had bid a card.
func (m *matching) fits(round, card uint8) bool {
	if round >= m.p.Scored {
		return true
	}
	own := m.p.Seats[m.seat].Cards[round]
	switch m.p.Won[round] {
	case tie:
		return card == own
	case uint8(m.seat):
		return card < own
	}
	return card > own
}

// shuffled returns the numbers below n in random order, at the front of an array.
func shuffled(n int, rng *rand.PCG) (list [maxCards]uint8) {
	for i := range n {
		j := engine.Uint32N(rng, uint32(i+1))
		list[i] = list[j]
		list[j] = uint8(i)
	}
	return list
}
