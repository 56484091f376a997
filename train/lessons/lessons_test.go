package lessons

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine/games"
	"powderkeg/env"
)

// course returns one on the game with a small network, which the test closes.
func course(t testing.TB, game string, c Config, workers int) *Course {
	t.Helper()
	g, err := games.New(game)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(g); err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	shape := network.Config{Inputs: encoder.Layout().Size, Actions: len(g.Spec().Actions), Seats: g.Spec().Seats, Hidden: []int{32},
		Activation: network.ReLU}
	net, err := network.New(shape, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(c, Setup{Game: g, Network: net, Seed: 5, Rows: 512, Workers: workers, ValueCoef: 0.5, MaxGradNorm: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// short is a course of a second or less.
func short() Config {
	c := Default()
	c.Teacher, c.Updates, c.Decisions, c.Minibatch = "scripted", 12, 4000, 64
	return c
}

func learn(t *testing.T, l *Course, updates int) (last Stats) {
	t.Helper()
	for update := range updates {
		var err error
		if last, err = l.Learn(int64(update)); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// TestAnswersAreLearned: on games held out the network agrees with its teacher, whose
// play in Kuhn poker is a rule, and the values explain a part of the returns.
func TestAnswersAreLearned(t *testing.T) {
	s := learn(t, course(t, "kuhn", short(), 2), 12)
	if s.Exam == nil || s.Exam.Decisions < 200 {
		t.Fatalf("the last lesson ends with the exam %+v, want one of 200 decisions or more", s.Exam)
	}
	if s.Exam.Agreement < 0.7 || s.Exam.CrossEntropy > 0.6 || s.Exam.Explained < 0.05 {
		t.Errorf("on held-out games: %+v, want an agreement of 0.7, cross-entropy below 0.6, and values that explain something", *s.Exam)
	}
	if s.Decisions < 4000 || s.Passes < 1 {
		t.Errorf("the set has %d decisions after %.1f passes, want 4000 after more than one", s.Decisions, s.Passes)
	}
}

// TestGamesArePlayedAgainAsTheyWere compares the rows of whole games with what was
// recorded, in games with chance, hidden hands, forced decisions and many seats, and
// demands that the parts of a game are its rows, each once.
func TestGamesArePlayedAgainAsTheyWere(t *testing.T) {
	for _, game := range []string{"kuhn", "jogu", "domination(players=3)", "liars_dice"} {
		c := short()
		c.Players = []string{"random", "scripted"}
		l := course(t, game, c, 1)
		p := l.players[0]
		r, err := p.write(77)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.write(77)
		if err != nil || !slices.Equal(again.choices, r.choices) {
			t.Fatalf("%s: the same seed gives another game, error %v", game, err)
		}
		shape := l.setup.Network.Config()
		whole := newWindow(r.rows, shape.Inputs, shape.Actions, shape.Seats)
		if err := p.read(&r, part{0, 0, 1}, whole, 0); err != nil {
			t.Fatalf("%s: %v", game, err)
		}
		for row := range r.rows {
			legal := 0
			for _, m := range whole.mask[row*shape.Actions : (row+1)*shape.Actions] {
				legal += int(m)
			}
			if legal < 2 || whole.mask[row*shape.Actions+int(whole.answers[row])] != 1 {
				t.Fatalf("%s, row %d: %d legal actions, the answer %d is among them: want two and that it is", game, row, legal, whole.answers[row])
			}
		}
		split := newWindow(r.rows, shape.Inputs, shape.Actions, shape.Seats)
		at := 0
		for rest := range int32(3) {
			take := part{0, rest, 3}
			if err := p.read(&r, take, split, at); err != nil {
				t.Fatal(err)
			}
			for k := range take.rows(r.rows) {
				row := 3*k + int(rest)
				if !slices.Equal(split.obs[at*shape.Inputs:(at+1)*shape.Inputs], whole.obs[row*shape.Inputs:(row+1)*shape.Inputs]) ||
					!slices.Equal(split.returns[at*shape.Seats:(at+1)*shape.Seats], whole.returns[row*shape.Seats:(row+1)*shape.Seats]) {
					t.Fatalf("%s: row %d of part %d is not row %d of the game", game, k, rest, row)
				}
				at++
			}
		}
		if at != r.rows {
			t.Errorf("%s: the parts have %d rows, the game %d", game, at, r.rows)
		}
	}
}

// TestReturnsAreTheActors: in Leduc poker, paid at the end, the return of a row is what
// its own seat gets, and those of both seats add up to nothing.
func TestReturnsAreTheActors(t *testing.T) {
	l := course(t, "leduc", short(), 1)
	p := l.players[0]
	for seed := range uint64(50) {
		r, err := p.write(seed)
		if err != nil {
			t.Fatal(err)
		}
		final := slices.Clone(p.env.Returns())
		w := newWindow(r.rows, l.window.inputs, l.window.actions, 2)
		if err := p.read(&r, part{0, 0, 1}, w, 0); err != nil {
			t.Fatal(err)
		}
		for row := range r.rows {
			want := final[w.actors[row]] / 13 // the largest return
			if got := w.returns[2*row]; math.Abs(float64(got-want)) > 1e-6 || w.returns[2*row+1] != -got {
				t.Fatalf("seed %d, row %d: returns %v, want %v for seat %d", seed, row, w.returns[2*row:2*row+2], want, w.actors[row])
			}
		}
	}
}

// TestPassesDealEachRowOnce counts the rows of two passes over a set that does not grow.
func TestPassesDealEachRowOnce(t *testing.T) {
	var list []record
	want := 0
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 200 {
		list = append(list, record{rows: rng.IntN(900)}) // some do not fit a window of 512
		if !heldOut(i) {
			want += list[i].rows
		}
	}
	p := pass{seed: 3, window: 512}
	var first []part
	for number := range int64(2) {
		rows, seen := 0, map[part]bool{}
		var dealt []part
		for rows < want {
			parts, n := p.deal(nil, list)
			if n > 512 || n == 0 {
				t.Fatalf("a window has %d rows, want 1 to 512", n)
			}
			for _, x := range parts {
				if heldOut(int(x.game)) {
					t.Fatalf("game %d is held out and learned from", x.game)
				}
				// A window may end one pass and begin the next.
				if rows < want {
					if seen[x] {
						t.Fatalf("pass %d deals %+v twice", number+1, x)
					}
					seen[x], dealt, rows = true, append(dealt, x), rows+x.rows(list[x.game].rows)
				}
			}
		}
		if rows != want {
			t.Fatalf("pass %d deals %d rows, the set has %d", number+1, rows, want)
		}
		if number == 0 {
			first = dealt
		} else if slices.Equal(first, dealt) {
			t.Error("both passes have one order")
		}
		p.begin(number+2, list)
	}
}

// TestSetSurvivesItsEncoding and refuses to be read from what is cut off.
func TestSetSurvivesItsEncoding(t *testing.T) {
	c := short()
	c.Players = []string{"random"} // answers differ from what is played
	l := course(t, "jogu", c, 1)
	if err := l.grow(2000); err != nil {
		t.Fatal(err)
	}
	text := l.set.encode()
	s, err := decodeSet(text)
	if err != nil {
		t.Fatal(err)
	}
	if s.rows != l.set.rows || s.bytes != l.set.bytes || len(s.games) != len(l.set.games) || !slices.Equal(s.encode(), text) {
		t.Errorf("%d games of %d decisions come back as %d of %d", len(l.set.games), l.set.rows, len(s.games), s.rows)
	}
	cut, faults := 0, 0
	for n := range text[:2000] {
		if _, err := decodeSet(text[:n]); errors.Is(err, checkpoints.ErrCorrupt) {
			faults++
		} else if err != nil {
			t.Fatalf("cut off after %d bytes: error %v, want ErrCorrupt", n, err)
		}
		cut++
	}
	if faults < cut*9/10 {
		t.Errorf("%d of %d cuts are found, want all but those between two games", faults, cut)
	}
}

// TestGamesOfOtherRulesAreRefused: choices that are not possible, or too many or too few
// of them, are an error and no panic.
func TestGamesOfOtherRulesAreRefused(t *testing.T) {
	l := course(t, "leduc", short(), 1)
	p := l.players[0]
	r, err := p.write(3)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{
		"too many": append(slices.Clone(r.choices), 0), "too few": r.choices[:len(r.choices)-1],
		"impossible": append([]byte{100}, r.choices[1:]...), "no number": {0xff},
	} {
		bad := r
		bad.choices = broken
		if err := p.read(&bad, part{0, 0, 1}, newWindow(16, l.window.inputs, l.window.actions, 2), 0); !errors.Is(err, checkpoints.ErrCorrupt) {
			t.Errorf("%s: error is %v, want ErrCorrupt", name, err)
		}
	}
}

// TestRestoredCoursesGoOn as if they had not been stopped, with any number of workers,
// with games of the learner's own among them.
func TestRestoredCoursesGoOn(t *testing.T) {
	c := short()
	c.Players, c.Learner, c.Soften = []string{"scripted", "random"}, 0.3, 0.1
	straight, stopped := course(t, "leduc", c, 1), course(t, "leduc", c, 1)
	learn(t, straight, 5)
	learn(t, stopped, 5)
	again := course(t, "leduc", c, 3)
	copy(again.setup.Network.Weights(), stopped.setup.Network.Weights())
	if err := again.Restore(stopped.Tensors()); err != nil {
		t.Fatal(err)
	}
	for update := int64(5); update < 12; update++ {
		for _, l := range []*Course{straight, again} {
			if _, err := l.Learn(update); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !network.ForeignBLAS && !slices.Equal(straight.setup.Network.Weights(), again.setup.Network.Weights()) {
		t.Error("a course that was stopped ends with other weights")
	}
	if !slices.Equal(straight.set.encode(), again.set.encode()) && !network.ForeignBLAS {
		t.Error("a course that was stopped ends with another set")
	}
}

func TestFaultyTensorsAreRefused(t *testing.T) {
	l := course(t, "kuhn", short(), 1)
	learn(t, l, 2)
	for name, change := range map[string]func(checkpoints.Tensor) checkpoints.Tensor{
		"set":  func(x checkpoints.Tensor) checkpoints.Tensor { x.Data = x.Data[:len(x.Data)-1]; return x },
		"pass": func(checkpoints.Tensor) checkpoints.Tensor { return checkpoints.Int64s("lessons.pass", 1, 1<<40, 0) },
	} {
		tensors := l.Tensors()
		for i := range tensors {
			if tensors[i].Name == prefix+name {
				tensors[i] = change(tensors[i])
			}
		}
		if err := l.Restore(tensors); !errors.Is(err, checkpoints.ErrCorrupt) {
			t.Errorf("%s: error is %v, want ErrCorrupt", name, err)
		}
	}
	if err := l.Restore(nil); !errors.Is(err, checkpoints.ErrMismatch) {
		t.Errorf("without tensors: error is %v, want ErrMismatch", err)
	}
}

// TestRateIsOneCycle: it rises over a tenth of the course and falls to a hundredth.
func TestRateIsOneCycle(t *testing.T) {
	c := Config{LearningRate: 1}
	for progress, want := range map[float64]float32{0: 0.1, 0.05: 0.55, 0.1: 1, 0.55: 0.505, 1: 0.01} {
		if got := c.rate(progress); math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("after %v of the course the rate is %v, want %v", progress, got, want)
		}
	}
}

// TestSetGrowsEvenly to its size, whole at once where it is asked.
func TestSetGrowsEvenly(t *testing.T) {
	c := Config{Updates: 100, Decisions: 1000, Grown: 0.5}
	for update, want := range map[int64]int64{0: 20, 24: 500, 49: 1000, 99: 1000} {
		if got := c.due(update); got != want {
			t.Errorf("in update %d the set is to have %d decisions, want %d", update, got, want)
		}
	}
	if c.Grown = 0; c.due(0) != 1000 {
		t.Errorf("a set that does not grow begins with %d decisions, want 1000", c.due(0))
	}
}

func TestFaultsOfAConfigAreTold(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	c := short()
	c.Players, c.Soften, c.Learner = []string{"nobody"}, 2, math.NaN()
	err = c.Validate(g)
	for _, part := range []string{"lessons.players: ", "lessons.soften is 2", "lessons.learner is NaN"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error is %v, want it to tell of %q", err, part)
		}
	}
}
