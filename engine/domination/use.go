package domination

import "powderkeg/engine"

// use implements R7.7: seat s uses a card of its hand in one of the five ways; the
// card lies on its discard pile from this moment on.
func (b Board) use(s SeatID, c CardID, w Way) {
	b.Seats[s].take(c)
	b.Seats[s].lay(c)
	b.Window = noWindow
	b.Frame = Frame{Card: c, Way: w, Actor: s, Target: NoSeat, Points: uint8(bit(w == Discard2Way))}
}

// resolve carries the use one step further. A card resolves completely before
// anything else happens (R7.8).
func (b Board) resolve() bool {
	f := &b.Frame
	switch {
	case f.Way == Discard2Way && f.Points > 0:
		return b.askSecondDiscard(f)
	case f.Way >= Discard1Way:
		legal := b.Offer()
		legal.AddBits(ActBuy, uint64(b.affordable(f.Actor)))
		return b.ask(BuyDecision, f.Actor)
	}
	if effects := b.box.Cards[f.Card].ways[f.Way]; int(f.Effect) < len(effects) {
		return b.carryOut(f, &effects[f.Effect])
	}
	b.Frame = Frame{Target: NoSeat}
	b.Window = firstPlace(b.Phase) // (b) of R6.5; R9.1 and R9.4 begin again
	return false
}

// affordable implements R7.3 and Q34: the types that seat s can buy, none from an empty
// stack.
func (b Board) affordable(s SeatID) CardSet {
	if b.Logistics[s] > b.box.minLogistics {
		return b.InStock
	}
	return b.InStock &^ b.box.paid
}

// askSecondDiscard implements R7.5 and D2.
func (b Board) askSecondDiscard(f *Frame) bool {
	legal := b.Offer()
	legal.AddBits(ActDiscard2Second, uint64(b.Seats[f.Actor].Holds&(^CardSet(0)<<f.Card)))
	return b.ask(SecondDiscardDecision, f.Actor)
}

func (b Board) chooseSecondDiscard(a engine.Action) {
	c, s := CardID(a-ActDiscard2Second), &b.Seats[b.Frame.Actor]
	s.take(c)
	s.lay(c)
	b.Frame.Points = 0
}

// buy implements R7.3, R7.4, R7.5 and D3. A card bought into the hand was seen by
// everybody (R4.4). Paying changes no hand that is drawn already (Q36). No window follows
// (R6.5).
func (b Board) buy(a engine.Action) {
	c, me := CardID(a-ActBuy), b.Frame.Actor
	s, cost := &b.Seats[me], b.box.Cards[c].Cost
	b.Logistics[me] -= cost
	if cost > 0 {
		b.tellLogistics(me, -int(cost), "R7.3")
	}
	if b.Stack[c]--; b.Stack[c] == 0 {
		b.InStock &^= 1 << c
	}
	if b.Frame.Way == Discard1Way {
		s.lay(c)
	} else {
		s.give(c)
		s.Known[c]++
	}
	b.Frame = Frame{Target: NoSeat}
}
