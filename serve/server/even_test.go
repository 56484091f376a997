package server

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"
)

// counted is an agent that counts what it thinks about, and plays the first legal action, with
// which a seat declines in Domination.
type counted struct{ thoughts, pretended *int }

func (counted) Start(engine.Player, uint64) {}

func (a counted) Act(_ context.Context, _ engine.View, legal []engine.Action) (engine.Action, error) {
	if len(legal) > 1 { // as a search does
		*a.thoughts++
	}
	return legal[0], nil
}

func (a counted) Pretend(_ context.Context, view engine.View, seat engine.Player, legal []engine.Action) error {
	if view.ToAct() != seat || len(legal) == 0 {
		panic("asked to think about nothing")
	}
	*a.thoughts++
	*a.pretended++
	return nil
}

// counting is alone with agents that count.
func counting(t *testing.T, even bool) (c *conn, thoughts, pretended *int) {
	c = alone(t)
	a := counted{new(int), new(int)}
	c.server.config.EvenTime = even
	c.server.config.NewAgent = func(engine.Game, string) (agents.Agent, error) { return a, nil }
	return c, a.thoughts, a.pretended
}

// reply carries out a request and returns the response.
func reply(t *testing.T, c *conn, method string, params any) []byte {
	t.Helper()
	if _, fault := c.serve(t.Context(), request(t, 7, method, params)); fault != nil {
		t.Fatalf("%s: %v", method, fault)
	}
	var out bytes.Buffer
	if err := c.out.Flush(&out, c.server.config.FrameBytes); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// An agent that has no choice thinks as much as one that has.
func TestAForcedAnswerTakesAThought(t *testing.T) {
	for _, x := range []struct {
		name string
		even bool
		bid  string
		want int
	}{
		{"a choice", true, "1-1", 1}, {"no choice", true, "2-6", 1}, {"no choice, and times may tell", false, "2-6", 0},
	} {
		c, thoughts, _ := counting(t, x.even)
		reply(t, c, protocol.MethodEnvMake, &protocol.EnvMake{Game: "liars_dice", Agents: []string{"", "random"}})
		reply(t, c, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName(x.bid)})
		if *thoughts != x.want {
			t.Errorf("%s: %d thoughts, want %d", x.name, *thoughts, x.want)
		}
	}
	c, thoughts, _ := counting(t, true)
	reply(t, c, protocol.MethodEnvMake, &protocol.EnvMake{Game: "tictactoe", Agents: []string{"random", ""}})
	if *thoughts != 1 {
		t.Errorf("%d thoughts in a game in which nothing is hidden, want 1", *thoughts)
	}
}

// moment is one of a game at which seat 0 can make a move after which seat 1 may be asked in
// secret: a world in which it is, and one in which it is not.
type moment struct {
	worlds [2][]byte
	action engine.Action
}

// secretMoments plays a game at random and returns moments of it.
func secretMoments(t *testing.T, g engine.Game, want int) []moment {
	t.Helper()
	var list []moment
	rng := rand.New(rand.NewPCG(5, 5))
	secrets := table.NewSecrets(g)
	for range 40 {
		s := g.New()
		w := worlds{game: g, rng: rng, rest: g.New(), dealt: g.New().(engine.Hidden)}
		for s.ToAct() != engine.Terminal {
			w.pass(s)
			a := engine.Action(0)
			if s.ToAct() == engine.Chance {
				a = engine.Sample(s.(engine.Stochastic).Outcomes(nil), rand.NewPCG(rng.Uint64(), 1))
			} else {
				legal := s.Legal(nil)
				a = legal[rng.IntN(len(legal))]
			}
			if s.ToAct() == 0 && rng.IntN(3) == 0 {
				if asked, ok := secrets.Asked(s, 0, a); ok && asked&2 != 0 {
					if m, ok := w.moment(s, a); ok {
						if list = append(list, m); len(list) == want {
							return list
						}
					}
				}
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
			w.since = append(w.since, a)
		}
	}
	return list
}

// worlds deals the worlds that seat 0 cannot tell from that of a game. In the middle of a procedure
// one that is dealt cannot be written: it is dealt where the game rested last, and played on.
type worlds struct {
	game  engine.Game
	rng   *rand.Rand
	rest  engine.State
	since []engine.Action // since rest
	dealt engine.Hidden
}

// pass has worlds dealt from here on, if they can be written.
func (w *worlds) pass(s engine.State) {
	if s.ToAct() < 0 {
		return
	}
	w.dealt.Redeal(engine.Look(s, 0), rand.NewPCG(w.rng.Uint64(), 2))
	if _, err := w.dealt.MarshalJSON(); err == nil {
		w.rest.CopyFrom(s)
		w.since = w.since[:0]
	}
}

// deal returns a world that seat 0 cannot tell from that of s, nil for one that does not lead there.
func (w *worlds) deal(s engine.State) engine.State {
	w.dealt.Redeal(engine.Look(w.rest, 0), rand.NewPCG(w.rng.Uint64(), 2))
	data, err := w.dealt.MarshalJSON()
	if err != nil {
		return nil
	}
	world, err := w.game.Load(data, engine.Strict)
	if err != nil {
		return nil
	}
	for _, a := range w.since {
		if world.Apply(a) != nil {
			return nil
		}
	}
	if world.ToAct() != s.ToAct() || engine.Look(world, 0).Hash() != engine.Look(s, 0).Hash() {
		return nil
	}
	return world
}

// moment looks for worlds in which seat 1 is asked after a move of seat 0, and is not.
func (w *worlds) moment(s engine.State, a engine.Action) (m moment, ok bool) {
	m.action = a
	for range 500 {
		world := w.deal(s)
		if world == nil {
			continue
		}
		data, err := world.MarshalJSON()
		if err != nil || world.Apply(a) != nil {
			continue
		}
		is := 0
		if world.ToAct() == 1 && engine.Look(world, 0).ToAct() == engine.Nobody {
			is = 1
		}
		if m.worlds[is] = data; m.worlds[0] != nil && m.worlds[1] != nil {
			return m, true
		}
	}
	return m, false
}

// In two worlds that the client cannot tell apart, with another seat asked in secret in one of
// them, the agents think as much if the replies are the same.
func TestAQuestionInSecretTakesNoMoreThoughts(t *testing.T) {
	g := enginetest.Game(t, "domination")
	moments := secretMoments(t, g, 6)
	if len(moments) < 3 {
		t.Fatalf("%d moments were found, want more", len(moments))
	}
	for _, even := range []bool{true, false} {
		same, different := 0, 0
		for _, m := range moments {
			var replies [2][]byte
			var counts [2]int
			for is, position := range m.worlds {
				c, thoughts, _ := counting(t, even)
				reply(t, c, protocol.MethodEnvMake, &protocol.EnvMake{Game: "domination", Agents: []string{"", "random"}, Seed: new(uint64),
					Position: string(position)})
				c.envs[1].seats[1].gauge = thinking.Long()
				before := *thoughts
				replies[is] = reply(t, c, protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(m.action)})
				counts[is] = *thoughts - before
			}
			if !bytes.Equal(replies[0], replies[1]) {
				continue
			}
			if same++; counts[0] != counts[1] {
				different++
				if even {
					t.Errorf("after %s the agent has thought %d times where it was asked in secret, %d times where it was not",
						g.Spec().Actions[m.action], counts[1], counts[0])
				}
			}
		}
		t.Logf("even %v: %d of %d pairs of replies are the same, %d of them after different numbers of thoughts", even, same, len(moments), different)
		if same == 0 || !even && different == 0 {
			t.Errorf("even %v: %d pairs of replies are the same, %d differ in thoughts: the test shows nothing", even, same, different)
		}
	}
}
