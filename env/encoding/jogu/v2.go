package jogu

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/jogu"
	"powderkeg/env/encoding"
)

// layout2 is version 2: version 1, and behind it what a player knows besides and
// what is still to come of the plays that are not over.
var layout2 = func() encoding.Layout {
	l := layout
	l.Version, l.Fields = 2, slices.Clone(layout.Fields)
	return l
}()

const (
	// orderSize is how many cards of a pile are shown in order, from the bottom up:
	// more lie at known places only near the top, where own_top and opponent_top show
	// them. A game puts at most three cards with each of five Medics and one with each
	// of six Trojan Bits under a pile.
	orderSize = 24
	typeScale = 10 // a type in one number: type + 1 divided by this
	downScale = 8  // more Support Towers than a deck has
	outer     = jogu.MaxDepth - 1
)

var (
	ownDownOrderAt = layout2.Add("own_face_down_order", 0, 1,
		"own face-down cards by Location (2 to 6) in order of play: slot of the type, counted from 1, divided by 10; 0 for none", nil, jogu.Places,
		jogu.Slots)
	ownOrderAt = layout2.Add("own_pile_order", 0, 1,
		"known cards of the own pile from the bottom up: slot of the type, counted from 1, divided by 10; 0 if not known", nil, orderSize)
	ownOrderKnownAt = layout2.Add("own_pile_order_opponent_knows", 0, 1, "1 if the opponent knows that card too", nil, orderSize)
	oppOrderAt      = layout2.Add("opponent_pile_order", 0, 1, "known cards of the opponent's pile from the bottom up, like own_pile_order", nil,
		orderSize)
	oppTopOwnerAt    = layout2.Add("opponent_top_owner_knows", 0, 1, "1 if the opponent alone knows the first, second, third card of its pile", nil, 3)
	oppBottomOwnerAt = layout2.Add("opponent_bottom_owner_knows", 0, jogu.DeckSize/downScale,
		"cards that were put under the opponent's pile and that it alone knows, divided by 8", nil, 1)
	ownLocationsAt = layout2.Add("own_locations_unknown", 0, 1, "own Location Cards of unknown place in the pile by number, divided by 2", places,
		jogu.Places)
	oppLocationsAt = layout2.Add("opponent_locations_unknown", 0, 1,
		"the opponent's Location Cards that are hidden, in the pile or current, by number, divided by 2", places, jogu.Places)
	oppHasLocationAt = layout2.Add("opponent_has_location_card", 0, 1, "1 if the opponent has a current Location Card", nil, 1)

	playAbilityAt = layout2.Add("play_own_ability", 0, 1, "1 if the own ability of the card that is being played is still to come", nil, 1)
	outerAt       = layout2.Add("outer_plays", 0, 1,
		"the plays around that one, from the innermost outward, all of them Conjurers or Good-for-Somethings of the same player: one-hot Location, then "+
			"Scrambler triggers still to come, divided by 8",
		append(slices.Clone(places), "scramblers"), outer, jogu.Places+1)
)

// Encoder is the newest encoder of Warriors of Jogu: Feint, the same for all options.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout2 }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	V1{}.Encode(dst[:layout.Size], view, p)
	s, o := view.(*jogu.View), 1-p
	dst = dst[:layout2.Size]
	clear(dst[layout.Size:])
	encodeDownOrder(dst[ownDownOrderAt:], s, p)
	encodeOrder(dst[ownOrderAt:], dst[ownOrderKnownAt:], s, p)
	encodeOrder(dst[oppOrderAt:], nil, s, o)
	encodeOwnersCards(dst, s, o)
	for place := range jogu.Places {
		dst[ownLocationsAt+place] = float32(s.P.Locs[p].Unknown[place]) * 0.5
		dst[oppLocationsAt+place] = float32(s.P.Locs[o].Unknown[place]) * 0.5
	}
	dst[oppHasLocationAt] = flag(s.P.Locs[o].Card != 0)
	encodeStack(dst, s)
}

// typeNumber is a type in one number, above 0.
func typeNumber(t int) float32 { return float32(t+1) * (1. / typeScale) }

// encodeDownOrder writes seat p's face-down cards, slot by slot.
func encodeDownOrder(dst []float32, s *jogu.View, p engine.Player) {
	for place := range jogu.Places {
		for slot := range s.FaceDown(p, place) {
			if t := s.FaceDownType(p, place, slot); t >= 0 {
				dst[place*jogu.Slots+slot] = typeNumber(t)
			}
		}
	}
}

// encodeOrder writes the cards of seat p's pile that the view shows, by their place
// counted from the bottom, and, unless known is nil, which of them the opponent of p
// knows.
func encodeOrder(dst, known []float32, s *jogu.View, p engine.Player) {
	top, bottom := s.FixedCards(p)
	for i := range top + bottom {
		t, _, opponent := s.FixedCard(p, i)
		place := top + bottom - 1 - i
		if i < top {
			place = int(s.P.Seats[p].PileSize()) - 1 - i
		}
		if t < 0 || place >= orderSize {
			continue
		}
		dst[place] = typeNumber(t)
		if known != nil {
			known[place] = flag(opponent)
		}
	}
}

// encodeOwnersCards writes which places of its pile the opponent o alone knows: what
// its Support Towers have seen and put under is public, but for the cards.
func encodeOwnersCards(dst []float32, s *jogu.View, o engine.Player) {
	top, bottom := s.FixedCards(o)
	under := top + bottom - int(s.P.Seats[o].Bottom) // from here on they were put under the pile
	for i := range top + bottom {
		switch _, owner, opponent := s.FixedCard(o, i); {
		case !owner || opponent:
		case i >= under:
			dst[oppBottomOwnerAt] += 1. / downScale
		case i < 3:
			dst[oppTopOwnerAt+i] = 1
		}
	}
}

// encodeStack writes what is to come of the play that is carried out and of those
// around it.
func encodeStack(dst []float32, s *jogu.View) {
	if s.P.Depth == 0 {
		return
	}
	dst[playAbilityAt] = flag(s.Play().OwnAbility)
	for i := range int(s.P.Depth) - 1 {
		place, scramblers := s.OuterPlay(i)
		at := dst[outerAt+i*(jogu.Places+1):]
		at[place] = 1
		at[jogu.Places] = float32(scramblers) * (1. / 8)
	}
}
