package jogu

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// reader turns a document into a position. It checks what the form needs: names,
// ranges of numbers and lengths of lists. The limits of the rules are left to
// validate.
type reader struct {
	g   *game
	doc document
	p   position
	err error // the first fault
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = wrong(format, args...)
	}
}

// read decodes a position. decision is the field of that name, nil if it is
// left out.
func (g *game) read(data []byte) (p position, decision *string, err error) {
	start := &g.start
	r := reader{g: g}
	r.doc.Round, r.doc.EndMarker = int(start.round), int(start.endMarker)
	r.doc.StartPlayer = optionalSeat(start.start)
	if err := format.Decode(data, &r.doc); err != nil {
		return p, nil, err
	}
	r.p = position{lastWinner: noSeat, winner: noSeat}
	for _, step := range []func(){
		r.readFactions, r.readPhase, r.readRound, r.readCards, r.readLocations, r.readResult, r.readStack, r.readPiles,
	} {
		if step(); r.err != nil {
			return p, nil, r.err
		}
	}
	return r.p, r.doc.Decision, nil
}

// pair returns list[i] of a list by seat, or the default where the list is left
// out.
func pair[T any](r *reader, name string, list []T, i int, otherwise T) T {
	if list == nil {
		return otherwise
	}
	if len(list) != numSeats {
		r.fail("%s has %d entries, it has one for each of the %d seats", name, len(list), numSeats)
		return otherwise
	}
	return list[i]
}

// number checks that n lies from low to high.
func (r *reader) number(name string, n, low, high int) uint8 {
	if n < low || n > high {
		r.fail("%s is %d, it must be %d to %d", name, n, low, high)
		return uint8(low)
	}
	return uint8(n)
}

// place reads a Location number.
func (r *reader) place(name string, n int) uint8 {
	return r.number(name, n, firstLoc, firstLoc+numPlaces-1) - firstLoc
}

// seat reads an optional seat.
func (r *reader) seat(name string, n *int) uint8 {
	if n == nil {
		return noSeat
	}
	return r.number(name, *n, 0, numSeats-1)
}

// name looks a word up in a list.
func (r *reader) name(field, word string, words []string) uint8 {
	i := slices.Index(words, word)
	if i < 0 || word == "" {
		r.fail("%s %q is unknown; it is one of %s", field, word, strings.Join(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" }), ", "))
		return 0
	}
	return uint8(i)
}

// readFactions reads the decks; they override those of the options.
func (r *reader) readFactions() {
	var ids []string
	for _, d := range r.g.box.decks {
		ids = append(ids, d.ID)
	}
	for i := range r.p.seats {
		s := &r.p.seats[i]
		s.deck = r.g.start.seats[i].deck
		if r.doc.Factions == nil {
			continue
		}
		s.deck = noDeck
		id := pair(r, "factions", r.doc.Factions, i, nil)
		switch {
		case id == nil:
		case slices.Contains(ids[r.g.decks:], *id):
			r.fail("factions: %s needs the game option expansion=true (R4.1)", *id)
			return
		default:
			s.deck = r.name("faction", *id, ids[:r.g.decks])
		}
	}
}

// readPhase finds the phase and who is active in it.
func (r *reader) readPhase() {
	d, p := &r.doc, &r.p
	switch {
	case d.Phase != nil:
		p.phase = phase(r.name("phase", *d.Phase, phaseNames[:]))
	case d.GameOver != nil:
		p.phase = over
	case d.Hand != nil || d.Board != nil || d.Active != nil || d.Passed != nil || d.LocationCard != nil ||
		d.LocationRevealed != nil || d.RevealedInHand != nil || d.Stack != nil:
		p.phase = deployment
	}
	p.start = r.seat("start_player", d.StartPlayer)
	if p.phase != setUp {
		for i := range p.seats {
			if p.seats[i].deck == noDeck {
				r.fail("factions: that of seat %d is missing, which only phase setup admits", i)
			}
		}
		if p.start == noSeat { // drawn by lot in the set-up, which lies behind (R4.4)
			p.start = 0
		}
	}
	for i := range p.seats {
		p.seats[i].passed = pair(r, "passed", d.Passed, i, false)
	}
	active := r.seat("active", d.Active)
	switch {
	case r.err != nil:
	case p.phase != reinforcement && p.phase != deployment:
		if active != noSeat {
			r.fail("active is %d, but nobody is in phase %s", active, phaseNames[p.phase])
		}
	case active != noSeat:
		p.turn = active
	default:
		p.turn = p.start
		if p.phase == deployment && p.seats[p.start].passed {
			p.turn = 1 - p.start
		}
	}
}

// readRound reads the markers.
func (r *reader) readRound() {
	p := &r.p
	p.endMarker = r.number("end_marker", r.doc.EndMarker, int(r.g.box.endStart), int(r.g.box.endMax))
	p.round = r.number("round", r.doc.Round, 1, maxRounds)
	for i := range p.seats {
		n := pair(r, "morale", r.doc.Morale, i, int(r.g.start.seats[i].morale))
		if n < 0 || n > math.MaxUint16 {
			r.fail("morale of seat %d is %d, it must be 0 to %d (R2.9)", i, n, math.MaxUint16)
			n = 0
		}
		p.seats[i].morale = uint16(n)
	}
	if len(r.doc.VPRounds) > maxRounds {
		r.fail("vp_rounds has %d markers, there are %d (R1.6)", len(r.doc.VPRounds), maxRounds)
		return
	}
	for _, winner := range r.doc.VPRounds {
		p.winners |= uint16(r.number("vp_rounds", winner, 0, 1)) << p.scored
		p.scored++
	}
	if o := r.doc.GameOver; o != nil {
		p.winner = r.number("game_over.winner", o.Winner, 0, 1)
		p.cause = cause(r.name("game_over.by", o.By, causeNames[:]))
	}
}

// deck returns the deck of seat i, one without cards before it is drawn.
func (r *reader) deck(i int) *deck {
	if r.p.seats[i].deck == noDeck {
		return noCards
	}
	return r.g.deckOf(&r.p, uint8(i))
}

// card looks up a key in the deck of seat i.
func (r *reader) card(field, key string, i int) uint8 {
	t, err := r.deck(i).typeOf(key)
	if err != nil {
		r.fail("%s of seat %d: %v", field, i, err)
		return 0
	}
	return t
}

// list reads a list of keys into counts.
func (r *reader) list(field string, keys []string, i int, counts *[maxTypes]uint8) {
	for _, key := range keys {
		t := r.card(field, key, i)
		if counts[t] == maxPile {
			r.fail("%s of seat %d has too many cards", field, i)
			return
		}
		counts[t]++
	}
}

// counted reads an object of keys and numbers into counts.
func (r *reader) counted(field string, cards map[string]int, i int, counts *[maxTypes]uint8) {
	for _, key := range slices.Sorted(maps.Keys(cards)) { // the first fault is reported
		counts[r.card(field, key, i)] = r.number(field+" "+key, cards[key], 0, maxPile)
	}
}

// readCards reads hands, discards and the board.
func (r *reader) readCards() {
	d := &r.doc
	for i := range r.p.seats {
		s := &r.p.seats[i]
		r.list("hand", pair(r, "hand", d.Hand, i, nil), i, &s.hand)
		r.list("discard", pair(r, "discard", d.Discard, i, nil), i, &s.discard)
		r.list("pending_discards", pair(r, "pending_discards", d.PendingDiscards, i, nil), i, &s.pending)
		r.counted("revealed_in_hand", pair(r, "revealed_in_hand", d.RevealedInHand, i, nil), i, &s.revealed)
		if n := sum(s.hand[:]); n > int(r.g.box.handSize) {
			r.fail("hand of seat %d has %d cards, at most %d (R1.8)", i, n, r.g.box.handSize)
		} else {
			s.handSize = uint8(n)
		}
	}
	if len(d.Board) > numSeats*maxPile {
		r.fail("board has %d cards, the two decks have %d", len(d.Board), numSeats*maxPile)
	}
	for _, b := range d.Board {
		if r.err != nil {
			return
		}
		r.readBoardCard(b)
	}
}

// readBoardCard lays one card. Cards of the face-down types lie face down until
// a Resolution has turned them up.
func (r *reader) readBoardCard(b boardCard) {
	owner := r.number("board: owner", b.Owner, 0, numSeats-1)
	place := r.place("board: loc", b.Loc)
	t := r.card("board", b.Card, int(owner))
	tokens := r.number("board: tokens", b.Tokens, 0, 1)
	if r.err != nil {
		return
	}
	s, deck := &r.p.seats[owner], r.deck(int(owner))
	if tokens > 0 && t != deck.tokened {
		r.fail("board: %s bears no Stay token", b.Card)
		return
	}
	if !deck.faceDown.has(t) || r.p.resolvedLast() {
		r.g.lay(&r.p, owner, t, place)
		s.tokens[place] += tokens
		return
	}
	if s.downCount(place) == maxSlots {
		r.fail("board: more than %d face-down cards of seat %d at Location %d (R3.1)", maxSlots, owner, b.Loc)
		return
	}
	r.g.layDown(&r.p, owner, t, place)
}

// resolvedLast reports whether the game ended by the loss of morale of a
// Resolution (R10.7): the round's marker lies, or both have passed (R8.7), and its
// cards are still there, face up.
func (p *position) resolvedLast() bool {
	return p.phase == over && p.cause == byMorale && (p.scored == p.round || p.seats[0].passed && p.seats[1].passed)
}

// readLocations reads the current Location Cards and discards.
func (r *reader) readLocations() {
	d := &r.doc
	for i := range r.p.seats {
		s := &r.p.seats[i]
		if n := pair(r, "location_card", d.LocationCard, i, nil); n != nil {
			s.locCard = r.place("location_card", *n) + firstLoc
		}
		if n := pair(r, "last_location_cards", d.LastLocationCards, i, nil); n != nil {
			r.p.lastCards[i] = r.place("last_location_cards", *n) + firstLoc
		}
		s.locRevealed = pair(r, "location_revealed", d.LocationRevealed, i, false)
		s.locTopKnown = pair(r, "location_top_known", d.LocationTopKnown, i, false)
		r.locations("location_discard", pair(r, "location_discard", d.LocationDiscard, i, nil), &s.locDiscard)
		r.readLocationPile(i)
	}
}

// locations reads a list of Location numbers into counts.
func (r *reader) locations(field string, numbers []int, counts *[numPlaces]uint8) {
	if len(numbers) > maxLoc {
		r.fail("%s has %d cards, a player has %d", field, len(numbers), maxLoc)
		return
	}
	for _, n := range numbers {
		counts[r.place(field, n)]++
	}
}

// readResult reads the result of the last Resolution.
func (r *reader) readResult() {
	d, p := &r.doc, &r.p
	p.lastWinner = r.seat("round_winner", d.RoundWinner)
	if (d.BattleLocations == nil) != (d.Ratings == nil) || (d.Ratings == nil) != (p.lastWinner == noSeat) {
		r.fail("battle_locations, ratings and round_winner belong together: give all or none")
		return
	}
	if d.Ratings == nil {
		return
	}
	p.resolved = true
	for _, n := range d.BattleLocations {
		bit := placeSet(1) << r.place("battle_locations", n)
		if p.lastBattle&bit != 0 {
			r.fail("battle_locations has %d twice (R2.8)", n)
		}
		p.lastBattle |= bit
	}
	for i := range p.seats {
		n := pair(r, "ratings", d.Ratings, i, 0)
		if n < 0 || n > 0xFFFF {
			r.fail("ratings has %d, it must be 0 to %d", n, 0xFFFF)
			return
		}
		p.lastRatings[i] = uint16(n)
	}
}

// readStack reads the plays that are not over.
func (r *reader) readStack() {
	p := &r.p
	if len(r.doc.Stack) > maxFrames {
		r.fail("stack has %d plays, at most %d (R9.6)", len(r.doc.Stack), maxFrames)
		return
	}
	if len(r.doc.Stack) > 0 && p.phase != deployment {
		r.fail("stack: cards are played in phase deployment only")
		return
	}
	for _, e := range r.doc.Stack {
		f := frame{
			card: r.card("stack", e.Card, int(p.turn)), place: noPlace,
			stage: stage(r.name("stack: stage", e.Stage, stageNames[:])), own: e.OwnAbility,
			scramblers: r.number("stack: scramblers", e.Scramblers, 0, maxPile),
			bound:      r.place("stack: lowest_destination", max(e.LowestDestination, firstLoc)),
			effect:     r.number("stack: effect", e.Effect, 0, maxPile),
			count:      r.number("stack: count", e.Count, 0, maxPile), previous: e.PreviousDone,
		}
		if e.Location != nil {
			f.place = r.place("stack: location", *e.Location)
		}
		if e.ChosenLocation != nil {
			f.count = r.place("stack: chosen_location", *e.ChosenLocation) + 1
		}
		if r.err != nil {
			return
		}
		p.frames[p.depth] = f
		p.depth++
	}
}
