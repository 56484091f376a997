package mcp

import (
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/enginetest/kept"
	"powderkeg/env"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A conversation in which a model reads about Jogu, begins a game and plays it to its end,
// as it stands in testdata/jogu.txt, but for the id.
func TestConversationPlaysJoguToItsEnd(t *testing.T) {
	jogu, err := env.NewGame("jogu")
	if err != nil {
		t.Fatal(err)
	}
	m := connect(t, newServer(t, nil))
	var b strings.Builder
	id := ""
	say := func(tool string, arguments map[string]any, into any) {
		text := m.ask(tool, arguments, into)
		shown := fmt.Sprintf("> %s %v\n%s\n", tool, arguments, text)
		if id != "" {
			shown = strings.ReplaceAll(shown, id, "ID")
		}
		b.WriteString(shown)
	}
	say("rules", map[string]any{"game": "jogu", "find": "R12"}, nil)
	var s Situation
	text := m.ask("new_game", map[string]any{"game": "jogu", "options": map[string]any{"first": "wu", "second": "mibits"}, "seat": 0, "seed": 5}, &s)
	id = s.ID
	fmt.Fprintf(&b, "> new_game\n%s\n", strings.ReplaceAll(text, id, "ID"))
	say("look", map[string]any{"id": id, "json": false}, nil)
	step, decisions := Step{Question: s.Question, Legal: s.Legal}, 0
	for step.Over == nil && decisions < 500 {
		if step.Question.Player != 0 || len(step.Legal) == 0 {
			t.Fatalf("after %d decisions the model is asked %+v with %d legal actions", decisions, step.Question, len(step.Legal))
		}
		action := any(step.Legal[decisions*7%len(step.Legal)])
		if decisions%2 == 0 {
			action = slices.Index(jogu.Spec().Actions, action.(string))
		}
		step = Step{}
		say("act", map[string]any{"id": id, "action": action}, &step)
		decisions++
	}
	if step.Over == nil || len(step.Over.Returns) != 2 || step.Over.Yours != step.Over.Returns[0] || step.Question.Player != -2 || len(step.Legal) > 0 {
		t.Fatalf("after %d decisions the game stands at %+v", decisions, step)
	}
	say("look", map[string]any{"id": id, "json": false}, nil)
	m.wants("an action after the end", "act", map[string]any{"id": id, "action": 0}, "is over", "new_game")
	m.wants("a hint after the end", "hint", map[string]any{"id": id}, "is over")
	m.wants("what is legal after the end", "legal", map[string]any{"id": id}, "is over")

	const golden = "testdata/jogu.txt"
	if *kept.Update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("the conversation is another one than %s from byte %d on (-update rewrites it):\n%.300s\nwant\n%.300s", golden, i, got[max(0, i-100):],
			string(want)[max(0, i-100):])
	}
}

// Every game is begun and played for a while by each of the tools.
func TestEveryGameIsPlayed(t *testing.T) {
	server := newServer(t, nil)
	m := connect(t, server)
	var l Games
	m.ask("games", map[string]any{}, &l)
	listings, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Games) != len(listings) {
		t.Errorf("%d games are listed, want %d", len(l.Games), len(listings))
	}
	for _, g := range l.Games {
		if len(g.Opponents) < 2 {
			t.Errorf("%s is played by %q", g.Name, g.Opponents)
		}
		var r Rules
		m.ask("rules", map[string]any{"game": g.Name}, &r)
		if len(r.Rules) > 0 {
			m.ask("rules", map[string]any{"game": g.Name, "find": r.Rules[0].Number}, &r)
			if r.Rules[0].Text == "" {
				t.Errorf("%s: the rule %s says nothing", g.Name, r.Rules[0].Number)
			}
		}
		var s Situation
		m.ask("new_game", map[string]any{"game": g.Name, "seat": g.Seats - 1, "opponents": []string{"random"}, "seed": 3}, &s)
		step, seen := Step{ID: s.ID, Question: s.Question, Legal: s.Legal}, lines(s.Text)
		for n := 0; n < 25 && step.Over == nil; n++ {
			var look Situation
			if n%4 != 0 { // which tells everything, so that nothing has changed since
				m.ask("look", map[string]any{"id": s.ID}, &look)
				if step.Question.Text == "" {
					step.Question.Text = look.Question.Text
				}
				own := 0 // the model's action, which an answer leaves out
				if n > 0 && len(look.Events) > 0 && look.Events[0].Kind == "move" {
					own = 1
				}
				if look.View == nil || look.Question != step.Question || n > 0 && len(look.Events) != own+step.Earlier+len(step.Events) {
					t.Fatalf("%s: look shows something else than the answer before it", g.Name)
				}
				for _, line := range lines(look.Text) {
					if !slices.Contains(seen, line) && !slices.Contains(step.Changed, line) && !asksOnly(line, step.Question) {
						t.Fatalf("%s: the line %q is new, and was not told: %q", g.Name, line, step.Changed)
					}
				}
				seen = lines(look.Text)
			} else {
				seen = append(seen, step.Changed...)
			}
			var c Choices
			m.ask("legal", map[string]any{"id": s.ID}, &c)
			if len(c.Legal) != len(step.Legal) || c.Question.Name != step.Question.Name || c.Legal[0].Name != step.Legal[0] {
				t.Fatalf("%s: legal lists something else than the answer before it", g.Name)
			}
			if n == 3 {
				var h Hint
				if m.ask("hint", map[string]any{"id": s.ID}, &h); len(h.Suggestions) == 0 || h.By == "" {
					t.Errorf("%s: the hint is %+v", g.Name, h)
				}
			}
			action := step.Legal[n*5%len(step.Legal)]
			step = Step{}
			m.ask("act", map[string]any{"id": s.ID, "action": action}, &step)
		}
	}
}

// A game beyond the limit takes the place of the one that was not touched for longest.
func TestGamesAreBounded(t *testing.T) {
	m := connect(t, newServer(t, func(c *Config) { c.Games = 2 }))
	var a, b, c Situation
	m.ask("new_game", map[string]any{"game": "kuhn"}, &a)
	m.ask("new_game", map[string]any{"game": "leduc"}, &b)
	m.ask("look", map[string]any{"id": a.ID}, nil)
	m.ask("new_game", map[string]any{"game": "tictactoe"}, &c)
	if c.GaveUp != b.ID || a.GaveUp != "" {
		t.Errorf("game %q was given up, want %q", c.GaveUp, b.ID)
	}
	m.ask("look", map[string]any{"id": a.ID}, nil)
	m.wants("a game that was given up", "look", map[string]any{"id": b.ID}, b.ID, "new_game", "2 games")
}

// The protocol is spoken over HTTP, on this machine alone.
func TestHTTP(t *testing.T) {
	s := newServer(t, nil)
	h := httptest.NewServer(s.Handler())
	defer h.Close()
	m := newModel(t, &sdk.StreamableClientTransport{Endpoint: h.URL + Path, DisableStandaloneSSE: true})
	var a Situation
	m.ask("new_game", map[string]any{"game": "kuhn", "seed": 1}, &a)
	m.ask("act", map[string]any{"id": a.ID, "action": a.Legal[0]}, new(Step))
	if err := s.ServeHTTP(t.Context(), "0.0.0.0:0", nil); err == nil || !strings.Contains(err.Error(), "other machines") {
		t.Errorf("other machines are served: %v", err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	var c Config
	err := c.Validate()
	for _, name := range []string{"nobody makes agents", "games", "request-bytes", "think is", "hint", "thinkers"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the faults are %v, want %s among them", err, name)
		}
	}
}
