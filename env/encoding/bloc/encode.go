package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/env/encoding"
)

// Encoder is the encoder of Bloc by Bloc, the same for all options.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*bloc.View)
	dst = dst[:layout.Size]
	clear(dst)
	o := lookAround(s, p)
	m := s.Pending()
	encodeTypes(dst, s, &o)
	encodeTiles(dst, s)
	encodeConnections(dst, s)
	encodeBlocs(dst, s, &o)
	encodePolice(dst, s)
	encodeReach(dst, s, &o, m.From)
	encodeOccupations(dst, s, &o)
	encodeCenters(dst, s)
	encodeFlags(dst, s)
	encodeCells(dst, s, &m)
	encodeLoot(dst, s, &o, p)
	encodeOrders(dst, s)
	encodeFactions(dst, s, &o, p)
	encodeClock(dst, s, &o, p)
	encodeTurn(dst, s)
	encodePending(dst, s, &o, &m)
}

// encodeOps writes the further known cards of the ops deck and their numbers.
func encodeOps(dst []float32, s *bloc.View) {
	q := &s.P
	for i := ahead; i < min(int(q.PrefixSize), ahead+further); i++ {
		dst[opsMoreAt+(i-ahead)*bloc.OpsCards+int(q.Prefix[i])] = 1
	}
	dst[opsSizesAt] = float32(q.PrefixSize) * (1. / 34)
	dst[opsSizesAt+1], dst[opsSizesAt+2] = float32(s.OpsDeckSize())*(1./34), float32(min(q.Revealed, 34))*(1./34)
}

// encodeRest writes the rest of what is under way.
func encodeRest(dst []float32, s *bloc.View, m *bloc.Pending) {
	n := &s.P.Now
	if n.Occ != bloc.NoOcc {
		dst[occupyAt+int(n.Occ)] = 1
	}
	dst[restAt], dst[restAt+1], dst[restAt+2] = float32(m.Keep)*(1./3), float32(m.Last)*(1./25), flag(n.Enough)
}

// encodeTold writes what others are certain of in the hands of the observer's factions.
func encodeTold(dst []float32, s *bloc.View, o *order, p engine.Player) {
	own := o.faction[0]
	if own == bloc.NoFaction {
		return
	}
	for i, f := range o.faction[1:] {
		if f == bloc.NoFaction {
			continue
		}
		owner, hand, at := s.Owner(f), own, knownByAt+i*bloc.LootCards
		if owner == p { // with two players
			owner, hand, at = 1-p, f, secondAt
		}
		known := &s.P.Known[owner][hand]
		if *known != [bloc.LootCards]uint8{} {
			counts(dst[at:], known[:], 1./2)
		}
	}
}
