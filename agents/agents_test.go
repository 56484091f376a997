package agents_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/games"
)

// caller always takes the last legal action: at kuhn it bets and calls.
type caller struct{}

func (caller) Choose(_ engine.View, _ engine.Player, legal []engine.Action, _ *rand.PCG) engine.Action {
	return legal[len(legal)-1]
}

func ExampleFromPolicy() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := g.New()
	for _, card := range []string{"Q", "K"} {
		a, err := engine.FindMove(g, s, card)
		if err == nil {
			err = s.Apply(a)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	seat := s.ToAct()
	agent := agents.FromPolicy(caller{})
	agent.Start(seat, 1)
	a, err := agent.Act(context.Background(), engine.Look(s, seat), s.Legal(nil))
	fmt.Println(engine.MoveName(g, s, a), err)
	// Output: bet <nil>
}
