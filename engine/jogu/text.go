package jogu

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

const textWidth = 98

// Text implements engine.Teller: the table as seat p sees it, for a reader who
// knows the game from the box. S is Strength, M is Morale.
func (s *View) Text(p engine.Player) string {
	me := SeatID(p)
	w := &writer{}
	s.writeHead(w)
	s.writeTable(w, me)
	for i := range s.P.Seats {
		if s.P.Decks[i] == noDeck {
			return w.String()
		}
	}
	for place := range Place(Places) {
		s.writePlace(w, place)
	}
	w.line("")
	s.writeLocationCards(w, me)
	s.writeOwn(w, me)
	s.writeOpponent(w, 1-me)
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
		w.WriteString(text[:cut] + "\n")
		text = strings.Repeat(" ", indent) + text[cut+1:]
	}
	w.WriteString(text + "\n")
}

// writeHead writes the round and what is going on.
func (s *View) writeHead(w *writer) {
	p := &s.P
	if p.Phase == over {
		w.line("Game over in round %d: seat %d wins (%s)", p.Round, p.End.Winner, causeWords[p.End.By])
	} else {
		starter := "start player not drawn yet"
		if p.Start != NoSeat {
			starter = fmt.Sprintf("seat %d starts", p.Start)
		}
		w.line("Round %d of %d, %s. %s", p.Round, p.EndMarker, starter, s.situation())
	}
	if p.Depth > 0 {
		var plays []string
		for i := range p.Frames[:p.Depth] {
			plays = append(plays, s.playText(&p.Frames[i]))
		}
		w.line("Cards being played, the outermost first: %s", strings.Join(plays, "; "))
	}
	if !p.resolved() {
		return
	}
	w.line("Last round: seat %d won with %d to %d; Battle Locations: %s; Location Cards: %s",
		p.LastWinner, p.LastRatings[p.LastWinner], p.LastRatings[1-p.LastWinner], numbersText(p.LastBattle.numbers(), ", "),
		strings.Join([]string{locationText(p.LastCards[0]), locationText(p.LastCards[1])}, " and "))
}

// numbersText lists Location numbers.
func numbersText(numbers []int, separator string) string {
	if len(numbers) == 0 {
		return "none"
	}
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, separator)
}

func locationText(n uint8) string {
	switch n {
	case 0:
		return "none"
	case hiddenLoc:
		return "unknown"
	}
	return fmt.Sprint(n)
}

// situation says who is asked what.
func (s *View) situation() string {
	if s.P.Actor >= 0 {
		return fmt.Sprintf("Seat %d is asked: %s", s.P.Actor, flow.Closed(s.Question()))
	}
	return flow.Closed(s.Question())
}

// says makes a question of a sentence that is always the same.
func says(text string) func(*game, *Position) string { return flow.Say[*game, Position](text) }

// saysOfPlay makes a question of a sentence with the name of the card that is being played.
func saysOfPlay(format string) func(*game, *Position) string {
	return func(g *game, p *Position) string {
		return fmt.Sprintf(format, g.pendingName(p))
	}
}

func (g *game) saysStorm(p *Position) string {
	return fmt.Sprintf("Choose where seat %d has to play %s", p.Turn, g.pendingName(p))
}

func (g *game) saysMedic(p *Position) string {
	return fmt.Sprintf("Put a card of your discard under your pile, or stop (Medic, %d so far)", p.Frames[p.Depth-1].Count)
}

func (g *game) saysTrojanCard(p *Position) string {
	return fmt.Sprintf("Take back a card of yours at Location %d (Trojan Bit)", p.Frames[p.Depth-1].Chosen+FirstPlace)
}

func (g *game) saysBomb(p *Position) string {
	return fmt.Sprintf("Choose a card of the opponent's at Location %d to bomb (Bomb Tower)", p.Frames[p.Depth-1].Place+FirstPlace)
}

// playText describes a play that is not over, with what is still to come of it.
func (s *View) playText(f *Frame) string {
	var parts []string
	switch {
	case f.Stage == placing:
		parts = append(parts, "its Location is to be chosen")
	case f.Stage == acting:
		parts = append(parts, "its ability is being carried out")
	case f.Own:
		parts = append(parts, "its ability is still to come")
	}
	if f.Stage == scrambling {
		parts = append(parts, "a Scrambler moves")
	}
	switch {
	case f.Scramblers == 1:
		parts = append(parts, "1 Scrambler trigger is still to come")
	case f.Scramblers > 1:
		parts = append(parts, fmt.Sprintf("%d Scrambler triggers are still to come", f.Scramblers))
	}
	if parts == nil {
		return s.G.playName(&s.P, f)
	}
	return fmt.Sprintf("%s (%s)", s.G.playName(&s.P, f), strings.Join(parts, ", "))
}

// pendingName names the card of the innermost play and its place.
func (g *game) pendingName(p *Position) string { return g.playName(p, &p.Frames[p.Depth-1]) }

func (g *game) playName(p *Position, f *Frame) string {
	name := "a face-down card"
	if f.Card != hiddenPlay {
		name = g.playing(p, f).Name
	}
	if f.Place != noPlace {
		name += fmt.Sprintf(" at Location %d", f.Place+FirstPlace)
	}
	return name
}

// writeTable writes one row per seat.
func (s *View) writeTable(w *writer, me SeatID) {
	w.line("")
	w.line("%-34s %6s %6s %5s %5s %7s", "", "morale", "points", "hand", "pile", "discard")
	for i := range s.P.Seats {
		seat, name := &s.P.Seats[i], "faction not drawn yet"
		if s.P.Decks[i] != noDeck {
			name = s.G.box.decks[s.P.Decks[i]].Name
		}
		if i == int(me) {
			name += " (you)"
		}
		note := ""
		if s.P.Passed[i] {
			note = "  passed"
		}
		w.line("%-34s %6d %6d %5d %5d %7d%s", fmt.Sprintf("seat %d  %s", i, name), s.P.Morale[i], s.P.points()[i],
			seat.HandSize, seat.PileSize(), sum(seat.Discard[:]), note)
	}
	w.line("")
}

// writePlace writes a Location: its Capacity and the cards of both seats.
func (s *View) writePlace(w *writer, place Place) {
	var strength [numSeats]string
	for i := range strength {
		strength[i] = fmt.Sprint(s.Strength(engine.Player(i), int(place)))
		unknown := 0
		for _, c := range s.P.Seats[i].Down[place] {
			if c == hiddenSlot {
				unknown++
			}
		}
		if unknown > 0 {
			strength[i] += fmt.Sprintf(" and %d unknown", unknown)
		}
	}
	w.line("Location %d   capacity %2d of %d   strength %s (seat 0) to %s (seat 1)", place+FirstPlace, s.P.Room.Used[place], s.G.box.capacity,
		strength[0], strength[1])
	for i := range SeatID(numSeats) {
		if text := s.G.cardsText(&s.P, i, place); text != "" {
			w.fold(10, fmt.Sprintf("  seat %d: %s", i, text))
		}
	}
}

// cardsText lists the cards of a seat at a Location.
func (g *game) cardsText(p *Position, i SeatID, place Place) string {
	seat, d := p.Seats[i], g.deckOf(p, i)
	var parts []string
	for t, n := range seat.Play[place] {
		if n == 0 {
			continue
		}
		note := ""
		if TypeID(t) == d.tokened && seat.Tokens[place] > 0 {
			note = fmt.Sprintf(", %d with a Stay token", seat.Tokens[place])
		}
		parts = append(parts, fmt.Sprintf("%s (S%d M%d%s)", times(n, d.cards[t].Name), d.cards[t].Strength, d.cards[t].Morale, note))
	}
	for slot, c := range seat.Down[place] {
		switch c {
		case 0:
		case hiddenSlot:
			parts = append(parts, fmt.Sprintf("face-down card %d", slot+1))
		default:
			parts = append(parts, fmt.Sprintf("face-down card %d: %s (S%d M%d)", slot+1, d.cards[c-1].Name, d.cards[c-1].Strength, d.cards[c-1].Morale))
		}
	}
	return strings.Join(parts, ", ")
}

func times(n uint8, name string) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%d %s", n, name)
}

// writeLocationCards writes what seat me knows of the Location Cards.
func (s *View) writeLocationCards(w *writer, me SeatID) {
	for _, i := range [numSeats]SeatID{me, 1 - me} {
		l, whose, shown := &s.P.Locs[i], "Your", ""
		if i != me {
			whose = "Opponent's"
		}
		if l.Revealed {
			shown = " (public)"
		}
		line := fmt.Sprintf("%s Location Card: %s%s", whose, locationText(l.Card), shown)
		switch {
		case l.TopKnown && l.Fixed[0] == hiddenLoc:
			line += ", and it knows its next one"
		case l.TopKnown:
			line += fmt.Sprintf(", next %d", l.Fixed[0])
		}
		w.line("%s; used: %s; still hidden: %s", line, numbersText(locationList(&l.Discard), " "), numbersText(locationList(&l.Unknown), " "))
	}
}

// writeOwn writes the hand of seat me, one line per type, its discard and its pile.
func (s *View) writeOwn(w *writer, me SeatID) {
	seat, d := &s.P.Seats[me], s.G.deckOf(&s.P, me)
	w.line("")
	if seat.HandSize == 0 {
		w.line("Your hand is empty.")
	} else {
		w.line("Your hand:")
	}
	for t, n := range seat.Hand {
		if n == 0 {
			continue
		}
		c, note := &d.cards[t], ""
		if r := seat.Revealed[t]; r > 0 {
			note = fmt.Sprintf(" (%d known to the opponent)", r)
		}
		if k := seat.Pending[t]; k > 0 {
			note += fmt.Sprintf(" (%d to be discarded)", k)
		}
		line := fmt.Sprintf("  %d %-20s S%d M%d  ", n, c.Name, c.Strength, c.Morale)
		w.fold(len(line), line+c.Text+note)
	}
	w.line("Your discard: %s", d.namesText(&seat.Discard))
	w.line("Your draw pile: %s", s.pileText(me, me))
	if seat.Middle > 0 {
		w.line("  in unknown order: %s", d.namesText(&seat.Unknown))
	}
}

// writeOpponent writes what is known of the cards of seat o.
func (s *View) writeOpponent(w *writer, o SeatID) {
	seat, d := &s.P.Seats[o], s.G.deckOf(&s.P, o)
	w.line("")
	w.line("Opponent's hand, as far as known: %s", d.namesText(&seat.Hand))
	w.line("Opponent's discard: %s", d.namesText(&seat.Discard))
	w.line("Opponent's draw pile: %s", s.pileText(o, 1-o))
	w.line("Opponent's cards not seen, in hand, pile or face down: %s", d.namesText(&seat.Unknown))
}

// namesText lists counts by name.
func (d *deck) namesText(counts *[Types]uint8) string {
	var parts []string
	for t, n := range counts {
		if n > 0 {
			parts = append(parts, times(n, d.cards[t].Name))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// pileText describes the parts of seat i's draw pile from the top, for seat me:
// the cards that me knows, which of its own its opponent knows too, which of the
// opponent's that alone knows (R16.7), and what was put at the bottom.
func (s *View) pileText(i, me SeatID) string {
	seat, d := &s.P.Seats[i], s.G.deckOf(&s.P, i)
	names := func(cards []PileCard) string {
		var parts []string
		for _, c := range cards {
			name := "unknown"
			switch {
			case !c.hidden():
				name = d.cards[c.card()].Name
				if i == me && c&opponentKnows != 0 {
					name += " (known to the opponent)"
				}
			case i != me && c&ownerKnows != 0:
				name = "one known to its owner"
			}
			parts = append(parts, name)
		}
		return strings.Join(parts, ", ")
	}
	var parts []string
	if seat.Top > 0 {
		parts = append(parts, "from the top: "+names(seat.Fixed[:seat.Top]))
	}
	if seat.Middle > 0 {
		parts = append(parts, fmt.Sprintf("%d in unknown order", seat.Middle))
	}
	if seat.Bottom > 0 {
		parts = append(parts, "put at the bottom: "+names(seat.Fixed[seat.Top:seat.Top+seat.Bottom]))
	}
	if parts == nil {
		return "empty"
	}
	return strings.Join(parts, "; ")
}
