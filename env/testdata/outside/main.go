// A module of yours that uses Powderkeg: it plays a game of Jogu between a scripted player and a random
// one. env/outside_test.go builds and runs it.
package main

import (
	"context"
	"fmt"
	"log"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/agents/table"
	"powderkeg/engine/games"
)

func main() {
	g, err := games.New("jogu")
	if err != nil {
		log.Fatal(err)
	}
	player, err := scripted.New(g)
	if err != nil {
		log.Fatal(err)
	}
	seats := []agents.Agent{agents.FromPolicy(player), random.New()}
	returns, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: 1, Agents: 2}, table.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Spec().Title, returns)
}
