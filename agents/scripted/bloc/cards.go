package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// worth is what a loot card in hand is worth, by card: the worst is discarded first and
// given away most readily.
var worth = [bloc.LootCards]float64{
	molotovs1: 1.6, molotovs2: 2.2, fireworks: 2, bikes: 0.8, smokeBombs: 0.4, boltCutters: 1.4, policeScanner: 0.5, energyDrinks: 1.2,
	megaphone: 1.1, lumber: 0.5, signalJammer: 0.9, gasMasks: 0.9, medicKit: 0.8, steelDoors: 0.7, soundSystem: 0.6,
}

func (t *situation) cardWorth(card int) float64 { return worth[card] }

// planCards looks at the cards that do not belong to another plan.
func (t *situation) planCards() {
	if t.hand[energyDrinks] > 0 && t.s.CanPlay(t.f, energyDrinks) {
		t.offer(5, 0, plan{verb: playCard, card: energyDrinks})
	}
	if t.hand[megaphone] > 0 && t.s.CanPlay(t.f, megaphone) {
		c, top := none, 0.0
		for s := t.calm; s != 0; s &= s - 1 {
			d := first(s)
			v := 1.0
			if t.holder[d] >= 0 {
				v += t.goals.keep[d] * (t.loss(d, 0) - t.loss(d, 1) + 0.1)
			}
			if c == none || v > top {
				c, top = d, v
			}
		}
		t.offer(t.w.megaphone, 0, plan{verb: playCard, card: megaphone, cell: c})
	}
	if t.hand[lumber] > 0 && t.s.CanPlay(t.f, lumber) {
		t.planLumber()
	}
	if t.hand[signalJammer] > 0 && t.s.CanPlay(t.f, signalJammer) {
		t.offer(0.02, 0.3, plan{verb: playCard, card: signalJammer}) // last of all
	}
	if t.hand[smokeBombs] > 0 && t.trapped() != none {
		t.offer(0.02, 0.2, plan{verb: playCard, card: smokeBombs, cell: t.trapped()})
	}
}

// planLumber looks at two barricades around an occupation that matters.
func (t *situation) planLumber() {
	c, top := none, 0.0
	for s := t.calm; s != 0; s &= s - 1 {
		d := first(s)
		v, room := t.goals.anyBar, false
		for arm := range bloc.Arms {
			if !t.s.Room(d, arm) {
				continue
			}
			room = true
			far, _, over, _, here, _ := t.s.Connection(d, arm)
			if t.holder[d] >= 0 && t.cops[far] > 1 {
				v += t.goals.keep[d] * t.raided(far, d)
			}
			if over && here == 0 {
				v += t.goals.bar
			}
		}
		if room && v > top {
			c, top = d, v
		}
	}
	if c != none {
		t.offer(top, 0, plan{verb: playCard, card: lumber, cell: c, arm: none})
	}
}

// trapped returns the district with the most own blocs that Sunrise will take and that
// have attacked or cannot, none if there is none.
func (t *situation) trapped() int {
	c, most := none, 1
	for d := range bloc.Cells {
		if t.own[d] == 0 || t.police>>d&1 == 0 || t.s.Reach(d) == 0 {
			continue
		}
		lost := min(t.own[d], t.cops[d])
		if t.hits[d] > 0 {
			lost = t.own[d]
		}
		if lost > most && t.dice[t.tile[d].Difficulty] == 0 {
			c, most = d, lost
		}
	}
	return c
}

// escape answers the decisions of Smoke Bombs: as many blocs as are lost otherwise, to
// a refuge.
func (t *situation) escape(legal []engine.Action) engine.Action {
	switch t.s.Decision() {
	case moveSource:
		return best(legal, func(a engine.Action) float64 { return float64(t.own[a-bloc.ActCell]) })
	case moveCount:
		return legal[len(legal)-1]
	}
	return best(legal, func(a engine.Action) float64 { return t.refuge(int(a - bloc.ActCell)) })
}
