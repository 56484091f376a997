package insurgency

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

var allGames = []string{
	"insurgency(scenario=patriot)", "insurgency(scenario=resistance)", "insurgency(scenario=custom)",
	"insurgency(scenario=custom,mode=random,event_tag=none)",
}

// play plays a game and returns who wins.
func play(t *testing.T, g engine.Game, seats []agents.Agent, seed uint64) engine.Player {
	t.Helper()
	returns, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: seed, Agents: seed}, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if returns[rebel] > 0 {
		return rebel
	}
	return federal
}

// TestBeatsRandom plays both sides of every scenario against random play. It loses
// less than one game in a hundred, so the bar is a win in every game.
func TestBeatsRandom(t *testing.T) {
	games := uint64(5)
	if enginetest.Race {
		games = 1
	}
	for _, name := range allGames {
		g := enginetest.Game(t, name)
		for side := range engine.Player(2) {
			wins := uint64(0)
			for seed := range games {
				seats := []agents.Agent{random.New(), random.New()}
				seats[side] = agents.FromPolicy(New(g))
				if play(t, g, seats, seed) == side {
					wins++
				}
			}
			if wins < games {
				t.Errorf("%s, seat %d: wins %d of %d games against random play, want all", name, side, wins, games)
			}
		}
	}
}

// eachDecision plays games of the scripted player, and of it against random play, and
// calls f at every decision with the state, the view of its actor and the legal
// actions.
func eachDecision(t *testing.T, f func(g engine.Game, s *insurgency.State, view *insurgency.View, legal []engine.Action)) {
	t.Helper()
	for i, name := range allGames {
		g := enginetest.Game(t, name)
		seats := []agents.Agent{random.New(), agents.FromPolicy(New(g))}
		if i%2 == 0 {
			slices.Reverse(seats)
		}
		view := &insurgency.View{}
		if _, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: uint64(i), Agents: 7}, table.Options{
			Each: func(s engine.State, _ engine.Action) {
				if s.ToAct() == engine.Chance {
					return
				}
				s.(*insurgency.State).See(s.ToAct(), view)
				f(g, s.(*insurgency.State), view, s.Legal(nil))
			},
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDoesNotKnowHiddenCards deals what the seat cannot see anew and demands the
// same choice, which must be legal.
func TestDoesNotKnowHiddenCards(t *testing.T) {
	rng := rand.NewPCG(1, 1)
	redealt, n := 0, 0
	players := map[engine.Game]*Policy{}
	eachDecision(t, func(g engine.Game, s *insurgency.State, view *insurgency.View, legal []engine.Action) {
		if n++; n%5 != 0 { // every fifth is enough
			return
		}
		p := players[g]
		if p == nil {
			p = New(g)
			players[g] = p
		}
		me := s.ToAct()
		want := p.Choose(view, me, legal, rand.NewPCG(3, 3))
		if !slices.Contains(legal, want) {
			t.Fatalf("%s is chosen, legal are %v", engine.MoveName(g, s, want), legal)
		}
		deal := &insurgency.State{}
		deal.Redeal(view, rng)
		if deal.Hash() != s.Hash() {
			redealt++
		}
		if got := p.Choose(engine.Look(deal, me), me, legal, rand.NewPCG(3, 3)); got != want {
			t.Errorf("chooses %s, with other hidden cards %s\n%s", engine.MoveName(g, s, want), engine.MoveName(g, s, got), view.Text(me))
		}
	})
	if redealt == 0 {
		t.Error("no other deal was tried")
	}
}

// TestReckonsByTheRules compares what the player takes to be possible with what the
// engine offers: the spaces of operations, and the steps of the marker.
func TestReckonsByTheRules(t *testing.T) {
	asked := map[int]int{}
	thoughts := map[engine.Game]*Policy{}
	eachDecision(t, func(g engine.Game, s *insurgency.State, view *insurgency.View, legal []engine.Action) {
		p := thoughts[g]
		if p == nil {
			p = New(g)
			thoughts[g] = p
		}
		th := &p.levels[0]
		th.state, th.view, th.me = s, view, s.ToAct()
		th.b.read(view)
		d := view.Decision()
		switch d {
		case insurgency.AskAttack, insurgency.AskTax, insurgency.AskHunt, insurgency.AskPacify, insurgency.AskDeploy, insurgency.AskSurge, insurgency.AskSecure:
			if view.Progress().Cost > 0 || slices.Contains(legal, insurgency.ActDone) {
				return // picks made before take money, and bar lower spaces
			}
			th.weighPicks(view.Operation(), view.Ops(), th.free())
			for i := range spaces {
				offered := slices.Contains(legal, insurgency.ActSpace+engine.Action(i))
				if reckoned := th.picks[i] > never/2; offered != reckoned && !th.free() {
					t.Errorf("D%d in %s: offered %t, reckoned %t\n%s", d, view.Space(i).ID, offered, reckoned, view.Text(th.me))
				}
			}
		case insurgency.AskStep:
			for to := range 6 {
				offered := slices.Contains(legal, insurgency.ActSM+engine.Action(to))
				steps, _ := th.game.MarkerSteps(view.Marker())
				if known := slices.Contains(steps, uint8(to)); offered != known {
					t.Errorf("marker at %d: step to %d offered %t, known %t", view.Marker(), to, offered, known)
				}
			}
		default:
			return
		}
		asked[d]++
	})
	for _, d := range []int{insurgency.AskTax, insurgency.AskDeploy, insurgency.AskStep} {
		if asked[d] == 0 {
			t.Errorf("D%d was never asked", d)
		}
	}
}

// TestSituations asks in positions that have an answer.
func TestSituations(t *testing.T) {
	const stories = `"active_stories": {"slot1": 14, "slot2": 1, "slot3": 9}, "pool": [2, 5, 18]`
	for _, c := range []struct{ name, position, do, want string }{
		{
			"the Federal makes the one base of a Deploy where there is room for it",
			`{"to_play": "federal", "federal_hand": [3, 4], "rebel_hand": [36], "board": "empty", ` + stories + `,
			  "space": {"washington_suburb": {"status": "order", "agents": 3}, "new_york_city": {"status": "order", "agents": 3, "federal_bases": 2}, "texas": {"status": "revolt", "sleepers": 2}}}`,
			"CARD_3 MODE_ops OP_deploy SPACE_new_york_city SPACE_washington_suburb AMOUNT_1 AMOUNT_1", "YES",
		},
		{
			"the Federal secures a populous space rather than a small one",
			`{"to_play": "federal", "federal_hand": [3, 4], "rebel_hand": [36], "board": "empty", ` + stories + `,
			  "space": {"phoenix_suburb": {"status": "anger", "agents": 3}, "denver_suburb": {"status": "anger", "agents": 3}, "texas": {"status": "revolt", "rebel_bases": 1, "sleepers": 2}}}`,
			"CARD_3 MODE_ops OP_secure", "SPACE_phoenix_suburb",
		},
		{
			"the Rebel surges where most people live",
			`{"to_play": "rebel", "rebel_hand": [41, 36], "federal_hand": [3], "board": "empty", ` + stories + `,
			  "space": {"new_york_suburb": {"status": "order", "sleepers": 4}, "seattle_suburb": {"status": "order", "sleepers": 4}, "mesa": {"status": "anger", "agents": 2}}}`,
			"CARD_41 MODE_ops OP_surge", "SPACE_new_york_suburb",
		},
		{
			"the Rebel makes a base of two militia where it has one in stock",
			`{"to_play": "rebel", "rebel_hand": [41, 36], "federal_hand": [3], "board": "empty", "social_media": "B", ` + stories + `,
			  "rebel_resources": 1, "space": {"texas": {"status": "revolt", "sleepers": 4}, "mesa": {"status": "order", "agents": 2}}}`,
			"CARD_41 MODE_ops OP_recruit TYPE_region SPACE_texas", "RECRUIT_base",
		},
		{
			"the last piece of the enemy is hunted, which wins",
			`{"to_play": "federal", "federal_hand": [15, 4], "rebel_hand": [36], "board": "empty", ` + stories + `,
			  "space": {"texas": {"status": "order", "agents": 3, "active": 1}}}`,
			"CARD_15 MODE_ops", "OP_hunt",
		},
		{
			"the Federal taxes when it has nothing left",
			`{"to_play": "federal", "federal_hand": [3, 4, 11], "rebel_hand": [36], "board": "empty", "federal_resources": 0, ` + stories + `,
			  "space": {"new_york_city": {"status": "order", "agents": 2}, "east_coast": {"status": "order", "agents": 2}, "texas": {"status": "revolt", "sleepers": 2}}}`,
			"CARD_3 MODE_ops", "OP_tax",
		},
		{
			"the Rebel raises funds when it has nothing left",
			`{"to_play": "rebel", "rebel_hand": [41, 36, 46], "federal_hand": [3], "board": "empty", "rebel_resources": 0, ` + stories + `,
			  "space": {"new_york_city": {"status": "order", "agents": 2}, "midwest": {"status": "revolt"}, "texas": {"status": "revolt", "sleepers": 2}, "south": {"status": "revolt"}}}`,
			"CARD_41 MODE_ops", "OP_fundraise",
		},
		{
			"money is no use where it is full: the event of a poor card is left for its operation",
			`{"to_play": "federal", "federal_hand": [4, 3], "rebel_hand": [36], "federal_resources": 30, ` + stories + `}`,
			"CARD_4", "MODE_ops",
		},
	} {
		g := enginetest.Game(t, "insurgency")
		s, err := g.Load([]byte(c.position), engine.Lenient)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for name := range strings.FieldsSeq(c.do) {
			a, err := engine.FindMove(g, s, name)
			if err == nil {
				err = s.Apply(a)
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", c.name, name, err)
			}
		}
		me := s.ToAct()
		legal := s.Legal(nil)
		view := engine.Look(s, me)
		p := New(g)
		for seed := range uint64(3) {
			if got := engine.MoveName(g, s, p.Choose(view, me, legal, rand.NewPCG(seed, 1))); got != c.want {
				t.Errorf("%s: chooses %s, want %s\n%s", c.name, got, c.want, view.(engine.Teller).Text(me))
			}
		}
	}
}

// TestAllocatesNothing plays on a warmed-up player.
func TestAllocatesNothing(t *testing.T) {
	if enginetest.Race {
		t.Skip("counts differ under the race detector")
	}
	g := enginetest.Game(t, "insurgency")
	p := New(g)
	type question struct {
		view  engine.View
		me    engine.Player
		legal []engine.Action
	}
	var asked []question
	eachDecision(t, func(from engine.Game, s *insurgency.State, _ *insurgency.View, legal []engine.Action) {
		if from.Spec().Text == g.Spec().Text && len(asked) < 200 {
			asked = append(asked, question{engine.Look(s, s.ToAct()), s.ToAct(), legal})
		}
	})
	if len(asked) == 0 {
		t.Fatal("no decision was asked")
	}
	rng := rand.NewPCG(1, 1)
	all := func() {
		for _, q := range asked {
			p.Choose(q.view, q.me, q.legal, rng)
		}
	}
	all()
	if n := testing.AllocsPerRun(3, all); n != 0 {
		t.Errorf("%v allocations in %d decisions", n, len(asked))
	}
}

func BenchmarkChoose(b *testing.B) {
	g := enginetest.Game(b, "insurgency")
	seats := []agents.Agent{agents.FromPolicy(New(g)), agents.FromPolicy(New(g))}
	tb := table.New(g)
	decisions := 0
	for b.Loop() {
		if _, err := tb.Play(context.Background(), seats, table.Seeds{Chance: uint64(decisions), Agents: 1}, table.Options{
			Each: func(s engine.State, _ engine.Action) {
				if s.ToAct() >= 0 {
					decisions++
				}
			},
		}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
}

// TestPlansADeploy compares the plan of a Deploy with the best of all plans for up to two
// spaces of a small board.
func TestPlansADeploy(t *testing.T) {
	g := enginetest.Game(t, "insurgency")
	s, err := g.Load([]byte(`{"to_play": "federal", "federal_hand": [3, 4], "rebel_hand": [36], "board": "empty", "federal_resources": 9,
		"active_stories": {"slot1": 14, "slot2": 1, "slot3": 9}, "pool": [2, 5, 18],
		"space": {"washington_suburb": {"status": "order", "agents": 1}, "east_coast": {"status": "order", "agents": 0}, "texas": {"status": "revolt", "sleepers": 4}}}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	p := New(g)
	th := &p.levels[0]
	th.state, th.view, th.me, th.seat = s.(*insurgency.State), engine.Look(s, federal).(*insurgency.View), federal, federal
	th.b.w = &th.weights[federal]
	th.b.read(th.view)
	th.b.readHorizon(th.view)
	th.readHand()
	open := th.deployable()
	got := th.planDeploy(deployRoom{open: open, fresh: open, agents: 3, base: true}).gain
	want := 0.0
	spaces := []int{12, 22} // Washington suburb, East Coast
	for a := range 4 {
		for b := range 4 - a {
			for base := range 3 {
				sum, n := 0.0, [2]int{a, b}
				for k, i := range spaces {
					sp := th.b.at[i]
					sp.agents += n[k]
					if n[k] > 0 || base == k {
						sum -= th.price(1, false)
					}
					if base == k {
						sp.agents -= 2
						sp.bases[federal]++
					}
					if sp.agents < 0 {
						sum = never
						break
					}
					sum += th.b.gain(federal, &th.places[i], &th.b.at[i], &sp)
				}
				want = max(want, sum)
			}
		}
	}
	if got < want-1e-9 || got > want+1e-9 || want == 0 {
		t.Errorf("the plan gains %.4f, the best of all %.4f", got, want)
	}
}
