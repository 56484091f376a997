package jogu_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
	"powderkeg/engine/script"
)

// settings are game strings that together use every option and every deck on
// both sides.
var settings = []string{
	"jogu",
	"jogu(first=mibits,second=mibits)",
	"jogu(first=agents,second=mibits,start=second)",
	"jogu(first=engineers,second=agents,auto_forced=false)",
	"jogu(first=engineers,second=guards,start=first)",
	"jogu(first=hours,second=wu,expansion=true)",
	"jogu(first=any,second=any,expansion=true)",
	"jogu(first=any,second=any,auto_forced=false)",
}

func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 4, Every: 7, Position: jogu.PlainPosition, Reveals: comesToLight})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n != 74 {
		t.Errorf("%d scripts of the specification's examples, want 74", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
}

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, comesToLight, all...)
}

// FuzzLoad reads positions from arbitrary bytes: each is refused with an error
// that wraps ErrPosition, or is a state that can be played on, dumped and read
// again.
func FuzzLoad(f *testing.F) {
	g := enginetest.Game(f, "jogu(first=mibits,second=engineers,expansion=true,start=first)")
	rng := rand.NewPCG(6, 6)
	for range 4 {
		s := g.New()
		for ply := 0; s.ToAct() != engine.Terminal; ply++ {
			if data, err := s.MarshalJSON(); err == nil && ply%20 == 0 {
				f.Add(data)
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				f.Fatal(err)
			}
		}
	}
	scripts, err := filepath.Glob("testdata/*/*.json")
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
		for range 60 {
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
