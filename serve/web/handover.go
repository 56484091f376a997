package web

import (
	"slices"

	"powderkeg/engine"
)

// Handover says to whom a screen that people share is to be offered after a move: to everybody
// at it of whom the seat cannot know that they are not asked in secret. Only where it is
// offered to all of them does its coming and going not tell who is asked. Number counts the
// handovers of the seat, in the same way in all games that it cannot tell apart.
type Handover struct {
	Number int   `json:"number"`
	Seats  []int `json:"seats"` // in the order in which they are asked

	moves int // made with the one after which it is
}

// handoversKept is how many handovers a screen has: more than come at once.
const handoversKept = 8

// shared reports whether a seat is that of a person who began the game, of whom several may
// share a screen. Those who joined by the link have their own.
func (t *session) shared(p engine.Player) bool { return t.head.Seats[p].Kind == Person }

// offers returns by seat whom a screen is to be offered to after a move: bit p for seat p.
// It is nil where nobody is, or where no two people can share a screen. What only its mover
// knows of, such as a refusal, changes nothing for those who wait.
func (t *session) offers(a engine.Action) []uint32 {
	if !t.game.Spec().AsksInSecret || !slices.Contains(engine.Moves(t.state), a) {
		return nil
	}
	people, mover := uint32(0), t.state.ToAct()
	for p := range engine.Player(len(t.seats)) {
		if t.shared(p) {
			people |= 1 << p
		}
	}
	if people&(people-1) == 0 {
		return nil
	}
	var offers []uint32
	for p := range engine.Player(len(t.seats)) {
		if people>>p&1 == 0 || p == mover && !t.knownTo(people, a) {
			continue
		}
		asked, _ := t.secrets.Asked(t.state, p, a)
		if asked &= people &^ (1 << p); asked != 0 {
			if offers == nil {
				offers = make([]uint32, len(t.seats))
			}
			offers[p] = asked
		}
	}
	return offers
}

// knownTo reports whether all of some seats get to know of the move of the seat to act.
func (t *session) knownTo(seats uint32, a engine.Action) bool {
	for p := range engine.Player(len(t.seats)) {
		if seats>>p&1 != 0 && p != t.state.ToAct() && !t.state.(engine.Secretive).Shows(p, a) {
			return false
		}
	}
	return true
}

// offer adds the handovers of a move that was just made by a seat, or by chance.
func (t *session) offer(mover engine.Player, offers []uint32) {
	for p, asked := range offers {
		if asked == 0 || p >= len(t.seats) {
			continue
		}
		o := Handover{moves: len(t.moves)}
		for i := range t.seats {
			if q := (max(int(mover), 0) + 1 + i) % len(t.seats); asked>>q&1 != 0 {
				o.Seats = append(o.Seats, q)
			}
		}
		t.pages[p].offer(o)
	}
}

func (a *audience) offer(o Handover) {
	a.handed++
	o.Number = a.handed
	if len(a.handovers) == handoversKept {
		a.handovers = append(a.handovers[:0], a.handovers[1:]...)
	}
	a.handovers = append(a.handovers, o)
}
