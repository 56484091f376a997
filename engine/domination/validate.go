package domination

import (
	"fmt"

	"powderkeg/engine"
)

// validate checks a position against every limit of the rules. Lenient positions
// may lack cards and types of the pool, and what went before; they never have too
// many. It checks what settle relies on too, so that no position that passes can make
// it stop without a question.
func (g *game) validate(p *position, how engine.Strictness) error {
	for _, step := range []func(*position, engine.Strictness) error{
		g.validateTurn, g.validatePast, g.validatePool, g.validateCards, g.validateSeats, g.validateWindow, g.validateFrame,
	} {
		if err := step(p, how); err != nil {
			return err
		}
	}
	return nil
}

// validateTurn checks the Turn token and the locks.
func (g *game) validateTurn(p *position, _ engine.Strictness) error {
	low, high := uint8(1), g.turns
	switch p.phase {
	case setUp:
		low, high = 0, 0
	case endOfGameTurn:
		low = 0
	case over:
		low, high = g.turns+1, g.turns+1
	}
	name := phaseNames[p.phase]
	switch {
	case p.turn < low || p.turn > high:
		return wrong("turn is %d, in phase %s it must be %d to %d (R10.1)", p.turn, name, low, high)
	case p.phase == logisticsWindow && p.turn == g.turns:
		return wrong("phase %s is left out in the last Game Turn (R9.4)", name)
	case p.phase == cardPlay && p.passed.has(p.active):
		return wrong("active is %d, who is locked (R6.4)", p.active)
	case p.phase == cardPlay && p.passed == g.everybody():
		return wrong("passed: with everybody locked card play is over (R6.6)")
	case p.cardPlayOver() && p.passed != g.everybody():
		return wrong("passed: in phase %s everybody is locked (R6.6)", name)
	case p.phase != cardPlay && !p.cardPlayOver() && p.passed != 0:
		return wrong("passed: in phase %s nobody is locked (R6.1)", name)
	case p.used && p.phase != cardPlay:
		return wrong("used_this_turn: nobody has a turn in phase %s (R6.3)", name)
	case p.fog != 0 && p.phase != scoringWindow && p.phase != scoringStep:
		return wrong("fog_players: Fog of War is played in phase %s only (R8.4)", phaseNames[scoringWindow])
	}
	return nil
}

// cardPlayOver reports whether the card play of the Game Turn lies behind.
func (p *position) cardPlayOver() bool {
	return p.phase > cardPlay || p.phase == endOfGameTurn && p.turn > 0
}

// validatePast checks that a strict position shows the traces of what must have gone
// before: the draws of R6.2, and the use after which a window opens.
func (g *game) validatePast(p *position, how engine.Strictness) error {
	if how != engine.Strict {
		return nil
	}
	outOfTurn := p.window != noWindow || p.frame.way != wayNone && p.frame.actor != p.active
	switch {
	case p.phase == cardPlay && !p.used && outOfTurn && (p.active != p.first || p.passed != 0):
		return wrong("used_this_turn: before the first use of a turn nobody reacts, save after the draws (R6.5)")
	case p.used && p.seats[p.active].discards == 0:
		return wrong("used_this_turn: the discard pile of seat %d is empty (R7.7)", p.active)
	}
	for place := range p.drawing {
		i := g.place(p.first, place)
		if s := &p.seats[i]; s.handSize < p.logistics[i] && s.deckSize+s.discards > 0 {
			return wrong("drawer is %d, but seat %d before it has not drawn its cards (R6.2)", g.drawer(p), i)
		}
	}
	return nil
}

// validatePool checks the types in the game.
func (g *game) validatePool(p *position, how engine.Strictness) error {
	n := p.pool.size()
	switch foreign := p.pool &^ g.types; {
	case foreign.has(domination):
		return wrong("pool: %s has no stack (R7.3)", g.box.cards[domination].name)
	case foreign != 0:
		return wrong("pool: %s needs the game option extended_pool=true (R5.4)", g.box.cards[foreign.first()].name)
	case n > poolSize || p.phase != setUp && n < poolSize && how == engine.Strict:
		return wrong("pool has %d types, it has %d (R5.4)", n, poolSize)
	case p.phase == setUp && n < poolSize && g.typesAbove(p).size() < poolSize-n:
		return wrong("pool: in phase %s types are drawn in ascending order, and %d more do not exist (R5.4)", phaseNames[setUp], poolSize-n)
	case p.phase == setUp && n == poolSize && p.first != noSeat && g.start.phase == setUp:
		return wrong("first_player is %d in a set-up that is over; the phase is %s (R5.6)", p.first, phaseNames[endOfGameTurn])
	}
	return nil
}

// validateCards checks that no card is there twice (R3.2), that players own what is in
// the pool and, in a strict
// position, that none is missing.
func (g *game) validateCards(p *position, how engine.Strictness) error {
	for i := range g.seats {
		if n, want := p.seats[i].owned(domination), int(g.box.starters); n > want || n < want && how == engine.Strict {
			return wrong("seat %d has %d cards %s, it has %d in all (R3.2)", i, n, g.box.cards[domination].name, want)
		}
	}
	for c := cardID(1); c < numCards; c++ {
		n, name, all := p.owned(c), g.box.cards[c].name, int(g.copies)
		switch {
		case n > 0 && !p.pool.has(c):
			return wrong("players own %d %s, which is not in the pool (R5.5)", n, name)
		case n > 0 && p.turn == 0:
			return wrong("players own %d %s before the first Game Turn (R5.3)", n, name)
		case n+int(p.stack[c]) > all:
			return wrong("there are %d %s in the stack and with the players, the game has %d (R3.2)", n+int(p.stack[c]), name, all)
		case how == engine.Strict && n+int(p.stack[c]) < all && p.pool.has(c) && p.pool.size() == poolSize:
			return wrong("there are %d %s in the stack and with the players, the game has %d (R3.2)", n+int(p.stack[c]), name, all)
		}
	}
	return nil
}

// owned returns the number of cards of a type that all players own together.
func (p *position) owned(c cardID) int {
	n := 0
	for i := range p.seats {
		n += p.seats[i].owned(c)
	}
	return n
}

// owned returns the number of cards of a type that the player owns (R3.2).
func (s *seat) owned(c cardID) int {
	n := int(s.hand[c]) + int(s.deck[c]) + int(s.discard[c])
	for _, t := range s.top[:s.tops] {
		n += bit(t == c)
	}
	return n
}

// validateSeats checks what is known of hands, and that the table is empty before
// the first Game Turn.
func (g *game) validateSeats(p *position, how engine.Strictness) error {
	for i := range g.seats {
		s := &p.seats[i]
		for c, n := range s.known {
			if n > s.hand[c] {
				return wrong("known of seat %d has %d %s, its hand %d (R4.7)", i, n, g.box.cards[c].name, s.hand[c])
			}
		}
		if s.deckSize == 0 && s.known != s.hand {
			return wrong("known of seat %d: with an empty draw deck the whole hand is known (R4.7)", i)
		}
		if p.turn > 0 {
			continue
		}
		if s.handSize > 0 || s.discards > 0 || p.own[i] != 0 || p.vp[i] > 0 ||
			how == engine.Strict && p.logistics[i] != g.box.startLogistics {
			return wrong("seat %d has cards, Forces or VPs before the first Game Turn (R5.1 to R5.3)", i)
		}
	}
	if p.drawn > 0 && p.seats[g.drawer(p)].handSize < p.drawn {
		return wrong("draws_made is %d, but the hand of seat %d has %d cards (R6.2)", p.drawn, g.drawer(p), p.seats[g.drawer(p)].handSize)
	}
	return nil
}

// validateWindow checks that the scoring windows rest nowhere between two
// questions, and that what was played in them is where it went.
func (g *game) validateWindow(p *position, how engine.Strictness) error {
	inWindow := p.phase == scoringWindow || p.phase == logisticsWindow
	fog := g.box.scoring.first()
	switch {
	case inWindow && (p.window == noWindow) != (p.frame.way != wayNone):
		return wrong("window_seat: in phase %s somebody is asked or resolves a card (R9.1)", phaseNames[p.phase])
	case p.fog != 0 && (how == engine.Strict || p.pool.has(fog)) && p.fog.size() > int(p.stack[fog]):
		return wrong("fog_players: %d put %s back on a stack of %d (R8.4)", p.fog.size(), g.box.cards[fog].name, p.stack[fog])
	}
	return nil
}

// validateFrame checks that the use of a card could have come about, and that it
// waits for a question.
func (g *game) validateFrame(p *position, _ engine.Strictness) error {
	f := &p.frame
	if f.way == wayNone {
		return nil
	}
	c := &g.box.cards[f.card]
	bad := func(format string, args ...any) error {
		return wrong("frame: %s of %s: %s", wayNames[f.way], c.name, fmt.Sprintf(format, args...))
	}
	inTurn := p.phase == cardPlay && f.actor == p.active
	switch {
	case p.phase != cardPlay && p.phase != scoringWindow && p.phase != logisticsWindow:
		return bad("no card is used in phase %s (R6.3)", phaseNames[p.phase])
	case !inTurn && (f.way != wayText || !c.anyTime):
		return bad("seat %d uses it out of its turn (R6.5)", f.actor)
	case inTurn && !p.used:
		return bad("used_this_turn is false, but seat %d uses it in its turn (R6.3)", f.actor)
	case p.seats[f.actor].discard[f.card] == 0:
		return bad("the card is not in the discard pile of seat %d (R7.7)", f.actor)
	case f.way == wayText && c.scoringOnly:
		return bad("it asks nothing (R8.4)")
	}
	if f.way >= wayDiscard1 {
		return g.validateDiscard(p, f, bad)
	}
	if int(f.effect) >= len(c.ways[f.way]) {
		return bad("effect is %d, it has %d (R7.8)", f.effect, len(c.ways[f.way]))
	}
	if err := g.validateEffect(p, f, &c.ways[f.way][f.effect], bad); err != nil {
		return err
	}
	if q := *p; !g.Next(&q, nil) || q.frame != p.frame || q.legal == (actionSet{}) {
		return bad("nothing is left to be asked; leave frame out")
	}
	return nil
}

// validateDiscard checks a frame that waits for D2 or D3.
func (g *game) validateDiscard(p *position, f *frame, bad func(string, ...any) error) error {
	want := frame{card: f.card, way: f.way, actor: f.actor, target: noSeat}
	if f.way == wayDiscard2 {
		want.points = min(f.points, 1)
	}
	switch {
	case *f != want:
		return bad("only points may be set, to 1 before the second discard (R7.5)")
	case g.affordable(p, f.actor) == 0:
		return bad("nothing can be bought (R7.3)")
	case f.points > 0 && p.seats[f.actor].holds&(^cardSet(0)<<f.card) == 0:
		return bad("there is no second card (R7.5)")
	case f.way == wayDiscard2 && f.points == 0 && !p.seats[f.actor].discardedPair(f.card):
		return bad("the second card is not in the discard pile of seat %d (R7.5)", f.actor)
	}
	return nil
}

// discardedPair reports whether the discard pile holds a card of type c and a second
// one of the same or a higher index (R7.5).
func (s *seat) discardedPair(c cardID) bool {
	return s.discard[c] > 1 || typesOf(&s.discard)&(^cardSet(0)<<(c+1)) != 0
}

// validateEffect checks the numbers of an effect: those it does not use are unset,
// and the others lie within their ranges.
func (g *game) validateEffect(p *position, f *frame, e *effect, bad func(string, ...any) error) error {
	want := frame{card: f.card, way: f.way, actor: f.actor, effect: f.effect, begun: f.begun, target: noSeat}
	most := int(e.n)
	switch e.op {
	case points, replace:
		want.points, want.spent, want.last = f.points, f.spent, f.last
		if e.op == points {
			most = int(g.countPoints(p, f.actor, e)) // its Reductions leave the own Forces alone
		}
		if f.spent {
			most--
		}
		if !f.spent && (f.last != 0 || int(f.points) != most) || e.restrict == nearOwnLand && f.last != 0 {
			return bad("lowest_area, points and spent disagree (R7.9)")
		}
	case reductions, chainLeft:
		want.points, want.last, want.target = f.points, f.last, f.target
		if f.target == noSeat || e.op == reductions && f.target != f.actor {
			return bad("target must be the seat that performs Reductions (R8.5)")
		}
		switch {
		case f.points > 0 && p.steps(p.opposing(f.target)&from(f.last)) < int(f.points):
			return bad("there are not %d steps left for its points (R8.5)", f.points)
		case f.last != 0 && int(f.points) != most-1:
			return bad("lowest_area is set, but not by the first of %d Reductions (R7.9)", most)
		}
	case storm:
		want.points, want.last, want.target, want.halves = f.points, f.last, f.target, f.halves
		if err := g.validateStorm(p, f, e, bad); err != nil {
			return err
		}
		most = numAreas
	case removePerRegion:
		want.region, want.regions = f.region, f.regions
		switch noted := g.notedRegions(p, f.actor, e); { // those of Surrender do not change
		case f.regions != noted && e.ownFullRegions:
			return bad("regions must be those where seat %d has a Full Land Force (R8.7)", f.actor)
		case f.regions != noted:
			return bad("regions must be all six (R8.6)")
		}
	case choosePlayer:
	default:
		return bad("effect %d asks nothing", f.effect)
	}
	if *f != want {
		return bad("fields are set that op %s does not use", opNames[e.op])
	}
	if int(f.points) > most {
		return bad("points is %d, at most %d are left (R7.8)", f.points, most)
	}
	return nil
}

// validateStorm checks that the Reductions still to come can all be made, and that
// they are half of the Forces of those who were not hit yet (R8.9).
func (g *game) validateStorm(p *position, f *frame, e *effect, bad func(string, ...any) error) error {
	if f.target == noSeat || f.points == 0 {
		return bad("target and points name the player who is hit (R8.9)")
	}
	switch half := p.half(f.target, e); {
	case int(f.points) > p.steps(p.own[f.target]&from(f.last)):
		return bad("seat %d has no %d steps left (R8.9)", f.target, f.points)
	case f.points > half:
		return bad("points is %d, but half of the Forces of seat %d is %d (R8.9)", f.points, f.target, half)
	}
	for hit, s := true, f.actor; ; {
		want := p.half(s, e)
		if hit {
			want = 0
		}
		if f.halves[s] != want {
			return bad("storms_left of seat %d is %d, it must be %d (R8.9)", s, f.halves[s], want)
		}
		hit = hit && s != f.target
		if s = g.next(s); s == f.actor {
			return nil
		}
	}
}

// Check implements flow.Rules. It is validate for the engine's own positions, with what a position keeps for
// speed recounted.
func (g *game) Check(p *position) error {
	if err := g.validate(p, engine.Strict); err != nil {
		return g.lenientCheck(p, err)
	}
	return g.checkKept(p)
}

// lenientCheck accepts positions that came out of a lenient one.
func (g *game) lenientCheck(p *position, strict error) error {
	if g.validate(p, engine.Lenient) != nil {
		return strict
	}
	return g.checkKept(p)
}

// checkKept recounts what is kept with other fields.
func (g *game) checkKept(p *position) error {
	seen := areaSet(0)
	for i := range p.seats {
		s := &p.seats[i]
		if seatID(i) >= g.seats {
			if *s != (seat{}) || p.own[i] != 0 {
				return fmt.Errorf("seat %d of %d has something", i, g.seats)
			}
			continue
		}
		switch {
		case s.holds != typesOf(&s.hand) || int(s.handSize) != sum(&s.hand):
			return fmt.Errorf("hand of seat %d: %d cards %v, kept as %d of %b", i, sum(&s.hand), s.hand, s.handSize, s.holds)
		case int(s.deckSize) != sum(&s.deck)+int(s.tops) || int(s.discards) != sum(&s.discard):
			return fmt.Errorf("seat %d: a draw deck of %d and %d discards, kept as %d and %d", i, sum(&s.deck)+int(s.tops), sum(&s.discard), s.deckSize, s.discards)
		case seen&p.own[i] != 0:
			return fmt.Errorf("areas %b hold two Forces (R2.1)", seen&p.own[i])
		}
		seen |= p.own[i]
	}
	switch {
	case p.full&^seen != 0 || seen&^allAreas != 0:
		return fmt.Errorf("full Forces %b in areas %b", p.full, seen)
	case p.inStock != typesOf(&p.stack):
		return fmt.Errorf("stacks %v are kept as %b", p.stack, p.inStock)
	case (p.Actor >= 0) == (p.legal == (actionSet{})):
		return fmt.Errorf("seat %d is to act with the actions %v", p.Actor, p.legal)
	}
	return nil
}
