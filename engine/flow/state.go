package flow

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"unsafe"

	"powderkeg/engine"
)

// State is the shell of a game's state: whose turn it is, what is legal, and Apply with
// refusals, all or nothing. The game's own State embeds it and adds what differs: the
// returns and views. P begins with Rest[L].
type State[G Rules[G, P], P, L any] struct {
	G G
	P P
	// W is told what happens, nil while nobody listens.
	W *Witness

	trail  *trail[P] // nil if it is not kept
	rester Rester[P] // nil without a trail
}

// NewState returns the shell of a game's state at a position. A P that does not begin
// with Rest[L] is a fault of the program and panics.
func NewState[G Rules[G, P], P, L any](g G, p *P) State[G, P, L] {
	if first := reflect.TypeFor[P]().Field(0).Type; first != reflect.TypeFor[Rest[L]]() {
		panic(fmt.Sprintf("flow: a position of %s begins with %s, want %s", g.Spec().Name, first, reflect.TypeFor[Rest[L]]()))
	}
	s := State[G, P, L]{G: g, P: *p}
	s.Keep(true)
	return s
}

// rest returns the question at rest. It is the first field of the position, as NewState
// makes sure: to ask the position for it would be a call through a table each time.
func (s *State[G, P, L]) rest() *Rest[L] { return (*Rest[L])(unsafe.Pointer(&s.P)) }

// ToAct implements engine.State.
func (s *State[G, P, L]) ToAct() engine.Player { return s.rest().Actor }

// Legal implements engine.State. It reads the set that Apply left behind.
func (s *State[G, P, L]) Legal(dst []engine.Action) []engine.Action {
	return s.rest().Choices().Append(dst)
}

// Asks implements engine.Asker.
func (s *State[G, P, L]) Asks() (question, rule string) {
	return asks(s.G.Table(), s.rest().Ask, s.rest().Actor)
}

// Question implements engine.Teller.
func (s *State[G, P, L]) Question() string { return question(s.G, &s.P, s.rest().Ask) }

// Outcomes implements engine.Stochastic.
func (s *State[G, P, L]) Outcomes(dst []engine.Outcome) []engine.Outcome {
	r := s.rest()
	if r.Actor != engine.Chance {
		return dst
	}
	return s.G.Table()[r.Ask].Odds.List(s.G, &s.P, dst)
}

// Apply implements engine.State.
func (s *State[G, P, L]) Apply(a engine.Action) error {
	r, table := s.rest(), s.G.Table()
	row := &table[r.Ask]
	if r.Actor == engine.Chance {
		if row.Odds.Weight(s.G, &s.P, a) == 0 {
			return fmt.Errorf("%w: outcome %d is not possible here", engine.ErrIllegal, a)
		}
	} else if !r.Choices().Has(a) {
		return s.refuse(a)
	} else if s.W != nil {
		s.tellMove(row, a)
	}
	if s.trail != nil {
		s.answered(a)
	}
	row.Do(s.G, &s.P, s.W, a)
	s.settle(table)
	if Invariants {
		s.hold(a)
	}
	return nil
}

// hold panics where the position after an action cannot be.
func (s *State[G, P, L]) hold(a engine.Action) {
	if err := s.G.Check(&s.P); err != nil {
		panic(fmt.Sprintf("%s: %v after action %d (state %016x)", s.G.Spec().Name, err, a, s.Hash()))
	}
}

// Draw implements engine.Drawer.
func (s *State[G, P, L]) Draw(rng *rand.PCG, room []engine.Outcome) (engine.Action, []engine.Outcome) {
	table := s.G.Table()
	row := &table[s.rest().Ask]
	var a engine.Action
	if draw := row.Odds.Draw; draw != nil {
		a = draw(s.G, &s.P, rng)
	} else {
		room = row.Odds.List(s.G, &s.P, room[:0])
		a = engine.Sample(room, rng)
	}
	if s.trail != nil {
		s.answered(a)
	}
	row.Do(s.G, &s.P, s.W, a)
	s.settle(table)
	if Invariants {
		s.hold(a)
	}
	return a, room
}

// refuse says why action a is illegal.
func (s *State[G, P, L]) refuse(a engine.Action) error {
	name, r := fmt.Sprintf("action %d", a), s.rest()
	if actions := s.G.Spec().Actions; a >= 0 && int(a) < len(actions) {
		name = actions[a]
	}
	if r.Actor == engine.Terminal {
		return fmt.Errorf("%w: %s after the end of the game", engine.ErrIllegal, name)
	}
	row := &s.G.Table()[r.Ask]
	return fmt.Errorf("%w: %s is not possible in decision %s of seat %d (%s)", engine.ErrIllegal, name, row.Name, r.Actor, row.rule(r.Actor))
}

// Settle carries out what needs no choice until the game waits for a decision or a
// chance event, or is over.
func (s *State[G, P, L]) Settle() { s.settle(s.G.Table()) }

func (s *State[G, P, L]) settle(table []Row[G, P]) {
	r := s.rest()
	for {
		if s.trail != nil {
			s.rested()
		}
		if !s.G.Next(&s.P, s.W) {
			continue
		}
		if r.Actor < 0 || s.G.Waits(&s.P) {
			return
		}
		row, a := &table[r.Ask], r.Choices().First()
		if s.W != nil {
			s.tellMove(row, a)
		}
		row.Do(s.G, &s.P, s.W, a)
	}
}

// Rests puts the question at which the position stands, and reports whether the game
// rests at it: false if something would be carried out first.
func (s *State[G, P, L]) Rests() bool {
	return s.G.Next(&s.P, nil) && (s.rest().Actor < 0 || s.G.Waits(&s.P))
}

// Resume carries a position that was loaded on to where it waits. One that names its
// decision must wait for it as it stands; nil is a decision that is not named. Errors
// wrap engine.ErrPosition.
func (s *State[G, P, L]) Resume(decision any) error {
	if decision != nil {
		q := *s
		rests := q.Rests() && Name(q.rest().Ask, s.G.Table()) == decision
		*q.rest() = *s.rest()
		if !rests || q.Hash() != s.Hash() {
			return fmt.Errorf("%w: decision is %v, but the rest of the position does not wait for it; leave it out to have it found", engine.ErrPosition,
				decision)
		}
	}
	s.Settle()
	return nil
}

// tellMove tells of a decision's action, forced or chosen, that is about to be carried
// out. It is told to the seats that get to know of it, and to the others as far as the
// game veils it.
func (s *State[G, P, L]) tellMove(row *Row[G, P], a engine.Action) {
	if row.Untold {
		return
	}
	w, actor, spec, seen := s.W, s.ToAct(), s.G.Spec(), uint8(0)
	for seat := range spec.Seats {
		if s.Shows(engine.Player(seat), a) {
			seen |= 1 << seat
		}
	}
	seat, decision := Arg("seat", int(actor)), Arg("decision", row.Name)
	if v, ok := any(s.G).(Veiler[P]); ok && seen != w.all {
		if words := v.Veil(&s.P, a); words != "" {
			w.tell(&engine.Event{
				Kind: "move", Rule: row.rule(actor), Args: []engine.Arg{seat, decision}, Seen: w.all &^ seen, Veiled: true,
				Text: fmt.Sprintf("Seat %d: %s", actor, words),
			})
		}
	}
	w.tell(&engine.Event{
		Kind: "move", Rule: row.rule(actor), Args: []engine.Arg{seat, decision, Arg("action", spec.Actions[a])}, Seen: seen,
		Text: fmt.Sprintf("Seat %d: %s", actor, s.Describe(a)),
	})
}

// Describe implements engine.Describer.
func (s *State[G, P, L]) Describe(a engine.Action) string { return s.G.Describe(&s.P, a) }

// Shows implements engine.Secretive.
func (s *State[G, P, L]) Shows(seat engine.Player, a engine.Action) bool {
	return s.G.Shows(&s.P, seat, a)
}

// Copy makes the receiver equal to src. The listener stays the receiver's, and so does
// whether it keeps its trail.
func (s *State[G, P, L]) Copy(src *State[G, P, L]) {
	s.G = src.G
	s.P = src.P // by itself, else the compiler copies it twice
	if s.trail != nil {
		s.follow(src.trail)
	}
}

// Hash implements engine.State.
func (s *State[G, P, L]) Hash() uint64 { return s.G.Hash(&s.P) }

// Listen implements engine.Narrator.
func (s *State[G, P, L]) Listen(tell func(e *engine.Event)) {
	s.W = NewWitness(s.G.Kinds(), s.G.Spec().Seats, tell)
}
