package planner

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/scripted"
	"powderkeg/agents/scripted/menu"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// evolved returns the weights by which a bot that ships is advised, and the player that they make.
func evolved(t *testing.T, g engine.Game, bot string) ([]network.Adviser, scripted.Weighing) {
	t.Helper()
	c, err := checkpoints.Open(bot)
	if err != nil {
		t.Fatal(err)
	}
	advisers, err := Advisers(c)
	if err != nil || len(advisers) == 0 {
		t.Fatalf("%d advisers, error %v; want those of a search", len(advisers), err)
	}
	p, err := scripted.NewWeighing(g)
	if err != nil {
		t.Fatal(err)
	}
	if err := learned.Weigh(g, p, advisers); err != nil {
		t.Fatal(err)
	}
	return advisers, p
}

// arch is that of a small network for a planner.
func arch(p Planner) network.Config {
	return network.Config{Inputs: len(p.Features()), Actions: 1, Seats: 1, Hidden: []int{8}, Activation: network.ReLU}
}

// draws is how often a player is asked that draws among actions alike, before one of them is
// thought to be another player's.
const draws = 400

// TestZeroIsTheEvolvedPlayer: with a network of zeros, and with none, the planner does at every
// decision what the player with the same weights does, or one of the things that it draws among,
// whoever chose what came before; and what it shows first is that.
func TestZeroIsTheEvolvedPlayer(t *testing.T) {
	for _, c := range []struct {
		name, bot string
		games     uint64
	}{
		{"bloc(ops_difficulty=easy)", "zoo:bloc", 6},
		{"bloc(ops_difficulty=hard)", "zoo:bloc", 6},
		{"bloc(mode=semi_cooperative)", "zoo:bloc", 6},
		{"bloc(players=2,scenario=abolish_the_police)", "zoo:bloc", 6},
		{"bloc(scenario=collective_liberation)", "zoo:bloc", 6},
		{"minuteman", "zoo:minuteman", 2},
		{"minuteman(scenario=partisan)", "zoo:minuteman_partisan", 2},
	} {
		name, g := c.name, enginetest.Game(t, c.name)
		advisers, player := evolved(t, g, c.bot)
		plain, err := New(g, advisers)
		if err != nil {
			t.Fatal(err)
		}
		zeros := network.FromWeights(arch(plain), make([]float32, arch(plain).NumWeights()))
		policies := map[string]agents.Policy{"no network": NewPolicy(plain, nil, 0), "a network of zeros": NewPolicy(plain, zeros, 0)}
		drawn := NewPolicy(plain, nil, 1)
		e, err := env.New(g, env.Options{MaxDecisions: 3000})
		if err != nil {
			t.Fatal(err)
		}
		choices, several, rng := 0, 0, rand.NewPCG(1, 2)
		for seed := range c.games {
			for e.Reset(seed); !e.Terminated() && !e.Truncated(); {
				legal, seat := e.Legal(), e.Actor()
				want := player.Choose(e.View(seat), seat, legal, rng)
				for by, p := range policies {
					got := p.Choose(e.View(seat), seat, legal, rng)
					for again := 0; got != want && again < draws; again++ {
						want = player.Choose(e.View(seat), seat, legal, rng)
					}
					if got != want {
						t.Fatalf("%s, game %d, decision %d: with %s %s, want %s", name, seed, e.Decisions(), by,
							engine.MoveName(g, e.View(seat), got), engine.MoveName(g, e.View(seat), want))
					}
				}
				if choices++; seed%2 == 1 { // games that other choices lead to
					want = drawn.Choose(e.View(seat), seat, legal, rng)
				}
				if len(drawn.menu.Actions) > 1 {
					several++
				}
				if err := e.Step(want); err != nil {
					t.Fatal(err)
				}
			}
		}
		if several < choices/20 {
			t.Errorf("%s: several candidates at %d of %d decisions", name, several, choices)
		}
	}
}

// TestMenus: what is shown is legal, the first is worth 0 and nothing more, and the numbers
// are finite, of the width that their names say, and the same whoever asks again.
func TestMenus(t *testing.T) {
	for _, name := range []string{
		"bloc", "bloc(mode=semi_cooperative)", "bloc(scenario=routine_traffic_stop)", "minuteman(players=3)", "kuhn", "tictactoe",
	} {
		g := enginetest.Game(t, name)
		p, err := New(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := env.New(g, env.Options{MaxDecisions: 3000})
		if err != nil {
			t.Fatal(err)
		}
		var m, again menu.Menu
		rng := rand.New(rand.NewPCG(3, 4))
		for seed := range uint64(3) {
			for e.Reset(seed); !e.Terminated() && !e.Truncated(); {
				legal, seat := e.Legal(), e.Actor()
				p.Menu(&m, e.View(seat), seat, legal)
				check(t, name, p, &m, legal)
				p.Menu(&again, e.View(seat), seat, legal)
				if !same(&m, &again) {
					t.Fatalf("%s: the same decision has two menus", name)
				}
				if err := e.Step(m.Actions[rng.IntN(len(m.Actions))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func check(t *testing.T, name string, p Planner, m *menu.Menu, legal []engine.Action) {
	t.Helper()
	n := len(m.Actions)
	if n == 0 || len(m.Worth) != n || n > 1 && len(m.Features) != n*len(p.Features()) {
		t.Fatalf("%s: %d actions, %d worths, %d numbers of %d names", name, n, len(m.Worth), len(m.Features), len(p.Features()))
	}
	for i, a := range m.Actions {
		ok := false
		for _, b := range legal {
			ok = ok || a == b
		}
		if !ok || m.Worth[i] > 0 || i == 0 && m.Worth[i] != 0 {
			t.Fatalf("%s: candidate %d is action %d, legal: %t, of worth %v", name, i, a, ok, m.Worth[i])
		}
	}
	for i, x := range m.Features {
		if !(x > -30 && x < 30) {
			t.Fatalf("%s: %s is %v", name, p.Features()[i%len(p.Features())], x)
		}
	}
}

func same(a, b *menu.Menu) bool {
	if len(a.Actions) != len(b.Actions) || len(a.Features) != len(b.Features) {
		return false
	}
	for i := range a.Actions {
		if a.Actions[i] != b.Actions[i] || a.Worth[i] != b.Worth[i] {
			return false
		}
	}
	for i := range a.Features {
		if a.Features[i] != b.Features[i] {
			return false
		}
	}
	return true
}

// TestMenusTellNoSecrets: what a planner shows of a seat's view does not change when what the
// seat cannot see is dealt anew.
func TestMenusTellNoSecrets(t *testing.T) {
	for _, name := range scripted.Planning() {
		t.Run(name, func(t *testing.T) { tellsNoSecrets(t, enginetest.Game(t, name)) })
	}
}

func tellsNoSecrets(t *testing.T, g engine.Game) {
	p, err := New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m, again menu.Menu
	rng := rand.NewPCG(5, 6)
	drawn := NewPolicy(p, nil, 1)
	for e.Reset(9); !e.Terminated(); {
		seat := e.Actor()
		p.Menu(&m, e.View(seat), seat, e.Legal())
		if e.Decisions()%7 == 0 {
			other := g.New()
			other.(engine.Hidden).Redeal(e.View(seat), rng)
			p.Menu(&again, engine.Look(other, seat), seat, e.Legal())
			if !same(&m, &again) {
				t.Fatalf("decision %d: another world that the seat cannot tell apart has another menu", e.Decisions())
			}
		}
		if err := e.Step(drawn.Choose(e.View(seat), seat, e.Legal(), rng)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckpoints: a planner that was written plays as before, without its network as the
// planner by itself, and a network for other candidates is refused.
func TestCheckpoints(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	p, err := New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := network.New(arch(p), rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range net.Layers()[1].Weight { // strong opinions
		net.Layers()[1].Weight[i] *= 1000
	}
	c, err := Checkpoint(g, p, Config{}, net)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() + "/bot"
	if err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	open := func(policy bool) agents.Policy {
		policies, err := Open(g, dir, 0, Parts{Policy: policy, Worth: true})
		if err != nil {
			t.Fatal(err)
		}
		return policies()
	}
	want, got, zero := NewPolicy(p, net.Frozen(), 0), open(true), open(false)
	e, err := env.New(g, env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	departs := false
	for seed := range uint64(20) {
		for e.Reset(seed); !e.Terminated(); {
			seat, legal := e.Actor(), e.Legal()
			a := want.Choose(e.View(seat), seat, legal, nil)
			if b := got.Choose(e.View(seat), seat, legal, nil); a != b {
				t.Fatalf("a planner that was written chooses %d, before %d", b, a)
			}
			if b := zero.Choose(e.View(seat), seat, legal, nil); b != legal[0] {
				t.Fatalf("without its network it chooses %d, want %d", b, legal[0])
			}
			departs = departs || a != legal[0]
			if err := e.Step(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !departs {
		t.Error("the network changes nothing")
	}
	for _, other := range []string{"leduc", "bloc"} {
		if _, err := Open(enginetest.Game(t, other), dir, 0, Whole); !errors.Is(err, option.ErrUsage) || !errors.Is(err, checkpoints.ErrMismatch) {
			t.Errorf("%s: error %v, want a mismatch", other, err)
		}
	}
	if _, err := Open(g, "zoo:bloc", 0, Whole); err == nil || !strings.Contains(err.Error(), "no planner") {
		t.Errorf("a network that is no planner's: error %v", err)
	}
}

// TestGamesWithAPlanner: those that are listed show plans of their own, and no others do.
func TestGamesWithAPlanner(t *testing.T) {
	for _, family := range games.Families() {
		g := enginetest.Game(t, family.Name)
		player, err := scripted.New(g)
		if err != nil {
			continue
		}
		if _, plans := player.(Planner); plans != slices.Contains(scripted.Planning(), family.Name) {
			t.Errorf("%s: it shows plans: %t; the list is %v", family.Name, plans, scripted.Planning())
		}
	}
}

// TestGamesWithoutAPlanner: those too large for plans of single actions are refused.
func TestGamesWithoutAPlanner(t *testing.T) {
	_, err := newSingles(enginetest.Game(t, "minuteman"))
	if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "games with a planner: bloc, minuteman") {
		t.Errorf("error %v, want wrong usage that names the games", err)
	}
	if _, err := New(enginetest.Game(t, "kuhn"), []network.Adviser{{}}); !errors.Is(err, option.ErrUsage) {
		t.Errorf("weights for single actions: error %v, want wrong usage", err)
	}
}
