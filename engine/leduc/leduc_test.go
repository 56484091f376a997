package leduc_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/leduc"
	"powderkeg/engine/script"
)

func game(t testing.TB) engine.Game { return enginetest.Game(t, "leduc") }

func TestConformance(t *testing.T) {
	enginetest.Run(t, enginetest.Suite{Game: game(t), Games: 100, Every: 1, Position: leduc.Position{}})
	enginetest.Allocs(t, game(t))
}

func TestEvents(t *testing.T) {
	enginetest.Events(t, leduc.Family, []engine.Game{game(t)})
}

func TestReadme(t *testing.T) { enginetest.Readme(t, game(t)) }

func TestPlaythroughs(t *testing.T) { enginetest.Playthroughs(t, game(t), 2) }

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("there are no scripts")
	}
}

func FuzzPlay(f *testing.F) { enginetest.Fuzz(f, nil, game(f)) }

// The counts are those of OpenSpiel's api_test (TOTAL_NUM_STATES and
// PERFECT_RECALL_NUM_STATES).
func TestTreeCounts(t *testing.T) {
	got := enginetest.Count(game(t))
	want := enginetest.Counts{Chance: 157, Decisions: 3780, Terminals: 5520, InfoStates: 936}
	if got != want {
		t.Errorf("tree has %+v, want %+v", got, want)
	}
}

func TestShowdown(t *testing.T) {
	for name, c := range map[string]struct {
		position string
		want     float32 // return of the first seat
	}{
		"pair beats king":      {`{"cards":["Js","Kh"],"round1":["call","call"],"public":["Jh"],"round2":["raise","call"]}`, 5},
		"high card":            {`{"cards":["Js","Kh"],"round1":["raise","call"],"public":["Qh"],"round2":["call","call"]}`, -3},
		"equal ranks split":    {`{"cards":["Ks","Kh"],"round1":["raise","raise","call"],"public":["Qh"],"round2":["raise","raise","call"]}`, 0},
		"fold loses the stake": {`{"cards":["Ks","Jh"],"round1":["raise","raise","fold"]}`, -3},
		"largest pot":          {`{"cards":["Ks","Jh"],"round1":["raise","raise","call"],"public":["Kh"],"round2":["raise","raise","call"]}`, 13},
	} {
		s, err := game(t).Load([]byte(c.position), engine.Strict)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := s.Returns(nil); s.ToAct() != engine.Terminal || got[0] != c.want || got[1] != -c.want {
			t.Errorf("%s: seat %d to act, returns %v, want the end with %g", name, s.ToAct(), got, c.want)
		}
	}
}

func TestBadPositions(t *testing.T) {
	enginetest.BadPositions(t, game(t), map[string]string{
		`{"cards":["Js","Js"]}`:                   `"Js" is not possible here`,
		`{"cards":["Js","Qs"],"round1":["fold"]}`: `"fold" is not possible here; seat 0 has call, raise`,
		`{"cards":["Js","Qs"],"public":["Ks"]}`:   `"Ks" is unknown; seat 0 has call, raise`,
		`{"cards":["Js","Qs"],"round2":["bet"]}`:  `"bet" is unknown`,
		`{"hands":["Js","Qs"]}`:                   `unknown field "hands"; fields: cards, round1, public, round2`,
	})
}
