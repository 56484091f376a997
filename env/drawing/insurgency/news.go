package insurgency

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

// events draws the events that stay in play, in two columns.
func (t *table) events() {
	t.Text(columnX, eventsY+15, 16, svg.Start, "soft bold", "Events in play")
	n := 0
	for k := range insurgency.Momenta {
		if t.p.Momentum.Has(insurgency.MomentumKey(k)) {
			n++
		}
	}
	if n == 0 {
		t.Text(columnX, eventsY+40, 15, svg.Start, "soft", "none")
	}
	columns := max(2, min(6, n))
	rows := (n + columns - 1) / columns
	step, row := (columnW+5)/float64(columns), 50/float64(max(rows, 1))
	i := 0
	for k := range insurgency.Momenta {
		if !t.p.Momentum.Has(insurgency.MomentumKey(k)) {
			continue
		}
		number, text, round := t.box.InPlay(insurgency.MomentumKey(k))
		card, until, note := t.box.Card(number), "to the end of the game", "game"
		if round {
			until, note = "to the end of the round", "round"
		}
		if columns > 2 {
			note = ""
		}
		owner := int(t.p.Owners>>k) & 1
		x, y := columnX+float64(i%columns)*step, eventsY+22+float64(i/columns)*row
		t.CardPart(fmt.Sprintf("event/%d", number), cardName(insurgency.CardID(number)), fmt.Sprintf("in play for the %s %s: %s. %s", sides[owner], until, card.Name, text))
		t.Chip(x, y, step-5, row-4, sheet.Chip{
			Name: card.Name, Card: cardName(insurgency.CardID(number)), Seat: owner, Note: note,
			Piece: sheet.CardPiece(cardName(insurgency.CardID(number))),
		})
		t.Close()
		i++
	}
}

// news draws the stories: the active ones, newest first, the pool and the discards.
func (t *table) news() {
	t.Text(columnX, newsY+15, 16, svg.Start, "soft bold", "News, newest first")
	for i := range insurgency.Slots {
		y := newsY + 22 + float64(i)*38
		if n := int(t.p.Slots[i]); n > 0 {
			t.story(n, fmt.Sprintf("active story %d", i+1), columnX, y, columnW, 34)
		} else {
			t.Slot(columnX, y, columnW, 34, "")
		}
	}
	y := newsY + 22 + float64(insurgency.Slots)*38
	t.stories("Pool", t.p.Pool, y)
	t.stories("Discarded", t.p.StoryDiscard, y+36)
	if t.p.Drawn > 0 {
		t.story(int(t.p.Drawn), "drawn", columnX+76, y+72, columnW-76, 34)
	}
}

// stories draws a set of stories in a row, in narrower chips the more there are.
func (t *table) stories(label string, set insurgency.StorySet, y float64) {
	t.Fit(columnX, y+22, 72, 15, svg.Start, "soft bold", label)
	step := min(96, (columnW-76+4)/float64(max(set.Count(), 1)))
	x := columnX + 76
	for ; set != 0; set &= set - 1 {
		t.story(int(set.First()), label, x, y, step-4, 32)
		x += step
	}
}

// story draws a story: its Rebellion Factor, its title, its Virality.
func (t *table) story(n int, where string, x, y, w, h float64) {
	s := t.box.Story(n)
	chip := sheet.Chip{
		Name: s.Title, Card: storyName(n), Seat: -1, Number: fmt.Sprint(s.Factor), Note: fmt.Sprintf("V%d", s.Virality),
		Piece: sheet.CardPiece(storyName(n)),
	}
	if w < 150 {
		chip.Name = ""
	}
	if w < 62 {
		chip.Note = ""
	}
	t.CardPart(fmt.Sprintf("story/%d", n), storyName(n), fmt.Sprintf("%s: %d %s, Virality %d, Rebellion Factor %d", where, n, s.Title, s.Virality, s.Factor))
	t.Chip(x, y, w, h, chip)
	t.Close()
}

func storyName(n int) string { return fmt.Sprintf("story %d", n) }

// Cards tells about all event cards and stories, the pieces and the tracks.
func Cards(g engine.Game) []sheet.Card {
	list := []sheet.Card{
		{Kind: "unit", Name: "agent", Title: "Agent", Text: "A Federal unit: a square."},
		{Kind: "unit", Name: "active", Title: "Active militia", Text: "A Rebel unit in the open: a filled circle."},
		{Kind: "unit", Name: "sleeper", Title: "Sleeper militia", Text: "A Rebel unit under cover: an open circle."},
		{Kind: "unit", Name: "base", Title: "Base", Text: "A house: one victory point and income for its side; at most two stand in a space."},
		{Kind: "marker", Name: "status", Title: "Status", Text: "Order and Revolt, filled, give their population as victory points to the Federal and the Rebel. Anger and Defiance, open, lie between them."},
		{Kind: "marker", Name: "unrest", Title: "Unrest", Text: "A flame with the number of markers, at most three in a space."},
		{Kind: "track", Name: "social_media", Title: "Social Media", Text: "Where the marker lies says which side has the Edge, and so wins ties."},
		{Kind: "track", Name: "rebellion_power", Title: "Rebellion Power", Text: "The sum of the Rebellion Factors of the three active stories, as hacks and events have changed it; it gives a factor from 0 to 4."},
		{Kind: "track", Name: "interstate", Title: "Interstates", Text: "Groups move along them from space to space; each space with enemy units that they enter may cost them."},
	}
	box := insurgency.BoxOf(g)
	if box == nil {
		return list
	}
	for n := 1; n <= insurgency.Events; n++ {
		c := box.Card(n)
		list = append(list, sheet.Card{Kind: "card", Name: cardName(insurgency.CardID(n)), Title: c.Name, Text: about(insurgency.CardID(n), c)})
	}
	for n := 1; n <= insurgency.Stories; n++ {
		s := box.Story(n)
		list = append(list, sheet.Card{Kind: "card", Name: storyName(n), Title: s.Title, Text: fmt.Sprintf("A story with Virality %d and Rebellion Factor %d.", s.Virality, s.Factor)})
	}
	return list
}
