package human_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/human"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// until plays at random until a seat has a choice of all of the names but of none of those
// with a leading minus.
func until(t *testing.T, g engine.Game, names string) engine.State {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		s := g.New()
		for s.ToAct() != engine.Terminal {
			moves := engine.Moves(s)
			if s.ToAct() != engine.Chance && !slices.ContainsFunc(strings.Fields(names), func(name string) bool {
				name, without := strings.CutPrefix(name, "-")
				_, err := engine.FindMove(g, s, name)
				return (err == nil) == without
			}) {
				return s
			}
			if err := s.Apply(moves[rng.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatalf("%s: no decision with the choices %s", g.Spec().Text, names)
	return nil
}

// TestNumbersNameThings answers where numbers stand for Locations, hexes, cards and
// amounts, and with names of which a part is possible and the whole is not.
func TestNumbersNameThings(t *testing.T) {
	for _, c := range []struct{ game, choices, answer, want, shown string }{
		{"jogu", "LOC_2 LOC_3 LOC_4", "3", "LOC_3", "#2  LOC_3"},
		{"jogu", "LOC_2 LOC_3 LOC_4", "03", "LOC_3", "(a name, the number in it, #1-#5, or ? for help)"},
		{"jogu", "LOC_2 LOC_3 LOC_4", "#3", "LOC_4", ""},
		{"jogu", "LOC_2 LOC_3 LOC_4", "location 3", "LOC_3", ""},
		{"jogu", "LOC_2 LOC_3 LOC_4", "loc 3", "LOC_3", ""},
		{"jogu", "LOC_2 LOC_3 LOC_4", "1\n2", "LOC_2", "No choice has the number 1 in its name. #1 is choice 1, LOC_2."},
		{"jogu", "LOC_2 LOC_3 LOC_4", "#9\n9\n2", "LOC_2", "There is no choice 9; there are 1 to 5."},
		{"jogu", "LOC_2 LOC_3 LOC_4", "9\n2", "LOC_2", "No choice has the number 9 in its name; show"},
		{"connect4", "column_2 -column_1", "2", "column_2", ""},
		{"connect4", "column_2 -column_1", "column_1\n3", "column_3", `"column 1" cannot be chosen now`},
		{"minuteman", "0612 3015", "3015", "3015", ""},
		{"minuteman", "0612 3015", "612", "0612", ""},
		{"minuteman", "0612 3015", "1\n3015", "3015", "No choice has the number 1 in its name."},
		{"minuteman", "0612 3015", "301\n3015", "3015", "No choice has the number 301 in its name."},
		{"minuteman", "0612 3015", "st. lou", "3015", "509 choices, from 0610 south winter cover to "},
		{"minuteman", "0612 3015", "list springfield\n3015", "3015", "#328  2816  Springfield MO\n"},
		{"insurgency", "OP_fundraise", "borders texas\nfund", "OP_fundraise", "Texas borders "},
		{"insurgency", "OP_fundraise", "borders\nfund", "OP_fundraise", `No space is called ""`},
		{"domination", "PASS", "borders can\npass", "PASS", "Canada borders United States, Russia, Arctic Ocean, North Atlantic, North Pacific."},
		{"minuteman", "0612 3015", "borders 3015\n3015", "3015", "3015 St. Louis borders 3014, 3115"},
		{"minuteman", "0612 3015", "borders st. louis\n3015", "3015", "3015 St. Louis borders 3014, 3115"},
		{"minuteman", "0612 3015", "borders 9999\n3015", "3015", `No space is called "9999"`},
		{"bloc", "BARRICADE", "borders the projects\nbarricade", "BARRICADE", "The Projects borders "},
		{"bloc", "BARRICADE", "borders cell 99\nbarricade", "BARRICADE", `No space is called "cell 99"`},
		{"jogu", "END", "borders can\nend", "END", "not listed here"},
		{"insurgency", "OP_fundraise", "rules\nfund", "OP_fundraise", "\nR7.1  preconditions of operations ("},
		{"insurgency", "CARD_9 -CARD_3 -CARD_1", "card_1\n9", "CARD_9", `"card 1" cannot be chosen now`},
		{"insurgency", "CARD_9 -CARD_3 -CARD_1", "CARD_0\n#1\n", "", `No choice is called "card 0"`},
		{"jogu", "CARD_knight_3 -CARD_knight_2", "knight_2\nknight 3", "CARD_knight_3", `"knight 2" cannot be chosen now`},
	} {
		g := enginetest.Game(t, c.game)
		s := until(t, g, c.choices)
		p := s.ToAct()
		var out strings.Builder
		a := human.New(g, human.NewTerminal(strings.NewReader(c.answer+"\n"), &out))
		a.Start(p, 0)
		got, err := a.Act(context.Background(), engine.Look(s, p), s.Legal(nil))
		said := out.String()
		if err != nil || c.want != "" && engine.MoveName(g, s, got) != c.want {
			t.Errorf("%s, answer %q: got %s, error %v, want %s\n%s", c.game, c.answer, engine.MoveName(g, s, got), err, c.want, said)
		}
		if !strings.Contains(said, c.shown) {
			t.Errorf("%s, answer %q: the output lacks %q:\n%s", c.game, c.answer, c.shown, said)
		}
	}
}
