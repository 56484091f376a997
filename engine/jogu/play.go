package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// play implements R9.1, R9.4, R9.5 and R9.7-R9.8: it carries the topmost play
// one step further.
func (g *game) play(p *position, w *flow.Witness) bool {
	f := &p.frames[p.depth-1]
	switch f.stage {
	case placing:
		return g.askForPlace(p, f)
	case triggering:
		return g.trigger(p, w, f)
	case scrambling:
		return g.askScrambler(p, f)
	default:
		return g.act(p, w, f)
	}
}

// choosePlay implements R2.2, R9.1 (1) and R9.6: the player on turn has chosen a card
// in D2, D7 or D8. It leaves its zone, and a play begins on top of those that
// are not over.
func (g *game) choosePlay(p *position, _ *flow.Witness, a engine.Action) {
	s, t := &p.seats[p.turn], g.cardType(p, p.turn, a)
	if p.Ask == askConjure {
		s.discard[t]--
	} else {
		s.takeFromHand(t)
	}
	p.frames[p.depth] = frame{card: CardID(a - actCard), place: noPlace, chosen: noPlace}
	p.depth++
}

// askForPlace implements R9.2, D3 and D4: the player chooses among the legal
// Locations, or for a Storm Prodigy the opponent (R13.11, also after passing: R8.6).
func (g *game) askForPlace(p *position, f *frame) bool {
	legal := uint64(g.playing(p, f).legal(&p.room)) << actLoc
	if g.playing(p, f).opponentChooses {
		return p.decide(askStorm, 1-p.turn, legal)
	}
	return p.decide(askPlace, p.turn, legal)
}

// choosePlace implements R9.1 (3) and R9.4: the card lies at its Location, and
// its own ability and one trigger for each opposing Scrambler there are due.
func (g *game) choosePlace(p *position, _ *flow.Witness, a engine.Action) {
	f, place := &p.frames[p.depth-1], placeOf(a)
	c := g.playing(p, f)
	if c.FaceDown {
		g.layDown(p, p.turn, g.kind(p, f), place)
	} else {
		g.lay(p, p.turn, g.kind(p, f), place)
	}
	f.place = place
	f.stage = triggering
	f.own = c.has(whenPlayed)
	f.scramblers = g.scramblersAt(p, place)
}

// scramblersAt returns the number of Scramblers of the other player at a
// Location.
func (g *game) scramblersAt(p *position, place Place) uint8 {
	if w := g.deckOf(p, 1-p.turn).watcher; w != noType {
		return p.seats[1-p.turn].play[place][w]
	}
	return 0
}

// trigger implements R9.4, R9.4.1 (Q12, Q33) and D5: the next trigger of a play,
// or its end. The own ability of an order_free card comes first unasked.
func (g *game) trigger(p *position, w *flow.Witness, f *frame) bool {
	switch {
	case f.own && f.scramblers > 0 && !g.playing(p, f).OrderFree:
		return p.decide(askOrder, p.turn, 1<<actOwnFirst|1<<actScramblerFirst)
	case f.own:
		g.beginAbility(f)
	case f.scramblers > 0:
		g.beginScramble(p, w, f)
	default:
		g.endPlay(p)
	}
	return false
}

// chooseOrder carries out an action of D5.
func (g *game) chooseOrder(p *position, w *flow.Witness, a engine.Action) {
	f := &p.frames[p.depth-1]
	if a == actOwnFirst {
		g.beginAbility(f)
		return
	}
	g.beginScramble(p, w, f)
}

func (g *game) beginAbility(f *frame) {
	f.own, f.stage = false, acting
}

// beginScramble implements R9.5 and Q13: a trigger needs an opposing Scrambler at
// the Location when it is carried out, otherwise it is dropped.
func (g *game) beginScramble(p *position, w *flow.Witness, f *frame) {
	f.scramblers--
	if g.scramblersAt(p, f.place) > 0 {
		f.stage = scrambling
	} else if w != nil {
		w.All("dropped", "R9.5", placeArg("location", f.place))
	}
}

// askScrambler implements R9.4.2, R13.15 and D6: the Scrambler's owner moves it
// to another Location, whatever lies there (Q9, Q10). In a run the destinations do
// not descend; while the own ability is pending every one is free.
func (g *game) askScrambler(p *position, f *frame) bool {
	places := allPlaces &^ (1 << f.place)
	if !f.own {
		places &= allPlaces << f.bound & allPlaces
	}
	return p.decide(askScrambler, 1-p.turn, uint64(places)<<actLoc)
}

// chooseScrambler implements R2.3 and R9.3: a move is no play and triggers nothing.
func (g *game) chooseScrambler(p *position, _ *flow.Witness, a engine.Action) {
	f, place := &p.frames[p.depth-1], placeOf(a)
	w := g.deckOf(p, 1-p.turn).watcher
	g.lift(p, 1-p.turn, w, f.place)
	g.lay(p, 1-p.turn, w, place)
	f.stage = triggering
	if !f.own {
		f.bound = place
	}
}

// endPlay implements R9.1 (5): the play is over and the one below goes on; after
// the outermost the turn passes (R8.1).
func (g *game) endPlay(p *position) {
	p.depth--
	p.frames[p.depth] = frame{}
	if p.depth == 0 {
		p.turn = 1 - p.turn
		return
	}
	g.effectDone(&p.frames[p.depth-1], true)
}
