package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// worth is what a loot card in hand is worth, by card: the worst is discarded first and
// given away most readily.
var worth = [bloc.LootCards]float64{
	bloc.CardMolotovs1: 1.6, bloc.CardMolotovs2: 2.2, bloc.CardFireworks: 2, bloc.CardBikes: 0.8, bloc.CardSmokeBombs: 0.4,
	bloc.CardBoltCutters: 1.4, bloc.CardPoliceScanner: 0.5, bloc.CardEnergyDrinks: 1.2,
	bloc.CardMegaphone: 1.1, bloc.CardLumber: 0.5, bloc.CardSignalJammer: 0.9, bloc.CardGasMasks: 0.9,
	bloc.CardMedicKit: 0.8, bloc.CardSteelDoors: 0.7, bloc.CardSoundSystem: 0.6,
}

func (t *situation) cardWorth(card bloc.LootID) float64 { return worth[card] }

// planCards looks at the cards that do not belong to another plan.
func (t *situation) planCards() {
	if t.hand[bloc.CardEnergyDrinks] > 0 && t.s.CanPlay(t.f, bloc.CardEnergyDrinks) {
		t.offer(5, 0, plan{verb: bloc.VerbPlayCard, card: bloc.CardEnergyDrinks})
	}
	if t.hand[bloc.CardMegaphone] > 0 && t.s.CanPlay(t.f, bloc.CardMegaphone) {
		c, top := bloc.NoCell, 0.0
		for s := t.calm; s != 0; s &= s - 1 {
			d := s.First()
			v := 1.0
			if t.holder[d] != none {
				v += t.goals.keep[d] * (t.loss(d, 0) - t.loss(d, 1) + 0.1)
			}
			if c == none || v > top {
				c, top = d, v
			}
		}
		t.offer(t.w.megaphone, 0, plan{verb: bloc.VerbPlayCard, card: bloc.CardMegaphone, cell: c})
	}
	if t.hand[bloc.CardLumber] > 0 && t.s.CanPlay(t.f, bloc.CardLumber) {
		t.planLumber()
	}
	if t.hand[bloc.CardSignalJammer] > 0 && t.s.CanPlay(t.f, bloc.CardSignalJammer) {
		t.offer(0.02, 0.3, plan{verb: bloc.VerbPlayCard, card: bloc.CardSignalJammer}) // last of all
	}
	if t.hand[bloc.CardSmokeBombs] > 0 && t.trapped() != none {
		t.offer(0.02, 0.2, plan{verb: bloc.VerbPlayCard, card: bloc.CardSmokeBombs, cell: t.trapped()})
	}
}

// planLumber looks at two barricades around an occupation that matters.
func (t *situation) planLumber() {
	c, top := bloc.NoCell, 0.0
	for s := t.calm; s != 0; s &= s - 1 {
		d := s.First()
		v, room := t.goals.anyBar, false
		for arm := range bloc.Arm(bloc.Arms) {
			if !t.s.Room(d, arm) {
				continue
			}
			room = true
			way, _ := t.s.Connection(d, arm)
			far := way.Far.Cell()
			if t.holder[d] != none && t.cops[far] > 1 {
				v += t.goals.keep[d] * t.raided(far, d)
			}
			if way.OverHighway && way.Here == 0 {
				v += t.goals.bar
			}
		}
		if room && v > top {
			c, top = d, v
		}
	}
	if c != none {
		t.offer(top, 0, plan{verb: bloc.VerbPlayCard, card: bloc.CardLumber, cell: c, arm: none})
	}
}

// trapped returns the district with the most own blocs that Sunrise will take and that
// have attacked or cannot, none if there is none.
func (t *situation) trapped() bloc.CellID {
	c, most := bloc.NoCell, 1
	for d := range bloc.CellID(bloc.Cells) {
		if t.own[d] == 0 || t.police>>d&1 == 0 || t.reach(d) == 0 {
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
	case bloc.AskMoveSource:
		return t.best(legal, func(a engine.Action) float64 { return float64(t.own[a-bloc.ActCell]) })
	case bloc.AskMoveCount:
		return legal[len(legal)-1]
	}
	return t.best(legal, func(a engine.Action) float64 { return t.refuge(bloc.CellID(a - bloc.ActCell)) })
}
