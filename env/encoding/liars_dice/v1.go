// Package liarsdice encodes Liar's Dice.
package liarsdice

import (
	"fmt"

	"powderkeg/engine"
	liarsdice "powderkeg/engine/liars_dice"
	"powderkeg/env/encoding"
)

// Encoder is the encoder of one configuration of Liar's Dice: the sizes of its layout
// follow the options.
type Encoder struct {
	layout                         encoding.Layout
	seatAt, diceAt, bidsAt, callAt int
	seats, bids, dice              int
}

// For returns the encoder of a game.
func For(g engine.Game) encoding.Encoder {
	view := engine.Look(g.New(), 0).(*liarsdice.View)
	spec, dice, faces := g.Spec(), view.DicePerSeat(), view.Faces()
	bids := spec.Actions[:len(spec.Actions)-1]
	e := &Encoder{
		layout: encoding.Layout{Game: "liars_dice", Version: 1},
		seats:  spec.Seats, bids: len(bids), dice: dice,
	}
	var counts []string
	for n := range dice {
		counts = append(counts, fmt.Sprintf("at least %d", n+1))
	}
	e.seatAt = e.layout.Add("seat", 0, 1, "one-hot: the observer's place in the order of bidding", nil, spec.Seats)
	e.diceAt = e.layout.Add("dice", 0, 1, "by face, from the lowest: 1 if so many of the observer's dice show it", counts, faces, dice)
	e.bidsAt = e.layout.Add("bids", 0, 1, "by seat, clockwise from the observer: 1 for each bid that it has made", bids, spec.Seats, len(bids))
	e.callAt = e.layout.Add("called", 0, 1, "1 if the last bidder was called a liar, and the game is over", nil, 1)
	return e
}

// Layout implements encoding.Encoder.
func (e *Encoder) Layout() *encoding.Layout { return &e.layout }

// Encode implements encoding.Encoder.
func (e *Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*liarsdice.View)
	dst = dst[:e.layout.Size]
	clear(dst)
	dst[e.seatAt+int(p)] = 1
	dice := dst[e.diceAt:e.bidsAt]
	for _, n := range s.Dice(p) {
		if e.dice == 1 {
			dice[0] = float32(n) // no branch that nobody can predict
		} else {
			for k := range int(n) {
				dice[k] = 1
			}
		}
		dice = dice[e.dice:]
	}
	at := e.bidsAt // of the seat that bids first
	if p > 0 {
		at += (e.seats - int(p)) * e.bids
	}
	for _, b := range s.Bids() {
		dst[at+int(b)] = 1
		if at += e.bids; at == e.callAt { // behind the last seat
			at = e.bidsAt
		}
	}
	if s.Called() {
		dst[e.callAt] = 1
	}
}
