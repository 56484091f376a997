package minuteman

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/scripted/menu"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
)

// TestMenus looks at decisions of all settings: what is shown first is among the actions that
// the player scores best, and what it takes where one is best; all that is shown is legal, once
// each, and the end of what is under way is never left out; and another deal of what the seat
// cannot see shows the same.
func TestMenus(t *testing.T) {
	rng := rand.NewPCG(5, 6)
	player, several := map[string]*Policy{}, 0
	var m, again menu.Menu
	suite.Decisions(t, func(g engine.Game, s engine.State, view engine.View, legal []engine.Action) {
		name, seat := g.Spec().Text, s.ToAct()
		p := player[name]
		if p == nil {
			p = New(g, Auto)
			player[name] = p
		}
		want := p.Choose(view, seat, legal, rand.NewPCG(3, 3))
		var best []engine.Action
		for _, a := range legal {
			switch {
			case len(best) == 0 || p.t.score(a) > p.t.score(best[0]):
				best = append(best[:0], a)
			case p.t.score(a) == p.t.score(best[0]):
				best = append(best, a)
			}
		}
		if p.Menu(&m, view, seat, legal); len(m.Actions) > 1 {
			several++
		}
		if !slices.Contains(best, m.Actions[0]) || len(best) == 1 && m.Actions[0] != want {
			t.Fatalf("%s: %s comes first, the best is %s, one of %d", name, engine.MoveName(g, s, m.Actions[0]), engine.MoveName(g, s, want), len(best))
		}
		check(t, name, &m, legal)
		if got := p.Choose(view, seat, legal, rand.NewPCG(3, 3)); got != want {
			t.Fatalf("%s: after a menu the player takes %s, before it %s", name, engine.MoveName(g, s, got), engine.MoveName(g, s, want))
		}
		other := g.New().(engine.Hidden)
		other.Redeal(view, rng)
		if p.Menu(&again, engine.Look(other.(engine.State), seat), seat, legal); !same(&m, &again) {
			t.Fatalf("%s: another world that the seat cannot tell apart has another menu", name)
		}
	})
	if several == 0 {
		t.Error("no menu has several candidates")
	}
}

func check(t *testing.T, name string, m *menu.Menu, legal []engine.Action) {
	t.Helper()
	if n := len(m.Actions); n > mostCandidates || n != min(len(legal), mostCandidates) {
		t.Fatalf("%s: %d candidates of %d legal actions", name, n, len(legal))
	}
	for i, a := range m.Actions {
		if !slices.Contains(legal, a) || slices.Contains(m.Actions[:i], a) || m.Worth[i] > 0 || i == 0 && m.Worth[i] != 0 {
			t.Fatalf("%s: candidate %d of %v is of worth %v; legal are %v", name, i, m.Actions, m.Worth[i], legal)
		}
	}
	if slices.Contains(legal, minuteman.Done) && !slices.Contains(m.Actions, minuteman.Done) {
		t.Fatalf("%s: DONE is legal, and not among the candidates", name)
	}
	for i, x := range m.Features {
		if !(x >= -menu.Most && x <= menu.Most) {
			p := New(enginetest.Game(t, name), Auto)
			t.Fatalf("%s: %s is %v", name, p.Features()[i%len(p.Features())], x)
		}
	}
}

func same(a, b *menu.Menu) bool {
	return slices.Equal(a.Actions, b.Actions) && slices.Equal(a.Worth, b.Worth) && slices.Equal(a.Features, b.Features)
}

// TestShelf: the best are kept in their order, and the end of what is under way among them.
func TestShelf(t *testing.T) {
	for _, when := range []int{3, mostCandidates + 3} { // before the shelf is full, and after
		s := &shelf{list: []candidate{{action: minuteman.FirstHex}}}
		for i := range 2 * mostCandidates {
			s.keep(&candidate{action: minuteman.FirstHex + engine.Action(i+1), merit: float32(i % mostCandidates)})
			if i == when {
				s.keep(&candidate{action: minuteman.Done, merit: -1})
			}
		}
		last := s.list[mostCandidates-1]
		if len(s.list) != mostCandidates || s.list[0].action != minuteman.FirstHex || last.action != minuteman.Done {
			t.Fatalf("%d candidates from action %d to %d, want %d to DONE", len(s.list), s.list[0].action, last.action, mostCandidates)
		}
		for i := 2; i < mostCandidates; i++ {
			if s.list[i].merit > s.list[i-1].merit {
				t.Errorf("merit %v stands before %v", s.list[i-1].merit, s.list[i].merit)
			}
		}
		if s.list[1].merit != mostCandidates-1 || s.list[2].merit != mostCandidates-1 {
			t.Errorf("the best have merits %v and %v", s.list[1].merit, s.list[2].merit)
		}
	}
}

// TestFeaturesHaveNames: as many as there are numbers, and no two alike.
func TestFeaturesHaveNames(t *testing.T) {
	names := New(enginetest.Game(t, "minuteman"), Auto).Features()
	if len(names) != contextSize+candidateSize {
		t.Errorf("%d names of %d numbers", len(names), contextSize+candidateSize)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			t.Errorf("%s is the name of two numbers", name)
		}
	}
}

// TestFeaturesFit reads numbers in positions that say what they are: their names stand where
// the numbers do.
func TestFeaturesFit(t *testing.T) {
	for _, c := range []struct {
		name, game, position, action string
		want                         map[string]float32
	}{
		{
			"Agents in number hunt a Network", "minuteman",
			`{"phase": "G4", "turn": 6, "flow": {"seat": 0, "window": 2}, "riots": ["3122"], "units": [{"hex": "4112", "unit": "network"},
			  {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}]}`,
			"ATTACK_INFILTRATION",
			map[string]float32{
				"government": 1, "turn": 0.25, "revolution": 0, "scenario[0]": 1, "decision.D40": 1, "networks": 0.05, "agents": 0.15, "riots": 0.1,
				"action.ATTACK_INFILTRATION": 1, "action.DONE": 0, "best": 1, "attack.is": 1, "attack.units": 0.5,
				"at.is": 1, "at.network": 1, "at.near.agents": 0.75, "from.is": 0,
			},
		},
		{
			"the Rebel builds", "minuteman",
			`{"phase": "A2", "turn": 12, "flow": {"seat": 1, "builds": "attempts", "window": 2}, "units": [{"hex": "4112", "unit": "network", "step": 1},
			  {"hex": "4112", "unit": "minuteman", "step": 1}, {"hex": "2214", "unit": "army", "counter": "DIV-1"}]}`,
			"BUILD_ATTEMPT",
			map[string]float32{
				"government": 0, "turn": 0.5, "decision.D16": 1, "strong_networks": 0.05, "strong_minutemen": 0.05, "army": 0.05,
				"build.is": 1, "at.network_strong": 1, "at.minutemen": 1. / 3, "at.army": 0, "attack.is": 0,
			},
		},
		{
			"a Front Line Division moves", "minuteman(scenario=partisan)",
			`{"phase": "G3", "turn": 3, "committed": 0, "flow": {"seat": 0, "window": 2}, "units": [
			  {"hex": "3121", "unit": "militia", "counter": "MIL1-HOU"},
			  {"hex": "2820", "unit": "army", "counter": "DIV-1", "marks": ["front_line"]}, {"hex": "2821", "unit": "army", "counter": "DIV-2", "marks": ["front_line"]},
			  {"hex": "2822", "unit": "army", "counter": "DIV-3", "marks": ["front_line"]}]}`,
			"MOVE_UNIT",
			map[string]float32{
				"scenario[1]": 1, "decision.D64": 1, "front_line": 0.3, "militia_less_army": -0.25, "unit.army": 1, "unit.front_line": 1,
				"unit.explored": 1, "from.army": 1, "at.near.militia": 0.25,
			},
		},
	} {
		g := enginetest.Game(t, c.game)
		s, err := g.Load([]byte(c.position), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		p := New(g, Auto)
		var m menu.Menu
		p.Menu(&m, engine.Look(s, s.ToAct()), s.ToAct(), s.Legal(nil))
		names := p.Features()
		if got := engine.MoveName(g, s, m.Actions[0]); got != c.action {
			t.Fatalf("%s: %s comes first, want %s", c.name, got, c.action)
		}
		for name, want := range c.want {
			if i := slices.Index(names, name); i < 0 || m.Features[i] != want {
				t.Errorf("%s: %s is number %d, want the value %v; it is %v", c.name, name, i, want, m.Features[max(i, 0)])
			}
		}
	}
}

// TestMenusAllocateNothing once they have their memory.
func TestMenusAllocateNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("the race detector allocates")
	}
	type question struct {
		view  engine.View
		seat  engine.Player
		legal []engine.Action
	}
	few := suite
	few.Games, few.Every = settings[1:2], 2
	var asked []question
	var p *Policy
	few.Decisions(t, func(g engine.Game, s engine.State, view engine.View, legal []engine.Action) {
		if p == nil {
			p = New(g, Auto)
		}
		asked = append(asked, question{view, s.ToAct(), legal})
	})
	var m menu.Menu
	if n := testing.AllocsPerRun(2, func() {
		for _, q := range asked {
			p.Menu(&m, q.view, q.seat, q.legal)
		}
	}); n != 0 {
		t.Errorf("%g allocations in %d menus, want 0", n, len(asked))
	}
}
