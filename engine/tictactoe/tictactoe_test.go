package tictactoe_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
	"powderkeg/engine/tictactoe"
)

func game(t testing.TB) engine.Game { return enginetest.Game(t, "tictactoe") }

func TestConformance(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{Game: game(t), Games: 100, Every: 1, Position: tictactoe.Position{}})
	enginetest.Allocs(t, game(t))
}

func TestEvents(t *testing.T) {
	enginetest.Events(t, tictactoe.Family, []engine.Game{game(t)})
}

func TestReadme(t *testing.T) { enginetest.Readme(t, game(t)) }

func TestPlaythroughs(t *testing.T) { enginetest.Playthroughs(t, game(t), 2) }

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("there are no scripts")
	}
}

func FuzzPlay(f *testing.F) { enginetest.Fuzz(f, nil, game(f)) }

// 255,168 games and 5,478 positions are well-known counts (H. Schaefer, "How
// many games of Tic-Tac-Toe are there?", 2002). The positions with a mark to set
// are those without the 958 final ones, each seen by one seat: 4,520.
func TestTreeCounts(t *testing.T) {
	got := enginetest.Count(game(t))
	if got.Terminals != 255168 || got.InfoStates != 5478-958 {
		t.Errorf("%d games and %d positions to play on, want 255168 and 4520", got.Terminals, got.InfoStates)
	}
}

func TestDrawUnderOptimalPlay(t *testing.T) {
	known := map[uint64]float32{}
	var value func(s engine.State) float32 // of the first seat
	value = func(s engine.State) float32 {
		if s.ToAct() == engine.Terminal {
			return s.Returns(nil)[0]
		}
		if v, ok := known[s.Hash()]; ok {
			return v
		}
		sign := float32(1 - 2*int(s.ToAct()))
		best := float32(-1)
		for _, a := range s.Legal(nil) {
			c := engine.Clone(game(t), s)
			if err := c.Apply(a); err != nil {
				t.Fatal(err)
			}
			best = max(best, sign*value(c))
		}
		known[s.Hash()] = sign * best
		return sign * best
	}
	if v := value(game(t).New()); v != 0 {
		t.Errorf("the value is %g, want 0", v)
	}
}

func TestBadPositions(t *testing.T) {
	enginetest.BadPositions(t, game(t), map[string]string{
		`{"board":["xx.","...","..."]}`: "2 x and 0 o",
		`{"board":["xxx","ooo","..."]}`: "played on after a line",
		`{"board":["xo."]}`:             "3 rows of 3",
		`{"board":["xo?","...","..."]}`: "3 rows of 3",
	})
}
