package encodingtest

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/env/encoding"
)

// Suite is an encoder and the games that it is tested in.
type Suite struct {
	Encoder encoding.Encoder
	// Games are game strings, one or more. Of each, Times games are played, 1 or more.
	Games []string
	Times int
	// Every looks at every so many'th state of a game, 0 at each: long games show the
	// same numbers for long.
	Every int
	// Play, if not nil, leads through states of n games in place of the function Play,
	// which plays at random.
	Play func(t testing.TB, g engine.Game, n int, each func(s engine.State, rng *rand.PCG))
}

// Observe returns what seat p observes of s.
func (u Suite) Observe(s engine.State, p engine.Player) []float32 {
	dst := make([]float32, u.Encoder.Layout().Size)
	u.Encoder.Encode(dst, engine.Look(s, p), p)
	return dst
}

// Field returns the numbers of one field of an observation.
func (u Suite) Field(t testing.TB, obs []float32, name string) []float32 {
	t.Helper()
	for _, f := range u.Encoder.Layout().Fields {
		if f.Name == name {
			return obs[f.Offset : f.Offset+f.Size]
		}
	}
	t.Fatalf("no field %s", name)
	return nil
}

// At returns n numbers that are zero but for the given ones.
func At(n int, values map[int]float32) []float32 {
	list := make([]float32, n)
	for i, v := range values {
		list[i] = v
	}
	return list
}

// Close reports whether two lists of numbers are the same but for rounding.
func Close(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return x-y < 1e-6 && y-x < 1e-6 })
}

// Play calls each at every state of n random games.
func Play(t testing.TB, g engine.Game, n int, each func(s engine.State, rng *rand.PCG)) {
	t.Helper()
	demand.Game(t, "the game", g)
	demand.That(t, n > 0, "n is %d: it must be 1 or more, the games that are played", n)
	demand.That(t, each != nil, "each is nil: it must be a function, which is called at every state")
	rng := rand.NewPCG(5, 5)
	for range n {
		s := g.New()
		demand.Play(t, g, s, rng, func() { each(s, rng) })
		each(s, rng)
	}
}

// Run tests what every encoder owes (encoding.Encoder): in all games and to every seat,
// whoever acts, each number is written and in its range, nothing beside them is written,
// what the seat cannot see does not show, nothing is allocated, and what an
// encoding.Rememberer remembers changes nothing. Positions that are changed in one place and
// still load are encoded too.
func (u Suite) Run(t *testing.T) {
	u.check(t)
	for _, text := range u.Games {
		t.Run(text, func(t *testing.T) { u.run(t, text) })
	}
}

// check stops the test where the suite makes no sense.
func (u Suite) check(t testing.TB) {
	t.Helper()
	layout(t, "Suite.Encoder", u.Encoder)
	demand.That(t, len(u.Games) > 0, "Suite.Games is empty: there must be a game string or more")
	demand.That(t, u.Times > 0, "Suite.Times is %d: it must be 1 or more, the games played of each game string", u.Times)
	demand.That(t, u.Every >= 0, "Suite.Every is %d: it must be 0 or more, the states from one look to the next", u.Every)
}

// layout stops the test unless the encoder has a layout whose fields lie in it.
func layout(t testing.TB, what string, e encoding.Encoder) {
	t.Helper()
	demand.Something(t, e, what, "an encoder")
	defer demand.Calm(t, what)
	l := e.Layout()
	demand.Something(t, l, what+".Layout()", "a layout")
	for _, f := range l.Fields {
		demand.That(t, f.Offset >= 0 && f.Size > 0 && f.Offset+f.Size <= l.Size,
			"%s.Layout(): field %s has the numbers from %d, %d of them: they must lie in the layout's %d", what, f.Name, f.Offset, f.Size, l.Size)
	}
}

// run tests one game.
func (u Suite) run(t testing.TB, text string) {
	t.Helper()
	defer demand.Calm(t, text)
	g := enginetest.Game(t, text)
	c := &checker{t: t, suite: u, game: g, buffer: make([]float32, u.Encoder.Layout().Size+2),
		mutator: &enginetest.Mutator{RNG: rand.NewPCG(7, 7), Words: []any{"?"}, Numbers: []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 24, 255}}}
	play, n := u.Play, 0
	if play == nil {
		play = Play
	}
	play(t, g, u.Times, func(s engine.State, rng *rand.PCG) {
		if n++; n%max(u.Every, 1) != 0 {
			return
		}
		c.inRange(s)
		c.keepsSecrets(s, rng)
		if n%(20*max(u.Every, 1)) == 0 {
			c.changed(s)
		}
	})
	c.allocatesNothing()
}

// checker tests one game.
type checker struct {
	t       testing.TB
	suite   Suite
	game    engine.Game
	buffer  []float32 // with a guard at each end
	mutator *enginetest.Mutator
	views   []engine.View // of seats that were to act, in which they were asked

	// For an encoding.Rememberer.
	again       []float32          // as buffer
	remembering []encoding.Encoder // one for each seat, and one for all
}

// guard stands around a buffer and in it before it is written; no encoder produces it.
const guard = float32(-12345)

// inRange checks the numbers that every seat observes.
func (c *checker) inRange(s engine.State) {
	c.t.Helper()
	encoder := c.suite.Encoder
	last := len(c.buffer) - 1
	for p := range engine.Player(c.game.Spec().Seats) {
		for i := range c.buffer {
			c.buffer[i] = guard
		}
		view := engine.Look(s, p)
		encoder.Encode(c.buffer[1:last], view, p)
		if c.buffer[0] != guard || c.buffer[last] != guard {
			c.t.Fatal("the encoder writes beside its buffer")
		}
		c.remembers(view, p)
		for _, f := range encoder.Layout().Fields {
			for i, x := range c.buffer[1+f.Offset : 1+f.Offset+f.Size] {
				if !(x >= f.Min && x <= f.Max) { // NaN too
					data, _ := s.MarshalJSON()
					c.t.Fatalf("seat %d: %s[%d] is %g, outside %g to %g, in\n%s", p, f.Name, i, x, f.Min, f.Max, data)
				}
			}
		}
		if _, hidden := s.(engine.Hidden); hidden && p == s.ToAct() && len(c.views) < 1000 {
			c.views = append(c.views, view)
		}
	}
}

// remembers checks that remembering encoders write the numbers that stand in the buffer,
// to the bit: one that sees all seats in turn, and one that sees this seat alone.
func (c *checker) remembers(view engine.View, p engine.Player) {
	c.t.Helper()
	r, ok := c.suite.Encoder.(encoding.Rememberer)
	if !ok {
		return
	}
	if c.remembering == nil {
		c.again = make([]float32, len(c.buffer))
		for range c.game.Spec().Seats + 1 {
			c.remembering = append(c.remembering, r.Remembering())
		}
	}
	last := len(c.again) - 1
	for _, i := range [2]int{len(c.remembering) - 1, int(p)} {
		for k := range c.again {
			c.again[k] = guard
		}
		c.remembering[i].Encode(c.again[1:last], view, p)
		for k, x := range c.again {
			if math.Float32bits(x) != math.Float32bits(c.buffer[k]) {
				data, _ := view.MarshalJSON()
				c.t.Fatalf("seat %d: number %d is %g, and %g if the encoder remembers, in\n%s", p, k-1, c.buffer[k], x, data)
			}
		}
	}
}

// keepsSecrets deals anew what each seat cannot see.
func (c *checker) keepsSecrets(s engine.State, rng *rand.PCG) {
	c.t.Helper()
	if _, ok := s.(engine.Hidden); !ok {
		return
	}
	other := c.game.New().(engine.Hidden)
	for p := range engine.Player(c.game.Spec().Seats) {
		view := engine.Look(s, p)
		other.Redeal(view, rng)
		if view.ToAct() == engine.Nobody && engine.Look(other, p).Hash() != view.Hash() {
			continue // the new deal calls for another question, or for none, and the game goes on
		}
		if !slices.Equal(c.suite.Observe(s, p), c.suite.Observe(other, p)) {
			data, _ := s.MarshalJSON()
			c.t.Fatalf("the observation of seat %d depends on what it cannot see, in\n%s", p, data)
		}
	}
}

// changed encodes positions that differ from that of s in one place.
func (c *checker) changed(s engine.State) {
	c.t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		c.t.Fatal(err)
	}
	for range 4 {
		var doc map[string]any
		if err := json.Unmarshal(data, &doc); err != nil {
			c.t.Fatal(err)
		}
		// What a position says twice would betray most changes.
		for _, name := range slices.Sorted(maps.Keys(doc)) {
			if c.mutator.N(6) == 0 {
				delete(doc, name)
			}
		}
		text, err := json.Marshal(c.mutator.Change(doc))
		if err != nil {
			c.t.Fatal(err)
		}
		if other, err := c.game.Load(text, engine.Strict); err == nil {
			c.inRange(other)
		}
	}
}

// allocatesNothing encodes the views of the game. The race detector allocates itself, so
// that there is nothing to count with it.
func (c *checker) allocatesNothing() {
	c.t.Helper()
	if enginetest.Race || len(c.views) == 0 {
		return
	}
	i := 0
	for _, e := range append(c.remembering, c.suite.Encoder) {
		n := testing.AllocsPerRun(len(c.views), func() {
			view := c.views[i%len(c.views)]
			e.Encode(c.buffer, view, view.ToAct())
			i++
		})
		if n != 0 {
			c.t.Errorf("%g allocations per observation, want 0", n)
		}
	}
}
