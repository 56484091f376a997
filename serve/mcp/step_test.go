package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/told"
)

// conversation is a game that a model plays as the scripted player would.
type conversation struct {
	*model
	game   *game
	player agents.Agent
	step   Step
	// said and structured are how long the answers were, in words and as JSON.
	answers, said, structured int
}

// converse begins a game.
func (m *model) converse(server *Server, name string, seat int) *conversation {
	m.t.Helper()
	var s Situation
	text := m.ask("new_game", map[string]any{"game": name, "seat": seat, "seed": 3}, &s)
	c := &conversation{model: m, game: server.games[s.ID], step: Step{ID: s.ID, Legal: s.Legal}, said: len(text)}
	var err error
	if c.player, err = roster.New(c.game.game, "scripted"); err != nil {
		m.t.Fatal(err)
	}
	c.player.Start(engine.Player(seat), 7)
	return c
}

// act plays the next action.
func (c *conversation) act() {
	c.t.Helper()
	action, err := c.player.Act(c.t.Context(), c.game.view(), c.game.env.Legal())
	if err != nil {
		c.t.Fatal(err)
	}
	c.step = Step{}
	text := c.ask("act", map[string]any{"id": c.game.id, "action": int(action)}, &c.step)
	data, err := json.Marshal(c.step)
	if err != nil {
		c.t.Fatal(err)
	}
	c.answers, c.said, c.structured = c.answers+1, c.said+len(text), c.structured+len(data)
}

// Answers are short: a model that plays pays for each of them again and again.
func TestAnswersAreShort(t *testing.T) {
	const mean = 2500
	server := newServer(t, nil)
	m := connect(t, server)
	for _, family := range env.Families() {
		for seat := range 2 {
			c := m.converse(server, family.Name, seat)
			c.said = 0
			for c.answers < 300 && c.step.Over == nil {
				c.act()
			}
			t.Logf("%s, seat %d: %d answers, %d characters each, %d as JSON", family.Name, seat, c.answers, c.said/c.answers, c.structured/c.answers)
			if c.said > mean*c.answers || c.structured > mean*c.answers {
				t.Errorf("%s, seat %d: %d answers have %d characters, %d as JSON; want at most %d each",
					family.Name, seat, c.answers, c.said, c.structured, mean)
			}
		}
	}
}

// The first turn of Minuteman with its set-up is a conversation of which a model may read all.
func TestFirstTurnOfMinutemanIsShort(t *testing.T) {
	const most = 60_000
	server := newServer(t, nil)
	m := connect(t, server)
	for seat := range 2 {
		c := m.converse(server, "minuteman", seat)
		for first := true; first || strings.Contains(told.Text(c.game.view(), c.game.seat), "Turn 1 of "); first = false {
			for strings.HasPrefix(told.Text(c.game.view(), c.game.seat), "Set-up") {
				c.act()
			}
			c.act()
		}
		t.Logf("seat %d: %d characters in %d answers", seat, c.said, c.answers)
		if c.answers < 10 || c.said > most {
			t.Errorf("seat %d: %d characters in %d answers, want at most %d", seat, c.said, c.answers, most)
		}
	}
}

// A list is played up to its end, to what is not legal, or to where others have decided.
func TestListsOfActions(t *testing.T) {
	server := newServer(t, nil)
	m := connect(t, server)
	begin := func() (s Situation) {
		m.ask("new_game", map[string]any{"game": "tictactoe", "opponents": []string{"random"}, "seed": 1}, &s)
		return s
	}
	s := begin()
	var step Step
	m.ask("act", map[string]any{"id": s.ID, "action": []any{s.Legal[4], 0}}, &step)
	if !strings.HasPrefix(step.Unplayed, "Played 1 of 2 actions: then others decided") || len(step.Legal) != 7 {
		t.Errorf("after a list with a move of the other seat within: %+v", step)
	}
	m.wants("a list whose first action is not legal", "act", map[string]any{"id": s.ID, "action": []any{"fly", 0}}, "\"fly\" is not legal")
	m.wants("an empty list", "act", map[string]any{"id": s.ID, "action": []any{}}, "a list of 0, it must be of 1 to 100")

	// The set-up of Minuteman asks one seat again and again.
	one, list := m.converse(server, "minuteman", 0), m.converse(server, "minuteman", 0)
	var actions []any
	for range 5 {
		action, err := one.player.Act(t.Context(), one.game.view(), one.game.env.Legal())
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, int(action))
		m.ask("act", map[string]any{"id": one.game.id, "action": int(action)}, nil)
	}
	step = Step{}
	m.ask("act", map[string]any{"id": list.game.id, "action": actions}, &step)
	if one.game.env.State().Hash() != list.game.env.State().Hash() || step.Unplayed != "" {
		t.Errorf("a list of %d leads elsewhere than each by itself (%q)", len(actions), step.Unplayed)
	}
	step = Step{}
	before := list.game.env.Decisions()
	legal := list.game.legal()[0]
	m.ask("act", map[string]any{"id": list.game.id, "action": []any{legal, "fly", 3}}, &step)
	if !strings.HasPrefix(step.Unplayed, "Played 1 of 3 actions: action \"fly\" is not legal") || list.game.env.Decisions() != before+1 {
		t.Errorf("a list with an illegal action in the middle: %q", step.Unplayed)
	}
}

// Long lists are told by what has come and gone since the last one.
func TestLongListsAreToldOnce(t *testing.T) {
	choices := func(from, to int) (list []told.Choice) {
		for i := from; i < to; i++ {
			list = append(list, told.Choice{Action: i, Name: fmt.Sprintf("C%d", i), Words: "words"})
		}
		return list
	}
	var k known
	if text := k.choices("D1", choices(0, 30)); !strings.HasPrefix(text, "30 legal actions") || !strings.HasSuffix(text, " C28 C29\n") {
		t.Errorf("the first long list reads %q", text)
	}
	for _, c := range []struct {
		question string
		choices  []told.Choice
		want     string
	}{
		{"D1", choices(2, 31), "29 legal actions, those listed for D1 before without C0 C1, and C30.\n"},
		{"D1", choices(2, 31), "29 legal actions, those listed for D1 before.\n"},
		{"D2", choices(2, 25), "23 legal actions, by name"},
		{"D1", choices(20, 60), "40 legal actions, by name"},
		{"D1", choices(40, 60), "Legal:\n   40 C40: words\n"}, // in words for the first time
		{"D1", choices(42, 60), "18 legal actions, those listed for D1 before without C40 C41.\n"},
		{"D1", append(choices(43, 60), told.Choice{Action: 2, Name: "C42", Words: "others"}),
			"18 legal actions, those listed for D1 before, and:\n    2 C42: others\n"},
		{"D1", choices(43, 46), "Legal:\n"}, // few
		{"", choices(0, 9), "Legal:\n"},
		{"", choices(0, 8), "8 legal actions, those listed before without C8.\n"},
	} {
		if text := k.choices(c.question, c.choices); !strings.HasPrefix(text, c.want) {
			t.Errorf("%d choices for %q read %q, want %q", len(c.choices), c.question, text, c.want)
		}
	}
	k = known{}
	q := told.Question{Name: "D1", Rule: "R1", Title: "title", Text: "text"}
	if a, b := k.rule(q), k.rule(q); !reflect.DeepEqual(a, q) || b.Text != "" || b.Title != "title" {
		t.Errorf("a question reads %+v, and then %+v", a, b)
	}
}
