package serve_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/serve/client"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
)

// What agent.evaluate answers is what the network computes in this process.
func TestEvaluateShowsTheNetwork(t *testing.T) {
	c := config()
	c.Agents = append(c.Agents, "learned")
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		return inference.Untrained(g, 16), text == "learned"
	}
	peer, err := client.Dial(t.Context(), running(t, c))
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	a, err := peer.LoadAgent(t.Context(), &protocol.AgentLoad{Game: "kuhn", Agent: "learned"})
	if err != nil {
		t.Fatal(err)
	}
	game, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := peer.Spec(t.Context(), "kuhn")
	if err != nil {
		t.Fatal(err)
	}
	const n = 3
	obs := make([]float32, n*spec.Layout.Size)
	for i := range obs {
		obs[i] = float32(i % 2)
	}
	got, err := a.Evaluate(t.Context(), obs)
	if err != nil {
		t.Fatal(err)
	}
	logits, values := make([]float32, n*len(spec.Actions)), make([]float32, n*int(spec.Seats))
	brain, err := inference.Untrained(game, 16).Load()
	if err != nil {
		t.Fatal(err)
	}
	brain.Network().Forward(brain.Network().NewWorkspace(n), obs, logits, values)
	if !slices.Equal(got.Logits, logits) || !slices.Equal(got.Values, values) || slices.Max(logits) == slices.Min(logits) {
		t.Errorf("got logits %v and values %v, want %v and %v", got.Logits, got.Values, logits, values)
	}
	for _, x := range []struct {
		name string
		obs  []float32
		want string
	}{{"no observation", nil, "n at least 1"}, {"half an observation", obs[1:], "it is n×"}, {"a number out of bounds",
		append(slices.Clone(obs[1:]), 1e9), "it must be from"}} {
		_, err := a.Evaluate(t.Context(), x.obs)
		wantParams(t, x.name, err, x.want)
	}
}

// wantParams fails unless err has the code params and contains a text.
func wantParams(t *testing.T, name string, err error, text string) {
	t.Helper()
	var fault *protocol.Error
	if !errors.As(err, &fault) || fault.Code != protocol.CodeParams || !strings.Contains(fault.Message, text) {
		t.Errorf("%s: got error %v, want %s with %q", name, err, protocol.CodeParams, text)
	}
}
