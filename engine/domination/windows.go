package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// firstPlace returns the place at which a round of questions begins: in card play
// the seat to the left of the active player (R6.5), else the First Player (R9.1,
// R9.4).
func firstPlace(in phase) SeatID {
	if in == cardPlay {
		return 1
	}
	return 0
}

// askWindow implements R6.5 (D14), R9.1 (D15) and R9.4 (D16): the question goes to
// the next seat that could react, and after the last one the window closes.
// Locked players are asked too (R6.4).
func (g *game) askWindow(p *Position) bool {
	base, q := p.First, ScoringDecision
	switch p.Phase {
	case cardPlay:
		base, q = p.Active, AnytimeDecision
	case logisticsWindow:
		q = LogisticsDecision
	}
	for ; p.Window < g.seats; p.Window++ {
		s := g.place(base, p.Window)
		if texts := g.reactions(p, s); texts != 0 {
			legal := p.Offer()
			legal.Add(ActDecline)
			legal.AddBits(ActTextOf, uint64(texts))
			return p.ask(q, s)
		}
	}
	p.Window = noWindow
	switch p.Phase {
	case scoringWindow:
		p.Phase = scoringStep
	case logisticsWindow:
		p.Phase = logisticsStep
	}
	return false
}

// reactions returns the texts that seat s could use in the window of the phase:
// those playable at any time, and before the scoring those made for it.
func (g *game) reactions(p *Position, s SeatID) CardSet {
	set := p.Seats[s].Holds & g.box.anytime
	if p.Phase == scoringWindow {
		set |= p.Seats[s].Holds & g.box.scoring
	}
	if set == 0 {
		return 0
	}
	return g.usableTexts(p, s, set)
}

// chooseReaction carries out an action of D14, D15 or D16. It neither opens nor
// closes a lock (R8.1). The play of a card begins the round again when it is done
// (R6.5, R9.1).
func (g *game) chooseReaction(p *Position, _ *flow.Witness, a engine.Action) {
	if a == ActDecline {
		p.Window++
		return
	}
	g.use(p, SeatID(p.Actor), CardID(a-ActTextOf), TextWay)
}
