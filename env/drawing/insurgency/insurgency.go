// Package insurgency draws a table of 2040: An American Insurgency: the map with its cities,
// suburbs, regions and interstates, the tracks, what both sides have, the news, and the hand
// of the seat whose view it is.
package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	width  = 1400.0
	height = 956.0
	margin = 10.0
	across = 50.0 // a square of the map
	down   = 46.0

	nameSize = 17.4 // of names of places: 11 pixels of a screen of 1280

	mapY   = 40.0
	boardW = 1020.0
	boardH = 742.0
	// The column beside the map, from the top down.
	columnX = boardW + 4
	columnW = width - margin - columnX
	sidesY  = 8.0
	sideH   = 132.0
	tracksY = 284.0
	powerY  = 352.0
	newsY   = 420.0
	eventsY = 668.0
	// Below both.
	handY   = 750.0
	handW   = 950.0
	theirsX = handW + margin + 14
	cardW   = 134.0
	widest  = 200.0 // that a card in hand is
	cardH   = 200.0
)

var sides = [2]string{"Rebel", "Federal"}

// table is a drawing in the making.
type table struct {
	*sheet.Sheet
	*layout
	view *insurgency.View
	p    *insurgency.Position
	me   int // the seat whose hand is drawn
}

// Draw draws a view. Its spaces are those of the map by their ids, such as chicago_suburb;
// cards by their numbers, hand/12 and, where it stays in play, event/12; stories, such as
// story/3; and the spaces of the Social Media track, SM_A to SM_F.
func Draw(g engine.Game, v *insurgency.View) []byte {
	l, err := loadLayout()
	if err != nil {
		return nil
	}
	if box := insurgency.BoxOf(g); box != nil && !v.Shipped() {
		edition := *l
		edition.box, l = box, &edition
	}
	t := &table{layout: l, view: v, p: &v.P, me: max(int(v.Seat), 0)}
	names := g.Spec().Actions
	t.Sheet = sheet.New(v, width, height, "2040: An American Insurgency", func(a engine.Action) []string { return t.meaning(names[a]) })
	for seat := range engine.Player(2) {
		t.Colours[seat] = Colour(v, seat)
	}
	t.Game = "insurgency"
	t.Panel(sheet.BoardPanel, "Map", 0, 0, boardW, boardH)
	t.HeadWithin(boardW, 20, t.head(), v.ToAct())
	t.land()
	t.Close()
	t.Panel("sides", "Sides", columnX, 0, columnW+margin, tracksY-4)
	for side := range sides {
		t.side(side, sidesY+float64(side)*(sideH+4))
	}
	t.Close()
	t.Panel("tracks", "Tracks and news", columnX, tracksY-4, columnW+margin, boardH-tracksY+4)
	t.socialMedia()
	t.rebellionPower()
	t.news()
	t.events()
	t.Close()
	t.Panel(sheet.HandPanel, "Hand", 0, handY-4, handW+margin, height-handY+4)
	t.hand()
	t.Close()
	t.Panel("theirs", "Hand of the "+sides[1-t.me], theirsX, handY-4, width-theirsX, height-handY+4)
	t.theirHand()
	t.Close()
	return t.Bytes()
}

// meaning returns the space that an action means.
func (t *table) meaning(name string) []string {
	verb, argument, _ := strings.Cut(name, "_")
	switch verb {
	case "SPACE":
		return []string{argument}
	case "SM":
		return []string{name}
	case "STORY":
		return []string{"story/" + argument}
	case "CARD":
		if t.p.Ask == insurgency.AskMomentum {
			return []string{"event/" + argument}
		}
		return []string{"hand/" + argument}
	}
	return nil
}

// head says which round it is, what is played, and how the game ended.
func (t *table) head() string {
	text := fmt.Sprintf("Round %d of 5", t.p.Round)
	if winner, by, decisive := t.view.Winner(); winner >= 0 {
		if decisive {
			by = "decisive " + by
		}
		return fmt.Sprintf("%s: the %s has won by %s", text, sides[winner], by)
	}
	if card, _ := t.view.RunningCard(); card > 0 {
		text += ": " + t.box.Card(card).Name
	}
	if op := t.view.Operation(); op >= 0 {
		text += fmt.Sprintf(" (%s, %d Ops)", spoken(insurgency.OperationNames()[op]), t.view.Ops())
	}
	return text
}

func spoken(name string) string { return strings.ReplaceAll(name, "_", " ") }

// socialMedia draws the track of the Social Media marker, and who has the Edge where.
func (t *table) socialMedia() {
	t.Text(columnX, tracksY+15, 16, svg.Start, "soft bold", "Social Media")
	const step = (columnW + 4) / 6
	for i := range 6 {
		letter := "ABCDEF"[i : i+1]
		_, edge := t.box.MarkerSteps(i)
		title := fmt.Sprintf("Social Media %s: the %s has the Edge", letter, sides[edge])
		class := "f-panel k-edge w1 aim"
		if int(t.p.Social) == i {
			title += "; the marker is here"
			class = "f-mark k-ink w3 aim"
		}
		x := columnX + float64(i)*step
		t.CardPart("SM_"+letter, "social_media", title)
		t.Rect(x, tracksY+22, step-4, 36, 6, class)
		t.Text(x+10, tracksY+47, 19, svg.Start, "bold", letter)
		t.Piece(int(edge), x+40, tracksY+40, 9, "")
		t.Close()
	}
}

// rebellionPower draws the track of the power of the active stories, with the factors.
func (t *table) rebellionPower() {
	power, factor := t.view.RebellionPower()
	about := fmt.Sprintf("Rebellion Power %d, factor %d", power, factor)
	t.Text(columnX, powerY+15, 16, svg.Start, "soft bold", about)
	t.Thing("rebellion_power", about)
	const step = (columnW + 3) / (insurgency.MaxPower + 1)
	for i := range insurgency.MaxPower + 1 {
		x := columnX + float64(i)*step
		class := "f-panel k-edge w1"
		if i == power {
			class = "f-mark k-ink w3"
		}
		t.Rect(x, powerY+22, step-3, 36, 6, class)
		t.Fit(x+step/2-1.5, powerY+46, step-6, 17, svg.Middle, "bold", fmt.Sprint(i))
	}
	t.Close()
}

// side draws what a side has.
func (t *table) side(side int, y float64) {
	who := engine.Player(side)
	name := sides[side]
	t.Rect(columnX, y, columnW, sideH, 10, "f-panel k-edge w1")
	t.Piece(side, columnX+24, y+24, 14, "")
	if t.view.Seat == who {
		name += " (you)"
	}
	t.Fit(columnX+48, y+31, 180, 20, svg.Start, "bold", name)
	if t.p.PairLeft > 0 && t.p.Side == insurgency.Side(side) {
		t.Fit(columnX+columnW-10, y+30, 110, 16, svg.End, "bold", fmt.Sprintf("card %d of 2", 3-t.p.PairLeft))
	}
	used := "free"
	if t.p.SocialUsed[side] {
		used = "used"
	}
	const room = columnW / 5
	t.Figures(columnX, y+38, room, 22, []sheet.Figure{
		{Value: fmt.Sprint(t.view.VictoryPoints(who)), Label: "VP (35)"},
		{Value: fmt.Sprintf("$%d", t.p.Resources[side]), Label: "money"},
		{Value: fmt.Sprint(t.p.Reserves[side]), Label: "reserves"},
		{Value: fmt.Sprint(t.p.HandSize[side]), Label: "hand"},
		{Value: used, Label: "Media"},
	})
	t.Figures(columnX, y+84, room, 22, []sheet.Figure{
		{Value: fmt.Sprint(t.view.UnitsInStock(who)), Label: "units left"},
		{Value: fmt.Sprint(t.view.BasesInStock(who)), Label: "bases left"},
		{Value: fmt.Sprint(t.p.Hacked[side]), Label: "hacked"},
		{Value: fmt.Sprint(t.p.Shields[side]), Label: "shields"},
	})
}

// hand draws the hand of the seat whose view it is.
func (t *table) hand() {
	hand := t.p.Hand[t.me]
	n := hand.Count()
	if n == 0 {
		t.Slot(margin, handY, cardW, cardH, "no cards")
	}
	step := min(widest+8, (handW+8)/float64(max(n, 1))) // the fewer there are, the wider
	x := margin
	for c := hand.Next(0); c > 0; c = hand.Next(c) {
		card := t.box.Card(int(c))
		mark := ""
		if t.p.Known[t.me].Has(c) {
			mark = "seen"
		}
		t.CardPart(fmt.Sprintf("hand/%d", c), cardName(c), "in hand: "+about(c, card))
		t.Face(x, handY, step-8, cardH, sheet.Face{
			Name: card.Name, Card: cardName(c), Values: fmt.Sprintf("%d Ops", card.Ops), Text: card.Text, Seat: int(card.Side), Mark: mark,
			Piece: sheet.CardPiece(cardName(c)),
		})
		t.Close()
		x += step
	}
}

// theirHand draws what is known of the other hand, in two columns.
func (t *table) theirHand() {
	other := 1 - t.me
	t.Text(theirsX, handY+15, 16, svg.Start, "soft bold", fmt.Sprintf("Hand of the %s", sides[other]))
	known := t.p.Hand[other]
	n := int(t.p.HandSize[other])
	const room, top = (width - margin - theirsX + 6) / 2, handY + 22
	row := min(44, (height-top-2)/float64(max((n+1)/2, 1)))
	at := func(i int) (x, y float64) { return theirsX + float64(i%2)*room, top + float64(i/2)*row }
	i := 0
	for c := known.Next(0); c > 0; c = known.Next(c) {
		card := t.box.Card(int(c))
		x, y := at(i)
		t.CardPart("", cardName(c), fmt.Sprintf("in the hand of the %s: %s", sides[other], about(c, card)))
		t.Chip(x, y, room-6, row-5, sheet.Chip{
			Name: card.Name, Card: cardName(c), Seat: int(card.Side), Number: fmt.Sprint(card.Ops), Piece: sheet.CardPiece(cardName(c)),
		})
		t.Close()
		i++
	}
	for ; i < n; i++ {
		x, y := at(i)
		t.Thing("", fmt.Sprintf("a card in the hand of the %s, not seen", sides[other]))
		t.Chip(x, y, room-6, row-5, sheet.Chip{Seat: other, Number: "?", Down: true, Piece: sheet.BackPiece(other)})
		t.Close()
	}
}

func cardName(n insurgency.CardID) string { return fmt.Sprintf("card %d", n) }

// about says what is printed on an event card.
func about(n insurgency.CardID, c insurgency.CardFacts) string {
	side := "neutral"
	if c.Side >= 0 {
		side = sides[c.Side]
	}
	return fmt.Sprintf("%d %s, %s, %d Ops. %s", n, c.Name, side, c.Ops, c.Text)
}

// Colour returns the number of a seat's colour in the palette: the Rebel is orange, the Federal blue.
func Colour(_ engine.View, seat engine.Player) int { return 1 - int(seat) }
