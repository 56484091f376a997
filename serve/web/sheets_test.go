package web

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/engine/replay"
	"powderkeg/env"
)

// The titles in the browser, each as it begins, in the middle and at the end, on screens of five sizes by
// day and by night: a contact sheet of each, for people to look at (make sheets). POWDERKEG_SHEETS is the
// folder of the pictures.
func TestContactSheets(t *testing.T) {
	folder := os.Getenv("POWDERKEG_SHEETS")
	if folder == "" {
		t.Skip("skipped: contact sheets, unless POWDERKEG_SHEETS says where to (make sheets)")
	}
	node, chromium := browserOf(t)
	p := open(t, "", nil)
	arguments := []string{"ui/test/sheets.mjs", p.http.URL + "/", folder}
	for _, game := range titles {
		if only := os.Getenv("POWDERKEG_ONLY"); !strings.Contains(game, only) {
			continue
		}
		arguments = append(arguments, moments(t, p, game)...)
	}
	run := exec.CommandContext(t.Context(), node, arguments...)
	run.Env = append(os.Environ(), "POWDERKEG_CHROMIUM="+chromium)
	said, err := run.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Errorf("the sheets are not made: %v", err)
	}
}

// titles are the five games that the page is made for.
var titles = []string{"jogu", "domination", "insurgency", "bloc", "minuteman"}

// moments begins three games of a title, which scripted players have played for no move, for half of a game
// and for a whole one: each as GAME:MOMENT:LINK:TOKEN, of the first seat.
func moments(t *testing.T, p *place, game string) []string {
	t.Helper()
	g, err := env.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	seats := g.Spec().Seats
	players := make([]agents.Agent, seats)
	for seat := range players {
		policy, err := scripted.New(g)
		if err != nil {
			t.Fatal(err)
		}
		players[seat] = agents.FromPolicy(policy)
		players[seat].Start(engine.Player(seat), 1)
	}
	record, mine := replay.New(g), []int{} // after how many moves the first seat was to act
	s, rng := g.New(), rand.NewPCG(1, 1)
	for s.ToAct() != engine.Terminal {
		a := engine.Action(0)
		if who := s.ToAct(); who == engine.Chance {
			a = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng)
		} else if a, err = players[who].Act(context.Background(), engine.Look(s, who), s.Legal(nil)); err != nil {
			t.Fatal(err)
		} else if who == 0 {
			mine = append(mine, len(record.Moves))
		}
		record.Add(g, s, a)
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	record.Close(s)
	middle, whole := *record, record
	half := mine[len(mine)/2]
	middle.Moves, middle.Returns = record.Moves[:half], nil
	then := g.New()
	for _, name := range middle.Moves {
		a, err := engine.FindMove(g, then, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := then.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	middle.Close(then)
	who := make([]Seat, seats)
	for seat := range who {
		who[seat] = Seat{Bot, "scripted"}
	}
	who[0] = Seat{Person, ""}
	var list []string
	for _, moment := range []struct {
		name   string
		record *replay.Record
	}{{"start", nil}, {"middle", &middle}, {"end", whole}} {
		o := Order{Game: game, Seats: who, Seed: 1, Practice: true}
		if moment.record != nil {
			if o.Replay, err = json.Marshal(moment.record); err != nil {
				t.Fatal(err)
			}
		}
		made := p.order(o)
		list = append(list, strings.Join([]string{game, moment.name, made.ID, made.Tokens[0]}, ":"))
	}
	return list
}
