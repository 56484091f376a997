package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"powderkeg/agents/roster"
)

// place is a server under test.
type place struct {
	t      testing.TB
	server *Server
	http   *httptest.Server
}

func testConfig(folder string) Config {
	c := Default()
	c.Folder = folder
	c.NewAgent = Players(roster.Limits{Sims: 200})
	return c
}

// open serves a folder, "" for one of its own.
func open(t testing.TB, folder string, change func(*Config)) *place {
	t.Helper()
	if folder == "" {
		folder = t.TempDir()
	}
	c := testConfig(folder)
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t, s, httptest.NewServer(s.Handler())}
	t.Cleanup(p.close)
	return p
}

func (p *place) close() {
	p.server.Close()
	p.http.CloseClientConnections()
	p.http.Close()
}

// ask sends a request, wants a status and reads the answer into v, if it is not nil.
func (p *place) ask(method, path, token string, body any, want int, v any) []byte {
	p.t.Helper()
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			p.t.Fatal(err)
		}
		sent = bytes.NewReader(data)
	}
	r, err := http.NewRequest(method, p.http.URL+path, sent)
	if err != nil {
		p.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if answer.StatusCode != want {
		p.t.Fatalf("%s %s: status %d, want %d: %s", method, path, answer.StatusCode, want, data)
	}
	if v != nil {
		if err := json.Unmarshal(data, v); err != nil {
			p.t.Fatalf("%s %s: %v: %s", method, path, err, data)
		}
	}
	return data
}

// problem wants a request to be refused by a code.
func (p *place) problem(method, path, token string, body any, status int, code string) {
	p.t.Helper()
	var got struct{ Error, Text string }
	p.ask(method, path, token, body, status, &got)
	if got.Error != code || got.Text == "" {
		p.t.Errorf("%s %s is refused by %+v, want %s", method, path, got, code)
	}
}

// order makes a game. A seed that the server would refuse is given to it on another way.
func (p *place) order(o Order) Made {
	p.t.Helper()
	if lot := o.Seed; lot != 0 && !o.alone() {
		o.Seed = 0
		p.server.mu.Lock()
		p.server.seed = func() uint64 { return lot }
		p.server.mu.Unlock()
		defer func() {
			p.server.mu.Lock()
			p.server.seed = seed
			p.server.mu.Unlock()
		}()
	}
	var m Made
	p.ask("POST", "/api/tables", "", o, http.StatusOK, &m)
	return m
}

func (p *place) look(id, token string) *Screen {
	p.t.Helper()
	var s Screen
	p.ask("GET", "/api/tables/"+id, token, nil, http.StatusOK, &s)
	return &s
}

// until looks until the screen is as it should be.
func (p *place) until(id, token string, is func(*Screen) bool) *Screen {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		s := p.look(id, token)
		if is(s) {
			return s
		}
		if time.Now().After(end) {
			p.t.Fatalf("the screen stays so: %+v", *s)
		}
	}
}

// mine reports whether the seat is to act, or the game is over.
func mine(s *Screen) bool { return s.Prompt.Player == s.Seat || s.Over != nil }

func (p *place) move(id, token string, s *Screen, action int) {
	p.t.Helper()
	p.ask("POST", "/api/tables/"+id+"/move", token, numbered{s.Number, action}, http.StatusOK, nil)
}

func people(n int) []Seat {
	list := make([]Seat, n)
	for i := range list {
		list[i] = Seat{Person, fmt.Sprint("P", i)}
	}
	return list
}

// file reads the journal of a game.
func (p *place) file(id string) string {
	p.t.Helper()
	data, err := os.ReadFile(p.server.path(id))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}
