package domination

import (
	"math/bits"
	"unsafe"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/env/encoding"
)

// Remembering implements encoding.Rememberer.
func (Encoder) Remembering() encoding.Encoder {
	return &remembering{row: make([]float32, layout2.Size)}
}

// RememberingBytes implements encoding.Rememberer.
func (Encoder) RememberingBytes() int { return int(unsafe.Sizeof(remembering{})) + 4*layout2.Size }

// remembering is the encoder that writes what differs. A seat makes several decisions in its
// turn; with the next seat all is written again.
type remembering struct {
	Encoder
	row  []float32
	was  domination.Position
	game any // that of the view, which says what is printed
	seat engine.Player
}

// The parts of a position, and of what belongs to a seat.
var (
	nothing  domination.Position
	theClock = encoding.Between(&nothing, &nothing.Phase, &nothing.Logistics)
	theSeats = encoding.Between(&nothing, &nothing.Seats, &nothing.Fog)
	theStock = encoding.Between(&nothing, &nothing.Pool, &nothing.Stack)

	nobody   domination.Player
	theCards = encoding.Between(&nobody, &nobody.Hand, &nobody.Known)
)

// Encode implements encoding.Encoder.
func (r *remembering) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*domination.View)
	q, was, row := &s.P, &r.was, r.row
	all := r.game != any(s.G) || r.seat != p
	if all {
		clear(row)
	}
	if all || was.Forces != q.Forces || was.Fog != q.Fog {
		r.encodeForces(s, p, all)
	}
	seats := all || !theSeats.Same(was, q)
	if seats || !theClock.Same(was, q) {
		encodeSeats(row, s, p)
		clear(row[turnsLeftAt:actorAt])
		encodeTable(row, s)
	}
	stock := all || !theStock.Same(was, q)
	if seats || stock {
		r.encodeCards(s, p, all, stock)
	}
	clear(row[actorAt:fogAt])
	clear(row[useCardAt:nearLandAt])
	encodeQuestion(row, s, p)
	encodeOrder(row, s)
	*was, r.game, r.seat = *q, s.G, p
	copy(dst[:layout2.Size], row)
}

// encodeForces writes the Areas that differ, and what the map is worth to the seats.
func (r *remembering) encodeForces(s *domination.View, p engine.Player, all bool) {
	q, was := &s.P, &r.was
	some := everyArea
	if !all {
		some = was.Full ^ q.Full
		for seat := range s.Seats() {
			some |= was.Own[seat] ^ q.Own[seat]
		}
	}
	for set := some; set != 0; set &= set - 1 {
		clear((*[areaEntries]float32)(r.row[areasAt+bits.TrailingZeros32(uint32(set))*areaEntries:])[:])
	}
	encodeMap(r.row, s, p, some)
	if some != 0 {
		encodeBorders(r.row, s, p)
	}
	for seat := range domination.SeatID(s.Seats()) {
		if own := q.Own[seat]; all || was.Fog != q.Fog || was.Own[seat] != own || (was.Full^q.Full)&own != 0 {
			encodeStanding(r.row, s, seat, p)
		}
	}
}

// encodeCards writes the cards of the seats that differ, and the stacks. Types come into the
// game in the set-up alone, and those outside of it have no cards.
func (r *remembering) encodeCards(s *domination.View, p engine.Player, all, stock bool) {
	var list [cards]uint8
	types := typesOf(s, &list)
	all = all || r.was.Pool != s.P.Pool
	if all {
		clear(r.row[ownHandAt:turnsLeftAt])
	}
	for q := range s.Seats() {
		if all || !theCards.Same(&r.was.Seats[q], &s.P.Seats[q]) {
			encodeSeatCards(r.row, s, domination.SeatID(q), p, types)
		}
	}
	if stock {
		encodeStacks(r.row, s, types)
	}
}
