// Package goofspiel encodes Goofspiel.
package goofspiel

import (
	"powderkeg/engine"
	"powderkeg/engine/goofspiel"
	"powderkeg/env/encoding"
)

// Encoder is the encoder of one configuration of Goofspiel: the sizes of its layout follow the
// options.
type Encoder struct {
	layout                                encoding.Layout
	prizeAt, leftAt, handAt, prizesAt     int
	bidsAt, othersAt, wonAt, pointsAt, at int
	cards                                 int
	total                                 float32 // points of all prizes
}

// For returns the encoder of a game.
func For(g engine.Game) encoding.Encoder {
	view := engine.Look(g.New(), 0).(*goofspiel.View)
	n := view.Cards()
	e := &Encoder{layout: encoding.Layout{Game: "goofspiel", Version: 1}, cards: n, total: float32(n*(n+1)) / 2}
	e.at = e.layout.Add("seat", 0, 1, "one-hot: the observer's seat", nil, 2)
	e.prizeAt = e.layout.Add("prize", 0, 1, "one-hot: the prize that is bid for", nil, n)
	e.leftAt = e.layout.Add("left", 0, 1, "1 for each prize that is still to be turned up", nil, n)
	e.handAt = e.layout.Add("hand", 0, 1, "1 for each card that the observer holds", nil, n)
	e.prizesAt = e.layout.Add("prizes", 0, 1, "by round: one-hot, its prize", nil, n, n)
	e.bidsAt = e.layout.Add("bids", 0, 1, "by round: one-hot, the observer's bid", nil, n, n)
	e.othersAt = e.layout.Add("others", 0, 1, "by round: one-hot, the other's bid where it is shown", nil, n, n)
	e.wonAt = e.layout.Add("won", 0, 1, "by round: 1 for how it has ended", []string{"own", "other", "tie"}, n, 3)
	e.pointsAt = e.layout.Add("points", 0, 1, "points of the observer and of the other, as a share of all prizes", []string{"own", "other"}, 2)
	return e
}

// Layout implements encoding.Encoder.
func (e *Encoder) Layout() *encoding.Layout { return &e.layout }

// Encode implements encoding.Encoder.
func (e *Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*goofspiel.View)
	dst = dst[:e.layout.Size]
	clear(dst)
	dst[e.at+int(p)] = 1
	for i := range e.cards {
		if s.Left(i + 1) {
			dst[e.leftAt+i] = 1
		}
		if s.Holds(p, i+1) {
			dst[e.handAt+i] = 1
		}
	}
	for round, prize := range s.Prizes() {
		e.oneHot(dst, e.prizesAt, round, prize)
		if round == s.Rounds() {
			dst[e.prizeAt+int(prize)-1] = 1
		}
	}
	for round, card := range s.Bids(p) {
		e.oneHot(dst, e.bidsAt, round, card)
	}
	for round, card := range s.Bids(1 - p) {
		e.oneHot(dst, e.othersAt, round, card)
	}
	for round := range s.Rounds() {
		place := 2
		switch s.Winner(round) {
		case int(p):
			place = 0
		case int(1 - p):
			place = 1
		}
		dst[e.wonAt+3*round+place] = 1
	}
	dst[e.pointsAt] = float32(s.Points(p)) / e.total
	dst[e.pointsAt+1] = float32(s.Points(1-p)) / e.total
}

// oneHot marks the number of a card in the row of a round, nothing for one that is hidden.
func (e *Encoder) oneHot(dst []float32, field, round int, card uint8) {
	if card > 0 {
		dst[field+round*e.cards+int(card)-1] = 1
	}
}
