package human

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"powderkeg/engine"
)

// handover passes the terminal round among people who share it, so that nobody learns
// from its coming and going who is asked in secret. A game asks only those in secret who
// hold a card for it; here the terminal is offered to everybody of whom those looking on
// cannot know that they are not asked.
type handover struct {
	game     engine.Game
	terminal *Terminal
	people   []*Agent // by seat, nil for seats that are not people's
	rng      rand.PCG
	// due are the people whom the terminal is still to be offered to at this moment.
	due []*Agent
	// world and view are scratch.
	world engine.Hidden
	view  engine.View
}

// handoverStream is the PCG stream of the worlds that are tried.
const handoverStream = 0x68616e646f766572

// worlds is how many deals are tried to find out who may be asked. A card that one
// deal in fifty has is missed in one of a million moments, and then only the offer to
// somebody who does not hold it is left out.
const worlds = 700

// newHandover returns a handover for the people on their seats, nil if none is needed:
// for one person, and for games without secret questions.
func newHandover(g engine.Game, t *Terminal, people []*Agent, seed uint64) *handover {
	n := 0
	for _, a := range people {
		if a != nil {
			n++
		}
	}
	world, hidden := g.New().(engine.Hidden)
	_, secretive := world.(engine.Secretive)
	if n < 2 || !hidden || !secretive {
		return nil
	}
	h := &handover{game: g, terminal: t, people: people, world: world, view: world.NewView()}
	h.rng.Seed(seed, handoverStream)
	return h
}

// secret reports whether the seat to act in s is asked without p's knowing.
func (h *handover) secret(s engine.State, p engine.Player) bool {
	if s.ToAct() < 0 || s.ToAct() == p {
		return false
	}
	s.(engine.Hidden).See(p, h.view)
	return h.view.ToAct() == engine.Nobody
}

// moves looks at a move before it is made, and notes to whom the terminal is to be
// offered after it.
func (h *handover) moves(s engine.State, a engine.Action) {
	looking := h.terminal.last
	if looking == nil {
		return // nobody has seen anything
	}
	p := looking.seat
	mover := s.ToAct()
	drawn := mover == engine.Chance && !s.(engine.Secretive).Shows(p, a)
	if mover >= 0 && mover != p && !s.(engine.Secretive).Shows(p, a) {
		return // p does not know of it, so it is the same moment still
	}
	asked := make([]bool, len(h.people))
	seen := engine.Look(s, p)
	for range worlds {
		h.world.Redeal(seen, &h.rng)
		if h.world.ToAct() != mover {
			continue
		}
		move, possible := a, engine.Moves(h.world)
		if drawn { // p knows that a card is drawn, not which
			move = possible[engine.Uint32N(&h.rng, uint32(len(possible)))]
		}
		if !slices.Contains(possible, move) || h.world.Apply(move) != nil {
			continue
		}
		for h.secret(h.world, p) {
			asked[h.world.ToAct()] = true
			if !h.passBy(p) {
				break
			}
		}
	}
	h.due = h.due[:0]
	first := max(mover, 0)
	for i := range asked {
		q := (int(first) + 1 + i) % len(asked)
		if asked[q] && h.people[q] != nil {
			h.due = append(h.due, h.people[q])
		}
	}
}

// passBy answers a secret question of the world in a way that p does not get to know.
func (h *handover) passBy(p engine.Player) bool {
	for _, a := range h.world.Legal(nil) {
		if !h.world.(engine.Secretive).Shows(p, a) {
			return h.world.Apply(a) == nil
		}
	}
	return false
}

// offer offers the terminal to those whom it is due before it goes on in s: to all of
// them, or, where a person is asked in secret, to those before that person.
func (h *handover) offer(ctx context.Context, s engine.State) error {
	var asked *Agent
	if looking := h.terminal.last; looking != nil && s.ToAct() >= 0 && h.secretToOthers(s) {
		asked = h.people[s.ToAct()]
	}
	for len(h.due) > 0 {
		next := h.due[0]
		h.due = h.due[1:]
		if next == asked {
			return nil // it takes the terminal to answer
		}
		if next == h.terminal.last && len(h.due) == 0 && asked == nil {
			return nil // it has the terminal already, and nobody has been before it
		}
		if err := next.nothingAsked(ctx); err != nil {
			return err
		}
	}
	return nil
}

// secretToOthers reports whether some person at the terminal does not know that the
// seat to act is asked.
func (h *handover) secretToOthers(s engine.State) bool {
	return slices.ContainsFunc(h.people, func(a *Agent) bool { return a != nil && h.secret(s, a.seat) })
}

// nothingAsked hands the terminal to a person of whom nothing is asked.
func (a *Agent) nothingAsked(ctx context.Context) error {
	if err := a.take(ctx); err != nil {
		return err
	}
	a.terminal.printf("Nothing is asked of you (seat %d) now. Press Enter to pass the terminal on: ", a.seat)
	if _, err := a.terminal.in.next(ctx); err != nil {
		return a.leave(err)
	}
	return nil
}

// take hands the terminal over if another person used it last, and waits until that
// person has made room.
func (a *Agent) take(ctx context.Context) error {
	before := a.terminal.last
	a.terminal.last = a
	if before == nil || before == a {
		return nil
	}
	a.shown = nil
	a.terminal.printf("%sSeat %d takes the terminal. Press Enter when nobody else is looking: ", strings.Repeat("\n", curtain), a.seat)
	if _, err := a.terminal.in.next(ctx); err != nil {
		return a.leave(err)
	}
	return nil
}
