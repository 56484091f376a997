package inference

import (
	"errors"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// Whatever is asked of a network that overflows, the answer is why there is none.
func TestANetworkThatOverflowsAnswersWithItsFault(t *testing.T) {
	g := enginetest.Game(t, "leduc")
	broken := brain(t, g, 1)
	for i := range broken.Network().Weights() {
		broken.Network().Weights()[i] = 3e38
	}
	p, _ := pool(t, Config{MaxBatch: 8, Queue: 1})
	a := reopened(t, p, g, &fixed{brain: broken})
	s := enginetest.After(t, g, "Ks", "Qs", "call")
	a.Start(s.ToAct(), 1)
	if _, err := a.Act(t.Context(), engine.Look(s, s.ToAct()), s.Legal(nil)); !errors.Is(err, network.ErrNotFinite) {
		t.Errorf("Act: %v", err)
	}
	obs, masks := rows(t, g, 4)
	if err := a.ActBatch(t.Context(), obs, masks, 4, make([]int32, 4)); !errors.Is(err, network.ErrNotFinite) {
		t.Errorf("ActBatch: %v", err)
	}
	c := broken.Network().Config()
	if err := a.Evaluate(t.Context(), obs, 4, make([]float32, 4*c.Actions), make([]float32, 4*c.Seats)); !errors.Is(err, network.ErrNotFinite) {
		t.Errorf("Evaluate: %v", err)
	}
}
