package enginetest

import (
	"fmt"
	"slices"

	"powderkeg/engine"
)

// worlds are two games that a seat cannot tell apart when they begin: one is real, in
// the other what the seat cannot see has been dealt anew, whether a seat is asked in
// secret included. They are played on with the same moves, as far as the seat gets to
// know them, and everything that reaches the seat on the way must be the same.
type worlds struct {
	*player
	seat engine.Player
	real engine.State
	deal engine.State
	// What each world has told the seat since the last moment at which they were
	// compared, if the game tells events.
	realTold, dealTold []string
	// late is true until then if the deal may have gone on, from a view in which nobody is
	// asked, before it had a listener.
	late  bool
	since []string // the moves in the real world, for messages
}

// stretch is how many moves two worlds are played on.
const stretch = 40

func newWorlds(p *player, seat engine.Player, deal engine.State) *worlds {
	w := &worlds{player: p, seat: seat, real: engine.Clone(p.game, p.state), deal: engine.Clone(p.game, deal)}
	w.late = engine.Look(w.real, seat).ToAct() == engine.Nobody
	listen(w.real, seat, &w.realTold)
	listen(w.deal, seat, &w.dealTold)
	return w
}

// listen collects what the seat is told from now on.
func listen(s engine.State, seat engine.Player, told *[]string) {
	if narrator, ok := s.(engine.Narrator); ok {
		narrator.Listen(func(e *engine.Event) {
			if e.SeenBy(seat) {
				*told = append(*told, fmt.Sprint(e.Kind, e.Rule, e.Args, e.Text))
			}
		})
	}
}

// shows reports whether the seat gets to know of a move in s.
func (w *worlds) shows(s engine.State, a engine.Action) bool {
	if s.ToAct() == w.seat {
		return true
	}
	secretive, ok := s.(engine.Secretive)
	return !ok || secretive.Shows(w.seat, a)
}

// asksInSecret reports whether another seat is asked without the seat's knowing.
func (w *worlds) asksInSecret(s engine.State) bool {
	return s.ToAct() >= 0 && engine.Look(s, w.seat).ToAct() == engine.Nobody
}

func (w *worlds) play() {
	if _, ok := w.real.(engine.Secretive); !ok {
		return // every move of others counts as hidden, so there is none to follow
	}
	for range stretch {
		if w.real.ToAct() == engine.Terminal || w.t.Failed() || !w.step() {
			return
		}
	}
}

// step makes one move in the real world and its like in the other. It returns false
// where the deal does not allow what really happens.
func (w *worlds) step() bool {
	if w.asksInSecret(w.real) {
		return w.answerInSecret()
	}
	if !w.passBy() {
		return false
	}
	w.catchUp()
	w.compareViews(w.seat, "where the same has happened", engine.Look(w.real, w.seat), engine.Look(w.deal, w.seat))
	if !w.late && !slices.Equal(w.realTold, w.dealTold) {
		w.t.Errorf("seat %d is told %q in one world, %q in the other", w.seat, w.realTold, w.dealTold)
	}
	w.realTold, w.dealTold, w.late = nil, nil, false
	if w.t.Failed() {
		w.t.Logf("seat %d looks, after these moves in the real world: %q", w.seat, w.since)
		return false
	}
	if w.real.ToAct() == engine.Terminal {
		return false
	}
	a, ok := w.draw(w.real)
	if !ok {
		return false
	}
	if w.shows(w.real, a) {
		return w.both(a)
	}
	// A hidden choice is made alike, for it may come out; what is drawn need not be.
	b, possible := a, engine.Moves(w.deal)
	if !slices.Contains(possible, b) {
		if w.real.ToAct() != engine.Chance {
			return false
		}
		possible = slices.DeleteFunc(possible, func(b engine.Action) bool { return w.shows(w.deal, b) })
		if len(possible) == 0 {
			w.t.Errorf("seat %d: a draw is hidden from it in one world and shown in the other", w.seat)
			return false
		}
		b = possible[engine.Uint32N(w.rng, uint32(len(possible)))]
	}
	chosen := w.real.ToAct() >= 0
	if !w.apply(a, b) {
		return false
	}
	// What was chosen unseen can lead to further choices in one world and not in the other.
	return !chosen || engine.Look(w.real, w.seat).Hash() == engine.Look(w.deal, w.seat).Hash()
}

// draw returns a possible move.
func (p *player) draw(s engine.State) (a engine.Action, ok bool) {
	moves := engine.Moves(s)
	if len(moves) == 0 {
		p.t.Errorf("there is no move: %s", dump(p.t, s))
		return 0, false
	}
	return moves[engine.Uint32N(p.rng, uint32(len(moves)))], true
}

// answerInSecret answers a secret question of the real world, mostly by a move that
// stays hidden. One that comes out must be possible in the other world too.
func (w *worlds) answerInSecret() bool {
	moves := engine.Moves(w.real)
	if len(moves) == 0 {
		w.t.Errorf("there is no move: %s", dump(w.t, w.real))
		return false
	}
	hidden := slices.DeleteFunc(slices.Clone(moves), func(a engine.Action) bool { return w.shows(w.real, a) })
	if len(hidden) > 0 && w.rng.Uint64()%4 != 0 {
		moves = hidden
	}
	a := moves[engine.Uint32N(w.rng, uint32(len(moves)))]
	if !w.shows(w.real, a) {
		if err := w.real.Apply(a); err != nil {
			w.t.Errorf("a possible move is refused: %v", err)
		}
		return true
	}
	if w.deal.ToAct() != w.real.ToAct() || !slices.Contains(w.deal.Legal(nil), a) ||
		engine.Look(w.deal, w.seat).Hash() != engine.Look(w.real, w.seat).Hash() { // asked at another moment
		return false
	}
	return w.both(a)
}

// passBy lets the seats that are asked in secret in the other world answer so that it
// stays hidden. It returns false where one cannot.
func (w *worlds) passBy() bool {
	for w.asksInSecret(w.deal) {
		moves := slices.DeleteFunc(w.deal.Legal(nil), func(a engine.Action) bool { return w.shows(w.deal, a) })
		if len(moves) == 0 {
			return false
		}
		if err := w.deal.Apply(moves[0]); err != nil {
			w.t.Errorf("a possible move is refused: %v", err)
			return false
		}
	}
	return true
}

// catchUp makes a move of another seat in the world that asks for it, where in the other
// it was forced and made unasked. A game may do so only if it tells of such moves.
func (w *worlds) catchUp() {
	if _, ok := w.real.(engine.Narrator); !ok {
		return
	}
	for _, x := range []struct{ behind, ahead engine.State }{{w.real, w.deal}, {w.deal, w.real}} {
		want := engine.Look(x.ahead, w.seat).Hash()
		if engine.Look(x.behind, w.seat).Hash() == want || x.behind.ToAct() < 0 || x.behind.ToAct() == w.seat {
			continue
		}
		for _, a := range x.behind.Legal(nil) {
			try := engine.Clone(w.game, x.behind)
			if err := try.Apply(a); err == nil && engine.Look(try, w.seat).Hash() == want {
				if err := x.behind.Apply(a); err != nil {
					w.t.Errorf("a possible move is refused: %v", err)
				}
				return
			}
		}
	}
}

// both makes a move that the seat gets to know in both worlds, and demands that it is
// told in the same words.
func (w *worlds) both(a engine.Action) bool {
	if !slices.Contains(engine.Moves(w.deal), a) {
		return false
	}
	x, y := w.real.(engine.Describer).Describe(a), w.deal.(engine.Describer).Describe(a)
	if !w.shows(w.deal, a) || x != y {
		w.t.Errorf("seat %d is told of a move in other words, or in one world only: %q, %q", w.seat, x, y)
		return false
	}
	return w.apply(a, a)
}

// apply makes a move in each world. It returns false where they may differ from then
// on, since cards have come to light.
func (w *worlds) apply(a, b engine.Action) bool {
	reveals := false
	for _, world := range []struct {
		s engine.State
		a engine.Action
	}{{w.real, a}, {w.deal, b}} {
		before := engine.Clone(w.game, world.s)
		if world.s == w.real {
			w.since = append(w.since, engine.MoveName(w.game, w.real, a))
		}
		if err := world.s.Apply(world.a); err != nil {
			w.t.Errorf("a possible move is refused: %v", err)
			return false
		}
		reveals = reveals || w.player.reveals(before, world.s)
	}
	return !reveals
}
