package web

import (
	"math/rand/v2"
	"net/http"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
)

// From a moment of before a game for practice begins, in which the seat sees what it saw then; a hint about
// that moment has the actions in words, what was chosen and what is to be expected.
func TestWhatIf(t *testing.T) {
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
	p := open(t, "", nil)
	p.server.trials = 32
	for game, moves := range map[string]int{"leduc": 2, "connect4": 3, "jogu": 14, "domination": 12, "bloc": 6, "insurgency": 9, "minuteman": 4} {
		seats := people(2)
		if game == "bloc" {
			seats = people(4)
		}
		for q := 1; q < len(seats); q++ {
			seats[q] = Seat{Bot, "scripted"}
		}
		m := p.order(Order{Game: game, Seats: seats, Practice: true, Seed: 3})
		var at []*Screen
		for len(at) < moves {
			s := p.until(m.ID, m.Tokens[0], mine)
			if s.Over != nil {
				break
			}
			at = append(at, s)
			p.move(m.ID, m.Tokens[0], s, s.Legal[len(s.Legal)/2].Action)
		}
		p.until(m.ID, m.Tokens[0], mine)
		for n, s := range at {
			var h Hint
			p.ask("GET", "/api/tables/"+m.ID+"/hint?step="+itoa(s.Step), m.Tokens[0], nil, http.StatusOK, &h)
			if len(h.Words) != len(s.Legal) || h.Played == nil || *h.Played != s.Legal[len(s.Legal)/2].Action || len(s.Legal) > 1 && len(h.Line) == 0 {
				t.Errorf("%s: the hint about decision %d is %+v", game, n, h)
			}
			var made Made
			p.ask("POST", "/api/tables/"+m.ID+"/whatif", m.Tokens[0], map[string]int{"step": s.Step}, http.StatusOK, &made)
			again := p.look(made.ID, made.Tokens[0])
			if again.Text != s.Text || len(again.Legal) != len(s.Legal) || !again.Practice || again.Seat != 0 {
				t.Errorf("%s: from decision %d a game begins with\n%s\nwant\n%s", game, n, again.Text, s.Text)
			}
		}
		p.problem("POST", "/api/tables/"+m.ID+"/whatif", "", map[string]int{"step": 0}, http.StatusForbidden, "no_seat")
	}
	live := p.order(Order{Game: "kuhn", Seats: people(2)})
	p.problem("POST", "/api/tables/"+live.ID+"/whatif", live.Tokens[0], map[string]int{"step": -1}, http.StatusForbidden, "no_hints")
}

// Beside another person what a game from a moment begins with is the same in two worlds that the seat
// cannot tell apart: it is dealt from what the seat knew.
func TestWhatIfTellsNoSecret(t *testing.T) {
	p := open(t, "", nil)
	for _, name := range []string{"leduc", "jogu", "domination(first_player=0)", "insurgency"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		s, deal, rng := g.New(), g.New(), rand.NewPCG(3, 3)
		for s.ToAct() < 0 {
			list := engine.Moves(s)
			if err := s.Apply(list[engine.Uint32N(rng, uint32(len(list)))]); err != nil {
				t.Fatal(err)
			}
		}
		seat := s.ToAct()
		deal.(engine.Hidden).Redeal(engine.Look(s, seat), rng)
		var found [2]string
		for i, world := range []engine.State{s, deal} {
			w := newWorld(t, p, g, world)
			w.t.head.Practice = true
			m, err := w.t.moment(&w.t.pages[seat], seat, -1)
			if err != nil {
				t.Fatal(err)
			}
			position, err := m.position()
			if err != nil {
				t.Fatal(err)
			}
			found[i] = string(position)
		}
		if found[0] != found[1] {
			t.Errorf("%s: a game begins with\n%s\nin one world, and in the other with\n%s", name, found[0], found[1])
		}
	}
}
