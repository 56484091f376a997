package web

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/thinking"
)

// slowly is an agent that takes a second for each thought, by the clock of the test, and declines
// what it is asked.
type slowly struct{}

func (slowly) Start(engine.Player, uint64) {}

func (a slowly) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	if len(legal) > 1 {
		time.Sleep(time.Second)
	}
	return legal[0], nil
}

func (slowly) Pretend(_ context.Context, view engine.View, seat engine.Player, legal []engine.Action) error {
	if view.ToAct() != seat || len(legal) == 0 {
		panic("asked to think about nothing")
	}
	time.Sleep(time.Second)
	return nil
}

// clocked is what a stream sent, with the seconds at which it did.
type clocked struct {
	*httptest.ResponseRecorder
	begin time.Time
	mu    sync.Mutex
	sent  strings.Builder
}

func (c *clocked) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(&c.sent, "%v %s", time.Since(c.begin), p)
	return len(p), nil
}

func (c *clocked) SetWriteDeadline(time.Time) error { return nil }

// listen opens the stream of a seat.
func (w *world) listen(ctx context.Context, token string) *clocked {
	c := &clocked{ResponseRecorder: httptest.NewRecorder(), begin: time.Now()}
	r := httptest.NewRequestWithContext(ctx, "GET", "/api/tables/"+w.t.id+"/events", nil)
	r.Host = "localhost"
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	go w.h.ServeHTTP(c, r)
	return c
}

// post sends a request of a seat and returns the answer.
func (w *world) post(seat engine.Player, path string, body any) string {
	data, _ := json.Marshal(body)
	r := httptest.NewRequest("POST", "/api/tables/"+w.t.id+path, strings.NewReader(string(data)))
	r.Host = "localhost"
	r.Header.Set("Authorization", fmt.Sprintf("Bearer token of seat %d", seat))
	answer := httptest.NewRecorder()
	w.h.ServeHTTP(answer, r)
	return fmt.Sprint(answer.Code, answer.Body.String())
}

// moves makes moves of a seat, by name.
func (w *world) moves(t *testing.T, seat engine.Player, names ...string) (answers string) {
	t.Helper()
	for _, name := range names {
		time.Sleep(time.Second)
		w.t.mu.Lock()
		number := w.t.pages[seat].number
		a, err := engine.FindMove(w.t.game, w.t.state, name)
		w.t.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		answers += w.post(seat, "/move", numbered{number, int(a)})
	}
	return answers
}

// alone is a place whose server is reached without a network, as a clock of its own needs.
func alone(t *testing.T, even bool) *place {
	t.Helper()
	c := testConfig(t.TempDir())
	c.EvenTime = even
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &place{t, s, nil}
}

// tellSecret returns all that reaches the pages of seats 0 and 2, and of those who watch, while seat 1 is
// asked in secret in one world and is not in the other: streams with their times, and the answers
// to requests, three a second.
func tellSecret(t *testing.T, even, asked bool, sit func(w *world), answer func(w *world)) (told string) {
	synctest.Test(t, func(t *testing.T) {
		p := alone(t, even)
		cards := [2]string{"Surrender", "Airborne Forces"}
		if asked {
			cards = [2]string{"Airborne Forces", "Surrender"}
		}
		w := secretCard(t, p, cards[0], cards[1])
		sit(w)
		defer p.server.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		streams := []*clocked{w.listen(ctx, "token of seat 0"), w.listen(ctx, "token of seat 2"), w.listen(ctx, "")}
		told = w.moves(t, 0, "BUILD_WITH Domination", "BUILD_AT CAN", "DONE")
		if asked {
			w.t.mu.Lock()
			if w.t.state.ToAct() != 1 {
				t.Error("seat 1 is not asked")
			}
			w.t.mu.Unlock()
			go answer(w)
		}
		synctest.Wait()
		for n := range 8 {
			for _, seat := range []engine.Player{0, 2} {
				for _, path := range []string{"?view", "/log", "/hint", "/review", "/replay", "/deals", "/why?space=CAN"} {
					told += w.get(seat, path)
				}
				told += w.post(seat, "/undo", numbered{Number: -1}) + w.post(seat, "/rematch", struct{}{})
			}
			if n == 2 {
				w.t.mu.Lock()
				number := w.t.pages[0].number
				w.t.mu.Unlock()
				told += w.post(0, "/move", numbered{number, slices.Index(w.t.game.Spec().Actions, "END_TURN")})
			}
			time.Sleep(350 * time.Millisecond)
			synctest.Wait()
		}
		cancel()
		p.server.Close()
		synctest.Wait()
		for _, s := range streams {
			told += s.sent.String()
		}
	})
	return told
}

// Whether a bot was asked in secret, or a person who plays elsewhere, is told neither by what
// reaches the pages of the others nor by when it does.
func TestPausesTellNoSecret(t *testing.T) {
	bot := func(w *world) {
		w.t.head.Seats[1] = Seat{Bot, "slow"}
		w.t.seats[1] = seat{Seat: w.t.head.Seats[1], agent: slowly{}, gauge: thinking.Long(), pace: new(thinking.Pace)}
	}
	person := func(w *world) {
		w.t.head.Seats[1].Kind = Open
		w.t.seats[1].pace = new(thinking.Pace)
		w.t.seats[1].pace.Note(2 * time.Second)
	}
	declines := func(w *world) {
		time.Sleep(2 * time.Second)
		w.t.mu.Lock()
		number, a := w.t.pages[1].number, w.t.state.Legal(nil)[0]
		w.t.mu.Unlock()
		w.post(1, "/move", numbered{number, int(a)})
	}
	for _, x := range []struct {
		name   string
		sit    func(w *world)
		answer func(w *world)
	}{{"bot", bot, func(*world) {}}, {"person", person, declines}} {
		for _, even := range []bool{true, false} {
			with, without := tellSecret(t, even, true, x.sit, x.answer), tellSecret(t, even, false, x.sit, x.answer)
			i := 0
			for i < min(len(with), len(without)) && with[i] == without[i] {
				i++
			}
			same := with == without
			if same != even {
				t.Errorf("%s, even times %t: the same reaches the pages: %t; asked\n%.400s\nnot asked\n%.400s", x.name, even, same, with[max(0, i-200):], without[max(0, i-200):])
			}
			if !strings.Contains(with, fmt.Sprint(http.StatusConflict)) {
				t.Errorf("%s: no request was refused", x.name)
			}
		}
	}
}

var _ agents.Pretender = slowly{}

// News of which a page shows nothing are not written to its stream, which they would otherwise hold
// up when a screen comes in the same moment; a line that says nothing comes by the clock alone.
func TestSilentNewsAreNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := alone(t, true)
		w := secretCard(t, p, "Surrender", "Airborne Forces")
		defer p.server.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stream := w.listen(ctx, "token of seat 2")
		for range 40 {
			time.Sleep(time.Second)
			synctest.Wait()
			w.t.mu.Lock()
			w.t.tell()
			w.t.mu.Unlock()
		}
		cancel()
		synctest.Wait()
		got := regexp.MustCompile(`(\S+) : \n\n`).FindAllStringSubmatch(stream.sent.String(), -1)
		for i, line := range got {
			if want := time.Duration(i+1) * (beat + pace); line[1] != want.String() {
				t.Errorf("line %d that says nothing comes at %s, want %v", i, line[1], want)
			}
		}
		if want := int(40 * time.Second / (beat + pace)); len(got) != want {
			t.Errorf("%d lines that say nothing in 40 s, want %d: %.2000s", len(got), want, stream.sent.String())
		}
	})
}

// A game in which much is asked in secret comes to its end at a table of persons and bots, whose
// questions are answered by actions of all kinds.
func TestGamesWithPausesEnd(t *testing.T) {
	known := usual
	usual = []time.Duration{time.Millisecond}
	t.Cleanup(func() { usual = known })
	p := open(t, "", nil)
	for _, x := range []struct {
		game   string
		people int
	}{{"domination(players=3)", 1}, {"domination(players=3)", 2}, {"bloc", 1}} {
		g, err := env.NewGame(x.game)
		if err != nil {
			t.Fatal(err)
		}
		order := Order{Game: x.game, Seed: 5}
		for i := range g.Spec().Seats {
			order.Seats = append(order.Seats, Seat{Bot, "random"})
			if i < x.people {
				order.Seats[i] = Seat{Person, fmt.Sprint(i)}
			}
		}
		made := p.order(order)
		over, rng, paused := false, rand.New(rand.NewPCG(3, 3)), 0
		for n := 0; !over; n++ {
			for i := range x.people {
				s := p.look(made.ID, made.Tokens[i])
				if over = s.Over != nil; over {
					break
				}
				if n == 100000 {
					t.Fatalf("%s: the game stands still: %+v", x.game, s.Prompt)
				}
				if s.Prompt.Player == int(engine.Nobody) {
					paused++
				}
				if len(s.Legal) > 0 {
					p.move(made.ID, made.Tokens[i], s, s.Legal[rng.IntN(len(s.Legal))].Action)
				}
			}
		}
		t.Logf("%s with %d persons: %d pauses were seen", x.game, x.people, paused)
	}
}
