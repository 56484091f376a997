package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// play implements R9.1, R9.4, R9.5 and R9.7-R9.8: it carries the topmost play
// one step further.
func (g *game) play(p *Position, w *flow.Witness) bool {
	f := &p.Frames[p.Depth-1]
	switch f.Stage {
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
func (g *game) choosePlay(p *Position, _ *flow.Witness, a engine.Action) {
	s, t := &p.Seats[p.Turn], g.cardType(p, p.Turn, a)
	if p.asked() == ConjurerDecision {
		s.Discard[t]--
	} else {
		s.takeFromHand(t)
	}
	p.Frames[p.Depth] = Frame{Card: CardID(a - ActCard), Place: noPlace, Chosen: noPlace}
	p.Depth++
}

// askForPlace implements R9.2, D3 and D4: the player chooses among the legal
// Locations, or for a Storm Prodigy the opponent (R13.11, also after passing: R8.6).
func (g *game) askForPlace(p *Position, f *Frame) bool {
	legal := uint64(g.playing(p, f).legal(&p.Room)) << ActLocation
	if g.playing(p, f).OpponentChooses {
		return p.decide(StormDecision, 1-p.Turn, legal)
	}
	return p.decide(PlaceDecision, p.Turn, legal)
}

// choosePlace implements R9.1 (3) and R9.4: the card lies at its Location, and
// its own ability and one trigger for each opposing Scrambler there are due.
func (g *game) choosePlace(p *Position, _ *flow.Witness, a engine.Action) {
	f, place := &p.Frames[p.Depth-1], placeOf(a)
	c := g.playing(p, f)
	if c.FaceDown {
		g.layDown(p, p.Turn, g.kind(p, f), place)
	} else {
		g.lay(p, p.Turn, g.kind(p, f), place)
	}
	f.Place = place
	f.Stage = triggering
	f.Own = c.has(whenPlayed)
	f.Scramblers = g.scramblersAt(p, place)
}

// scramblersAt returns the number of Scramblers of the other player at a
// Location.
func (g *game) scramblersAt(p *Position, place Place) uint8 {
	if w := g.deckOf(p, 1-p.Turn).watcher; w != noType {
		return p.Seats[1-p.Turn].Play[place][w]
	}
	return 0
}

// trigger implements R9.4, R9.4.1 (Q12, Q33) and D5: the next trigger of a play,
// or its end. The own ability of an order_free card comes first unasked.
func (g *game) trigger(p *Position, w *flow.Witness, f *Frame) bool {
	switch {
	case f.Own && f.Scramblers > 0 && !g.playing(p, f).OrderFree:
		return p.decide(OrderDecision, p.Turn, 1<<ActOwnFirst|1<<ActScramblerFirst)
	case f.Own:
		g.beginAbility(f)
	case f.Scramblers > 0:
		g.beginScramble(p, w, f)
	default:
		g.endPlay(p)
	}
	return false
}

// chooseOrder carries out an action of D5.
func (g *game) chooseOrder(p *Position, w *flow.Witness, a engine.Action) {
	f := &p.Frames[p.Depth-1]
	if a == ActOwnFirst {
		g.beginAbility(f)
		return
	}
	g.beginScramble(p, w, f)
}

func (g *game) beginAbility(f *Frame) {
	f.Own, f.Stage = false, acting
}

// beginScramble implements R9.5 and Q13: a trigger needs an opposing Scrambler at
// the Location when it is carried out, otherwise it is dropped.
func (g *game) beginScramble(p *Position, w *flow.Witness, f *Frame) {
	f.Scramblers--
	if g.scramblersAt(p, f.Place) > 0 {
		f.Stage = scrambling
	} else if w != nil {
		w.All("dropped", "R9.5", placeArg("location", f.Place))
	}
}

// ScramblerDecision implements R9.4.2, R13.15 and D6: the Scrambler's owner moves it
// to another Location, whatever lies there (Q9, Q10). In a run the destinations do
// not descend; while the own ability is pending every one is free.
func (g *game) askScrambler(p *Position, f *Frame) bool {
	return p.decide(ScramblerDecision, 1-p.Turn, uint64(f.destinations())<<ActLocation)
}

func (f *Frame) destinations() PlaceSet {
	places := allPlaces &^ (1 << f.Place)
	if !f.Own {
		places &= allPlaces << f.Bound
	}
	return places
}

// chooseScrambler implements R2.3 and R9.3: a move is no play and triggers nothing.
func (g *game) chooseScrambler(p *Position, _ *flow.Witness, a engine.Action) {
	f, place := &p.Frames[p.Depth-1], placeOf(a)
	w := g.deckOf(p, 1-p.Turn).watcher
	g.lift(p, 1-p.Turn, w, f.Place)
	g.lay(p, 1-p.Turn, w, place)
	f.Stage = triggering
	if !f.Own {
		f.Bound = place
	}
}

// endPlay implements R9.1 (5): the play is over and the one below goes on; after
// the outermost the turn passes (R8.1).
func (g *game) endPlay(p *Position) {
	p.Depth--
	p.Frames[p.Depth] = Frame{}
	if p.Depth == 0 {
		p.Turn = 1 - p.Turn
		return
	}
	g.effectDone(&p.Frames[p.Depth-1], true)
}
