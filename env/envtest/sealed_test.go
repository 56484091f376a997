package envtest_test

import (
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env/envtest"
)

func TestSealedGamesConform(t *testing.T) {
	for _, g := range []engine.Game{envtest.NewAuction(), envtest.NewHunt()} {
		enginetest.Run(t, enginetest.Suite{Game: g, Games: 50, Every: 1})
	}
}

func TestSealedGamesPay(t *testing.T) {
	for _, test := range []struct {
		game  *envtest.Sealed
		moves string
		want  []float32
	}{
		{envtest.NewAuction(), "worth 4, worth 3, worth 2, worth 1, bid 4, bid 3, bid 2, bid 1", []float32{1, 0, 0, 0}},
		{envtest.NewAuction(), "worth 1, worth 3, worth 3, worth 1, bid 0, bid 2, bid 2, bid 1", []float32{0, 0.5, 0.5, 0}},
		{envtest.NewAuction(), "worth 4, worth 1, worth 1, worth 1, bid 0, bid 0, bid 0, bid 0", []float32{1, 0.25, 0.25, 0.25}},
		{envtest.NewAuction(), "worth 1, worth 1, worth 1, worth 1, bid 0, bid 4, bid 3, bid 3", []float32{0, -2, 0, 0}},
		{envtest.NewHunt(), "loot 1, loot 2, loot 1, help, help, help", []float32{10, 10, 10}},
		{envtest.NewHunt(), "loot 1, loot 2, loot 2, loot, loot, help", []float32{1, 2, 0}},
	} {
		s := test.game.New()
		for name := range strings.SplitSeq(test.moves, ", ") {
			a, err := engine.FindMove(test.game, s, name)
			if err == nil {
				err = s.Apply(a)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Returns(nil); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %s pays %v, want %v", test.game.Spec().Name, test.moves, got, test.want)
		}
	}
}
