package human

import (
	"context"
	"slices"
	"strings"

	"powderkeg/agents/table"
	"powderkeg/engine"
)

// handover passes the terminal round among people who share it, so that nobody learns
// from its coming and going who is asked in secret. A game asks only those in secret who
// hold a card for it; here the terminal is offered to everybody of whom those looking on
// cannot know that they are not asked.
type handover struct {
	terminal *Terminal
	people   []*Agent // by seat, nil for seats that are not people's
	secrets  *table.Secrets
	// due are the people whom the terminal is still to be offered to at this moment.
	due []*Agent
}

// newHandover returns a handover for the people on their seats, nil if none is needed:
// for one person, and for games without secret questions.
func newHandover(g engine.Game, t *Terminal, people []*Agent) *handover {
	n := 0
	for _, a := range people {
		if a != nil {
			n++
		}
	}
	if n < 2 || !g.Spec().AsksInSecret {
		return nil
	}
	return &handover{terminal: t, people: people, secrets: table.NewSecrets(g)}
}

// moves looks at a move before it is made, and notes to whom the terminal is to be
// offered after it. A move that who has the terminal does not get to know changes nothing:
// it is the same moment still.
func (h *handover) moves(s engine.State, a engine.Action) {
	if h.terminal.last == nil {
		return // nobody has seen anything
	}
	asked, ok := h.secrets.Asked(s, h.terminal.last.seat, a)
	if !ok {
		return
	}
	h.due = h.due[:0]
	first := max(int(s.ToAct()), 0)
	for i := range h.people {
		q := (first + 1 + i) % len(h.people)
		if asked>>q&1 != 0 && h.people[q] != nil {
			h.due = append(h.due, h.people[q])
		}
	}
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
	return slices.ContainsFunc(h.people, func(a *Agent) bool {
		return a != nil && a.seat != s.ToAct() && engine.Look(s, a.seat).ToAct() == engine.Nobody
	})
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
