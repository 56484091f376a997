// Package domination draws a table of Domination: the world, the Regions and Resources with
// who holds what of them, the players, the stacks, and the hand of the seat whose view it is.
package domination

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/env/drawing/sheet"
	"powderkeg/env/drawing/svg"
)

const (
	width   = 1436.0
	height  = 912.0
	margin  = 10.0
	square  = 40.0 // of the map
	mapY    = 40.0
	boardW  = 1020.0
	groupsY = 576.0 // Regions and Resources
	boardH  = 706.0
	columnX = boardW + 6 // of what stands beside the map
	columnW = width - margin - columnX
	seatsH  = 404.0 // height of what the seats have
	mostRow = 92.0  // of a seat
	stack   = 46.0  // height of a stack, with the room below it
	handY   = boardH + 8
	cardW   = 206.0
	cardH   = height - handY - 30
)

// table is a drawing in the making.
type table struct {
	*sheet.Sheet
	*layout
	view  *domination.View
	p     *domination.Position
	seats int
	me    int // the seat whose hand is drawn
}

// Draw draws a view. Its spaces are the Areas by their ids, such as CAN; the cards of the
// hand, such as hand/Insurgents, and of the stacks, such as stack/Insurgents; and the seats,
// such as seat1.
func Draw(g engine.Game, v *domination.View) []byte {
	l, err := layoutOf(v)
	if err != nil {
		return nil
	}
	t := &table{layout: l, view: v, p: &v.P, seats: g.Spec().Seats, me: max(int(v.Seat), 0)}
	names := g.Spec().Actions
	t.Sheet = sheet.New(v, width, height, "Domination", func(a engine.Action) []string { return t.meaning(a, names[a]) })
	t.Game = "domination"
	t.Panel(sheet.BoardPanel, "World", 0, 0, boardW, boardH)
	t.HeadWithin(boardW, 20, t.head(), v.ToAct())
	t.world()
	t.groups()
	t.Close()
	stacksY := 8 + t.seatRow()*float64(t.seats)
	t.Panel("players", "Players", columnX-4, 0, columnW+margin+4, stacksY)
	t.players()
	t.Close()
	t.Panel("stacks", "Stacks", columnX-4, stacksY, columnW+margin+4, 26+5*stack)
	t.stacks(stacksY + 2)
	t.Close()
	t.Panel(sheet.HandPanel, "Hand", 0, handY-4, width, height-handY+4)
	t.hand()
	t.Close()
	return t.Bytes()
}

// meaning returns the space that an action means.
func (t *table) meaning(a engine.Action, name string) []string {
	verb, argument, _ := strings.Cut(name, " ")
	switch verb {
	case "BUILD_AT", "REDUCE_AT", "REMOVE_AT":
		return []string{argument}
	case "BUY":
		return []string{"stack/" + argument}
	case "TARGET_PLAYER":
		return []string{fmt.Sprintf("seat%d", (int(t.p.Actor)+int(a-domination.ActTargetPlayer))%t.seats)}
	}
	if argument != "" {
		return []string{"hand/" + argument}
	}
	return nil
}

// head says which Game Turn it is, and which card is being used.
func (t *table) head() string {
	text := fmt.Sprintf("Game Turn %d of %d", min(int(t.p.Turn), t.view.Turns()), t.view.Turns())
	switch t.view.Phase() {
	case domination.BeforeVPs:
		text += ", scoring"
	case domination.AfterVPs:
		text += ", VPs are counted"
	}
	use := &t.p.Frame
	if use.Way == domination.NoWay {
		return text
	}
	text += fmt.Sprintf(". Seat %d uses %s", use.Actor, t.facts.Cards[use.Card].Name)
	if use.Points > 0 {
		text += fmt.Sprintf(", %d left", use.Points)
	}
	return text
}

// seatRow returns the height of what a seat has, with the room below it.
func (t *table) seatRow() float64 { return min(mostRow, seatsH/float64(t.seats)) }

// players draws a row per seat.
func (t *table) players() {
	row := t.seatRow()
	size := (row - 28) / 2
	for seat := range t.seats {
		y := 8 + float64(seat)*row
		p := &t.p.Seats[seat]
		name := fmt.Sprintf("Seat %d", seat)
		if t.view.Seat == engine.Player(seat) {
			name += " (you)"
		}
		t.Part(fmt.Sprintf("seat%d", seat), t.aboutSeat(seat))
		t.Rect(columnX, y, columnW, row-6, 8, "f-panel k-edge w1 aim")
		t.Piece(seat, columnX+18, y+15, 10, t.Initial(engine.Player(seat)))
		t.Fit(columnX+36, y+21, 150, 17, svg.Start, "bold", name)
		t.Fit(columnX+columnW-10, y+21, 180, 15, svg.End, "soft", t.notes(seat))
		full, weak := t.forces(seat)
		_, _, score := t.view.Standing(domination.SeatID(seat))
		t.Figures(columnX+4, y+22, (columnW-8)/7, min(size, 24), []sheet.Figure{
			{Value: fmt.Sprint(t.p.VP[seat]), Label: "VP"},
			{Value: fmt.Sprintf("+%d", score), Label: "next"},
			{Value: fmt.Sprint(t.p.Logistics[seat]), Label: "Logistics"},
			{Value: fmt.Sprint(p.HandSize), Label: "hand"},
			{Value: fmt.Sprint(p.DeckSize), Label: "deck"},
			{Value: fmt.Sprint(p.Discards), Label: "discard"},
			{Value: fmt.Sprintf("%d + %d", full, weak), Label: "Forces"},
		})
		t.Close()
	}
}

// forces counts the Full and the Struggling Forces of a seat.
func (t *table) forces(seat int) (full, weak int) {
	for area := range domination.Areas {
		if t.p.Own[seat]>>area&1 == 0 {
			continue
		}
		if t.p.Full>>area&1 != 0 {
			full++
		} else {
			weak++
		}
	}
	return full, weak
}

func (t *table) notes(seat int) string {
	var notes []string
	who := domination.SeatID(seat)
	if t.p.First == who {
		notes = append(notes, "first player")
	}
	if t.view.Active() == who {
		notes = append(notes, "its turn")
	}
	if t.p.Passed.Has(who) {
		notes = append(notes, "passed")
	}
	if t.p.Fog.Has(who) {
		notes = append(notes, "Fog of War")
	}
	if t.p.Turn > 0 && int(t.p.Turn) > t.view.Turns() && t.view.Winners().Has(who) {
		notes = append(notes, "has won")
	}
	return strings.Join(notes, ", ")
}

// aboutSeat says what is public of a seat's cards.
func (t *table) aboutSeat(seat int) string {
	p := &t.p.Seats[seat]
	text := fmt.Sprintf("seat %d: discards: %s", seat, t.listed(&p.Discard))
	if engine.Player(seat) != t.view.Seat {
		text += "; known in hand: " + t.listed(&p.Known)
	}
	return text
}

func (t *table) listed(counts *domination.Counts) string {
	var parts []string
	for c, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, t.facts.Cards[c].Name))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// stacks draws what can be bought: two stacks to a row.
func (t *table) stacks(y float64) {
	t.Text(columnX+2, y+17, 16, svg.Start, "soft bold", "Stacks")
	const room = (columnW + 6) / 2
	i := 0
	for c := range domination.Cards {
		if t.p.Pool>>c&1 == 0 {
			continue
		}
		card := &t.facts.Cards[c]
		t.CardPart("stack/"+card.Name, card.Name, fmt.Sprintf("%d left of %s", t.p.Stack[c], about(card)))
		t.Token(sheet.CardPiece(card.Name), int(t.p.Stack[c]))
		t.Chip(columnX+float64(i%2)*room, y+24+float64(i/2)*stack, room-6, stack-4, sheet.Chip{
			Name: card.Name, Card: card.Name, Seat: -1, Number: fmt.Sprint(t.p.Stack[c]), Note: values(card),
		})
		t.Close()
		t.Close()
		i++
	}
}

// hand draws the hand, a card for all of a kind.
func (t *table) hand() {
	p, kinds := &t.p.Seats[t.me], 0
	for _, n := range p.Hand {
		kinds += min(int(n), 1)
	}
	t.Text(margin, handY+15, 16, svg.Start, "soft bold", fmt.Sprintf("Hand of seat %d", t.me))
	if kinds == 0 {
		t.Slot(margin, handY+24, cardW, cardH, "no cards")
	}
	step := min(cardW+8, (width-2*margin+8)/float64(max(kinds, 1)))
	x := margin
	for c, n := range p.Hand {
		if n == 0 {
			continue
		}
		card := &t.facts.Cards[c]
		mark := ""
		if p.Known[c] > 0 {
			mark = "known"
		}
		t.CardPart("hand/"+card.Name, card.Name, fmt.Sprintf("%d in hand: %s", n, about(card)))
		t.Face(x, handY+24, step-8, cardH, sheet.Face{
			Name: card.Name, Card: card.Name, Values: values(card), Text: card.Text, Seat: t.me, Count: int(n), Mark: mark,
			Piece: sheet.CardPiece(card.Name),
		})
		t.Close()
		x += step
	}
}

func values(c *domination.Card) string { return fmt.Sprintf("B%d R%d", c.Build, c.Reduction) }

// about says what is printed on a card.
func about(c *domination.Card) string {
	return fmt.Sprintf("%s, Build %d, Reduction %d. %s", c.Name, c.Build, c.Reduction, c.Text)
}

// Cards tells about all cards and tracks.
func Cards(g engine.Game) []sheet.Card {
	list := []sheet.Card{
		{Kind: "unit", Name: "full", Title: "Full Force", Text: "Two steps, drawn filled. In scoring 2 VPs on Land, 4 at Sea."},
		{Kind: "unit", Name: "struggling", Title: "Struggling Force", Text: "One step, drawn open. In scoring 1 VP on Land, 2 at Sea."},
		{Kind: "track", Name: "regions", Title: "Regions", Text: "Whoever controls all three Areas of a Region scores 6 VPs for it."},
		{Kind: "track", Name: "resources", Title: "Resources", Text: "Each Resource of which a player controls all three Areas moves its Logistical Support on by one."},
		{Kind: "track", Name: "logistics", Title: "Logistical Support", Text: "How many cards a player draws at the start of a Game Turn."},
	}
	facts := domination.FactsOf(g)
	if facts == nil {
		return list
	}
	for i := range facts.Cards {
		c := &facts.Cards[i]
		list = append(list, sheet.Card{Kind: "card", Name: c.Name, Title: c.Name, Text: fmt.Sprintf("Build %d, Reduction %d. %s", c.Build, c.Reduction, c.Text)})
	}
	return list
}
