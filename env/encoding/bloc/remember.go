package bloc

import (
	"unsafe"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/env/encoding"
)

// Remembering implements encoding.Rememberer.
func (Encoder) Remembering() encoding.Encoder { return &remembering{row: make([]float32, layout.Size)} }

// RememberingBytes implements encoding.Rememberer.
func (Encoder) RememberingBytes() int { return int(unsafe.Sizeof(remembering{})) + 4*layout.Size }

// remembering is the encoder that writes what differs. Most of the row is the city, which
// hardly changes; what is under way is written every time.
type remembering struct {
	Encoder
	row []float32
	was bloc.Position
	// What the row depends on beside the position.
	game  any // that of the view, which says what is printed
	order order
	seat  engine.Player
	from  bloc.CellID
}

// The parts of a position.
var (
	nothing    bloc.Position
	theCity    = encoding.Between(&nothing, &nothing.Tile, &nothing.With)
	theMap     = encoding.Between(&nothing, &nothing.Survey, &nothing.Survey)
	theCards   = encoding.Between(&nothing, &nothing.Hand, &nothing.DrawnSize)
	theLoot    = encoding.Between(&nothing, &nothing.Hand, &nothing.Drawn)
	theOrders  = encoding.Between(&nothing, &nothing.Ops, &nothing.Manifest)
	theTurn    = encoding.Between(&nothing, &nothing.Dice, &nothing.Revealed)
	theSunrise = encoding.Between(&nothing, &nothing.Protected, &nothing.Boost)
)

// Encode implements encoding.Encoder.
func (r *remembering) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*bloc.View)
	q, was, row := &s.P, &r.was, r.row
	o := lookAround(s, p)
	m := s.Pending()
	all := r.game != any(s.G)
	turned := all || r.order != o
	city, cards, turn := all || !theCity.Same(was, q), all || !theCards.Same(was, q), all || !theTurn.Same(was, q)

	if city || turned {
		r.city(s, &o, all, turned)
	}
	if city || turned || turn || r.from != m.From { // who moves, the last one says and the order
		clear(row[reachAt:vanAt])
		encodeReach(row, s, &o, m.From)
	}
	if turn || was.Turn != q.Turn {
		clear(row[sunriseAt:cellAt])
		encodeFlags(row, s)
		clear(row[diceAt:supplyAt])
		encodeTurn(row, s)
	}
	if turned || r.seat != p || !theLoot.Same(was, q) || was.DeckSize != q.DeckSize {
		clear(row[handAt:opsAt])
		clear(row[knownByAt:expiringAt])
		encodeLoot(row, s, &o, p)
	}
	if all || was.Revealed != q.Revealed || cards && !theOrders.Same(was, q) {
		clear(row[opsAt:agendaAt])
		clear(row[opsMoreAt:occupyAt])
		encodeOrders(row, s)
	}
	if city || cards || turned || r.seat != p {
		clear(row[inPlayAt:phaseAt])
		clear(row[matAt:handAt])
		clear(row[agendaAt:moraleAt])
		clear(row[whichAt:gateAt])
		encodeFactions(row, s, &o, p)
	}
	clear(row[scenarioAt:inPlayAt])
	clear(row[phaseAt:matAt])
	clear(row[moraleAt:diceAt])
	encodeClock(row, s, &o, p)
	clear(row[cellAt:scenarioAt])
	encodeCells(row, s, &m)
	clear(row[verbAt:opsMoreAt])
	clear(row[occupyAt:whichAt])
	encodePending(row, s, &o, &m)

	if city || cards || turn {
		*was = *q
	}
	r.game, r.order, r.seat, r.from = s.G, o, p, m.From
	copy(dst[:layout.Size], row)
}

// city writes the planes of the city but for the reach.
func (r *remembering) city(s *bloc.View, o *order, all, turned bool) {
	q, was, row := &s.P, &r.was, r.row
	tiles := all || was.Tile != q.Tile
	if tiles || turned {
		clear(row[typeAt:idAt])
		encodeTypes(row, s, o)
	}
	if tiles || was.Liberated != q.Liberated {
		clear(row[idAt:armAt])
		encodeTiles(row, s)
	}
	ways := all || was.Barricades != q.Barricades || !theMap.Same(was, q)
	if ways {
		clear(row[armAt:presentAt])
		encodeConnections(row, s)
	}
	blocs := was.Blocs != q.Blocs
	if turned || blocs || was.Attacked != q.Attacked {
		clear(row[presentAt:policeAt])
		encodeBlocs(row, s, o)
	}
	if ways || blocs || was.Cops != q.Cops || was.Van != q.Van { // groups in a clash are not ordered away
		clear(row[policeAt:reachAt])
		clear(row[vanAt:occAt])
		encodePolice(row, s)
	}
	if turned || was.Place != q.Place {
		clear(row[occAt:centersAt])
		encodeOccupations(row, s, o)
	}
	if all || was.Centers != q.Centers {
		clear(row[centersAt:sunriseAt])
		encodeCenters(row, s)
	}
	if all || !theSunrise.Same(was, q) {
		clear(row[sunriseAt:cellAt])
		encodeFlags(row, s)
	}
}
