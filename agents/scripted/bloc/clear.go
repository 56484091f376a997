package bloc

import (
	"math"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// assault is what it takes to get the police out of a district in this turn.
type assault struct {
	fire   bool // Fireworks first
	van    int  // attacks on the van
	cops   int  // attacks on cops
	dice   int  // dice that suffice for an attack
	blocs  int  // own blocs that can attack, those that can be brought included
	full   bool // all police will be gone
	broken bool // the van will be gone
}

// molotovs returns the bonus of all Molotovs in hand.
func (t *situation) molotovs() int {
	sum, cards := 0, t.hand[bloc.CardMolotovs1]+t.hand[bloc.CardMolotovs2]
	for card := bloc.CardMolotovs1; card <= bloc.CardMolotovs2; card++ {
		sum += t.hand[card] * int(t.s.Molotov(t.f, card, false))
	}
	if uses := min(int(t.s.FactoryUses(t.f)), cards); uses > 0 {
		sum += uses * int(t.s.Molotov(t.f, bloc.CardMolotovs1, true)-t.s.Molotov(t.f, bloc.CardMolotovs1, false))
	}
	return sum
}

// assess reckons with dice blocs that can attack and dice that suffice.
func (t *situation) assess(c bloc.CellID, dice, blocs int) assault {
	a := assault{dice: dice, blocs: blocs}
	cops, bonus := t.cops[c], t.molotovs()
	if t.hand[bloc.CardFireworks] > 0 && (cops >= 2 || cops == 1 && dice < 2) && (t.holder[c] != none || t.canBuildAfter(c, t.vanAttacks(c))) {
		a.fire = true
		cops -= min(cops, t.s.CardNumber(bloc.CardFireworks)*t.hand[bloc.CardFireworks])
	}
	if hits := t.hits[c]; hits > 0 {
		a.van = max(1, hits-bonus)
		bonus = max(0, bonus+a.van-hits)
	}
	if cops > 0 {
		a.cops = max(1, t.kicks(cops-bonus))
	}
	n := min(dice, blocs)
	a.broken = a.van > 0 && a.van <= n
	a.full = a.van+a.cops <= n && (!a.fire || blocs > 0)
	return a
}

// vanAttacks returns how many attacks it takes to destroy the van of a district.
func (t *situation) vanAttacks(c bloc.CellID) int {
	if t.hits[c] == 0 {
		return 0
	}
	return max(1, t.hits[c]-t.molotovs())
}

// kicks returns how many attacks kick so many cops out; a rest takes one more.
func (t *situation) kicks(cops int) int {
	return (cops + bloc.Strength(bloc.VerbAttackKick) - 1) / bloc.Strength(bloc.VerbAttackKick)
}

// planClear looks at getting the police out of a district: all of them, the van alone,
// some cops; with blocs brought there first if need be.
func (t *situation) planClear(c bloc.CellID) {
	need := t.tile[c].Difficulty
	dice := t.dice[need]
	spare := t.bringable(c)
	w, ok := t.die(need)
	if t.fresh[c]+spare == 0 || !ok && t.hand[bloc.CardFireworks] == 0 {
		return
	}
	left := dice
	if t.fresh[c] == 0 && dice == t.dice[1] {
		left-- // one of them is spent on the way
	}
	a := t.assess(c, left, t.fresh[c]+spare)
	value, attacks := t.clearWorth(c, &a)
	if value <= 0 {
		return
	}
	cost := w * float64(attacks)
	by := t.bring(c, t.fresh[c], max(1, min(attacks, left)), 0)
	switch {
	case by.ok && !by.stay:
		if attacks == 0 && !a.fire {
			return
		}
		t.offer(value+by.gain, cost+by.cost, by.step)
	case t.fresh[c] > 0 || by.stay:
		t.attack(c, value, cost, &a)
	}
}

// attack offers the first blow of an assault by blocs that are there.
func (t *situation) attack(c bloc.CellID, value, cost float64, a *assault) {
	switch {
	case a.fire && t.own[c] > 0 && (a.full || t.hits[c] == 0):
		t.offer(value, cost, plan{verb: bloc.VerbPlayCard, card: bloc.CardFireworks, cell: c})
	case a.dice == 0:
	case t.hits[c] > 0 && (a.broken || a.cops == 0 || t.cops[c] == 0):
		t.offer(value, cost, plan{verb: bloc.VerbAttackVan, card: none, cell: c})
	case t.cops[c] == 1 && t.hits[c] == 0:
		t.offer(value, cost, plan{verb: bloc.VerbAttackDefeat, card: none, cell: c})
	case t.hits[c] > 0:
		t.offer(value, cost, plan{verb: bloc.VerbAttackVan, card: none, cell: c})
	case t.goals.cop > 0 && t.cops[c] <= min(a.dice, t.fresh[c]):
		t.offer(value, cost, plan{verb: bloc.VerbAttackDefeat, card: none, cell: c})
	default:
		t.offer(value, cost, plan{verb: bloc.VerbAttackKick, card: none, cell: c})
	}
}

// bringable returns the most spare blocs that can be brought to a district from one
// place.
func (t *situation) bringable(c bloc.CellID) int {
	n := 0
	for s := t.calm &^ (1 << c); s != 0; s &= s - 1 {
		if src := s.First(); t.own[src] > n && t.reach(src)>>c&1 != 0 {
			n = t.own[src]
		}
	}
	return n
}

// clearWorth returns what an assault brings, and how many attacks it takes.
func (t *situation) clearWorth(c bloc.CellID, a *assault) (value float64, attacks int) {
	g := &t.goals
	n := min(a.dice, a.blocs)
	saved := t.w.rescue * float64(min(t.total[c], t.cops[c])) // blocs that Sunrise would take
	if t.hits[c] > 0 {
		saved = t.w.rescue * float64(t.total[c])
	}
	if t.holder[c] != none {
		saved += g.keep[c] * t.loss(c, 0)
	}
	saved += t.relief(c, t.deadly(c, t.total[c], 0, 0))
	whole := g.clear[c] + saved
	if t.hits[c] > 0 {
		whole += g.van + t.w.van + t.w.vanTurns*float64(t.turns)
	}
	before := t.hits[c] + t.kicks(t.cops[c]) + 1 // dice for the police and an occupation
	after := 0
	switch {
	case a.full:
		attacks = a.van + a.cops
		after = 1
		if t.canBuildAfter(c, attacks) {
			after = 0
		}
		value = whole + g.cop*float64(t.cops[c])
	case a.broken:
		attacks = a.van
		after = t.kicks(t.cops[c]) + 1
		lost := float64(min(t.cops[c], a.blocs))
		p := t.helped(c, after-1)
		value = whole*t.w.broken - t.w.caught*lost*(1-p)
	case t.hits[c] > 0:
		attacks = n
		after = before - n
		p := t.helped(c, a.van-n)
		value = p*whole*t.w.broken - (1-p)*0.6*float64(max(attacks, 1))
	default:
		attacks = n
		gone := min(bloc.Strength(bloc.VerbAttackKick)*n+t.molotovs(), t.cops[c])
		if a.fire {
			gone = min(gone+t.s.CardNumber(bloc.CardFireworks), t.cops[c])
		}
		after = t.kicks(t.cops[c]-gone) + 1
		share := float64(gone) / float64(t.cops[c])
		caught := float64(max(0, min(t.cops[c]-gone, a.blocs)-min(t.cops[c], t.own[c])))
		value = whole*share*t.w.weakened + g.cop*float64(gone) - t.w.caught*caught*(1-t.helped(c, after-1))
	}
	if g.build[c] > 0 && t.s.MayHold(t.f, c) {
		value += g.build[c] * (t.helped(c, after) - t.helped(c, before))
	}
	return value - t.w.reaction, attacks
}

// canBuildAfter reports whether the own dice suffice to build in a district after so many
// attacks in it.
func (t *situation) canBuildAfter(c bloc.CellID, attacks int) bool {
	return t.s.Basic(t.f, bloc.VerbBuild, c) && t.dice[1] > attacks || t.dice[t.s.DieFor(t.f, bloc.VerbBuild, c)] > attacks ||
		t.hand[bloc.CardBoltCutters] > 0 && t.dice[t.tile[c].Difficulty-t.s.CardNumber(bloc.CardBoltCutters)] > attacks
}

// helped returns the chance that the factions to come spend so many dice that suffice in
// a district tonight, cards included.
func (t *situation) helped(c bloc.CellID, dice int) float64 {
	if dice <= 0 {
		return 1
	}
	expected := 0.0
	for i := int(t.s.P.Turn) + 1; i < t.s.FactionSeats(); i++ {
		f := t.s.Order(i)
		n := float64(t.s.ActionDice(min(t.s.InCity(f)+1, t.s.InCity(f)+int(t.s.P.Mat[f])))) // with the bloc of its Faction Start
		expected += t.w.helpDice*n*float64(bloc.Sides+1-t.tile[c].Difficulty)/bloc.Sides + t.w.helpCards*float64(min(t.s.P.HandSize[f], 5))
	}
	// The chance of at least so many where so many are expected (Poisson).
	p, term := 1.0, math.Exp(-expected)
	for i := range dice {
		p -= term
		term *= expected / float64(i+1)
	}
	return p
}

// chooseBoost (D12): as many Molotovs as the attack needs: to break a van, or to get
// rid of cops that dice do not suffice for.
func (t *situation) chooseBoost(legal []engine.Action) engine.Action {
	n := &t.s.P.Now
	c := n.Cell
	missing := 0
	if n.Verb == bloc.VerbAttackVan {
		missing = t.hits[c] - 1 - int(n.Bonus)
		if t.goals.build[c]+t.goals.clear[c]+t.goals.van == 0 && missing > t.molotovs() {
			missing = 0
		}
	} else if t.hits[c] == 0 && t.goals.clear[c]+t.goals.cop > 0 {
		per := bloc.Strength(n.Verb)
		attacks := min(t.dice[t.tile[c].Difficulty], t.fresh[c])
		if missing = t.cops[c] - int(n.Bonus) - per*attacks; missing > t.molotovs() {
			missing = 0
		}
	}
	if missing <= 0 {
		return bloc.ActDone
	}
	return t.best(legal, func(a engine.Action) float64 {
		switch {
		case a == bloc.ActDone:
			return -100
		case a >= bloc.ActFactory:
			return -math.Abs(float64(missing - int(t.s.Molotov(t.f, bloc.LootID(a-bloc.ActFactory), true))))
		}
		return -math.Abs(float64(missing-int(t.s.Molotov(t.f, bloc.LootID(a-bloc.ActCard), false)))) - 0.5
	})
}

// chooseAttack (D14): another attack of the same series, or no more.
func (t *situation) chooseAttack(legal []engine.Action) engine.Action {
	c := t.s.P.Now.Cell
	t.asked = request{legal: legal}
	t.plan = plan{verb: bloc.VerbEndActions}
	t.shelf.clear()
	a := t.assess(c, t.dice[t.tile[c].Difficulty], t.fresh[c])
	a.fire = false
	if value, n := t.clearWorth(c, &a); value+t.w.reaction > 0 && n > 0 {
		t.attack(c, value+t.w.reaction, float64(n), &a)
	}
	if t.plan.score > 0 {
		return bloc.ActVerb + engine.Action(t.plan.verb)
	}
	return bloc.ActDone
}

// scoreKick (D13): cops go where they do least: not to the goals, not to blocs and
// occupations, and rather to one place where they are few.
func (t *situation) scoreKick(a engine.Action) float64 {
	way, ok := t.s.Connection(t.s.P.Now.Cell, bloc.Arm(a-bloc.ActArm))
	if !ok {
		return -100
	}
	far := way.Far.Cell()
	v := -0.3 * float64(way.Barricades)
	v -= t.goals.clear[far] + 0.5*float64(t.own[far]) + 0.4*float64(t.total[far])
	if t.holder[far] != none {
		v -= 1 + t.goals.keep[far]
	}
	if t.hits[far] > 0 {
		v += 0.5
	}
	return v - 0.2*float64(t.cops[far])
}
