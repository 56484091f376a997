package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// taking is a decision that takes units, one at a time: a verb if there is one, the hex of the unit,
// and its class there (R3.4).
type taking struct {
	verb  int                                                          // 0 for none
	set   func(g *game, p *Position) unitSet                           // what may be taken now
	named func(g *game, p *Position, set unitSet, h HexID) UnitID      // what a hex names without a class; nil for nothing
	take  func(g *game, p *Position, w *flow.Witness, u UnitID)        // takes one
	done  func(g *game, p *Position, w *flow.Witness)                  // takes no more; nil where that is no choice
	ready func(g *game, p *Position) bool                              // whether it may be done yet; nil for always
	offer func(g *game, p *Position)                                   // offers what may be chosen in the place of a verb
	other func(g *game, p *Position, w *flow.Witness, a engine.Action) // carries that out
}

// takes makes the row of a decision that takes units.
func takes(name, rule string, t taking) question {
	at := uint8(b2u(t.verb > 0)) // the token of the hex
	return hexAt(at, asks(name, rule,
		func(g *game, p *Position) { t.choices(g, p, at) },
		func(g *game, p *Position, w *flow.Witness, a engine.Action) { t.chosen(g, p, w, a, at) }))
}

// chosen carries out a token; the hex is token at.
func (t *taking) chosen(g *game, p *Position, w *flow.Witness, a engine.Action, at uint8) {
	u := UnitID(noUnit)
	switch {
	case a == actDone:
		t.done(g, p, w)
	case a == actAssassinate:
		g.startKill(p)
	case p.Part == 0 && at > 0 && int(a) != t.verb:
		t.other(g, p, w, a)
	case p.Part < at:
		p.Part = 1
	case p.Part == at:
		if p.SelHex, p.Part = HexID(a-actHex), at+1; t.named != nil {
			u = t.named(g, p, t.set(g, p), p.SelHex)
		}
	default:
		set := t.set(g, p)
		u = g.find(p, &set, p.SelHex, class(a-actClass))
	}
	if u != noUnit {
		p.Part = 0
		t.take(g, p, w, u)
	}
}

// choices offers what comes next; the hex is token at.
func (t *taking) choices(g *game, p *Position, at uint8) {
	set := t.set(g, p)
	switch {
	case p.Part < at:
		p.allowIf(!set.empty(), t.verb)
		p.allowIf(g.canKill(p, SeatID(p.Actor)), actAssassinate) // R5.3
	case p.Part == at:
		p.allowHexesOf(&set)
	default:
		g.allowClasses(p, &set, p.SelHex)
	}
	if p.Part > 0 {
		return
	}
	p.allowIf(t.done != nil && (t.ready == nil || t.ready(g, p)), actDone)
	if t.offer != nil {
		t.offer(g, p)
	}
}

// hexAt makes the row of a chain of which a token names a hex.
func hexAt(token uint8, q question) question {
	q.hexFrom = token + 1
	return q
}

// hexChosen reports whether the chain under way has named a hex.
func (g *game) hexChosen(p *Position) bool {
	from := g.hexFrom[p.Ask]
	return from > 0 && p.Part >= from
}
