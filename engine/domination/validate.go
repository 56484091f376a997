package domination

import (
	"fmt"

	"powderkeg/engine"
)

// validate checks a position against every limit of the rules. Lenient positions
// may lack cards and types of the pool, and what went before; they never have too
// many. It checks what settle relies on too, so that no position that passes can make
// it stop without a question.
func (g *game) validate(p *Position, how engine.Strictness) error {
	for _, step := range []func(*Position, engine.Strictness) error{
		g.validateTurn, g.validatePast, g.validatePool, g.validateCards, g.validateSeats, g.validateFog,
	} {
		if err := step(p, how); err != nil {
			return err
		}
	}
	return nil
}

// validateTurn checks the Turn token and the locks.
func (g *game) validateTurn(p *Position, _ engine.Strictness) error {
	low, high := uint8(1), g.turns
	switch p.Phase {
	case setUp:
		low, high = 0, 0
	case endOfGameTurn:
		low = 0
	case over:
		low, high = g.turns+1, g.turns+1
	}
	name := phaseNames[p.Phase]
	switch {
	case p.Turn < low || p.Turn > high:
		return wrong("turn is %d, in phase %s it must be %d to %d (R10.1)", p.Turn, name, low, high)
	case p.Phase == logisticsWindow && p.Turn == g.turns:
		return wrong("phase %s is left out in the last Game Turn (R9.4)", name)
	case p.Phase == cardPlay && p.Passed.Has(p.Active):
		return wrong("active is %d, who is locked (R6.4)", p.Active)
	case p.Phase == cardPlay && p.Passed == g.everybody():
		return wrong("passed: with everybody locked card play is over (R6.6)")
	case p.cardPlayOver() && p.Passed != g.everybody():
		return wrong("passed: in phase %s everybody is locked (R6.6)", name)
	case p.Phase != cardPlay && !p.cardPlayOver() && p.Passed != 0:
		return wrong("passed: in phase %s nobody is locked (R6.1)", name)
	case p.Used && p.Phase != cardPlay:
		return wrong("used_this_turn: nobody has a turn in phase %s (R6.3)", name)
	case p.Fog != 0 && p.Phase != scoringWindow && p.Phase != scoringStep:
		return wrong("fog_players: Fog of War is played in phase %s only (R8.4)", phaseNames[scoringWindow])
	}
	return nil
}

// cardPlayOver reports whether the card play of the Game Turn lies behind.
func (p *Position) cardPlayOver() bool {
	return p.Phase > cardPlay || p.Phase == endOfGameTurn && p.Turn > 0
}

// validatePast checks that a strict position shows the traces of what must have gone
// before: the use after which a window opens.
func (g *game) validatePast(p *Position, how engine.Strictness) error {
	if how != engine.Strict {
		return nil
	}
	switch {
	case p.Phase == cardPlay && !p.Used && p.Window != noWindow && (p.Active != p.First || p.Passed != 0):
		return wrong("used_this_turn: before the first use of a turn nobody reacts, save after the draws (R6.5)")
	case p.Used && p.Seats[p.Active].Discards == 0:
		return wrong("used_this_turn: the discard pile of seat %d is empty (R7.7)", p.Active)
	}
	return nil
}

// validatePool checks the types in the game.
func (g *game) validatePool(p *Position, how engine.Strictness) error {
	n := p.Pool.Size()
	switch foreign := p.Pool &^ g.types; {
	case foreign.Has(domination):
		return wrong("pool: %s has no stack (R7.3)", g.box.Cards[domination].Name)
	case foreign != 0:
		return wrong("pool: %s needs the game option extended_pool=true (R5.4)", g.box.Cards[foreign.First()].Name)
	case n > PoolSize || p.Phase != setUp && n < PoolSize && how == engine.Strict:
		return wrong("pool has %d types, it has %d (R5.4)", n, PoolSize)
	case p.Phase == setUp && n < PoolSize && g.board(p).typesAbove().Size() < PoolSize-n:
		return wrong("pool: in phase %s types are drawn in ascending order, and %d more do not exist (R5.4)", phaseNames[setUp], PoolSize-n)
	case p.Phase == setUp && n == PoolSize && p.First != NoSeat && g.start.Phase == setUp:
		return wrong("first_player is %d in a set-up that is over; the phase is %s (R5.6)", p.First, phaseNames[endOfGameTurn])
	}
	return nil
}

// validateCards checks that no card is there twice (R3.2), that players own what is in
// the pool and, in a strict
// position, that none is missing.
func (g *game) validateCards(p *Position, how engine.Strictness) error {
	for i := range g.seats {
		if n, want := p.Seats[i].owned(domination), int(g.box.starters); n > want || n < want && how == engine.Strict {
			return wrong("seat %d has %d cards %s, it has %d in all (R3.2)", i, n, g.box.Cards[domination].Name, want)
		}
	}
	for c := CardID(1); c < Cards; c++ {
		n, name := p.owned(c), g.box.Cards[c].Name
		whole, most := n+int(p.Stack[c]), int(g.copies)
		complete := how == engine.Strict && p.Pool.Has(c) && p.Pool.Size() == PoolSize
		switch {
		case n > 0 && !p.Pool.Has(c):
			return wrong("players own %d %s, which is not in the pool (R5.5)", n, name)
		case n > 0 && p.Turn == 0:
			return wrong("players own %d %s before the first Game Turn (R5.3)", n, name)
		case whole > most || complete && whole < most:
			return wrong("there are %d %s in the stack and with the players, the game has %d (R3.2)", whole, name, most)
		}
	}
	return nil
}

// owned returns the number of cards of a type that all players own together.
func (p *Position) owned(c CardID) int {
	n := 0
	for i := range p.Seats {
		n += p.Seats[i].owned(c)
	}
	return n
}

// owned returns the number of cards of a type that the player owns (R3.2).
func (s *Player) owned(c CardID) int {
	n := int(s.Hand[c]) + int(s.Deck[c]) + int(s.Discard[c])
	for _, t := range s.Top[:s.Tops] {
		n += bit(t == c)
	}
	return n
}

// validateSeats checks what is known of hands, and that the table is empty before
// the first Game Turn.
func (g *game) validateSeats(p *Position, how engine.Strictness) error {
	for i := range g.seats {
		s := &p.Seats[i]
		for c, n := range s.Known {
			if n > s.Hand[c] {
				return wrong("known of seat %d has %d %s, its hand %d (R4.7)", i, n, g.box.Cards[c].Name, s.Hand[c])
			}
		}
		if s.DeckSize == 0 && s.Known != s.Hand {
			return wrong("known of seat %d: with an empty draw deck the whole hand is known (R4.7)", i)
		}
		if p.Turn > 0 {
			continue
		}
		if s.HandSize > 0 || s.Discards > 0 || p.Own[i] != 0 || p.VP[i] > 0 ||
			how == engine.Strict && p.Logistics[i] != g.box.startLogistics {
			return wrong("seat %d has cards, Forces or VPs before the first Game Turn (R5.1 to R5.3)", i)
		}
	}
	return nil
}

// validateFog checks that the Fogs of War went back to their stack.
func (g *game) validateFog(p *Position, how engine.Strictness) error {
	fog := g.box.scoring.First()
	if p.Fog != 0 && (how == engine.Strict || p.Pool.Has(fog)) && p.Fog.Size() > int(p.Stack[fog]) {
		return wrong("fog_players: %d put %s back on a stack of %d (R8.4)", p.Fog.Size(), g.box.Cards[fog].Name, p.Stack[fog])
	}
	return nil
}

// Check implements flow.Rules: it is validate for positions that may have come out of a
// lenient one, with what a position keeps for speed recounted.
func (g *game) Check(p *Position) error {
	if err := g.validate(p, engine.Lenient); err != nil {
		return err
	}
	seen := AreaSet(0)
	for i := range p.Seats {
		s := &p.Seats[i]
		if SeatID(i) >= g.seats {
			if *s != (Player{}) || p.Own[i] != 0 {
				return fmt.Errorf("seat %d of %d has something", i, g.seats)
			}
			continue
		}
		switch {
		case s.Holds != typesOf(&s.Hand) || int(s.HandSize) != sum(&s.Hand):
			return fmt.Errorf("hand of seat %d: %d cards %v, kept as %d of %b", i, sum(&s.Hand), s.Hand, s.HandSize, s.Holds)
		case int(s.DeckSize) != sum(&s.Deck)+int(s.Tops) || int(s.Discards) != sum(&s.Discard):
			return fmt.Errorf("seat %d: a draw deck of %d and %d discards, kept as %d and %d", i, sum(&s.Deck)+int(s.Tops), sum(&s.Discard), s.DeckSize,
				s.Discards)
		case seen&p.Own[i] != 0:
			return fmt.Errorf("areas %b hold two Forces (R2.1)", seen&p.Own[i])
		}
		seen |= p.Own[i]
	}
	switch {
	case p.Full&^seen != 0 || seen&^allAreas != 0:
		return fmt.Errorf("full Forces %b in areas %b", p.Full, seen)
	case p.InStock != typesOf(&p.Stack):
		return fmt.Errorf("stacks %v are kept as %b", p.Stack, p.InStock)
	case (p.Phase == scoringWindow || p.Phase == logisticsWindow) && (p.Window == noWindow) != (p.Frame.Way != NoWay):
		return fmt.Errorf("in phase %s place %d is asked while a card is used in way %d (R9.1)", phaseNames[p.Phase], p.Window, p.Frame.Way)
	case p.Frame.Way != NoWay && p.Seats[p.Frame.Actor].Discard[p.Frame.Card] == 0:
		return fmt.Errorf("card %d is used and not in the discard pile of seat %d (R7.7)", p.Frame.Card, p.Frame.Actor)
	case p.Drawn > 0 && (p.Drawn > p.Logistics[g.board(p).drawer()] || p.Seats[g.board(p).drawer()].HandSize < p.Drawn):
		return fmt.Errorf("seat %d has drawn %d cards (R6.2)", g.board(p).drawer(), p.Drawn)
	case (p.Actor >= 0) == (p.Words == (actionSet{})):
		return fmt.Errorf("seat %d is to act with the actions %v", p.Actor, p.Words)
	}
	return nil
}
