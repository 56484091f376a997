package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// maxTrades is the most proposals of a turn (R5.9; Ruling 7).
const maxTrades = 3

// Offers of a trade: 0 before it is chosen, 1 plus the loot card, or one of
// these.
const (
	offerAny     = numLoot + 1
	offerNothing = numLoot + 2
	hiddenOffer  = 0xFF
)

// offerAction returns the action that names an offer.
func offerAction(offer uint8) engine.Action {
	switch offer {
	case offerAny:
		return actAny
	case offerNothing:
		return actNothing
	}
	return actCard + engine.Action(offer) - 1
}

// offerOf returns the offer that an action names.
func offerOf(a engine.Action) uint8 {
	switch a {
	case actAny:
		return offerAny
	case actNothing:
		return offerNothing
	}
	return uint8(a - actCard + 1)
}

// partners implements R5.9 (Exchange of loot) and D19: factions with a bloc in a
// common district, unless neither hand has a card. It returns those of faction who, a bit set.
func (g *game) partners(p *position, who uint8) uint32 {
	set := uint32(0)
	for f := range uint8(numFactions) {
		if f != who && p.with[f]&p.with[who] != 0 && p.handSize[f]+p.handSize[who] > 0 {
			set |= 1 << f
		}
	}
	return set
}

func (g *game) promptPartner(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.AddBits(actFaction, uint64(g.partners(p, p.now.who)))
	return g.decide(p, p.now.who)
}

func (g *game) actPartner(p *position, _ *flow.Witness, a engine.Action) {
	p.now.partner = uint8(a - actFaction)
	p.trades++
	p.step = tradeGive
}

// offerHand offers the cards in a hand.
func (p *position) offerHand(f uint8) flow.Set {
	legal := p.Offer()
	legal.AddBits(actCard, uint64(kindsOf(p.hand[f][:])))
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
func (g *game) promptGive(p *position, _ *flow.Witness) bool {
	legal := p.offerHand(p.now.who)
	if p.handSize[p.now.partner] > 0 {
		legal.Add(actNothing)
	}
	return g.decide(p, p.now.who)
}

func (g *game) actGive(p *position, _ *flow.Witness, a engine.Action) {
	p.now.give = offerOf(a)
	p.step = tradeWant
}

// promptWant implements R5.9 and D21. Names are offered whether the partner holds
// them or not, so that the list tells nothing.
func (g *game) promptWant(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	if p.handSize[p.now.partner] > 0 {
		legal.AddBits(actCard, uint64(1<<numLoot-1))
		legal.Add(actAny)
	}
	if p.now.give != offerNothing {
		legal.Add(actNothing)
		if p.handSize[p.now.partner] > 0 {
			given := offerAction(p.now.give)
			p.Words[given>>6] &^= 1 << (given & 63)
		}
	}
	return g.decide(p, p.now.who)
}

// actWant implements R5.9 and section 15: the partner is shown the proposal, and
// with it a card of the proposer's hand.
func (g *game) actWant(p *position, w *flow.Witness, a engine.Action) {
	p.now.want = offerOf(a)
	if card := p.now.give; card <= numLoot {
		g.learn(p, g.owner(p, p.now.partner), p.now.who, card-1)
	}
	if w != nil {
		g.tellProposal(p, w)
	}
	p.step = tradeResponse
}

// tellProposal tells the whole proposal to the two that take part.
func (g *game) tellProposal(p *position, w *flow.Witness) {
	two := g.seatOf(p, p.now.who) | g.seatOf(p, p.now.partner)
	parties := []engine.Arg{g.faction(p.now.who), flow.Arg("partner", g.box.factions[p.now.partner].key)}
	w.Others(two, "proposal", "R5.9", parties...)
	w.Some(two, "proposal", "R5.9", append(parties, flow.Arg("give", g.box.actions[offerAction(p.now.give)]), flow.Arg("want", g.box.actions[offerAction(p.now.want)]))...)
}

// promptResponse implements R5.9 and D22. The question is asked even where only NO is
// legal, so that a refusal tells nothing (Ruling 7).
func (g *game) promptResponse(p *position, w *flow.Witness) bool {
	legal := p.Offer()
	legal.Add(actNo)
	if w := p.now.want; w > numLoot || p.hand[p.now.partner][w-1] > 0 {
		legal.Add(actYes)
	}
	return g.decide(p, p.now.partner)
}

func (g *game) actResponse(p *position, w *flow.Witness, a engine.Action) {
	switch {
	case a == actNo:
		p.backToMenu()
	case p.now.want == offerAny:
		p.step = tradePick
	default:
		g.exchangeCards(p, w, p.now.want)
	}
}

// promptPick implements R5.9 and D23: a card of the hand held before the exchange.
func (g *game) promptPick(p *position, _ *flow.Witness) bool {
	p.offerHand(p.now.partner)
	return g.decide(p, p.now.partner)
}

func (g *game) actPick(p *position, w *flow.Witness, a engine.Action) {
	g.exchangeCards(p, w, offerOf(a))
}

// exchangeCards implements the end of R5.9: the cards change hands at once.
func (g *game) exchangeCards(p *position, w *flow.Witness, back uint8) {
	if p.now.give != offerNothing {
		g.hand(p, w, p.now.who, p.now.partner, p.now.give-1)
	}
	if back != offerNothing {
		g.hand(p, w, p.now.partner, p.now.who, back-1)
	}
	p.backToMenu()
}

// hand moves a card from one hand to another. The two players know which; the others
// know of each kind one less in the hand that it left, since it may have been that
//
func (g *game) hand(p *position, w *flow.Witness, from, to, card uint8) {
	p.hand[from][card]--
	p.handSize[from]--
	p.hand[to][card]++
	p.handSize[to]++
	giver, taker := g.owner(p, from), g.owner(p, to)
	if w != nil {
		parties := []engine.Arg{g.faction(from), flow.Arg("partner", g.box.factions[to].key)}
		w.Others(1<<giver|1<<taker, "handed", "R5.9", parties...)
		w.Some(1<<giver|1<<taker, "handed", "R5.9", append(parties, g.lootCard(card))...)
	}
	for v := range g.players {
		for t := range p.known[v][from] {
			sees := v == giver || v == taker
			if p.known[v][from][t] > 0 && (!sees || t == int(card)) {
				p.known[v][from][t]--
			}
		}
	}
	if giver != taker {
		p.known[giver][to][card]++
	}
}

// learn notes that player v is certain of a card in faction f's hand.
func (g *game) learn(p *position, v, f, card uint8) {
	if v != g.owner(p, f) && p.known[v][f][card] == 0 {
		p.known[v][f][card] = 1
	}
}

// toDiscard lays a card that is played on the discard pile, face up.
func (g *game) toDiscard(p *position, w *flow.Witness, f, card uint8) {
	if w != nil {
		w.All("played", "R11.2", g.faction(f), g.lootCard(card))
	}
	p.hand[f][card]--
	p.handSize[f]--
	p.discard[card]++
	for v := range g.players {
		if p.known[v][f][card] > 0 {
			p.known[v][f][card]--
		}
	}
}
