package web

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// What is foreseen of a choice happens when it is made, in this order and before anything else; and where chance
// decides then, what comes is one of what was told.
func TestPreviewsComeTrue(t *testing.T) {
	for _, name := range []string{"connect4", "liars_dice", "jogu", "bloc", "domination(players=3)", "insurgency", "minuteman", "minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		tried, foreseen, wrong, odds := 0, 0, 0, 0
		const enough = 60
		rng, s := rand.NewPCG(3, 5), g.New()
		for n := 0; tried < enough; n++ {
			if s.ToAct() == engine.Terminal {
				s = g.New()
			}
			moves := engine.Moves(s)
			a := moves[engine.Uint32N(rng, uint32(len(moves)))]
			if p := s.ToAct(); p >= 0 && n%4 == 0 {
				v := engine.Look(s, p)
				told, err := foresee(g, v, a)
				if err != nil {
					t.Fatal(err)
				}
				again, err := foresee(g, v, a)
				if err != nil || fmt.Sprint(told) != fmt.Sprint(again) {
					t.Fatalf("%s: the same choice is foreseen in two ways: %v, %v", name, told, again)
				}
				next := engine.Clone(g, s)
				lines, err := followed(next, p, a, drawing.Names(g, v))
				if err != nil {
					t.Fatal(err)
				}
				tried++
				foreseen += len(told.Lines)
				for i, l := range told.Lines {
					if i >= len(lines) || lines[i].Text != l.Text {
						wrong++
						break
					}
				}
				sum := 0.0
				for _, o := range told.Odds {
					sum += o.Probability
				}
				if len(told.Odds) > 0 {
					if odds++; sum < 0.999 || sum > 1.001 || next.ToAct() != engine.Chance {
						t.Errorf("%s: the odds %v of a choice after which %d acts sum to %f", name, told.Odds, next.ToAct(), sum)
					}
				}
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: of %d choices %d lines were foreseen and the odds of %d; %d came otherwise", name, tried, foreseen, odds, wrong)
		// What holds in all of a few worlds may fail in another one.
		if wrong > tried/50 {
			t.Errorf("%s: of %d choices %d came otherwise than foreseen", name, tried, wrong)
		}
	}
}

func TestPreviewsAreOfLegalChoices(t *testing.T) {
	p := open(t, "", nil)
	made := p.order(Order{Game: "connect4", Seats: []Seat{{Person, ""}, {Person, ""}}, Seed: 1})
	path := "/api/tables/" + made.ID + "/preview?action="
	var told Preview
	p.ask("GET", path+"3", made.Tokens[0], nil, 200, &told)
	if !told.Goes || len(told.Odds) > 0 {
		t.Errorf("a stone of Connect Four is foreseen as %+v", told)
	}
	p.problem("GET", path+"7", made.Tokens[0], nil, 409, "not_legal")
	p.problem("GET", path+"3", made.Tokens[1], nil, 409, "not_you")
	if made.Tokens[1] == "" || strings.Contains(fmt.Sprint(told), "seat ") {
		t.Errorf("a preview calls seats by numbers: %+v", told)
	}
}
