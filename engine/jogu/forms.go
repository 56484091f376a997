package jogu

import (
	codec "powderkeg/engine/position"
)

// The parts of a position that JSON has in another form than memory: cards by key, piles
// from the top, the board card by card.

var noCards = &deck{ID: "no faction"}

// deckAt returns the deck of seat i, one without cards before it is drawn.
func (g *game) deckAt(p *Position, i int) *deck {
	if p.Decks[i] == noDeck {
		return noCards
	}
	return g.deckOf(p, SeatID(i))
}

// cardName returns the key of a type, or unknownName.
func (d *deck) cardName(t TypeID) string {
	if int(t) < len(d.cards) {
		return d.cards[t].Key
	}
	return unknownName
}

// list writes counts as a list of keys in the order of the deck.
func (d *deck) list(counts *[Types]uint8) []string {
	keys := []string{}
	for t, n := range counts {
		for range n {
			keys = append(keys, d.cardName(TypeID(t)))
		}
	}
	return keys
}

// counts writes the counts that are not zero.
func (d *deck) counts(counts *[Types]uint8) map[string]int {
	m := map[string]int{}
	for t, n := range counts {
		if n > 0 {
			m[d.cardName(TypeID(t))] = int(n)
		}
	}
	return m
}

// readCard reads the key of a card of seat i.
func (g *game) readCard(r *codec.Reader, p *Position, i int, part string, v any) TypeID {
	if p.Decks[i] == noDeck {
		r.Fail("factions: seat %d has cards before its faction is drawn (R4.1)", i)
		return 0
	}
	return TypeID(r.Word(part, v, g.deckOf(p, SeatID(i)).ID))
}

// readEntries reads an object of keys and numbers.
func (g *game) readEntries(r *codec.Reader, p *Position, i int, v any, counts *[Types]uint8) {
	for _, e := range r.Entries("", v) {
		counts[g.readCard(r, p, i, "", e.Key)] = uint8(r.Number(e.Key, e.Value, 0, DeckSize))
	}
}

// countsForm is the form of counts that are a list of keys.
func (g *game) countsForm(of func(s *Player) *[Types]uint8) codec.Form[Position] {
	return codec.Form[Position]{
		Write: func(p *Position, i int) any { return g.deckAt(p, i).list(of(&p.Seats[i])) },
		Read:  g.readCounts(of),
	}
}

func (g *game) readCounts(of func(s *Player) *[Types]uint8) func(r *codec.Reader, p *Position, i int, v any) {
	return func(r *codec.Reader, p *Position, i int, v any) {
		counts := of(&p.Seats[i])
		for _, e := range r.List("", v, -1) {
			t := g.readCard(r, p, i, "", e)
			if counts[t] == DeckSize {
				r.Fail("seat %d has more than %d cards of a type (R1.2)", i, DeckSize)
				return
			}
			counts[t]++
		}
	}
}

func (g *game) writeHand(p *Position, i int) any {
	hand := g.deckAt(p, i).list(&p.Seats[i].Hand)
	for len(hand) < int(p.Seats[i].HandSize) {
		hand = append(hand, unknownName)
	}
	return hand
}

func (g *game) writeRevealed(p *Position, i int) any {
	return g.deckAt(p, i).counts(&p.Seats[i].Revealed)
}

func (g *game) readRevealed(r *codec.Reader, p *Position, i int, v any) {
	g.readEntries(r, p, i, v, &p.Seats[i].Revealed)
}

// writePile writes a draw pile: a card, or the middle, {"unknown": {card: number}}.
func (g *game) writePile(p *Position, i int) any {
	s, d, pile := &p.Seats[i], g.deckAt(p, i), []any{}
	for k := range s.Top + s.Bottom + 1 {
		if k == s.Top && s.Middle > 0 {
			pile = append(pile, map[string]any{"unknown": d.counts(&s.Unknown)})
		}
		if k < s.Top+s.Bottom {
			pile = append(pile, d.cardName(s.Fixed[k].card()))
		}
	}
	return pile
}

func (g *game) readPile(r *codec.Reader, p *Position, i int, v any) {
	s := &p.Seats[i]
	s.Middle = 0
	for _, e := range r.List("", v, -1) {
		if _, fixed := e.(string); !fixed {
			g.readMiddle(r, p, i, e)
			continue
		}
		if s.Top+s.Bottom == DeckSize {
			r.Fail("draw of seat %d has more than %d cards", i, DeckSize)
			return
		}
		s.Fixed[s.Top+s.Bottom] = newPileCard(g.readCard(r, p, i, "", e))
		if s.Middle > 0 {
			s.Bottom++
		} else {
			s.Top++
		}
	}
}

// readMiddle reads the part of a draw pile that lies in unknown order.
func (g *game) readMiddle(r *codec.Reader, p *Position, i int, v any) {
	s := &p.Seats[i]
	if s.Middle > 0 {
		r.Fail("draw of seat %d has two unknown parts", i)
		return
	}
	g.readEntries(r, p, i, r.Object("", v, "unknown")[0], &s.Unknown)
	n := sum(s.Unknown[:])
	if n == 0 || n > DeckSize {
		r.Fail("draw of seat %d: the unknown part has %d cards, it must have 1 to %d", i, n, DeckSize)
		return
	}
	s.Middle = uint8(n)
}

// writeKnown writes for each element of a draw pile whether its owner and the opponent
// know it.
func writeKnown(p *Position, i int) any {
	s, known := &p.Seats[i], [][]int{}
	for k := range s.Top + s.Bottom + 1 {
		if k == s.Top && s.Middle > 0 {
			known = append(known, []int{0, 0})
		}
		if k < s.Top+s.Bottom {
			known = append(known, []int{int(s.Fixed[k] / ownerKnows & 1), int(s.Fixed[k] / opponentKnows & 1)})
		}
	}
	return known
}

func readKnown(r *codec.Reader, p *Position, i int, v any) {
	s, entries := &p.Seats[i], r.List("", v, -1)
	middle := s.Middle > 0 && s.Middle != ungiven
	n := int(s.Top + s.Bottom)
	if middle {
		n++
	}
	if len(entries) != n {
		r.Fail("draw_known of seat %d has %d entries, its draw pile has %d", i, len(entries), n)
		return
	}
	for k, e := range entries {
		var bits PileCard
		for j, flag := range r.List("", e, 2) {
			bits |= PileCard(r.Number("", flag, 0, 1)) * ownerKnows << j
		}
		switch {
		case middle && k == int(s.Top):
			if bits != 0 {
				r.Fail("draw_known of seat %d: nobody knows the unknown part", i)
			}
		case middle && k > int(s.Top):
			s.Fixed[k-1] |= bits
		default:
			s.Fixed[k] |= bits
		}
	}
}

// readBottom reads how many cards at the end of the pile were put under it. Behind
// an unknown part these are all.
func readBottom(r *codec.Reader, p *Position, i int, v any) {
	s, most := &p.Seats[i], DeckSize
	if s.Middle == 0 {
		most = int(s.Top)
	}
	switch n := uint8(r.Number("", v, 0, most)); {
	case s.Middle > 0 && n != s.Bottom:
		r.Fail("draw_bottom of seat %d is %d, but %d cards follow the unknown part of draw", i, n, s.Bottom)
	case s.Middle == 0:
		s.Top, s.Bottom = s.Top-n, n
	}
}

// boardCard is one card in play.
type boardCard struct {
	Owner  int    `json:"owner"`
	Card   string `json:"card"`
	Loc    int    `json:"loc"`
	Tokens int    `json:"tokens"`
}

// writeBoard writes the cards in play by seat and Location: face-up cards in the
// order of the deck, those with Stay tokens first, then face-down ones in the
// order of play.
func (g *game) writeBoard(p *Position, _ int) any {
	board := []boardCard{}
	for i := range p.Seats {
		s, d := &p.Seats[i], g.deckAt(p, i)
		for place := range s.Play {
			for t, n := range s.Play[place] {
				for k := range n {
					c := boardCard{i, d.cardName(TypeID(t)), place + FirstPlace, 0}
					if TypeID(t) == d.tokened && k < s.Tokens[place] {
						c.Tokens = 1
					}
					board = append(board, c)
				}
			}
			for _, c := range s.Down[place][:s.downCount(Place(place))] {
				board = append(board, boardCard{i, d.cardName(c - 1), place + FirstPlace, 0})
			}
		}
	}
	return board
}

// readBoard lays the cards in play, those of the face-down types face down as long as
// there are slots.
func (g *game) readBoard(r *codec.Reader, p *Position, _ int, v any) {
	entries := r.List("", v, -1)
	if len(entries) > numSeats*DeckSize {
		r.Fail("board has %d cards, the two decks have %d", len(entries), numSeats*DeckSize)
		return
	}
	for _, e := range entries {
		fields := r.Object("", e, "owner", "card", "loc", "tokens")
		owner, tokens := SeatID(r.Seat("owner", fields[0])), uint8(0)
		t := g.readCard(r, p, int(owner), "card", fields[1])
		place := Place(r.Number("loc", fields[2], FirstPlace, FirstPlace+Places-1) - FirstPlace)
		if fields[3] != nil {
			tokens = uint8(r.Number("tokens", fields[3], 0, 1))
		}
		if r.Failed() {
			return
		}
		s, d := &p.Seats[owner], g.deckOf(p, owner)
		if tokens > 0 && t != d.tokened {
			r.Fail("board: %s bears no Stay token", d.cards[t].Key)
			return
		}
		if d.faceDown.has(t) && s.downCount(place) < Slots {
			g.layDown(p, owner, t, place)
		} else {
			g.lay(p, owner, t, place)
			s.Tokens[place] += tokens
		}
	}
}

// writeLocationPile writes a Location pile: numbers, then the part in unknown order,
// {"unknown": [numbers]}.
func writeLocationPile(p *Position, i int) any {
	l, pile := &p.Locs[i], []any{}
	for _, n := range l.Fixed[:l.Top] {
		if n == hiddenLoc {
			n = 0
		}
		pile = append(pile, int(n))
	}
	if unknown := locationList(&l.Unknown); len(unknown) > 0 {
		pile = append(pile, map[string]any{"unknown": unknown})
	}
	return pile
}

func readLocationPile(r *codec.Reader, p *Position, i int, v any) {
	l, entries := &p.Locs[i], r.List("", v, -1)
	l.Top = 0
	for k, e := range entries {
		parts, unknown := e.(map[string]any)
		switch {
		case !unknown && l.Top == maxLoc:
			r.Fail("location_pile of seat %d has more than %d cards", i, maxLoc)
			return
		case !unknown:
			l.Fixed[l.Top] = uint8(r.Number("", e, FirstPlace, FirstPlace+Places-1))
			l.Top++
		case k != len(entries)-1:
			r.Fail("location_pile of seat %d: the unknown part comes last", i)
			return
		default:
			numbers := r.List("", r.Object("", parts, "unknown")[0], -1)
			if len(numbers) > maxLoc {
				r.Fail("location_pile of seat %d has %d cards, a player has %d", i, len(numbers), maxLoc)
				return
			}
			for _, n := range numbers {
				l.Unknown[r.Number("", n, FirstPlace, FirstPlace+Places-1)-FirstPlace]++
			}
		}
	}
}

// locationList writes counts by Location as a list of numbers.
func locationList(counts *[Places]uint8) []int {
	list := []int{}
	for place, n := range counts {
		for range n {
			list = append(list, place+FirstPlace)
		}
	}
	return list
}
