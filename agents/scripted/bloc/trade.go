package bloc

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// chooseStop (D10): a team lets its members work. With agendas, a State District that
// would be another's second is stopped, since two are part of every win alone.
func (t *situation) chooseStop() engine.Action {
	n := &t.s.P.Now
	if !t.s.SemiCooperative() || n.Verb != bloc.VerbBuild && n.Verb != bloc.VerbSwap || n.Cell == none || t.tile[n.Cell].Type != bloc.TypeState {
		return bloc.ActNo
	}
	active, theirs, lacking := t.s.Active(), 0, 0
	for c := range bloc.CellID(bloc.Cells) {
		if t.tile[c].Type != bloc.TypeState {
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

// wishes are the cards that make a plan possible or better, the most wanted first.
var wishes = [...]bloc.LootID{bloc.CardFireworks, bloc.CardBoltCutters, bloc.CardMolotovs2, bloc.CardMolotovs1, bloc.CardBikes}

// gain returns by how much a card in hand would better the best plan, whose score is
// usual without it.
func (t *situation) gain(card bloc.LootID, usual float64) float64 {
	t.hand[card]++
	t.think()
	t.hand[card]--
	return t.plan.score - usual
}

// propose returns the faction to ask for a card in the i-th proposal of the turn: the
// factions that can be asked take turns, those with more cards first. ok is false if no
// card would help.
func (t *situation) propose(i int) (partner bloc.FactionID, ok bool) {
	if t.s.SemiCooperative() || t.dice[4] == 0 {
		return 0, false
	}
	partners := t.partners()
	if partners == 0 {
		return 0, false
	}
	asked := t.asked
	t.asked = request{legal: withCard}
	t.think()
	usual := t.plan.score
	for _, card := range wishes {
		if ok = t.gain(card, usual) >= t.w.ask; ok {
			break
		}
	}
	t.asked = asked
	if !ok {
		return 0, false
	}
	for i %= bits.OnesCount32(partners); ; i-- {
		most := bloc.NoFaction
		for s := partners; s != 0; s &= s - 1 {
			if f := bloc.FactionID(bits.TrailingZeros32(s)); most == none || t.s.P.HandSize[f] > t.s.P.HandSize[most] {
				most = f
			}
		}
		if i == 0 {
			return most, true
		}
		partners &^= 1 << most
	}
}

// spareCard returns the card of the own hand that helps the proposer of a trade most, none
// if no card does.
func (t *situation) spareCard(proposer bloc.FactionID) bloc.LootID {
	u := situation{w: t.w}
	u.readFor(t.s, proposer)
	u.asked = request{legal: withCard}
	u.think()
	usual := u.plan.score
	card, top := bloc.LootID(none), t.w.ask
	for _, c := range wishes {
		if t.hand[c] == 0 {
			continue
		}
		if v := u.gain(c, usual); v >= top {
			card, top = c, v
		}
	}
	return card
}

// withCard lists the verbs of the plans that a traded card may belong to. What is legal
// is not asked: the card may be what makes it so.
var withCard = []engine.Action{
	bloc.ActVerb + engine.Action(bloc.VerbMove), bloc.ActVerb + engine.Action(bloc.VerbBuild),
	bloc.ActVerb + engine.Action(bloc.VerbAttackDefeat), bloc.ActVerb + engine.Action(bloc.VerbAttackKick),
	bloc.ActVerb + engine.Action(bloc.VerbAttackVan), bloc.ActVerb + engine.Action(bloc.VerbPlayCard),
}

// partners returns the factions with cards that share a district with the own one, a
// bit set.
func (t *situation) partners() uint32 {
	set := t.s.Partners(t.f)
	for f := range bloc.FactionID(bloc.Factions) {
		if t.s.P.HandSize[f] == 0 {
			set &^= 1 << f
		}
	}
	return set
}

// chooseTrade answers the decisions of a trade. A proposal asks for any card and gives
// nothing, since a team needs no price: the partner knows its hand, and sees on the table
// what would help. With agendas the player proposes nothing, and accepts what brings it
// more than it gives.
func (t *situation) chooseTrade(legal []engine.Action) engine.Action {
	n := &t.s.P.Now
	made := int(t.s.P.Trades)
	switch t.s.Decision() {
	case bloc.AskTradePartner:
		if f, ok := t.propose(made); ok && has(legal, bloc.ActFaction+engine.Action(f)) {
			return bloc.ActFaction + engine.Action(f)
		}
	case bloc.AskTradeGive:
		if has(legal, bloc.ActNothing) {
			return bloc.ActNothing
		}
	case bloc.AskTradeWant:
		if has(legal, bloc.ActAny) {
			return bloc.ActAny
		}
	case bloc.AskTradeResponse:
		if has(legal, bloc.ActYes) && t.accepts(n) {
			return bloc.ActYes
		}
		return bloc.ActNo
	case bloc.AskTradePick:
		if !t.s.SemiCooperative() {
			if c := t.spareCard(t.s.Active()); c != none {
				return bloc.ActCard + engine.Action(c)
			}
		}
		return t.best(legal, func(a engine.Action) float64 { return -t.cardWorth(bloc.LootID(a - bloc.ActCard)) })
	}
	return legal[0]
}

// accepts reports whether the proposal of another faction is welcome.
func (t *situation) accepts(n *bloc.UnderWay) bool {
	if t.s.SemiCooperative() {
		return t.offerWorth(n.Give) > t.offerWorth(n.Want)
	}
	return n.Want != bloc.OfferAny || t.spareCard(t.s.Active()) != none
}

// offerWorth returns what an offer of a trade is worth: 1 to 15 a card, 16 any card,
// 17 nothing.
func (t *situation) offerWorth(offer bloc.Offer) float64 {
	switch {
	case offer >= 1 && offer <= bloc.LootCards:
		return worth[offer-1]
	case offer == bloc.OfferAny:
		return 0.4
	}
	return 0
}
