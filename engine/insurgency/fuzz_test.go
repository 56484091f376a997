package insurgency_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/script"
)

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, handSeen, all...)
}

// FuzzLoad reads positions from arbitrary bytes: each is refused with an error
// that wraps ErrPosition, or is a state that can be played on, dumped and read
// again.
func FuzzLoad(f *testing.F) {
	g := enginetest.Game(f, "insurgency")
	rng := rand.NewPCG(6, 6)
	for range 2 {
		s := g.New()
		for ply := 0; s.ToAct() != engine.Terminal; ply++ {
			if data, err := s.MarshalJSON(); err == nil && ply%40 == 0 {
				f.Add(data)
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				f.Fatal(err)
			}
		}
	}
	scripts, err := filepath.Glob("testdata/rules/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range scripts {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		parsed, err := script.Parse(data)
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(parsed.Position))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := g.Load(data, engine.Lenient)
		if err != nil {
			if !errors.Is(err, engine.ErrPosition) {
				t.Fatalf("the error %q does not wrap ErrPosition", err)
			}
			return
		}
		rng := rand.NewPCG(uint64(len(data)), 7)
		for range 8 {
			text, err := s.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			again, err := g.Load(text, engine.Lenient)
			if err != nil || again.Hash() != s.Hash() {
				t.Fatalf("%s does not survive being read: %v", text, err)
			}
			for p := range engine.Player(2) {
				v, deal := engine.Look(s, p), g.New().(engine.Hidden)
				_ = v.(engine.Teller).Text(p)
				deal.Redeal(v, rng)
			}
			if s.ToAct() == engine.Terminal {
				return
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	})
}
