package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// maxTrades is the most proposals of a turn (R5.9; Ruling 7).
const maxTrades = 3

// offerAction returns the action that names an offer.
func offerAction(offer Offer) engine.Action {
	switch offer {
	case OfferAny:
		return ActAny
	case OfferNothing:
		return ActNothing
	}
	return ActCard + engine.Action(offer) - 1
}

// offerOf returns the offer that an action names.
func offerOf(a engine.Action) Offer {
	switch a {
	case ActAny:
		return OfferAny
	case ActNothing:
		return OfferNothing
	}
	return Offer(a - ActCard + 1)
}

// Partners implements R5.9 (Exchange of loot) and D19: it returns the factions that faction
// who can propose a trade to, a bit set. They have a bloc in a common district, and one of the
// two hands has a card.
func (b Board) Partners(who FactionID) uint32 {
	set := uint32(0)
	for f := range FactionID(Factions) {
		if f != who && b.With[f]&b.With[who] != 0 && b.HandSize[f]+b.HandSize[who] > 0 {
			set |= 1 << f
		}
	}
	return set
}

func (b Board) promptPartner() bool {
	legal := b.Offer()
	legal.AddBits(ActFaction, uint64(b.Partners(b.Now.Who)))
	return b.decide(b.Now.Who)
}

func (b Board) actPartner(a engine.Action) {
	b.Now.Partner = FactionID(a - ActFaction)
	b.Trades++
	b.Step = tradeGive
}

// offerHand offers the cards in a hand.
func (p *Position) offerHand(f FactionID) flow.Set {
	legal := p.Offer()
	legal.AddBits(ActCard, uint64(kindsOf(p.Hand[f][:])))
	return legal
}

// kindsOf returns the kinds of which there are any, a bit set.
func kindsOf(counts []uint8) uint32 {
	set := uint32(0)
	for t, n := range counts {
		if n > 0 {
			set |= 1 << t
		}
	}
	return set
}

// promptGive implements R5.9 and D20.
func (b Board) promptGive() bool {
	legal := b.offerHand(b.Now.Who)
	if b.HandSize[b.Now.Partner] > 0 {
		legal.Add(ActNothing)
	}
	return b.decide(b.Now.Who)
}

func (b Board) actGive(a engine.Action) {
	b.Now.Give = offerOf(a)
	b.Step = tradeWant
}

// promptWant implements R5.9 and D21. Every card can be named, whether or not the partner
// holds it, so the list reveals nothing.
func (b Board) promptWant() bool {
	legal := b.Offer()
	if b.HandSize[b.Now.Partner] > 0 {
		legal.AddBits(ActCard, uint64(1<<LootCards-1))
		legal.Add(ActAny)
	}
	if b.Now.Give != OfferNothing {
		legal.Add(ActNothing)
		if b.HandSize[b.Now.Partner] > 0 {
			given := offerAction(b.Now.Give)
			b.Words[given>>6] &^= 1 << (given & 63)
		}
	}
	return b.decide(b.Now.Who)
}

// actWant implements R5.9 and section 15: the partner sees the proposal, and thereby a card of
// the proposer's hand.
func (b Board) actWant(a engine.Action) {
	b.Now.Want = offerOf(a)
	if card := b.Now.Give; card <= LootCards {
		b.learn(b.owner(b.Now.Partner), b.Now.Who, LootID(card-1))
	}
	b.tellTo(b.seatOf(b.Now.Who)|b.seatOf(b.Now.Partner), tradeProposed, "R5.9", b.Now.Who, b.Now.Partner, b.Now.Give, b.Now.Want)
	b.Step = tradeResponse
}

// promptResponse implements R5.9 and D22. The partner is asked even if only NO is legal, so a
// refusal reveals nothing (Ruling 7).
func (b Board) promptResponse() bool {
	legal := b.Offer()
	legal.Add(ActNo)
	if w := b.Now.Want; w > LootCards || b.Hand[b.Now.Partner][w-1] > 0 {
		legal.Add(ActYes)
	}
	return b.decide(b.Now.Partner)
}

func (b Board) actResponse(a engine.Action) {
	switch {
	case a == ActNo:
		b.backToMenu()
	case b.Now.Want == OfferAny:
		b.Step = tradePick
	default:
		b.exchangeCards(b.Now.Want)
	}
}

// promptPick implements R5.9 and D23: a card of the hand held before the exchange.
func (b Board) promptPick() bool {
	b.offerHand(b.Now.Partner)
	return b.decide(b.Now.Partner)
}

func (b Board) actPick(a engine.Action) {
	b.exchangeCards(offerOf(a))
}

// exchangeCards implements the end of R5.9: the cards change hands at once.
func (b Board) exchangeCards(back Offer) {
	if b.Now.Give != OfferNothing {
		b.hand(b.Now.Who, b.Now.Partner, LootID(b.Now.Give-1))
	}
	if back != OfferNothing {
		b.hand(b.Now.Partner, b.Now.Who, LootID(back-1))
	}
	b.backToMenu()
}

// hand moves a card from one hand to another. The two players know which card it is. It may
// have been any card of the hand, so the others are certain of one less of each kind.
func (b Board) hand(from, to FactionID, card LootID) {
	b.Hand[from][card]--
	b.HandSize[from]--
	b.Hand[to][card]++
	b.HandSize[to]++
	giver, taker := b.owner(from), b.owner(to)
	b.tellTo(1<<giver|1<<taker, cardHanded, "R5.9", from, to, card)
	for v := range engine.Player(b.players) {
		for t := range b.Known[v][from] {
			sees := v == giver || v == taker
			if b.Known[v][from][t] > 0 && (!sees || t == int(card)) {
				b.Known[v][from][t]--
			}
		}
	}
	if giver != taker {
		b.Known[giver][to][card]++
	}
}

// learn records that player v is certain of a card in the hand of faction f.
func (b Board) learn(v engine.Player, f FactionID, card LootID) {
	if v != b.owner(f) && b.Known[v][f][card] == 0 {
		b.Known[v][f][card] = 1
	}
}

// toDiscard puts a card that is played on the discard pile, face up.
func (b Board) toDiscard(f FactionID, card LootID) {
	b.tell(cardPlayed, "R11.2", f, card)
	b.Hand[f][card]--
	b.HandSize[f]--
	b.Discard[card]++
	for v := range engine.Player(b.players) {
		if b.Known[v][f][card] > 0 {
			b.Known[v][f][card]--
		}
	}
}
