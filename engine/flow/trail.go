package flow

import (
	"encoding/json"
	"fmt"
	"unsafe"

	"powderkeg/engine"
	"powderkeg/engine/position"
)

// Rester is Rules of a game whose documents are of positions at rest. A moment in the middle
// of a procedure is written as the position before it and the answers since, so that nothing
// in the middle has a form, or a check, of its own.
type Rester[P any] interface {
	// Rests reports whether no procedure is under way. Encode writes all of such a position.
	Rests(p *P) bool
}

// Under is the line that tells the author of a document how to write what is under way.
const Under = `a moment in the middle of a procedure is written as the position before it, "rest", and the answers given since, "since"`

// trail is the last position at rest and what was answered since.
type trail[P any] struct {
	begun   bool // false after a deal, until the game rests
	n       uint16
	answers [maxTrail]int16 // outcome a of a chance event is ^a
	base    P
}

// maxTrail is the most answers between two positions at rest. Each game that is a Rester
// proves beside its Rests that it needs no more, and a test walks its games.
const maxTrail = 512

// Keep makes the state keep its trail, which MarshalJSON needs in the middle of a procedure,
// or gives it up: a state that nobody writes down is faster without. A new state keeps it. A
// trail that is asked for later begins when the game rests next.
func (s *State[G, P, L]) Keep(on bool) {
	rester, ok := any(s.G).(Rester[P])
	switch {
	case !on || !ok:
		s.trail = nil
	case s.trail == nil:
		s.trail, s.rester = new(trail[P]), rester
		s.rested()
	}
}

// Kept returns how many bytes the trail takes, 0 without one.
func (s *State[G, P, L]) Kept() int {
	if s.trail == nil {
		return 0
	}
	return int(unsafe.Sizeof(*s.trail))
}

// rested begins the trail again where the position rests.
func (s *State[G, P, L]) rested() {
	if t := s.trail; t != nil && s.rester.Rests(&s.P) {
		t.base, t.n, t.begun = s.P, 0, true
	}
}

// answered notes an answer that is about to be carried out.
func (s *State[G, P, L]) answered(a engine.Action) {
	if s.rest().Actor == engine.Chance {
		a = ^a
	}
	t := s.trail
	if t.n == maxTrail {
		t.begun = false // an edition of the rules in which more happens than its game proves
	}
	if t.begun {
		t.answers[t.n] = int16(a)
		t.n++
	}
}

// Dealt notes that the position was dealt anew: it has secrets for which the trail does not
// account, so that the trail begins again where the game rests.
func (s *State[G, P, L]) Dealt() {
	if s.trail != nil {
		s.trail.begun = false
		s.rested()
	}
}

// follow makes the trail that of src, to whose position that of the state is equal.
func (s *State[G, P, L]) follow(src *trail[P]) {
	t := s.trail
	switch {
	case t == nil:
	case src == nil || !src.begun:
		s.Dealt()
	default:
		t.begun, t.n, t.base = true, src.n, src.base
		copy(t.answers[:t.n], src.answers[:t.n])
	}
}

// Print writes the position as it stands, without what led to it: equal states are
// printed alike. Only one at rest can be loaded.
func (s *State[G, P, L]) Print() ([]byte, error) { return s.G.Encode(&s.P) }

// MarshalJSON implements engine.State. In the middle of a procedure the document holds the
// last position at rest and the answers since, behind what the position looks like.
func (s *State[G, P, L]) MarshalJSON() ([]byte, error) {
	now, err := s.Print()
	rester, ok := any(s.G).(Rester[P])
	if !ok || err != nil || rester.Rests(&s.P) {
		return now, err
	}
	if s.trail == nil || !s.trail.begun {
		question, _ := s.Asks()
		return nil, fmt.Errorf("%w: %s of %s cannot be written; play on to where nothing is under way", engine.ErrUnderWay, question, s.G.Spec().Name)
	}
	base := State[G, P, L]{P: s.trail.base}
	base.rest().Ask = unasked(s.G.Table()) // what it asks is found again when it is loaded
	d := document{Since: []string{}}
	if d.Rest, err = s.G.Encode(&base.P); err != nil {
		return nil, err
	}
	spec := s.G.Spec()
	for _, a := range s.trail.answers[:s.trail.n] {
		if a < 0 {
			d.Since = append(d.Since, spec.Outcomes[^a])
		} else {
			d.Since = append(d.Since, spec.Actions[a])
		}
	}
	tail, err := position.Encode(d)
	return append(append(now[:len(now)-1], ','), tail[1:]...), err
}

// unasked returns a row that asks nothing.
func unasked[G, P any](table []Row[G, P]) uint8 {
	for i := range table {
		if table[i].Do == nil {
			return uint8(i)
		}
	}
	panic("flow: a table without a row that asks nothing")
}

// document is what a moment in the middle of a procedure adds to what it looks like.
type document struct {
	Rest  json.RawMessage `json:"rest"`
	Since []string        `json:"since"`
}

// Load reads a document into s, a new state of g. load reads one of a position at rest, and
// carries it on to where it waits; it is given the position at rest of a moment in the middle
// of a procedure, and the answers since are played. The fields beside them are there for
// readers, and must agree with what comes of that, as print writes what it has read of them.
// Errors wrap engine.ErrPosition.
func Load(g engine.Game, s interface {
	engine.State
	Print() ([]byte, error)
}, data []byte, load func(rest []byte) error, print func(beside []byte) ([]byte, error)) (engine.State, error) {
	var d document
	if json.Unmarshal(data, &d) != nil || d.Rest == nil {
		if err := load(data); err != nil {
			return nil, err
		}
		return s, nil
	}
	if err := load(d.Rest); err != nil {
		return nil, fmt.Errorf("rest: %w", err)
	}
	if err := position.Play(g, s, d.Since); err != nil {
		return nil, fmt.Errorf("since: %w", err)
	}
	now, err := s.Print()
	if err == nil {
		err = position.Agrees(data, now, print, "rest", "since")
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
