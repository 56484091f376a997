package enginetest

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
)

// Mutations changes a few fields of positions of random play at random, most of them
// nearly right, and demands that each is refused with ErrPosition in one line or can be
// played on: nothing that a user writes makes the engine panic or leads it out of its
// limits. Null in any place is read or refused. It tries n positions, 1 or more, strictly and
// leniently in turn, and returns how many were accepted.
func Mutations(t testing.TB, g engine.Game, n int, seed uint64) int {
	t.Helper()
	demand.Game(t, "the game", g)
	demand.That(t, n > 0, "n is %d: it must be 1 or more, the positions that are tried", n)
	defer demand.Calm(t, g.Spec().Text)
	m := &mutations{t: t, game: g, plies: 20, lookEvery: 1, readEvery: 20, Mutator: Mutator{
		RNG: rand.NewPCG(seed, 0x6d75746174), Words: []any{"?"},
		Numbers: []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 24, 255, 256, 70000},
	}}
	for m.tried < n {
		ply := 0
		for s := g.New(); s.ToAct() != engine.Terminal && m.tried < n; ply++ {
			demand.That(t, ply < g.Spec().MaxMoves, "%s: the game is not over after %d moves, the bound of Spec.MaxMoves", g.Spec().Text, ply)
			// A long game has many moments alike, so that several games are seen.
			if m.N(3) == 0 {
				if m.tried%200 == 0 {
					m.blank(s)
				}
				m.change(s)
			}
			demand.Move(t, g, s, m.RNG)
			if t.Failed() {
				return m.accepted
			}
		}
	}
	return m.accepted
}

type mutations struct {
	Mutator
	t               testing.TB
	game            engine.Game
	tried, accepted int

	// plies is how far is played on from a position; after every so many of them the
	// state is looked at by all seats, or dumped and read again.
	plies, lookEvery, readEvery int
}

// change tries some changed forms of a position.
func (m *mutations) change(s engine.State) {
	data := dump(m.t, s)
	for range 4 {
		var doc map[string]any
		if err := json.Unmarshal([]byte(data), &doc); err != nil {
			m.t.Fatal(err)
		}
		whole, rest := m.AtRest(doc)
		// What a position says twice would betray most changes.
		for _, name := range slices.Sorted(maps.Keys(rest)) { // in one order, so that the seed decides
			if m.N(6) == 0 {
				delete(rest, name)
			}
		}
		for range 1 + m.N(2) {
			m.Change(rest)
		}
		changed, err := json.Marshal(whole)
		if err != nil {
			m.t.Fatal(err)
		}
		m.try(changed, engine.Strictness(m.tried%2))
		m.tried++
	}
}

// blank puts null in each place of a position in turn, which is read or refused.
func (m *mutations) blank(s engine.State) {
	data := dump(m.t, s)
	var doc any
	if err := json.Unmarshal([]byte(data), &doc); err != nil {
		m.t.Fatal(err)
	}
	everyPlace(doc, func(set func(v any), was any) {
		set(nil)
		defer set(was)
		changed, err := json.Marshal(doc)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, how := range []engine.Strictness{engine.Strict, engine.Lenient} {
			func() {
				defer func() {
					if v := recover(); v != nil {
						m.t.Errorf("%s breaks down: %v\nover\n%s\n%s", m.game.Spec().Text, v, changed, debug.Stack())
					}
				}()
				if _, err := m.game.Load(changed, how); err != nil && !errors.Is(err, engine.ErrPosition) {
					m.t.Errorf("the error %q does not wrap ErrPosition\n%s", err, changed)
				}
			}()
		}
	})
}

// everyPlace calls visit with each value in a document, and what sets it.
func everyPlace(doc any, visit func(set func(v any), was any)) {
	switch doc := doc.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(doc)) {
			visit(func(v any) { doc[key] = v }, doc[key])
			everyPlace(doc[key], visit)
		}
	case []any:
		for i := range doc {
			visit(func(v any) { doc[i] = v }, doc[i])
			everyPlace(doc[i], visit)
		}
	}
}

// try loads a position and plays on from it.
func (m *mutations) try(position []byte, how engine.Strictness) {
	var names []string
	defer func() {
		if v := recover(); v != nil {
			m.t.Errorf("%s breaks down: %v\nafter %q from\n%s\n%s", m.game.Spec().Text, v, names, position, debug.Stack())
		}
	}()
	s, err := m.game.Load(position, how)
	if err != nil {
		if !errors.Is(err, engine.ErrPosition) {
			m.t.Errorf("the error %q does not wrap ErrPosition\n%s", err, position)
		}
		return
	}
	m.accepted++
	for ply := range m.plies {
		for p := range engine.Player(m.game.Spec().Seats) {
			if ply%m.lookEvery == 0 {
				m.look(s, p)
			}
		}
		if s.ToAct() == engine.Terminal {
			break
		}
		moves := engine.Moves(s)
		a := moves[m.N(len(moves))]
		names = append(names, engine.MoveName(m.game, s, a))
		if err := s.Apply(a); err != nil {
			m.t.Errorf("a possible move is refused: %v\nafter %q from\n%s", err, names, position)
			return
		}
		if ply%m.readEvery == m.readEvery-1 {
			m.readAgain(s, names, position)
		}
	}
	m.readAgain(s, names, position)
}

// readAgain dumps a state, to which names have led from a position, and loads it.
func (m *mutations) readAgain(s engine.State, names []string, position []byte) {
	text := dump(m.t, s)
	if again, err := m.game.Load([]byte(text), engine.Lenient); err != nil || again.Hash() != s.Hash() {
		m.t.Errorf("played on by %q from\n%s\nto\n%s\nwhich is not read again: %v", names, position, text, err)
	}
}

// look looks at a state as seat p does, and deals it anew.
func (m *mutations) look(s engine.State, p engine.Player) {
	v := engine.Look(s, p)
	v.(engine.Teller).Text(p)
	if deal, ok := m.game.New().(engine.Hidden); ok {
		dump(m.t, v)
		deal.Redeal(v, m.RNG)
	}
}
