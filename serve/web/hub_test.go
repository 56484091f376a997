package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/worlds"
	"powderkeg/env"
)

// tabs is what a browser with several tabs is sent.
type tabs struct {
	mu   sync.Mutex
	text bytes.Buffer
	stop context.CancelFunc
}

// listenTo opens the one stream of a browser that looks at several games.
func listenTo(t *testing.T, p *place, watches ...watch) *tabs {
	t.Helper()
	body, err := json.Marshal(map[string]any{"tables": watches})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", p.http.URL+"/api/events", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("status %d", answer.StatusCode)
	}
	x := &tabs{stop: cancel}
	go func() {
		defer answer.Body.Close()
		part := make([]byte, 1<<16)
		for {
			n, err := answer.Body.Read(part)
			x.mu.Lock()
			x.text.Write(part[:n])
			x.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return x
}

// of returns all that came for a game, by its number in the request, without the lines that keep a stream open.
func (x *tabs) of(game int) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := strings.Split(strings.ReplaceAll(x.text.String(), ": \n\n", ""), "\n\n")
	return strings.Join(slices.DeleteFunc(all, func(event string) bool { return !strings.HasPrefix(event, fmt.Sprintf("for: %d\n", game)) }), "\n\n")
}

// until waits until a game of the stream has shown the screen of a number.
func (x *tabs) until(t *testing.T, game, number int) string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		text := x.of(game)
		if strings.Contains(text, fmt.Sprintf("\nid: %d\n", number)) {
			return text
		}
		if time.Now().After(end) {
			t.Fatalf("screen %d of game %d does not come: %.300s", number, game, text)
		}
	}
}

// One stream for the tabs of a browser sends for each of them what its seat may know: two worlds that a seat cannot
// tell apart give it the same bytes, a tab without a seat sees nothing that is hidden, and one with the token of
// another game is refused.
func TestSharedStreamTellsNoSecret(t *testing.T) {
	p := open(t, "", func(c *Config) { c.Awake = 10000 })
	for _, name := range []string{"leduc", "jogu", "domination(players=3)", "insurgency", "bloc", "minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		first := min(30, g.Spec().MaxDecisions/3)
		if g.Spec().Name == "minuteman" {
			first = 300 // behind the set-up
		}
		compared := 0
		for game := uint64(0); game < 6 && compared < 8; game++ {
			rng := rand.NewPCG(game, 9)
			s := g.New()
			for n := 0; (n < first || s.ToAct() < 0) && s.ToAct() != engine.Terminal; n++ {
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
			if s.ToAct() == engine.Terminal {
				continue
			}
			compared += compareStreams(t, p, g, s, engine.Player(game)%engine.Player(g.Spec().Seats), rng)
		}
		if compared == 0 {
			t.Errorf("%s: no two worlds were compared", name)
		}
		t.Logf("%s: %d moves made in two worlds", name, compared)
	}
}

// compareStreams plays two worlds of a seat, each looked at by a browser with four tabs, and returns for how many moves.
func compareStreams(t *testing.T, p *place, g engine.Game, s engine.State, seat engine.Player, rng *rand.PCG) (n int) {
	t.Helper()
	dealt := g.New().(engine.Hidden)
	dealt.Redeal(engine.Look(s, seat), rng)
	if _, err := dealt.MarshalJSON(); err != nil {
		if text, err := s.MarshalJSON(); err != nil || !bytes.Contains(text, []byte(`"rest"`)) {
			return 0 // a deal of it cannot be written down
		}
	}
	deal := worlds.Elsewhere(t, g, s, seat, rng)
	if deal == nil || engine.Look(deal, seat).Hash() != engine.Look(s, seat).Hash() {
		return 0
	}
	both := [2]*world{newWorld(t, p, g, s), newWorld(t, p, g, deal)}
	small := p.order(Order{Game: "connect4", Seats: people(2)})
	token := fmt.Sprintf("token of seat %d", seat)
	var streams [2]*tabs
	for i, w := range both {
		streams[i] = listenTo(t, p, watch{ID: w.t.id, Token: token, Seat: -1, Last: -1}, watch{ID: w.t.id, Seat: -1, Last: -1},
			watch{ID: w.t.id, Token: small.Tokens[0], Seat: -1, Last: -1}, watch{ID: small.ID, Token: small.Tokens[0], Seat: -1, Last: -1})
		defer streams[i].stop()
	}
	for ; n < 6; n++ {
		if !both[0].pass(t, seat) || !both[1].pass(t, seat) {
			return n
		}
		a, b := both[0].t.state, both[1].t.state
		if engine.Look(a, seat).Hash() != engine.Look(b, seat).Hash() {
			return n
		}
		var got [2]string
		for i, w := range both {
			w.t.mu.Lock()
			w.t.tell() // once for all that has happened, so that it comes in one piece
			w.t.mu.Unlock()
			var own, public Screen
			p.ask("GET", "/api/tables/"+w.t.id, token, nil, http.StatusOK, &own)
			p.ask("GET", "/api/tables/"+w.t.id, "", nil, http.StatusOK, &public)
			got[i] = streams[i].until(t, 0, own.Number)
			watched := streams[i].until(t, 1, public.Number)
			if strings.Contains(watched, `"drawing":"<`) || strings.Contains(watched, `"legal":[{`) {
				t.Errorf("%s: a tab without a seat sees the board of a game with secrets", g.Spec().Text)
			}
			if refused := streams[i].of(2); !strings.Contains(refused, "event: refused") || strings.Contains(refused, "event: screen") {
				t.Errorf("%s: a tab with a token of another game is sent %.200s", g.Spec().Text, refused)
			}
		}
		if got[0] != got[1] {
			t.Errorf("%s: after %d moves seat %d is sent in one world\n%.400s\nin the other\n%.400s", g.Spec().Text, n, seat, got[0], got[1])
			return n
		}
		if a.ToAct() == engine.Terminal || a.ToAct() != b.ToAct() {
			return n
		}
		moves := engine.Moves(a)
		action := moves[engine.Uint32N(rng, uint32(len(moves)))]
		twin := action
		if secretive, ok := a.(engine.Secretive); ok && a.ToAct() != seat && !secretive.Shows(seat, action) && !slices.Contains(engine.Moves(b), twin) {
			twin = engine.Moves(b)[0]
		}
		if !slices.Contains(engine.Moves(b), twin) {
			return n
		}
		both[0].apply(t, action)
		both[1].apply(t, twin)
	}
	return n
}
