// Package bloc is the scripted team of Bloc by Bloc: The Insurrection Game.
//
// Every faction that it decides for looks at the same public table and reckons by
// the same rules, so that a table of such players acts as one team without a word.
// A turn is a list of plans (menu.go): loot a district, build here, clear that
// State District and build in it, bring guards, form a bloc. A plan is worth what
// it does for the goals of the faction (goals.go) and costs the dice that it needs;
// the first step of the plan with the most worth for its dice is taken, and the next
// decision reckons anew. Where the police will come is in orders.go and threat.go, the
// ways that they bar in access.go; what everything is weighed with is in weights.go.
//
// It reads nothing but the view of its seat and keeps no memory between decisions.
package bloc

import (
	"math/rand/v2"

	"powderkeg/agents/scripted/weigh"
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// Policy plays Bloc by Bloc with any scenario and any number of players. The zero
// value is ready. It implements agents.Policy.
type Policy struct {
	t     situation
	shelf shelf
	own   [bloc.Factions]*weigh.Course[weights] // by seat, nil for the tuned weights
}

// Weights implements weigh.Player.
func (p *Policy) Weights(seat int) weigh.List {
	return weigh.Own(&p.own[seat], tuned, ways...)
}

// ways are those along which the weights of a seat of its own may change: to the last night
// and to all State Districts occupied.
var ways = []string{"late", "held"}

// place is where a view is along the ways: from -1 in the first of eight nights and without a
// State District to 1 in the last night and with all State Districts.
func place(v *bloc.View) (late, held float64) {
	const middle = 3.5 // nights before the last
	states, occupied := 0, 0
	for c := range bloc.CellID(bloc.Cells) {
		if f := v.Tile(c); f.Type == bloc.TypeState && f.Laid {
			states++
			if v.P.Holder[c] != 0 {
				occupied++
			}
		}
	}
	return 1 - float64(turnsAfter(v))/middle, 2*float64(occupied)/float64(max(states, 1)) - 1
}

// Choose implements agents.Policy. It draws nothing from rng: players that agree
// on the plan play the same one.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, _ *rand.PCG) engine.Action {
	if len(legal) == 1 {
		return legal[0]
	}
	t := p.look(view, seat)
	return t.choose(legal)
}

// look works out the situation of a seat.
func (p *Policy) look(view engine.View, seat engine.Player) *situation {
	t, v := &p.t, view.(*bloc.View)
	if t.w = &tuned; p.own[seat] != nil {
		t.w = p.own[seat].At(place(v))
	}
	t.shelf = nil
	t.read(v)
	return t
}

// choose returns the action for the decision at hand.
func (t *situation) choose(legal []engine.Action) engine.Action {
	switch t.s.Decision() {
	case bloc.AskStartDistrict:
		return t.best(legal, t.scoreStart)
	case bloc.AskTurnMenu:
		return t.chooseVerb(legal)
	case bloc.AskMoveSource, bloc.AskMoveCount, bloc.AskMoveDestination, bloc.AskBarricadeCell, bloc.AskBarricadeArm,
		bloc.AskAdvancedCell, bloc.AskOccupationChoice, bloc.AskAttackCell, bloc.AskCardChoice, bloc.AskCardCell, bloc.AskMarchOrNot:
		return t.carryOn(legal)
	case bloc.AskAttackBoost:
		return t.chooseBoost(legal)
	case bloc.AskAttackContinue:
		return t.chooseAttack(legal)
	case bloc.AskKickArm:
		return t.best(legal, t.scoreKick)
	case bloc.AskStopAdvanced:
		return t.chooseStop()
	case bloc.AskDiscardDrawn:
		return t.best(legal, func(a engine.Action) float64 { return -t.cardWorth(bloc.LootID(a - bloc.ActCard)) })
	case bloc.AskTradePartner, bloc.AskTradeGive, bloc.AskTradeWant, bloc.AskTradeResponse, bloc.AskTradePick:
		return t.chooseTrade(legal)
	}
	return t.chooseAtSunrise(legal)
}

// best returns the legal action with the highest score, the first of several.
func (t *situation) best(legal []engine.Action, score func(engine.Action) float64) engine.Action {
	choice, top := legal[0], score(legal[0])
	t.shelf.weigh(choice, top, true)
	for _, a := range legal[1:] {
		v := score(a)
		t.shelf.weigh(a, v, false)
		if v > top {
			choice, top = a, v
		}
	}
	return choice
}

// has reports whether an action is legal.
func has(legal []engine.Action, a engine.Action) bool {
	for _, b := range legal {
		if a == b {
			return true
		}
	}
	return false
}

// scoreStart (D1): a district that is easy to act in, with a metro station, with shops
// within reach of the first turn, and above all away from the police, whose first
// groups evict what they find unguarded.
func (t *situation) scoreStart(a engine.Action) float64 {
	c := bloc.CellID(a - bloc.ActCell)
	f := &t.tile[c]
	v := -t.w.startDifficulty * float64(f.Difficulty)
	if f.Metro {
		v += t.w.startMetro
	}
	for s := t.s.P.Near[c]; s != 0; s &= s - 1 {
		n := s.First()
		if t.tile[n].Type == bloc.TypeCommercial {
			v += t.w.startShop
		}
		if t.police>>n&1 != 0 {
			v -= t.w.startPolice
		}
	}
	return v
}
