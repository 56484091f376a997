package roster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

func Example() {
	g, err := games.New("kuhn")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := New(g, "mcts(sims=100)")
	if err != nil {
		fmt.Println(err)
		return
	}
	returns, err := table.New(g).Play(context.Background(), []agents.Agent{a, random.New()}, table.Seeds{}, table.Options{})
	fmt.Println(returns[0]+returns[1], err)
	_, err = New(g, "mcts(sims=many)")
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// wrong usage: mcts: sims=many is not possible; sims is a whole number from 0 to 10000000
}

// TestDefaultsPlay makes every kind but people by its bare name and plays.
func TestDefaultsPlay(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice"} {
		g, err := games.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"random", "scripted", "mcts", "mcts(sims=0,time=1ms)", "mcts(sims=5,rollout=scripted,depth=3)"} {
			a, err := New(g, text)
			if err != nil {
				t.Errorf("%s, %s: %v", name, text, err)
				continue
			}
			if _, err := table.New(g).Play(context.Background(), []agents.Agent{a, random.New()}, table.Seeds{}, table.Options{}); err != nil {
				t.Errorf("%s, %s: %v", name, text, err)
			}
		}
	}
}

func TestListIsWhatNewTakes(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range List() {
		if k.Help == "" || k.Name == "" {
			t.Errorf("kind %+v has no name or no help", k)
		}
		if k.Argument == "" && k.Name != "md" && k.Name != "network" { // which need a network
			if _, err := New(g, k.Usage()); err != nil {
				t.Errorf("usage %s is refused: %v", k.Usage(), err)
			}
		}
	}
}

// TestArgumentsReachTheOpener injects a kind that takes a path.
func TestArgumentsReachTheOpener(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	var got string
	missing := errors.New("no such file")
	withPath := []Kind{{
		Name: "checkpoint", Argument: "PATH", Help: "a trained network",
		open: func(_ engine.Game, argument string) (agents.Agent, error) {
			got = argument
			return nil, missing
		},
	}}
	// Brackets, colons and equals signs belong to the path.
	if _, err := find(withPath, g, "checkpoint: runs/a(1)=b:c "); !errors.Is(err, missing) || got != "runs/a(1)=b:c" {
		t.Errorf("the opener got %q, error %v, want runs/a(1)=b:c and its own error", got, err)
	}
	for text, part := range map[string]string{
		"checkpoint":       "checkpoint is written checkpoint:PATH",
		"checkpoint:":      "needs a path",
		"checkpoint(sims)": "is not of the form",
		"model:x":          `unknown agent "model"`,
		"random:x":         `unknown agent "random"`,
	} {
		_, err := find(withPath, g, text)
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error is %v, want wrong usage with %q", text, err, part)
		}
	}
}

func TestErrorsTellWhatIsPossible(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	for text, part := range map[string]string{
		"":                        "is not of the form",
		"rando":                   "agents: random, scripted(slips=0,plan=auto), mcts(sims=400,",
		"random(seed=1)":          `random has no option "seed"; its options: none`,
		"mcts(simulations=1)":     "its options: sims, time, c, rollout, depth, net",
		"mcts(sims=-1)":           "a whole number from 0",
		"scripted(plan=bold)":     "one of auto, passive, violent",
		"scripted(plan=violent)":  `game kuhn has no option "plan"; the game that has it: minuteman`,
		"mcts(rollout=best)":      "one of random, scripted",
		"mcts(sims=0)":            "neither simulations nor time",
		"mcts(sims=1,sims=2)":     "given twice",
		"mcts(time=1)":            "a duration such as 50ms",
		"mcts(c=NaN)":             "a number from 0 to 100",
		"scripted(level=hard":     "brackets",
		"mcts(sims=400,rollout=)": "is not of the form option=value",
	} {
		_, err := New(g, text)
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error is %v, want one line of wrong usage with %q", text, err, part)
		}
	}
}

// other is a game that nobody has written a player for.
type other struct{ engine.Game }

func (other) Spec() *engine.Spec { return &engine.Spec{Name: "other", Seats: 1} }

func TestGamesWithoutScriptedPlayerSaySo(t *testing.T) {
	_, err := New(other{}, "scripted")
	if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), "games that have one: bloc, connect4, domination, ") {
		t.Errorf("error is %v, want wrong usage with the games that have one", err)
	}
}

func TestLimitsBoundWhatStrangersName(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	l := Limits{Sims: 50}
	for text, want := range map[string]string{
		"mcts(sims=51)": "from 1 to 50", "mcts(sims=100000000)": "from 1 to 50", "mcts(sims=many)": "from 1 to 50",
		"md(net=zoo:jogu,sims=100000000)": "from 1 to 50", "mcts(sims=0,time=1h)": "from 1 to 50", "mcts": "from 1 to 50",
		"mcts(sims=5,net=/etc)": "zoo:NAME", "network(net=/etc)": "zoo:NAME", "network": "needs net=PATH", "mcts(sims=50)": "", "random": "", "scripted": "",
	} {
		_, err := l.New(g, text)
		if want == "" && err != nil || want != "" && (!errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
	l.Files = true
	if _, err := l.New(g, "mcts(sims=5,net=/no/such/file)"); err == nil || strings.Contains(err.Error(), "zoo:NAME here") {
		t.Errorf("with files: got error %v, want that there is none", err)
	}
}

// TestLimitsAreSaidInDigits looks through every option of every agent and game for limits that
// are not written as people write numbers.
func TestLimitsAreSaidInDigits(t *testing.T) {
	said := map[string][]option.Option{}
	for _, k := range List() {
		said[k.Name] = k.Options
	}
	for _, f := range games.Families() {
		said[f.Name] = f.Options
	}
	for name, options := range said {
		for _, o := range options {
			if wants := o.Wants(); o.Kind != option.Choice && strings.ContainsAny(wants, "+-") && o.Min >= 0 || strings.Contains(wants, "e+") {
				t.Errorf("%s: %s is %s, want digits alone", name, o.Name, wants)
			}
		}
	}
}

// TestPoliciesPlayByTheGeneratorAlone makes every kind of policy twice and lets
// both choose from generators in the same state, one of them after other games:
// nothing but the view and the generator may count.
func TestPoliciesPlayByTheGeneratorAlone(t *testing.T) {
	g, err := games.New("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"random", "scripted", "scripted(slips=0.5)", "mcts(sims=30)", "mcts(sims=30,rollout=scripted)", "zoo:jogu", "network(net=zoo:jogu,temperature=0,slips=0.3)", "md(net=zoo:jogu,sims=10,depth=2)"} {
		if strings.Contains(name, "zoo:jogu") {
			if g, err = games.New("jogu"); err != nil {
				t.Fatal(err)
			}
		}
		newPolicy, err := Policies(g, name)
		if err != nil {
			t.Fatal(err)
		}
		a, b := newPolicy(), newPolicy()
		decisions := 0
		for seed := range uint64(5) {
			ra, rb, chance := rand.NewPCG(seed, 1), rand.NewPCG(seed, 1), rand.NewPCG(seed, 2)
			for s := g.New(); s.ToAct() != engine.Terminal; {
				move := engine.Action(0)
				if seat := s.ToAct(); seat == engine.Chance {
					move = engine.Sample(s.(engine.Stochastic).Outcomes(nil), chance)
				} else {
					view := engine.Look(s, seat)
					move = a.Choose(view, seat, s.Legal(nil), ra)
					if got := b.Choose(view, seat, s.Legal(nil), rb); got != move {
						t.Fatalf("%s: game %d: one chooses %d, the other %d", name, seed, move, got)
					}
					if decisions++; decisions%3 == 0 { // a plays elsewhere now and then
						a.Choose(view, seat, s.Legal(nil), rand.NewPCG(9, 9))
					}
				}
				if err := s.Apply(move); err != nil {
					t.Fatal(err)
				}
			}
		}
		if decisions < 10 {
			t.Errorf("%s: only %d decisions were compared", name, decisions)
		}
	}
}

// TestNetworkNamesWhatPlays: the network that an agent plays by, as it is or at a strength.
func TestNetworkNamesWhatPlays(t *testing.T) {
	for text, want := range map[string]string{
		"checkpoint:runs/a": "runs/a", "zoo:jogu": "zoo:jogu", "network(net=zoo:jogu,slips=0.2)": "zoo:jogu",
		"network(net=zoo:jogu,advice=0)": "", "network(net=zoo:jogu,policy=0)": "", "network(net=zoo:jogu,policy=1)": "zoo:jogu",
		"network(net=none)": "", "random": "", "mcts(net=zoo:jogu)": "", "scripted": "", "nobody": "", "zoo:bloc_plans": "",
	} {
		if got, ok := Network(text); got != want || ok != (want != "") {
			t.Errorf("%s plays by %q, %t; want %q", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{
		"zoo:bloc_plans": "zoo:bloc_plans", "planner(net=zoo:bloc_plans,policy=0)": "zoo:bloc_plans",
		"planner": "", "zoo:bloc": "", "network(net=zoo:bloc)": "", "nobody": "",
	} {
		if got, ok := Planner(text); got != want || ok != (want != "") {
			t.Errorf("%s plans by %q, %t; want %q", text, got, ok, want)
		}
	}
}
