// Package enginetest is the conformance suite that every game passes, and the
// tools that games' own tests share.
package enginetest

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/enginetest/soak"
)

// Suite says how a game is to be tested.
type Suite struct {
	Game engine.Game
	// Games is the number of random games that are played through, each from a seed
	// of its own: 1 or more.
	Games int
	// Every checks the costly properties (round trip, views, refusal of every illegal
	// action) at every so many'th ply, 0 at each.
	Every int
	// Position is a value of the type that a state copies by assignment; Run
	// checks that it holds no pointers. Nil skips that for games whose state has no
	// type of its own for it.
	Position any
	// Reveals reports whether cards that were hidden from a seat come to light in the
	// step from one state to the next without anybody's choosing it. Two worlds that a
	// seat could not tell apart may then differ. It is also asked about a view in which
	// nobody acts and a new deal of it: whether the game has gone on there. Nil means that
	// none ever do.
	Reveals func(before, after engine.View) bool
}

// Run plays random games and checks at every ply what engine.State and the
// interfaces beside it promise.
func Run(t testing.TB, suite Suite) {
	t.Helper()
	demand.Game(t, "Suite.Game", suite.Game)
	demand.That(t, suite.Games > 0, "Suite.Games is %d: it must be 1 or more, the random games that are played", suite.Games)
	demand.That(t, suite.Every >= 0, "Suite.Every is %d: it must be 0 or more, the plies from one costly check to the next", suite.Every)
	checkSpec(t, suite.Game)
	if suite.Position != nil {
		Plain(t, suite.Position)
	}
	if t.Failed() {
		return
	}
	for seed := range Times(suite.Games) {
		p := &player{t: t, suite: suite, game: suite.Game, spec: suite.Game.Spec(), rng: rand.NewPCG(uint64(seed), 1)}
		p.play()
		if t.Failed() {
			t.Fatalf("%s: seed %d, after the moves %q", p.spec.Text, seed, p.names)
		}
	}
}

// Times is soak.Times.
func Times(n int) int { return soak.Times(n) }

func checkSpec(t testing.TB, g engine.Game) {
	t.Helper()
	spec, s := g.Spec(), g.New()
	defer demand.Calm(t, "Suite.Game, before a move is made,")
	if spec.Name == "" || spec.Title == "" || spec.Text == "" || spec.Version < 1 || spec.Seats < 1 {
		t.Errorf("spec is incomplete: %+v", spec)
	}
	if spec.MaxDecisions < 1 || spec.MaxMoves < spec.MaxDecisions || spec.MinReturn > spec.MaxReturn {
		t.Errorf("%s: bounds make no sense: %d decisions, %d moves, returns %g to %g", spec.Text, spec.MaxDecisions, spec.MaxMoves, spec.MinReturn,
			spec.MaxReturn)
	}
	for what, names := range map[string][]string{"action": spec.Actions, "outcome": spec.Outcomes} {
		seen := map[string]bool{}
		for i, name := range names {
			if name == "" || seen[name] {
				t.Errorf("%s: %s %d has the name %q, which is empty or taken", spec.Text, what, i, name)
			}
			seen[name] = true
		}
	}
	if _, ok := s.(engine.Narrator); !ok {
		t.Errorf("%s: the state does not tell what happens", spec.Text)
	}
	if _, ok := s.(engine.Stochastic); !ok && len(spec.Outcomes) > 0 {
		t.Errorf("%s has outcomes, but its state is not Stochastic", spec.Text)
	}
	view := engine.Look(s, 0)
	if _, ok := view.(engine.Teller); !ok {
		t.Errorf("%s: a view is not a Teller", spec.Text)
	}
	if _, ok := s.(engine.Describer); !ok {
		t.Errorf("%s: the state is not a Describer", spec.Text)
	}
	_, playable := view.(engine.State)
	if _, hidden := s.(engine.Hidden); hidden && playable {
		t.Errorf("%s: a view can be played on", spec.Text)
	}
	if _, err := g.Load([]byte(`{"no such field":1}`), engine.Strict); !errors.Is(err, engine.ErrPosition) {
		t.Errorf("%s: a position with an unknown field gives the error %v, want ErrPosition", spec.Text, err)
	}
	empty, err := g.Load([]byte(`{}`), engine.Strict)
	if err != nil {
		t.Fatalf("%s: the empty position is refused: %v", spec.Text, err)
	}
	if empty.Hash() != s.Hash() {
		t.Errorf("%s: the empty position is %s, want the initial one, %s", spec.Text, dump(t, empty), dump(t, s))
	}
}

// player plays one random game.
type player struct {
	t     testing.TB
	suite Suite
	game  engine.Game
	spec  *engine.Spec
	rng   *rand.PCG

	state     engine.State
	ply       int
	decisions int
	moves     []engine.Action
	names     []string
	hashes    []uint64 // of the state before each move
	olds      []engine.State
	used      engine.View // what a seat has seen before
}

func (p *player) play() {
	defer p.calm()
	p.state = p.game.New()
	for p.state.ToAct() != engine.Terminal {
		moves := p.checkMoves()
		if p.t.Failed() {
			return
		}
		p.checkMask()
		p.checkReturns()
		if p.ply%max(p.suite.Every, 1) == 0 {
			p.checkRefusals(moves)
			p.checkRoundTrip()
			p.checkViews()
			p.checkDraw()
			p.checkDraws()
			p.checkSides()
			if p.ply%10 == 0 {
				p.checkExpectations()
			}
			old := engine.Clone(p.game, p.state)
			p.olds = append(p.olds, old)
			p.hashes = append(p.hashes, old.Hash())
		}
		p.apply(moves[engine.Uint32N(p.rng, uint32(len(moves)))])
		if p.t.Failed() {
			return
		}
		if p.decisions > p.spec.MaxDecisions || p.ply > p.spec.MaxMoves {
			p.t.Errorf("%d decisions and %d moves exceed the bounds of %d and %d", p.decisions, p.ply, p.spec.MaxDecisions, p.spec.MaxMoves)
			return
		}
	}
	if legal := p.state.Legal(nil); len(legal) != 0 {
		p.t.Errorf("%v is legal after the end", legal)
	}
	p.checkMask()
	if err := p.state.Apply(0); !errors.Is(err, engine.ErrIllegal) {
		p.t.Errorf("Apply after the end: error %v, want ErrIllegal", err)
	}
	p.checkReturns()
	p.checkRoundTrip()
	p.checkViews()
	p.checkReplay()
	for i, old := range p.olds {
		if old.Hash() != p.hashes[i] {
			p.t.Errorf("playing on changed a copy made earlier (copy %d)", i)
		}
	}
}

// calm turns a panic of the game into a failure.
func (p *player) calm() {
	if v := recover(); v != nil {
		p.t.Errorf("Suite.Game panics: %v\n%s", v, debug.Stack())
	}
}

// reveals asks Suite.Reveals, which may suppose another type than it is given.
func (p *player) reveals(before, after engine.View) bool {
	if p.suite.Reveals == nil {
		return false
	}
	defer func() {
		if v := recover(); v != nil {
			p.t.Fatalf("Suite.Reveals panics, asked about a %T and a %T: it must answer for states and for views of the game: %v", before, after, v)
		}
	}()
	return p.suite.Reveals(before, after)
}

func (p *player) apply(a engine.Action) {
	p.names = append(p.names, engine.MoveName(p.game, p.state, a))
	p.moves = append(p.moves, a)
	if p.state.ToAct() != engine.Chance {
		p.decisions++
	}
	p.ply++
	// The move must do the same to a copy.
	twin := engine.Clone(p.game, p.state)
	if err := p.state.Apply(a); err != nil {
		p.t.Errorf("a possible move is refused: %v", err)
		return
	}
	if err := twin.Apply(a); err != nil || twin.Hash() != p.state.Hash() {
		p.t.Errorf("%s leads a copy elsewhere: error %v\n%s\n%s", p.names[len(p.names)-1], err, dump(p.t, p.state), dump(p.t, twin))
	}
}

// checkMoves checks the legal list or the outcomes, and that every one can be
// described and in different words. It returns the possible moves.
func (p *player) checkMoves() []engine.Action {
	var moves []engine.Action
	names := p.spec.Actions
	if p.state.ToAct() == engine.Chance {
		names = p.spec.Outcomes
		stochastic, ok := p.state.(engine.Stochastic)
		if !ok {
			p.t.Errorf("chance is to act and %T has no Outcomes: it must be an engine.Stochastic", p.state)
			return nil
		}
		outcomes := stochastic.Outcomes(nil)
		var total uint64
		for _, o := range outcomes {
			if o.Weight == 0 {
				p.t.Errorf("outcome %d has weight 0", o.Action)
			}
			total += uint64(o.Weight)
			moves = append(moves, o.Action)
		}
		if total >= 1<<31 {
			p.t.Errorf("weights add up to %d", total)
		}
		if legal := p.state.Legal(nil); len(legal) != 0 {
			p.t.Errorf("%v is legal at a chance node", legal)
		}
	} else {
		if a := p.state.ToAct(); a < 0 || int(a) >= p.spec.Seats {
			p.t.Errorf("seat %d of %d is to act", a, p.spec.Seats)
		}
		moves = p.state.Legal(nil)
		if s, ok := p.state.(engine.Stochastic); ok && len(s.Outcomes(nil)) != 0 {
			p.t.Errorf("there are outcomes at a decision")
		}
	}
	if len(moves) == 0 {
		p.t.Errorf("there is no move: %s", dump(p.t, p.state))
		return nil
	}
	told := map[string]bool{}
	for i, a := range moves {
		if a < 0 || int(a) >= len(names) {
			p.t.Errorf("move %d is outside the vocabulary of %d", a, len(names))
			return moves
		}
		if i > 0 && a <= moves[i-1] {
			p.t.Errorf("moves are not in ascending order: %v", moves)
		}
		text := p.state.(engine.Describer).Describe(a)
		if text == "" || told[text] {
			p.t.Errorf("%s is described as %q, which is empty or said of another move", names[a], text)
		}
		told[text] = true
	}
	return moves
}

// checkMask demands that a state which writes a mask writes its legal list.
func (p *player) checkMask() {
	s, ok := p.state.(engine.Masker)
	if !ok || p.state.ToAct() == engine.Chance { // before the first decision the vocabulary is not checked
		return
	}
	mask := slices.Repeat([]uint8{7}, len(p.spec.Actions))
	s.Mask(mask)
	want := make([]uint8, len(p.spec.Actions))
	for _, a := range s.Legal(nil) {
		want[a] = 1
	}
	if !slices.Equal(mask, want) {
		p.t.Errorf("the mask is %v, want %v", mask, want)
	}
}

// checkRefusals tries every impossible move: it must be refused and change
// nothing.
func (p *player) checkRefusals(moves []engine.Action) {
	before, hash := dump(p.t, p.state), p.state.Hash()
	limit := engine.Action(max(len(p.spec.Actions), len(p.spec.Outcomes)))
	for a := engine.Action(-2); a <= limit+1; a++ {
		if slices.Contains(moves, a) {
			continue
		}
		if err := p.state.Apply(a); !errors.Is(err, engine.ErrIllegal) {
			p.t.Errorf("move %d is impossible, yet Apply returns %v, want ErrIllegal", a, err)
			return
		}
	}
	if p.state.Hash() != hash || dump(p.t, p.state) != before {
		p.t.Errorf("refused moves changed the state\nfrom %s\nto   %s", before, dump(p.t, p.state))
	}
}

// checkReturns checks the bounds and the relation that the spec declares.
func (p *player) checkReturns() {
	p.checkEndings()
	returns := p.state.Returns(nil)
	if len(returns) != p.spec.Seats {
		p.t.Errorf("%d returns for %d seats", len(returns), p.spec.Seats)
		return
	}
	var sum float32
	for _, r := range returns {
		sum += r
		if r < p.spec.MinReturn || r > p.spec.MaxReturn {
			p.t.Errorf("return %g is outside %g to %g", r, p.spec.MinReturn, p.spec.MaxReturn)
		}
		if r != 0 && !p.spec.PaysInPlay && p.state.ToAct() != engine.Terminal {
			p.t.Errorf("a game that pays at its end returns %v before it", returns)
		}
		if p.spec.Payoff == engine.Cooperative && r != returns[0] {
			p.t.Errorf("a cooperative game returns %v", returns)
		}
	}
	if p.spec.Payoff == engine.ZeroSum && (sum > 1e-6 || sum < -1e-6) {
		p.t.Errorf("a zero-sum game returns %v", returns)
	}
}

// checkEndings demands words for the end of a game of an Ender, and none before.
func (p *player) checkEndings() {
	if ender, ok := p.state.(engine.Ender); ok {
		if words := ender.Endings(nil); (len(words) > 0) != (p.state.ToAct() == engine.Terminal) {
			p.t.Errorf("seat %d acts and the game has ended by %q", p.state.ToAct(), words)
		}
	}
}

// checkRoundTrip dumps the position, loads it and compares.
func (p *player) checkRoundTrip() {
	text := dump(p.t, p.state)
	loaded, err := p.game.Load([]byte(text), engine.Strict)
	if err != nil {
		p.t.Errorf("the position is refused: %v\n%s", err, text)
		return
	}
	if again := dump(p.t, loaded); again != text {
		p.t.Errorf("the position changes when loaded\nfrom %s\nto   %s", text, again)
	}
	same(p.t, "the loaded position", p.game, p.state, loaded)
}

// same compares what can be asked of two states that should be equal.
func same(t testing.TB, what string, g engine.Game, want, got engine.State) {
	t.Helper()
	if got.Hash() != want.Hash() {
		t.Errorf("%s has another hash\n%s\n%s", what, dump(t, want), dump(t, got))
	}
	if got.ToAct() != want.ToAct() || !slices.Equal(engine.Moves(got), engine.Moves(want)) {
		t.Errorf("%s: seat %d has %v, want seat %d with %v", what, got.ToAct(), engine.Moves(got), want.ToAct(), engine.Moves(want))
	}
	if !slices.Equal(got.Returns(nil), want.Returns(nil)) {
		t.Errorf("%s returns %v, want %v", what, got.Returns(nil), want.Returns(nil))
	}
}

func dump(t testing.TB, s engine.View) string {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatalf("MarshalJSON: %v", err)
	}
	if !json.Valid(data) {
		t.Fatalf("the position is not JSON: %s", data)
	}
	return string(data)
}

// printed returns the position of a state without what led to it.
func printed(t testing.TB, s engine.View) string {
	t.Helper()
	data, err := engine.Print(s)
	if err != nil {
		t.Fatalf("Print: %v", err)
	}
	return string(data)
}
