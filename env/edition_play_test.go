package env_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// What a game by other values shows stays within the bounds of the layout, is drawn, and tells
// of its own values: encoders and drawings read the game that they are given.
func TestEditionsAreObservedAndDrawn(t *testing.T) {
	for text, sets := range map[string][]enginetest.Set{
		"jogu": {
			{File: "cards", At: "cards[dragoon].morale", Value: 10}, {File: "factions", At: "factions[guards].total_morale", Value: 64 + 5*9},
			{File: "setup", At: "parameters[start_morale].value", Value: 30},
		},
		"domination(turns=2)": {{File: "cards", At: "cards[2].build", Value: 3}, {File: "map", At: "land_areas[CAN].name", Value: "Northland"}},
		"insurgency": {
			{File: "map", At: "spaces[mesa].terrain", Value: "open"}, {File: "tables", At: "random_region_d20.rows[1].region", Value: "big_sky"},
			{File: "event_cards", At: "cards[1].name", Value: "A New Name"},
		},
		"bloc": {{File: "loot_cards", At: "cards[bikes].name", Value: "Bicycles"},
			{File: "loot_cards", At: "cards[energy_drinks].effects[1].n", Value: 3}},
		"minuteman": {{File: "map", At: "hexes[1205].terrain", Value: "clear"}, {File: "units", At: "cig.steps[2].attack", Value: 12}},
	} {
		t.Run(text, func(t *testing.T) {
			g := enginetest.Edition(t, text, sets...)
			e, err := env.EncoderFor(g)
			if err != nil {
				t.Fatal(err)
			}
			layout := e.Layout()
			obs := make([]float32, layout.Size)
			rng := rand.New(rand.NewPCG(5, 6))
			s := g.New()
			for ply := 0; s.ToAct() != engine.Terminal && ply < 600; ply++ {
				moves := engine.Moves(s)
				if p := s.ToAct(); p >= 0 && ply%20 == 0 {
					view := engine.Look(s, p)
					e.Encode(obs, view, p)
					for _, f := range layout.Fields {
						for i := range f.Size {
							if x := obs[f.Offset+i]; x < f.Min || x > f.Max {
								t.Fatalf("%s[%d] is %g, the layout says %g to %g", f.Name, i, x, f.Min, f.Max)
							}
						}
					}
					if _, err := drawing.Draw(g, view); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Apply(moves[rng.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
			if text == "insurgency" { // its observation has constants of the map
				shipped := slices.Clone(obs)
				start := engine.Look(g.New(), 0)
				e.Encode(obs, start, 0)
				e.Encode(shipped, engine.Look(enginetest.Game(t, text).New(), 0), 0)
				if slices.Equal(obs, shipped) {
					t.Error("the observation does not have the terrain of the edition")
				}
			}
			drawn := map[string]bool{}
			for _, c := range drawing.Cards(g) {
				drawn[c.Title] = true
			}
			if name := map[string]string{"insurgency": "A New Name", "bloc": "Bicycles"}[text]; name != "" && !drawn[name] {
				t.Errorf("the cards do not have %s", name)
			}
		})
	}
}
