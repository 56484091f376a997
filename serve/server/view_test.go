package server_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/worlds"
	"powderkeg/env"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
)

// What a seat is told of a position in a form for programs is the view's JSON, the
// question, and the actions taken apart.
func TestViewsAndChoicesAreTold(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Position: `{"cards":["K","Q"],"actions":["pass"]}`})
	if err != nil {
		t.Fatal(err)
	}
	for seat, want := range map[int64]string{0: `{"cards":["K","?"],"actions":["pass"]}`, 1: `{"cards":["?","Q"],"actions":["pass"]}`} {
		view, err := e.View(t.Context(), &seat)
		if err != nil {
			t.Fatal(err)
		}
		if view.Seat != seat || view.View != want {
			t.Errorf("seat %d sees %+v, want %s", seat, view, want)
		}
	}
	if view, err := e.View(t.Context(), nil); err != nil || view.Seat != 1 {
		t.Errorf("the observer sees %+v, %v; want what seat 1 does", view, err)
	}
	_, err = e.View(t.Context(), new(int64(7)))
	wantCode(t, "a view of no seat", err, protocol.CodeParams, "seat 7", "seats 0 to 1")

	mine, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "liars_dice", Agents: []string{"", "first"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = mine.View(t.Context(), new(int64(1)))
	wantCode(t, "the view of an agent", err, protocol.CodeForbidden, "seat 1 is played by an agent")
	legal, err := mine.Legal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(legal.Names, "2-4")
	if i < 0 || legal.Verbs[i] != "BID" || legal.Objects[i] != "4" || legal.Amounts[i] != 2 || legal.Descriptions[i] != "bid 2 fours" ||
		legal.Rule == "" || legal.RuleTitle == "" || legal.RuleText == "" || legal.Question == "" {
		t.Errorf("a bid is told as %+v", legal)
	}
}

// Two worlds that a seat cannot tell apart are told alike, byte for byte, by whatever is
// asked about a position.
func TestWorldsThatASeatCannotTellApartAreToldAlike(t *testing.T) {
	c := config()
	c.Environments, c.AllEnvironments = 100000, 100000
	address, _ := start(t, c)
	conn := dial(t, address)
	for _, name := range []string{"kuhn", "leduc", "liars_dice(players=3,dice=2)", "jogu", "jogu(expansion=true,first=hours)", "bloc",
		"domination(players=3)", "insurgency", "minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		compared, parted := 0, 0
		for game := range uint64(3) {
			rng, s := rand.NewPCG(game, 8), g.New()
			for n := 0; s.ToAct() != engine.Terminal && n < 300; n++ {
				if seat := s.ToAct(); seat >= 0 && (n%9 == 4 || g.Spec().MaxDecisions < 40) {
					deal := worlds.Elsewhere(t, g, s, seat, rng)
					if deal == nil {
						deal = s
					}
					if deal.Hash() != s.Hash() {
						parted++
					}
					compared++
					a, b := answers(t, conn, g, s, seat), answers(t, conn, g, deal, seat)
					if a != b {
						t.Fatalf("%s: seat %d is told\n%.2000s\nin one world, and in the other\n%.2000s", name, seat, a, b)
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if compared < 5 || parted == 0 {
			t.Errorf("%s: %d positions were compared, %d of them in different worlds", name, compared, parted)
		}
	}
}

// answers are all that a client which plays one seat is told of a position.
func answers(t *testing.T, c *client.Client, g engine.Game, s engine.State, seat engine.Player) string {
	t.Helper()
	position, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	agents := slices.Repeat([]string{"first"}, g.Spec().Seats)
	agents[seat] = ""
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: g.Spec().Text, Seed: new(uint64(1)), Position: string(position), Agents: agents})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	if e.Made.Step.Actor != int64(seat) {
		t.Fatalf("seat %d is to act in the position of seat %d", e.Made.Step.Actor, seat)
	}
	legal, err1 := e.Legal(t.Context())
	text, err2 := e.Text(t.Context(), nil)
	view, err3 := e.View(t.Context(), new(int64(seat)))
	seen, err4 := e.Observe(t.Context(), int64(seat))
	drawing, err5 := e.Drawing(t.Context(), nil)
	for _, err := range []error{err1, err2, err3, err4, err5} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !json.Valid([]byte(view.View)) {
		t.Fatalf("the view is no JSON: %.300s", view.View)
	}
	if !strings.HasPrefix(drawing, "<svg ") {
		t.Fatalf("the drawing is no SVG: %.300s", drawing)
	}
	return fmt.Sprintf("%+v\n%s\n%+v\n%v\n%s\n%+v", *legal, text, *view, seen, drawing, e.Made.Step)
}
