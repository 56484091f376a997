package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

// request sends one with headers of its own.
func (p *place) request(method, path, body string, change func(*http.Request)) *http.Response {
	p.t.Helper()
	r, err := http.NewRequest(method, p.http.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// What pages of other sites ask for is refused, under whatever name they reach us.
func TestOtherSitesAreRefused(t *testing.T) {
	p := open(t, "", nil)
	for name, test := range map[string]struct {
		want   int
		change func(*http.Request)
	}{
		"our own page":            {http.StatusBadRequest, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }},
		"another site's page":     {http.StatusForbidden, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		"an old browser":          {http.StatusForbidden, func(r *http.Request) { r.Header.Set("Origin", "https://example.org") }},
		"a name that turned here": {http.StatusMisdirectedRequest, func(r *http.Request) { r.Host = "example.org" }},
		"the name of the machine": {http.StatusBadRequest, func(r *http.Request) { r.Host = "localhost:1" }},
	} {
		if got := p.request("POST", "/api/tables", "{}", test.change).StatusCode; got != test.want {
			t.Errorf("%s: status %d, want %d", name, got, test.want)
		}
	}
	policy := p.request("GET", "/", "", nil).Header.Get("Content-Security-Policy")
	if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "script-src 'self'") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy of the page is %q", policy)
	}
}

// A server with tokens shows nothing but the page that asks for one.
func TestTokens(t *testing.T) {
	const token = "a token of twenty-six bytes"
	p := open(t, "", func(c *Config) { c.Tokens = []string{token} })
	if got := p.request("GET", "/", "", nil).StatusCode; got != http.StatusOK {
		t.Errorf("the page is refused: %d", got)
	}
	for _, path := range []string{"/api/catalogue", "/api/tables/x", "/api/tables/x/events", "/api/games/jogu"} {
		if got := p.request("GET", path, "", nil).StatusCode; got != http.StatusUnauthorized {
			t.Errorf("%s answers with %d without a token", path, got)
		}
	}
	p.problem("POST", "/api/enter", "", map[string]string{"token": token + "?"}, http.StatusForbidden, "no_token")
	body, _ := json.Marshal(map[string]string{"token": token})
	entered := p.request("POST", "/api/enter", string(body), nil)
	if len(entered.Cookies()) != 1 || !entered.Cookies()[0].HttpOnly || entered.Cookies()[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("the cookie is %v", entered.Cookies())
	}
	got := p.request("GET", "/api/catalogue", "", func(r *http.Request) { r.AddCookie(entered.Cookies()[0]) })
	if got.StatusCode != http.StatusOK {
		t.Errorf("with the cookie the catalogue answers with %d", got.StatusCode)
	}
}

// event is one of a stream.
type event struct {
	id string
	Screen
	raw string
}

// stream reads screens until the test ends.
func (p *place) stream(id, token, last string) chan event {
	p.t.Helper()
	answer := p.request("GET", "/api/tables/"+id+"/events", "", func(r *http.Request) {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
	})
	if answer.StatusCode != http.StatusOK {
		p.t.Fatalf("the stream answers with %d", answer.StatusCode)
	}
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		lines := bufio.NewReader(answer.Body)
		var e event
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				e.id = strings.TrimSpace(id)
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				e.raw = data
				if json.Unmarshal([]byte(data), &e.Screen) == nil {
					events <- e
				}
				e = event{}
			}
		}
	}()
	return events
}

func (p *place) next(events chan event) event {
	p.t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(10 * time.Second):
		p.t.Fatal("no event came")
		return event{}
	}
}

// A stream brings every change, a page that comes back what it has missed, and one that
// has seen what was taken back everything anew.
func TestStream(t *testing.T) {
	p := open(t, "", nil)
	m := p.order(Order{Game: "connect4", Seats: people(2)})
	stream := p.stream(m.ID, m.Tokens[0], "")
	first := p.next(stream)
	if first.Number != 1 || first.id != "1" || !first.Reset || len(first.Legal) != 7 {
		t.Fatalf("the stream begins with %+v", first)
	}
	p.move(m.ID, m.Tokens[0], &first.Screen, 3)
	second := p.next(stream)
	if second.Number != 2 || second.Reset || len(second.Log) != 1 || second.Since != 0 || len(second.Legal) != 0 {
		t.Errorf("after a move the stream has %+v", second)
	}
	p.move(m.ID, m.Tokens[1], &second.Screen, 3)
	if back := p.next(p.stream(m.ID, m.Tokens[0], second.id)); back.Number != 3 || back.Reset || len(back.Log) != 1 || back.Since != 1 {
		t.Errorf("a page that comes back gets %+v", back)
	}
	p.ask("POST", "/api/tables/"+m.ID+"/undo", m.Tokens[1], shown{3}, http.StatusOK, nil)
	if back := p.next(p.stream(m.ID, m.Tokens[0], "3")); back.Number != 4 || !back.Reset || len(back.Log) != 1 {
		t.Errorf("after an undo a page that comes back gets %+v", back)
	}
}

// One stream brings the screens of several games, each under its number in the request, and says
// which are refused.
func TestOneStreamForSeveralGames(t *testing.T) {
	p := open(t, "", nil)
	a, b := p.order(Order{Game: "connect4", Seats: people(2)}), p.order(Order{Game: "leduc", Seats: people(2)})
	asks := map[string][]watch{"tables": {{a.ID, a.Tokens[0], -1, -1}, {b.ID, "wrong", -1, -1}, {b.ID, b.Tokens[1], -1, -1}, {newSecret(), "", -1, -1}}}
	body, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(p.http.URL+"/api/events", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	next := func() (game, kind, data string) {
		for lines.Scan() {
			switch name, text, _ := strings.Cut(lines.Text(), ": "); name {
			case "for":
				game = text
			case "event":
				kind = text
			case "data":
				return game, kind, text
			}
		}
		t.Fatal("the stream has ended")
		return
	}
	got := map[string]string{}
	var first Screen
	for range 4 {
		game, kind, data := next()
		got[game] = kind
		if game == "0" {
			if err := json.Unmarshal([]byte(data), &first); err != nil {
				t.Fatal(err)
			}
		}
		if kind == "refused" && !strings.Contains(data, `"status":40`) {
			t.Errorf("game %s is refused by %s", game, data)
		}
	}
	if want := map[string]string{"0": "screen", "1": "refused", "2": "screen", "3": "refused"}; !maps.Equal(got, want) {
		t.Errorf("the stream begins with %v, want %v", got, want)
	}
	p.move(a.ID, a.Tokens[0], &first, 3)
	if game, kind, data := next(); game != "0" || kind != "screen" || !strings.Contains(data, `"number":2`) {
		t.Errorf("after a move comes %s of game %s: %.80s", kind, game, data)
	}
	p.problem("POST", "/api/events", "", map[string][]watch{"tables": {}}, http.StatusBadRequest, "wrong")
	p.problem("POST", "/api/events", "", map[string][]watch{"tables": make([]watch, mostWatched+1)}, http.StatusBadRequest, "wrong")
}

// Nobody can take more than there is: streams of a game and of all, and the size of
// requests.
func TestLimits(t *testing.T) {
	p := open(t, "", func(c *Config) { c.Listeners = 2; c.AllListeners = 3; c.BodyBytes = 1000 })
	a, b := p.order(Order{Game: "kuhn", Seats: people(2)}), p.order(Order{Game: "kuhn", Seats: people(2)})
	p.next(p.stream(a.ID, "", ""))
	p.next(p.stream(a.ID, "", ""))
	p.problem("GET", "/api/tables/"+a.ID+"/events", "", nil, http.StatusServiceUnavailable, "crowd")
	p.next(p.stream(b.ID, "", ""))
	p.problem("GET", "/api/tables/"+b.ID+"/events", "", nil, http.StatusServiceUnavailable, "busy")
	p.problem("POST", "/api/tables", "", map[string]string{"game": strings.Repeat("x", 2000)}, http.StatusBadRequest, "wrong")
	c := Config{}
	if err := c.Validate(); err == nil || strings.Count(fmt.Sprint(err), "\n") < 8 {
		t.Errorf("an empty configuration has the faults %v", err)
	}
}
