package jogu

import (
	"fmt"
	"slices"

	"powderkeg/engine"
)

// validate checks a position against every limit of the rules. Lenient positions
// may lack cards and victory point markers, and the turns that lead to a morale
// or to a place of the end-game marker; they never have too many. It checks
// what Next relies on too, so that no position that passes can make it stop
// without a question.
func (g *game) validate(p *Position, how engine.Strictness) error {
	for i := range SeatID(numSeats) {
		if p.Decks[i] != noDeck {
			if err := g.validateCards(p, i, how); err != nil {
				return err
			}
		}
		if err := g.validateSeat(p, i, how); err != nil {
			return err
		}
	}
	for _, step := range []func(*Position, engine.Strictness) error{
		g.validateTokens, g.validateMarkers, g.validateResult, g.validateEnd,
	} {
		if err := step(p, how); err != nil {
			return err
		}
	}
	return nil
}

// validateCards checks that the cards of a seat's deck are all somewhere (R1.2).
func (g *game) validateCards(p *Position, i SeatID, how engine.Strictness) error {
	s, d := &p.Seats[i], g.deckOf(p, i)
	count := g.elsewhere(p, i)
	for t, n := range s.Unknown {
		count[t] += n
	}
	for _, c := range s.Fixed[:s.Top+s.Bottom] {
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
		case s.Revealed[t] > s.Hand[t]:
			return wrong("revealed_in_hand of seat %d has %d %s, its hand %d (R16.2)", i, s.Revealed[t], key, s.Hand[t])
		}
	}
	return nil
}

// validateSeat checks the Location Cards of a seat and its flags.
func (g *game) validateSeat(p *Position, i SeatID, how engine.Strictness) error {
	s, l := &p.Seats[i], &p.Locs[i]
	if l.Card == hiddenLoc {
		return wrong("location_card of seat %d is 0, it must be %d to %d", i, FirstPlace, FirstPlace+Places-1)
	}
	var count [Places]uint8
	for place := range count {
		count[place] = l.Unknown[place] + l.Discard[place]
	}
	for _, n := range l.Fixed[:l.Top] {
		count[n-FirstPlace]++
	}
	if l.Card != 0 {
		count[l.Card-FirstPlace]++
	}
	for place, n := range count {
		if want := g.box.locCopies[place]; n > want || n < want && how == engine.Strict {
			return wrong("seat %d has %d Location Cards of Location %d, it has %d in all (R1.3)", i, n, place+FirstPlace, want)
		}
	}
	switch {
	case l.Revealed && l.Card == 0:
		return wrong("location_revealed of seat %d: there is no location_card (R13.6)", i)
	case l.TopKnown && l.Top == 0:
		return wrong("location_top_known of seat %d: location_pile does not begin with a number (R16.4)", i)
	case l.Card != 0 && p.Phase < scout:
		return wrong("location_card of seat %d is drawn in phase scout, not yet in %s (R7.1)", i, phaseNames[p.Phase])
	case l.Card == 0 && how == engine.Strict && (p.Phase == deployment || p.Phase == resolution):
		return wrong("location_card of seat %d is missing in phase %s (R7.1)", i, phaseNames[p.Phase])
	case p.Passed[i] && p.Phase < deployment:
		return wrong("passed of seat %d: nobody passes before phase deployment (R8.2)", i)
	}
	if p.Phase == deployment && p.Depth == 0 && p.Turn == i && p.Passed[i] && !p.Passed[1-i] {
		return wrong("active is %d, who has passed (R8.1)", i)
	}
	if p.Phase < deployment {
		for place := range s.Play {
			for t, n := range s.Play[place] {
				if n > 0 && (TypeID(t) != g.deckOf(p, i).tokened || s.Tokens[place] > 0) {
					return wrong("board: in phase %s seat %d has only cards that stayed, without tokens (R11.1)", phaseNames[p.Phase], i)
				}
			}
			if s.Down[place][0] != 0 {
				return wrong("board: face-down cards of seat %d in phase %s (R10.1)", i, phaseNames[p.Phase])
			}
		}
	}
	return nil
}

// validateTokens checks the supply of Stay tokens (R1.5). That a token lies on a
// card follows from how the board is read.
func (g *game) validateTokens(p *Position, _ engine.Strictness) error {
	n := 0
	for i := range p.Seats {
		n += sum(p.Seats[i].Tokens[:])
	}
	if n > int(g.box.tokenSupply) {
		return wrong("board: %d Stay tokens, there are %d (R1.5)", n, g.box.tokenSupply)
	}
	return nil
}

// validateMarkers checks the markers of the scoring board (R1.6).
func (g *game) validateMarkers(p *Position, how engine.Strictness) error {
	if slices.Contains(p.Winners[:p.Scored], NoSeat) {
		return wrong("vp_rounds: every marker shows a winner (R10.6)")
	}
	if p.Round > p.EndMarker {
		return wrong("round is %d, beyond end_marker %d (R12.2)", p.Round, p.EndMarker)
	}
	if p.EndMarker > g.box.endStart && !g.movesEndMarker(p) && how == engine.Strict {
		return wrong("end_marker is %d, but no card of these factions moves it from %d (R13.28)", p.EndMarker, g.box.endStart)
	}
	// The victory point markers of the finished rounds, and that of the current
	// one once it has been resolved.
	low, high := p.Round-1, p.Round-1
	switch {
	case p.Phase == cleanup || p.Phase == over && p.End.By != byMorale:
		low, high = p.Round, p.Round
	case p.Phase == over:
		high = p.Round
	}
	if p.Scored > high || p.Scored < low && how == engine.Strict {
		return wrong("vp_rounds has %d winners, in round %d of phase %s there are %d (R10.6)", p.Scored, p.Round, phaseNames[p.Phase], high)
	}
	return nil
}

// movesEndMarker reports whether a card of the factions moves the end-game marker.
func (g *game) movesEndMarker(p *Position) bool {
	for i := range p.Seats {
		if p.Decks[i] == noDeck {
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
func (g *game) validateResult(p *Position, _ engine.Strictness) error {
	if !p.resolved() {
		if p.LastCards != [numSeats]uint8{} {
			return wrong("last_location_cards without ratings")
		}
		if p.Phase == cleanup && p.Round == p.EndMarker {
			return wrong("ratings and round_winner are missing in the last cleanup (R12.3)")
		}
		return nil
	}
	r := p.LastRatings
	if p.LastWinner != roundWinner(r, p.LastWinner) {
		return wrong("round_winner is %d with ratings %d and %d (R10.5)", p.LastWinner, r[0], r[1])
	}
	if p.Scored > 0 && p.Winners[p.Scored-1] != p.LastWinner {
		return wrong("round_winner is %d, but not the last of vp_rounds (R10.6)", p.LastWinner)
	}
	return nil
}

// validateEnd checks that the game is over exactly when it should be.
func (g *game) validateEnd(p *Position, how engine.Strictness) error {
	if (p.Phase == over) != (p.End.Winner != NoSeat) {
		return wrong("game_over and phase over belong together (R12.4)")
	}
	for i := range p.Seats {
		if most := g.mostMorale(p, SeatID(i), how); p.Morale[i] > most {
			return wrong("morale of seat %d is %d, by round %d it is at most %d (R10.3)", i, p.Morale[i], p.Round, most)
		}
		lost := p.Phase == over && p.End.By == byMorale && p.End.Winner != SeatID(i)
		if (p.Morale[i] == 0) != lost {
			return wrong("morale of seat %d is %d: a player at 0 has lost the game by morale, and nobody else (R12.1)", i, p.Morale[i])
		}
	}
	if p.Phase != over || p.End.By == byMorale {
		return nil
	}
	points := p.points()
	switch winner, why := p.leader(); {
	case p.Round != p.EndMarker:
		return wrong("game_over by %s in round %d, the end_marker is on %d (R12.2)", causeNames[p.End.By], p.Round, p.EndMarker)
	case p.End.By != why:
		return wrong("game_over by %s with %d to %d victory points (R12.3)", causeNames[p.End.By], points[0], points[1])
	case p.End.Winner != winner:
		return wrong("game_over: winner is %d with %d to %d victory points and round_winner %d (R12.2)", p.End.Winner, points[0], points[1], p.LastWinner)
	}
	return nil
}

// freeMorale is what a lenient position may have above what play can lead to. The
// track itself has no end (R2.9); the bound leaves room for what Masters of Earth
// will add, so that every position that follows can be read again.
const freeMorale = 10000

// mostMorale returns the most morale that seat i can have: what it starts with and
// what all its Masters of Earth give in each round resolved so far.
func (g *game) mostMorale(p *Position, i SeatID, how engine.Strictness) uint16 {
	start := g.box.startMorale
	if how == engine.Lenient {
		start += freeMorale
	}
	if p.Decks[i] == noDeck {
		return start
	}
	rounds := uint16(p.Round) - 1
	if p.Phase >= cleanup {
		rounds++
	}
	return start + rounds*g.deckOf(p, i).spare
}

// Check implements flow.Rules: it recounts everything that a position keeps.
func (g *game) Check(p *Position) error {
	if err := g.validate(p, engine.Lenient); err != nil {
		return err
	}
	var room Room
	for i := range p.Seats {
		s := &p.Seats[i]
		if sum(s.Hand[:]) != int(s.HandSize) || s.HandSize > g.box.handSize {
			return fmt.Errorf("seat %d: hand size %d is wrong (R1.8)", i, s.HandSize)
		}
		for t, n := range s.Pending {
			if n > s.Hand[t] {
				return fmt.Errorf("seat %d: %d cards of type %d are to be discarded, its hand has %d (R6.2)", i, n, t, s.Hand[t])
			}
		}
		if sum(s.Unknown[:]) != int(s.Middle) {
			return fmt.Errorf("seat %d: the parts of the draw pile are wrong", i)
		}
		if p.Decks[i] == noDeck {
			continue
		}
		types := g.deckOf(p, SeatID(i)).cards
		for place := range Place(Places) {
			for t := range types {
				room.add(&types[t], place, int8(s.Play[place][t]))
			}
			for k := range s.downCount(place) {
				room.add(&types[s.Down[place][k]-1], place, 1)
			}
		}
	}
	if room != p.Room {
		return fmt.Errorf("the Locations are taken up as in %+v, recounted %+v (R8.3)", p.Room, room)
	}
	if again := *p; !g.Next(&again, nil) || again != *p {
		return fmt.Errorf("the question %s changes when asked again", g.table[p.Ask].Name)
	}
	if p.Actor >= 0 && p.Words[0] == 0 {
		return fmt.Errorf("decision %s without an option", g.table[p.Ask].Name)
	}
	return nil
}
