// Package scriptedtest tests scripted players of all games alike.
package scriptedtest

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/demand"
)

// Suite is a scripted player and the games that it is tested in.
type Suite struct {
	// New makes a player of a game.
	New func(engine.Game) agents.Policy
	// Games are game strings, one or more. Of each, Times games are played, 1 or more.
	Games []string
	Times int
	// Every looks at every so many'th decision, 0 at each.
	Every int
}

// maxQuestions bounds the decisions of a game string that are asked again for their
// allocations.
const maxQuestions = 200

// question is a decision as a player is asked it.
type question struct {
	view  engine.View
	seat  engine.Player
	legal []engine.Action
}

// Decisions plays games of scripted players among random ones, who sit on the other seats
// of every second game, and calls f at the decisions.
func (u Suite) Decisions(t testing.TB, f func(g engine.Game, s engine.State, view engine.View, legal []engine.Action)) {
	t.Helper()
	u.check(t)
	demand.That(t, f != nil, "f is nil: it must be a function, which is called at the decisions")
	for i, text := range u.Games {
		u.decisions(t, enginetest.Game(t, text), uint64(i), f)
	}
}

// check stops the test where the suite makes no sense.
func (u Suite) check(t testing.TB) {
	t.Helper()
	demand.That(t, u.New != nil, "Suite.New is nil: it must make a player of a game")
	demand.That(t, len(u.Games) > 0, "Suite.Games is empty: there must be a game string or more")
	demand.That(t, u.Times > 0, "Suite.Times is %d: it must be 1 or more, the games played of each game string", u.Times)
	demand.That(t, u.Every >= 0, "Suite.Every is %d: it must be 0 or more, the decisions from one look to the next", u.Every)
}

// player makes a player of a game.
func (u Suite) player(t testing.TB, g engine.Game) agents.Policy {
	t.Helper()
	p := u.New(g)
	demand.Something(t, p, "what Suite.New makes of "+g.Spec().Text, "a player")
	return p
}

// decisions is Decisions for the i-th game string.
func (u Suite) decisions(t testing.TB, g engine.Game, i uint64, f func(g engine.Game, s engine.State, view engine.View, legal []engine.Action)) {
	t.Helper()
	n := 0
	for seed := range uint64(u.Times) {
		seats := make([]agents.Agent, g.Spec().Seats)
		for p := range seats {
			if seats[p] = random.New(); (uint64(p)+seed+i)%2 == 0 {
				seats[p] = agents.FromPolicy(u.player(t, g))
			}
		}
		if _, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: seed, Agents: 100*i + seed}, table.Options{
			Each: func(s engine.State, _ engine.Action) {
				if s.ToAct() == engine.Chance {
					return
				}
				if n++; n%max(u.Every, 1) == 0 {
					f(g, s, engine.Look(s, s.ToAct()), s.Legal(nil))
				}
			},
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// Run tests what every scripted player owes: it chooses a legal action, by what its seat
// may see and nothing that it remembers, and allocates nothing. What the seat cannot see
// is dealt anew for that, and the choice must stay the same.
func (u Suite) Run(t *testing.T) {
	u.check(t)
	redealt := 0
	for i, text := range u.Games {
		t.Run(text, func(t *testing.T) { redealt += u.run(t, uint64(i), text) })
	}
	if _, hidden := enginetest.Game(t, u.Games[0]).New().(engine.Hidden); hidden && redealt == 0 {
		t.Error("no other deal was tried")
	}
}

// run tests the i-th game string, and returns in how many decisions another deal was tried.
func (u Suite) run(t testing.TB, i uint64, text string) (redealt int) {
	t.Helper()
	defer demand.Calm(t, text)
	g := enginetest.Game(t, text)
	player, rng := u.player(t, g), rand.NewPCG(1, 1)
	var asked []question
	u.decisions(t, g, i, func(g engine.Game, s engine.State, view engine.View, legal []engine.Action) {
		seat := s.ToAct()
		want := player.Choose(view, seat, legal, rand.NewPCG(3, 3))
		if !slices.Contains(legal, want) {
			t.Fatalf("%s is chosen, legal are %v", engine.MoveName(g, s, want), legal)
		}
		if len(asked) < maxQuestions {
			asked = append(asked, question{view, seat, legal})
		}
		deal, ok := g.New().(engine.Hidden)
		if !ok {
			return
		}
		deal.Redeal(view, rng)
		if deal.Hash() != s.Hash() {
			redealt++
		}
		if got := player.Choose(engine.Look(deal, seat), seat, legal, rand.NewPCG(3, 3)); got != want {
			t.Errorf("chooses %s, with other hidden parts %s\n%s", engine.MoveName(g, s, want), engine.MoveName(g, s, got), view.(engine.Teller).Text(seat))
		}
	})
	allocatesNothing(t, player, asked)
	return redealt
}

// allocatesNothing asks the questions again. The race detector allocates itself, so that
// there is nothing to count with it.
func allocatesNothing(t testing.TB, player agents.Policy, asked []question) {
	t.Helper()
	if enginetest.Race {
		return
	}
	var rng rand.PCG
	all := func() {
		for _, q := range asked {
			player.Choose(q.view, q.seat, q.legal, &rng)
		}
	}
	if n := testing.AllocsPerRun(3, all); n != 0 { // which asks once before it counts
		t.Errorf("%g allocations in %d decisions, want 0", n, len(asked))
	}
}

// Ask sets up a position, in which pieces may be missing, plays the moves, and demands
// that the player makes one of the wanted ones, whatever it draws.
func (u Suite) Ask(t testing.TB, game, position string, moves, want []string) {
	t.Helper()
	demand.That(t, u.New != nil, "Suite.New is nil: it must make a player of a game")
	demand.That(t, len(want) > 0, "want is empty: it must name a move or more")
	defer demand.Calm(t, game)
	g := enginetest.Game(t, game)
	s := enginetest.Load[engine.State](t, game, position)
	enginetest.Do(t, game, s, moves...)
	seat, legal := s.ToAct(), s.Legal(nil)
	demand.That(t, seat >= 0, "%s: player %d is to act after the moves: it must be a seat", game, seat)
	view := engine.Look(s, seat)
	player := u.player(t, g)
	for seed := range uint64(3) {
		if got := engine.MoveName(g, s, player.Choose(view, seat, legal, rand.NewPCG(seed, 1))); !slices.Contains(want, got) {
			t.Fatalf("chooses %s, want %v of %d legal moves\n%s", got, want, len(legal), view.(engine.Teller).Text(seat))
		}
	}
}

// Benchmark plays whole games of scripted players. What the game costs is counted too:
// views and moves.
func (u Suite) Benchmark(b *testing.B) {
	u.check(b)
	for _, text := range u.Games {
		b.Run(text, func(b *testing.B) {
			g := enginetest.Game(b, text)
			seats := make([]agents.Agent, g.Spec().Seats)
			for p := range seats {
				seats[p] = agents.FromPolicy(u.player(b, g))
			}
			games, decisions := table.New(g), 0
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if _, err := games.Play(context.Background(), seats, table.Seeds{Chance: uint64(n)}, table.Options{
					Each: func(s engine.State, _ engine.Action) {
						if s.ToAct() >= 0 {
							decisions++
						}
					},
				}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
