package bloc_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// since returns the answers that a document of a state holds, nil for one at rest.
func since(t *testing.T, s engine.View) []string {
	t.Helper()
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Since []string }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Since
}

// The proof beside Rests says how many answers lie between two positions at rest. Crowded
// games come nowhere near, and each of their moments comes back as it was.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	longest, middles := 0, 0
	for i, name := range settings {
		g := enginetest.Game(t, name)
		rng := rand.NewPCG(11, uint64(i))
		for range enginetest.Times(3) {
			s, err := g.Load([]byte(rich(g, rng)), engine.Lenient)
			if err != nil {
				s = g.New()
			}
			for ply := 0; s.ToAct() != engine.Terminal; ply++ {
				n := 0
				if ply%3 == 0 {
					n = len(since(t, s))
				}
				if longest = max(longest, n); n > 0 && ply%6 == 0 {
					middles++
					text, _ := s.MarshalJSON()
					if again, err := g.Load(text, engine.Lenient); err != nil || again.Hash() != s.Hash() || len(since(t, again)) != n {
						t.Fatalf("%s: a moment after %d answers does not come back: %v\n%s", name, n, err, text)
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if longest < 5 || longest > 363 || middles < 150 {
		t.Errorf("the longest trail has %d answers, of %d moments", longest, middles)
	}
	t.Logf("the longest trail has %d answers, of %d moments", longest, middles)
}

// R15.1 and R15.2: the answers since hold secrets, in two worlds different ones, and are in no
// view. A state that was dealt anew does not know them, and refuses to be written until it rests.
func TestTrailsReachNoSeat(t *testing.T) {
	const loot = `{"active":"workers","dice":[6,6],"districts":{"commercial_3":{"blocs":{"workers":1}}},"hands":{"workers":[%CARD]}}`
	g := enginetest.Game(t, coop)
	here := load(t, coop, strings.ReplaceAll(loot, "%CARD", `"lumber"`))
	there := load(t, coop, strings.ReplaceAll(loot, "%CARD", `"bikes"`))
	do(t, coop, here, "LOOT_GRAFFITI", "CELL_12", "LOOT_BIKES")
	do(t, coop, there, "LOOT_GRAFFITI", "CELL_12", "LOOT_LUMBER")
	if a, b := strings.Join(since(t, here), " "), strings.Join(since(t, there), " "); a != "LOOT_GRAFFITI CELL_12 LOOT_BIKES" || b != "LOOT_GRAFFITI CELL_12 LOOT_LUMBER" {
		t.Errorf("since is %s here, %s there", a, b)
	}
	for p := engine.Player(1); p < 4; p++ {
		sameViews(t, "a card that another has drawn", true, here, there, p)
		text, err := view(here, p).MarshalJSON()
		if err != nil || strings.Contains(string(text), `"since"`) || strings.Contains(string(text), `"rest"`) {
			t.Errorf("seat %d sees the trail: %s, %v", p, text, err)
		}
		dealt := engine.Clone(g, here).(*bloc.State) // which has the answers, until it is dealt anew
		dealt.Redeal(view(here, p), rand.NewPCG(1, uint64(p)))
		if text, err := dealt.MarshalJSON(); !errors.Is(err, engine.ErrUnderWay) || strings.Contains(err.Error(), "BIKES") {
			t.Errorf("a new deal for seat %d in the middle of an action is written: %s, %v", p, text, err)
		}
		do(t, coop, dealt, "REACTION_3")
		text, err = dealt.MarshalJSON()
		if err != nil {
			t.Fatalf("a new deal for seat %d is not written at rest: %v", p, err)
		}
		if again, err := g.Load(text, engine.Strict); err != nil || again.Hash() != dealt.Hash() {
			t.Errorf("a new deal for seat %d does not come back: %v", p, err)
		}
		do(t, coop, dealt, "END_ACTIONS")
		if names := since(t, dealt); len(names) != 0 {
			t.Errorf("since is %v at the first ops card, where a position rests", names)
		}
	}
}

// A state that keeps no answers plays the same game, and is written where it rests.
func TestUnwrittenStatesKeepNothing(t *testing.T) {
	g := enginetest.Game(t, coop)
	kept, light := g.New(), engine.Unwritten(g)
	rng := rand.NewPCG(3, 3)
	for ply := range 400 {
		a, errA := kept.MarshalJSON()
		b, errB := light.MarshalJSON()
		if middle := since(t, kept) != nil; errA != nil || errors.Is(errB, engine.ErrUnderWay) != middle || !middle && string(a) != string(b) {
			t.Fatalf("after %d moves, in the middle %v: %v, %v", ply, middle, errA, errB)
		}
		moves := engine.Moves(kept)
		a0 := moves[engine.Uint32N(rng, uint32(len(moves)))]
		if kept.Apply(a0) != nil || light.Apply(a0) != nil || kept.Hash() != light.Hash() {
			t.Fatalf("the two part after %d moves", ply)
		}
		if ply%10 == 0 {
			light.CopyFrom(kept)
			again := g.New()
			again.CopyFrom(light)
			again.CopyFrom(kept)
			if text, err := again.MarshalJSON(); err != nil || string(text) != string(must(kept.MarshalJSON())) {
				t.Fatalf("a copy is written as %s, %v", text, err)
			}
		}
		if kept.ToAct() == engine.Terminal {
			return
		}
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// The bytes of a trail are told, so that they are charged.
func TestTrailsAreCharged(t *testing.T) {
	g := enginetest.Game(t, coop)
	if n := g.New().(engine.Keeper).Kept(); n < 1500 || n > 8000 {
		t.Errorf("a new state keeps %d bytes", n)
	}
	if n := engine.Unwritten(g).(engine.Keeper).Kept(); n != 0 {
		t.Errorf("a state that keeps nothing keeps %d bytes", n)
	}
}
