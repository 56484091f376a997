package domination

import "powderkeg/engine"

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
func (b Board) askWindow() bool {
	base, q := b.First, ScoringDecision
	switch b.Phase {
	case cardPlay:
		base, q = b.Active, AnytimeDecision
	case logisticsWindow:
		q = LogisticsDecision
	}
	for ; b.Window < b.seats; b.Window++ {
		s := b.place(base, b.Window)
		if texts := b.reactions(s); texts != 0 {
			legal := b.Offer()
			legal.Add(ActDecline)
			legal.AddBits(ActTextOf, uint64(texts))
			return b.ask(q, s)
		}
	}
	b.Window = noWindow
	switch b.Phase {
	case scoringWindow:
		b.Phase = scoringStep
	case logisticsWindow:
		b.Phase = logisticsStep
	}
	return false
}

// reactions returns the texts that seat s could use in the window of the phase:
// those playable at any time, and before the scoring those made for it.
func (b Board) reactions(s SeatID) CardSet {
	set := b.Seats[s].Holds & b.box.anytime
	if b.Phase == scoringWindow {
		set |= b.Seats[s].Holds & b.box.scoring
	}
	if set == 0 {
		return 0
	}
	return b.usableTexts(s, set)
}

// chooseReaction carries out an action of D14, D15 or D16. It neither opens nor
// closes a lock (R8.1). The play of a card begins the round again when it is done
// (R6.5, R9.1).
func (b Board) chooseReaction(a engine.Action) {
	if a == ActDecline {
		b.Window++
		return
	}
	b.use(SeatID(b.Actor), CardID(a-ActTextOf), TextWay)
}
