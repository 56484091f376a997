package bank

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
	"powderkeg/train/solve"
)

// load loads a position of a game by name.
func load(t *testing.T, name, position string) (engine.Game, engine.State) {
	t.Helper()
	g := enginetest.Game(t, name)
	s, err := g.Load([]byte(position), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

// small is a bank of Kuhn poker, all positions that random play meets.
func small(t *testing.T, workers int) (*Bank, engine.Game) {
	t.Helper()
	c := Default(enginetest.Game(t, "kuhn"))
	c.Name, c.Players = "random", func() agents.Policy { return random.Policy{} }
	c.Games, c.Limits.Cut, c.Workers = 40, 0.01, workers
	b, err := Make(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return b, c.Game
}

// TestDeals counts deals that can be counted by hand.
func TestDeals(t *testing.T) {
	for _, c := range []struct {
		name, position string
		want           int
	}{
		{"kuhn", `{"cards":["Q","J"],"actions":["pass"]}`, 6},
		// Two of the five cards that are left.
		{"leduc", `{"cards":["Qh","Qs"],"round1":["call","call"],"public":["Ks"],"round2":[]}`, 20},
		{"tictactoe", `{}`, 1},
	} {
		g, s := load(t, c.name, c.position)
		list, err := deals(g, s, c.want)
		if err != nil || len(list) != c.want {
			t.Errorf("%s: %d deals, error %v; want %d", c.name, len(list), err, c.want)
		}
		if c.want == 1 {
			continue
		}
		if _, err := deals(g, s, c.want-1); !errors.Is(err, errManyDeals) {
			t.Errorf("%s with room for one deal less: error %v", c.name, err)
		}
	}
}

// TestDealsAreClosed deals anew what any seat sees of any deal, with other generators: nothing else comes.
func TestDealsAreClosed(t *testing.T) {
	g, s := load(t, "leduc", `{"cards":["Qh","Ks"],"round1":["call","raise","call"],"public":["Kh"],"round2":["call"]}`)
	list, err := deals(g, s, 100)
	if err != nil {
		t.Fatal(err)
	}
	known := map[uint64]bool{}
	for _, d := range list {
		known[d.Hash()] = true
	}
	if !known[s.Hash()] || len(known) != len(list) {
		t.Fatalf("%d different deals of %d, the true one among them: %t", len(known), len(list), known[s.Hash()])
	}
	dealt, rng := g.New().(engine.Hidden), rand.NewPCG(9, 9)
	for _, d := range list {
		for seat := range engine.Player(2) {
			for range 50 {
				if dealt.Redeal(engine.Look(d, seat), rng); !known[dealt.Hash()] {
					t.Fatalf("seat %d also holds possible: %s", seat, dealt.(engine.Teller).Text(engine.Everything))
				}
			}
		}
	}
}

// TestValues sets positions of Kuhn poker beside what is known of them.
func TestValues(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		position string
		alone    bool
		want     float64
	}{
		{`{"cards":["Q","J"],"actions":[]}`, false, -1.0 / 18},
		// Seat 0 is bet into: the jack folds, the king wins two, the queen one time in two.
		{`{"cards":["Q","J"],"actions":["pass","bet"]}`, true, 1.0 / 3},
	} {
		g, s := load(t, "kuhn", c.position)
		p, err := Pose(ctx, g, s, Default(g).Limits)
		if err != nil {
			t.Fatal(err)
		}
		value, gap, err := p.Solve(ctx)
		if err != nil || p.kind.(*tree).alone != c.alone || math.Abs(value-c.want) > gap+1e-9 || gap > share*largest(g) {
			t.Errorf("%s: %g within %g, one decides: %t, error %v; want %g", c.position, value, gap, p.kind.(*tree).alone, err, c.want)
		}
	}
}

// made is a player for each worker, without memory.
func made(p Player) func() (Player, error) { return func() (Player, error) { return p, nil } }

// equilibrium plays the equilibrium of each tree.
type equilibrium struct{ Uniform }

func (equilibrium) Policy(tree *solve.Tree) (*solve.Policy, error) {
	p, _, err := solve.Run(context.Background(), tree, solve.Default(solve.CFRPlus), solve.Schedule{Iterations: 3000}, nil)
	return p, err
}

// failing has no odds.
type failing struct{ err error }

func (f failing) Odds([]float64, solve.InfoState) error { return f.err }

// TestScores judges an equilibrium, which loses nothing, and random play, which loses what the bank says.
func TestScores(t *testing.T) {
	b, g := small(t, 1)
	ctx := context.Background()
	score := func(player Player) *Score {
		t.Helper()
		s, err := b.Score(ctx, g, made(player), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := score(equilibrium{})
	if s.Held != 1 || s.Lost.Mean > 2*share {
		t.Errorf("an equilibrium holds %g of the positions and loses %s", s.Held, s.Lost)
	}
	s = score(Uniform{})
	if s.Lost != s.Uniform || s.Lost.Mean < 0.1 || math.Abs(s.Seats[0].Mean+s.Seats[1].Mean-s.Lost.Mean) > 1e-9 {
		t.Errorf("random play loses %s, by seat %v; the bank says %s", s.Lost, s.Seats, s.Uniform)
	}
	broken := errors.New("broken")
	if _, err := b.Score(ctx, g, made(failing{broken}), Options{}); !errors.Is(err, broken) {
		t.Errorf("a player's error comes back as %v", err)
	}
	if _, err := b.Score(ctx, g, func() (Player, error) { return nil, broken }, Options{}); !errors.Is(err, broken) {
		t.Errorf("the error of making one comes back as %v", err)
	}
}

// TestMakeIsRepeatable makes a bank by one worker and by three, writes it and reads it back.
func TestMakeIsRepeatable(t *testing.T) {
	b, _ := small(t, 1)
	if other, _ := small(t, 3); !reflect.DeepEqual(b, other) {
		t.Error("three workers make another bank than one")
	}
	known := map[string]bool{}
	for _, p := range b.Positions {
		known[p.Digest] = true
	}
	// At each of the four histories that a choice follows, all deals are one position.
	if len(b.Positions) != 4 || len(known) != 4 {
		t.Errorf("%d positions of which %d are different, want 4", len(b.Positions), len(known))
	}
	var text bytes.Buffer
	if err := b.Write(&text); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := b.Pack(&packed); err != nil || packed.Len() >= text.Len() {
		t.Errorf("packed into %d bytes from %d, error %v", packed.Len(), text.Len(), err)
	}
	for _, data := range [][]byte{text.Bytes(), packed.Bytes()} {
		back, _, err := Read(data)
		if err != nil || !reflect.DeepEqual(b, back) {
			t.Errorf("read back with error %v: %+v", err, back)
		}
	}
	if _, _, err := Read(packed.Bytes()[:packed.Len()/2]); !errors.Is(err, option.ErrUsage) {
		t.Errorf("half of it: error %v", err)
	}
}

// TestInterrupted: what is kept of a bank that is stopped, as many games give again.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := Default(enginetest.Game(t, "leduc")).with(func() agents.Policy { return random.Policy{} })
	c.Games, c.Limits.Cut = 1000, 0.01
	c.Progress = func(positions, _ int) {
		if positions >= 3 {
			cancel()
		}
	}
	b, err := Make(ctx, c)
	if !errors.Is(err, context.Canceled) || b == nil || len(b.Positions) < 3 || b.Games == c.Games {
		t.Fatalf("%+v, error %v", b, err)
	}
	c.Games, c.Progress = b.Games, nil
	if again, err := Make(context.Background(), c); err != nil || !reflect.DeepEqual(again, b) {
		t.Errorf("%d games give another bank, error %v", c.Games, err)
	}
}

// TestWhatIsNoBank changes one thing of a bank at a time.
func TestWhatIsNoBank(t *testing.T) {
	b, g := small(t, 1)
	var text bytes.Buffer
	if err := b.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"game":"kuhn"`, `"game":"whist"`, "whist"},
		{`"rules":1`, `"rules":9`, "made by version 9 of the rules of kuhn"},
		{`"deals":4096`, `"deals":0`, "0 deals"},
		{`"uniform":[`, `"uniform":[0,`, "numbers for 3 seats"},
		{`{"game"`, `"game"`, "no bank of positions"},
	} {
		_, _, err := Read([]byte(strings.Replace(text.String(), c.old, c.new, 1)))
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{`"cards":["`, `"cards":["X`, "position 1"},
		{`"digest":"`, `"digest":"0`, "the bank says 6"},
	} {
		changed, _, err := Read([]byte(strings.Replace(text.String(), c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = changed.Score(context.Background(), g, made(Uniform{}), Options{})
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
}

// TestWhatCannotBeMade asks for what there is not.
func TestWhatCannotBeMade(t *testing.T) {
	c := Default(enginetest.Game(t, "kuhn"))
	c.Name, c.Players = "random", func() agents.Policy { return random.Policy{} }
	c.Games, c.Limits.Deals = 5, 2
	_, err := Make(context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "no contested position of kuhn could be solved in 5 games, with up to 2 deals") {
		t.Errorf("with too few deals: error %v", err)
	}
	c.Positions, c.Each, c.Limits.Nodes = 0, -1, MostNodes+1
	_, err = Make(context.Background(), c)
	for _, want := range []string{"positions is 0", "each is -1", "nodes is 100000001"} {
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("with impossible numbers: error %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Make(ctx, Default(c.Game).with(c.Players)); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before it began: error %v", err)
	}
}

func (c Config) with(players func() agents.Policy) Config {
	c.Players = players
	return c
}
