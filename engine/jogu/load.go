package jogu

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// unknownName stands for a hidden card in the JSON of a view. A view shows a table and
// cannot be loaded.
const unknownName = "?"

// newCodec makes the codec of the game's positions.
func (g *game) newCodec() *codec.Codec[Position] {
	lists := map[string][]string{
		"phase": phaseNames, "stage": stageNames, "cause": causeNames, "location": {"2", "3", "4", "5", "6"},
		"location_card": {FirstPlace: "2", "3", "4", "5", "6", hiddenLoc: "0"},
	}
	for _, d := range g.box.decks {
		lists["faction"] = append(lists["faction"], d.ID)
		lists[d.ID] = d.CardKeys
		lists["card"] = append(lists["card"], d.CardKeys...)
	}
	lists["card"] = append(lists["card"], unknownName)
	return codec.NewCodec(codec.Config[Position]{
		Seats: numSeats,
		Lists: lists,
		Limits: map[string]int{
			"rounds": Rounds, "first_end": int(g.box.endStart), "last_end": int(g.box.endMax), "pile": DeckSize,
		},
		Nulls: map[string]func(p *Position) bool{
			"idle":       func(p *Position) bool { return p.Phase != reinforcement && p.Phase != deployment },
			"unresolved": func(p *Position) bool { return !p.resolved() },
		},
		Forms: map[string]codec.Form[Position]{
			"decision":      {Write: func(p *Position, _ int) any { return flow.Name(p.Ask, g.table) }},
			"hand":          {Write: g.writeHand, Read: g.readCounts(func(s *Player) *[Types]uint8 { return &s.Hand })},
			"revealed":      {Write: g.writeRevealed, Read: g.readRevealed},
			"pending":       g.countsForm(func(s *Player) *[Types]uint8 { return &s.Pending }),
			"discard":       g.countsForm(func(s *Player) *[Types]uint8 { return &s.Discard }),
			"draw":          {Write: g.writePile, Read: g.readPile},
			"draw_known":    {Write: writeKnown, Read: readKnown},
			"draw_bottom":   {Write: func(p *Position, at int) any { return int(p.Seats[at].Bottom) }, Read: readBottom},
			"board":         {Write: g.writeBoard, Read: g.readBoard},
			"location_pile": {Write: writeLocationPile, Read: readLocationPile},
		},
	})
}

// Encode implements flow.Rules. In a view, hidden cards are "?" and hidden Location Cards
// are 0; such a document shows a table and cannot be loaded.
func (g *game) Encode(p *Position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *Position) uint64 { return g.codec.Hash(p) }

// ungiven stands where a document leaves out what complete works out.
const ungiven = 0xFF

// Load implements engine.Game. What needs no choice is carried out first, unless the position
// names its decision.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	s := g.state(&g.start)
	return flow.Load(g, s, data, func(rest []byte) error { return g.load(s, rest, how) }, func(beside []byte) ([]byte, error) {
		return g.print(beside, s.P.Decks)
	})
}

// read reads the fields of a document, and finds those that it leaves out. decks are those
// of a document that does not say.
func (g *game) read(data []byte, p *Position, decks [numSeats]DeckID) (codec.Given, error) {
	*p = Position{
		Decks: decks, Round: g.start.Round, EndMarker: g.start.EndMarker, Start: g.start.Start, Turn: NoSeat,
		Morale: g.start.Morale, LastWinner: NoSeat, End: Ending{Winner: NoSeat},
	}
	for i := range numSeats {
		p.Seats[i].Middle, p.Locs[i].Top = ungiven, ungiven
	}
	given, err := g.codec.Decode(data, p)
	if err != nil {
		return nil, err
	}
	return given, g.complete(p, given)
}

// print writes what fields of a document say, of a game with these decks.
func (g *game) print(data []byte, decks [numSeats]DeckID) ([]byte, error) {
	var p Position
	given, err := g.read(data, &p, decks)
	if err != nil {
		return nil, err
	}
	return g.codec.Echo(given, &p)
}

// load reads a position at rest.
func (g *game) load(s *State, data []byte, how engine.Strictness) error {
	given, err := g.read(data, &s.P, g.start.Decks)
	if err != nil {
		return err
	}
	if err := g.codec.Derived(given, &s.P); err != nil {
		return fmt.Errorf("%w; %s", err, flow.Under)
	}
	if !g.Rests(&s.P) {
		return wrong("active is %d, the other begins to discard (R6.1); %s", s.P.Turn, flow.Under)
	}
	if err := g.validate(&s.P, how); err != nil {
		return err
	}
	return s.Resume(given["decision"])
}

// complete finds what a document leaves out, and what is kept with other fields.
func (g *game) complete(p *Position, given codec.Given) error {
	if err := g.completeTurn(p, given); err != nil {
		return err
	}
	if result := given.Has("ratings"); result != given.Has("battle_locations") || result != given.Has("round_winner") {
		return wrong("battle_locations, ratings and round_winner belong together: give all or none")
	}
	if err := g.completeBoard(p); err != nil {
		return err
	}
	for i := range SeatID(numSeats) {
		if err := g.completePiles(p, i); err != nil {
			return err
		}
	}
	return nil
}

// completePiles fills the piles of seat i that are left out with all that is nowhere else,
// in unknown order.
func (g *game) completePiles(p *Position, i SeatID) error {
	s, l := &p.Seats[i], &p.Locs[i]
	n := sum(s.Hand[:])
	if n > int(g.box.handSize) {
		return wrong("hand of seat %d has %d cards, at most %d (R1.8)", i, n, g.box.handSize)
	}
	s.HandSize = uint8(n)
	if s.Middle == ungiven {
		s.Middle = 0
		if p.Decks[i] != noDeck {
			s.Unknown = rest(g.deckOf(p, i).copies, g.elsewhere(p, i))
			s.Middle = uint8(sum(s.Unknown[:]))
		}
	}
	if l.Top == ungiven {
		l.Top = 0
		used := l.Discard
		if l.Card >= FirstPlace && l.Card != hiddenLoc {
			used[l.Card-FirstPlace]++
		}
		l.Unknown = rest(g.box.locCopies, used)
	}
	return nil
}

// rest returns what is left of the copies of cards, or none where there are too many.
func rest[T [Types]uint8 | [Places]uint8](copies, used T) T {
	left := copies
	for i := range len(left) {
		left[i] -= min(copies[i], used[i])
	}
	return left
}

// completeTurn finds the phase and who is active in it. A position that is about
// anything on the table is taken for one in deployment.
func (g *game) completeTurn(p *Position, given codec.Given) error {
	switch {
	case given.Has("phase"):
	case given.Has("game_over"):
		p.Phase = over
	case given.Any("hand", "board", "active", "passed", "location_card", "location_revealed", "revealed_in_hand"):
		p.Phase = deployment
	default:
		p.Phase = setUp
	}
	for i, d := range p.Decks {
		switch {
		case d != noDeck && int(d) >= g.decks:
			return wrong("factions: %s needs the game option expansion=true (R4.1)", g.box.decks[d].ID)
		case d == noDeck && p.Phase != setUp:
			return wrong("factions: that of seat %d is missing, which only phase setup admits", i)
		}
	}
	if p.Start == NoSeat && p.Phase != setUp { // drawn by lot in the set-up, which lies behind (R4.4)
		p.Start = 0
	}
	switch active := p.Turn; {
	case p.Phase != reinforcement && p.Phase != deployment:
		if p.Turn = 0; active != NoSeat {
			return wrong("active is %d, but nobody is in phase %s", active, phaseNames[p.Phase])
		}
	case active != NoSeat:
	case p.Phase == deployment && p.Passed[p.Start]:
		p.Turn = 1 - p.Start
	default:
		p.Turn = p.Start
	}
	return nil
}

// completeBoard turns face-down cards up where the game ended by the loss of morale of a
// Resolution (R10.7): the round's marker lies, or both have passed (R8.7), and its cards
// are still there. Elsewhere all of them lie in slots.
func (g *game) completeBoard(p *Position) error {
	if p.Phase == over && p.End.By == byMorale && (p.Scored == p.Round || p.Passed[0] && p.Passed[1]) {
		g.turnUpAll(p, nil)
		return nil
	}
	for i := range SeatID(numSeats) {
		for place, cards := range p.Seats[i].Play {
			if p.Decks[i] != noDeck && typesOf(&cards)&g.deckOf(p, i).faceDown != 0 {
				return wrong("board: more than %d face-down cards of seat %d at Location %d (R3.1)", Slots, i, place+FirstPlace)
			}
		}
	}
	return nil
}

// elsewhere counts the cards of seat i that are not in its draw pile, one that is being
// placed included.
func (g *game) elsewhere(p *Position, i SeatID) [Types]uint8 {
	s := &p.Seats[i]
	var n [Types]uint8
	for t := range n {
		n[t] = s.Hand[t] + s.Discard[t]
		for place := range s.Play {
			n[t] += s.Play[place][t]
		}
	}
	for place := range s.Down {
		for _, c := range s.Down[place] {
			if c != 0 && c != hiddenSlot {
				n[c-1]++
			}
		}
	}
	if p.Depth > 0 && p.Turn == i {
		if f := &p.Frames[p.Depth-1]; f.Stage == placing && f.Card != hiddenPlay {
			n[g.kind(p, f)]++
		}
	}
	return n
}
