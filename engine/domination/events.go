package domination

import (
	"fmt"

	"powderkeg/engine/flow"
)

// The events of the game, a line for each; README.md lists them, too.
var (
	typeDrawn        = flow.Tells("pool", "card", "{card} is in the game")
	firstPlayerDrawn = flow.Tells("first_player", "seat", "Seat {seat} is First Player")
	gameTurnBegun    = flow.Tells("game_turn", "turn first_player", "Game Turn {turn} begins, seat {first_player} is First Player")
	deckReshuffled   = flow.Tells("reshuffle", "seat number", "Seat {seat} shuffles its {number} discards into a new draw deck")
	cardDrawnToHand  = flow.Veil("Seat {seat} draws a card", flow.Tells("draw", "seat (card)", "Seat {seat} draws {card}"))
	handKnown        = flow.Tells("hand_known", "seat cards", "The draw deck of seat {seat} is empty, and its hand is known: {cards}")
	turnEnded        = flow.Tells("turn_over", "seat", "Seat {seat} has no cards left, and its turn ends")
	lockedOut        = flow.Tells("locked_out", "seat", "Seat {seat} has no cards left and is locked out until the next Game Turn")
	cardPlayOver     = flow.Tells("card_play_over", "", "Everybody is locked out, and card play is over")
	pointsGiven      = flow.Tells("points", "seat card number", "{card} gives seat {seat} {number} points")
	pointsLost       = flow.Tells("points_lost", "seat card number", "No Area is open to the last {number} points of {card}")
	forcesReduced    = flow.Tells("reduced", "card areas", "{card} reduces the Full Forces in {areas}")
	forcesRemoved    = flow.Tells("removed", "card areas", "{card} removes the Forces in {areas}")
	forcesUpgraded   = flow.Tells("upgraded", "card areas", "{card} makes the Forces in {areas} Full")
	vpGained         = flow.Tells("vp", "seat card change vp", "{card} gives seat {seat} {change} VPs, which has {vp}")
	fogPlayed        = flow.Tells("fog", "seat", "The Fog of War of seat {seat} denies the others the VPs of Region monopolies")
	cardReturned     = flow.Tells("returned", "card", "{card} goes back to its stack")
	stormBroken      = flow.Tells("storm", "card reductions", "{card} reduces the Forces of the seats {reductions} times")
	chainEnded       = flow.Tells("chain_over", "card seat", "{card} ends, since seat {seat} can't perform all of its Reductions")
	nothingThere     = flow.Tells("nothing_there", "card region", "{card} finds nothing to remove in {region}")
	seatScored       = flow.Tells("score", "seat forces monopolies vp",
		"Seat {seat} scores {forces} VPs for its Forces and {monopolies} for Region monopolies, and has {vp}")
	logisticsMoved = flow.Tells("logistics", "seat change logistics", "The Logistical Support of seat {seat} changes by {change} to {logistics}")
	gameEnded      = flow.Tells("game_over", "winners vp", "The game is over: {winners} won, the VPs are {vp}")
)

// read says how an argument reads in a sentence.
func (b *box) read(name string, value any) string {
	switch name {
	case "areas":
		if id, ok := value.(string); ok {
			a, _ := b.areaByID(id)
			return b.Areas[a].Name
		}
	case "region":
		return b.Regions[value.(int)].Name
	case "winners":
		if seat, ok := value.(int); ok {
			return fmt.Sprintf("seat %d", seat)
		}
	}
	return ""
}

// named lists counts by name, in the order of the cards.
func (b *box) named(counts *[Cards]uint8) []string {
	list := []string{}
	for c, n := range counts {
		for range n {
			list = append(list, b.Cards[c].Name)
		}
	}
	return list
}

// tell tells everybody what has happened, and by which rule. The values are those of the
// kind's arguments, each of a type with its own words (fact). Where nobody listens that costs
// nothing, as long as the values fit a byte; others are told behind a test for a listener, for
// to pass them takes memory.
func (b Board) tell(kind *flow.Told, rule string, values ...any) {
	if b.w != nil {
		b.w.Tell(flow.Everybody, kind, rule, b.fact, values)
	}
}

// tellTo tells a set of seats all of it, and the others what the kind shows to them.
func (b Board) tellTo(seats uint8, kind *flow.Told, rule string, values ...any) {
	if b.w != nil {
		b.w.Tell(seats, kind, rule, b.fact, values)
	}
}

// fact returns a value as events have it: a word, a number, or a list of them.
func (b Board) fact(value any) any {
	switch v := value.(type) {
	case SeatID:
		return int(v)
	case SeatSet:
		return v.list()
	case CardID:
		return b.box.Cards[v].Name
	case [MaxSeats]uint8:
		return numbers(v[:b.seats])
	case [MaxSeats]uint16:
		return numbers(v[:b.seats])
	case Counts:
		return b.box.named(&v)
	case AreaSet:
		ids := []string{}
		for a := range v.Each() {
			ids = append(ids, b.box.Areas[a].ID)
		}
		return ids
	case uint8:
		return int(v)
	case uint16:
		return int(v)
	}
	return value
}

// numbers returns numbers as events have them.
func numbers[N uint8 | uint16](counts []N) []int {
	list := make([]int, len(counts))
	for i, n := range counts {
		list[i] = int(n)
	}
	return list
}
