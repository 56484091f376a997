package jogu_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

// other are other values than those that ship: an owner's, as the check-list asks for them.
var other = []enginetest.Set{
	{File: "cards", At: "cards[dragoon].strength", Value: 7}, {File: "cards", At: "cards[dragoon].capacity_strength", Value: 7},
	{File: "cards", At: "cards[dragoon].copies", Value: 4}, {File: "cards", At: "cards[explorer].copies", Value: 9}, {File: "cards",
		At: "cards[knight_2].morale", Value: 5},
	{File: "factions", At: "factions[guards].total_strength", Value: 143}, {File: "factions", At: "factions[guards].total_morale", Value: 68},
	{File: "setup", At: "parameters[start_morale].value", Value: 21},
}

// An edition is a game as any other, and plays by its values.
func TestEditionConforms(t *testing.T) {
	g := enginetest.Edition(t, "jogu(second=mibits)", other...)
	enginetest.Run(t, enginetest.Suite{Game: g, Games: 2, Every: 11, Position: jogu.Position{}, Reveals: comesToLight})
	enginetest.Allocs(t, g)
	if got := g.New().(*jogu.State).P.Morale; got != [2]uint16{21, 21} {
		t.Errorf("the game begins with morale %v, the edition says 21", got)
	}
	if d := jogu.Decks(g)[0].Cards[1]; d.Strength != 7 {
		t.Errorf("%s has Strength %d, the edition says 7", d.Name, d.Strength)
	}
	if d := jogu.Decks(enginetest.Game(t, "jogu"))[0].Cards[1]; d.Strength != 2 {
		t.Errorf("the shipped %s has Strength %d", d.Name, d.Strength)
	}
}
