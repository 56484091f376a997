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
	encodeV2(dst, s, &o, p)
	encodeOps(dst, s)
	encodeRest(dst, s)
	for i, f := range o.faction {
		if f >= 0 {
			dst[whichAt+i*bloc.Factions+f] = 1
		}
	}
	encodeTold(dst, s, &o, p)
}

// encodeOps writes the further known cards of the ops deck and their numbers.
func encodeOps(dst []float32, s *bloc.View) {
	for i := range min(s.OpsKnown()-ahead, further) {
		if card := s.OpsAhead(ahead + i); card >= 0 {
			dst[opsMoreAt+i*bloc.OpsCards+card] = 1
		}
	}
	dst[opsSizesAt] = float32(s.OpsKnown()) * (1. / 34)
	dst[opsSizesAt+1], dst[opsSizesAt+2] = float32(s.OpsDeckSize())*(1./34), float32(min(s.Revealed(), 34))*(1./34)
}

// encodeRest writes what else is under way.
func encodeRest(dst []float32, s *bloc.View) {
	n := s.Pending()
	set(dst[occupyAt:], n.Occupation)
	dst[restAt], dst[restAt+1], dst[restAt+2] = float32(n.Keep)*(1./3), float32(n.Last)*(1./25), flag(n.Enough)
	dst[gateAt] = flag(s.GateOpen())
	_, bolt, _, _ := s.Turn()
	dst[boltAt] = float32(bolt) * (1. / 2)
}

// encodeTold writes what others are certain of in the hands of the observer's factions.
func encodeTold(dst []float32, s *bloc.View, o *order, p engine.Player) {
	own := o.faction[0]
	if own < 0 {
		return
	}
	for i, f := range o.faction[1:] {
		if f < 0 {
			continue
		}
		owner, hand, at := s.Owner(f), own, knownByAt+i*bloc.LootCards
		if owner == p { // with two players
			owner, hand, at = 1-p, f, secondAt
		}
		known := s.Known(owner, hand)
		if *known != [bloc.LootCards]uint8{} {
			counts(dst[at:], known[:], 1./2)
		}
	}
}
