package flow

import (
	"fmt"

	"powderkeg/engine"
)

// Row is a row of a game's table: one question, put to a seat or to chance, or one
// step that asks nothing.
type Row[G, P any] struct {
	// Name is what positions, errors and events call it, such as "D3".
	Name string
	// Rule is the rule by which it is asked, such as "R7.3".
	Rule string
	// Ask puts the question to a position, or carries the game on to another row and
	// returns false. It is nil in a game whose Next finds the question in another way.
	Ask func(g G, p *P, w *Witness) bool
	// Do carries out a legal action, of a chance event a possible outcome. What
	// follows from it without a choice is left to Next.
	Do func(g G, p *P, w *Witness, a engine.Action)
	// Odds are those of a chance event, nil for a question to a seat.
	Odds *Odds[G, P]
	// Secret is true of a question of which the other seats know nothing.
	Secret bool
	// Untold is true of a question whose answers the rules tell themselves, later.
	Untold bool
}

// Odds are the outcomes of a chance event.
type Odds[G, P any] struct {
	// List appends the possible outcomes, in ascending order of their actions.
	List func(g G, p *P, dst []engine.Outcome) []engine.Outcome
	// Weight returns the weight of one outcome, 0 for one that is impossible. It is
	// asked about numbers outside the vocabulary too.
	Weight func(g G, p *P, a engine.Action) uint32
}

// Each makes the odds of n outcomes from first on, each with a weight of its own.
func Each[G, P any](first engine.Action, n int, weight func(g G, p *P, i int) uint32) *Odds[G, P] {
	return &Odds[G, P]{
		List: func(g G, p *P, dst []engine.Outcome) []engine.Outcome {
			for i := range n {
				if w := weight(g, p, i); w > 0 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Weight: w})
				}
			}
			return dst
		},
		Weight: func(g G, p *P, a engine.Action) uint32 {
			if i := int(a - first); i >= 0 && i < n {
				return weight(g, p, i)
			}
			return 0
		},
	}
}

// Die makes the odds of n equal outcomes from first on.
func Die[G, P any](first engine.Action, n int) *Odds[G, P] {
	return Each(first, n, func(G, *P, int) uint32 { return 1 })
}

// Cards makes the odds of drawing one of a number of cards, counted by kind, of which
// the first has the outcome first.
func Cards[G, P any](first engine.Action, counts func(g G, p *P) []uint8) *Odds[G, P] {
	return &Odds[G, P]{
		List: func(g G, p *P, dst []engine.Outcome) []engine.Outcome {
			for i, n := range counts(g, p) {
				if n > 0 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Weight: uint32(n)})
				}
			}
			return dst
		},
		Weight: func(g G, p *P, a engine.Action) uint32 {
			if list, i := counts(g, p), int(a-first); i >= 0 && i < len(list) {
				return uint32(list[i])
			}
			return 0
		},
	}
}

// Rest is the question at rest in a position, which embeds it.
type Rest struct {
	// Ask is the row of the question. At the end of the game, and in the view of a
	// seat that knows of no question, it is one whose Do is nil.
	Ask uint8 `json:"-" hash:"true"`
	// Actor answers it: a seat, Chance, Terminal, or in a view Nobody.
	Actor engine.Player `json:"-" hash:"true"`
}

// Rules is what a configured game gives the shell, over positions of type P.
type Rules[G, P any] interface {
	Spec() *engine.Spec
	// Table returns the game's rows, by Rest.Ask.
	Table() []Row[G, P]
	// Next carries out the next thing that needs no choice, or puts a question and
	// returns true. Where a question is at rest already it puts it again and changes
	// nothing.
	Next(p *P, w *Witness) bool
	// Waits reports whether the game waits for an answer to the question at rest: false
	// where its only action is to be carried out unasked.
	Waits(p *P) bool
	// Hash returns the hash of a position.
	Hash(p *P) uint64
	// Encode writes a position as JSON.
	Encode(p *P) ([]byte, error)
	// Describe says in a few words what an action or outcome would do (engine.Describer).
	Describe(p *P, a engine.Action) string
	// Blank takes out of a position what a seat may not see (engine.Hidden). It is the one
	// place where a game's secrets are told from what may be shown.
	Blank(p *P, seat engine.Player)
	// Shows reports whether a seat gets to know of a move (engine.Secretive).
	Shows(p *P, seat engine.Player, a engine.Action) bool
	// Check reports what is wrong with a position of the game's own. It is called after
	// every move under the build tag invariants.
	Check(p *P) error
	// Kinds returns the game's table of events.
	Kinds() *Kinds
}

// Position is what the shell needs to know of a position of type P.
type Position[P any] interface {
	*P
	// Asked returns the question at rest.
	Asked() *Rest
	// Choices returns the legal actions, empty but where a seat is to act and the state
	// is its own.
	Choices() Set
}

// State is the shell of a game's state: whose turn it is, what is legal, and Apply with
// refusals, all or nothing. The game's own State embeds it and adds what differs: the
// returns, views and texts.
type State[G Rules[G, P], P any, PP Position[P]] struct {
	G G
	P P
	// W is told what happens, nil while nobody listens.
	W *Witness
}

// ToAct implements engine.State.
func (s *State[G, P, PP]) ToAct() engine.Player { return PP(&s.P).Asked().Actor }

// Legal implements engine.State. It reads the set that Apply left behind.
func (s *State[G, P, PP]) Legal(dst []engine.Action) []engine.Action {
	return PP(&s.P).Choices().Append(dst)
}

// Outcomes implements engine.Stochastic.
func (s *State[G, P, PP]) Outcomes(dst []engine.Outcome) []engine.Outcome {
	r := PP(&s.P).Asked()
	if r.Actor != engine.Chance {
		return dst
	}
	return s.G.Table()[r.Ask].Odds.List(s.G, &s.P, dst)
}

// Apply implements engine.State.
func (s *State[G, P, PP]) Apply(a engine.Action) error {
	r := PP(&s.P).Asked()
	row := &s.G.Table()[r.Ask]
	if r.Actor == engine.Chance {
		if row.Odds.Weight(s.G, &s.P, a) == 0 {
			return fmt.Errorf("%w: outcome %d is not possible here", engine.ErrIllegal, a)
		}
	} else if !PP(&s.P).Choices().Has(a) {
		return s.refuse(a)
	}
	if s.W != nil && r.Actor >= 0 {
		tellMove[G, P, PP](s.G, &s.P, s.W, a)
	}
	row.Do(s.G, &s.P, s.W, a)
	Settle[G, P, PP](s.G, &s.P, s.W)
	if checkInvariants {
		if err := s.G.Check(&s.P); err != nil {
			panic(fmt.Sprintf("%s: %v after action %d (state %016x)", s.G.Spec().Name, err, a, s.Hash()))
		}
	}
	return nil
}

// refuse says why action a is illegal.
func (s *State[G, P, PP]) refuse(a engine.Action) error {
	name, r := fmt.Sprintf("action %d", a), PP(&s.P).Asked()
	if actions := s.G.Spec().Actions; a >= 0 && int(a) < len(actions) {
		name = actions[a]
	}
	if r.Actor == engine.Terminal {
		return fmt.Errorf("%w: %s after the end of the game", engine.ErrIllegal, name)
	}
	row := &s.G.Table()[r.Ask]
	return fmt.Errorf("%w: %s is not possible in decision %s of seat %d (%s)", engine.ErrIllegal, name, row.Name, r.Actor, row.Rule)
}

// Settle carries out what needs no choice until the game waits for a decision or a
// chance event, or is over.
func Settle[G Rules[G, P], P any, PP Position[P]](g G, p *P, w *Witness) {
	r := PP(p).Asked()
	for {
		if !g.Next(p, w) {
			continue
		}
		if r.Actor < 0 || g.Waits(p) {
			return
		}
		a := PP(p).Choices().First()
		if w != nil {
			tellMove[G, P, PP](g, p, w, a)
		}
		g.Table()[r.Ask].Do(g, p, w, a)
	}
}

// Veiler is Rules of a game in which seats that do not get to know which move was made
// are told that there was one.
type Veiler[P any] interface {
	// Veil says as much of an action as everybody may know, "" for nothing at all.
	Veil(p *P, a engine.Action) string
}

// tellMove tells of a decision's action, forced or chosen, that is about to be carried
// out. It is told to the seats that get to know of it, and to the others as far as the
// game veils it.
func tellMove[G Rules[G, P], P any, PP Position[P]](g G, p *P, w *Witness, a engine.Action) {
	r, spec := PP(p).Asked(), g.Spec()
	row := &g.Table()[r.Ask]
	if row.Untold {
		return
	}
	seen := uint8(0)
	for seat := range spec.Seats {
		if g.Shows(p, engine.Player(seat), a) {
			seen |= 1 << seat
		}
	}
	seat, decision := Arg("seat", int(r.Actor)), Arg("decision", row.Name)
	if v, ok := any(g).(Veiler[P]); ok && seen != w.all {
		if words := v.Veil(p, a); words != "" {
			w.tell(&engine.Event{
				Kind: "move", Rule: row.Rule, Args: []engine.Arg{seat, decision}, Seen: w.all &^ seen, Veiled: true,
				Text: fmt.Sprintf("Seat %d: %s", r.Actor, words),
			})
		}
	}
	w.tell(&engine.Event{
		Kind: "move", Rule: row.Rule, Args: []engine.Arg{seat, decision, Arg("action", spec.Actions[a])}, Seen: seen,
		Text: fmt.Sprintf("Seat %d: %s", r.Actor, g.Describe(p, a)),
	})
}

// Describe implements engine.Describer.
func (s *State[G, P, PP]) Describe(a engine.Action) string { return s.G.Describe(&s.P, a) }

// Shows implements engine.Secretive.
func (s *State[G, P, PP]) Shows(seat engine.Player, a engine.Action) bool {
	return s.G.Shows(&s.P, seat, a)
}

// Copy makes the receiver equal to src. The listener stays the receiver's.
func (s *State[G, P, PP]) Copy(src *State[G, P, PP]) {
	s.G = src.G
	s.P = src.P // by itself, else the compiler copies it twice
}

// Hash implements engine.State.
func (s *State[G, P, PP]) Hash() uint64 { return s.G.Hash(&s.P) }

// MarshalJSON implements engine.State.
func (s *State[G, P, PP]) MarshalJSON() ([]byte, error) { return s.G.Encode(&s.P) }

// Listen implements engine.Narrator.
func (s *State[G, P, PP]) Listen(tell func(e *engine.Event)) {
	s.W = NewWitness(s.G.Kinds(), s.G.Spec().Seats, tell)
}

// Name returns the name of the question at rest as positions have it, nil where nothing
// is asked.
func Name[G, P any](r Rest, table []Row[G, P]) any {
	if name := table[r.Ask].Name; name != "" {
		return name
	}
	return nil
}

// Resume carries a position that was loaded on to where it waits. One that names its
// decision must wait for it as it stands. Errors wrap engine.ErrPosition.
func Resume[G Rules[G, P], P any, PP Position[P]](g G, p *P, decision any) error {
	if decision != nil && !waitsFor[G, P, PP](g, p, decision) {
		return fmt.Errorf("%w: decision is %v, but the rest of the position does not wait for it; leave it out to have it found", engine.ErrPosition, decision)
	}
	Settle[G, P, PP](g, p, nil)
	return nil
}

// Rests puts the question at which a position stands, and reports whether the game rests
// at it: false if something would be carried out first.
func Rests[G Rules[G, P], P any, PP Position[P]](g G, p *P) bool {
	return g.Next(p, nil) && (PP(p).Asked().Actor < 0 || g.Waits(p))
}

// waitsFor reports whether a position waits for the decision without anything being
// carried out before.
func waitsFor[G Rules[G, P], P any, PP Position[P]](g G, p *P, decision any) bool {
	q := *p
	r := PP(&q).Asked()
	if !Rests[G, P, PP](g, &q) || Name(*r, g.Table()) != decision {
		return false
	}
	*r = *PP(p).Asked()
	return g.Hash(&q) == g.Hash(p)
}
