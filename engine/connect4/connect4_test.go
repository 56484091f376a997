package connect4_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/connect4"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
)

func game(t testing.TB) engine.Game { return enginetest.Game(t, "connect4") }

func TestConformance(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{Game: game(t), Games: 100, Every: 1, Position: connect4.Position{}})
	enginetest.Allocs(t, game(t))
}

func TestEvents(t *testing.T) {
	enginetest.Events(t, connect4.Family, []engine.Game{game(t)}, "draw")
}

func TestReadme(t *testing.T) { enginetest.Readme(t, game(t)) }

func TestPlaythroughs(t *testing.T) { enginetest.Playthroughs(t, game(t), 2) }

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("there are no scripts")
	}
}

func FuzzPlay(f *testing.F) { enginetest.Fuzz(f, nil, game(f)) }

// The numbers of different positions after n discs are sequence A212693 of the
// OEIS (J. Tromp).
func TestPositionCounts(t *testing.T) {
	g := game(t)
	level := map[uint64]engine.State{g.New().Hash(): g.New()}
	for n, want := range []int{1, 7, 49, 238, 1120, 4263, 16422, 54859} {
		if len(level) != want {
			t.Fatalf("%d positions after %d discs, want %d", len(level), n, want)
		}
		next := map[uint64]engine.State{}
		for _, s := range level {
			for _, a := range s.Legal(nil) {
				c := engine.Clone(g, s)
				if err := c.Apply(a); err != nil {
					t.Fatal(err)
				}
				next[c.Hash()] = c
			}
		}
		level = next
	}
}

// slowWon looks at every line of four squares.
func slowWon(s *connect4.State, seat engine.Player) bool {
	has := func(c, r int) bool {
		return c >= 0 && c < connect4.Columns && r >= 0 && r < connect4.Rows && s.Discs(seat)>>connect4.Bit(c, r)&1 != 0
	}
	for c := range connect4.Columns {
		for r := range connect4.Rows {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				n := 0
				for has(c+n*d[0], r+n*d[1]) {
					n++
				}
				if n >= 4 {
					return true
				}
			}
		}
	}
	return false
}

func TestWinsAgreeWithSlowReference(t *testing.T) {
	rng := rand.NewPCG(7, 7)
	wins := [2]int{}
	for range 3000 {
		s := game(t).New()
		for s.ToAct() != engine.Terminal {
			seat, legal := s.ToAct(), s.Legal(nil)
			if err := s.Apply(legal[engine.Uint32N(rng, uint32(len(legal)))]); err != nil {
				t.Fatal(err)
			}
			c := s.(*connect4.State)
			if won := slowWon(c, seat); won != (s.Returns(nil)[seat] == 1) {
				t.Fatalf("the reference says won = %v, returns are %v\n%s", won, s.Returns(nil), c.Text(0))
			} else if won {
				wins[seat]++
			}
		}
	}
	if wins[0] == 0 || wins[1] == 0 {
		t.Errorf("wins %v: the games do not test both seats", wins)
	}
}

func TestBadPositions(t *testing.T) {
	const row = `".......",`
	enginetest.BadPositions(t, game(t), map[string]string{
		`{"board":[` + row + row + row + row + `"x......",".o....."]}`: "hangs in the air",
		`{"board":[` + row + row + row + row + row + `"xx....."]}`:     "2 x and 0 o",
		`{"board":[` + row + row + row + row + `"ooo....","xxxx..o"]}`: "played on after four",
		`{"board":["......."]}`:                                 "1 rows, not 6",
		`{"board":[` + row + row + row + row + `"...x...",""]}`: `row "" must be 7`,
	})
}
