package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/env"
)

// world is a game of which the other is a re-deal: its seat cannot tell them apart.
type world struct {
	t *session
	h http.Handler
}

// get returns every byte of an answer to a seat, headers included, but for the date.
func (w *world) get(seat engine.Player, path string) string {
	r := httptest.NewRequest("GET", "/api/tables/"+w.t.id+path, nil)
	r.Host = "localhost"
	r.Header.Set("Authorization", fmt.Sprintf("Bearer token of seat %d", seat))
	answer := httptest.NewRecorder()
	w.h.ServeHTTP(answer, r)
	var b bytes.Buffer
	answer.Header().Write(&b)
	return fmt.Sprint(answer.Code, b.String(), answer.Body.String())
}

// newWorld begins a game at a state.
func newWorld(t *testing.T, p *place, g engine.Game, s engine.State) *world {
	t.Helper()
	position, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	h := head{Format: journalFormat, Game: g.Spec().Text, Rules: g.Spec().Version, Position: position, Seed: 1, Seats: people(g.Spec().Seats)}
	for seat := range h.Seats {
		h.Keys = append(h.Keys, digestOf(fmt.Sprintf("token of seat %d", seat)))
	}
	id := newSecret()
	own, err := p.server.newSession(id, h)
	if err != nil {
		t.Fatal(err)
	}
	if own.journal, err = p.server.create(id, h); err != nil {
		t.Fatal(err)
	}
	p.server.mu.Lock()
	p.server.awake[id] = own
	p.server.mu.Unlock()
	return &world{own, p.server.Handler()}
}

func (w *world) apply(t *testing.T, a engine.Action) {
	t.Helper()
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	stands := w.t.state.ToAct() >= 0 && w.t.secrets.Stands(w.t.state, a)
	if err := w.t.step(a, stands); err != nil {
		t.Fatal(err)
	}
	for w.t.due() { // nobody waits for it here
		w.t.lift(w.t.hush.next)
	}
}

// pass has the others answer what they are asked without the seat's knowing, and answer so
// that it does not get to know of it. It returns false where they cannot.
func (w *world) pass(t *testing.T, seat engine.Player) bool {
	t.Helper()
	for w.t.state.ToAct() >= 0 && engine.Look(w.t.state, seat).ToAct() == engine.Nobody {
		moves := slices.DeleteFunc(engine.Moves(w.t.state), func(a engine.Action) bool { return w.t.state.(engine.Secretive).Shows(seat, a) })
		if len(moves) == 0 {
			return false
		}
		w.apply(t, moves[0])
	}
	return true
}

// What those who watch are told of a game with secrets is what every seat is told.
func TestWatchersSeeNoSecret(t *testing.T) {
	p := open(t, "", nil)
	for _, name := range []string{"leduc", "jogu", "bloc", "insurgency"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		m := p.order(Order{Game: name, Seats: people(g.Spec().Seats)})
		var s Screen
		p.ask("GET", "/api/tables/"+m.ID+"?view", "", nil, http.StatusOK, &s)
		if s.Drawing != "" || s.Text != "" || s.View != nil || len(s.Legal) > 0 || s.Prompt.Name != "" {
			t.Errorf("%s: those who watch see %+v", name, s)
		}
		var own []Told
		p.ask("GET", "/api/tables/"+m.ID+"/log", m.Tokens[0], nil, http.StatusOK, &own)
		for _, l := range s.Log {
			if !slices.ContainsFunc(own, func(o Told) bool { return o.Text == l.Text }) {
				t.Errorf("%s: those who watch are told %q, seat 0 is not", name, l.Text)
			}
		}
		if data, err := json.Marshal(s); err != nil || bytes.Contains(data, []byte(fmt.Sprint(m.Tokens[0]))) {
			t.Errorf("%s: those who watch get a token: %v", name, err)
		}
	}
}

// secretCard begins a game of Domination in which seat 1 holds a card to react with, or
// another one.
func secretCard(t *testing.T, p *place, card, other string) *world {
	t.Helper()
	base, err := env.NewGame("domination(players=3,first_player=0,fixed_pool=agricultural_control+airborne_forces+amphibious_assault+petroleum_control+" +
		"attack_helicopters+communications_control+insurgents+show_of_force+surrender+tactical_nukes)")
	if err != nil {
		t.Fatal(err)
	}
	s, err := base.Load(fmt.Appendf(nil, `{"phase":"card_play","turn":3,"first_player":0,"active":0,
		"hands":{"0":["Domination","Domination"],"1":[%q,"Domination"],"2":["Domination","Domination"]},
		"draw_decks":{"0":[{"unknown":{"Domination":2}}],"1":[{"unknown":{%q:1,"Domination":3}}],"2":[{"unknown":{"Domination":2}}]}}`, card, other), engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	return newWorld(t, p, base, s)
}

// Whether a move can be taken back does not tell whether another seat was asked in secret
// after it, neither while it is nor when it has declined; and what it has declined is not
// asked again.
func TestUndoTellsNoSecret(t *testing.T) {
	p := open(t, "", nil)
	var undo [2][]string
	for i, cards := range [][2]string{{"Airborne Forces", "Surrender"}, {"Surrender", "Airborne Forces"}} {
		w := secretCard(t, p, cards[0], cards[1])
		for _, name := range []string{"BUILD_WITH Domination", "BUILD_AT CAN", "DONE"} {
			own := p.look(w.t.id, "token of seat 0")
			a, err := engine.FindMove(w.t.game, w.t.state, name)
			if err != nil {
				t.Fatal(err)
			}
			p.move(w.t.id, "token of seat 0", own, int(a))
			undo[i] = append(undo[i], p.look(w.t.id, "token of seat 0").Undo)
		}
		asked := w.t.state.ToAct() == 1
		if asked != (i == 0) {
			t.Fatalf("world %d: seat 1 is asked %t", i, asked)
		}
		w.pass(t, 0)
		s := p.until(w.t.id, "token of seat 0", mine)
		undo[i] = append(undo[i], s.Undo)
		p.problem("POST", "/api/tables/"+w.t.id+"/undo", "token of seat 0", map[string]int{"number": s.Number}, http.StatusConflict, "undo_shown")
	}
	if want := []string{"", "", table.UndoShown, table.UndoShown}; !slices.Equal(undo[0], want) || !slices.Equal(undo[1], want) {
		t.Errorf("undo is %q with the card and %q without, want %q", undo[0], undo[1], want)
	}
}

// To whom a screen is to be offered after a move does not tell who is asked: seat 1 with
// the card and without it, and never seat 2, of which everybody knows that it holds none.
// What only seat 1 knows of, its refusal, offers it to nobody.
func TestHandoversTellNoSecret(t *testing.T) {
	p := open(t, "", nil)
	var got [2]string
	for i, cards := range [][2]string{{"Airborne Forces", "Surrender"}, {"Surrender", "Airborne Forces"}} {
		w := secretCard(t, p, cards[0], cards[1])
		for _, name := range []string{"BUILD_WITH Domination", "BUILD_AT CAN", "DONE"} {
			a, err := engine.FindMove(w.t.game, w.t.state, name)
			if err != nil {
				t.Fatal(err)
			}
			w.apply(t, a)
			got[i] += fmt.Sprintf("%s %+v\n", name, p.look(w.t.id, "token of seat 0").Handovers)
		}
		w.pass(t, 0)
		got[i] += fmt.Sprintf("%+v\n", p.look(w.t.id, "token of seat 0").Handovers)
		// They are kept.
		p.server.mu.Lock()
		p.server.rest(time.Now().Add(time.Hour))
		p.server.mu.Unlock()
		got[i] += fmt.Sprintf("%+v\n", p.look(w.t.id, "token of seat 0").Handovers)
	}
	want := "BUILD_WITH Domination []\nBUILD_AT CAN []\n" + "DONE " + strings.Repeat("[{Number:1 Seats:[1] moves:0}]\n", 3)
	if got[0] != want || got[1] != want {
		t.Errorf("with the card the screen is offered\n%swithout it\n%swant\n%s", got[0], got[1], want)
	}
}
