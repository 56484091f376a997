package insurgency

import (
	"context"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted/scriptedtest"
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

var suite = scriptedtest.Suite{New: func(g engine.Game) agents.Policy { return New(g) }, Games: allGames, Times: 1}

func TestPlayer(t *testing.T) { suite.Run(t) }

func BenchmarkChoose(b *testing.B) { suite.Benchmark(b) }

// eachDecision calls f at every decision of a game of each kind.
func eachDecision(t *testing.T, f func(g engine.Game, s *insurgency.State, view *insurgency.View, legal []engine.Action)) {
	t.Helper()
	suite.Decisions(t, func(g engine.Game, s engine.State, view engine.View, legal []engine.Action) {
		f(g, s.(*insurgency.State), view.(*insurgency.View), legal)
	})
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
		case insurgency.AskAttack, insurgency.AskTax, insurgency.AskHunt, insurgency.AskPacify, insurgency.AskDeploy, insurgency.AskSurge,
			insurgency.AskSecure:
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
				steps, _ := th.game.MarkerSteps(int(view.P.Social))
				if known := slices.Contains(steps, insurgency.Marker(to)); offered != known {
					t.Errorf("marker at %d: step to %d offered %t, known %t", int(view.P.Social), to, offered, known)
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
		t.Run(c.name, func(t *testing.T) {
			suite.Ask(t, "insurgency", c.position, strings.Fields(c.do), []string{c.want})
		})
	}
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
