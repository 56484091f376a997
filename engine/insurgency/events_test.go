package insurgency_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// Everything that happens in two rounds is told, in words.
func TestWholeRoundsAreTold(t *testing.T) {
	for name, text := range map[string]string{"patriot": "insurgency", "custom": "insurgency(scenario=custom,mode=random)"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.NewPCG(9, 19)
			s := enginetest.Game(t, text).New().(*insurgency.State)
			told := enginetest.Hear(s, engine.Everything)
			for s.ToAct() != engine.Terminal && look(s).P.Round < 3 {
				step(t, s, rng)
			}
			enginetest.Golden(t, "testdata/told/"+name+".txt", text+"\n\n"+strings.Join(*told, "\n")+"\n")
		})
	}
}

// R19.2: the cards that a side is dealt are told to it alone, all else to both.
func TestR19_2_DealsAreVeiled(t *testing.T) {
	for seat, want := range map[engine.Player][]string{
		insurgency.Rebel:   {"0- R16.1  dealt side=rebel card=36 | The Rebel is dealt 36 Amnesty"},
		insurgency.Federal: {"-1 R16.1  dealt side=rebel | The Rebel is dealt a card"},
	} {
		s := load(t, "insurgency", `{}`)
		told := enginetest.Hear(s, seat)
		if do(t, "insurgency", s, "DEAL_36"); !slices.Equal(*told, want) {
			t.Errorf("seat %d is told %q, want %q", seat, *told, want)
		}
	}
}

// README.md lists every kind of event, and each event names a rule that there is.
func TestEvents(t *testing.T) {
	var games []engine.Game
	for _, text := range settings {
		games = append(games, enginetest.Game(t, text))
	}
	enginetest.Events(t, insurgency.Family, games, "not_placed") // rules/R3.4_lifting_can_be_declined has one
}
