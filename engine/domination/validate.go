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
		g.validateTurn, g.validatePast, g.validatePool, g.validateCards, g.validateSeats, g.validateWindow, g.validateFrame,
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
// before: the draws of R6.2, and the use after which a window opens.
func (g *game) validatePast(p *Position, how engine.Strictness) error {
	if how != engine.Strict {
		return nil
	}
	outOfTurn := p.Window != noWindow || p.Frame.Way != NoWay && p.Frame.Actor != p.Active
	switch {
	case p.Phase == cardPlay && !p.Used && outOfTurn && (p.Active != p.First || p.Passed != 0):
		return wrong("used_this_turn: before the first use of a turn nobody reacts, save after the draws (R6.5)")
	case p.Used && p.Seats[p.Active].Discards == 0:
		return wrong("used_this_turn: the discard pile of seat %d is empty (R7.7)", p.Active)
	}
	for place := range p.Drawing {
		i := g.place(p.First, place)
		if s := &p.Seats[i]; s.HandSize < p.Logistics[i] && s.DeckSize+s.Discards > 0 {
			return wrong("drawer is %d, but seat %d before it has not drawn its cards (R6.2)", g.drawer(p), i)
		}
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
	case p.Phase == setUp && n < PoolSize && g.typesAbove(p).Size() < PoolSize-n:
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
	if p.Drawn > 0 && p.Seats[g.drawer(p)].HandSize < p.Drawn {
		return wrong("draws_made is %d, but the hand of seat %d has %d cards (R6.2)", p.Drawn, g.drawer(p), p.Seats[g.drawer(p)].HandSize)
	}
	return nil
}

// validateWindow checks that the scoring windows rest nowhere between two
// questions, and that what was played in them is where it went.
func (g *game) validateWindow(p *Position, how engine.Strictness) error {
	inWindow := p.Phase == scoringWindow || p.Phase == logisticsWindow
	fog := g.box.scoring.First()
	switch {
	case inWindow && (p.Window == noWindow) != (p.Frame.Way != NoWay):
		return wrong("window_seat: in phase %s somebody is asked or resolves a card (R9.1)", phaseNames[p.Phase])
	case p.Fog != 0 && (how == engine.Strict || p.Pool.Has(fog)) && p.Fog.Size() > int(p.Stack[fog]):
		return wrong("fog_players: %d put %s back on a stack of %d (R8.4)", p.Fog.Size(), g.box.Cards[fog].Name, p.Stack[fog])
	}
	return nil
}

// validateFrame checks that the use of a card could have come about, and that it
// waits for a question.
func (g *game) validateFrame(p *Position, _ engine.Strictness) error {
	f := &p.Frame
	if f.Way == NoWay {
		return nil
	}
	c := &g.box.Cards[f.Card]
	bad := func(format string, args ...any) error {
		return wrong("frame: %s of %s: %s", wayNames[f.Way], c.Name, fmt.Sprintf(format, args...))
	}
	inTurn := p.Phase == cardPlay && f.Actor == p.Active
	switch {
	case p.Phase != cardPlay && p.Phase != scoringWindow && p.Phase != logisticsWindow:
		return bad("no card is used in phase %s (R6.3)", phaseNames[p.Phase])
	case !inTurn && (f.Way != TextWay || !c.AnyTime):
		return bad("seat %d uses it out of its turn (R6.5)", f.Actor)
	case inTurn && !p.Used:
		return bad("used_this_turn is false, but seat %d uses it in its turn (R6.3)", f.Actor)
	case p.Seats[f.Actor].Discard[f.Card] == 0:
		return bad("the card is not in the discard pile of seat %d (R7.7)", f.Actor)
	case f.Way == TextWay && c.ScoringOnly:
		return bad("it asks nothing (R8.4)")
	}
	if f.Way >= Discard1Way {
		return g.validateDiscard(p, f, bad)
	}
	if int(f.Effect) >= len(c.ways[f.Way]) {
		return bad("effect is %d, it has %d (R7.8)", f.Effect, len(c.ways[f.Way]))
	}
	if err := g.validateEffect(p, f, &c.ways[f.Way][f.Effect], bad); err != nil {
		return err
	}
	if q := *p; !g.Next(&q, nil) || q.Frame != p.Frame || q.Words == (actionSet{}) {
		return bad("nothing is left to be asked; leave frame out")
	}
	return nil
}

// validateDiscard checks a frame that waits for D2 or D3.
func (g *game) validateDiscard(p *Position, f *Frame, bad func(string, ...any) error) error {
	want := Frame{Card: f.Card, Way: f.Way, Actor: f.Actor, Target: NoSeat}
	if f.Way == Discard2Way {
		want.Points = min(f.Points, 1)
	}
	switch {
	case *f != want:
		return bad("only points may be set, to 1 before the second discard (R7.5)")
	case g.affordable(p, f.Actor) == 0:
		return bad("nothing can be bought (R7.3)")
	case f.Points > 0 && p.Seats[f.Actor].Holds&(^CardSet(0)<<f.Card) == 0:
		return bad("there is no second card (R7.5)")
	case f.Way == Discard2Way && f.Points == 0 && !p.Seats[f.Actor].discardedPair(f.Card):
		return bad("the second card is not in the discard pile of seat %d (R7.5)", f.Actor)
	}
	return nil
}

// discardedPair reports whether the discard pile holds a card of type c and a second
// one of the same or a higher index (R7.5).
func (s *Player) discardedPair(c CardID) bool {
	return s.Discard[c] > 1 || typesOf(&s.Discard)&(^CardSet(0)<<(c+1)) != 0
}

// validateEffect checks the numbers of an effect: those it does not use are unset,
// and the others lie within their ranges.
func (g *game) validateEffect(p *Position, f *Frame, e *effect, bad func(string, ...any) error) error {
	want := Frame{Card: f.Card, Way: f.Way, Actor: f.Actor, Effect: f.Effect, Begun: f.Begun, Target: NoSeat}
	most := int(e.n)
	switch e.op {
	case points, replace:
		want.Points, want.Spent, want.Last = f.Points, f.Spent, f.Last
		if e.op == points {
			most = int(g.countPoints(p, f.Actor, e)) // its Reductions leave the own Forces alone
		}
		if f.Spent {
			most--
		}
		if !f.Spent && (f.Last != 0 || int(f.Points) != most) || e.restrict == nearOwnLand && f.Last != 0 {
			return bad("lowest_area, points and spent disagree (R7.9)")
		}
	case reductions, chainLeft:
		want.Points, want.Last, want.Target = f.Points, f.Last, f.Target
		if f.Target == NoSeat || e.op == reductions && f.Target != f.Actor {
			return bad("target must be the seat that performs Reductions (R8.5)")
		}
		switch {
		case f.Points > 0 && p.Steps(p.Opposing(f.Target)&from(f.Last)) < int(f.Points):
			return bad("there are not %d steps left for its points (R8.5)", f.Points)
		case f.Last != 0 && int(f.Points) != most-1:
			return bad("lowest_area is set, but not by the first of %d Reductions (R7.9)", most)
		}
	case storm:
		want.Points, want.Last, want.Target, want.Halves = f.Points, f.Last, f.Target, f.Halves
		if err := g.validateStorm(p, f, e, bad); err != nil {
			return err
		}
		most = Areas
	case removePerRegion:
		want.Region, want.Regions = f.Region, f.Regions
		switch noted := g.notedRegions(p, f.Actor, e); { // those of Surrender do not change
		case f.Regions != noted && e.ownFullRegions:
			return bad("regions must be those where seat %d has a Full Land Force (R8.7)", f.Actor)
		case f.Regions != noted:
			return bad("regions must be all six (R8.6)")
		}
	case choosePlayer:
	default:
		return bad("effect %d asks nothing", f.Effect)
	}
	if *f != want {
		return bad("fields are set that op %s does not use", opNames[e.op])
	}
	if int(f.Points) > most {
		return bad("points is %d, at most %d are left (R7.8)", f.Points, most)
	}
	return nil
}

// validateStorm checks that the Reductions still to come can all be made, and that
// they are half of the Forces of those who were not hit yet (R8.9).
func (g *game) validateStorm(p *Position, f *Frame, e *effect, bad func(string, ...any) error) error {
	if f.Target == NoSeat || f.Points == 0 {
		return bad("target and points name the player who is hit (R8.9)")
	}
	switch half := p.half(f.Target, e); {
	case int(f.Points) > p.Steps(p.Own[f.Target]&from(f.Last)):
		return bad("seat %d has no %d steps left (R8.9)", f.Target, f.Points)
	case f.Points > half:
		return bad("points is %d, but half of the Forces of seat %d is %d (R8.9)", f.Points, f.Target, half)
	}
	for hit, s := true, f.Actor; ; {
		want := p.half(s, e)
		if hit {
			want = 0
		}
		if f.Halves[s] != want {
			return bad("storms_left of seat %d is %d, it must be %d (R8.9)", s, f.Halves[s], want)
		}
		hit = hit && s != f.Target
		if s = g.next(s); s == f.Actor {
			return nil
		}
	}
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
			return fmt.Errorf("seat %d: a draw deck of %d and %d discards, kept as %d and %d", i, sum(&s.Deck)+int(s.Tops), sum(&s.Discard), s.DeckSize, s.Discards)
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
	case (p.Actor >= 0) == (p.Words == (actionSet{})):
		return fmt.Errorf("seat %d is to act with the actions %v", p.Actor, p.Words)
	}
	return nil
}
