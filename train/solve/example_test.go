package solve_test

import (
	"context"
	"fmt"
	"strings"

	"powderkeg/engine/games"
	"powderkeg/train/solve"
)

func Example() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	tree, err := solve.Build(context.Background(), g, solve.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	solver, err := solve.New(tree, solve.Default(solve.CFRPlus))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 1000 {
		solver.Iterate()
	}
	e := tree.Evaluate(solver.Average())
	fmt.Printf("value %.4f, exploitability %.6f\n", e.Values[0], e.Exploitability)
	// Output: value -0.0556, exploitability 0.000087
}

// ExampleTree_Policy measures a player that never folds a king.
func ExampleTree_Policy() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	tree, err := solve.Build(context.Background(), g, solve.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, err := tree.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			probabilities[i][0], probabilities[i][1] = 0.5, 0.5
			if strings.Contains(s.Key, "K") {
				probabilities[i][0], probabilities[i][1] = 0, 1
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", tree.Evaluate(policy).Exploitability)
	// Output: 0.1667
}
