package mcp

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/enginetest/worlds"
	"powderkeg/env"
	"powderkeg/serve/teacher"
)

// Two worlds that a seat cannot tell apart are begun, looked at and played on alike: every
// byte of every answer is the same, as long as what is played has not told them apart.
func TestAnswersTellWhatTheirSeatKnows(t *testing.T) {
	server := newServer(t, func(c *Config) {
		c.Games, c.Hint = 1000, time.Minute
		c.NewAgent = func(engine.Game, string) (agents.Agent, error) {
			return agent(func(_ context.Context, legal []engine.Action) (engine.Action, error) { return legal[0], nil }), nil
		}
	})
	m := connect(t, server)
	for _, name := range []string{"kuhn", "leduc", "liars_dice(players=3,dice=2)", "jogu", "jogu(expansion=true,first=hours)", "bloc",
		"domination(players=3)", "insurgency(scenario=resistance)", "minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		compared, acts, apart := 0, 0, 0
		for game := range uint64(2) {
			rng, s := rand.NewPCG(game, 9), g.New()
			for n := 0; s.ToAct() != engine.Terminal && n < 300; n++ {
				if seat := s.ToAct(); seat >= 0 && (n%12 == 4 || g.Spec().MaxDecisions < 40) {
					deal := worlds.Elsewhere(t, g, s, seat, rng)
					if deal == nil {
						deal = s
					}
					if deal.Hash() != s.Hash() {
						apart++
					}
					compared++
					acts += m.alike(server, g, s, deal, seat, compared%4 == 1) // a hint takes long
					if t.Failed() {
						return
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("%s: %d moments, %d of them in two worlds, %d actions", name, compared, apart, acts)
		if compared < 2 || apart == 0 || acts == 0 {
			t.Errorf("%s: %d moments were compared, %d of them in different worlds, %d actions", name, compared, apart, acts)
		}
	}
}

// alike plays in two worlds and returns how many actions were compared.
func (m *model) alike(server *Server, g engine.Game, real, other engine.State, seat engine.Player, hints bool) (acts int) {
	m.t.Helper()
	a, b := m.placed(server, g, real, seat), m.placed(server, g, other, seat)
	for ; acts < 4 && !a.over() && !b.over(); acts++ {
		if a.view().Hash() != b.view().Hash() || heard(a) != heard(b) {
			return acts // what was played has told them apart
		}
		for _, tool := range []string{"look", "legal"} {
			if x, y := m.answer(tool, a, nil), m.answer(tool, b, nil); x != y {
				m.t.Errorf("%s: seat %d is answered by %s\n%.3000s\nin one world, and in the other\n%.3000s", g.Spec().Text, seat, tool, x, y)
				return acts
			}
		}
		if hints && acts == 0 {
			if x, y := m.teaches(a), m.teaches(b); x != y {
				m.t.Errorf("%s: the hints of seat %d are of %q and of %q", g.Spec().Text, seat, x, y)
			}
		}
		illegal := map[string]any{"action": "fly"}
		if x, y := m.answer("act", a, illegal), m.answer("act", b, illegal); x != y {
			m.t.Errorf("%s: seat %d is refused by %s and by %s", g.Spec().Text, seat, x, y)
		}
		action := map[string]any{"action": int(a.env.Legal()[acts*3%len(a.env.Legal())])}
		x, y := m.answer("act", a, action), m.answer("act", b, action)
		if a.view().Hash() == b.view().Hash() && heard(a) == heard(b) && x != y {
			m.t.Errorf("%s: seat %d is answered by act\n%.3000s\nin one world, and in the other\n%.3000s", g.Spec().Text, seat, x, y)
		}
	}
	return acts
}

// heard are the events that a seat was told: dice and cards that came to light tell worlds
// apart.
func heard(g *game) string {
	var b strings.Builder
	for _, e := range g.events {
		b.WriteString(e.Text + "\n")
	}
	return b.String()
}

// teaches returns the hint that is given to a game, every byte of it.
func (m *model) teaches(g *game) string {
	var h Hint
	g.teacher = teacher.New(g.game)
	g.teacher.Trials = 16 // not as many as the clock allows
	m.ask("hint", map[string]any{"id": g.id}, &h)
	total := float32(0)
	for _, s := range h.Suggestions {
		total += s.Share
	}
	if total > 1.001 {
		m.t.Errorf("the shares of %+v add up to %v", h, total)
	}
	return h.read()
}

// placed begins a game at a state.
func (m *model) placed(server *Server, eg engine.Game, s engine.State, seat engine.Player) *game {
	m.t.Helper()
	position, err := s.MarshalJSON()
	if err != nil {
		m.t.Fatal(err)
	}
	g, err := server.sit(eg, int(seat), nil)
	if err == nil {
		err = g.env.StartFrom(position)
	}
	if err == nil {
		err = server.begin(m.t.Context(), g, 1)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	server.keep(g)
	return g
}

// answer returns every byte of an answer, but for the game's id.
func (m *model) answer(tool string, g *game, arguments map[string]any) string {
	m.t.Helper()
	all := map[string]any{"id": g.id}
	for k, v := range arguments {
		all[k] = v
	}
	text, failed, structured := m.call(tool, all)
	data, err := json.Marshal([]any{text, failed, structured})
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), g.id, "ID")
}
