package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// chooseStop (D10): a team lets its members work. With agendas, a State District that
// would be another's second is stopped, since two are part of every win alone.
func (t *situation) chooseStop() engine.Action {
	n := t.s.Pending()
	if !t.s.SemiCooperative() || n.Verb != build && n.Verb != swap || n.Cell < 0 || t.tile[n.Cell].Type != state {
		return bloc.ActNo
	}
	active, theirs, lacking := t.s.Active(), 0, 0
	for c := range bloc.Cells {
		if t.tile[c].Type != state {
			continue
		}
		switch t.holder[c] {
		case active:
			theirs++
		case none:
			lacking++
		}
	}
	if theirs >= 1 && lacking > 1 {
		return bloc.ActYes
	}
	return bloc.ActNo
}

// actNothing is the action that offers nothing.
const actNothing = bloc.ActCard + bloc.LootCards + 3

// wishes are the cards that another faction may have for what the dice allow, the
// most wanted first.
var wishes = [...]int{fireworks, boltCutters, molotovs2}

// proposal is a card to ask a faction for.
type proposal struct{ card, partner int }

// propose returns the i-th proposal of the turn: cards that would make a much better
// plan possible, of each faction that can be asked and may have one. ok is false if
// there is none. The plan that the cards would make possible is left in t.plan.
func (t *situation) propose(i int) (p proposal, ok bool) {
	if t.s.SemiCooperative() || t.dice[4] == 0 {
		return p, false
	}
	partners := t.partners()
	if partners == 0 {
		return p, false
	}
	asked := t.asked
	t.asked = request{legal: withCard}
	defer func() { t.asked = asked }()
	t.think()
	usual := t.plan.score
	for _, card := range wishes {
		if t.hand[card] > 0 {
			continue
		}
		t.hand[card]++
		t.think()
		t.hand[card]--
		if t.plan.score < usual+2 {
			continue
		}
		for f := range bloc.Factions {
			if partners>>f&1 == 0 || t.s.Owner(f) == t.s.Owner(t.f) && t.s.Hand(f)[card] == 0 {
				continue
			}
			if i == 0 {
				return proposal{card, f}, true
			}
			i--
		}
	}
	return p, false
}

// withCard lists the verbs of the plans that a traded card may belong to. What is legal
// is not asked: the card may be what makes it so.
var withCard = []engine.Action{
	bloc.ActVerb + move, bloc.ActVerb + build, bloc.ActVerb + attackDefeat, bloc.ActVerb + attackKick, bloc.ActVerb + attackVan, bloc.ActVerb + playCard,
}

// partners returns the factions with cards that share a district with the own one, a
// bit set.
func (t *situation) partners() uint32 {
	set := uint32(0)
	for f := range bloc.Factions {
		if f == t.f || t.s.HandSize(f) == 0 {
			continue
		}
		for c, n := range t.s.Blocs(f) {
			if n > 0 && t.own[c] > 0 {
				set |= 1 << f
			}
		}
	}
	return set
}

// chooseTrade answers the decisions of a trade. A proposal asks for one card and gives
// nothing, since a team needs no price; so the answer of a team is yes. With agendas
// the player proposes nothing, and accepts what brings it more than it gives.
func (t *situation) chooseTrade(legal []engine.Action) engine.Action {
	n := t.s.Pending()
	_, _, _, made := t.s.Turn()
	switch t.s.Decision() {
	case tradePartner:
		if p, ok := t.propose(made); ok && has(legal, bloc.ActFaction+engine.Action(p.partner)) {
			return bloc.ActFaction + engine.Action(p.partner)
		}
	case tradeGive:
		if has(legal, actNothing) {
			return actNothing
		}
	case tradeWant:
		if p, ok := t.propose(made - 1); ok && has(legal, bloc.ActCard+engine.Action(p.card)) {
			return bloc.ActCard + engine.Action(p.card)
		}
	case tradeResponse:
		if has(legal, bloc.ActYes) && (!t.s.SemiCooperative() || t.offerWorth(n.Give) > t.offerWorth(n.Want)) {
			return bloc.ActYes
		}
		return bloc.ActNo
	case tradePick:
		return best(legal, func(a engine.Action) float64 { return -t.cardWorth(int(a - bloc.ActCard)) })
	}
	return legal[0]
}

// offerWorth returns what an offer of a trade is worth: 1 to 15 a card, 16 any card,
// 17 nothing.
func (t *situation) offerWorth(offer int) float64 {
	switch {
	case offer >= 1 && offer <= bloc.LootCards:
		return worth[offer-1]
	case offer == bloc.LootCards+1:
		return 0.4
	}
	return 0
}
