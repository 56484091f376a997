package domination_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// R11.3: what encoders and agents read agrees with the JSON position.
func TestR11_3_AccessorsAgreeWithThePosition(t *testing.T) {
	facts, err := domination.NewFacts()
	if err != nil {
		t.Fatal(err)
	}
	g := enginetest.Game(t, "domination(players=4,turns=4)")
	rng := rand.NewPCG(11, 3)
	for range enginetest.Times(1) {
		for s := g.New().(*domination.State); s.ToAct() != engine.Terminal; {
			if s.ToAct() >= 0 {
				compareAccessors(t, facts, s)
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func compareAccessors(t *testing.T, facts *domination.Facts, s *domination.State) {
	t.Helper()
	m := fields(t, s)
	agree := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s is %v, the position says %v", what, got, want)
		}
	}
	agree("decision", open(s).Decision(), m["decision"])
	agree("turn", open(s).P.Turn, m["turn"])
	agree("first player", open(s).P.First, m["first_player"])
	if active := m["active"]; active != nil {
		agree("active", open(s).Active(), active)
	} else {
		agree("active", open(s).Active(), domination.NoSeat)
	}
	areas := m["areas"].(map[string]any)
	for a, f := range facts.Areas {
		owner, full := domination.NoSeat, false
		if force, ok := areas[f.ID].(map[string]any); ok {
			owner, full = domination.SeatID(force["owner"].(float64)), force["strength"] == "full"
			agree(f.ID+" in Forces", open(s).P.Own[owner]>>a&1, 1)
		}
		agree("owner of "+f.ID, open(s).P.Owner(domination.AreaID(a)), owner)
		agree("strength in "+f.ID, open(s).P.Full>>a&1 == 1, full)
	}
	for p := range engine.Player(open(s).Seats()) {
		key := fmt.Sprint(p)
		hand := m["hands"].(map[string]any)[key].([]any)
		agree("hand size", open(s).P.Seats[p].HandSize, len(hand))
		for c, f := range facts.Cards {
			n := 0
			for _, name := range hand {
				if name == f.Name {
					n++
				}
			}
			agree(f.Name+" in hand", open(s).P.Seats[p].Hand[c], n)
		}
		agree("discards", open(s).P.Seats[p].Discards, len(m["discards"].(map[string]any)[key].([]any)))
		agree("deck size", open(s).P.Seats[p].DeckSize, m["draw_deck_sizes"].(map[string]any)[key])
		agree("vp", open(s).P.VP[p], m["vp"].([]any)[p])
		agree("logistics", open(s).P.Logistics[p], m["logistics"].([]any)[p])
		agree("passed", open(s).P.Passed.Has(domination.SeatID(p)), m["passed"].([]any)[p])
	}
	for c, f := range facts.Cards {
		if n, ok := m["stacks"].(map[string]any)[f.Name]; ok {
			agree("stack of "+f.Name, open(s).P.Stack[c], n)
		}
	}
	use, frame := open(s).P.Frame, m["frame"]
	if frame == nil {
		agree("way", use.Way, domination.NoWay)
		return
	}
	entry := frame.(map[string]any)
	agree("card in use", facts.Cards[use.Card].Name, entry["card"])
	agree("points", use.Points, entry["points"])
	agree("user", use.Actor, entry["actor"])
	agree("lowest area", facts.Areas[use.Last].ID, entry["lowest_area"])
}
