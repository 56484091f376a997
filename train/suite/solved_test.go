//go:build !race

// One goroutine counts and solves here: the race detector would look for minutes and has nothing
// to find.

package suite

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"powderkeg/train/solve"
)

// TestMinisAreSolved: the whole tree of every mini, with what a seat sees for what it knows.
// CFR+ comes to within a thousandth of an equilibrium, whose values and what uniform play
// leaves to gain are the table of the page.
func TestMinisAreSolved(t *testing.T) {
	t.Parallel()
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, "| task | nodes | information states | value by seat | NashConv of uniform play |")
	fmt.Fprintln(&b, "|---|---|---|---|---|")
	minis := 0
	for i := range d.Tasks {
		task := &d.Tasks[i]
		if task.Tier != Mini {
			continue
		}
		minis++
		tree, err := solve.Build(context.Background(), task.game, solve.Limits{ByView: true})
		if err != nil {
			t.Fatal(err)
		}
		solver, err := solve.New(tree, solve.Default(solve.CFRPlus))
		if err != nil {
			t.Fatal(err)
		}
		const most = 300
		for range most {
			solver.Iterate()
		}
		e := tree.Evaluate(solver.Average())
		if !(e.NashConv <= 1e-3) {
			t.Errorf("%s: NashConv is %g after %d iterations, want at most a thousandth", task.Name, e.NashConv, most)
		}
		uniform := tree.Evaluate(tree.Uniform())
		if uniform.NashConv < 0.05 {
			t.Errorf("%s: uniform play leaves %g to gain: there is nothing to learn", task.Name, uniform.NashConv)
		}
		var values []string
		for _, v := range e.Values {
			values = append(values, fmt.Sprintf("%+.2f", math.Round(v*100)/100+0)) // no -0.00
		}
		c := tree.Counts()
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %.3f |\n", task.Name, c.Chance+c.Decisions+c.Terminals, c.InfoStates, strings.Join(values, ", "),
			uniform.NashConv)
	}
	if minis != 5 {
		t.Errorf("%d minis, want one for each game", minis)
	}
	fresh(t, page, "solved", b.String())
}
