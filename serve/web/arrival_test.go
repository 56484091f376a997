package web

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A code carries a seat to another device once. Nobody without the seat gets one.
func TestASeatTravelsByACode(t *testing.T) {
	p := open(t, "", nil)
	m := p.order(Order{Game: "leduc", Seats: people(2)})
	carry := "/api/tables/" + m.ID + "/carry"
	p.problem("POST", carry, "", nil, http.StatusForbidden, "no_seat")
	p.problem("POST", carry, "somebody else's", nil, http.StatusForbidden, "no_seat")
	var given struct {
		Code    string
		Minutes int
	}
	p.ask("POST", carry, m.Tokens[1], nil, http.StatusOK, &given)
	if len(given.Code) != carryBytes || given.Minutes != 10 {
		t.Fatalf("the code is %+v", given)
	}
	p.problem("POST", "/api/carry", "", map[string]string{"code": "0123456789"}, http.StatusNotFound, "no_code")
	typed := strings.ToLower(given.Code[:5]) + " - " + strings.NewReplacer("0", "O", "1", "l").Replace(given.Code[5:])
	var seat carried
	p.ask("POST", "/api/carry", "", map[string]string{"code": typed}, http.StatusOK, &seat)
	if seat.ID != m.ID || seat.Seat != 1 || seat.Token != m.Tokens[1] || seat.Title == "" || seat.Game != "leduc" {
		t.Errorf("the code brings %+v", seat)
	}
	p.problem("POST", "/api/carry", "", map[string]string{"code": given.Code}, http.StatusNotFound, "no_code")
}

// A code is worth nothing after its time, and there is an end to how many there are.
func TestCodesRunOut(t *testing.T) {
	var c carrier
	now := time.Now()
	code, err := c.put(carried{Seat: 1}, now)
	if err != nil {
		t.Fatal(err)
	}
	if seat, ok := c.take(code, now.Add(carryTime)); ok {
		t.Errorf("a code that has run out opens %+v", seat)
	}
	for range mostCarried {
		if _, err := c.put(carried{}, now); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.put(carried{}, now); err == nil {
		t.Error("there is no end to codes")
	}
	if _, err := c.put(carried{}, now.Add(carryTime)); err != nil {
		t.Errorf("codes that have run out stay: %v", err)
	}
}

// Who makes a game cannot choose its seed where somebody else plays: with it the same game beside it
// would show what the other holds.
func TestNobodyChoosesTheSeedOfOthers(t *testing.T) {
	p := open(t, "", nil)
	for _, seats := range [][]Seat{people(2), {{Person, "Ann"}, {Open, ""}}, {{Open, ""}, {Open, ""}}} {
		p.problem("POST", "/api/tables", "", Order{Game: "leduc", Seats: seats, Seed: 3}, http.StatusBadRequest, "wrong")
	}
	bots := []Seat{{Person, "Ann"}, {Bot, "random"}}
	var first, second Made
	p.ask("POST", "/api/tables", "", Order{Game: "leduc", Seats: bots, Seed: 3}, http.StatusOK, &first)
	p.ask("POST", "/api/tables", "", Order{Game: "leduc", Seats: bots, Seed: 3}, http.StatusOK, &second)
	if a, b := p.look(first.ID, first.Tokens[0]), p.look(second.ID, second.Tokens[0]); a.Text != b.Text {
		t.Errorf("the same seed deals %q and %q", a.Text, b.Text)
	}
}

// What is not over and has been left alone for too long is removed; what is over stays, and so does
// what is played. A server that is full looks at once.
func TestUnfinishedGamesExpire(t *testing.T) {
	folder := t.TempDir()
	p := open(t, folder, func(c *Config) { c.Games, c.Expire = 4, 24*time.Hour })
	order := Order{Game: "kuhn", Seats: people(2)}
	left, played, fresh, over := p.order(order), p.order(order), p.order(order), p.order(order)
	for n := 0; ; n++ {
		s := p.look(over.ID, over.Tokens[n%2])
		if s.Over != nil {
			break
		}
		if len(s.Legal) > 0 {
			p.move(over.ID, over.Tokens[n%2], s, s.Legal[0].Action)
		}
	}
	p.problem("POST", "/api/tables", "", order, http.StatusServiceUnavailable, "full")
	p.close()

	long := time.Now().Add(-25 * time.Hour)
	for _, m := range []Made{left, played, over} {
		if err := os.Chtimes(p.server.path(m.ID), long, long); err != nil {
			t.Fatal(err)
		}
	}
	c := testConfig(folder)
	c.Games, c.Expire = 4, 0
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if _, err := s.find(played.ID); err != nil { // somebody looks at it
		t.Fatal(err)
	}
	if _, err := s.New(order); err == nil {
		t.Fatal("a server that keeps everything is full and takes a game")
	}
	s.config.Expire = 24 * time.Hour
	if _, err := s.New(order); err != nil {
		t.Fatal(err)
	}
	var kept []string
	for name, m := range map[string]Made{"left": left, "played": played, "fresh": fresh, "over": over} {
		if _, err := os.Stat(s.path(m.ID)); err == nil {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	if want := []string{"fresh", "over", "played"}; !slices.Equal(kept, want) {
		t.Errorf("kept are %v, want %v", kept, want)
	}
	if !s.finished[over.ID] {
		t.Error("the game that is over is read again each time")
	}
}
