package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"powderkeg/env"
)

// Run serves until it is told to stop, streams included, and leaves nothing running.
func TestRun(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	url, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- Run(ctx, RunConfig{Listen: "127.0.0.1:0", Server: testConfig(filepath.Join(t.TempDir(), "tables")), Ready: func(at string) { url <- at }})
	}()
	at := <-url
	answer, err := http.Post(at+"api/tables", "application/json", strings.NewReader(`{"game":"kuhn","seats":[{"kind":"person","name":""},{"kind":"bot","name":"random"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var m Made
	if err := json.NewDecoder(answer.Body).Decode(&m); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %v", answer.StatusCode, err)
	}
	answer.Body.Close()
	stream, err := http.Get(at + "api/tables/" + m.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("Run ends by %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Run does not end")
	}
	if _, err := io.Copy(io.Discard, stream.Body); err != nil {
		t.Errorf("the stream breaks off by %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	for want, c := range map[string]RunConfig{
		"takes both TLS":     {Listen: "0.0.0.0:0"},
		"come together":      {Listen: "127.0.0.1:0", Key: "key.pem"},
		"Folder is empty":    {Listen: "127.0.0.1:0", Server: Config{}},
		"no such file":       {Listen: "127.0.0.1:0", Tokens: "/no/such/file"},
		"open /no/such/cert": {Listen: "127.0.0.1:0", Certificate: "/no/such/cert", Key: "/no/such/key"},
		"not a directory":    {Listen: "127.0.0.1:0", Server: testConfig("/dev/null/tables")},
	} {
		if err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// Fifty games at once, with bots that search among them, each played by a page of its own:
// every page gets on.
func TestManyGamesAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode")
	}
	p := open(t, "", nil)
	games := []string{"connect4", "jogu", "leduc", "insurgency", "domination"}
	var all sync.WaitGroup
	for i := range 50 {
		game, bot := games[i%len(games)], "scripted"
		if i%10 == 0 {
			bot = "mcts(sims=50)"
		}
		all.Go(func() {
			made := p.order(Order{Game: game, Seats: []Seat{{Person, ""}, {Bot, bot}}, Practice: i%2 == 0})
			for n := range 5 {
				s := p.until(made.ID, made.Tokens[0], mine)
				if s.Over != nil {
					return
				}
				p.move(made.ID, made.Tokens[0], s, s.Legal[n%len(s.Legal)].Action)
			}
		})
	}
	all.Wait()
}

// BenchmarkMove makes a move of a person and takes it to the screen that shows it, without
// the wire: what the server adds to a click.
func BenchmarkMove(b *testing.B) {
	for _, game := range []string{"jogu", "bloc", "domination", "insurgency", "minuteman"} {
		for _, practice := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/practice=%v", game, practice), func(b *testing.B) {
				s, err := New(testConfig(b.TempDir()))
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				g, err := env.NewGame(game)
				if err != nil {
					b.Fatal(err)
				}
				var t *session
				for i := 0; b.Loop(); i++ {
					if t == nil || t.over() || len(t.moves) > 3000 {
						b.StopTimer()
						made, err := s.New(Order{Game: game, Seats: people(g.Spec().Seats), Practice: practice})
						if err != nil {
							b.Fatal(err)
						}
						t = s.awake[made.ID]
						b.StartTimer()
					}
					legal := t.state.Legal(nil)
					seat := t.state.ToAct()
					a := &t.pages[seat]
					if err := t.move(a, seat, numbered{a.number, int(legal[i*7919%len(legal)])}); err != nil {
						b.Fatal(err)
					}
					f, err := t.frame(a, -1, a.number-1, seat)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := f.finish(false); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// What an idle game takes in memory is told, after 2,000 moves of the largest game.
func TestIdleGameIsSmall(t *testing.T) {
	s, err := New(testConfig(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const games = 8
	before := heap()
	for range games {
		made, err := s.New(Order{Game: "minuteman", Seats: people(2)})
		if err != nil {
			t.Fatal(err)
		}
		own := s.awake[made.ID]
		for n := 0; n < 2000 && !own.over(); n++ {
			legal := own.state.Legal(nil)
			if err := own.make(legal[n*7919%len(legal)], false); err != nil {
				t.Fatal(err)
			}
		}
	}
	each := (heap() - before) / games
	t.Logf("%d KiB a game", each>>10)
	if each > 1<<20 {
		t.Errorf("an idle game takes %d bytes, want at most 1 MiB", each)
	}
	s.mu.Lock()
	s.rest(time.Now().Add(time.Hour))
	left := len(s.awake)
	s.mu.Unlock()
	if left > 0 {
		t.Errorf("%d games do not sleep", left)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
