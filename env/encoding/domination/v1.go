// Package domination encodes Domination.
//
// Everything is seen from the observer's side: seat 0 of a field is the observer
// and the others follow clockwise. The layout is the same for two to six players
// and for all options, and fields of seats that do not play are zero, so that one
// network can play them all.
package domination

import (
	"fmt"
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/env/encoding"
)

// layout of version 1.
var layout = encoding.Layout{Game: "domination", Version: 1}

const (
	seats = domination.MaxSeats
	cards = domination.Cards
	areas = domination.Areas

	// Bounds over all options: 12 copies of a type, 4 + 10 x 12 cards of a player,
	// 20 scorings of 100 VPs and 6 more for each of 4 + 19 x 20 uses.
	maxCopies = 12
	maxOwned  = 4 + domination.PoolSize*maxCopies
	maxVP     = 20*100 + 6*(4+19*20)
	// Points of one effect: Show of Force with a Full Force in every Area.
	maxPoints = 2 * areas

	countScale  = 4   // copies of one type
	sizeScale   = 10  // cards in a hand, deck or pile
	stackScale  = 6   // cards in a stack
	vpScale     = 100 // VPs
	trackScale  = 20  // Logistical Support
	pointsScale = 10
)

// What the axis of an Area and that of a seat hold.
const (
	areaEmpty = iota
	areaOwner // six entries: observer, then opponents clockwise
	_
	_
	_
	_
	_
	areaStruggling
	areaFull
	areaEntries
)

const (
	seatPresent = iota
	seatVP
	seatLogistics
	seatHand
	seatDeck
	seatDiscards
	seatPassed
	seatFirst
	seatActive
	seatRegions
	seatResources
	seatRate
	seatEntries
)

var (
	areaLabels = []string{"empty", "own", "opponent_1", "opponent_2", "opponent_3", "opponent_4", "opponent_5", "struggling", "full"}
	seatLabels = []string{"present", "vp", "logistics", "hand_size", "deck_size", "discard_size", "passed", "first_player", "active",
		"region_monopolies", "resource_monopolies", "scoring_rate"}
	relative    = []string{"own", "opponent_1", "opponent_2", "opponent_3", "opponent_4", "opponent_5"}
	wayLabels   = []string{"build", "attack", "text", "discard1", "discard2"}
	facts       = printed()
	cardLabels  = names(facts.Cards[:], func(c domination.CardFacts) string { return c.ID })
	regionNames = names(facts.Regions[:], func(g domination.GroupFacts) string { return g.Name })

	areasAt    = layout.Add("areas", 0, 1, "by Area: empty, whose Force is there, and its strength", areaLabels, areas, areaEntries)
	seatsAt    = layout.Add("seats", 0, maxVP/vpScale+1, "by seat: 1 if it plays; VPs divided by 100; Logistical Support divided by 20; cards in hand, draw deck and discard pile, divided by 10; 1 if locked, First Player, active; Region and Resource monopolies divided by 6; VPs that it would score now, divided by 100", seatLabels, seats, seatEntries)
	ownHandAt  = layout.Add("own_hand", 0, maxCopies/countScale, "cards in hand by type, divided by 4", cardLabels, cards)
	ownKnownAt = layout.Add("own_hand_known", 0, maxCopies/countScale, "of these everybody knows, divided by 4", cardLabels, cards)
	ownDeckAt  = layout.Add("own_deck", 0, maxCopies/countScale, "cards in the own draw deck by type, divided by 4", cardLabels, cards)
	ownPileAt  = layout.Add("own_discards", 0, maxCopies/countScale, "own discard pile by type, divided by 4", cardLabels, cards)
	oppHandAt  = layout.Add("opponent_hands_known", 0, maxCopies/countScale, "by opponent clockwise: cards known to be in the hand, divided by 4", cardLabels, seats-1, cards)
	oppDeckAt  = layout.Add("opponent_unseen", 0, maxCopies/countScale, "by opponent clockwise: cards that may be in the draw deck or, unknown, in the hand, divided by 4", cardLabels, seats-1, cards)
	oppPileAt  = layout.Add("opponent_discards", 0, maxCopies/countScale, "by opponent clockwise: discard pile, divided by 4", cardLabels, seats-1, cards)
	poolAt     = layout.Add("pool", 0, 1, "1 for each type in the game", cardLabels, cards)
	stackAt    = layout.Add("stacks", 0, maxCopies/stackScale, "cards that can be bought by type, divided by 6", cardLabels, cards)

	turnsLeftAt = layout.Add("turns_left", 0, 1, "one-hot: Game Turns to come after this one, 0 to 20; zero at the end", nil, domination.MaxTurns+1)
	optionsAt   = layout.Add("options", 0, 1, "logistics_max divided by 20, copies_per_stack divided by 12, 1 for rotate_first_player", []string{"logistics_max", "copies_per_stack", "rotate_first_player"}, 3)

	actorAt    = layout.Add("actor", 0, 1, "one-hot: the seat that is asked, as far as the observer knows; zero at chance and at the end", relative, seats)
	decisionAt = layout.Add("decision", 0, 1, "one-hot: the question; zero at chance and at the end", decisionNames(), domination.Decisions)
	usedAt     = layout.Add("used_this_turn", 0, 1, "1 if the active player has used a card in this turn", nil, 1)
	fogAt      = layout.Add("fog_of_war", 0, 1, "1 for each seat whose Fog of War is in force", relative, seats)
	useCardAt  = layout.Add("use_card", 0, 1, "one-hot: the card that is being used; zero if none is", cardLabels, cards)
	useWayAt   = layout.Add("use_way", 0, 1, "one-hot: the way it is used in", wayLabels, len(wayLabels))
	userAt     = layout.Add("user", 0, 1, "one-hot: who uses it", relative, seats)
	pointsAt   = layout.Add("points_left", 0, maxPoints/pointsScale, "points, Reductions or picks left of its present effect, divided by 10", nil, 1)
	lowestAt   = layout.Add("lowest_area", 0, 1, "index of the lowest Area open to the next point, divided by 24", nil, 1)
	regionAt   = layout.Add("region", 0, 1, "one-hot: the Region that D8 or D9 asks about", regionNames, domination.Regions)
	targetAt   = layout.Add("target", 0, 1, "one-hot: the player whom the card hits, or who performs its Reductions", relative, seats)
)

// printed returns what is printed on board and cards. That it can be read is
// checked whenever the game is made.
func printed() *domination.Facts {
	f, err := domination.NewFacts()
	if err != nil {
		panic(err)
	}
	return f
}

func names[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = name(x)
	}
	return out
}

func decisionNames() []string {
	list := make([]string, domination.Decisions)
	for d := range list {
		list[d] = fmt.Sprint(domination.Decision(d))
	}
	return list
}

// V1 is the encoder of layout version 1, for networks that were trained on it.
type V1 struct{}

// Layout implements encoding.Encoder.
func (V1) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (V1) Encode(dst []float32, view engine.View, p engine.Player) {
	dst = dst[:layout.Size]
	clear(dst)
	encode(dst, view.(*domination.View), p)
}

// encode writes what is not zero.
func encode(dst []float32, s *domination.View, p engine.Player) {
	encodeSeats(dst, s, p)
	encodeMap(dst, s, p)
	encodeCards(dst, s, p)
	encodeTable(dst, s)
	encodeQuestion(dst, s, p)
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// side returns the place of a seat counted clockwise from the observer p.
func side(s *domination.View, seat, p engine.Player) int {
	if seat -= p; seat < 0 {
		seat += engine.Player(s.Seats())
	}
	return int(seat)
}

// mark sets the one-hot entry of a seat, none for -1.
func mark(dst []float32, s *domination.View, seat, p engine.Player) {
	if seat >= 0 {
		dst[side(s, seat, p)] = 1
	}
}

func encodeSeats(dst []float32, s *domination.View, p engine.Player) {
	for q := range engine.Player(s.Seats()) {
		row := dst[seatsAt+side(s, q, p)*seatEntries:][:seatEntries]
		row[seatPresent] = 1
		row[seatVP] = float32(s.VP(q)) * (1. / vpScale)
		row[seatLogistics] = float32(s.Logistics(q)) * (1. / trackScale)
		row[seatHand] = float32(s.HandSize(q)) * (1. / sizeScale)
		row[seatDeck] = float32(s.DeckSize(q)) * (1. / sizeScale)
		row[seatDiscards] = float32(s.DiscardSize(q)) * (1. / sizeScale)
		row[seatPassed] = flag(s.Passed(q))
		row[seatRegions] = float32(s.RegionMonopolies(q)) * (1. / domination.Regions)
		row[seatResources] = float32(s.ResourceMonopolies(q)) * (1. / domination.Regions)
		row[seatRate] = float32(s.ScoreNow(q)) * (1. / vpScale)
		dst[fogAt+side(s, q, p)] = flag(s.PlayedFog(q))
	}
	if q := s.FirstPlayer(); q >= 0 {
		dst[seatsAt+side(s, q, p)*seatEntries+seatFirst] = 1
	}
	if q := s.Active(); q >= 0 {
		dst[seatsAt+side(s, q, p)*seatEntries+seatActive] = 1
	}
}

func encodeMap(dst []float32, s *domination.View, p engine.Player) {
	full, free := s.FullForces(), uint32(1)<<areas-1
	for q := range engine.Player(s.Seats()) {
		owner := areaOwner + side(s, q, p)
		free &^= s.Forces(q)
		for set := s.Forces(q); set != 0; set &= set - 1 {
			a := bits.TrailingZeros32(set)
			row := dst[areasAt+a*areaEntries:][:areaEntries]
			row[owner] = 1
			row[areaStruggling+int(full>>a&1)] = 1
		}
	}
	for ; free != 0; free &= free - 1 {
		dst[areasAt+bits.TrailingZeros32(free)*areaEntries+areaEmpty] = 1
	}
}

// scaled writes counts of some types, divided by countScale; the others are zero
// already.
func scaled(dst []float32, counts *domination.Counts, types []uint8) {
	dst = dst[:cards]
	for _, c := range types {
		dst[c] = float32(counts[c]) * (1. / countScale)
	}
}

func encodeCards(dst []float32, s *domination.View, p engine.Player) {
	var list [cards]uint8
	types := list[:1] // Domination
	for pool := s.Pool(); pool != 0; pool &= pool - 1 {
		types = append(types, uint8(bits.TrailingZeros32(pool)))
	}
	scaled(dst[ownHandAt:], s.Hand(p), types)
	scaled(dst[ownKnownAt:], s.Known(p), types)
	scaled(dst[ownDeckAt:], s.Deck(p), types)
	scaled(dst[ownPileAt:], s.Discards(p), types)
	for q := range engine.Player(s.Seats()) {
		if q == p {
			continue
		}
		row := (side(s, q, p) - 1) * cards
		scaled(dst[oppHandAt+row:], s.Hand(q), types)
		scaled(dst[oppDeckAt+row:], s.Deck(q), types)
		scaled(dst[oppPileAt+row:], s.Discards(q), types)
	}
	for _, c := range types[1:] {
		dst[poolAt+int(c)] = 1
		dst[stackAt+int(c)] = float32(s.Stack(int(c))) * (1. / stackScale)
	}
}

// encodeTable writes the Game Turn and the options.
func encodeTable(dst []float32, s *domination.View) {
	if left := s.Turns() - s.Turn(); left >= 0 {
		dst[turnsLeftAt+left] = 1
	}
	dst[optionsAt] = float32(s.MaxLogistics()) * (1. / trackScale)
	dst[optionsAt+1] = float32(s.Copies()) * (1. / maxCopies)
	dst[optionsAt+2] = flag(s.Rotates())
}

// encodeQuestion writes what is asked and the card that is being used.
func encodeQuestion(dst []float32, s *domination.View, p engine.Player) {
	dst[usedAt] = flag(s.UsedThisTurn())
	d := s.Decision()
	if d != domination.NoDecision {
		dst[decisionAt+int(d)] = 1
		mark(dst[actorAt:], s, s.ToAct(), p)
	}
	u := s.Use()
	if u.Way == domination.NoWay {
		return
	}
	dst[useCardAt+u.Card] = 1
	dst[useWayAt+int(u.Way)-1] = 1
	mark(dst[userAt:], s, u.Actor, p)
	dst[pointsAt] = float32(u.Points) * (1. / pointsScale)
	dst[lowestAt] = float32(u.Lowest) * (1. / (areas - 1))
	if d == domination.DisruptRegionDecision || d == domination.SurrenderRegionDecision {
		dst[regionAt+u.Region] = 1
	}
	mark(dst[targetAt:], s, u.Target, p)
}
