package domination

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

const textWidth = 98

// Text implements engine.Teller: the table as seat p sees it, for a reader who
// knows the game from the box.
func (s *View) Text(p engine.Player) string {
	me := SeatID(p)
	w := &writer{}
	s.writeHead(w)
	s.writePlayers(w, me)
	s.writeMap(w, me)
	s.writeStacks(w)
	s.writeHand(w, me)
	s.writeOthers(w, me)
	return w.String()
}

// writer collects lines and folds long ones at spaces.
type writer struct{ strings.Builder }

// line writes a line and indents its continuations by four columns.
func (w *writer) line(format string, args ...any) {
	w.fold(4, fmt.Sprintf(format, args...))
}

// fold writes text and indents its continuations.
func (w *writer) fold(indent int, text string) {
	for len(text) > textWidth {
		cut := strings.LastIndexByte(text[:textWidth+1], ' ')
		if cut <= indent {
			break
		}
		w.WriteString(strings.TrimRight(text[:cut], " ") + "\n")
		text = strings.Repeat(" ", indent) + text[cut+1:]
	}
	w.WriteString(text + "\n")
}

// writeHead writes the Game Turn and what is going on.
func (s *View) writeHead(w *writer) {
	p, g := &s.P, s.G
	switch {
	case p.Phase == over:
		var seats []string
		winners := g.board(p).winners()
		for i := range g.seats {
			if winners.Has(i) {
				seats = append(seats, fmt.Sprintf("seat %d", i))
			}
		}
		w.line("Game over after Game Turn %d: %s won.", g.turns, strings.Join(seats, " and "))
	case p.Phase == setUp:
		w.line("Set-up. %s", s.situation())
	default:
		w.line("Game Turn %d of %d, %s, First Player seat %d. %s", p.Turn, g.turns, phaseTitles[p.Phase], p.First, s.situation())
	}
}

var phaseTitles = [...]string{
	"set-up", "end", "start", "card play", "scoring step", "scoring step", "scoring step, VPs are counted", "scoring step, VPs are counted", "over",
}

// situation says who is asked what.
func (s *View) situation() string {
	switch {
	case s.P.Actor == engine.Nobody:
		return "The game goes on."
	case s.P.Actor >= 0:
		return fmt.Sprintf("Seat %d is asked: %s", s.P.Actor, flow.Closed(s.Question()))
	}
	return flow.Closed(s.Question())
}

// says makes a question of a sentence that is always the same.
func says(text string) sentence { return func(Board) string { return text } }

// saysOfCard makes a question of a sentence with the name of the card that is being used.
func saysOfCard(format string) sentence {
	return func(b Board) string { return fmt.Sprintf(format, b.box.Cards[b.Frame.Card].Name) }
}

// saysOfPoints makes a question of a sentence with that name, and the points that are left.
func saysOfPoints(format string) sentence {
	return func(b Board) string {
		return fmt.Sprintf(format, b.box.Cards[b.Frame.Card].Name) + fmt.Sprintf(" (%d left%s)", b.Frame.Points, b.fromArea())
	}
}

// saysOfRegion makes a question of a sentence with that name, and the Region that the card has come to.
func saysOfRegion(format string) sentence {
	return func(b Board) string {
		return fmt.Sprintf(format, b.box.Cards[b.Frame.Card].Name, b.box.Regions[b.Frame.Region].Name)
	}
}

func (b Board) saysTurn() string {
	if b.Used {
		return "Use another card, or end your turn"
	}
	return "Use a card, or pass for the rest of the Game Turn"
}

func (b Board) saysBuy() string {
	if b.Frame.Way == Discard1Way {
		return "Buy a card into your discard pile"
	}
	return "Buy a card into your hand"
}

func (b Board) saysStorm() string {
	return saysOfPoints(fmt.Sprintf("Reduce a Force of seat %d with %%s", b.Frame.Target))(b)
}

// fromArea says which Areas are open to the next point, if not all are (R7.9).
func (b Board) fromArea() string {
	if last := b.Frame.Last; last > 0 {
		return fmt.Sprintf(", from %s on", b.box.Areas[last].ID)
	}
	return ""
}

// writePlayers writes one row per seat.
func (s *View) writePlayers(w *writer, me SeatID) {
	g, p := s.G, &s.P
	w.line("")
	w.line("               VPs  would score  logistics  hand  deck  discards  Forces")
	for i := range g.seats {
		seat, name := &p.Seats[i], fmt.Sprintf("seat %d", i)
		if i == me {
			name += " (you)"
		}
		_, _, score := s.Standing(i)
		row := fmt.Sprintf("%-12s %5d %12s %10d %5d %5d %9d %7d", name, p.VP[i], fmt.Sprintf("+%d", score), p.Logistics[i],
			seat.HandSize, seat.DeckSize, seat.Discards, p.Own[i].Size())
		if notes := s.notes(i); len(notes) > 0 {
			row += "  " + strings.Join(notes, ", ")
		}
		w.line("%s", row)
	}
}

// notes lists what stands out about a seat: its turn, its lock, and what it controls
// whole.
func (s *View) notes(i SeatID) []string {
	g, p := s.G, &s.P
	var notes []string
	if p.Phase == cardPlay && i == p.Active {
		notes = append(notes, "active")
		if p.Used {
			notes = append(notes, "has used a card")
		}
	}
	if p.Passed.Has(i) && p.Phase != over {
		notes = append(notes, "passed")
	}
	if p.Fog.Has(i) {
		notes = append(notes, "Fog of War")
	}
	for _, groups := range []*[Regions]Group{&g.box.Regions, &g.box.Resources} {
		for k := range groups {
			if p.Own[i]&groups[k].Areas == groups[k].Areas {
				notes = append(notes, "all "+groups[k].Name)
			}
		}
	}
	return notes
}

// writeMap writes a line for each Area with its Region, Resource and borders (R2.4), in
// the order in which the points of a card go (R7.9).
func (s *View) writeMap(w *writer, me SeatID) {
	b := s.G.box
	w.line("")
	w.line("Map, in the order of the Areas: F is a Full Force, s a Struggling one, with its seat; * is yours,")
	w.line("- empty. The points of a card go down this list, never up (only Attack Helicopters go freely).")
	w.line("              Area                  Resource       Force, borders")
	for i := range b.Areas {
		a := &b.Areas[i]
		heading, resource := "", ""
		switch {
		case i < LandAreas:
			resource = b.Resources[a.Resource].Name
			if region := &b.Regions[a.Region]; region.Areas.First() == AreaID(i) {
				heading = region.Name
			}
		case i == LandAreas:
			heading = "Sea Areas"
		}
		var borders []string
		for k := range a.Adjacent.Each() {
			borders = append(borders, b.Areas[k].ID)
		}
		w.line("%-13s %s %-17s %-14s %-4s%s", heading, a.ID, a.Name, resource, s.cell(AreaID(i), me), strings.Join(borders, " "))
	}
}

// cell writes what is in an Area.
func (s *View) cell(a AreaID, me SeatID) string {
	owner := s.P.Owner(a)
	if owner == NoSeat {
		return "-"
	}
	text := fmt.Sprintf("s%d", owner)
	if s.P.Full.Has(a) {
		text = fmt.Sprintf("F%d", owner)
	}
	if owner == me {
		text += "*"
	}
	return text
}

// writeStacks writes what can be bought, one line per type.
func (s *View) writeStacks(w *writer) {
	w.line("")
	w.line("Stacks (B is Build, R is Reduction):")
	for c := range CardID(Cards) {
		if s.P.Pool.Has(c) {
			s.writeCard(w, c, s.P.Stack[c], "")
		}
	}
}

// writeCard writes a number of cards of one type and what is printed on them.
func (s *View) writeCard(w *writer, c CardID, n uint8, note string) {
	k := &s.G.box.Cards[c]
	line := fmt.Sprintf("  %d %-22s B%d R%d  ", n, k.Name, k.Build, k.Reduction)
	w.fold(len(line), line+k.Text+note)
}

func listed(parts []string) string {
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// writeHand writes the hand of seat me, one line per type, and its other cards.
func (s *View) writeHand(w *writer, me SeatID) {
	seat, b := &s.P.Seats[me], s.G.box
	w.line("")
	if seat.HandSize == 0 {
		w.line("Your hand is empty.")
	} else {
		w.line("Your hand:")
	}
	for c, n := range seat.Hand {
		if n == 0 {
			continue
		}
		note := ""
		if k := seat.Known[c]; k > 0 {
			note = fmt.Sprintf(" (%d known to all)", k)
		}
		s.writeCard(w, CardID(c), n, note)
	}
	w.line("Your draw deck, in unknown order: %s", b.counted(&seat.Deck))
	w.line("Your discards: %s", b.counted(&seat.Discard))
}

// counted lists counts by name.
func (b *box) counted(counts *[Cards]uint8) string {
	var parts []string
	for c, n := range counts {
		switch {
		case n == 1:
			parts = append(parts, b.Cards[c].Name)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, b.Cards[c].Name))
		}
	}
	return listed(parts)
}

// writeOthers writes what is known of the cards of the other seats.
func (s *View) writeOthers(w *writer, me SeatID) {
	b := s.G.box
	for i := range s.G.seats {
		if i == me {
			continue
		}
		seat := &s.P.Seats[i]
		w.line("")
		w.line("Seat %d, known in hand: %s", i, b.counted(&seat.Hand))
		w.line("  in hand or draw deck: %s", b.counted(&seat.Deck))
		w.line("  discards: %s", b.counted(&seat.Discard))
	}
}
