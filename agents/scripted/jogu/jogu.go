// Package jogu is the scripted player of Warriors of Jogu: Feint.
//
// It thinks in chances to win the game. A round is worth what winning or losing
// it does to the race for victory points and morale (value.go: outlook); the
// chance to win the round follows from the boards, weighed over the places where
// the other's Location Card may still be (winRound). Each card spent costs a
// share of the rounds to come, and its Morale is at risk: so the player stops
// when it is far enough ahead, and gives up a round cheaply that it would have
// to buy too dear. What single cards do is in cards.go and play.go.
//
// It reads nothing but the view of its seat.
package jogu

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/jogu"
)

// Policy plays Warriors of Jogu: Feint with any match-up. The zero value is ready.
// It implements agents.Policy.
type Policy struct {
	t situation
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	t := &p.t
	t.read(view.(*jogu.View), seat)
	return agents.Best(legal, rng, t.score)
}

// score says how good an action is in the decision at hand. Scores of different
// decisions cannot be compared.
func (t *situation) score(a engine.Action) float64 {
	switch t.state.Decision() {
	case jogu.DiscardDecision:
		return t.scoreDiscard(a)
	case jogu.TurnDecision:
		return t.scoreTurn(a)
	case jogu.PlaceDecision:
		return t.scorePlace(int(a - jogu.ActLocation))
	case jogu.StormDecision:
		return t.scoreStorm(int(a - jogu.ActLocation))
	case jogu.OrderDecision:
		return t.scoreOrder(a)
	case jogu.ScramblerDecision:
		return t.scoreScrambler(int(a - jogu.ActLocation))
	case jogu.ConjurerDecision:
		v, _ := t.tryPlaces(&t.board, t.typeOf(own, a), inDiscard, 1)
		return v
	case jogu.SomethingDecision:
		v, _ := t.tryPlaces(&t.board, t.typeOf(own, a), inHand, 1)
		return v
	case jogu.MedicDecision:
		return t.scoreMedic(a)
	case jogu.TrojanPlaceDecision:
		return t.scoreTrojanPlace(int(a - jogu.ActLocation))
	case jogu.TrojanCardDecision:
		place := t.state.Play().Chosen
		return -t.use(&t.decks[own][t.typeOf(own, a)], place)
	case jogu.BombDecision:
		return t.scoreBomb(a)
	default:
		return t.scoreSupport(a)
	}
}

// typeOf returns the card type that an action names in a side's deck.
func (t *situation) typeOf(side int, a engine.Action) int {
	return int(a - t.decks[side][0].action)
}

// scoreDiscard (D1): a card goes if the pile holds more than the rounds to come
// can use, and if the card that comes for it may be expected to be better. In the
// last round the whole pile is spare. One action a time: END scores 0.
func (t *situation) scoreDiscard(a engine.Action) float64 {
	if a == jogu.ActEnd {
		return 0
	}
	better := 0.7 // by how much the next card must be better: the discarded one is lost
	pending := 0.0
	for _, n := range t.state.P.Seats[t.me].Pending {
		pending += float64(n)
	}
	spare := t.board.count[own] - pending - usualCards*float64(t.rounds+1)
	if t.rounds == 0 {
		spare = float64(t.state.P.Seats[t.me].PileSize()) - pending
		better = 0
	}
	if spare < 1 {
		return -1
	}
	return t.meanWorth[own] - better - t.decks[own][t.typeOf(own, a)].worth
}

// scoreTurn (D2): the chance to win the game after the play, or after a pass.
func (t *situation) scoreTurn(a engine.Action) float64 {
	if a == jogu.ActEnd {
		return t.value(&t.board, 0)
	}
	v, _ := t.tryPlaces(&t.board, t.typeOf(own, a), inHand, 1)
	return v
}

// scorePlace (D3): the chance to win the game with the card there. It has left
// the hand or the discard already.
func (t *situation) scorePlace(place int) float64 {
	card := t.state.Play().Card
	return t.try(t.board, card, place, gone, 1)
}

// scoreStorm (D4): the other's Storm Prodigy goes where it does least for it.
func (t *situation) scoreStorm(place int) float64 {
	b := t.board
	card := t.state.Play().Card
	b.add(other, &t.decks[other][card], place, 1)
	return t.plan(&b)
}

// scoreOrder (D5): where the own ability has a choice to make, it is better to
// know first where the Scrambler goes; a Bomb Tower strikes first, since it may
// strike the Scrambler; for others it makes no odds, and what they show comes
// late.
func (t *situation) scoreOrder(a engine.Action) float64 {
	card := t.state.Play().Card
	ownFirst := t.decks[own][card].does(jogu.DiscardInPlay)
	if (a == jogu.ActOwnFirst) == ownFirst {
		return 1
	}
	return 0
}

// scoreScrambler (D6): the own Scrambler goes where it does most.
func (t *situation) scoreScrambler(to int) float64 {
	b := t.board
	from := t.state.Play().Place
	for i := range t.decks[own] {
		if c := &t.decks[own][i]; c.does(jogu.MoveSelf) {
			b.add(own, c, from, -1)
			b.add(own, c, to, 1)
		}
	}
	return t.plan(&b)
}

// scoreMedic (D9): the best cards first; stopping gains nothing.
func (t *situation) scoreMedic(a engine.Action) float64 {
	if a == jogu.ActEnd {
		return -100
	}
	return t.decks[own][t.typeOf(own, a)].worth
}

// scoreTrojanPlace (D10a): the place with the card that does least.
func (t *situation) scoreTrojanPlace(place int) float64 {
	best := -100.0
	counts := &t.state.P.Seats[t.me].Play[place]
	for i := range t.decks[own] {
		if c := &t.decks[own][i]; counts[i] > 0 && !c.protected {
			best = max(best, -t.use(c, place))
		}
	}
	return best
}

// scoreBomb (D11): the board without the card. A slot counts as what may be
// expected of a face-down card; where none lies there, it stands for a card
// without its Stay token, which will not fight again.
func (t *situation) scoreBomb(a engine.Action) float64 {
	b := t.board
	place := t.state.Play().Place
	switch {
	case a >= jogu.ActCard:
		c := &t.decks[other][t.typeOf(other, a)]
		b.add(other, c, place, -1)
		if t.state.P.Seats[t.seat(other)].Tokens[place] > 0 && c.does(jogu.PlaceStayToken) {
			b.stay[other] -= c.strength
		}
	case t.state.FaceDown(t.seat(other), place) > 0:
		hidden, _ := t.hiddenCard(other)
		b.add(other, &hidden, place, -1)
	default:
		for i := range t.decks[other] {
			if c := &t.decks[other][i]; c.does(jogu.PlaceStayToken) {
				b.add(other, c, place, -1)
			}
		}
	}
	return t.plan(&b)
}

// scoreSupport (D12): a card well below the average goes to the bottom.
func (t *situation) scoreSupport(a engine.Action) float64 {
	if a == jogu.ActEnd {
		return 0
	}
	i, _, _ := t.state.FixedCard(t.me, int(a-jogu.ActSlot))
	if i < 0 {
		return -1
	}
	const better = 0.5
	return t.meanWorth[own] - better - t.decks[own][i].worth
}
