package insurgency

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Draws are lazy: a card or story gets its identity when it is drawn, without
// replacement from what is left. That follows from the uniform shuffles C1 and C3.
// A draw whose result is certain is no chance event.

// faces returns the outcomes of a die.
func faces(q ask) (first engine.Action, n int) {
	switch q {
	case chanceMetro, chanceRegion:
		return outD20, d20Faces
	case chanceTest, chanceAttack, chanceHack, chanceTheft, chanceEvent:
		return outD6, d6Faces
	}
	return 0, 0
}

// Outcomes implements engine.Stochastic and R18: every outcome has weight 1.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.p.actor != engine.Chance {
		return dst
	}
	g, p := s.g, &s.p
	switch p.ask {
	case chanceDeal:
		return appendCards(dst, p.deck(), outDeal)
	case chanceDiscard:
		return appendCards(dst, p.hand[g.discarding(p)], outDiscard)
	case chanceStory:
		for set := p.storyDeck(); set != 0; set &= set - 1 {
			dst = append(dst, engine.Outcome{Action: outStory + engine.Action(set.first()) - 1, Weight: 1})
		}
	case chanceRandom:
		_, choices := g.buildChoices(p)
		for i := range engine.Action(numUS) {
			if choices.has(uint8(actSpace + i)) {
				dst = append(dst, engine.Outcome{Action: outSetUp + i, Weight: 1})
			}
		}
		if choices.has(actDone) {
			dst = append(dst, engine.Outcome{Action: outSetDone, Weight: 1})
		}
	default:
		first, n := faces(p.ask)
		for i := range engine.Action(n) {
			dst = append(dst, engine.Outcome{Action: first + i, Weight: 1})
		}
	}
	return dst
}

func appendCards(dst []engine.Outcome, set cardSet, first engine.Action) []engine.Outcome {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			n := engine.Action(i*64 + bits.TrailingZeros64(word))
			dst = append(dst, engine.Outcome{Action: first + n, Weight: 1})
		}
	}
	return dst
}

// weight returns the weight of a chance outcome, 0 if it is impossible here.
func (g *game) weight(p *position, a engine.Action) uint32 {
	possible := false
	switch p.ask {
	case chanceDeal:
		n := a - outDeal
		possible = n >= 0 && n < numEvents && p.deck().has(uint8(n+1))
	case chanceDiscard:
		n := a - outDiscard
		possible = n >= 0 && n < numEvents && p.hand[g.discarding(p)].has(uint8(n+1))
	case chanceStory:
		n := a - outStory
		possible = n >= 0 && n < numStories && p.storyDeck().has(uint8(n+1))
	case chanceRandom:
		_, choices := g.buildChoices(p)
		n := a - outSetUp
		possible = n >= 0 && n < numUS && choices.has(uint8(actSpace+n)) || a == outSetDone && choices.has(actDone)
	default:
		first, n := faces(p.ask)
		possible = a >= first && int(a-first) < n
	}
	if possible {
		return 1
	}
	return 0
}

// happen carries out a possible chance outcome. What follows from it is left to
// settle.
func (g *game) happen(p *position, w *flow.Witness, a engine.Action) {
	face := uint8(a - outD6 + 1)
	switch p.ask {
	case chanceDeal:
		g.dealCard(p, w, uint8(a-outDeal+1))
	case chanceDiscard:
		p.event.left--
		g.loseCard(p, w, g.discarding(p), uint8(a-outDiscard+1))
	case chanceStory:
		g.turnUpStory(p, w, uint8(a-outStory+1))
	case chanceTest:
		g.rollTest(p, w, face)
	case chanceMetro, chanceRegion:
		g.rollSelection(p, w, uint8(a-outD20+1))
	case chanceAttack:
		g.attackDie(p, w, face)
	case chanceHack:
		g.hackDie(p, w, face)
	case chanceTheft: // C8: the sum of two dice
		p.op.hits += face
		p.op.dice--
		tellDie(w, "R13.4.2", face)
	case chanceEvent: // C9
		p.event.sum += face
		p.event.left--
		tellDie(w, "R14.7", face)
	case chanceRandom:
		choice := uint8(actDone)
		if a != outSetDone {
			choice = actSpace + uint8(a-outSetUp)
		}
		g.tellLot(p, w, choice)
		g.chooseBuild(p, w, choice)
	default:
		panic("insurgency: a chance outcome where none is awaited")
	}
}
