package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// none stands for no faction, cell, card or kind of occupation.
const none = 0xFF

// plan is something to do in a turn: its worth for the dice that it needs, and its
// first step.
type plan struct {
	score float64
	verb  bloc.Verb
	card  bloc.LootID // of VerbPlayCard
	cell  bloc.CellID // district of the step; the source of a move
	count int         // blocs that move
	to    bloc.CellID // destination of a move
	occ   bloc.OccID
	arm   bloc.Arm
}

// request is what of a step has been chosen already; none stands for anything.
type request struct {
	legal      []engine.Action // at D2
	moving     bool            // any way to move will do
	verb       bloc.Verb
	card       bloc.LootID
	cell       bloc.CellID
	count      int
	restricted bool
}

// die returns the weight of the lowest unspent die that shows at least need; ok is
// false if there is none.
func (t *situation) die(need int) (w float64, ok bool) {
	for v := max(need, 1); v <= bloc.Sides; v++ {
		if n := t.dice[v]; n > 0 && (v == bloc.Sides || t.dice[v+1] < n) {
			return t.w.die(v), true
		}
	}
	return 0, false
}

// offer takes a plan if it is better than the best so far and begins with what is
// asked. Its value is what it brings, its cost the weight of its dice.
func (t *situation) offer(value, cost float64, p plan) {
	if value <= 0 {
		return
	}
	p.score = value / (cost + t.w.cost)
	if better := p.score > t.plan.score; better || t.shelf != nil {
		if !t.fits(&p) {
			return
		}
		t.shelf.keep(&p, value, cost)
		if better {
			t.plan = p
		}
	}
}

// fits reports whether a plan's first step goes on with what has been chosen.
func (t *situation) fits(p *plan) bool {
	q := &t.asked
	if !q.restricted {
		return has(q.legal, bloc.ActVerb+engine.Action(p.verb))
	}
	if q.moving {
		return p.moves() && (q.cell == none || p.cell == q.cell) && (q.count == 0 || p.count == q.count)
	}
	return p.verb == q.verb && (q.card == none || p.card == q.card) && (q.cell == none || p.cell == q.cell)
}

// moves reports whether the step moves blocs.
func (p *plan) moves() bool {
	return p.verb == bloc.VerbMove || p.verb == bloc.VerbMoveFree ||
		p.verb == bloc.VerbPlayCard && (p.card == bloc.CardBikes || p.card == bloc.CardSmokeBombs)
}

// chooseVerb (D2) takes the verb of the best plan, or ends the turn.
func (t *situation) chooseVerb(legal []engine.Action) engine.Action {
	t.asked = request{legal: legal}
	if a := bloc.ActVerb + engine.Action(bloc.VerbTrade); has(legal, a) {
		if _, ok := t.propose(int(t.s.P.Trades)); ok {
			return a
		}
	}
	t.think()
	if t.plan.score <= 0 {
		return bloc.ActVerb + engine.Action(bloc.VerbEndActions)
	}
	return bloc.ActVerb + engine.Action(t.plan.verb)
}

// carryOn goes on with the plan behind the verb: the best one that begins as chosen
// so far.
func (t *situation) carryOn(legal []engine.Action) engine.Action {
	n := &t.s.P.Now
	t.asked = request{restricted: true, verb: n.Verb, card: none, cell: n.Cell, count: int(n.Blocs)}
	card, played := t.s.P.Card()
	if played {
		t.asked.card = card
		t.hand[card]++ // it has left the hand already
	}
	switch t.s.Decision() {
	case bloc.AskMoveSource, bloc.AskMoveCount, bloc.AskMoveDestination, bloc.AskMarchOrNot:
		t.asked.moving, t.asked.cell = true, n.From
		if t.asked.card == bloc.CardSmokeBombs {
			return t.escape(legal)
		}
	case bloc.AskCardChoice, bloc.AskCardCell:
		t.asked.cell = none
	}
	t.think()
	if a, ok := t.step(legal); ok {
		return a
	}
	return t.makeDo(legal)
}

// step returns the action of the best plan for the decision at hand; ok is false if
// there is none.
func (t *situation) step(legal []engine.Action) (a engine.Action, ok bool) {
	if t.plan.score <= 0 {
		return 0, false
	}
	a = t.stepOf(&t.plan)
	return a, has(legal, a)
}

// stepOf returns the action of a plan for the decision at hand.
func (t *situation) stepOf(p *plan) (a engine.Action) {
	switch t.s.Decision() {
	case bloc.AskMoveSource, bloc.AskBarricadeCell, bloc.AskAdvancedCell, bloc.AskAttackCell, bloc.AskCardCell:
		a = bloc.ActCell + engine.Action(p.cell)
	case bloc.AskMoveCount:
		a = bloc.ActCount + engine.Action(p.count-1)
	case bloc.AskMoveDestination:
		a = bloc.ActCell + engine.Action(p.to)
	case bloc.AskBarricadeArm:
		a = bloc.ActArm + engine.Action(p.arm)
	case bloc.AskOccupationChoice:
		a = bloc.ActOcc + engine.Action(p.occ)
	case bloc.AskCardChoice:
		a = bloc.ActCard + engine.Action(p.card)
	case bloc.AskMarchOrNot:
		a = bloc.ActVerb + engine.Action(bloc.VerbMoveFree)
	case bloc.AskTurnMenu, bloc.AskAttackContinue:
		a = bloc.ActVerb + engine.Action(p.verb)
	}
	return a
}

// makeDo answers where no plan does: what was begun must be carried through.
func (t *situation) makeDo(legal []engine.Action) engine.Action {
	switch t.s.Decision() {
	case bloc.AskBarricadeArm, bloc.AskMarchOrNot:
		if has(legal, bloc.ActDone) {
			return bloc.ActDone
		}
	case bloc.AskMoveSource:
		return t.best(legal, func(a engine.Action) float64 { return float64(t.spare[a-bloc.ActCell]) })
	case bloc.AskMoveDestination:
		return t.best(legal, func(a engine.Action) float64 { return t.refuge(bloc.CellID(a - bloc.ActCell)) })
	case bloc.AskCardChoice:
		return t.best(legal, func(a engine.Action) float64 { return -t.cardWorth(bloc.LootID(a - bloc.ActCard)) })
	case bloc.AskOccupationChoice:
		return t.best(legal, func(a engine.Action) float64 { return t.ability(t.f, bloc.OccID(a-bloc.ActOcc), t.s.P.Now.Cell) })
	}
	return legal[0]
}

// think looks at everything that can be begun now.
func (t *situation) think() {
	t.plan = plan{verb: bloc.VerbEndActions}
	t.shelf.clear()
	for c := range bloc.CellID(bloc.Cells) {
		if t.tile[c].Type == bloc.TypeHighway || !t.tile[c].Laid {
			continue
		}
		if t.police>>c&1 != 0 {
			t.planClear(c)
			continue
		}
		t.planBuild(c)
		t.planLoot(c)
		t.planGuard(c)
	}
	t.planGather()
	t.planSafety()
	t.planBarricades()
	t.planAbilities()
	t.planCards()
}

// way says how a number of blocs get to a district before something is done there.
type way struct {
	ok   bool
	stay bool // enough of them are there
	cost float64
	gain float64 // for the safety of the faction
	step plan
}

// bring finds the way for n own blocs to a district for something that takes dice
// that show at least need. Blocs go together from one district, the one that misses
// them least.
func (t *situation) bring(c bloc.CellID, have, n, need int) way {
	if have >= n {
		return way{ok: true, stay: true}
	}
	from, missing := bloc.NoCell, n-have
	least, price := 0.0, 0.0
	for s := t.calm &^ (1 << c); s != 0; s &= s - 1 {
		src := s.First()
		if t.reach(src)>>c&1 == 0 {
			continue
		}
		for k := min(t.own[src], missing); k > 0; k-- {
			p := t.price(src, k)
			if all := p + t.w.short*float64(missing-k); from == none || all < least {
				from, least, price, n = src, all, p, k
			}
		}
	}
	if from == none {
		return way{}
	}
	verb, card, cost, ok := t.vehicle(need)
	if !ok {
		return way{}
	}
	return way{ok: true, cost: cost, gain: t.shift(from, c, n) - price, step: plan{verb: verb, card: card, cell: from, count: n, to: c}}
}

// price returns what it costs the occupation of a district that own blocs leave it.
func (t *situation) price(src bloc.CellID, n int) float64 {
	if t.holder[src] == none || n <= t.spare[src] {
		return 0
	}
	return t.goals.keep[src] * max(0, t.risk(src, -n)-t.risk(src, 0))
}

// vehicle returns the cheapest way to move now: the Social Center, a die that leaves
// one that shows need, or Bikes.
func (t *situation) vehicle(need int) (verb bloc.Verb, card bloc.LootID, cost float64, ok bool) {
	enough := need == 0 || t.dice[need] > 0 && t.dice[1] > 1
	if t.asked.moving { // the die of a MOVE is spent when it is done
		return bloc.VerbMove, none, 0, t.asked.verb != bloc.VerbMove || enough
	}
	if t.f == bloc.Students && t.standing(bloc.OccFirstOwn) && has(t.asked.legal, bloc.ActVerb+engine.Action(bloc.VerbMoveFree)) {
		return bloc.VerbMoveFree, none, 0, true
	}
	w, ok := t.die(1)
	if t.hand[bloc.CardBikes] > 0 && (!ok || !enough || w > 0.5) {
		return bloc.VerbPlayCard, bloc.CardBikes, 0.4, true
	}
	if !ok || !enough {
		return 0, 0, 0, false
	}
	return bloc.VerbMove, none, w, true
}
