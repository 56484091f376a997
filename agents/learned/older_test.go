package learned

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env/encoding"
)

// later is a game some time later: new rules, and an observation that has grown by a
// field.
type later struct {
	engine.Game
	since int
	inner encoding.Encoder
}

func (g later) Spec() *engine.Spec {
	spec := *g.Game.Spec()
	spec.Version, spec.NetworksSince = 3, g.since
	return &spec
}

func (g later) Encoder() encoding.Encoder { return g }

func (g later) Layout() *encoding.Layout {
	l := *g.inner.Layout()
	l.Version++
	l.Fields = slices.Clone(l.Fields)
	l.Add("news", 0, 9, "what the older observation lacks", nil, 3)
	return &l
}

func (g later) Encode(dst []float32, view engine.View, p engine.Player) {
	n := g.inner.Layout().Size
	g.inner.Encode(dst[:n], view, p)
	for i := range dst[n:] {
		dst[n+i] = float32(i + 7)
	}
}

// A network plays on under rules that it is admitted to and with an observation that
// has grown, and chooses as it did; under other rules it is refused.
func TestOlderNetworksPlayOn(t *testing.T) {
	g, b := brain(t, "tictactoe")
	config, err := json.Marshal(b.Network().Config())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bot")
	c := checkpoints.Checkpoint{
		Manifest: checkpoints.Manifest{Identity: checkpoints.IdentityOf(g, b.encoder.Layout()), Network: config},
		Weights:  b.Network().Tensors(),
	}
	if err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	for _, since := range []int{0, 2} {
		if _, err := Open(later{g, since, b.encoder}, path); !errors.Is(err, checkpoints.ErrVersion) ||
			!strings.Contains(err.Error(), "version 1 of the rules") {
			t.Errorf("networks since %d: error %v, want ErrVersion", since, err)
		}
	}
	old, err := Open(later{g, 1, b.encoder}, path)
	if err != nil {
		t.Fatal(err)
	}
	p, q := b.NewPolicy(1), old.NewPolicy(1)
	positions(t, g, func(s engine.State, legal []engine.Action) {
		x, v := p.Evaluate(nil, s, s.ToAct(), legal)
		y, w := q.Evaluate(nil, s, s.ToAct(), legal)
		near := func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-5 }
		if !slices.EqualFunc(x, y, near) || !slices.EqualFunc(v, w, near) {
			t.Errorf("probabilities %v and values %v have become %v and %v", x, v, y, w)
		}
	})
}
