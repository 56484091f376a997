package bank

import (
	"context"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/train/solve"
)

// TestGuess sets guesses beside trees that are built: most are right within a factor of two.
func TestGuess(t *testing.T) {
	near, all := 0, 0
	for _, name := range []string{"kuhn", "leduc", "liars_dice", "tictactoe"} {
		c := Default(enginetest.Game(t, name))
		tree, err := solve.Build(context.Background(), c.Game, solve.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f := finder{config: &c}
		c.Limits.Nodes = tree.Nodes()
		guess, _ := f.guess(c.Game.New())
		if again, _ := f.guess(c.Game.New()); again != guess {
			t.Errorf("%s: guesses of one position are %g and %g", name, guess, again)
		}
		t.Logf("%s: %d nodes, guessed %.0f", name, tree.Nodes(), guess)
		if all++; guess > float64(tree.Nodes())/2 && guess < 2*float64(tree.Nodes()) {
			near++
		}
		c.Limits.Nodes = 1
		if nodes, _ := f.guess(c.Game.New()); nodes <= 1 {
			t.Errorf("%s would be looked at with a limit of one node", name)
		}
	}
	if near < all-1 {
		t.Errorf("%d of %d guesses are near", near, all)
	}
}
