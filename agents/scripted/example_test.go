package scripted_test

import (
	"context"
	"fmt"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/agents/table"
	"powderkeg/engine/games"
)

func Example() {
	g, err := games.New("connect4")
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, err := scripted.New(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	seats := []agents.Agent{agents.FromPolicy(policy), random.New()}
	returns, err := table.New(g).Play(context.Background(), seats, table.Seeds{Agents: 1}, table.Options{})
	fmt.Println(returns, err)
	// Output: [1 -1] <nil>
}
