package told

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"powderkeg/engine"
	"powderkeg/env"
)

// Names are taken apart by the convention, or as their game says.
func TestNamesAreTakenApart(t *testing.T) {
	for game, names := range map[string]map[string]phrase{
		"jogu": {"END": {"END", "", -1}, "LOC_2": {"LOC", "2", -1}, "CARD_good_for_something": {"CARD", "good_for_something", -1},
			"OWN_FIRST": {"OWN_FIRST", "", -1}},
		"domination": {"BUILD_AT CAN": {"BUILD_AT", "CAN", -1}, "DISCARD2_FIRST Domination": {"DISCARD2_FIRST", "Domination", -1},
			"END_TURN": {"END_TURN", "", -1}},
		"bloc":       {"COUNT_3": {"COUNT", "", 3}, "CELL_0": {"CELL", "0", -1}, "MOVE": {"MOVE", "", -1}, "HACKER_SPACE": {"HACKER_SPACE", "", -1}},
		"insurgency": {"AMOUNT_0": {"AMOUNT", "", 0}, "SPACE_east_coast": {"SPACE", "east_coast", -1}},
		"kuhn":       {"pass": {"pass", "", -1}},
		"connect4":   {"column_3": {"column", "3", -1}},
		"tictactoe":  {"a1": {"", "a1", -1}},
		"liars_dice": {"2-4": {"BID", "4", 2}},
		"minuteman": {"3302": {"HEX", "3302", -1}, "NETWORK_WEAK": {"UNIT", "NETWORK_WEAK", -1}, "4": {"AMOUNT", "", 4}, "DONE": {"DONE", "", -1},
			"MODE_AIR_RAIL": {"MODE", "AIR_RAIL", -1}},
	} {
		g, err := env.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		r, v := NewReader(g), engine.Look(g.New(), 0)
		for name, want := range names {
			a := slices.Index(g.Spec().Actions, name)
			if a < 0 {
				t.Fatalf("%s has no action %s", game, name)
			}
			if got := r.parts(v, engine.Action(a)); got != want {
				t.Errorf("%s: %s is taken apart into %+v, want %+v", game, name, got, want)
			}
		}
	}
}

// In random play of every game each choice has words, parts that tell it from all others,
// and a question whose rule stands in the game's rules.
func TestChoicesCanBeTold(t *testing.T) {
	listings, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listings {
		g, err := env.NewGame(l.Name)
		if err != nil {
			t.Fatal(err)
		}
		r, s, rng := NewReader(g), g.New(), rand.NewPCG(1, 2)
		for n := 0; s.ToAct() != engine.Terminal && n < 600; n++ {
			if s.ToAct() >= 0 {
				checkQuestion(t, r, engine.Look(s, s.ToAct()))
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkQuestion(t *testing.T, r *Reader, v engine.View) {
	t.Helper()
	q := r.Question(v)
	if first, _ := utf8.DecodeRuneInString(q.Says); !unicode.IsUpper(first) || len(q.Says) > 160 || strings.HasSuffix(q.Says, ".") ||
		strings.ContainsAny(q.Says, "%\n") || strings.EqualFold(q.Says, q.Title) {
		t.Errorf("question %s is put as %q", q.Name, q.Says)
	}
	if q.Name == "" && q.Rule == "" {
		return // a game whose only question has no name
	}
	if q.Title == "" || q.Text == "" || q.Rule != r.Rule(q.Rule).Number {
		t.Errorf("the question is %+v", q)
	}
	choices := r.Choices(v)
	if len(choices) == 0 {
		t.Errorf("nothing can be answered to %+v", q)
	}
	seen := map[phrase]string{}
	for _, c := range choices {
		k := phrase{c.Verb, c.Object, -1}
		if c.Amount != nil {
			k.amount = *c.Amount
		}
		if other := seen[k]; other != "" || k == (phrase{"", "", -1}) {
			t.Errorf("%s and %s are taken apart into the same %+v", c.Name, other, k)
		}
		if seen[k] = c.Name; c.Words == "" || strings.Contains(c.Words, "\n") {
			t.Errorf("the words of %s are %q", c.Name, c.Words)
		}
	}
}

// Every row of every game's table that asks something has a sentence for it, whether random
// play comes to it or not.
func TestEveryQuestionIsSaid(t *testing.T) {
	listings, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, l := range listings {
		g, err := env.NewGame(l.Name)
		if err != nil {
			t.Fatal(err)
		}
		method := reflect.ValueOf(g).MethodByName("Table")
		if !method.IsValid() {
			continue // a game without a table
		}
		table := method.Call(nil)[0]
		for i := range table.Len() {
			row := table.Index(i)
			if row.FieldByName("Do").IsNil() {
				continue
			}
			if rows++; row.FieldByName("Says").IsNil() {
				t.Errorf("%s: %v says nothing", l.Name, row.FieldByName("Name"))
			}
		}
	}
	if rows < 150 {
		t.Errorf("%d rows were found", rows)
	}
}
