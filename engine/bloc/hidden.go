package bloc

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game: a position in which all else is blank. It
// implements engine.Teller.
type View struct {
	flow.View[*game, Position, actionSet]
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
func (g *game) Blank(p *Position, me engine.Player) {
	if p.Actor >= 0 && p.Actor != me && table[p.Ask].Secret {
		p.forgetQuestion(me)
	}
	p.Shown = [maxPlayers]Moment{} // what others see tells whom they know to be asked
	for f := range FactionID(Factions) {
		if g.inPlay(p, f) && g.owner(p, f) != me {
			p.hideHand(me, f)
		}
		for v := range engine.Player(g.players) {
			if v != me && (!g.inPlay(p, f) || g.owner(p, f) != me) {
				p.Known[v][f] = [LootCards]uint8{}
			}
		}
	}
	if p.Now.Who != NoFaction && g.owner(p, p.Now.Who) != me {
		for t, n := range p.Drawn {
			p.Deck[t] += n
		}
		p.Drawn = [LootCards]uint8{}
		g.hideOffers(p, me)
	}
	if p.Actor >= 0 && p.Actor != me {
		p.Words = actionSet{} // it tells what is in the hand
	}
}

// hideHand blanks what player me does not know of a faction's hand and agenda.
func (p *Position) hideHand(me engine.Player, f FactionID) {
	known := &p.Known[me][f]
	for t, n := range p.Hand[f] {
		p.Deck[t] += n - known[t]
	}
	p.Hand[f] = *known
	if p.Agenda[f] != NoAgenda && p.Ending == undecided { // shown at the end
		p.Agenda[f] = HiddenAgenda
	}
}

// hideOffers blanks the offers of a trade that player me did not make and has not
// been shown (R5.9). That the partner picks a card tells that any was asked for.
func (g *game) hideOffers(p *Position, me engine.Player) {
	n := &p.Now
	shown := p.Step == tradeResponse || p.Step == tradePick
	if n.Partner != NoFaction && g.owner(p, n.Partner) == me && shown {
		return
	}
	if n.Give != 0 {
		n.Give = HiddenOffer
	}
	if n.Want != 0 && p.Step != tradePick {
		n.Want = HiddenOffer
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
		s.G.deal(&s.P, view.Seat, rng)
		s.Dealt()
		if seen.Actor == engine.Nobody {
			s.Settle()
			return
		}
		if s.Rests() && s.P.Step == seen.Step && s.P.Asked == seen.Asked && (s.P.Actor < 0 || s.P.Choices().Size() > 0) {
			return
		}
	}
}

// deal fills the blanks of a view of player me: the unseen cards go to the hands
// and to the cards being drawn, the rest is the deck.
func (g *game) deal(p *Position, me engine.Player, rng *rand.PCG) {
	left := uint32(sum(p.Deck[:]))
	seen := uint8(0)
	for f := range FactionID(Factions) {
		for range p.HandSize[f] - sum(p.Hand[f][:]) {
			p.Hand[f][takeOne(&p.Deck, &left, rng)]++
		}
		if p.Agenda[f] != HiddenAgenda {
			seen |= 1 << f
		}
	}
	for range p.DrawnSize - sum(p.Drawn[:]) {
		p.Drawn[takeOne(&p.Deck, &left, rng)]++
	}
	for f := range FactionID(Factions) {
		if p.Agenda[f] == HiddenAgenda {
			p.Agenda[f] = g.drawAgenda(p, seen, rng)
			seen |= 1 << f
		}
	}
	if p.Now.Give == HiddenOffer {
		g.dealOffer(p, rng)
	}
}

// takeOne takes one of the cards out of counts, each with the same chance. left is
// their number.
func takeOne(counts *[LootCards]uint8, left *uint32, rng *rand.PCG) uint8 {
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
func (g *game) drawAgenda(p *Position, seen uint8, rng *rand.PCG) AgendaID {
	w := g.agendaWeights(p, seen)
	total := uint32(0)
	for _, n := range w {
		total += n
	}
	x := engine.Uint32N(rng, total)
	for i, n := range w {
		if x < n {
			return AgendaID(i)
		}
		x -= n
	}
	panic("bloc: no agenda card is left")
}

// dealOffer makes up a proposal: any that R5.9 allows the proposer with the hand dealt,
// each part with equal chance.
func (g *game) dealOffer(p *Position, rng *rand.PCG) {
	q := *p
	q.Now.Give = 0
	g.promptGive(&q, nil)
	p.Now.Give = offerOf(pick(q.Choices(), rng))
	if p.Now.Want == HiddenOffer {
		q = *p
		g.promptWant(&q, nil)
		p.Now.Want = offerOf(pick(q.Choices(), rng))
	}
}

// pick returns one of the actions of a set that is not empty, with equal chance.
func pick(set flow.Set, rng *rand.PCG) engine.Action {
	list := set.Append(make([]engine.Action, 0, numActions))
	return list[engine.Uint32N(rng, uint32(len(list)))]
}
