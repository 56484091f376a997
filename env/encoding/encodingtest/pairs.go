// Package encodingtest tests encoders of all games alike.
package encodingtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/env/encoding"
)

// pairs looks for situations that look alike to the seat to act and are not.
type pairs struct {
	t       testing.TB
	game    engine.Game
	encoder encoding.Encoder
	mutator *enginetest.Mutator
	obs     [2][]float32
	tried   int // pairs with equal observations and different views
}

// Pairs plays random games and demands that what a seat observes is enough to act on.
// It looks for pairs of situations whose views differ, though not the observations of
// the seat to act: such a seat may do the same in both, each of its actions leads to the
// same weights of chance and, where it is to act next, to the same observation again. A
// pair that breaks this lacks a number that a player needs. Half of the pairs come from
// play, half from positions that are changed in one place and still load. It returns the
// number of pairs that were tried.
func Pairs(t testing.TB, g engine.Game, e encoding.Encoder, games int, seed uint64) int {
	t.Helper()
	demand.Game(t, "the game", g)
	layout(t, "the encoder", e)
	demand.That(t, games > 0, "games is %d: it must be 1 or more, those that are played", games)
	rng := rand.NewPCG(seed, 0x7061697273)
	size := e.Layout().Size
	p := &pairs{
		t: t, game: g, encoder: e, obs: [2][]float32{make([]float32, size), make([]float32, size)},
		mutator: &enginetest.Mutator{RNG: rng, Words: []any{"?"},
			Numbers: []any{nil, 0, 1, 2, 3, 4, 5, 6, 7, 10, 20, -1}},
	}
	seen := map[uint64]engine.State{}
	for range games {
		s, ply := g.New(), 0
		demand.Play(t, g, s, rng, func() {
			if t.Failed() {
				t.FailNow()
			}
			if s.ToAct() >= 0 {
				p.remember(s, seen)
				if ply%7 == 0 {
					p.mutate(s)
				}
			}
			ply++
		})
	}
	return p.tried
}

// remember compares s with a state seen before that looks alike, or keeps it.
func (p *pairs) remember(s engine.State, seen map[uint64]engine.State) {
	seat := s.ToAct()
	key := engine.NewHash().Word(uint64(seat))
	for _, x := range p.observe(0, s, seat) {
		key = key.Word(uint64(x * 4096))
	}
	if other, ok := seen[uint64(key)]; ok {
		p.compare(s, other)
	} else if len(seen) < 20000 {
		seen[uint64(key)] = engine.Clone(p.game, s)
	}
}

// mutate compares s with positions that differ from it in one place.
func (p *pairs) mutate(s engine.State) {
	data, err := s.MarshalJSON()
	if err != nil {
		p.t.Fatal(err)
	}
	for range 30 {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			p.t.Fatal(err)
		}
		changed, err := json.Marshal(p.mutator.Change(v))
		if err != nil {
			p.t.Fatal(err)
		}
		if other, err := p.game.Load(changed, engine.Lenient); err == nil && other.ToAct() == s.ToAct() {
			p.compare(s, other)
		}
	}
}

func (p *pairs) observe(into int, s engine.State, seat engine.Player) []float32 {
	p.encoder.Encode(p.obs[into], engine.Look(s, seat), seat)
	return p.obs[into]
}

// same reports whether the seat observes the same in both states.
func (p *pairs) same(a, b engine.State, seat engine.Player) bool {
	return slices.Equal(p.observe(0, a, seat), p.observe(1, b, seat))
}

// compare demands of two states that look alike to the seat to act that they are alike
// to it in all that follows at once.
func (p *pairs) compare(a, b engine.State) {
	seat := a.ToAct()
	if b.ToAct() != seat || engine.Look(a, seat).Hash() == engine.Look(b, seat).Hash() || !p.same(a, b, seat) {
		return
	}
	p.tried++
	x, y := a.Legal(nil), b.Legal(nil)
	if !slices.Equal(x, y) {
		p.fail(a, b, seat, "allow %s and %s", p.names(a, x), p.names(b, y))
		return
	}
	for _, action := range x {
		c, d := engine.Clone(p.game, a), engine.Clone(p.game, b)
		if c.Apply(action) != nil || d.Apply(action) != nil {
			p.t.Errorf("a legal action is refused")
			return
		}
		if what := p.differ(c, d, seat); what != "" {
			p.fail(a, b, seat, "after %s %s", engine.MoveName(p.game, a, action), what)
			return
		}
	}
}

// differ follows both states through chance that the seat sees to its next decision, and
// says in what they differ there. What other seats decide, and what chance hides from the
// seat, may differ.
func (p *pairs) differ(c, d engine.State, seat engine.Player) string {
	for range 8 {
		switch {
		case c.ToAct() == engine.Chance && d.ToAct() == engine.Chance:
			x, y := c.(engine.Stochastic).Outcomes(nil), d.(engine.Stochastic).Outcomes(nil)
			if secretive, ok := c.(engine.Secretive); ok && !secretive.Shows(seat, x[0].Action) {
				return ""
			}
			if !slices.Equal(x, y) {
				return fmt.Sprintf("chance has the outcomes %v and %v", x, y)
			}
			a := engine.Sample(x, p.mutator.RNG)
			if c.Apply(a) != nil || d.Apply(a) != nil {
				return "an outcome is refused"
			}
		case c.ToAct() == seat && d.ToAct() == seat:
			if x, y := c.Legal(nil), d.Legal(nil); !slices.Equal(x, y) {
				return fmt.Sprintf("it may do %s and %s", p.names(c, x), p.names(d, y))
			}
			if !p.same(c, d, seat) {
				return "it observes " + p.fields()
			}
			return ""
		case (c.ToAct() == seat) != (d.ToAct() == seat):
			return fmt.Sprintf("player %d and player %d are to act", c.ToAct(), d.ToAct())
		default:
			return ""
		}
	}
	return ""
}

// fields names the first number in which the two observations differ.
func (p *pairs) fields() string {
	for _, f := range p.encoder.Layout().Fields {
		for i := range f.Size {
			if x, y := p.obs[0][f.Offset+i], p.obs[1][f.Offset+i]; x != y {
				return fmt.Sprintf("%s[%d] of %g and %g", f.Name, i, x, y)
			}
		}
	}
	return "the same"
}

func (p *pairs) names(s engine.State, actions []engine.Action) []string {
	list := make([]string, len(actions))
	for i, a := range actions {
		list[i] = engine.MoveName(p.game, s, a)
	}
	return list
}

func (p *pairs) fail(a, b engine.State, seat engine.Player, format string, args ...any) {
	p.t.Errorf("%s: two situations look alike to seat %d and %s; they differ in %s",
		p.game.Spec().Text, seat, fmt.Sprintf(format, args...), enginetest.Difference(p.t, engine.Look(a, seat), engine.Look(b, seat)))
}
