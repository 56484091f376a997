package minuteman

import (
	"math/bits"
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game: a position in which all else is blank. It
// implements engine.Teller.
type View struct {
	flow.View[*game, Position, tokens]
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) { s.Show(seat, &v.(*View).View) }

// Blank implements flow.Rules: the kinds of the other hands and of the pool, and the
// counters of untried units, which nobody knows (R19).
func (g *game) Blank(p *Position, seat engine.Player) {
	for i := range p.Hand {
		if engine.Player(i) != seat {
			p.Hand[i] = [numMarkers]uint8{}
		}
	}
	p.Pool = [numMarkers]uint8{}
	for i := range p.Counter {
		if p.Units[milFirst+i].Hex != noHex && p.Units[milFirst+i].Marks&untried != 0 {
			p.Counter[i] = g.blank(p.Counter[i])
		}
	}
	for i := range p.Queue[:p.Queued] {
		p.Queue[i] = g.blank(p.Queue[i])
	}
	if p.Actor != seat {
		p.Choices().Clear()
	}
}

// blank hides a counter: the first of its group stands for all.
func (g *game) blank(c CounterID) CounterID {
	return g.groupFirst[g.masked[c&^hiddenCounter].group] | hiddenCounter
}

// Redeal implements engine.Hidden. Untried units get counters uniformly among the
// assignments that agree with what each can be; markers are dealt uniformly among
// the deals in which the question at rest is asked.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G = view.G
	s.P = view.P
	for gr := range numGroups {
		s.G.assign(&s.P, gr, rng)
	}
	s.G.dealMarkers(&s.P, view.Seat, rng)
	s.Dealt()
}

// assign gives counters to the hidden units and drawn counters of a group. What one
// placed earlier can be, one placed later can be too: a counter that was not lying
// revealed then and has not been since is not lying revealed later. So the sets are
// nested, and drawing for the least set first is uniform.
func (g *game) assign(p *Position, gr group, rng *rand.PCG) {
	var used uint16
	for done := 0; ; done++ {
		pick, least := -1, 17
		for i, c := range p.Counter {
			if c&hiddenCounter == 0 || g.masked[c&^hiddenCounter].group != gr || p.Units[milFirst+i].Hex == noHex {
				continue
			}
			if n := bits.OnesCount16(p.Cand[i]); n < least {
				pick, least = i, n
			}
		}
		if pick < 0 {
			break
		}
		c := choose(p.Cand[pick]&^used, rng)
		used |= 1 << c
		p.Counter[pick] = g.groupFirst[gr] + CounterID(c)
	}
	free := g.fullSet(gr) &^ used &^ g.openCounters(p, gr)
	for i, c := range p.Queue[:p.Queued] {
		if c&hiddenCounter != 0 && g.masked[c&^hiddenCounter].group == gr {
			n := choose(free, rng)
			free &^= 1 << n
			p.Queue[i] = g.groupFirst[gr] + CounterID(n)
		}
	}
}

// choose draws a member of a set that is not empty.
func choose(set uint16, rng *rand.PCG) uint8 {
	for n := engine.Uint32N(rng, uint32(bits.OnesCount16(set))); n > 0; n-- {
		set &= set - 1
	}
	return uint8(bits.TrailingZeros16(set))
}

// dealMarkers deals the markers that a seat does not hold to the other hands and the
// pool. Deals in which the question at rest would not be asked are drawn again. Where
// none in so many explains it, what it calls for is dealt first: such a deal is not
// drawn uniformly, but it agrees with all that the seat knows.
func (g *game) dealMarkers(p *Position, seat engine.Player, rng *rand.PCG) {
	const draws = 400
	var need [maxSeats][numMarkers]uint8
	g.shownMarkers(p, &need)
	for try := 0; ; try++ {
		left := g.markers
		for m, n := range p.Hand[seat] {
			left[m] -= n
		}
		var first [maxSeats][numMarkers]uint8
		if try >= draws {
			g.askedFor(p, seat, &need)
			first = need
		}
		for s := range g.Seats {
			if engine.Player(s) == seat {
				continue
			}
			p.Hand[s] = first[s]
			rest := int(p.HandSize[s])
			for m, n := range first[s] {
				left[m] -= n
				rest -= int(n)
			}
			for range rest {
				deal(&left, &p.Hand[s], rng)
			}
		}
		p.Pool = [numMarkers]uint8{}
		for range p.PoolSize {
			deal(&left, &p.Pool, rng)
		}
		if try > 2*draws || g.fitsQuestion(p, seat, &need) {
			return // a position that no play leads to may have no deal that explains it
		}
	}
}

// askedFor adds to the markers that are called for those without which the seat to
// act would have no choice.
func (g *game) askedFor(p *Position, seat engine.Player, need *[maxSeats][numMarkers]uint8) {
	if p.Actor < 0 || p.Actor == seat {
		return
	}
	hand := &p.Hand[p.Actor]
	for n := uint8(0); n <= 2; n++ { // of none, one or two of a kind
		for m := range hand {
			*hand = need[p.Actor]
			if hand[m] = max(hand[m], n); g.asks(p) {
				need[p.Actor] = *hand
				return
			}
		}
	}
}

// asks reports whether the seat to act has a choice. It writes the legal tokens.
func (g *game) asks(p *Position) bool {
	p.Choices().Clear()
	g.offers[p.Ask](g, p)
	return p.Choices().Size() > 1
}

// deal draws one marker.
func deal(left, into *[numMarkers]uint8, rng *rand.PCG) {
	n := uint32(0)
	for _, k := range left {
		n += uint32(k)
	}
	if n == 0 {
		return
	}
	x := engine.Uint32N(rng, n)
	for m := range left {
		if x < uint32(left[m]) {
			left[m]--
			into[m]++
			return
		}
		x -= uint32(left[m])
	}
}

// shownMarkers finds how many markers of each kind the seats are showing.
func (g *game) shownMarkers(p *Position, need *[maxSeats][numMarkers]uint8) {
	if p.Kill.Stage != killNone {
		need[p.Kill.Seat][assassin] = max(1, p.Kill.N)
	}
	if p.Build.Stage != buildNone {
		need[p.Build.Seat][organizer] = p.Build.Markers
	}
	if p.Move.Stage != moveNone && p.Move.Shown > 0 {
		need[g.owner(p, p.Move.Unit)][passage] = p.Move.Shown
	}
	switch c := &p.Combat; c.Stage {
	case combatBetrayalDie:
		need[c.Seat][betrayal] = c.Betrayals
	case combatZoneDie:
		need[g.owner(p, c.Retreater)][passage] = c.Passages
	}
}

// fitsQuestion reports whether a deal explains the question at rest: the markers shown
// are held, and the seat or chance has a choice. It writes the legal tokens.
// windows skipped earlier are not remembered.
func (g *game) fitsQuestion(p *Position, seat engine.Player, need *[maxSeats][numMarkers]uint8) bool {
	for s := range need {
		for m, n := range need[s] {
			if p.Hand[s][m] < n {
				return false
			}
		}
	}
	switch p.Actor {
	case engine.Terminal, seat:
		return true
	case engine.Chance:
		set := g.drawable(p)
		return !isDraw(p.Ask) || set.count() > 1
	}
	return g.asks(p)
}

// Side implements engine.Sided. The Government may pass to another seat; Rebels are told apart by their seats where
// there are several.
func (s *View) Side(seat engine.Player) string {
	if SeatID(seat) == s.P.Gov {
		return "Government"
	}
	if s.G.Seats == 2 {
		return "Rebel"
	}
	return "Rebel " + string(rune('A'+seat))
}
