package domination

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/scripted/scriptedtest"
	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// TestKnowsEveryCard demands a knack for every card and a card for every knack.
func TestKnowsEveryCard(t *testing.T) {
	facts, err := domination.NewFacts()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range facts.Cards {
		if _, ok := knacks[c.ID]; !ok {
			t.Errorf("the player does not know %s", c.ID)
		}
		seen[c.ID] = true
	}
	for id := range knacks {
		if !seen[id] {
			t.Errorf("the player knows %s, which the game does not have", id)
		}
	}
}

// settings are games to test in.
var settings = []string{
	"domination", "domination(players=3,rotate_first_player=true)", "domination(players=4,extended_pool=true)",
	"domination(players=6,turns=4)",
	"domination(fixed_pool=agricultural_control+airborne_forces+amphibious_assault+petroleum_control+attack_helicopters+communications_control+bad_leadership+fog_of_war+bio_weapons+global_disruption)",
	"domination(fixed_pool=technology_control+manufacturing_control+insurgents+carrier_task_force+mega_storm+military_base+nuclear_winter+out_of_supply+propaganda_war+ore_control)",
	"domination(extended_pool=true,fixed_pool=nuclear_winter+out_of_supply+propaganda_war+show_of_force+supply_depots+surrender+tactical_nukes+strategic_bombers+attack_submarines+mega_storm)", "domination(players=2,turns=3,auto_forced=false,copies_per_stack=2,logistics_max=4)",
}

var suite = scriptedtest.Suite{New: func(g engine.Game) agents.Policy { return New(g.Spec().Seats) }, Games: settings, Times: 4}

func TestPlayer(t *testing.T) { suite.Run(t) }

func BenchmarkChoose(b *testing.B) {
	few := suite
	few.Games = []string{"domination(players=2)", "domination(players=4)", "domination(players=6)"}
	few.Benchmark(b)
}

// eachDecision calls f at every decision of games of the settings.
func eachDecision(t *testing.T, f func(g engine.Game, s *domination.State, view *domination.View, legal []engine.Action)) {
	t.Helper()
	suite.Decisions(t, func(g engine.Game, s engine.State, view engine.View, legal []engine.Action) {
		f(g, s.(*domination.State), view.(*domination.View), legal)
	})
}

// boardOf reads the map of a view.
func boardOf(s *domination.View) *board {
	return &board{s.P.Forces}
}

func apply(t *testing.T, s engine.State, a engine.Action) {
	t.Helper()
	if err := s.Apply(a); err != nil {
		t.Fatal(err)
	}
}

// expected returns what the player thinks that an action of D1 will gain; ok is
// false for one that does nothing to the map.
func expected(t *situation, a engine.Action) (what string, gain float64, ok bool) {
	switch {
	case a >= domination.ActBuildWith && a < domination.ActAttackWith:
		return "build", t.tryBuild(shipped.cards[a-domination.ActBuildWith].build), true
	case a >= domination.ActAttackWith && a < domination.ActTextOf:
		return "attack", t.tryAttack(shipped.cards[a-domination.ActAttackWith].reduction), true
	case a >= domination.ActTextOf && a < domination.ActDiscard1:
		c := int(a - domination.ActTextOf)
		return fmt.Sprint("text ", shipped.cards[c].text), t.tryText(c), true
	}
	return "", 0, false
}

// TestForeseesWhatItDoes compares, for every use of a card that is open, the gain
// that the player expects with what the map is worth to it when it has made its
// choices: rules and player agree on what a card does, and it carries out what it
// planned. Points are spent in the order of the Areas and planned anew at each step,
// so that the outcome may differ a little; on the whole it must not.
func TestForeseesWhatItDoes(t *testing.T) {
	rng := rand.NewPCG(2, 2)
	type tally struct {
		n, exact  int
		want, got float64
	}
	tallies := map[string]*tally{}
	eachDecision(t, func(g engine.Game, s *domination.State, view *domination.View, legal []engine.Action) {
		if view.Decision() != domination.TurnDecision {
			return
		}
		me := s.ToAct()
		p, before := New(view.Seats()), New(view.Seats())
		before.t.read(view, me)
		for _, a := range legal {
			what, want, ok := expected(&before.t, a)
			if !ok {
				continue
			}
			after := engine.Clone(g, s).(*domination.State)
			apply(t, after, a)
			v := engine.Look(after, me).(*domination.View)
			for v.P.Frame.Way != domination.NoWay && engine.Player(v.P.Frame.Actor) == me && v.ToAct() == me {
				apply(t, after, p.Choose(v, me, after.Legal(nil), rng))
				after.See(me, v)
			}
			if v.P.Turn != view.P.Turn || v.Active() == domination.NoSeat {
				continue // it has scored, or drawn
			}
			got := before.t.evaluate(boardOf(v)) - before.t.evaluate(&before.t.board) + float64(v.P.VP[me]) - float64(view.P.VP[me])
			if tallies[what] == nil {
				tallies[what] = &tally{}
			}
			k := tallies[what]
			k.n++
			k.want += want
			k.got += got
			if math.Abs(got-want) < 1e-6 {
				k.exact++
			}
		}
	})
	for _, what := range []text{builds, landPoints, nearSeaPoints, nearLandPoints, seaPoints, landReductions, seaReductions, fullReductions, resourceVP,
		regionVP, struggleOne, struggleAll, upgradeOwn, removeIsolated, removeStruggling, removePerRegion, removeOpposing, replaceStruggling, storm} {
		if tallies[fmt.Sprint("text ", what)] == nil {
			t.Errorf("text %d was never used", what)
		}
	}
	for what, k := range tallies {
		n := float64(k.n)
		if what == fmt.Sprint("text ", chain) {
			continue // the others have their say
		}
		if math.Abs(k.got-k.want) > 0.02*math.Abs(k.want)+0.1*n || float64(k.exact) < 0.6*n {
			t.Errorf("%s: expects %.3f and gains %.3f on average of %d uses, %d as expected", what, k.want/n, k.got/n, k.n, k.exact)
		}
	}
}

// The player reckons with the cards of the edition that it plays.
func TestEditionIsReckonedWith(t *testing.T) {
	g := enginetest.Edition(t, "domination", enginetest.Set{File: "cards", At: "cards[2].build", Value: 3})
	p := New(2)
	for _, want := range []struct {
		game  engine.Game
		build int
	}{{g, 3}, {enginetest.Game(t, "domination"), int(shipped.cards[1].build)}, {g, 3}} {
		s := want.game.New()
		for s.ToAct() == engine.Chance {
			if err := s.Apply(engine.Moves(s)[0]); err != nil {
				t.Fatal(err)
			}
		}
		p.Choose(engine.Look(s, s.ToAct()), s.ToAct(), s.Legal(nil), rand.NewPCG(1, 2))
		if got := int(p.t.world.cards[1].build); got != want.build {
			t.Errorf("%s: the player reckons with %d Builds, the card has %d", want.game.Spec().Text, got, want.build)
		}
	}
}
