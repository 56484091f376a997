package bloc

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game: a position in which all else is blank. It
// implements engine.Teller.
type View struct {
	flow.View[*game, position, actionSet]
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) { s.Show(seat, &v.(*View).View) }

// Blank implements flow.Rules and section 15 of the specification. It is the one place where secrets
// are told from what may be shown: what is not blanked here is public or known to the
// player.
//
// Hidden from player me: hands of other players' factions but for the cards that me
// is certain of, cards that others are drawing, their agenda, proposals of trades that me
// has no part in, what other players know of each other's hands, secret questions to
// others (R15.1), and what the actor may choose. The cards that me has not seen are added
// up in deck. Decks that nobody knows are counts already.
func (g *game) Blank(p *position, seat engine.Player) {
	me := uint8(seat)
	if p.Actor >= 0 && p.Actor != seat && table[p.Ask].Secret {
		p.forgetQuestion(me)
	}
	p.shown = [maxPlayers]moment{} // what others see tells whom they know to be asked
	for f := range uint8(numFactions) {
		if g.inPlay(p, f) && g.owner(p, f) != me {
			p.hideHand(me, f)
		}
		for v := range g.players {
			if v != me && (!g.inPlay(p, f) || g.owner(p, f) != me) {
				p.known[v][f] = [numLoot]uint8{}
			}
		}
	}
	if p.now.who != noFaction && g.owner(p, p.now.who) != me {
		for t, n := range p.drawn {
			p.deck[t] += n
		}
		p.drawn = [numLoot]uint8{}
		g.hideOffers(p, me)
	}
	if p.Actor >= 0 && p.Actor != seat {
		p.Words = actionSet{} // it tells what is in the hand
	}
}

// hideHand blanks what player me does not know of a faction's hand and agenda.
func (p *position) hideHand(me, f uint8) {
	known := &p.known[me][f]
	for t, n := range p.hand[f] {
		p.deck[t] += n - known[t]
	}
	p.hand[f] = *known
	if p.agenda[f] != noAgenda && p.ending == undecided { // shown at the end
		p.agenda[f] = hiddenAgenda
	}
}

// hideOffers blanks the offers of a trade that player me did not make and has not
// been shown (R5.9). That the partner picks a card tells that any was asked for.
func (g *game) hideOffers(p *position, me uint8) {
	n := &p.now
	shown := p.step == tradeResponse || p.step == tradePick
	if n.partner != noFaction && g.owner(p, n.partner) == me && shown {
		return
	}
	if n.give != 0 {
		n.give = hiddenOffer
	}
	if n.want != 0 && p.step != tradePick {
		n.want = hiddenOffer
	}
}

// Redeal implements engine.Hidden. Where nobody is asked as far as the seat knows, the
// rules go on with the new deal from the situation that it sees, to a question if one of
// the new hands calls for it. Else deals that contradict the question at hand are dealt
// again: a faction that is asked about a card holds one that the question can be about.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G = view.G
	for seen := &view.P; ; {
		s.P = *seen
		s.G.deal(&s.P, uint8(view.Seat), rng)
		if seen.Actor == engine.Nobody {
			s.Settle()
			return
		}
		if s.Rests() && s.P.step == seen.step && s.P.asked == seen.asked && (s.P.Actor < 0 || s.P.Choices().Size() > 0) {
			return
		}
	}
}

// deal fills the blanks of a view of player me: the unseen cards go to the hands
// and to the cards being drawn, the rest is the deck.
func (g *game) deal(p *position, me uint8, rng *rand.PCG) {
	left := uint32(sum(p.deck[:]))
	seen := uint8(0)
	for f := range uint8(numFactions) {
		for range p.handSize[f] - sum(p.hand[f][:]) {
			p.hand[f][takeOne(&p.deck, &left, rng)]++
		}
		if p.agenda[f] != hiddenAgenda {
			seen |= 1 << f
		}
	}
	for range p.drawnSize - sum(p.drawn[:]) {
		p.drawn[takeOne(&p.deck, &left, rng)]++
	}
	for f := range uint8(numFactions) {
		if p.agenda[f] == hiddenAgenda {
			p.agenda[f] = g.drawAgenda(p, seen, rng)
			seen |= 1 << f
		}
	}
	if p.now.give == hiddenOffer {
		g.dealOffer(p, rng)
	}
}

// takeOne takes one of the cards out of counts, each with the same chance. left is
// their number.
func takeOne(counts *[numLoot]uint8, left *uint32, rng *rand.PCG) uint8 {
	x := engine.Uint32N(rng, *left)
	*left--
	for t := range counts {
		if n := uint32(counts[t]); x >= n {
			x -= n
			continue
		}
		counts[t]--
		return uint8(t)
	}
	panic("bloc: a view has fewer cards than places")
}

// drawAgenda draws an agenda card for a faction, given those of the factions seen
// (R2.9).
func (g *game) drawAgenda(p *position, seen uint8, rng *rand.PCG) uint8 {
	w := g.agendaWeights(p, seen)
	total := uint32(0)
	for _, n := range w {
		total += n
	}
	x := engine.Uint32N(rng, total)
	for i, n := range w {
		if x < n {
			return uint8(i)
		}
		x -= n
	}
	panic("bloc: no agenda card is left")
}

// dealOffer makes up a proposal: any that R5.9 allows the proposer with the hand dealt,
// each part with equal chance.
func (g *game) dealOffer(p *position, rng *rand.PCG) {
	q := *p
	q.now.give = 0
	g.promptGive(&q, nil)
	p.now.give = offerOf(pick(q.Choices(), rng))
	if p.now.want == hiddenOffer {
		q = *p
		g.promptWant(&q, nil)
		p.now.want = offerOf(pick(q.Choices(), rng))
	}
}

// pick returns one of the actions of a set that is not empty, with equal chance.
func pick(set flow.Set, rng *rand.PCG) engine.Action {
	list := set.Append(make([]engine.Action, 0, numActions))
	return list[engine.Uint32N(rng, uint32(len(list)))]
}
