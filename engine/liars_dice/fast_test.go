package liarsdice

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
)

// TestFastFormsAreThoseOfTheShell plays the same games by the methods of State and by those of
// the shell that it embeds.
func TestFastFormsAreThoseOfTheShell(t *testing.T) {
	for _, text := range []string{
		"liars_dice", "liars_dice(dice=3)", "liars_dice(players=3,faces=2)", "liars_dice(players=6,dice=5)", "liars_dice(players=5,dice=2,faces=3)",
	} {
		made, err := engine.Families{Family}.New(text)
		if err != nil {
			t.Fatal(err)
		}
		g, rng := made.(*game), rand.NewPCG(1, 2)
		for range 300 {
			fast, plain := g.New().(*State), g.New().(*State)
			for fast.ToAct() != engine.Terminal {
				legal := fast.Legal(nil)
				if want := plain.State.Legal(nil); !slices.Equal(legal, want) {
					t.Fatalf("%s: legal are %v, by the shell %v", g.spec.Text, legal, want)
				}
				if fast.ToAct() == engine.Chance {
					one, other := *rng, *rng
					a, _ := fast.Draw(&one, nil)
					b, _ := plain.State.Draw(&other, nil)
					if a != b || one != other {
						t.Fatalf("%s: draws %d, by the shell %d", g.spec.Text, a, b)
					}
					*rng = one
				} else {
					a := legal[engine.Uint32N(rng, uint32(min(len(legal), 8)))]
					if err := fast.Apply(a); err != nil {
						t.Fatal(err)
					}
					if err := plain.State.Apply(a); err != nil {
						t.Fatal(err)
					}
				}
				if fast.P != plain.P {
					t.Fatalf("%s: the position is\n%+v\nby the shell\n%+v", g.spec.Text, fast.P, plain.P)
				}
			}
		}
	}
}
