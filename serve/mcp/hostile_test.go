package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env/envtest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Whatever is asked, the answer is one line that says what would be right, and the game
// stays as it is.
func TestHostileCallsAreAnswered(t *testing.T) {
	m := connect(t, newServer(t, nil))
	var s Situation
	before := m.ask("new_game", map[string]any{"game": "kuhn", "seed": 1}, &s)
	long := strings.Repeat("ж", 100_000)
	for _, c := range []struct {
		what, tool string
		arguments  any
		parts      []string
	}{
		{"an unknown game", "new_game", map[string]any{"game": "chess"}, []string{`"chess"`, "kuhn", "jogu"}},
		{"no game", "new_game", map[string]any{}, []string{"game is missing", "games"}},
		{"no arguments", "new_game", nil, []string{"game is missing"}},
		{"a list for arguments", "new_game", []int{1}, []string{"an array", "game, options, seat"}},
		{"a game that is a number", "new_game", map[string]any{"game": 7}, []string{"game is", "string"}},
		{"an unknown argument", "new_game", map[string]any{"game": "kuhn", "colour": "red"}, []string{"colour", "arguments: game"}},
		{"an unknown option", "new_game", map[string]any{"game": "jogu", "options": map[string]any{"deck": "red"}}, []string{`"deck"`, "first, second"}},
		{"an option out of range", "new_game", map[string]any{"game": "domination", "options": map[string]any{"players": 7}},
			[]string{"players=7", "from 2 to 6"}},
		{"an option of another type", "new_game", map[string]any{"game": "domination", "options": map[string]any{"players": []int{2}}},
			[]string{"options.players"}},
		{"an option that is a fraction", "new_game", map[string]any{"game": "domination", "options": map[string]any{"players": 2.5}},
			[]string{"players=2.5", "whole number"}},
		{"an option with brackets", "new_game", map[string]any{"game": "jogu", "options": map[string]any{"first": "wu)("}}, []string{"first", "guards"}},
		{"options that are a list", "new_game", map[string]any{"game": "jogu", "options": []string{"x"}}, []string{"options is an array", "object"}},
		{"an option twice", "new_game", map[string]any{"game": "jogu(first=wu)", "options": map[string]any{"first": "wu"}}, []string{"twice"}},
		{"a seat that there is not", "new_game", map[string]any{"game": "kuhn", "seat": 2}, []string{"seat is 2", "0 to 1"}},
		{"a seat below 0", "new_game", map[string]any{"game": "kuhn", "seat": -1}, []string{"seat is -1"}},
		{"a seat of 2^64", "new_game", json.RawMessage(`{"game":"kuhn","seat":18446744073709551616}`), []string{"seat", "whole number"}},
		{"a seat that is a fraction", "new_game", map[string]any{"game": "kuhn", "seat": 0.5}, []string{"seat is the number 0.5", "whole number"}},
		{"a seed below 0", "new_game", map[string]any{"game": "kuhn", "seed": -1}, []string{"seed", "whole number"}},
		{"an unknown bot", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"stockfish"}}, []string{`"stockfish"`, "scripted", "zoo"}},
		{"a person at the server", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"human"}}, []string{`"human"`, "random"}},
		{"a file of the server", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"checkpoint:/etc/passwd"}},
			[]string{`"checkpoint"`, "random"}},
		{"a file within a search", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"mcts(net=/etc/passwd)"}}, []string{"net", "zoo:NAME"}},
		{"a search without end", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"mcts(sims=9000000)"}}, []string{"sims", "2000"}},
		{"an unknown network", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"zoo:go"}}, []string{`"go"`, "jogu"}},
		{"too many bots", "new_game", map[string]any{"game": "kuhn", "opponents": []string{"random", "random"}}, []string{"2 opponents", "takes 1"}},
		{"a giant name", "new_game", map[string]any{"game": long}, []string{"unknown game", "kuhn"}},
		{"a giant option", "new_game", map[string]any{"game": "jogu", "options": map[string]any{long: long}}, []string{"first, second"}},
		{"a giant argument", "look", map[string]any{long: 1, "id": "x"}, []string{"arguments: id, json"}},
		{"no id", "look", map[string]any{}, []string{"id is missing", "new_game"}},
		{"an unknown id", "look", map[string]any{"id": long}, []string{"no game", "new_game"}},
		{"an unknown rule", "rules", map[string]any{"game": "jogu", "find": long}, []string{"no rule of jogu", "chapters: R"}},
		{"rules of no game", "rules", map[string]any{"game": ""}, []string{"name(option=value"}},
		{"no action", "act", map[string]any{"id": s.ID}, []string{"action is missing", "0 pass, 1 bet"}},
		{"an illegal name", "act", map[string]any{"id": s.ID, "action": "fly"}, []string{`"fly"`, "0 pass, 1 bet"}},
		{"an illegal number", "act", map[string]any{"id": s.ID, "action": 2}, []string{"action 2", "0 pass, 1 bet"}},
		{"2^32 and 1", "act", map[string]any{"id": s.ID, "action": uint64(1)<<32 + 1}, []string{"action 4294967297", "0 pass"}},
		{"2^32 and 1 as a string", "act", map[string]any{"id": s.ID, "action": "4294967297"}, []string{"4294967297", "0 pass"}},
		{"a number beyond all", "act", json.RawMessage(`{"id":"` + s.ID + `","action":1e999}`), []string{"action is 1e999", "0 pass"}},
		{"a fraction", "act", map[string]any{"id": s.ID, "action": 0.5}, []string{"action is 0.5", "0 pass"}},
		{"an object", "act", map[string]any{"id": s.ID, "action": map[string]any{"number": 1}}, []string{"action is", "0 pass"}},
		{"a giant action", "act", map[string]any{"id": s.ID, "action": long}, []string{"is not legal", "0 pass"}},
	} {
		m.wants(c.what, c.tool, c.arguments, c.parts...)
	}
	if after := m.ask("look", map[string]any{"id": s.ID, "json": false}, nil); after != before {
		t.Errorf("after all this the game shows\n%s\nbefore\n%s", after, before)
	}
	if _, err := m.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "fly"}); err == nil {
		t.Error("a tool that there is not answers")
	}
}

// agent is one that does not play as it should.
type agent func(ctx context.Context, legal []engine.Action) (engine.Action, error)

func (agent) Start(engine.Player, uint64) {}

func (a agent) Act(ctx context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	return a(ctx, legal)
}

// An opponent that fails costs its game, with one line that says why.
func TestBadOpponentsCostTheirGame(t *testing.T) {
	server := newServer(t, func(c *Config) {
		c.Think = 50 * time.Millisecond
		c.NewAgent = func(_ engine.Game, text string) (agents.Agent, error) {
			return map[string]agents.Agent{
				"slow":    agent(func(ctx context.Context, _ []engine.Action) (engine.Action, error) { <-ctx.Done(); return 0, ctx.Err() }),
				"illegal": agent(func(context.Context, []engine.Action) (engine.Action, error) { return 99, nil }),
				"broken":  agent(func(context.Context, []engine.Action) (engine.Action, error) { return 0, errors.New("out of order") }),
				"panics":  agent(func(context.Context, []engine.Action) (engine.Action, error) { panic("out of mind") }),
			}[text], nil
		}
	})
	m := connect(t, server)
	for name, part := range map[string]string{"slow": "deadline", "illegal": "action 99 is not legal", "broken": "out of order",
		"panics": "out of mind"} {
		var s Situation
		m.ask("new_game", map[string]any{"game": "tictactoe", "opponents": []string{name}}, &s)
		m.wants(name, "act", map[string]any{"id": s.ID, "action": "a1"}, part)
		m.wants(name+", again", "act", map[string]any{"id": s.ID, "action": "b1"}, "was given up", part, "new_game")
		m.wants(name+", looked at", "look", map[string]any{"id": s.ID}, part)
	}
}

// A rules engine that breaks down costs its game.
func TestABrokenEngineCostsItsGame(t *testing.T) {
	server := newServer(t, nil)
	g, err := server.sit(envtest.Mine{}, 0, []string{"random"})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.begin(t.Context(), g, 1); err != nil {
		t.Fatal(err)
	}
	server.keep(g)
	m := connect(t, server)
	m.wants("a mine", "act", map[string]any{"id": g.id, "action": "tread"}, "the mine went off")
	m.wants("after the mine", "act", map[string]any{"id": g.id, "action": "step"}, "was given up")
}
