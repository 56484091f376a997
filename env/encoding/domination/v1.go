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
	cardLabels  = names(facts.Cards[:], func(c domination.Card) string { return c.ID })
	regionNames = names(facts.Regions[:], func(g domination.Group) string { return g.Name })

	areasAt = layout.Add("areas", 0, 1, "by Area: empty, whose Force is there, and its strength", areaLabels, areas, areaEntries)
	seatsAt = layout.Add("seats", 0, maxVP/vpScale+1,
		"by seat: 1 if it plays; VPs divided by 100; Logistical Support divided by 20; cards in hand, draw deck and discard pile, divided by 10; 1 if "+
			"locked, First Player, active; Region and Resource monopolies divided by 6; VPs that it would score now, divided by 100", seatLabels, seats,
		seatEntries)
	ownHandAt  = layout.Add("own_hand", 0, maxCopies/countScale, "cards in hand by type, divided by 4", cardLabels, cards)
	ownKnownAt = layout.Add("own_hand_known", 0, maxCopies/countScale, "of these everybody knows, divided by 4", cardLabels, cards)
	ownDeckAt  = layout.Add("own_deck", 0, maxCopies/countScale, "cards in the own draw deck by type, divided by 4", cardLabels, cards)
	ownPileAt  = layout.Add("own_discards", 0, maxCopies/countScale, "own discard pile by type, divided by 4", cardLabels, cards)
	oppHandAt  = layout.Add("opponent_hands_known", 0, maxCopies/countScale, "by opponent clockwise: cards known to be in the hand, divided by 4",
		cardLabels, seats-1, cards)
	oppDeckAt = layout.Add("opponent_unseen", 0, maxCopies/countScale,
		"by opponent clockwise: cards that may be in the draw deck or, unknown, in the hand, divided by 4", cardLabels, seats-1, cards)
	oppPileAt = layout.Add("opponent_discards", 0, maxCopies/countScale, "by opponent clockwise: discard pile, divided by 4", cardLabels, seats-1, cards)
	poolAt    = layout.Add("pool", 0, 1, "1 for each type in the game", cardLabels, cards)
	stackAt   = layout.Add("stacks", 0, maxCopies/stackScale, "cards that can be bought by type, divided by 6", cardLabels, cards)

	turnsLeftAt = layout.Add("turns_left", 0, 1, "one-hot: Game Turns to come after this one, 0 to 20; zero at the end", nil, domination.MaxTurns+1)
	optionsAt   = layout.Add("options", 0, 1, "logistics_max divided by 20, copies_per_stack divided by 12, 1 for rotate_first_player",
		[]string{"logistics_max", "copies_per_stack", "rotate_first_player"}, 3)

	actorAt = layout.Add("actor", 0, 1, "one-hot: the seat that is asked, as far as the observer knows; zero at chance and at the end", relative,
		seats)
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
	for q := range s.Seats() {
		encodeStanding(dst, s, domination.SeatID(q), p)
	}
	encodeMap(dst, s, p, everyArea)
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
func side(s *domination.View, seat domination.SeatID, p engine.Player) int {
	at := int(seat) - int(p)
	if at < 0 {
		at += s.Seats()
	}
	return at
}

// mark sets the one-hot entry of a seat, none for NoSeat.
func mark(dst []float32, s *domination.View, seat domination.SeatID, p engine.Player) {
	if seat != domination.NoSeat {
		dst[side(s, seat, p)] = 1
	}
}

func encodeSeats(dst []float32, s *domination.View, p engine.Player) {
	for i := range s.Seats() {
		q := domination.SeatID(i)
		at, player := side(s, q, p), &s.P.Seats[q]
		row := (*[seatEntries]float32)(dst[seatsAt+at*seatEntries:])
		row[seatPresent] = 1
		row[seatVP] = float32(s.P.VP[q]) * (1. / vpScale)
		row[seatLogistics] = float32(s.P.Logistics[q]) * (1. / trackScale)
		row[seatHand] = float32(player.HandSize) * (1. / sizeScale)
		row[seatDeck] = float32(player.DeckSize) * (1. / sizeScale)
		row[seatDiscards] = float32(player.Discards) * (1. / sizeScale)
		row[seatPassed] = flag(s.P.Passed.Has(q))
		row[seatFirst], row[seatActive] = flag(s.P.First == q), flag(s.Active() == q)
		dst[fogAt+at] = flag(s.P.Fog.Has(q))
	}
}

// encodeStanding writes what the map is worth to seat q.
func encodeStanding(dst []float32, s *domination.View, q domination.SeatID, p engine.Player) {
	regions, resources, rate := s.Standing(q)
	row := (*[seatEntries]float32)(dst[seatsAt+side(s, q, p)*seatEntries:])
	row[seatRegions] = float32(regions) * (1. / domination.Regions)
	row[seatResources] = float32(resources) * (1. / domination.Regions)
	row[seatRate] = float32(rate) * (1. / vpScale)
}

// everyArea holds all Areas.
const everyArea = domination.AreaSet(1)<<areas - 1

// encodeMap writes who is in some Areas.
func encodeMap(dst []float32, s *domination.View, p engine.Player, some domination.AreaSet) {
	full, free := s.P.Full, some
	for q := range s.Seats() {
		own, owner := s.P.Own[q]&some, areaOwner+side(s, domination.SeatID(q), p)
		free &^= own
		for ; own != 0; own &= own - 1 {
			a := bits.TrailingZeros32(uint32(own))
			row := (*[areaEntries]float32)(dst[areasAt+a*areaEntries:])
			row[owner] = 1
			row[areaStruggling+int(full>>a&1)] = 1
		}
	}
	for ; free != 0; free &= free - 1 {
		dst[areasAt+bits.TrailingZeros32(uint32(free))*areaEntries+areaEmpty] = 1
	}
}

// perScale holds each count divided by countScale: to read it is faster than to convert.
var perScale = func() (list [256]float32) {
	for n := range list {
		list[n] = float32(n) * (1. / countScale)
	}
	return list
}()

// scaled writes counts of some types, divided by countScale; the others are zero
// already.
func scaled(dst []float32, counts *domination.Counts, types []uint8) {
	row := (*[cards]float32)(dst)
	for _, c := range types {
		row[c] = perScale[counts[c]]
	}
}

// typesOf lists the card types in the game. list has room for them.
func typesOf(s *domination.View, list *[cards]uint8) []uint8 {
	types := list[:1] // Domination
	for pool := s.P.Pool; pool != 0; pool &= pool - 1 {
		types = append(types, uint8(bits.TrailingZeros32(uint32(pool))))
	}
	return types
}

func encodeCards(dst []float32, s *domination.View, p engine.Player) {
	var list [cards]uint8
	types := typesOf(s, &list)
	for q := range s.Seats() {
		encodeSeatCards(dst, s, domination.SeatID(q), p, types)
	}
	encodeStacks(dst, s, types)
}

// encodeSeatCards writes the cards of seat q that the observer p knows.
func encodeSeatCards(dst []float32, s *domination.View, q domination.SeatID, p engine.Player, types []uint8) {
	player := &s.P.Seats[q]
	if engine.Player(q) == p {
		scaled(dst[ownHandAt:], &player.Hand, types)
		scaled(dst[ownKnownAt:], &player.Known, types)
		scaled(dst[ownDeckAt:], &player.Deck, types)
		scaled(dst[ownPileAt:], &player.Discard, types)
		return
	}
	row := (side(s, q, p) - 1) * cards
	scaled(dst[oppHandAt+row:], &player.Hand, types)
	scaled(dst[oppDeckAt+row:], &player.Deck, types)
	scaled(dst[oppPileAt+row:], &player.Discard, types)
}

// encodeStacks writes which types are in the game, and the cards that can be bought.
func encodeStacks(dst []float32, s *domination.View, types []uint8) {
	for _, c := range types[1:] {
		dst[poolAt+int(c)] = 1
		dst[stackAt+int(c)] = float32(s.P.Stack[c]) * (1. / stackScale)
	}
}

// encodeTable writes the Game Turn and the options.
func encodeTable(dst []float32, s *domination.View) {
	if left := s.Turns() - int(s.P.Turn); left >= 0 {
		dst[turnsLeftAt+left] = 1
	}
	dst[optionsAt] = float32(s.MaxLogistics()) * (1. / trackScale)
	dst[optionsAt+1] = float32(s.Copies()) * (1. / maxCopies)
	dst[optionsAt+2] = flag(s.Rotates())
}

// encodeQuestion writes what is asked and the card that is being used.
func encodeQuestion(dst []float32, s *domination.View, p engine.Player) {
	dst[usedAt] = flag(s.P.Used)
	d := s.Decision()
	if d != domination.NoDecision {
		dst[decisionAt+int(d)] = 1
		mark(dst[actorAt:], s, domination.SeatID(s.P.Actor), p)
	}
	f := &s.P.Frame
	if f.Way == domination.NoWay {
		return
	}
	dst[useCardAt+int(f.Card)] = 1
	dst[useWayAt+int(f.Way)-1] = 1
	mark(dst[userAt:], s, f.Actor, p)
	dst[pointsAt] = float32(f.Points) * (1. / pointsScale)
	dst[lowestAt] = float32(f.Last) * (1. / (areas - 1))
	if d == domination.DisruptRegionDecision || d == domination.SurrenderRegionDecision {
		dst[regionAt+int(f.Region)] = 1
	}
	mark(dst[targetAt:], s, f.Target, p)
}
