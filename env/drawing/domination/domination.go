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
	width   = 1020.0
	margin  = 10.0
	square  = 40.0 // of the map
	mapY    = 40.0
	groupsY = 572.0 // Regions and Resources
	seatsY  = 700.0
	seatRow = 44.0
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
	stacksY := seatsY + 34 + seatRow*float64(t.seats)
	t.Sheet = sheet.New(v, width, stacksY+322, "Domination", func(a engine.Action) []string { return t.meaning(a, names[a]) })
	t.Head(20, t.head(), v.ToAct())
	t.world()
	t.groups()
	t.players()
	t.stacks(stacksY)
	t.hand(stacksY + 140)
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

// players draws a row per seat.
func (t *table) players() {
	columns := []struct {
		x     float64
		label string
	}{{240, "VP"}, {310, "next"}, {390, "Log."}, {470, "hand"}, {545, "deck"}, {625, "discard"}, {705, "Forces"}}
	for _, c := range columns {
		t.Text(c.x, seatsY+20, 14, svg.Middle, "soft", c.label)
	}
	t.Text(760, seatsY+20, 14, svg.Start, "soft", "filled: Full, open: Struggling")
	for seat := range t.seats {
		y := seatsY + 28 + float64(seat)*seatRow
		p := &t.p.Seats[seat]
		name, note := fmt.Sprintf("Seat %d", seat), t.notes(seat)
		if t.view.Seat == engine.Player(seat) {
			name += " (you)"
		}
		t.Part(fmt.Sprintf("seat%d", seat), t.aboutSeat(seat))
		t.Rect(margin, y, width-2*margin, seatRow-4, 8, "f-panel k-edge w1 aim")
		t.Piece(seat, 36, y+20, 14, fmt.Sprint(seat))
		t.Fit(60, y+27, 140, 19, svg.Start, "bold", name)
		full, weak := t.forces(seat)
		_, _, score := t.view.Standing(domination.SeatID(seat))
		for i, value := range []string{
			fmt.Sprint(t.p.VP[seat]), fmt.Sprintf("+%d", score), fmt.Sprint(t.p.Logistics[seat]), fmt.Sprint(p.HandSize),
			fmt.Sprint(p.DeckSize), fmt.Sprint(p.Discards), fmt.Sprintf("%d + %d", full, weak),
		} {
			class := ""
			if i == 0 {
				class = "bold"
			}
			t.Text(columns[i].x, y+27, 19, svg.Middle, class, value)
		}
		t.Fit(760, y+26, 240, 16, svg.Start, "soft", note)
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

// stacks draws what can be bought: five stacks to a row.
func (t *table) stacks(y float64) {
	t.Text(margin+4, y+18, 16, svg.Start, "soft bold", "Stacks")
	i := 0
	for c := range domination.Cards {
		if t.p.Pool>>c&1 == 0 {
			continue
		}
		card := &t.facts.Cards[c]
		t.CardPart("stack/"+card.Name, card.Name, fmt.Sprintf("%d left of %s", t.p.Stack[c], about(card)))
		t.Chip(margin+float64(i%5)*200, y+28+float64(i/5)*50, 194, 46, sheet.Chip{
			Name: card.Name, Seat: -1, Number: fmt.Sprint(t.p.Stack[c]), Note: values(card),
		})
		t.Close()
		i++
	}
}

// hand draws the hand, a card for all of a kind.
func (t *table) hand(y float64) {
	p, kinds := &t.p.Seats[t.me], 0
	for _, n := range p.Hand {
		kinds += min(int(n), 1)
	}
	t.Text(margin+4, y+18, 16, svg.Start, "soft bold", fmt.Sprintf("Hand of seat %d", t.me))
	step := min(125, (width-2*margin+6)/float64(max(kinds, 1)))
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
		t.Face(x, y+28, step-6, 146, sheet.Face{Name: card.Name, Values: values(card), Text: card.Text, Seat: t.me, Count: int(n), Mark: mark})
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
