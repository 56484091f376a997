package liarsdice_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	liarsdice "powderkeg/engine/liars_dice"
	"powderkeg/engine/script"
)

// settings use every option, the smallest and the largest game among them.
var settings = []string{
	"liars_dice", "liars_dice(dice=2)", "liars_dice(players=3,faces=2)", "liars_dice(players=4,dice=3,faces=4)", "liars_dice(players=6,dice=5)",
}

func games(t testing.TB) []engine.Game {
	var list []engine.Game
	for _, text := range settings {
		list = append(list, enginetest.Game(t, text))
	}
	return list
}

func TestConformance(t *testing.T) {
	for _, g := range games(t) {
		t.Run(g.Spec().Text, func(t *testing.T) {
			// Of games with many bids, in which views change little from one to the next, fewer.
			every := 1 + g.Spec().MaxMoves/20
			enginetest.Run(t, enginetest.Suite{Game: g, Games: 20, Every: every, Position: liarsdice.Position{}})
			enginetest.Allocs(t, g)
		})
	}
}

func TestReadme(t *testing.T) { enginetest.Readme(t, enginetest.Game(t, "liars_dice")) }

func TestRulings(t *testing.T) { enginetest.Rulings(t, 5) }

func TestEvents(t *testing.T) { enginetest.Events(t, liarsdice.Family, games(t)) }

func TestSecretsAreDeclared(t *testing.T) { enginetest.SecretsDeclared(t, games(t)) }

func TestPlaythroughs(t *testing.T) {
	enginetest.Playthroughs(t, enginetest.Game(t, "liars_dice"), 1)
	enginetest.Golden(t, "testdata/playthroughs/three_seats.txt", enginetest.Playthrough(enginetest.Game(t, "liars_dice(players=3,dice=2)"), 1))
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n != 6 {
		t.Errorf("%d scripts, want 6", n)
	}
}

func FuzzLoad(f *testing.F) { enginetest.FuzzLoad(f, 15, 1, games(f)...) }

func FuzzPlay(f *testing.F) { enginetest.Fuzz(f, nil, games(f)...) }

// The counts are those of OpenSpiel's api_test (TOTAL_NUM_STATES and
// PERFECT_RECALL_NUM_STATES). They come about if every set of the twelve bids that is not
// empty is a way to bid for 36 pairs of dice, and the call is asked for after each.
func TestTreeCounts(t *testing.T) {
	got := enginetest.Count(enginetest.Game(t, "liars_dice"))
	want := enginetest.Counts{Chance: 7, Decisions: 147456, Terminals: 147420, InfoStates: 24576}
	if got != want {
		t.Errorf("tree has %+v, want %+v", got, want)
	}
}

// Of two dice a seat knows what they show: two faces make 4 rolls and 3 hands, and
// after every set of the 8 bids somebody is asked.
func TestOrderOfDiceIsForgotten(t *testing.T) {
	got := enginetest.Count(enginetest.Game(t, "liars_dice(dice=2,faces=2)"))
	want := enginetest.Counts{Chance: 1 + 2 + 4 + 8, Decisions: 16 << 8, Terminals: 16 * (1<<8 - 1), InfoStates: 3 << 8}
	if got != want {
		t.Errorf("tree has %+v, want %+v", got, want)
	}
}

// A key has the dice that the seat sees and the bids, after the call all dice.
func TestInfoStates(t *testing.T) {
	const text = "liars_dice(players=3,dice=2)"
	for position, want := range map[string]string{
		`{"dice":[[3,1],[6],[]]}`:                                         "1:??|6|",
		`{"dice":[[3,1],[6,6],[2,5]],"bids":["1-2","3-1"]}`:               "1:??|66|??:1-2 3-1",
		`{"dice":[[3,1],[6,6],[2,5]],"bids":["1-2","3-1"],"called":true}`: "1:13|66|25:1-2 3-1 Liar",
	} {
		s := enginetest.Load[*liarsdice.State](t, text, position)
		view := engine.Look(s, 1).(*liarsdice.View)
		if got := string(s.InfoState(nil, 1)); got != want || string(view.InfoState(nil, 1)) != want {
			t.Errorf("%s: keys are %q and %q, want %q", position, got, view.InfoState(nil, 1), want)
		}
	}
}

func TestBadPositions(t *testing.T) {
	enginetest.BadPositions(t, enginetest.Game(t, "liars_dice(players=3,dice=2,faces=4)"), map[string]string{
		`{"dice":[[1],[2],[]]}`:                             `dice of seat 0: 1 were rolled, after 2 of all seats it is 2 (R1.1)`,
		`{"dice":[[1,1,1],[],[]]}`:                          `dice of seat 0: 3 were rolled, after 3 of all seats it is 2 (R1.1)`,
		`{"dice":[[1,5],[],[]]}`:                            `dice of seat 0 is 5, it must be 1 to 4`,
		`{"dice":[[1,2]]}`:                                  `dice has 1 entries, it has one for each of the 3 seats`,
		`{"dice":[[1],[],[]],"rolled":2}`:                   `rolled is 2, but it follows from the rest that it is 1`,
		`{"dice":[[1,1],[1,1],[1]],"bids":["1-1"]}`:         `bids: there are 1 before all dice are rolled (R2.1)`,
		`{"dice":[[1,1],[1,1],[1,1]],"bids":["1-2","1-1"]}`: `bids: 1-1 does not follow 1-2, each is higher than the last (R2.2)`,
		`{"dice":[[1,1],[1,1],[1,1]],"bids":["1-2","1-2"]}`: `bids: 1-2 does not follow 1-2`,
		`{"dice":[[1,1],[1,1],[1,1]],"bids":["7-1"]}`:       `bids[0] "7-1" is unknown`,
		`{"dice":[[1,1],[1,1],[1,1]],"bids":["Liar"]}`:      `bids[0] "Liar" is unknown`,
		`{"dice":[[1,1],[1,1],[1,1]],"called":true}`:        `called is true before the first bid (R2.3)`,
		`{"cups":[]}`: `unknown field "cups"; fields: dice, rolled, bids, called`,
	})
}
