package jogu

import (
	"fmt"
	"slices"

	"powderkeg/engine"
)

// validate checks a position against every limit of the rules. Lenient positions
// may lack cards and victory point markers, and the turns that lead to a morale
// or to a place of the end-game marker; they never have too many. It checks
// what settle relies on too, so that no position that passes can make it stop
// without a question.
func (g *game) validate(p *position, how engine.Strictness) error {
	for i := range SeatID(numSeats) {
		if p.decks[i] != noDeck {
			if err := g.validateCards(p, i, how); err != nil {
				return err
			}
		}
		if err := g.validateSeat(p, i, how); err != nil {
			return err
		}
	}
	for _, step := range []func(*position, engine.Strictness) error{
		g.validateTokens, g.validateMarkers, g.validateResult, g.validateEnd, g.validateStack,
	} {
		if err := step(p, how); err != nil {
			return err
		}
	}
	return nil
}

// validateCards checks that the cards of a seat's deck are all somewhere (R1.2).
func (g *game) validateCards(p *position, i SeatID, how engine.Strictness) error {
	s, d := &p.seats[i], g.deckOf(p, i)
	count := g.elsewhere(p, i)
	for t, n := range s.unknown {
		count[t] += n
	}
	for _, c := range s.fixed[:s.top+s.bottom] {
		count[c.card()]++
		if c.bits() == opponentKnows {
			return wrong("draw_known of seat %d: a card that the opponent knows is known to its owner too (R16.6)", i)
		}
	}
	for t := range d.cards {
		key := d.cards[t].Key
		switch {
		case count[t] > d.copies[t]:
			return wrong("seat %d has %d cards %s, its deck has %d (R1.2)", i, count[t], key, d.copies[t])
		case count[t] < d.copies[t] && how == engine.Strict:
			return wrong("seat %d has %d cards %s in hand, draw, discard and board, its deck has %d (R1.2)", i, count[t], key, d.copies[t])
		case s.revealed[t] > s.hand[t]:
			return wrong("revealed_in_hand of seat %d has %d %s, its hand %d (R16.2)", i, s.revealed[t], key, s.hand[t])
		case s.pending[t] > s.hand[t]:
			return wrong("pending_discards of seat %d has %d %s, its hand %d (R6.2)", i, s.pending[t], key, s.hand[t])
		}
	}
	if sum(s.pending[:]) > 0 && !p.discarding(i) {
		return wrong("pending_discards of seat %d: it has not begun to discard (R6.1)", i)
	}
	return nil
}

// validateSeat checks the Location Cards of a seat and its flags.
func (g *game) validateSeat(p *position, i SeatID, how engine.Strictness) error {
	s, l := &p.seats[i], &p.locs[i]
	if l.card == hiddenLoc {
		return wrong("location_card of seat %d is 0, it must be %d to %d", i, firstLoc, firstLoc+numPlaces-1)
	}
	var count [numPlaces]uint8
	for place := range count {
		count[place] = l.unknown[place] + l.discard[place]
	}
	for _, n := range l.fixed[:l.top] {
		count[n-firstLoc]++
	}
	if l.card != 0 {
		count[l.card-firstLoc]++
	}
	for place, n := range count {
		if want := g.box.locCopies[place]; n > want || n < want && how == engine.Strict {
			return wrong("seat %d has %d Location Cards of Location %d, it has %d in all (R1.3)", i, n, place+firstLoc, want)
		}
	}
	switch {
	case l.revealed && l.card == 0:
		return wrong("location_revealed of seat %d: there is no location_card (R13.6)", i)
	case l.topKnown && l.top == 0:
		return wrong("location_top_known of seat %d: location_pile does not begin with a number (R16.4)", i)
	case l.card != 0 && p.phase < scout:
		return wrong("location_card of seat %d is drawn in phase scout, not yet in %s (R7.1)", i, phaseNames[p.phase])
	case l.card == 0 && how == engine.Strict && (p.phase == deployment || p.phase == resolution):
		return wrong("location_card of seat %d is missing in phase %s (R7.1)", i, phaseNames[p.phase])
	case p.passed[i] && p.phase < deployment:
		return wrong("passed of seat %d: nobody passes before phase deployment (R8.2)", i)
	case p.passed[i] && p.depth > 0 && p.turn == i:
		return wrong("passed of seat %d: it is playing a card (R8.2)", i)
	}
	if p.phase == deployment && p.depth == 0 && p.turn == i && p.passed[i] && !p.passed[1-i] {
		return wrong("active is %d, who has passed (R8.1)", i)
	}
	if p.phase < deployment {
		for place := range s.play {
			for t, n := range s.play[place] {
				if n > 0 && (TypeID(t) != g.deckOf(p, i).tokened || s.tokens[place] > 0) {
					return wrong("board: in phase %s seat %d has only cards that stayed, without tokens (R11.1)", phaseNames[p.phase], i)
				}
			}
			if s.down[place][0] != 0 {
				return wrong("board: face-down cards of seat %d in phase %s (R10.1)", i, phaseNames[p.phase])
			}
		}
	}
	return nil
}

// validateTokens checks the supply of Stay tokens (R1.5). That a token lies on a
// card follows from how the board is read.
func (g *game) validateTokens(p *position, _ engine.Strictness) error {
	n := 0
	for i := range p.seats {
		n += sum(p.seats[i].tokens[:])
	}
	if n > int(g.box.tokenSupply) {
		return wrong("board: %d Stay tokens, there are %d (R1.5)", n, g.box.tokenSupply)
	}
	return nil
}

// validateMarkers checks the markers of the scoring board (R1.6).
func (g *game) validateMarkers(p *position, how engine.Strictness) error {
	if slices.Contains(p.winners[:p.scored], noSeat) {
		return wrong("vp_rounds: every marker shows a winner (R10.6)")
	}
	if p.round > p.endMarker {
		return wrong("round is %d, beyond end_marker %d (R12.2)", p.round, p.endMarker)
	}
	if p.endMarker > g.box.endStart && !g.movesEndMarker(p) && how == engine.Strict {
		return wrong("end_marker is %d, but no card of these factions moves it from %d (R13.28)", p.endMarker, g.box.endStart)
	}
	// The victory point markers of the finished rounds, and that of the current
	// one once it has been resolved.
	low, high := p.round-1, p.round-1
	switch {
	case p.phase == cleanup || p.phase == over && p.end.by != byMorale:
		low, high = p.round, p.round
	case p.phase == over:
		high = p.round
	}
	if p.scored > high || p.scored < low && how == engine.Strict {
		return wrong("vp_rounds has %d winners, in round %d of phase %s there are %d (R10.6)", p.scored, p.round, phaseNames[p.phase], high)
	}
	return nil
}

func (g *game) movesEndMarker(p *position) bool {
	for i := range p.seats {
		if p.decks[i] == noDeck {
			continue
		}
		for _, c := range g.deckOf(p, SeatID(i)).cards {
			for _, e := range c.Effects {
				if e.Op == MoveEndMarker {
					return true
				}
			}
		}
	}
	return false
}

// validateResult checks the last Resolution's facts against each other.
func (g *game) validateResult(p *position, _ engine.Strictness) error {
	if !p.resolved {
		if p.lastCards != [numSeats]uint8{} {
			return wrong("last_location_cards without ratings")
		}
		if p.phase == cleanup && p.round == p.endMarker {
			return wrong("ratings and round_winner are missing in the last cleanup (R12.3)")
		}
		return nil
	}
	r := p.lastRatings
	if p.lastWinner != roundWinner(r, p.lastWinner) {
		return wrong("round_winner is %d with ratings %d and %d (R10.5)", p.lastWinner, r[0], r[1])
	}
	if p.scored > 0 && p.winners[p.scored-1] != p.lastWinner {
		return wrong("round_winner is %d, but not the last of vp_rounds (R10.6)", p.lastWinner)
	}
	return nil
}

// validateEnd checks that the game is over exactly when it should be.
func (g *game) validateEnd(p *position, how engine.Strictness) error {
	if (p.phase == over) != (p.end.winner != noSeat) {
		return wrong("game_over and phase over belong together (R12.4)")
	}
	for i := range p.seats {
		if most := g.mostMorale(p, SeatID(i), how); p.morale[i] > most {
			return wrong("morale of seat %d is %d, by round %d it is at most %d (R10.3)", i, p.morale[i], p.round, most)
		}
		lost := p.phase == over && p.end.by == byMorale && p.end.winner != SeatID(i)
		if (p.morale[i] == 0) != lost {
			return wrong("morale of seat %d is %d: a player at 0 has lost the game by morale, and nobody else (R12.1)", i, p.morale[i])
		}
	}
	if p.phase != over || p.end.by == byMorale {
		return nil
	}
	points := p.points()
	switch winner, why := p.leader(); {
	case p.round != p.endMarker:
		return wrong("game_over by %s in round %d, the end_marker is on %d (R12.2)", causeNames[p.end.by], p.round, p.endMarker)
	case p.end.by != why:
		return wrong("game_over by %s with %d to %d victory points (R12.3)", causeNames[p.end.by], points[0], points[1])
	case p.end.winner != winner:
		return wrong("game_over: winner is %d with %d to %d victory points and round_winner %d (R12.2)", p.end.winner, points[0], points[1], p.lastWinner)
	}
	return nil
}

// freeMorale is what a lenient position may have above what play can lead to. The
// track itself has no end (R2.9); the bound leaves room for what Masters of Earth
// will add, so that every position that follows can be read again.
const freeMorale = 10000

// mostMorale returns the most morale that seat i can have: what it starts with and
// what all its Masters of Earth give in each round resolved so far.
func (g *game) mostMorale(p *position, i SeatID, how engine.Strictness) uint16 {
	start := g.box.startMorale
	if how == engine.Lenient {
		start += freeMorale
	}
	if p.decks[i] == noDeck {
		return start
	}
	rounds := uint16(p.round) - 1
	if p.phase >= cleanup {
		rounds++
	}
	return start + rounds*g.deckOf(p, i).spare
}

// validateStack checks that the plays on the stack could have come about.
func (g *game) validateStack(p *position, _ engine.Strictness) error {
	for i := range p.frames[:p.depth] {
		if err := g.validateFrame(p, uint8(i)); err != nil {
			return err
		}
	}
	return nil
}

func (g *game) validateFrame(p *position, i uint8) error {
	f := &p.frames[i]
	c, t := g.playing(p, f), g.kind(p, f)
	bad := func(format string, args ...any) error {
		return wrong("stack: play %d (%s): %s", i+1, c.Key, fmt.Sprintf(format, args...))
	}
	switch {
	case (f.stage == placing) != (f.place == noPlace):
		return bad("it has no location in stage placing, and one in the others (R9.1)")
	case f.stage == placing && *f != (frame{card: f.card, place: noPlace, chosen: noPlace}):
		return bad("nothing is pending in stage placing (R9.1)")
	case f.stage == placing && c.legal(&p.room) == 0:
		return bad("it has no legal Location (R8.5)")
	case (f.own || f.stage == acting) && !c.has(whenPlayed), f.own && f.stage == acting:
		return bad("own_ability is not pending in stage %s (R9.4)", stageNames[f.stage])
	case f.stage != acting && (f.effect != 0 || f.count != 0 || f.chosen != noPlace || f.previous):
		return bad("effect, count, chosen_location and previous_done belong to stage acting")
	case f.effect == 0 && f.previous:
		return bad("previous_done: there is no effect before the first")
	case f.scramblers > g.scramblerCopies(p):
		return bad("%d Scrambler triggers are pending, the opponent has not so many (R9.4)", f.scramblers)
	case f.bound != 0 && (f.own || f.stage == acting || f.bound == f.place):
		return bad("lowest_destination is %d: it is 2 before a run, and never the Location of the play (R9.4.2)", f.bound+firstLoc)
	case f.own && f.scramblers+bit(f.stage == scrambling) > g.scramblersAt(p, f.place):
		return bad("%d Scrambler triggers are pending, but its location has only %d Scramblers (R9.4)", f.scramblers, g.scramblersAt(p, f.place))
	case i+1 == p.depth && p.seats[p.turn].handSize == g.box.handSize && c.drawsAfter(f):
		return bad("it left the hand and will draw, so the hand has at most %d cards (R1.8)", g.box.handSize-1)
	case c.FaceDown && f.stage != placing && !p.liesDown(f, t):
		return bad("it does not lie in the last face-down slot of its location (R13.21)")
	}
	if i+1 < p.depth {
		if f.stage != acting || int(f.effect) >= len(c.Effects) || c.Effects[f.effect].Op != PlayCard || f.count != 0 || f.chosen != noPlace {
			return bad("a play within it needs an effect that plays a card (R9.6)")
		}
		return nil
	}
	if (f.own || f.stage == acting) && p.seats[p.turn].play[f.place][t] == 0 {
		return bad("it does not lie at its location")
	}
	switch f.stage {
	case scrambling:
		places := allPlaces &^ (1 << f.place)
		if g.scramblersAt(p, f.place) == 0 || !f.own && places&(allPlaces<<f.bound) == 0 {
			return bad("no Scrambler can move (R9.5)")
		}
	case acting:
		if int(f.effect) >= len(c.Effects) {
			return bad("effect is %d, the card has %d", f.effect, len(c.Effects))
		}
		if fault := g.checkEffect(p, f, &c.Effects[f.effect]); fault != "" {
			return bad("%s", fault)
		}
	}
	return nil
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// drawsAfter tells whether a play has a draw before it.
func (c *card) drawsAfter(f *frame) bool {
	for i, e := range c.Effects {
		done := f.stage == acting && (i < int(f.effect) || i == int(f.effect) && f.count == e.N)
		over := !f.own && (f.stage == triggering || f.stage == scrambling)
		if e.Op == DrawCards && !done && !over {
			return true
		}
	}
	return false
}

// scramblerCopies returns how many Scramblers the deck of the player who is not on
// turn has.
func (g *game) scramblerCopies(p *position) uint8 {
	if d := g.deckOf(p, 1-p.turn); d.watcher != noType {
		return d.copies[d.watcher]
	}
	return 0
}

// liesDown reports whether the face-down card of a play, of type t, lies in the last slot of its
// Location, where a card just played lies.
func (p *position) liesDown(f *frame, t TypeID) bool {
	s := &p.seats[p.turn]
	n := s.downCount(f.place)
	return n > 0 && s.down[f.place][n-1] == t+1
}

// Check implements flow.Rules: it recounts everything that a position keeps.
func (g *game) Check(p *position) error {
	if err := g.validate(p, engine.Lenient); err != nil {
		return err
	}
	var room Room
	for i := range p.seats {
		s := &p.seats[i]
		if sum(s.hand[:]) != int(s.handSize) || s.handSize > g.box.handSize {
			return fmt.Errorf("seat %d: hand size %d is wrong (R1.8)", i, s.handSize)
		}
		if sum(s.unknown[:]) != int(s.middle) {
			return fmt.Errorf("seat %d: the parts of the draw pile are wrong", i)
		}
		if p.decks[i] == noDeck {
			continue
		}
		types := g.deckOf(p, SeatID(i)).cards
		for place := range Place(numPlaces) {
			for t := range types {
				room.add(&types[t], place, int8(s.play[place][t]))
			}
			for k := range s.downCount(place) {
				room.add(&types[s.down[place][k]-1], place, 1)
			}
		}
	}
	if room != p.room {
		return fmt.Errorf("the Locations are taken up as in %+v, recounted %+v (R8.3)", p.room, room)
	}
	if again := *p; !g.Next(&again, nil) || again != *p {
		return fmt.Errorf("the question %s changes when asked again", g.table[p.Ask].Name)
	}
	if p.Actor >= 0 && p.Words[0] == 0 {
		return fmt.Errorf("decision %s without an option", g.table[p.Ask].Name)
	}
	return nil
}
