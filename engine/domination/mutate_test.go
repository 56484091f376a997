package domination_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// numbers are put in the places of numbers: small ones, and some about the limits.
var numbers = []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 24, 255, 256, 70000}

// Positions of real games with a few fields changed at random, most of them
// nearly right, are refused with ErrPosition or can be played on: nothing that a
// user writes makes the engine panic or leads it out of its limits.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	m := &enginetest.Mutator{RNG: rand.NewPCG(4, 4), Words: []any{"Airborne Forces", "text", "card_play", "full"}, Numbers: numbers}
	accepted := map[engine.Strictness]int{}
	for _, name := range []string{
		"domination(fixed_pool=" + fixedPool + ",first_player=0)", "domination(players=3,turns=3)",
		"domination(players=6,turns=2,auto_forced=false)",
		"domination(players=4,extended_pool=true,turns=3)",
	} {
		g := enginetest.Game(t, name)
		for range enginetest.Times(1) {
			for s := g.New(); s.ToAct() != engine.Terminal; {
				for _, how := range []engine.Strictness{engine.Strict, engine.Lenient, engine.Lenient} {
					if mutate(t, g, s, m, how) {
						accepted[how]++
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[m.N(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d strict and %d lenient positions were accepted and played on", accepted[engine.Strict], accepted[engine.Lenient])
	if accepted[engine.Strict] < 50 || accepted[engine.Lenient] < 50 {
		t.Error("that is too few")
	}
}

// changes returns the fields of a position with one or two of them changed at random.
func changes(t *testing.T, s engine.State, m *enginetest.Mutator, how engine.Strictness) map[string]any {
	t.Helper()
	whole, doc := m.AtRest(fields(t, s))
	// What can be found from the rest would betray most changes.
	for _, name := range []string{"decision", "hand_sizes", "draw_deck_sizes", "known", "stacks", "pool"} {
		if name != "pool" || how == engine.Lenient { // a strict position has all types
			if m.N(4) > 0 {
				delete(doc, name)
			}
		}
	}
	for range 1 + m.N(2) {
		m.Change(doc)
	}
	return whole
}

// mutate changes a position, and plays it on if it is accepted.
func mutate(t *testing.T, g engine.Game, s engine.State, m *enginetest.Mutator, how engine.Strictness) bool {
	doc := changes(t, s, m, how)
	changed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if e := recover(); e != nil {
			t.Fatalf("%v\n%s", e, changed)
		}
	}()
	loaded, err := g.Load(changed, how)
	if err != nil {
		if !errors.Is(err, engine.ErrPosition) {
			t.Fatalf("the error %q does not wrap ErrPosition\n%s", err, changed)
		}
		return false
	}
	c := loaded.(*domination.State)
	w := newWatch(c)
	for range 40 {
		if err := w.look(c); err != nil {
			t.Fatalf("%v\nplayed on from\n%s\nto\n%s", err, changed, dump(t, c))
		}
		if c.ToAct() == engine.Terminal {
			break
		}
		p := engine.Player(m.N(g.Spec().Seats))
		view(c, p).Text(p)
		deal(c, p, m.RNG)
		moves := engine.Moves(c)
		a := moves[m.N(len(moves))]
		w.move(c, a)
		if err := c.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	text := dump(t, c)
	if again, err := g.Load([]byte(text), how); err != nil || again.Hash() != c.Hash() {
		t.Fatalf("played on from\n%s\nto\n%s\nwhich is not read again: %v", changed, text, err)
	}
	return true
}

// watch follows a game from a position and knows by itself what must hold of it.
type watch struct {
	used   bool // the active player has used a card in its turn (R6.3)
	active domination.SeatID
	turn   uint8
	vp     []uint16
	owned  []int // cards by type, with players and in stacks (R3.2)
}

// newWatch begins at a position that was read.
func newWatch(s *domination.State) *watch {
	return &watch{active: open(s).Active(), turn: open(s).P.Turn, used: open(s).P.Used}
}

func owned(s *domination.State) []int {
	list := make([]int, domination.Cards)
	for c := range list {
		list[c] = domination.CardsOf(s, c)
	}
	return list
}

// look compares a situation with what must hold.
func (w *watch) look(s *domination.State) error {
	if err := domination.Check(s); err != nil {
		return err
	}
	for p := range engine.Player(open(s).Seats()) {
		if len(w.vp) > int(p) && open(s).P.VP[p] < w.vp[p] {
			return fmt.Errorf("seat %d had %d VPs and has %d", p, w.vp[p], open(s).P.VP[p])
		}
	}
	w.vp = w.vp[:0]
	for p := range engine.Player(open(s).Seats()) {
		w.vp = append(w.vp, open(s).P.VP[p])
	}
	if open(s).Active() != w.active || open(s).P.Turn != w.turn {
		w.active, w.turn, w.used = open(s).Active(), open(s).P.Turn, false
	}
	if open(s).Decision() != domination.TurnDecision {
		return nil
	}
	got := owned(s)
	if w.owned == nil { // the pool is complete by now
		w.owned = got
	}
	if !slices.Equal(got, w.owned) {
		return fmt.Errorf("cards %v became %v", w.owned, got)
	}
	alone := true
	for p := range domination.SeatID(open(s).Seats()) {
		alone = alone && (p == open(s).Active() || open(s).P.Passed.Has(p))
	}
	legal := s.Legal(nil)
	if end := slices.Contains(legal, domination.ActEndTurn); end != (w.used && !alone) || end == slices.Contains(legal, domination.ActPass) {
		return fmt.Errorf("END_TURN %v among %v, a card used %v, alone %v", end, legal, w.used, alone)
	}
	return nil
}

// move notes a move before it is made.
func (w *watch) move(s *domination.State, a engine.Action) {
	if open(s).Decision() == domination.TurnDecision {
		w.used = a >= domination.ActBuildWith
	}
}
