package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
)

// What the others hold is told of a game against bots, and of one that is over; before
// another person only what is possible for all that the seat knows.
func TestHintAHand(t *testing.T) {
	p := open(t, "", nil)
	position := []byte(`{"cards":["Q","K"]}`) // seat 0 has the lower card
	bots := p.order(Order{Game: "kuhn", Seats: []Seat{{Person, ""}, {Bot, "random"}}, Practice: true, Position: position})
	var deals []Deal
	p.ask("GET", "/api/tables/"+bots.ID+"/deals", bots.Tokens[0], nil, http.StatusOK, &deals)
	if len(deals) != dealt || deals[0].Deal != truth || !strings.Contains(fmt.Sprint(deals[0].Holds), "K") {
		t.Errorf("the deals are %+v", deals)
	}
	p.ask("GET", "/api/tables/"+bots.ID+"/deals?with=j", bots.Tokens[0], nil, http.StatusOK, &deals)
	if len(deals) != dealt || strings.Contains(fmt.Sprint(deals[1:]), "K") {
		t.Errorf("the deals with a jack are %+v", deals)
	}
	worth := func(deal int) float32 {
		var a Hint
		p.ask("GET", fmt.Sprintf("/api/tables/%s/against?deal=%d", bots.ID, deal), bots.Tokens[0], nil, http.StatusOK, &a)
		if len(a.Words) != 2 || len(a.Opinions) != 2 || a.Value == nil {
			t.Fatalf("against deal %d: %+v", deal, a)
		}
		return *a.Value
	}
	if jack, king := worth(deals[1].Deal), worth(truth); jack < king+0.2 {
		t.Errorf("a queen is worth %v against a jack and %v against a king", jack, king)
	}
	p.problem("GET", "/api/tables/"+bots.ID+"/against?deal=99999", bots.Tokens[0], nil, http.StatusNotFound, "no_deal")

	live := p.order(Order{Game: "kuhn", Seats: people(2)})
	p.problem("GET", "/api/tables/"+live.ID+"/deals", live.Tokens[0], nil, http.StatusForbidden, "no_hints")
	p.problem("GET", "/api/tables/"+live.ID+"/against?deal=-1", live.Tokens[0], nil, http.StatusForbidden, "no_hints")

	two := p.order(Order{Game: "kuhn", Seats: people(2), Practice: true, Position: position})
	p.ask("GET", "/api/tables/"+two.ID+"/deals", two.Tokens[0], nil, http.StatusOK, &deals)
	if slices.ContainsFunc(deals, func(d Deal) bool { return d.Deal == truth }) {
		t.Errorf("before another person the truth is told: %+v", deals)
	}
	p.problem("GET", "/api/tables/"+two.ID+"/against?deal=-1", two.Tokens[0], nil, http.StatusNotFound, "no_deal")
	p.problem("GET", "/api/tables/"+two.ID+"/deals", two.Tokens[1], nil, http.StatusConflict, "not_you")
	for seat := 0; ; seat = 1 - seat {
		s := p.look(two.ID, two.Tokens[seat])
		if s.Over != nil {
			break
		}
		p.move(two.ID, two.Tokens[seat], s, s.Legal[0].Action)
	}
	p.ask("GET", "/api/tables/"+two.ID+"/deals?step=0", two.Tokens[0], nil, http.StatusOK, &deals)
	if deals[0].Deal != truth {
		t.Errorf("of a game that is over the deals are %+v", deals)
	}
}

// In practice beside another person hints, the deals, and what actions are worth against them, are the
// same in two worlds that the seat cannot tell apart; so is why a space cannot be chosen.
func TestDealsTellNoSecret(t *testing.T) {
	p := open(t, "", nil)
	p.server.trials = 48
	for name, space := range map[string]string{"leduc": "deck", "domination(first_player=0)": "CAN", "jogu": "1", "insurgency": "Texas"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.NewPCG(3, 3)
		s := g.New()
		for s.ToAct() < 0 {
			list := engine.Moves(s)
			if err := s.Apply(list[engine.Uint32N(rng, uint32(len(list)))]); err != nil {
				t.Fatal(err)
			}
		}
		seat := s.ToAct()
		deal := g.New()
		deal.(engine.Hidden).Redeal(engine.Look(s, seat), rng)
		real, other := newWorld(t, p, g, s), newWorld(t, p, g, deal)
		real.t.head.Practice, other.t.head.Practice = true, true
		// A hint, and what is worth what against a deal, are the same to the last digit.
		for _, path := range []string{"/deals", "/deals?with=a", "/why?space=" + space, "/hint", "/against?deal=0"} {
			if a, b := real.get(seat, path), other.get(seat, path); a != b || !strings.HasPrefix(a, "200") {
				t.Errorf("%s%s: in one world\n%.500s\nin the other\n%.500s", name, path, a, b)
			}
		}
	}
}

// A space that cannot be chosen is refused with the rule, and with what would have to be
// chosen before, or with the space that it does not border.
func TestWhyASpaceCannotBeChosen(t *testing.T) {
	p := open(t, "", nil)
	m := p.order(Order{Game: "jogu(start=first)", Seats: people(2), Seed: 1})
	for {
		s, seat := p.look(m.ID, m.Tokens[0]), 0
		if s.Prompt.Rule == "R8.2" {
			break
		}
		if s.Prompt.Player == 1 {
			s, seat = p.look(m.ID, m.Tokens[1]), 1
		}
		p.move(m.ID, m.Tokens[seat], s, s.Legal[len(s.Legal)-1].Action) // nothing more is discarded
	}
	var r Refusal
	p.ask("GET", "/api/tables/"+m.ID+"/why?space=LOC_2", m.Tokens[0], nil, http.StatusOK, &r)
	if r.Rule != "R8.2" || r.Text == "" || len(r.First) == 0 || !strings.HasPrefix(r.First[0], "play ") || r.Apart != nil {
		t.Errorf("a Location is refused by %+v before a card is played", r)
	}
	p.ask("GET", "/api/tables/"+m.ID+"/why?space=nowhere", m.Tokens[0], nil, http.StatusOK, &r)
	if len(r.First) != 0 {
		t.Errorf("nowhere can be chosen after %v", r.First)
	}
	p.problem("GET", "/api/tables/"+m.ID+"/why?space=LOC_2", m.Tokens[1], nil, http.StatusConflict, "not_you")
	p.problem("GET", "/api/tables/"+m.ID+"/why?space=LOC_2", "", nil, http.StatusForbidden, "no_seat")
}

func TestUnwrapped(t *testing.T) {
	long := strings.Repeat("word ", 20)
	text := "Hand:\n  1 " + long + "\n    and more " + long + "\n    still\n  2 short\n    apart\n\n  3 " + long + "\n  4 beside\n"
	want := []string{"Hand:", "1 " + strings.TrimSpace(long) + " and more " + strings.TrimSpace(long) + " still", "2 short", "apart", "", "3 " + strings.TrimSpace(long), "4 beside"}
	if got := unwrapped(text); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
