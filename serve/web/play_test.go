package web

import (
	"encoding/json"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/replay"
	"powderkeg/env"
	"powderkeg/serve/teacher"
	"powderkeg/serve/told"
)

// Every game is played by one page against bots, for a while and the small ones to their
// end, at each moment by a choice that the screen offers.
func TestEveryGameIsPlayed(t *testing.T) {
	p := open(t, "", nil)
	listings, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listings {
		seats := make([]Seat, l.Players)
		for i := range seats {
			seats[i] = Seat{Bot, "scripted"}
		}
		seats[0] = Seat{Person, "Ann"}
		made := p.order(Order{Game: l.Name, Seats: seats, Seed: 7})
		token := made.Tokens[0]
		decisions, told := 0, 0
		for n := uint32(0); decisions < 25; n++ {
			s := p.until(made.ID, token, mine)
			if s.Over != nil {
				break
			}
			if len(s.Legal) == 0 || s.Text == "" || s.Seat != 0 || s.Steps != s.Step+1 {
				t.Fatalf("%s: the screen shows seat %d, step %d of %d, %d choices: %s", l.Name, s.Seat, s.Step, s.Steps, len(s.Legal), s.Text)
			}
			told = max(told, len(s.Log))
			callsByName(t, s)
			p.move(made.ID, token, s, s.Legal[int(n*7919)%len(s.Legal)].Action)
			decisions++
		}
		if decisions == 0 || told == 0 && l.MaxDecisions > 10 {
			t.Errorf("%s: %d decisions, %d lines told", l.Name, decisions, told)
		}
	}
}

// A game to its end: how it ended, its replay, a look back at every step.
func TestEndAndReplay(t *testing.T) {
	p := open(t, "", nil)
	made := p.order(Order{Game: "connect4", Seats: []Seat{{Person, "Ann"}, {Bot, "random"}}})
	token := made.Tokens[0]
	p.until(made.ID, token, mine)
	s := p.look(made.ID, token)
	for ; s.Over == nil; s = p.until(made.ID, token, mine) {
		p.move(made.ID, token, s, s.Legal[0].Action)
	}
	if len(s.Over.Returns) != 2 || len(s.Legal) != 0 || s.Undo != table.UndoOver {
		t.Errorf("at the end the screen shows %+v, choices %v, undo %q", s.Over, s.Legal, s.Undo)
	}
	data := p.ask("GET", "/api/tables/"+made.ID+"/replay", "", nil, http.StatusOK, nil)
	record, err := replay.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	g, err := env.NewGame(record.Game)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Play(g, record, nil); err != nil || len(record.Moves) != s.Steps-1 {
		t.Errorf("the replay has %d moves of %d steps: %v", len(record.Moves), s.Steps, err)
	}
	for step := range s.Steps {
		var then Screen
		p.ask("GET", "/api/tables/"+made.ID+"?step="+itoa(step), token, nil, http.StatusOK, &then)
		if then.Step != step || len(then.Log) < step || (len(then.Legal) > 0) != (then.Chose != nil) || (then.Over != nil) != (step == s.Steps-1) {
			t.Errorf("step %d shows step %d, %d lines, over %v", step, then.Step, len(then.Log), then.Over)
		}
	}
	// The replay is a game to look at, or an unfinished one to go on from.
	again := p.order(Order{Seats: people(2), Replay: data})
	if over := p.look(again.ID, again.Tokens[1]); over.Over == nil || over.Steps != s.Steps {
		t.Errorf("the replay opens at step %d, over %v", over.Step, over.Over)
	}
}

func itoa(n int) string {
	data, _ := json.Marshal(n)
	return string(data)
}

// A move that is sent twice is made once; one for a screen that is no longer shown is
// refused, and so is one that is illegal, of another seat, or of nobody.
func TestMovesAreMadeOnce(t *testing.T) {
	p := open(t, "", nil)
	made := p.order(Order{Game: "connect4", Seats: people(2)})
	path, first := "/api/tables/"+made.ID+"/move", p.look(made.ID, made.Tokens[0])
	p.move(made.ID, made.Tokens[0], first, 3)
	p.move(made.ID, made.Tokens[0], first, 3)
	if s := p.look(made.ID, made.Tokens[1]); len(s.Log) != 1 {
		t.Errorf("%d moves were made", len(s.Log))
	}
	p.problem("POST", path, made.Tokens[0], numbered{first.Number, 2}, http.StatusConflict, "stale")
	second := p.look(made.ID, made.Tokens[0])
	p.problem("POST", path, made.Tokens[0], numbered{second.Number, 2}, http.StatusConflict, "not_you")
	p.problem("POST", path, made.Tokens[1], numbered{second.Number, 99}, http.StatusConflict, "illegal")
	p.problem("POST", path, "", numbered{second.Number, 2}, http.StatusForbidden, "no_seat")
	p.problem("POST", path, "a token of nobody", numbered{second.Number, 2}, http.StatusForbidden, "no_seat")
	p.problem("POST", path, made.Tokens[1], "no move", http.StatusBadRequest, "wrong")
}

// A server that starts anew goes on where the one before was, move for move, and with the
// same chance.
func TestRestartLosesNothing(t *testing.T) {
	folder := t.TempDir()
	p := open(t, folder, nil)
	made := p.order(Order{Game: "leduc", Seats: []Seat{{Person, "Ann"}, {Open, ""}}, Seed: 3})
	var given struct {
		Seat  int
		Token string
	}
	p.ask("POST", "/api/tables/"+made.ID+"/join", "", map[string]any{"seat": -1, "name": "Bob"}, http.StatusOK, &given)
	if given.Seat != 1 {
		t.Fatalf("Bob gets seat %d", given.Seat)
	}
	p.problem("POST", "/api/tables/"+made.ID+"/join", "", map[string]any{"seat": 1, "name": "Cy"}, http.StatusConflict, "taken")
	p.move(made.ID, made.Tokens[0], p.look(made.ID, made.Tokens[0]), 1)
	before := p.look(made.ID, given.Token)
	p.close()

	// The machine went down in the middle of a line.
	f, err := os.OpenFile(p.server.path(made.ID), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"move":"fo`)
	f.Close()

	p = open(t, folder, nil)
	after := p.look(made.ID, given.Token)
	x, _ := json.Marshal(before)
	if y, _ := json.Marshal(after); string(x) != string(y) {
		t.Errorf("before: %s\nafter:  %s", x, y)
	}
	p.move(made.ID, given.Token, after, after.Legal[0].Action)
	if strings.Contains(p.file(made.ID), `{"move":"fo{`) {
		t.Error("a line was written behind one that was cut off")
	}
	p.problem("GET", "/api/tables/"+newSecret(), "", nil, http.StatusNotFound, "no_game")
	p.problem("GET", "/api/tables/..%2f..%2fetc", "", nil, http.StatusNotFound, "no_game")
}

// Games that nobody looks at sleep, and wake when somebody does.
func TestGamesSleep(t *testing.T) {
	p := open(t, "", func(c *Config) { c.Awake = 2; c.Games = 4 })
	var all []Made
	for range 4 {
		all = append(all, p.order(Order{Game: "kuhn", Seats: people(2)}))
	}
	for _, m := range all {
		s := p.look(m.ID, m.Tokens[0])
		p.move(m.ID, m.Tokens[0], s, s.Legal[0].Action)
	}
	p.server.mu.Lock()
	awake := len(p.server.awake)
	p.server.mu.Unlock()
	if awake > 2 {
		t.Errorf("%d games are in memory, 2 may be", awake)
	}
	p.problem("POST", "/api/tables", "", Order{Game: "kuhn", Seats: people(2)}, http.StatusServiceUnavailable, "full")
}

// Moves are taken back by the four rules.
func TestUndo(t *testing.T) {
	p := open(t, "", nil)
	undo := func(m Made, seat int, status int, code string) {
		t.Helper()
		s := p.look(m.ID, m.Tokens[seat])
		if want := strings.TrimPrefix(code, "undo_"); s.Undo != want {
			t.Errorf("the screen says %q, want %q", s.Undo, want)
		}
		if code == "" {
			p.ask("POST", "/api/tables/"+m.ID+"/undo", m.Tokens[seat], shown{s.Number}, status, nil)
		} else {
			p.problem("POST", "/api/tables/"+m.ID+"/undo", m.Tokens[seat], shown{s.Number}, status, code)
		}
	}
	play := func(m Made, seat int, name string) {
		t.Helper()
		s := p.look(m.ID, m.Tokens[seat])
		i := slices.IndexFunc(s.Legal, func(c told.Choice) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("%s is not legal: %v", name, s.Legal)
		}
		p.move(m.ID, m.Tokens[seat], s, s.Legal[i].Action)
	}
	// An open game: the last move, until the other has decided.
	c4 := p.order(Order{Game: "connect4", Seats: people(2)})
	undo(c4, 0, http.StatusConflict, "undo_nothing")
	play(c4, 0, "column_4")
	undo(c4, 0, http.StatusOK, "")
	if s := p.look(c4.ID, c4.Tokens[0]); len(s.Log) != 0 || s.Steps != 1 || len(s.Legal) != 7 {
		t.Errorf("what was taken back is still there: %+v", s)
	}
	play(c4, 0, "column_4")
	play(c4, 1, "column_4")
	undo(c4, 0, http.StatusConflict, "undo_other")
	undo(c4, 1, http.StatusOK, "")

	// Chance has spoken: a card of Leduc is turned up.
	leduc := p.order(Order{Game: "leduc", Seats: people(2), Seed: 5})
	play(leduc, 0, "call")
	play(leduc, 1, "call")
	undo(leduc, 1, http.StatusConflict, "undo_chance")

	// Practice: any move, with what bots and chance have done since.
	own := p.order(Order{Game: "connect4", Seats: []Seat{{Person, ""}, {Bot, "random"}}, Practice: true})
	play(own, 0, "column_4")
	p.until(own.ID, own.Tokens[0], mine)
	undo(own, 0, http.StatusOK, "")
	if s := p.look(own.ID, own.Tokens[0]); len(s.Log) != 0 {
		t.Errorf("the bot's answer is still there: %+v", s.Log)
	}
	p.problem("POST", "/api/tables", "", Order{Game: "kuhn", Practice: true, Seats: []Seat{{Person, ""}, {Open, ""}}}, http.StatusBadRequest, "wrong")
}

// Hidden information has come to light: a card that is played from a hand of Jogu is
// known then, and stays so; where everybody can do the same, nothing has.
func TestUndoKeepsWhatWasShown(t *testing.T) {
	p := open(t, "", nil)
	m := p.order(Order{Game: "jogu(start=first)", Seats: people(2), Seed: 1})
	s := p.look(m.ID, m.Tokens[0])
	i := slices.IndexFunc(s.Legal, func(c told.Choice) bool { return c.Verb == "CARD" })
	p.move(m.ID, m.Tokens[0], s, s.Legal[i].Action)
	s = p.look(m.ID, m.Tokens[0])
	if s.Prompt.Player != 0 || s.Undo != table.UndoShown {
		t.Errorf("after a card seat %d decides, undo %q, want %q", s.Prompt.Player, s.Undo, table.UndoShown)
	}
	p.move(m.ID, m.Tokens[0], s, s.Legal[0].Action) // where it goes is no secret
	if s = p.look(m.ID, m.Tokens[0]); s.Undo == table.UndoShown {
		t.Errorf("after a Location undo is %q", s.Undo)
	}
}

// A rematch is made once, for the same people by the same tokens.
func TestRematch(t *testing.T) {
	p := open(t, "", nil)
	m := p.order(Order{Game: "tictactoe", Seats: people(2)})
	p.problem("POST", "/api/tables/"+m.ID+"/rematch", m.Tokens[0], map[string]bool{"swap": true}, http.StatusConflict, "not_over")
	for seat := 0; ; seat = 1 - seat {
		s := p.look(m.ID, m.Tokens[seat])
		if s.Over != nil {
			break
		}
		p.move(m.ID, m.Tokens[seat], s, s.Legal[0].Action)
	}
	var a, b Made
	p.ask("POST", "/api/tables/"+m.ID+"/rematch", m.Tokens[0], map[string]bool{"swap": true}, http.StatusOK, &a)
	p.ask("POST", "/api/tables/"+m.ID+"/rematch", m.Tokens[1], map[string]bool{"swap": false}, http.StatusOK, &b)
	if a.ID != b.ID {
		t.Errorf("two rematches: %s and %s", a.ID, b.ID)
	}
	if s := p.look(a.ID, m.Tokens[0]); s.Seat != 1 || s.Seats[1].Name != "P0" {
		t.Errorf("seat 0 is seat %d of the rematch: %v", s.Seat, s.Seats)
	}
	if s := p.look(m.ID, ""); s.Next != a.ID {
		t.Errorf("those who watch are told of %q", s.Next)
	}
}

// A game begins where a position or a script says.
func TestPositions(t *testing.T) {
	p := open(t, "", nil)
	position := json.RawMessage(`{"cards":["K","J"]}`)
	m := p.order(Order{Game: "kuhn", Seats: people(2), Position: position})
	if s := p.look(m.ID, m.Tokens[0]); !strings.Contains(s.Text, "K") || s.Prompt.Player != 0 {
		t.Errorf("the game begins with %s", s.Text)
	}
	script, _ := json.Marshal(map[string]any{"game": "kuhn", "position": position, "do": []string{}})
	m = p.order(Order{Seats: people(2), Position: script})
	if s := p.look(m.ID, m.Tokens[1]); !strings.Contains(s.Text, "J") {
		t.Errorf("the game begins with %s", s.Text)
	}
	for _, o := range []Order{
		{Game: "chess", Seats: people(2)}, {Game: "kuhn", Seats: people(3)}, {Game: "kuhn", Seats: []Seat{{Person, ""}, {Bot, "human"}}},
		{Game: "kuhn", Seats: []Seat{{Person, ""}, {Bot, "checkpoint:/etc"}}}, {Game: "kuhn", Seats: []Seat{{Person, ""}, {"ghost", ""}}},
		{Game: "kuhn", Seats: people(2), Position: json.RawMessage(`{"cards":["X"]}`)}, {Game: "kuhn", Seats: people(2), Replay: json.RawMessage(`{"format":"x"}`)},
		{Game: "kuhn", Seats: []Seat{{Person, strings.Repeat("x", 41)}, {Bot, "random"}}},
	} {
		p.problem("POST", "/api/tables", "", o, http.StatusBadRequest, "wrong")
	}
	if list, err := os.ReadDir(p.server.config.Folder); err != nil || len(list) != 2 {
		t.Errorf("games that were refused are kept: %v %v", list, err)
	}
}

// Where only bots play, those who watch may look over the shoulder of one; where a person
// has a secret, nobody may.
func TestWatching(t *testing.T) {
	p := open(t, "", nil)
	bots := p.order(Order{Game: "leduc", Seats: []Seat{{Bot, "random"}, {Bot, "random"}}})
	over := p.until(bots.ID, "", func(s *Screen) bool { return s.Over != nil })
	if over.Text != "" || over.Drawing != "" || over.Seat != -1 {
		t.Errorf("those who watch see %+v", over)
	}
	var s Screen
	p.ask("GET", "/api/tables/"+bots.ID+"?seat=1", "", nil, http.StatusOK, &s)
	if s.Text == "" || s.Seat != 1 {
		t.Errorf("over the shoulder one sees %+v", s)
	}
	one := p.order(Order{Game: "leduc", Seats: []Seat{{Person, ""}, {Bot, "random"}}})
	p.ask("GET", "/api/tables/"+one.ID+"?seat=0&view", "", nil, http.StatusOK, &s)
	if s = *p.look(one.ID, ""); s.Text != "" || s.View != nil || s.Seat != -1 {
		t.Errorf("over a person's shoulder one sees %+v", s)
	}
	p.problem("GET", "/api/tables/"+one.ID+"/replay", one.Tokens[0], nil, http.StatusForbidden, "not_over")
	p.problem("GET", "/api/tables/"+one.ID+"/hint", one.Tokens[0], nil, http.StatusForbidden, "no_hints")
}

// Hints and reviews are given in games for practice: by probabilities that add up, and
// values that know a blunder.
func TestTeacher(t *testing.T) {
	p := open(t, "", nil)
	// Seat 0 wins by column 4, and does not.
	g, err := env.NewGame("connect4")
	if err != nil {
		t.Fatal(err)
	}
	start := g.New()
	for _, name := range []string{"column_4", "column_1", "column_4", "column_1", "column_4", "column_2"} {
		a, err := engine.FindMove(g, start, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := start.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	position, err := start.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	m := p.order(Order{Game: "connect4", Seats: []Seat{{Person, ""}, {Bot, "scripted"}}, Practice: true, Position: position})
	var a teacher.Advice
	p.ask("GET", "/api/tables/"+m.ID+"/hint", m.Tokens[0], nil, http.StatusOK, &a)
	sum := float32(0)
	for _, o := range a.Opinions {
		sum += o.Share
		if (o.Action == 3) != (o.Share > 0.9) || o.Value == nil || o.Action == 3 && *o.Value < 0.98 {
			t.Errorf("the teacher thinks %+v of it", o)
		}
	}
	if math.Abs(float64(sum)-1) > 1e-4 || a.Worlds < 6 || a.Value == nil || len(a.Line) == 0 {
		t.Errorf("the shares add up to %v in %+v", sum, a)
	}
	p.move(m.ID, m.Tokens[0], p.look(m.ID, m.Tokens[0]), 6)
	p.until(m.ID, m.Tokens[0], mine)
	var r Review
	p.ask("GET", "/api/tables/"+m.ID+"/review", m.Tokens[0], nil, http.StatusOK, &r)
	if len(r.Decisions) != 1 || !r.Decisions[0].Mistake || *r.Decisions[0].Cost < 0.05 || !strings.Contains(r.Decisions[0].Best, "4") {
		t.Errorf("the review finds %+v", r)
	}
	jogu := p.order(Order{Game: "jogu", Seats: []Seat{{Person, ""}, {Bot, "scripted"}}, Practice: true})
	p.until(jogu.ID, jogu.Tokens[0], mine)
	p.ask("GET", "/api/tables/"+jogu.ID+"/hint", jogu.Tokens[0], nil, http.StatusOK, &a)
	if a.By != "zoo:jogu" || a.Value == nil {
		t.Errorf("jogu is taught by %q, value %v", a.By, a.Value)
	}
}
