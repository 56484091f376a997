// Package domination is the scripted player of Domination.
//
// It thinks in VPs. Steps, monopolies of Regions and monopolies of Resources are
// worth what they will score in this Game Turn, if they outlast the cards that the
// others still hold, and in those to come (value.go). Its own count in full, those
// of its opponents against it, most of all the leader's. A use of a card is worth
// what it changes on the map: points.go spends points, texts.go foresees the texts.
// buying.go says what a card is worth in the deck; and tempo.go when to stop.
//
// It reads nothing but the view of its seat and keeps no memory.
package domination

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/domination"
)

// Policy plays Domination with any number of seats and all options. It implements
// agents.Policy.
type Policy struct {
	t situation
}

// New returns a player for so many seats.
func New(seats int) *Policy {
	if seats == 2 {
		return &Policy{situation{measures: duel}}
	}
	return &Policy{situation{measures: crowd}}
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	t := &p.t
	t.read(view.(*domination.View), seat)
	switch t.state.Decision() {
	case domination.BuildStepDecision, domination.AttackStepDecision, domination.MixedStepDecision:
		return t.nextPoint(legal)
	case domination.InsurgentPickDecision:
		return t.nextPick(legal)
	case domination.StormStepDecision, domination.BioStepDecision:
		return t.nextStrike()
	}
	return agents.Best(legal, rng, t.score)
}

// score says how good an action is in the decision at hand. Scores of different
// decisions cannot be compared.
func (t *situation) score(a engine.Action) float64 {
	switch t.state.Decision() {
	case domination.TurnDecision:
		return t.scoreTurn(a)
	case domination.SecondDiscardDecision:
		return -t.reserve(int(a-domination.ActDiscard2Second)) - t.world.cards[a-domination.ActDiscard2Second].quality
	case domination.BuyDecision:
		return t.scoreBuy(int(a - domination.ActBuy))
	case domination.PlayerDecision:
		s := (t.me + int(a-domination.ActTargetPlayer)) % t.seats
		return t.tryTarget(t.world.cards[t.state.P.Frame.Card].text, s)
	case domination.DisruptRegionDecision, domination.SurrenderRegionDecision:
		return t.scoreRemoval(a)
	case domination.BioResponseDecision:
		return t.scoreChain(a)
	default:
		return t.scoreReaction(a)
	}
}

// nextPoint (D4, D5, D6) plans the points that are left and makes the first of them
// in the order of the Areas.
func (t *situation) nextPoint(legal []engine.Action) engine.Action {
	u := &t.state.P.Frame
	s := scope{builds: true, areas: everywhere}
	switch u.Way {
	case domination.AttackWay:
		s = scope{reduces: true, areas: everywhere}
	case domination.TextWay:
		s, _, _ = t.scopeOf(int(u.Card))
	}
	s.areas &= from(int(u.Last))
	b := t.board
	plan := t.spend(&b, s, int(u.Points))
	at := plan.first
	if set := plan.builds | plan.kills; set != 0 && !s.chained {
		at = int(set.First())
	}
	switch {
	case at < 0:
		return legal[0] // DONE, or the least of what has to be
	case has(plan.kills, at):
		return domination.ActReduceAt + engine.Action(at)
	default:
		return domination.ActBuildAt + engine.Action(at)
	}
}

// nextPick (D10) plans the picks that are left and makes the first of them.
func (t *situation) nextPick(legal []engine.Action) engine.Action {
	u := &t.state.P.Frame
	b := t.board
	_, picks := t.replace(&b, int(u.Last), int(u.Points))
	if picks == 0 {
		return legal[0]
	}
	return domination.ActRemoveAt + engine.Action(picks.First())
}

// scoreBuy (D3): what the card is worth in hand, or on the discard pile.
func (t *situation) scoreBuy(c int) float64 {
	if t.state.P.Frame.Way == domination.Discard2Way {
		return t.inHand(c)
	}
	return t.worth(c)
}

// scoreRemoval (D8, D9): a Force of an opponent is a gain, and nothing is nothing.
func (t *situation) scoreRemoval(a engine.Action) float64 {
	if a == domination.ActDecline {
		return 0
	}
	at := int(a - domination.ActRemoveAt)
	return -t.force(&t.board, t.board.owner(at), at)
}
