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
func (g *game) newCodec() *codec.Codec[position] {
	lists := map[string][]string{
		"phase": phaseNames, "stage": stageNames, "cause": causeNames, "location": {"2", "3", "4", "5", "6"},
		"location_card": {firstLoc: "2", "3", "4", "5", "6", hiddenLoc: "0"},
	}
	for _, d := range g.box.decks {
		lists["faction"] = append(lists["faction"], d.ID)
		lists[d.ID] = d.CardKeys
		lists["card"] = append(lists["card"], d.CardKeys...)
	}
	lists["card"] = append(lists["card"], unknownName)
	return codec.NewCodec(codec.Config[position]{
		Seats: numSeats,
		Lists: lists,
		Limits: map[string]int{
			"rounds": maxRounds, "first_end": int(g.box.endStart), "last_end": int(g.box.endMax), "pile": maxPile,
		},
		Forms: map[string]codec.Form[position]{
			"decision":      {Write: func(p *position, _ int) any { return flow.Name(p.Ask, g.table) }},
			"active":        {Write: writeActive, Read: readActive},
			"hand":          {Write: g.writeHand, Read: g.readCounts(func(s *seat) *[maxTypes]uint8 { return &s.hand })},
			"revealed":      {Write: g.writeRevealed, Read: g.readRevealed},
			"pending":       g.countsForm(func(s *seat) *[maxTypes]uint8 { return &s.pending }),
			"discard":       g.countsForm(func(s *seat) *[maxTypes]uint8 { return &s.discard }),
			"draw":          {Write: g.writePile, Read: g.readPile},
			"draw_known":    {Write: writeKnown, Read: readKnown},
			"draw_bottom":   {Write: func(p *position, at int) any { return int(p.seats[at].bottom) }, Read: readBottom},
			"board":         {Write: g.writeBoard, Read: g.readBoard},
			"location_pile": {Write: writeLocationPile, Read: readLocationPile},
			"battle":        {Write: writeBattle, Read: readBattle},
			"ratings":       {Write: writeRatings, Read: readRatings},
		},
	})
}

// Encode implements flow.Rules. In a view, hidden cards are "?" and hidden Location Cards
// are 0; such a document shows a table and cannot be loaded.
func (g *game) Encode(p *position) ([]byte, error) { return g.codec.Encode(p) }

// Hash implements flow.Rules.
func (g *game) Hash(p *position) uint64 { return g.codec.Hash(p) }

// ungiven stands where a document leaves out what complete works out.
const ungiven = 0xFF

// Load implements engine.Game. A position that names its decision must wait for
// it as it is; without the name, what needs no choice is carried out first.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	s := g.state(&g.start)
	p := &s.P
	*p = position{
		decks: g.start.decks, round: g.start.round, endMarker: g.start.endMarker, start: g.start.start, turn: noSeat,
		morale: g.start.morale, lastWinner: noSeat, end: ending{winner: noSeat},
	}
	for i := range numSeats {
		p.seats[i].middle, p.locs[i].top = ungiven, ungiven
	}
	for i := range p.frames {
		p.frames[i] = frame{card: ungiven, place: noPlace, stage: ungiven, chosen: noPlace}
	}
	given, err := g.codec.Decode(data, p)
	if err != nil {
		return nil, err
	}
	if err := g.complete(p, given); err != nil {
		return nil, err
	}
	if err := g.validate(p, how); err != nil {
		return nil, err
	}
	return s, s.Resume(given["decision"])
}

// complete finds what a document leaves out, and what is kept with other fields.
func (g *game) complete(p *position, given codec.Given) error {
	if err := g.completeTurn(p, given); err != nil {
		return err
	}
	if result := given.Has("ratings"); result != given.Has("battle_locations") || result != given.Has("round_winner") {
		return wrong("battle_locations, ratings and round_winner belong together: give all or none")
	}
	p.resolved = given.Has("ratings")
	if err := g.completeStack(p); err != nil {
		return err
	}
	if err := g.completeBoard(p); err != nil {
		return err
	}
	for i := range SeatID(numSeats) {
		s := &p.seats[i]
		n := sum(s.hand[:])
		if n > int(g.box.handSize) {
			return wrong("hand of seat %d has %d cards, at most %d (R1.8)", i, n, g.box.handSize)
		}
		s.handSize = uint8(n)
		if s.middle == ungiven { // all that is nowhere else, a card that is being placed included
			s.middle = 0
			if p.decks[i] != noDeck {
				s.unknown = rest(g.deckOf(p, i).copies, g.elsewhere(p, i))
				s.middle = uint8(sum(s.unknown[:]))
			}
		}
		l := &p.locs[i]
		if l.top == ungiven {
			l.top = 0
			used := l.discard
			if l.card >= firstLoc && l.card != hiddenLoc {
				used[l.card-firstLoc]++
			}
			l.unknown = rest(g.box.locCopies, used)
		}
	}
	return nil
}

// rest returns what is left of the copies of cards, or none where there are too many.
func rest[T [maxTypes]uint8 | [numPlaces]uint8](copies, used T) T {
	left := copies
	for i := range len(left) {
		left[i] -= min(copies[i], used[i])
	}
	return left
}

// completeTurn finds the phase and who is active in it. A position that is about
// anything on the table is taken for one in deployment.
func (g *game) completeTurn(p *position, given codec.Given) error {
	switch {
	case given.Has("phase"):
	case given.Has("game_over"):
		p.phase = over
	case given.Any("hand", "board", "active", "passed", "location_card", "location_revealed", "revealed_in_hand", "stack"):
		p.phase = deployment
	default:
		p.phase = setUp
	}
	for i, d := range p.decks {
		switch {
		case d != noDeck && int(d) >= g.decks:
			return wrong("factions: %s needs the game option expansion=true (R4.1)", g.box.decks[d].ID)
		case d == noDeck && p.phase != setUp:
			return wrong("factions: that of seat %d is missing, which only phase setup admits", i)
		}
	}
	if p.start == noSeat && p.phase != setUp { // drawn by lot in the set-up, which lies behind (R4.4)
		p.start = 0
	}
	switch active := p.turn; {
	case p.phase != reinforcement && p.phase != deployment:
		if p.turn = 0; active != noSeat {
			return wrong("active is %d, but nobody is in phase %s", active, phaseNames[p.phase])
		}
	case active != noSeat:
	case p.phase == deployment && p.passed[p.start]:
		p.turn = 1 - p.start
	default:
		p.turn = p.start
	}
	return nil
}

// completeStack checks that the plays of a stack are of cards of the player on turn.
func (g *game) completeStack(p *position) error {
	clear(p.frames[p.depth:])
	if p.depth > 0 && p.phase != deployment {
		return wrong("stack: cards are played in phase deployment only")
	}
	for i := range p.frames[:p.depth] {
		f, d := &p.frames[i], g.deckOf(p, p.turn)
		if t := int(f.card) - int(d.first); t < 0 || t >= len(d.cards) {
			return wrong("stack: play %d is of no card of %s, which seat %d plays", i+1, d.ID, p.turn)
		}
		if f.stage == ungiven {
			return wrong("stack: play %d has no stage", i+1)
		}
		if f.bound == noPlace {
			f.bound = 0
		}
	}
	return nil
}

// completeBoard turns face-down cards up where the game ended by the loss of morale of a
// Resolution (R10.7): the round's marker lies, or both have passed (R8.7), and its cards
// are still there. Elsewhere all of them lie in slots.
func (g *game) completeBoard(p *position) error {
	if p.phase == over && p.end.by == byMorale && (p.scored == p.round || p.passed[0] && p.passed[1]) {
		g.turnUpAll(p, nil)
		return nil
	}
	for i := range SeatID(numSeats) {
		for place, cards := range p.seats[i].play {
			if p.decks[i] != noDeck && typesOf(&cards)&g.deckOf(p, i).faceDown != 0 {
				return wrong("board: more than %d face-down cards of seat %d at Location %d (R3.1)", maxSlots, i, place+firstLoc)
			}
		}
	}
	return nil
}

// elsewhere counts the cards of seat i that are not in its draw pile.
func (g *game) elsewhere(p *position, i SeatID) [maxTypes]uint8 {
	s := &p.seats[i]
	var n [maxTypes]uint8
	for t := range n {
		n[t] = s.hand[t] + s.discard[t]
		for place := range s.play {
			n[t] += s.play[place][t]
		}
	}
	for place := range s.down {
		for _, c := range s.down[place] {
			if c != 0 && c != hiddenSlot {
				n[c-1]++
			}
		}
	}
	if p.depth > 0 && p.turn == i {
		if f := &p.frames[p.depth-1]; f.stage == placing && f.card != hiddenPlay {
			n[g.kind(p, f)]++
		}
	}
	return n
}
