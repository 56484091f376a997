package jogu

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/jogu"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

// place draws a Location: its number, how full it is, and the cards of both seats, those
// of the seat at the lower edge below.
func (t *table) place(place int) {
	x := margin + float64(place)*column
	used, cards := int(t.p.Room.Used[place]), int(t.p.Room.Cards[place])
	name := location(place)
	t.CardPart(name, "capacity", fmt.Sprintf("Location %d: capacity %d of %d, %d cards", place+jogu.FirstPlace, used, jogu.Capacity, cards))
	t.Rect(x, placesY, column-8, placeHead+2*side+48, 10, "f-panel k-edge w1 aim")
	t.Text(x+30, placesY+38, 36, svg.Middle, "bold", fmt.Sprint(place+jogu.FirstPlace))
	if t.p.LastWinner <= 1 && t.p.LastBattle>>place&1 != 0 {
		t.Text(x+column-16, placesY+48, 13, svg.End, "soft", "last battle")
	}
	t.capacity(x+62, placesY+16, used)
	t.Close()
	theirs, ours := placesY+placeHead, placesY+placeHead+side+48
	middle := theirs + side
	t.cards(place, 1-t.me, x+4, theirs)
	t.cards(place, t.me, x+4, ours)
	t.Line(x+8, middle+24, x+column-16, middle+24, "k-edge w1 dash")
	t.strength(place, 1-t.me, x, middle+18)
	t.strength(place, t.me, x, middle+42)
}

// capacity draws ten marks, of which those in use are filled, and the number of these.
func (t *table) capacity(x, y float64, used int) {
	for i := range jogu.Capacity {
		class := "f-ground k-edge w1"
		if i < used {
			class = "f-soft"
		}
		t.Rect(x+float64(i%5)*11, y+float64(i/5)*11, 9, 9, 2, class)
	}
	t.Text(x+60, y+16, 15, svg.Start, "", fmt.Sprint(used))
}

func (t *table) strength(place, seat int, x, y float64) {
	unknown := 0
	for slot := range t.view.FaceDown(engine.Player(seat), place) {
		if t.view.FaceDownType(engine.Player(seat), place, slot) < 0 {
			unknown++
		}
	}
	n := 0
	if t.decks[seat] != nil {
		n = t.view.Strength(engine.Player(seat), place)
	}
	text := fmt.Sprintf("Strength %d", n)
	if unknown > 0 {
		text += fmt.Sprintf(" +%d?", unknown)
	}
	t.Fit(x+(column-8)/2, y-1, column-20, 15, svg.Middle, "bold", text)
}

// cards draws the cards of a seat at a Location, one chip for alike ones.
func (t *table) cards(place, seat int, x, y float64) {
	if t.decks[seat] == nil {
		return
	}
	p := &t.p.Seats[seat]
	down := t.view.FaceDown(engine.Player(seat), place)
	rows := down
	for _, n := range p.Play[place] {
		if n > 0 {
			rows++
		}
	}
	h := min(44, side/float64(max(rows, 1)))
	if seat != t.me {
		y += side - float64(rows)*h // towards the middle
	}
	const w = column - 16
	for c, n := range p.Play[place] {
		if n == 0 {
			continue
		}
		card := &t.decks[seat].Cards[c]
		chip := sheet.Chip{Name: card.Name, Card: card.Key, Seat: seat, Number: fmt.Sprint(card.Strength), Count: int(n), Piece: sheet.CardPiece(card.Key)}
		title := fmt.Sprintf("seat %d at Location %d: %s", seat, place+jogu.FirstPlace, about(card))
		if k := p.Tokens[place]; card.Stays && k > 0 {
			chip.Note = fmt.Sprintf("%d stay", k)
			title += fmt.Sprintf(" %d with a Stay token.", k)
		}
		t.CardPart(lying(place, seat, card.Key), card.Key, title)
		t.Chip(x, y, w, h-3, chip)
		t.Close()
		y += h
	}
	for slot := range down {
		t.faceDown(place, seat, slot, x, y, w, h-3)
		y += h
	}
}

func (t *table) faceDown(place, seat, slot int, x, y, w, h float64) {
	chip := sheet.Chip{Seat: seat, Number: "?", Down: true, Piece: sheet.BackPiece(seat)}
	title := fmt.Sprintf("seat %d at Location %d: a card face down", seat, place+jogu.FirstPlace)
	key := ""
	if c := t.view.FaceDownType(engine.Player(seat), place, slot); c >= 0 {
		card := &t.decks[seat].Cards[c]
		chip.Name, chip.Card, chip.Number = card.Name, card.Key, fmt.Sprint(card.Strength)
		title += ", " + about(card)
		key = card.Key
	}
	t.CardPart(lying(place, seat, fmt.Sprintf("SLOT_%d", slot+1)), key, title)
	t.Chip(x, y, w, h, chip)
	t.Close()
}

// piles draws what is known of the top of the own draw pile, and both discards.
func (t *table) piles() {
	t.top(8)
	t.discard(1-t.me, 104)
	t.discard(t.me, 444)
}

const (
	pileColumns = 2
	pileStep    = (pilesW + 6) / pileColumns // from chip to chip
	pileRow     = 44.0
)

// top draws the cards on top of the own pile that the seat knows, at most three. A room is
// kept for them, so that nothing moves when they come and go.
func (t *table) top(y float64) {
	t.Text(pilesX, y+18, 16, svg.Start, "soft bold", "Top of your pile")
	p := &t.p.Seats[t.me]
	known := false
	for i := range min(int(p.Top+p.Bottom), 3) {
		c, seen, _ := t.view.FixedCard(engine.Player(t.me), i)
		if c < 0 || !seen || t.decks[t.me] == nil {
			continue
		}
		card := &t.decks[t.me].Cards[c]
		known = true
		t.CardPart(fmt.Sprintf("pile/SLOT_%d", i+1), card.Key, fmt.Sprintf("card %d from the top: %s", i+1, about(card)))
		const step = (pilesW + 6) / 3
		t.Chip(pilesX+float64(i)*step, y+28, step-6, pileRow-4, sheet.Chip{
			Name: card.Name, Card: card.Key, Seat: t.me, Number: fmt.Sprint(card.Strength), Piece: sheet.CardPiece(card.Key),
		})
		t.Close()
	}
	if !known {
		t.Text(pilesX, y+42, 15, svg.Start, "soft", "not known")
	}
}

// discard draws a discard pile: two chips to a row.
func (t *table) discard(seat int, y float64) {
	t.Piece(seat, pilesX+12, y+13, 9, "")
	t.Text(pilesX+28, y+18, 16, svg.Start, "soft bold", "Discard")
	i := 0
	for c, n := range t.p.Seats[seat].Discard {
		if n == 0 || t.decks[seat] == nil {
			continue
		}
		card := &t.decks[seat].Cards[c]
		space := ""
		if seat == t.me {
			space = "discard/" + card.Key
		}
		x, top := pilesX+float64(i%pileColumns)*pileStep, y+28+float64(i/pileColumns)*pileRow
		t.CardPart(space, card.Key, fmt.Sprintf("%d in the discard of seat %d: %s", n, seat, about(card)))
		t.Chip(x, top, pileStep-6, pileRow-4, sheet.Chip{
			Name: card.Name, Card: card.Key, Seat: seat, Number: fmt.Sprint(card.Strength), Count: int(n),
			Piece: sheet.CardPiece(card.Key),
		})
		t.Close()
		i++
	}
}
