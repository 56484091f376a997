package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
	"powderkeg/serve/teacher"
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
		"web: no folder":     {Listen: "127.0.0.1:0", Server: Config{}},
		"no such file":       {Listen: "127.0.0.1:0", Tokens: "/no/such/file"},
		"open /no/such/cert": {Listen: "127.0.0.1:0", Certificate: "/no/such/cert", Key: "/no/such/key"},
		"not a directory":    {Listen: "127.0.0.1:0", Server: testConfig("/dev/null/tables")},
	} {
		if err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// Fifty games at once, with bots that search among them, each played by a page of its own,
// beside a client that trains over a socket of the same program: everybody gets on.
func TestManyGamesAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode")
	}
	p := open(t, "", nil)
	stop, trained := trainer(t)
	games := []string{"connect4", "jogu", "leduc", "insurgency", "domination"}
	var all sync.WaitGroup
	var mu sync.Mutex
	var times []time.Duration
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
				begun := time.Now()
				p.move(made.ID, made.Tokens[0], s, s.Legal[n%len(s.Legal)].Action)
				mu.Lock()
				times = append(times, time.Since(begun))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	stop()
	slices.Sort(times)
	decisions := <-trained
	t.Logf("%d moves, median %v, p95 %v; beside them %d decisions trained", len(times), times[len(times)/2], times[len(times)*95/100], decisions)
	if decisions == 0 {
		t.Error("the client that trains does not get on")
	}
}

// trainer steps 64 games of Jogu over a socket until it is stopped, and then tells how many
// decisions it has made.
func trainer(t *testing.T) (stop func(), decisions <-chan int) {
	t.Helper()
	s, err := server.New(server.Default())
	if err != nil {
		t.Fatal(err)
	}
	address := "unix:" + filepath.Join(t.TempDir(), "socket")
	l, err := server.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var served sync.WaitGroup
	served.Go(func() {
		if err := s.Serve(ctx, l); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); served.Wait() })
	c, err := client.Dial(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	const envs = 64
	v, err := c.MakeVec(ctx, &protocol.VecMake{Game: "jogu", Envs: envs})
	if err != nil {
		t.Fatal(err)
	}
	over, made := make(chan struct{}), make(chan int, 1)
	served.Go(func() {
		defer c.Close()
		n := 0
		defer func() { made <- n }()
		var r protocol.VecResult
		if err := v.Reset(ctx, 1, &r); err != nil {
			t.Error(err)
			return
		}
		actions := make([]engine.Action, envs)
		for {
			select {
			case <-over:
				return
			default:
			}
			size := len(r.Masks) / envs
			for i := range actions {
				actions[i] = engine.Action(bytes.IndexByte(r.Masks[i*size:(i+1)*size], 1))
			}
			if err := v.Step(ctx, actions, &r); err != nil {
				t.Error(err)
				return
			}
			n += envs
		}
	})
	return sync.OnceFunc(func() { close(over) }), made
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
// BenchmarkMoveBesideThinkers is a move of a person over HTTP, with its screen, beside 52 games of
// two bots that search. It reports how long the slowest hundredth took.
func BenchmarkMoveBesideThinkers(b *testing.B) {
	for _, tables := range []int{0, 52} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			p := open(b, "", func(c *Config) { c.NewAgent = Players(roster.Limits{Sims: 2000}) })
			bots := []Seat{{Bot, "mcts(sims=2000)"}, {Bot, "mcts(sims=2000)"}}
			for range tables {
				p.order(Order{Game: "domination", Seats: bots})
			}
			var times []time.Duration
			var made Made
			var screen *Screen
			for i := 0; b.Loop(); i++ {
				if screen == nil || screen.Over != nil {
					b.StopTimer()
					made = p.order(Order{Game: "jogu", Seats: people(2)})
					screen = p.look(made.ID, made.Tokens[0])
					b.StartTimer()
				}
				token := made.Tokens[max(screen.Prompt.Player, 0)]
				if screen = p.look(made.ID, token); screen.Over != nil {
					continue
				}
				begun := time.Now()
				p.move(made.ID, token, screen, screen.Legal[i*7919%len(screen.Legal)].Action)
				screen = p.look(made.ID, token)
				times = append(times, time.Since(begun))
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1e3, "p50-ms")
			b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "p99-ms")
		})
	}
}

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

// BenchmarkHint is what a hint costs where a network gives it, in the middle of games.
func BenchmarkHint(b *testing.B) {
	for _, game := range []string{"jogu", "domination"} {
		b.Run(game, func(b *testing.B) {
			g, err := env.NewGame(game)
			if err != nil {
				b.Fatal(err)
			}
			own := teacher.New(g)
			b.Logf("%s teaches", own.Name())
			s := g.New()
			var slowest time.Duration
			for i := 0; b.Loop(); i++ {
				for n := 0; s.ToAct() < 0 || n < 7; n++ {
					if s.ToAct() == engine.Terminal {
						s = g.New()
					}
					moves := engine.Moves(s)
					if err := s.Apply(moves[(i+n)*7919%len(moves)]); err != nil {
						b.Fatal(err)
					}
				}
				p := s.ToAct()
				begun := time.Now()
				v := engine.Look(s, p)
				own.Advise(b.Context(), v, p, v.Legal(nil), -1)
				slowest = max(slowest, time.Since(begun))
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/slowest")
		})
	}
}
