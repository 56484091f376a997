package minuteman

import (
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted/scriptedtest"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// settings together use every option, every scenario and every number of players.
var settings = []string{
	"minuteman",
	"minuteman(scenario=partisan,elite_units=true)",
	"minuteman(scenario=occupation,foreign_intervention=true,air_assault=true,amphibious_assault=true)",
	"minuteman(scenario=civil_war,canada_mexico=true,foreign_intervention=true)",
	"minuteman(government=unprepared,rebel=uncoordinated,air_assault=true)",
	"minuteman(government=prepared,rebel=organized,canada_mexico=true)",
	"minuteman(players=3)",
	"minuteman(players=4,dispersed=true)",
}

var suite = scriptedtest.Suite{New: func(g engine.Game) agents.Policy { return New(g, Auto) }, Games: settings, Times: 1, Every: 7}

func TestPlayer(t *testing.T) { suite.Run(t) }

func BenchmarkChoose(b *testing.B) {
	few := suite
	few.Games = settings[:2]
	few.Benchmark(b)
}

// TestEachSideBeatsRandom plays each side of every scenario against random play. The
// bars lie well below what was measured (experiments/reports/0009-minuteman.md), and
// above what a random player returns on that side.
func TestEachSideBeatsRandom(t *testing.T) {
	games := 10
	if enginetest.Race {
		games = 1
	}
	for _, c := range []struct {
		options, government, rebel string
		seat                       int
		bar                        float64
	}{
		{"scenario=partisan", "random", "scripted", 1, 0.85},
		{"scenario=partisan", "scripted", "random", 0, -0.3},
		{"scenario=basic", "random", "scripted", 1, 0.25},
		{"scenario=basic", "scripted", "random", 0, 0.3},
		{"scenario=civil_war", "random", "scripted", 1, 0.2},
		{"scenario=civil_war", "scripted", "random", 0, 0.2},
		{"scenario=occupation", "random", "scripted", 1, 0.25},
		{"scenario=occupation", "scripted", "random", 0, 0.2},
		{"players=3", "random", "scripted", 1, -0.5},
		{"players=3", "scripted", "random", 0, 0.67},
		{"players=4", "random", "scripted", 1, -0.5},
		{"players=4", "scripted", "random", 0, 0.67},
	} {
		s := playMany(t, enginetest.Game(t, "minuteman("+c.options+")"), c.government, c.rebel, games)
		mean, _ := s.mean(c.seat)
		t.Logf("%s, %s Government, %s Rebel: seat %d returns %+.3f, levels %v", c.options, c.government, c.rebel, c.seat, mean, s.levels)
		if !enginetest.Race && mean < c.bar {
			t.Errorf("%s, %s Government, %s Rebel: seat %d returns %+.3f, want at least %+.2f", c.options, c.government, c.rebel, c.seat, mean, c.bar)
		}
	}
}

// strong is a position of a Rebel who outweighs the Government by far.
const strong = `{"phase": "A1", "turn": 6, "flow": {"seat": 1, "window": 0}, "units": [{"hex": "2214", "unit": "army", "counter": "DIV-1"},
{"hex": "3122", "unit": "network", "step": 1}, {"hex": "3122", "unit": "minuteman"}, {"hex": "3122", "unit": "militia", "counter": "MIL1-HOU"},
{"hex": "3221", "unit": "network", "step": 1}, {"hex": "3221", "unit": "minuteman"}, {"hex": "3221", "unit": "militia", "counter": "MIL1-BLISS"},
{"hex": "3411", "unit": "network", "step": 1}, {"hex": "3411", "unit": "minuteman"}, {"hex": "3512", "unit": "network", "step": 1},
{"hex": "3512", "unit": "minuteman"}, {"hex": "3513", "unit": "network", "step": 1}, {"hex": "3513", "unit": "minuteman"},
{"hex": "3612", "unit": "network", "step": 1}, {"hex": "3612", "unit": "minuteman"}, {"hex": "3711", "unit": "network", "step": 1},
{"hex": "3711", "unit": "minuteman"}, {"hex": "3712", "unit": "network", "step": 1}, {"hex": "3712", "unit": "minuteman"},
{"hex": "3925", "unit": "network", "step": 1}, {"hex": "3925", "unit": "minuteman"}, {"hex": "3925", "unit": "militia", "counter": "MIL1-PATTON"},
{"hex": "4012", "unit": "network", "step": 1}, {"hex": "4012", "unit": "minuteman"}, {"hex": "4012", "unit": "militia", "counter": "MIL1-POSAY"},
{"hex": "4013", "unit": "network", "step": 1}, {"hex": "4013", "unit": "minuteman"}, {"hex": "4013", "unit": "militia", "counter": "MIL1-WILCOX"},
{"hex": "4112", "unit": "network", "step": 1}, {"hex": "4112", "unit": "minuteman"}, {"hex": "4112", "unit": "militia", "counter": "MIL1-SMITH"},
{"hex": "4113", "unit": "network", "step": 1}, {"hex": "4113", "unit": "minuteman"}, {"hex": "4113", "unit": "militia", "counter": "MIL1-HILL"},
{"hex": "4310", "unit": "network", "step": 1}, {"hex": "4310", "unit": "minuteman"}, {"hex": "4310", "unit": "militia", "counter": "MIL1-EGNOR"}]}`

// TestPlansDiffer asks Rebels of both plans in the same positions.
func TestPlansDiffer(t *testing.T) {
	for _, c := range []struct{ name, position, passive, violent string }{
		{
			"only the violent plan rises early in strength",
			strong, "DONE", "REVOLUTION",
		},
	} {
		g := enginetest.Game(t, "minuteman")
		s, err := g.Load([]byte(c.position), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		me, legal := s.ToAct(), s.Legal(nil)
		view := engine.Look(s, me)
		for plan, want := range map[Plan]string{Passive: c.passive, Violent: c.violent} {
			if got := engine.MoveName(g, s, New(g, plan).Choose(view, me, legal, rand.NewPCG(1, 1))); got != want {
				t.Errorf("%s: plan %d chooses %s, want %s", c.name, plan, got, want)
			}
		}
	}
}

// TestWeightsBySeat gives one seat weights of its own, which the others do not play with.
func TestWeightsBySeat(t *testing.T) {
	const hunt = `{"phase": "G4", "turn": 3, "flow": {"seat": 0, "window": 2}, "units": [{"hex": "4112", "unit": "network"},
{"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}]}`
	g := enginetest.Game(t, "minuteman")
	s, err := g.Load([]byte(hunt), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	for seat, want := range []string{"DONE", "ATTACK_INFILTRATION"} {
		p := New(g, Auto)
		if err := p.Weights(seat).Change(map[string]float64{"leastGain": 100}); err != nil {
			t.Fatal(err)
		}
		if got := engine.MoveName(g, s, p.Choose(engine.Look(s, 0), 0, s.Legal(nil), rand.NewPCG(1, 1))); got != want {
			t.Errorf("seat %d is cautious, the Government chooses %s, want %s", seat, got, want)
		}
	}
}

// TestSituations asks in positions that have an answer.
func TestSituations(t *testing.T) {
	for _, c := range []struct{ name, game, position, want string }{
		{
			"Army strikes a Riot beside it", "minuteman",
			`{"phase": "G4", "turn": 3, "flow": {"seat": 0, "window": 2}, "riots": ["4112"], "units": [{"hex": "4112", "unit": "network"},
			  {"hex": "4111", "unit": "army", "counter": "DIV-1"}, {"hex": "4011", "unit": "army", "counter": "DIV-2"}]}`,
			"ATTACK_MILITARY",
		},
		{
			"a Network, which cannot retreat, does not attack a CIG that stands firm", "minuteman",
			`{"phase": "A4", "turn": 3, "flow": {"seat": 1, "window": 2}, "units": [{"hex": "4112", "unit": "network", "step": 1},
			  {"hex": "4111", "unit": "cig", "step": 1}]}`,
			"DONE",
		},
		{
			"Agents in number hunt a Network", "minuteman",
			`{"phase": "G4", "turn": 3, "flow": {"seat": 0, "window": 2}, "units": [{"hex": "4112", "unit": "network"},
			  {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}]}`,
			"ATTACK_INFILTRATION",
		},
		{
			"the Rebel declares in the last turn in which he can", "minuteman",
			`{"phase": "A1", "turn": 19, "flow": {"seat": 1, "window": 0}, "units": [{"hex": "4112", "unit": "network"}, {"hex": "2214", "unit": "army", "counter": "DIV-1"}]}`,
			"REVOLUTION",
		},
		{
			"the Rebel does not declare in the first turn", "minuteman",
			`{"phase": "A1", "turn": 1, "flow": {"seat": 1, "window": 0}, "units": [{"hex": "4112", "unit": "network"}, {"hex": "2214", "unit": "army", "counter": "DIV-1"}]}`,
			"DONE",
		},
		{
			"the further column of the Reaction table", "minuteman",
			`{"phase": "G1", "turn": 5, "flow": {"seat": 0, "window": 2}, "build_track": 60, "riots": ["4112"], "units": [{"hex": "4112", "unit": "network"}]}`,
			"REACT_BUILDS",
		},
		{
			"a weak Network alone builds nothing beside an Army", "minuteman",
			`{"phase": "A2", "turn": 3, "flow": {"seat": 1, "builds": "attempts", "window": 2}, "units": [{"hex": "4112", "unit": "network"}, {"hex": "4111", "unit": "army", "counter": "DIV-1"}]}`,
			"DONE",
		},
		{
			"a Front Line Division goes for Militia that cut off New Orleans while that costs nothing", "minuteman(scenario=partisan)",
			`{"phase": "G3", "turn": 3, "committed": 0, "flow": {"seat": 0, "window": 2}, "units": [{"hex": "3121", "unit": "militia", "counter": "MIL1-HOU"},
			  {"hex": "2820", "unit": "army", "counter": "DIV-1", "marks": ["front_line"]}, {"hex": "2821", "unit": "army", "counter": "DIV-2", "marks": ["front_line"]},
			  {"hex": "2822", "unit": "army", "counter": "DIV-3", "marks": ["front_line"]}]}`,
			"MOVE_UNIT",
		},
		{
			"a Front Line Division that would cost a level stays", "minuteman(scenario=partisan)",
			`{"phase": "G3", "turn": 3, "committed": 3, "flow": {"seat": 0, "window": 2}, "units": [{"hex": "3121", "unit": "militia", "counter": "MIL1-HOU"},
			  {"hex": "2820", "unit": "army", "counter": "DIV-1", "marks": ["front_line"]}, {"hex": "2821", "unit": "army", "counter": "DIV-2", "marks": ["front_line"]},
			  {"hex": "2822", "unit": "army", "counter": "DIV-3", "marks": ["front_line"]}]}`,
			"DONE",
		},
		{
			"a Network goes underground from Agents", "minuteman",
			`{"phase": "A1", "turn": 3, "flow": {"seat": 1, "window": 2}, "units": [{"hex": "4112", "unit": "network", "step": 1},
			  {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4111", "unit": "agent", "step": 1}, {"hex": "4212", "unit": "agent", "step": 1}]}`,
			"TOGGLE_UNDERGROUND",
		},
		{
			"a Network out of danger stays above ground and builds", "minuteman",
			`{"phase": "A1", "turn": 3, "flow": {"seat": 1, "window": 2}, "units": [{"hex": "4112", "unit": "network", "step": 1}]}`,
			"DONE",
		},
		{
			"a strong Network with help builds", "minuteman",
			`{"phase": "A2", "turn": 3, "flow": {"seat": 1, "builds": "attempts", "window": 2}, "units": [{"hex": "4112", "unit": "network", "step": 1},
			  {"hex": "4112", "unit": "minuteman", "step": 1}, {"hex": "2214", "unit": "army", "counter": "DIV-1"}]}`,
			"BUILD_ATTEMPT",
		},
	} {
		t.Run(c.name, func(t *testing.T) { suite.Ask(t, c.game, c.position, nil, []string{c.want}) })
	}
}
