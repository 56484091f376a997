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

// partners implements R5.9 (Exchange of loot) and D19: factions with a bloc in a
// common district, unless neither hand has a card. It returns those of faction who, a bit set.
func (g *game) partners(p *Position, who FactionID) uint32 {
	set := uint32(0)
	for f := range FactionID(Factions) {
		if f != who && p.With[f]&p.With[who] != 0 && p.HandSize[f]+p.HandSize[who] > 0 {
			set |= 1 << f
		}
	}
	return set
}

func (g *game) promptPartner(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(ActFaction, uint64(g.partners(p, p.Now.Who)))
	return g.decide(p, p.Now.Who)
}

func (g *game) actPartner(p *Position, _ *flow.Witness, a engine.Action) {
	p.Now.Partner = FactionID(a - ActFaction)
	p.Trades++
	p.Step = tradeGive
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
func (g *game) promptGive(p *Position, _ *flow.Witness) bool {
	legal := p.offerHand(p.Now.Who)
	if p.HandSize[p.Now.Partner] > 0 {
		legal.Add(ActNothing)
	}
	return g.decide(p, p.Now.Who)
}

func (g *game) actGive(p *Position, _ *flow.Witness, a engine.Action) {
	p.Now.Give = offerOf(a)
	p.Step = tradeWant
}

// promptWant implements R5.9 and D21. Names are offered whether the partner holds
// them or not, so that the list tells nothing.
func (g *game) promptWant(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	if p.HandSize[p.Now.Partner] > 0 {
		legal.AddBits(ActCard, uint64(1<<LootCards-1))
		legal.Add(ActAny)
	}
	if p.Now.Give != OfferNothing {
		legal.Add(ActNothing)
		if p.HandSize[p.Now.Partner] > 0 {
			given := offerAction(p.Now.Give)
			p.Words[given>>6] &^= 1 << (given & 63)
		}
	}
	return g.decide(p, p.Now.Who)
}

// actWant implements R5.9 and section 15: the partner is shown the proposal, and
// with it a card of the proposer's hand.
func (g *game) actWant(p *Position, w *flow.Witness, a engine.Action) {
	p.Now.Want = offerOf(a)
	if card := p.Now.Give; card <= LootCards {
		g.learn(p, g.owner(p, p.Now.Partner), p.Now.Who, LootID(card-1))
	}
	if w != nil {
		g.tellProposal(p, w)
	}
	p.Step = tradeResponse
}

// tellProposal tells the whole proposal to the two that take part.
func (g *game) tellProposal(p *Position, w *flow.Witness) {
	two := g.seatOf(p, p.Now.Who) | g.seatOf(p, p.Now.Partner)
	parties := []engine.Arg{g.faction(p.Now.Who), flow.Arg("partner", p.Now.Partner.String())}
	w.Others(two, "proposal", "R5.9", parties...)
	w.Some(two, "proposal", "R5.9", append(parties, flow.Arg("give", g.box.actions[offerAction(p.Now.Give)]), flow.Arg("want", g.box.actions[offerAction(p.Now.Want)]))...)
}

// promptResponse implements R5.9 and D22. The question is asked even where only NO is
// legal, so that a refusal tells nothing (Ruling 7).
func (g *game) promptResponse(p *Position, w *flow.Witness) bool {
	legal := p.Offer()
	legal.Add(ActNo)
	if w := p.Now.Want; w > LootCards || p.Hand[p.Now.Partner][w-1] > 0 {
		legal.Add(ActYes)
	}
	return g.decide(p, p.Now.Partner)
}

func (g *game) actResponse(p *Position, w *flow.Witness, a engine.Action) {
	switch {
	case a == ActNo:
		p.backToMenu()
	case p.Now.Want == OfferAny:
		p.Step = tradePick
	default:
		g.exchangeCards(p, w, p.Now.Want)
	}
}

// promptPick implements R5.9 and D23: a card of the hand held before the exchange.
func (g *game) promptPick(p *Position, _ *flow.Witness) bool {
	p.offerHand(p.Now.Partner)
	return g.decide(p, p.Now.Partner)
}

func (g *game) actPick(p *Position, w *flow.Witness, a engine.Action) {
	g.exchangeCards(p, w, offerOf(a))
}

// exchangeCards implements the end of R5.9: the cards change hands at once.
func (g *game) exchangeCards(p *Position, w *flow.Witness, back Offer) {
	if p.Now.Give != OfferNothing {
		g.hand(p, w, p.Now.Who, p.Now.Partner, LootID(p.Now.Give-1))
	}
	if back != OfferNothing {
		g.hand(p, w, p.Now.Partner, p.Now.Who, LootID(back-1))
	}
	p.backToMenu()
}

// hand moves a card from one hand to another. The two players know which; the others
// know of each kind one less in the hand that it left, since it may have been that
//
func (g *game) hand(p *Position, w *flow.Witness, from, to FactionID, card LootID) {
	p.Hand[from][card]--
	p.HandSize[from]--
	p.Hand[to][card]++
	p.HandSize[to]++
	giver, taker := g.owner(p, from), g.owner(p, to)
	if w != nil {
		parties := []engine.Arg{g.faction(from), flow.Arg("partner", to.String())}
		w.Others(1<<giver|1<<taker, "handed", "R5.9", parties...)
		w.Some(1<<giver|1<<taker, "handed", "R5.9", append(parties, g.lootCard(card))...)
	}
	for v := range engine.Player(g.players) {
		for t := range p.Known[v][from] {
			sees := v == giver || v == taker
			if p.Known[v][from][t] > 0 && (!sees || t == int(card)) {
				p.Known[v][from][t]--
			}
		}
	}
	if giver != taker {
		p.Known[giver][to][card]++
	}
}

// learn notes that player v is certain of a card in faction f's hand.
func (g *game) learn(p *Position, v engine.Player, f FactionID, card LootID) {
	if v != g.owner(p, f) && p.Known[v][f][card] == 0 {
		p.Known[v][f][card] = 1
	}
}

// toDiscard lays a card that is played on the discard pile, face up.
func (g *game) toDiscard(p *Position, w *flow.Witness, f FactionID, card LootID) {
	if w != nil {
		w.All("played", "R11.2", g.faction(f), g.lootCard(card))
	}
	p.Hand[f][card]--
	p.HandSize[f]--
	p.Discard[card]++
	for v := range engine.Player(g.players) {
		if p.Known[v][f][card] > 0 {
			p.Known[v][f][card]--
		}
	}
}
