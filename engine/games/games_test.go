package games_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

func ExampleNew() {
	g, err := games.New("tictactoe")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := g.New()
	for s.ToAct() >= 0 {
		if err := s.Apply(s.Legal(nil)[0]); err != nil {
			fmt.Println(err)
			return
		}
	}
	position, _ := s.MarshalJSON()
	fmt.Printf("%s returns %v\n", position, s.Returns(nil))
	// Output: {"board":["xox","oxo","x.."]} returns [1 -1]
}

func TestEveryFamilyHasADefaultGame(t *testing.T) {
	for _, f := range games.Families() {
		g, err := games.New(f.Name)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if g.Spec().Name != f.Name || g.Spec().Title != f.Title || g.Spec().Text != f.Name {
			t.Errorf("%s: spec says %q, %q, %q", f.Name, g.Spec().Name, g.Spec().Title, g.Spec().Text)
		}
	}
}

func TestErrorsListTheChoices(t *testing.T) {
	for text, want := range map[string]string{
		"chess":        `unknown game "chess"; games: kuhn, leduc, tictactoe, connect4`,
		"kuhn(seat=1)": `kuhn has no option "seat"; its options: none`,
	} {
		if _, err := games.New(text); !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
