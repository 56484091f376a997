package bloc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted/scriptedtest"
	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// settings are games that together use every scenario, number of players and mode.
var settings = []string{
	"bloc", "bloc(players=2)", "bloc(players=3,mode=semi_cooperative)", "bloc(mode=semi_cooperative,ops_difficulty=hard)",
	"bloc(scenario=beginner,players=3)", "bloc(scenario=beginner_city)", "bloc(scenario=routine_traffic_stop)",
	"bloc(scenario=abolish_the_police,players=3)", "bloc(scenario=burn_down_the_company_town,players=2)",
	"bloc(scenario=occupy_everything)", "bloc(scenario=asymmetrical_struggle,mode=semi_cooperative)",
	"bloc(scenario=let_the_infighting_begin,players=3)", "bloc(scenario=collective_liberation)",
	"bloc(scenario=smash_the_state,mode=semi_cooperative)", "bloc(scenario=autonomous_zone_1,players=3)",
	"bloc(scenario=autonomous_zone_2,players=2)",
}

var suite = scriptedtest.Suite{New: func(engine.Game) agents.Policy { return &Policy{} }, Games: settings, Times: 1}

func TestPlayer(t *testing.T) { suite.Run(t) }

// play plays one game with the scripted player on every seat.
func play(t *testing.T, name string, seed uint64, each func(g engine.Game, s *bloc.State, a engine.Action)) {
	t.Helper()
	g := enginetest.Game(t, name)
	var seats []agents.Agent
	for range g.Spec().Seats {
		seats = append(seats, agents.FromPolicy(&Policy{}))
	}
	_, err := table.New(g).Play(context.Background(), seats, table.Seeds{Chance: seed, Agents: seed}, table.Options{
		Each: func(s engine.State, a engine.Action) { each(g, s.(*bloc.State), a) },
	})
	if err != nil {
		t.Errorf("%s, seed %d: %v", name, seed, err)
	}
}

// TestPlaysEverySetting plays whole games of all scenarios; the table refuses illegal
// moves.
func TestPlaysEverySetting(t *testing.T) {
	for _, name := range settings {
		decided := 0
		play(t, name, 1, func(_ engine.Game, s *bloc.State, _ engine.Action) {
			if s.ToAct() >= 0 {
				decided++
			}
		})
		if decided < 50 {
			t.Errorf("%s: %d decisions in a game, want at least 50", name, decided)
		}
	}
}

// open returns all that there is to see of a state.
func open(s engine.State) *bloc.View { return enginetest.Open[*bloc.View](s) }

// TestReadsOnlyTheView compares the choice from the whole state with that from the
// view: what a view hides must not matter.
func TestReadsOnlyTheView(t *testing.T) {
	for _, name := range settings {
		play(t, name, 2, func(g engine.Game, s *bloc.State, a engine.Action) {
			if s.ToAct() < 0 {
				return
			}
			var p Policy
			whole := open(s)
			if got := p.Choose(whole, s.ToAct(), s.Legal(nil), rand.NewPCG(1, 1)); got != a {
				t.Errorf("%s: %s from the whole state, %s from the view\n%s", name, s.Describe(got), s.Describe(a), whole.Text(s.ToAct()))
			}
		})
	}
}

// TestSituations asks in positions that have an answer. The own faction is the
// workers; do lists what the turn begins with.
func TestSituations(t *testing.T) {
	const frame = `{"phase": "sunset_2", "city": "beginner_city", "night": 3, "nights_left": 4, "first_faction": "workers", "turn": 0,
		"seats": ["workers", "students", "neighbors", "prisoners"], "districts": {%s,
			"the_park": {"blocs": {"students": 2, "neighbors": 2, "prisoners": 2}}}, "dice": %s,
		"hands": {"workers": [%s], "students": [%s], "neighbors": [], "prisoners": []}}`
	const home = `"garment_sweatshop": {"blocs": {"workers": 3}, "occupation": ["workers", "faction_start"]}, `
	for _, c := range []struct{ name, districts, dice, hand, partner, want string }{
		{
			"a State District without police is occupied before anything else",
			home + `"interior_ministry": {"blocs": {"workers": 2}}`, "[6, 5, 3]", "", "",
			"build an occupation; Interior Ministry",
		}, {
			"Bolt Cutters make a four suffice for it",
			home + `"interior_ministry": {"blocs": {"workers": 2}}`, "[4]", `"bolt_cutters"`, "",
			"play a loot card; Bolt Cutters; build an occupation; Interior Ministry",
		}, {
			"Fireworks clear it, and the six builds in it",
			home + `"interior_ministry": {"blocs": {"workers": 2}, "cops": 3}`, "[6]", `"fireworks"`, "",
			"play a loot card; Fireworks; Interior Ministry",
		}, {
			"a van is attacked with the Molotovs that break it",
			home + `"interior_ministry": {"blocs": {"workers": 2}, "van": 0}`, "[6]", `"molotovs_2"`, "",
			"attack a riot van; Interior Ministry; Molotovs +2",
		}, {
			"the last bloc of a faction goes where the others are, not into a clash that it cannot win",
			`"garment_sweatshop": {"blocs": {"workers": 1}, "occupation": ["workers", "faction_start"]}, "interior_ministry": {"van": 0, "cops": 3}`,
			"[6]", "", "",
			"move blocs; Garment Sweatshop; 1 bloc; The Park",
		}, {
			"what costs nothing comes first",
			home + `"smartphone_factory": {"blocs": {"workers": 2}, "occupation": ["workers", "propaganda_workshop"]}`, "[1]", "", "",
			"Propaganda Workshop",
		}, {
			"a team mate on the spot is asked for the Bolt Cutters that are missing",
			home + `"interior_ministry": {"blocs": {"workers": 2, "students": 1}}`, "[4]", "", `"bolt_cutters"`,
			"propose a trade; the students; nothing; any card; accept; Bolt Cutters; play a loot card; Bolt Cutters; build an occupation; Interior Ministry",
		}, {
			"cops among the blocs are attacked while they can be",
			`"garment_sweatshop": {"blocs": {"workers": 3}, "cops": 2, "occupation": ["workers", "faction_start"]}`, "[5, 4]", "", "",
			"attack: kick riot cops out; Garment Sweatshop",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := enginetest.Game(t, "bloc(scenario=beginner_city)")
			s, err := g.Load(fmt.Appendf(nil, frame, c.districts, c.dice, c.hand, c.partner), engine.Lenient)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(c.want, "; ")
			for i, prefix := range want {
				if s.ToAct() < 0 {
					t.Fatalf("step %d: chance decides, want %q\n%s", i+1, prefix, open(s).Text(0))
				}
				view := engine.Look(s, s.ToAct())
				var p Policy
				a := p.Choose(view, s.ToAct(), s.Legal(nil), rand.NewPCG(1, 1))
				if got := s.(*bloc.State).Describe(a); !strings.HasPrefix(got, prefix) {
					t.Fatalf("step %d: %q, want %q\n%s", i+1, got, prefix, open(s).Text(0))
				}
				if err := s.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
