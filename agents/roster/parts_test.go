package roster

import (
	"errors"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
)

// TestPartsOf: every part of an agent is an agent, a network without an adviser has none, and
// what is no trained agent is refused.
func TestPartsOf(t *testing.T) {
	g := enginetest.Game(t, "minuteman")
	for _, name := range []string{"zoo:minuteman", "network(net=zoo:minuteman,slips=0.5)"} {
		got, err := PartsOf(g, name)
		want := Parts{
			Whole: "network(net=zoo:minuteman)", Network: "network(net=zoo:minuteman,advice=0)",
			Adviser: "network(net=zoo:minuteman,policy=0)", Advised: "network(net=zoo:minuteman,policy=0,temperature=0)",
		}
		if err != nil || got != want {
			t.Errorf("%s consists of %+v, error %v", name, got, err)
		}
	}
	for _, part := range []string{"network(net=zoo:minuteman,advice=0)", "network(net=zoo:minuteman,policy=0,temperature=0)"} {
		if _, err := New(g, part); err != nil {
			t.Error(err)
		}
	}
	if got, err := PartsOf(enginetest.Game(t, "jogu"), "zoo:jogu"); err != nil || got != (Parts{Whole: "network(net=zoo:jogu)"}) {
		t.Errorf("a network without an adviser consists of %+v, error %v", got, err)
	}
	for _, name := range []string{"scripted", "network(net=zoo:minuteman,advice=0)", "planner", "zoo:nobody", "planner(net=zoo:minuteman)", "nobody"} {
		if got, err := PartsOf(g, name); !errors.Is(err, option.ErrUsage) {
			t.Errorf("%s consists of %+v, error %v; want wrong usage", name, got, err)
		}
	}
}
