package bloc

import (
	"math/rand/v2"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// View is what a seat knows of a game: a position in which all else is blank. It
// implements engine.Teller.
type View struct {
	flow.View[*game, Position, actionSet]
	Board // of the view, since See: a copy of the View would have that of the original
}

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden.
func (s *State) See(seat engine.Player, v engine.View) {
	view := v.(*View)
	s.Show(seat, &view.View)
	view.Board = Board{view.G, &view.P, nil}
}

// Blank implements flow.Rules and section 15 of the specification. It alone separates secrets
// from what may be shown: whatever it does not blank is public or known to the player.
//
// It hides from player me the hands of other players' factions, except cards that me is
// certain of; the cards they are drawing; their agendas; proposals of trades that me takes no
// part in; what other players know of each other's hands; secret questions to others (R15.1);
// and the options of the actor. Cards that me has not seen are counted in Deck. Decks that
// nobody knows are counts already.
func (g *game) Blank(p *Position, me engine.Player) {
	b := Board{g, p, nil}
	if p.Actor >= 0 && p.Actor != me && table[p.Ask].Secret {
		p.forgetQuestion(me)
	}
	p.Shown = [maxPlayers]Moment{} // what others see tells whom they know to be asked
	for f := range FactionID(Factions) {
		in, mine := b.inPlay(f), b.owner(f) == me
		if in && mine {
			continue
		}
		if in {
			p.hideHand(me, f)
		}
		for v := range engine.Player(g.players) {
			if v != me {
				p.Known[v][f] = [LootCards]uint8{}
			}
		}
	}
	if p.Now.Who != NoFaction && b.owner(p.Now.Who) != me {
		for t, n := range p.Drawn {
			p.Deck[t] += n
		}
		p.Drawn = [LootCards]uint8{}
		b.hideOffers(me)
	}
	if p.Actor >= 0 && p.Actor != me {
		p.Words = actionSet{} // it tells what is in the hand
	}
}

// hideHand blanks what player me does not know of a faction's hand and agenda.
func (p *Position) hideHand(me engine.Player, f FactionID) {
	known, hand := &p.Known[me][f], &p.Hand[f]
	for t := range hand {
		p.Deck[t] += hand[t] - known[t]
	}
	*hand = *known
	if p.Agenda[f] != NoAgenda && p.Ending == undecided { // shown at the end
		p.Agenda[f] = HiddenAgenda
	}
}

// hideOffers blanks the offers of a trade that player me has neither made nor seen (R5.9). If
// the partner picks a card, it is public that any card was asked for.
func (b Board) hideOffers(me engine.Player) {
	n := &b.Now
	shown := b.Step == tradeResponse || b.Step == tradePick
	if n.Partner != NoFaction && b.owner(n.Partner) == me && shown {
		return
	}
	if n.Give != 0 {
		n.Give = HiddenOffer
	}
	if n.Want != 0 && b.Step != tradePick {
		n.Want = HiddenOffer
	}
}

// Redeal implements engine.Hidden. If as far as the seat knows nobody is asked, the game
// continues with the new deal from what the seat sees, up to a question if one of the new hands
// calls for it. Otherwise a deal that contradicts the question at hand is rejected and dealt
// again: a faction that is asked about a card holds one that the question can be about.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.G = view.G
	for seen := &view.P; ; {
		s.P = *seen
		s.board().deal(view.Seat, rng)
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
func (b Board) deal(me engine.Player, rng *rand.PCG) {
	left := uint32(sum(b.Deck[:]))
	seen := uint8(0)
	for f := range FactionID(Factions) {
		for range b.HandSize[f] - sum(b.Hand[f][:]) {
			b.Hand[f][takeOne(&b.Deck, &left, rng)]++
		}
		if b.Agenda[f] != HiddenAgenda {
			seen |= 1 << f
		}
	}
	for range b.DrawnSize - sum(b.Drawn[:]) {
		b.Drawn[takeOne(&b.Deck, &left, rng)]++
	}
	for f := range FactionID(Factions) {
		if b.Agenda[f] == HiddenAgenda {
			b.Agenda[f] = b.drawAgenda(seen, rng)
			seen |= 1 << f
		}
	}
	if b.Now.Give == HiddenOffer {
		b.dealOffer(rng)
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
func (b Board) drawAgenda(seen uint8, rng *rand.PCG) AgendaID {
	w := b.agendaWeights(seen)
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
func (b Board) dealOffer(rng *rand.PCG) {
	q := *b.Position
	q.Now.Give = 0
	Board{b.game, &q, nil}.promptGive()
	b.Now.Give = offerOf(pick(q.Choices(), rng))
	if b.Now.Want == HiddenOffer {
		q = *b.Position
		Board{b.game, &q, nil}.promptWant()
		b.Now.Want = offerOf(pick(q.Choices(), rng))
	}
}

// pick returns one of the actions of a set that is not empty, with equal chance.
func pick(set flow.Set, rng *rand.PCG) engine.Action {
	list := set.Append(make([]engine.Action, 0, numActions))
	return list[engine.Uint32N(rng, uint32(len(list)))]
}

// Side implements engine.Sided by the names of the seat's factions (R2.7), which are dealt face up.
func (s *View) Side(seat engine.Player) string {
	var names []string
	for i := uint8(seat); i < s.factions; i += s.players {
		if f := s.P.Seats[i]; f != NoFaction {
			names = append(names, capital(f.String()))
		}
	}
	return strings.Join(names, " and ")
}
