package roster

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/agents/planner"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
)

// TestPlanners: a planner's checkpoint plays by every name that it can have, and the same; its
// network can be taken away.
func TestPlanners(t *testing.T) {
	g := enginetest.Game(t, "tictactoe")
	p, err := planner.New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.New(network.Config{Inputs: len(p.Features()), Actions: 1, Seats: 1, Hidden: []int{8}, Activation: network.ReLU}, rand.NewPCG(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range net.Layers()[1].Weight { // strong opinions
		net.Layers()[1].Weight[i] *= 1000
	}
	c, err := planner.Checkpoint(g, p, planner.Config{}, net)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() + "/bot"
	if err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	s := g.New()
	first := func(name string) int {
		a, err := New(g, name)
		if err != nil {
			t.Fatal(err)
		}
		a.Start(0, 1)
		move, err := a.Act(context.Background(), s, s.Legal(nil))
		if err != nil {
			t.Fatal(err)
		}
		policies, err := Policies(g, name)
		if err != nil {
			t.Fatal(err)
		}
		if again := policies().Choose(s, 0, s.Legal(nil), rand.NewPCG(1, 1)); again != move {
			t.Errorf("%s: the policy plays %d, the agent %d", name, again, move)
		}
		return int(move)
	}
	by := first("planner(net=" + dir + ")")
	if other := first("checkpoint:" + dir); other != by {
		t.Errorf("as a checkpoint it plays %d, as a planner %d", other, by)
	}
	if zero := first("planner(net=" + dir + ",policy=0)"); zero != 0 || by == 0 {
		t.Errorf("it plays %d with its network and %d without, want another action and the first", by, zero)
	}
	if alone := first("planner(net=" + dir + ",advice=0)"); alone != by { // every plan has the same worth here
		t.Errorf("without worths that are all the same it plays %d, with them %d", alone, by)
	}
	if _, err := New(g, "planner(advice=0)"); !errors.Is(err, option.ErrUsage) {
		t.Errorf("neither a network nor worths: error %v, want wrong usage", err)
	}
	if _, err := New(g, "planner(net=zoo:bloc)"); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a network that is no planner's: error %v, want wrong usage", err)
	}
}
