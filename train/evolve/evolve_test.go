package evolve

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/scripted"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// TestSearchClimbs a hill that is a hundred times as steep one way as the other, with noise.
func TestSearchClimbs(t *testing.T) {
	s := newSearch(8, 0.3)
	for i := range s.Mean {
		s.Mean[i] = 1
	}
	noise := rand.New(rand.NewPCG(2, 2))
	for generation := range uint64(300) {
		samples, places := s.draw(16, generation)
		for k, x := range places {
			samples[k].worth = 0.01 * noise.NormFloat64()
			for i, v := range x {
				samples[k].worth -= math.Pow(10, float64(i%3)) * v * v
			}
		}
		s.learn(samples)
	}
	for i, v := range s.Mean {
		if math.Abs(v) > 0.1 {
			t.Errorf("coordinate %d is %.3f, want 0 within 0.1", i, v)
		}
	}
}

// TestSamplesAreMirrored, so that the noise of a step cancels.
func TestSamplesAreMirrored(t *testing.T) {
	s := newSearch(3, 0.2)
	s.Mean = []float64{1, 2, 3}
	_, places := s.draw(6, 9)
	for i := 0; i < len(places); i += 2 {
		for j, m := range s.Mean {
			if d := places[i][j] + places[i+1][j] - 2*m; math.Abs(d) > 1e-12 || places[i][j] == m {
				t.Fatalf("samples %v and %v do not lie about %v", places[i], places[i+1], s.Mean)
			}
		}
	}
}

// quick is a search of a second or so.
func quick() Config {
	c := Default("bloc(ops_difficulty=easy)")
	c.Generations, c.Population, c.Games, c.ClosingGames, c.Margin = 2, 4, 6, 10, 0.3
	return c
}

// TestWorkersDecideNothing: the same search with one and with three.
func TestWorkersDecideNothing(t *testing.T) {
	var found []map[string]float64
	for _, workers := range []int{1, 3} {
		c := quick()
		c.Workers = workers
		e, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		for range c.Generations {
			if _, err := e.Generation(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		found = append(found, e.Found())
	}
	if len(found[0]) == 0 || !reflect.DeepEqual(found[0], found[1]) {
		t.Errorf("one worker finds %v, three %v", found[0], found[1])
	}
}

// TestWeightsArePlayedInTheirSeats: the outcome of a game is that of a game in which the seats
// have players with those weights, one at a time where they are alone.
func TestWeightsArePlayedInTheirSeats(t *testing.T) {
	c := quick()
	c.Game, c.Margin, c.Alone, c.Seats = "bloc(mode=semi_cooperative)", 0, true, []int{1, 2}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	weights := slices.Clone(e.origin)
	for i := range weights {
		weights[i] *= 1 + 0.3*float64(i%3)
	}
	g := e.players[0].env.Game()
	for number := range 6 {
		seed := uint64(40 + number)
		got, err := e.players[0].play(c, c.has(e.spec, number), weights, seed)
		if err != nil {
			t.Fatal(err)
		}
		seat := []int{1, 2}[number%2]
		p, err := scripted.NewWeighing(g)
		if err != nil {
			t.Fatal(err)
		}
		list := p.Weights(seat)
		for i, w := range weights {
			list.Set(i, w)
		}
		other, err := env.New(g, env.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.NewPCG(seed, playStream)
		for other.Reset(seed); !other.Terminated(); {
			legal, actor := other.Legal(), other.Actor()
			a := legal[0]
			if len(legal) > 1 {
				a = p.Choose(other.View(actor), actor, legal, rng)
			}
			if err := other.Step(a); err != nil {
				t.Fatal(err)
			}
		}
		if want := float64(other.Returns()[seat]); got.gain != want || got.worth != want {
			t.Errorf("game %d: %+v, played by hand seat %d has %v", number, got, seat, want)
		}
	}
}

// TestStoppedSearchesGoOn as if they had not been stopped, and a folder of another search is
// refused.
func TestStoppedSearchesGoOn(t *testing.T) {
	c := quick()
	dir, whole := t.TempDir(), t.TempDir()
	first := c
	first.Generations = 1
	var progress bytes.Buffer
	if _, err := Run(context.Background(), first, dir, &progress); err != nil {
		t.Fatal(err)
	}
	again, err := Run(context.Background(), c, dir, &progress)
	if err != nil {
		t.Fatal(err)
	}
	straight, err := Run(context.Background(), c, whole, &progress)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, straight) {
		t.Errorf("a search that was stopped ends with %+v, straight on with %+v", again, straight)
	}
	if len(straight.Closing) != 1 || straight.Closing[0].Games != 10 || straight.Closing[0].Seat != -1 {
		t.Errorf("closing games %+v, want ten of the whole team", straight.Closing)
	}
	for _, line := range []string{"generation 1/1 ", "going on with " + dir + " after generation 1", "generation 2/2 ", "10 closing games"} {
		if !strings.Contains(progress.String(), line) {
			t.Errorf("progress lacks %q:\n%s", line, progress.String())
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, foundFile))
	if err != nil || !strings.HasPrefix(string(text), "advisers:\n- seats: []\n") || !strings.Contains(string(text), "\n  weights:\n    ask: ") {
		t.Errorf("%s: %s (error %v)", foundFile, text, err)
	}
	file, err := os.Open(filepath.Join(dir, plotFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if picture, err := png.Decode(file); err != nil || picture.Bounds().Dx() < 500 {
		t.Errorf("%s is no picture: error %v", plotFile, err)
	}
	c.Games++
	if _, err := Run(context.Background(), c, dir, &progress); !errors.Is(err, option.ErrUsage) {
		t.Errorf("other settings in the same folder: error %v, want wrong usage", err)
	}
	c.Games--
	saved, err := os.ReadFile(filepath.Join(dir, stateFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, stateFile), bytes.Replace(saved, []byte(`"mean": [`), []byte(`"mean": [1,`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c, dir, &progress); err == nil || !strings.Contains(err.Error(), "is no search over these") {
		t.Errorf("a damaged folder: error %v", err)
	}
}

// TestCancelledSearchesStay where they were.
func TestCancelledSearchesStay(t *testing.T) {
	e, err := New(quick())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Generation(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if e.done != 0 || len(e.Found()) != 0 {
		t.Errorf("after %d generations with %v found, want nothing", e.done, e.Found())
	}
	var progress bytes.Buffer
	if _, err := Run(ctx, quick(), t.TempDir(), &progress); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "the same command goes on from there") {
		t.Errorf("error %v, progress %q", err, progress.String())
	}
}

// stopper ends a run when it tells of a generation.
type stopper struct {
	bytes.Buffer
	stop func()
}

func (s *stopper) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("generation ")) {
		s.stop()
	}
	return s.Buffer.Write(p)
}

// TestStoppedSearchesCanBeClosed: what has been found so far is written by the command that is
// told when the search is stopped.
func TestStoppedSearchesCanBeClosed(t *testing.T) {
	c, dir := quick(), t.TempDir()
	c.Generations = 3
	ctx, cancel := context.WithCancel(context.Background())
	progress := &stopper{stop: cancel}
	if _, err := Run(ctx, c, dir, progress); !errors.Is(err, context.Canceled) ||
		!strings.Contains(progress.String(), "for advisers.yaml now: the same with --generations 1\n") {
		t.Fatalf("error %v, progress %q", err, progress.String())
	}
	c.Generations = 1
	r, err := Run(context.Background(), c, dir, progress)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := ReadFound(filepath.Join(dir, foundFile)); err != nil || !maps.Equal(found, r.Adviser.Weights) || len(found) == 0 {
		t.Errorf("%v is written, %v was found (error %v)", found, r.Adviser.Weights, err)
	}
}

// TestStartsAreWeights that the search begins with and compares with.
func TestStartsAreWeights(t *testing.T) {
	c := quick()
	c.Start = map[string]float64{"stake": 1}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(e.names, "stake")
	if e.origin[i] != 1 || e.Found()["stake"] != 1 || len(e.Found()) != 1 {
		t.Errorf("the search begins with stake %v and has found %v, want 1 and that alone", e.origin[i], e.Found())
	}
}

// TestOnlySomeWeightsAreSearchedFor, by name or by what has them; the others stay at the start.
func TestOnlySomeWeightsAreSearchedFor(t *testing.T) {
	c := quick()
	c.Only, c.Start = []string{"part", "late"}, map[string]float64{"stake": 1}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := e.Generation(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	found := e.Found()
	for _, name := range []string{"part", "late.part", "late.stake"} {
		if _, ok := found[name]; !ok {
			t.Errorf("%s is as it was", name)
		}
	}
	for name := range found {
		if name != "part" && name != "stake" && !strings.HasPrefix(name, "late.") {
			t.Errorf("%s was searched for", name)
		}
	}
	if found["stake"] != 1 {
		t.Errorf("a weight that is not searched for is %v, want 1 as at the start", found["stake"])
	}
}

func TestFaultsOfAConfigAreTold(t *testing.T) {
	c := Default("minuteman")
	c.Population, c.Step, c.Against, c.Seats = 7, math.NaN(), "nobody", []int{4}
	err := c.Validate()
	for _, part := range []string{"population is 7, it must be even", "step is NaN", "against: ", "seat 4: minuteman has seats 0 to 1"} {
		if err == nil || !strings.Contains(err.Error(), part) || !errors.Is(err, option.ErrUsage) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error is %v, want a line that tells of %q", err, part)
		}
	}
	for game, part := range map[string]string{
		"minuteman": "all of them together win and lose nothing", "jogu": "the player of jogu has no weights", "kuhn": "no weights",
	} {
		if err := Default(game).Validate(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error is %v, want %q", game, err, part)
		}
	}
	c = Default("bloc")
	c.Start, c.Only = map[string]float64{"x": 1}, []string{"part", "par"}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `start: there is no weight "x"`) ||
		!strings.Contains(err.Error(), `only: there is no weight "par"; weights: `) {
		t.Errorf("error is %v, want it to tell of the start", err)
	}
}
