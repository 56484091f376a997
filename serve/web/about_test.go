package web

import (
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// What the log says finds its place on the board, in every game with one: of the events of
// random play that are about something, many are about a space of the drawing.
func TestEventsAreAboutSpaces(t *testing.T) {
	for _, game := range []string{"jogu", "domination", "insurgency", "bloc", "minuteman"} {
		g, err := env.NewGame(game)
		if err != nil {
			t.Fatal(err)
		}
		s, rng := g.New(), rand.NewPCG(1, 1)
		picture, err := drawing.Draw(g, engine.Look(s, 0))
		if err != nil {
			t.Fatal(err)
		}
		found, all := map[string]bool{}, 0
		s.(engine.Narrator).Listen(func(e *engine.Event) {
			all++
			for _, name := range about(e) {
				if strings.Contains(string(picture), `data-space="`+name+`"`) {
					found[name] = true
				}
			}
		})
		for move := 0; move < 600 && s.ToAct() != engine.Terminal; move++ {
			var a engine.Action
			if s.ToAct() == engine.Chance {
				a = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)
			} else {
				legal := s.Legal(nil)
				a = legal[engine.Uint32N(rng, uint32(len(legal)))]
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		if len(found) < 5 {
			t.Errorf("%s: %d events are about the spaces %v, want 5 at least", game, all, found)
		}
	}
}

// Dice that are thrown and cards that are seen are told of in the games that have some; every such card has a face.
func TestEventsTellOfDiceAndCards(t *testing.T) {
	for _, c := range []struct {
		game        string
		dice, cards bool
	}{{"jogu", false, true}, {"domination", false, true}, {"insurgency", true, true}, {"bloc", true, true}, {"minuteman", true, false}} {
		g, err := env.NewGame(c.game)
		if err != nil {
			t.Fatal(err)
		}
		names := cardNames(g)
		dice, cards := 0, map[string]bool{}
		s, rng := g.New(), rand.NewPCG(1, 1)
		s.(engine.Narrator).Listen(func(e *engine.Event) {
			if thrown(e) > 0 {
				dice++
			}
			if name := turned(e, names); name != "" {
				cards[name] = true
			}
		})
		for move := 0; move < 3000 && s.ToAct() != engine.Terminal; move++ {
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
		if (dice > 0) != c.dice || (len(cards) > 3) != c.cards {
			t.Errorf("%s: %d dice are thrown, and the cards %v are seen", c.game, dice, cards)
		}
		for name := range cards {
			if face := drawing.Face(g, name); !strings.Contains(string(face), "<svg") {
				t.Errorf("%s: the card %q has no face", c.game, name)
			}
		}
	}
}
