package bloc_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// The proof beside Rests says how many answers lie between two positions at rest. Crowded
// games come nowhere near, and each of their moments comes back as it was.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	enginetest.WalkTrails(t, enginetest.Trails{
		Games: 3, Every: 6, How: engine.Lenient, Least: 5, Most: 363, Middles: 150, Settings: settings,
		Begin: func(g engine.Game, rng *rand.PCG) engine.State {
			if s, err := g.Load([]byte(rich(g, rng)), engine.Lenient); err == nil {
				return s
			}
			return g.New()
		},
	})
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
	if a, b := strings.Join(enginetest.Since(t, here), " "), strings.Join(enginetest.Since(t, there), " "); a != "LOOT_GRAFFITI CELL_12 LOOT_BIKES" ||
		b != "LOOT_GRAFFITI CELL_12 LOOT_LUMBER" {
		t.Errorf("since is %s here, %s there", a, b)
	}
	for p := engine.Player(1); p < 4; p++ {
		sameViews(t, "a card that another has drawn", true, here, there, p)
		dealt := enginetest.TrailReachesNoSeat(t, g, p, here, there, "BIKES").(*bloc.State)
		do(t, coop, dealt, "REACTION_3")
		enginetest.LeadsBack(t, g, dealt, engine.Strict)
		do(t, coop, dealt, "END_ACTIONS")
		if names := enginetest.Since(t, dealt); len(names) != 0 {
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
		if middle := enginetest.Since(t, kept) != nil; errA != nil || errors.Is(errB, engine.ErrUnderWay) != middle || !middle && string(a) != string(b) {
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
