// Package jogu draws a table of Warriors of Jogu: the five Locations between the two
// players, what each of them has, and the hand of the seat whose view it is.
package jogu

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/jogu"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	width  = 1290.0
	height = 986.0

	trackY    = 40.0
	theirsY   = 84.0  // what the other seat has
	placesY   = 214.0 // the Locations
	oursY     = 700.0
	boardW    = 848.0
	boardH    = 784.0
	handY     = boardH + 6
	pilesX    = boardW + 6 // what is known of the piles
	pilesW    = width - margin - pilesX
	column    = 165.6
	margin    = 10.0
	side      = 188.0 // room for the cards of a seat at a Location
	placeHead = 56.0
	cardW     = 126.0
	widest    = 204.0 // that a card in hand is
	cardH     = height - handY - 6
)

// table is a drawing in the making.
type table struct {
	*sheet.Sheet
	view  *jogu.View
	p     *jogu.Position
	me    int // the seat at the lower edge
	decks [2]*jogu.DeckFacts
}

// Draw draws a view. A Location is named as its action, LOC_2 to LOC_6; a card by where it
// is and its key, such as hand/medic, discard/medic and LOC_3/seat1/medic; a card face down
// by its slot, such as LOC_3/seat1/SLOT_1 and, on the draw pile, pile/SLOT_1.
func Draw(g engine.Game, v *jogu.View) []byte {
	t := &table{view: v, p: &v.P, me: max(int(v.Seat), 0)}
	if decks := jogu.Decks(g); decks != nil {
		for seat := range t.decks {
			if f := v.Faction(engine.Player(seat)); f >= 0 {
				t.decks[seat] = &decks[f]
			}
		}
	}
	names := g.Spec().Actions
	t.Sheet = sheet.New(v, width, height, "Warriors of Jogu", func(a engine.Action) []string { return t.meaning(a, names[a]) })
	t.Game = "jogu"
	t.Panel(sheet.BoardPanel, "Locations", 0, 0, boardW, boardH)
	t.HeadWithin(boardW, 20, fmt.Sprintf("Round %d of %d", t.p.Round, t.p.EndMarker)+t.playing(), v.ToAct())
	t.rounds()
	t.seat(1-t.me, theirsY)
	t.theirHand()
	for place := range jogu.Places {
		t.place(place)
	}
	t.seat(t.me, oursY)
	t.Close()
	t.Panel("piles", "Piles", pilesX-4, 0, pilesW+margin+4, boardH)
	t.piles()
	t.Close()
	t.Panel(sheet.HandPanel, "Hand", 0, handY-4, width, height-handY+4)
	t.hand()
	t.Close()
	return t.Bytes()
}

// playing says which card is being played, and where.
func (t *table) playing() string {
	if t.p.Depth == 0 {
		return ""
	}
	play, text := t.view.Play(), ": a card"
	if play.Card >= 0 && t.decks[t.p.Turn] != nil {
		text = ": " + t.decks[t.p.Turn].Cards[play.Card].Name
	}
	if play.Place >= 0 {
		text += fmt.Sprintf(" at Location %d", play.Place+jogu.FirstPlace)
	}
	return text
}

func location(place int) string { return fmt.Sprintf("LOC_%d", place+jogu.FirstPlace) }

func lying(place, seat int, key string) string {
	return fmt.Sprintf("%s/seat%d/%s", location(place), seat, key)
}

// meaning returns the space that an action means at the decision at hand.
func (t *table) meaning(a engine.Action, name string) []string {
	if strings.HasPrefix(name, "LOC_") {
		return []string{name}
	}
	slot, card := strings.HasPrefix(name, "SLOT_"), strings.HasPrefix(name, "CARD_")
	if !slot && !card {
		return nil
	}
	key, turn := strings.TrimPrefix(name, "CARD_"), int(t.p.Turn)
	switch t.view.Decision() {
	case jogu.SupportDecision:
		return []string{"pile/" + key}
	case jogu.ConjurerDecision, jogu.MedicDecision:
		return []string{"discard/" + key}
	case jogu.TrojanCardDecision:
		return []string{lying(t.view.Play().Chosen, turn, key)}
	case jogu.BombDecision:
		place := t.view.Play().Place
		if slot && t.p.Seats[1-turn].Down[place][0] == 0 {
			key = t.stays(1 - turn) // R13.25: the slot stands for a card without a token
		}
		return []string{lying(place, 1-turn, key)}
	}
	return []string{"hand/" + key}
}

// stays returns the key of the card on which a seat lays Stay tokens.
func (t *table) stays(seat int) string {
	for _, c := range t.decks[seat].Cards {
		if c.Stays {
			return c.Key
		}
	}
	return ""
}

// rounds draws the track: the winner of each round that is over, the present round, and the
// end-game marker.
func (t *table) rounds() {
	const step = 80.0
	t.Thing("rounds", fmt.Sprintf("rounds: the game ends after round %d", t.p.EndMarker))
	for i := range jogu.Rounds {
		x := 56 + float64(i)*step
		class := "f-panel k-edge w1"
		switch {
		case i+1 == int(t.p.Round):
			class = "f-mark k-ink w3"
		case i >= int(t.p.EndMarker):
			class = "none k-edge w1 dash"
		}
		t.Rect(x-34, trackY, 68, 36, 8, class)
		t.Text(x-28, trackY+25, 18, svg.Start, "bold", fmt.Sprint(i+1))
		if i < int(t.p.Scored) {
			winner := int(t.p.Winners[i])
			t.Token("win", 1)
			t.Piece(winner, x+14, trackY+18, 13, t.Initial(engine.Player(winner)))
			t.Close()
		} else if i+1 == int(t.p.EndMarker) {
			t.Text(x+31, trackY+24, 14, svg.End, "bold", "end")
		}
	}
	t.Close()
}

// seat draws what a seat has, but for its cards.
func (t *table) seat(seat int, y float64) {
	p, me := &t.p.Seats[seat], engine.Player(seat)
	t.Rect(margin, y, boardW-2*margin, 76, 10, "f-panel k-edge w1")
	t.Piece(seat, 38, y+38, 20, t.Initial(me))
	name := t.view.Side(me)
	if name == "" {
		name = fmt.Sprintf("Seat %d, faction not drawn", seat)
	}
	t.Fit(68, y+34, 196, 20, svg.Start, "bold", name)
	var notes []string
	if t.view.Seat == me {
		notes = append(notes, "you")
	}
	if t.p.Start == jogu.SeatID(seat) {
		notes = append(notes, "starts")
	}
	if t.p.Passed[seat] {
		notes = append(notes, "passed")
	}
	t.Fit(68, y+58, 196, 16, svg.Start, "soft", strings.Join(notes, ", "))
	wins := 0
	for _, w := range t.p.Winners[:t.p.Scored] {
		if int(w) == seat {
			wins++
		}
	}
	discard := 0
	for _, n := range p.Discard {
		discard += int(n)
	}
	t.Figures(268, y+16, 72, 22, []sheet.Figure{
		{Value: fmt.Sprint(t.p.Morale[seat]), Label: "morale"},
		{Value: fmt.Sprint(wins), Label: "points"},
		{Value: fmt.Sprint(p.HandSize), Label: "hand"},
		{Value: fmt.Sprint(int(p.Top + p.Middle + p.Bottom)), Label: "pile"},
		{Value: fmt.Sprint(discard), Label: "discard"},
	})
	t.locationCards(seat, y)
}

// locationCards draws a seat's Location Card, and those that it has used.
func (t *table) locationCards(seat int, y float64) {
	me, text := engine.Player(seat), ""
	title := fmt.Sprintf("Location Card of seat %d: ", seat)
	switch n := t.view.LocationCard(me); {
	case n > 0:
		text, title = fmt.Sprint(n), title+fmt.Sprint(n)
	case t.p.Locs[seat].Card != 0:
		text, title = "?", title+"not seen"
	default:
		title += "none"
	}
	t.Thing("location_card", title)
	if text == "" {
		t.Slot(642, y+6, 44, 64, "")
	} else {
		t.Token(fmt.Sprintf("location/%d/%s", seat, text), 1)
		t.Back(642, y+6, 44, 64, seat, text)
		t.Close()
	}
	t.Close()
	var used []string
	for place, n := range t.p.Locs[seat].Discard {
		for range n {
			used = append(used, fmt.Sprint(place+jogu.FirstPlace))
		}
	}
	line := "used: " + strings.Join(used, " ")
	if used == nil {
		line = "none used"
	}
	t.Fit(694, y+32, 130, 15, svg.Start, "", "Location Card")
	t.Fit(694, y+54, 130, 15, svg.Start, "soft", line)
}

// theirHand draws the other seat's hand: the cards that are known, and backs.
func (t *table) theirHand() {
	const w, h = 111.0, 40.0
	seat := 1 - t.me
	p, x, shown := &t.p.Seats[seat], margin, 0
	for c, n := range p.Hand {
		for range n {
			card := &t.decks[seat].Cards[c]
			t.CardPart("", card.Key, fmt.Sprintf("in the hand of seat %d: %s", seat, about(card)))
			t.Chip(x, theirsY+84, w, h, sheet.Chip{
				Name: card.Name, Card: card.Key, Seat: seat, Number: fmt.Sprint(card.Strength), Piece: sheet.CardPiece(card.Key),
			})
			t.Close()
			x, shown = x+w+7, shown+1
		}
	}
	for range int(p.HandSize) - shown {
		t.Thing("", fmt.Sprintf("a card in the hand of seat %d, not seen", seat))
		t.Chip(x, theirsY+84, w, h, sheet.Chip{Seat: seat, Number: "?", Down: true, Piece: sheet.BackPiece(seat)})
		t.Close()
		x += w + 7
	}
}

// hand draws the hand of the seat at the lower edge.
func (t *table) hand() {
	p, x, kinds := &t.p.Seats[t.me], margin, 0
	for _, n := range p.Hand {
		kinds += min(int(n), 1)
	}
	if kinds == 0 {
		t.Slot(x, handY, cardW, cardH, "no cards")
	}
	// The fewer there are, the wider, so that more of them can be read.
	wide := min(widest, (width-2*margin+8)/float64(max(kinds, 1))-8)
	for c, n := range p.Hand {
		if n == 0 {
			continue
		}
		card := &t.decks[t.me].Cards[c]
		mark := ""
		if k := p.Pending[c]; k > 0 {
			mark = fmt.Sprintf("%d to discard", k)
		} else if p.Revealed[c] > 0 {
			mark = "known"
		}
		t.CardPart("hand/"+card.Key, card.Key, "in hand: "+about(card))
		t.Face(x, handY, wide, cardH, sheet.Face{
			Name: card.Name, Card: card.Key, Values: fmt.Sprintf("S%d M%d", card.Strength, card.Morale), Text: card.Text, Seat: t.me, Count: int(n), Mark: mark,
			Piece: sheet.CardPiece(card.Key),
		})
		t.Close()
		x += wide + 8
	}
}

// about says what is printed on a card.
func about(c *jogu.DeckCard) string {
	return fmt.Sprintf("%s, Strength %d, morale %d. %s", c.Name, c.Strength, c.Morale, c.Text)
}

// Cards tells about all cards, and what else there is on the table.
func Cards(g engine.Game) []sheet.Card {
	list := []sheet.Card{
		{Kind: "track", Name: "rounds", Title: "Rounds", Text: "One victory point marker per round, for its winner. The game ends after the round with the end-game marker, or when a player has no morale left."},
		{Kind: "track", Name: "capacity", Title: "Capacity", Text: "Cards of both players with a Strength of 10 in all find room at a Location; a card face down counts 3."},
		{Kind: "card", Name: "location_card", Title: "Location Card", Text: "Each player has one per round, in secret: the Locations on both are Battle Locations. Strength there counts times the number of the Location."},
	}
	for _, d := range jogu.Decks(g) {
		for i := range d.Cards {
			c := &d.Cards[i]
			list = append(list, sheet.Card{Kind: "card", Name: c.Key, Title: c.Name, Text: fmt.Sprintf("%s. Strength %d, morale %d. %s", d.Name, c.Strength, c.Morale, c.Text)})
		}
	}
	return list
}
