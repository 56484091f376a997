package domination

import (
	"fmt"

	"powderkeg/engine/flow"
)

// newKinds makes the table of events. README.md lists them with their arguments.
func (b *box) newKinds() *flow.Kinds {
	return flow.NewKinds(b.read, []flow.Kind{
		{Name: "pool", Text: "{card} is in the game"},
		{Name: "first_player", Text: "Seat {seat} is First Player"},
		{Name: "game_turn", Text: "Game Turn {turn} begins, seat {first_player} is First Player"},
		{Name: "reshuffle", Text: "Seat {seat} shuffles its {number} discards into a new draw deck"},
		{Name: "draw", Text: "Seat {seat} draws {card}", Veiled: "Seat {seat} draws a card"},
		{Name: "hand_known", Text: "The draw deck of seat {seat} is empty, and its hand is known: {cards}"},
		{Name: "turn_over", Text: "Seat {seat} has no cards left, and its turn ends"},
		{Name: "locked_out", Text: "Seat {seat} has no cards left and is locked out until the next Game Turn"},
		{Name: "card_play_over", Text: "Everybody is locked out, and card play is over"},
		{Name: "points", Text: "{card} gives seat {seat} {number} points"},
		{Name: "points_lost", Text: "No Area is open to the last {number} points of {card}"},
		{Name: "reduced", Text: "{card} reduces the Full Forces in {areas}"},
		{Name: "removed", Text: "{card} removes the Forces in {areas}"},
		{Name: "upgraded", Text: "{card} makes the Forces in {areas} Full"},
		{Name: "vp", Text: "{card} gives seat {seat} {change} VPs, which has {vp}"},
		{Name: "fog", Text: "The Fog of War of seat {seat} denies the others the VPs of Region monopolies"},
		{Name: "returned", Text: "{card} goes back to its stack"},
		{Name: "storm", Text: "{card} reduces the Forces of the seats {reductions} times"},
		{Name: "chain_over", Text: "{card} ends, since seat {seat} can't perform all of its Reductions"},
		{Name: "nothing_there", Text: "{card} finds nothing to remove in {region}"},
		{Name: "score", Text: "Seat {seat} scores {forces} VPs for its Forces and {monopolies} for Region monopolies, and has {vp}"},
		{Name: "logistics", Text: "The Logistical Support of seat {seat} changes by {change} to {logistics}"},
		{Name: "game_over", Text: "The game is over: {winners} won, the VPs are {vp}"},
	})
}

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
