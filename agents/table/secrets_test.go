package table_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

func TestStands(t *testing.T) {
	for _, c := range []struct {
		game, moves, move string
		want              bool
	}{
		{"connect4", "column_1", "column_2", false}, // nothing is hidden
		{"kuhn", "K Q", "bet", false},
		{"kuhn", "K Q bet", "bet", true}, // a call: both cards are shown
	} {
		g := enginetest.Game(t, c.game)
		s := enginetest.After(t, g, strings.Fields(c.moves)...)
		a, err := engine.FindMove(g, s, c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.NewSecrets(g).Stands(s, a); got != c.want {
			t.Errorf("%s after %q, %s: %t, want %t", c.game, c.moves, c.move, got, c.want)
		}
	}
}

// cardOf returns a game of Domination in which seat 1 holds a card, and seat 0 is to act.
func cardOf(t *testing.T, card, other string) (engine.Game, engine.State) {
	t.Helper()
	base := enginetest.Game(t, "domination(first_player=0,fixed_pool=agricultural_control+airborne_forces+amphibious_assault+petroleum_control+"+
		"attack_helicopters+communications_control+insurgents+show_of_force+surrender+tactical_nukes)")
	g, err := engine.StartAt(base, fmt.Appendf(nil, `{"phase":"card_play","turn":3,"first_player":0,"active":0,
		"hands":{"0":["Domination","Domination"],"1":[%q,"Domination"]},
		"draw_decks":{"0":[{"unknown":{"Domination":2}}],"1":[{"unknown":{%q:1,"Domination":3}}]}}`, card, other))
	if err != nil {
		t.Fatal(err)
	}
	return g, g.New()
}

// Whether a move may have another seat asked in secret, and so stands, does not depend on
// whether it does: with the card in the hand and without it.
func TestSecretQuestionsMayBeAsked(t *testing.T) {
	var asked [2]uint32
	var stands [2]bool
	for world, cards := range [][2]string{{"Airborne Forces", "Surrender"}, {"Surrender", "Airborne Forces"}} {
		g, s := cardOf(t, cards[0], cards[1])
		for _, name := range []string{"BUILD_WITH Domination", "BUILD_AT CAN"} {
			a, err := engine.FindMove(g, s, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		x := table.NewSecrets(g)
		done, err := engine.FindMove(g, s, "DONE")
		if err != nil {
			t.Fatal(err)
		}
		asked[world], _ = x.Asked(s, 0, done)
		stands[world] = x.Stands(s, done)
		if err := s.Apply(done); err != nil {
			t.Fatal(err)
		}
		if really := s.ToAct() == 1 && engine.Look(s, 0).ToAct() == engine.Nobody; really != (world == 0) {
			t.Fatalf("world %d: seat 1 is asked %t", world, really)
		}
	}
	if asked != [2]uint32{2, 2} || stands != [2]bool{true, true} {
		t.Errorf("may be asked %v, stands %v, want seat 1 and true in both worlds", asked, stands)
	}
}

// What is found out follows from what the mover knows: at many moments of every game with
// secrets it is the same in two worlds that the mover cannot tell apart.
func TestSecretsAreTheMoversOwn(t *testing.T) {
	for _, name := range []string{"leduc", "liars_dice", "jogu", "bloc", "domination(players=3)", "insurgency", "minuteman(scenario=partisan)"} {
		g := enginetest.Game(t, name)
		x, deal := table.NewSecrets(g), g.New().(engine.Hidden)
		compared, stands := 0, 0
		for seed := range uint64(3) {
			rng := rand.NewPCG(seed, 7)
			s := g.New()
			for n := 0; n < 300 && s.ToAct() != engine.Terminal; n++ {
				moves := engine.Moves(s)
				a := moves[engine.Uint32N(rng, uint32(len(moves)))]
				if p := s.ToAct(); p >= 0 && (n%20 == 7 || g.Spec().MaxDecisions < 20) {
					deal.Redeal(engine.Look(s, p), rng)
					got, want := x.Stands(deal, a), x.Stands(s, a)
					if got != want {
						t.Fatalf("%s, seed %d, move %d, %s: the move stands %t in one world and %t in another", name, seed, n, engine.MoveName(g, s, a), want, got)
					}
					if compared++; got {
						stands++
					}
				}
				if err := s.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("%s: %d moves, %d of which stand", name, compared, stands)
		if compared == 0 {
			t.Errorf("%s: nothing is compared", name)
		}
	}
}

// BenchmarkStands is what it costs to find out whether a move can be taken back.
func BenchmarkStands(b *testing.B) {
	for _, name := range []string{"jogu", "bloc", "domination", "insurgency", "minuteman"} {
		b.Run(name, func(b *testing.B) {
			g := enginetest.Game(b, name)
			x, rng, s := table.NewSecrets(g), rand.NewPCG(1, 1), g.New()
			for b.Loop() {
				if s.ToAct() == engine.Terminal {
					s = g.New()
				}
				moves := engine.Moves(s)
				a := moves[engine.Uint32N(rng, uint32(len(moves)))]
				if s.ToAct() >= 0 {
					x.Stands(s, a)
				}
				if err := s.Apply(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
