package jogu

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// kinds are the kinds of events. README.md lists them with their arguments.
var kinds = []flow.Kind{
	{Name: "faction", Text: "Seat {seat} plays {faction}"},
	{Name: "start_player", Text: "Seat {seat} is drawn as start player"},
	{Name: "round", Text: "Round {round} of {end_marker} begins, seat {start_player} starts"},
	{Name: "discard", Text: "Seat {seat} discards {cards}"},
	{Name: "draw", Text: "Seat {seat} draws {card}", Veiled: "Seat {seat} draws a card of its draw pile"},
	{Name: "location_card", Text: "Seat {seat} draws Location Card {location}", Veiled: "Seat {seat} draws a Location Card"},
	{Name: "reshuffle", Text: "Seat {seat} shuffles its used Location Cards into a new pile"},
	{Name: "move", Text: "Seat {seat}: {}", Veiled: "Seat {seat}: {}"},
	{Name: "dropped", Text: "No Scrambler is left at Location {location} to move"},
	{Name: "no_effect", Text: "{card} of seat {seat}: nothing to {effect}"},
	{Name: "stay_token", Text: "{card} at Location {location} gets a Stay token"},
	{Name: "next_location", Text: "Seat {seat} looks at Location Card {location}", Veiled: "Seat {seat} looks at its next Location Card"},
	{Name: "location_shown", Text: "Seat {seat} shows its Location Card {location}"},
	{Name: "gathered", Text: "{} of seat {owner}: from Location {from} to {to}"},
	{Name: "milled", Text: "The Saboteur turns up {card} of seat {owner}"},
	{Name: "hit", Text: "The Assassin strikes {card} of seat {owner}, which {discarded}"},
	{Name: "discarded", Text: "{card} of seat {owner}{} goes to the discard"},
	{Name: "look", Text: "Seat {seat} looks at {card}", Veiled: "Seat {seat} looks at a card of its draw pile"},
	{Name: "end_marker", Text: "The end-game marker goes to round {end_marker}"},
	{Name: "turned_up", Text: "Face-down card {slot} of seat {owner} at Location {location} is {card}"},
	{Name: "location_cards", Text: "The Location Cards are {}"},
	{Name: "named", Text: "{} makes Location {location} a Battle Location"},
	{Name: "struck_out", Text: "{by} of seat {owner}: Location {location} is no Battle Location"},
	{Name: "battle_locations", Text: "Battle Locations: {locations}"},
	{Name: "morale", Text: "Seat {seat} {}"},
	{Name: "strength", Text: "Location {location}{}"},
	{Name: "round_won", Text: "Seat {winner} wins round {round} with {}"},
	{Name: "left", Text: "Seat {owner} takes {} away from Location {location}"},
	{Name: "stayed", Text: "Seat {owner} leaves {} at Location {location}, a Stay token less on each"},
	{Name: "location_used", Text: "Location Card {location} of seat {seat} goes to the discard"},
	{Name: "round_over", Text: "Round {round} is over: {points} victory points, {morale} morale"},
	{Name: "game_over", Text: "Seat {winner} wins the game: {by}"},
}

// nothingTo says what an effect does that found nothing to do it to.
var nothingTo = map[string]string{
	"peek_location_pile": "look at", "reveal_location_card": "show", "play_card": "play", "draw": "draw",
	"bottom_from_discard": "put back", "bottom_from_play": "take back", "mill": "turn up", "random_discard": "strike",
	"discard_in_play": "bomb", "peek_draw_pile": "look at", "move_end_marker": "move, the end-game marker is on the last space",
}

// word says how an argument reads in a sentence, "" where it stands as it is.
func (b *box) word(name string, value any) string {
	switch v := value.(type) {
	case string:
		switch name {
		case "card", "by", "faction":
			return b.names[v]
		case "effect":
			return nothingTo[v]
		}
	case []string:
		if name == "cards" {
			return b.counted(v)
		}
	case []int:
		if name == "points" || name == "morale" {
			return fmt.Sprintf("%d to %d", v[0], v[1])
		}
	case bool:
		if name == "discarded" && v {
			return "goes to the discard"
		}
		return "is Protected and stays in the hand"
	}
	return ""
}

// counted lists cards by name. Those of a type stand together.
func (b *box) counted(keys []string) string {
	var parts []string
	for i := 0; i < len(keys); {
		n := 1
		for i+n < len(keys) && keys[i+n] == keys[i] {
			n++
		}
		parts = append(parts, times(uint8(n), b.names[keys[i]]))
		i += n
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// seatArg, placeArg and cardArg make the arguments that most events have.
func seatArg(name string, s SeatID) engine.Arg { return flow.Arg(name, int(s)) }

func placeArg(name string, place Place) engine.Arg { return flow.Arg(name, int(place)+FirstPlace) }

func (g *game) cardArg(p *Position, s SeatID, t TypeID) engine.Arg {
	return flow.Arg("card", g.deckOf(p, s).cards[t].Key)
}

const everybody = 1<<numSeats - 1

// tellPileCard tells of a card of seat s's pile that is drawn or looked at, to the
// opponent without its name if that does not know it (R16.6).
func (g *game) tellPileCard(p *Position, w *flow.Witness, kind, rule string, s SeatID, c PileCard) {
	seen := uint8(everybody)
	if c&opponentKnows == 0 {
		seen = 1 << s
		w.Others(seen, kind, rule, seatArg("seat", s))
	}
	w.Some(seen, kind, rule, seatArg("seat", s), g.cardArg(p, s, c.card()))
}

// tellLocationCard tells of the Location Card n that seat s alone sees (R16.3, R16.4).
func tellLocationCard(w *flow.Witness, kind, rule string, s SeatID, n uint8) {
	w.Some(1<<s, kind, rule, seatArg("seat", s), flow.Arg("location", int(n)))
	w.Others(1<<s, kind, rule, seatArg("seat", s))
}

// tellTurnedUp tells what a face-down card of seat s was.
func (g *game) tellTurnedUp(p *Position, w *flow.Witness, rule string, s SeatID, t TypeID, place Place, slot uint8) {
	w.All("turned_up", rule, seatArg("owner", s), g.cardArg(p, s, t), placeArg("location", place), flow.Arg("slot", int(slot)+1))
}

// tellDiscarded tells that a card of seat s in play has gone to the discard (R13.25).
func (g *game) tellDiscarded(p *Position, w *flow.Witness, s SeatID, t TypeID, place Place) {
	w.All("discarded", "R13.25", seatArg("owner", s), g.cardArg(p, s, t), placeArg("location", place),
		flow.Said(fmt.Sprintf(" at Location %d", place+FirstPlace)))
}

// tellBoard tells each Location as it stands when the ratings are reckoned, before
// Cleanup takes it away: all cards, the Strength of each seat and, at a Battle
// Location, the products (R10.4).
func (g *game) tellBoard(p *Position, w *flow.Witness) {
	for place := range Place(Places) {
		n := int(place) + FirstPlace
		strength := []int{int(g.strengthAt(p, 0, place)), int(g.strengthAt(p, 1, place))}
		battle := p.LastBattle.has(place)
		args := []engine.Arg{placeArg("location", place), flow.Arg("strength", strength), flow.Arg("battle", battle)}
		said := ""
		for i := range SeatID(numSeats) {
			args = append(args, flow.Arg(fmt.Sprintf("cards_%d", i), g.deckOf(p, i).list(&p.Seats[i].Play[place])))
			cards := g.cardsText(p, i, place)
			if cards == "" {
				cards = "no cards"
			}
			said += fmt.Sprintf("; seat %d: %s, strength %d", i, cards, strength[i])
			if battle {
				said += fmt.Sprintf(" x %d = %d", n, n*strength[i])
			}
		}
		if battle {
			args = append(args, flow.Arg("products", []int{n * strength[0], n * strength[1]}))
		}
		w.All("strength", "R10.4", append(args, flow.Said(said))...)
	}
}

// tellGain tells the morale that n Masters of Earth at a Location have given their
// owner (R10.3).
func (g *game) tellGain(p *Position, w *flow.Witness, s SeatID, t TypeID, place Place, n, spare uint16) {
	now := p.Morale[s]
	w.All("morale", "R10.3", seatArg("seat", s), flow.Arg("change", int(n*spare)), flow.Arg("morale", int(now)), placeArg("location", place),
		flow.Arg("number", int(n)), flow.Said(fmt.Sprintf("gains %d morale and has %d: %s at Location %d, where %d Capacity is spare",
			n*spare, now, times(uint8(n), g.deckOf(p, s).cards[t].Name), place+FirstPlace, spare)))
}

// tellRoundWon tells the ratings, the winner of the round and the victory points that
// both seats now have (R10.4-R10.6).
func (p *Position) tellRoundWon(w *flow.Witness) {
	how := fmt.Sprintf("%d to %d", p.LastRatings[p.LastWinner], p.LastRatings[1-p.LastWinner])
	if p.LastRatings[0] == p.LastRatings[1] {
		how += ", as start player"
	}
	w.All("round_won", "R10.5", flow.Arg("round", int(p.Round)), flow.Arg("ratings", []int{int(p.LastRatings[0]), int(p.LastRatings[1])}),
		seatArg("winner", p.LastWinner), flow.Arg("points", p.points()), flow.Said(how))
}

// tellCleared tells how many cards of a type have left a Location, or stay there because
// of their Stay tokens (R11.1).
func (g *game) tellCleared(p *Position, w *flow.Witness, kind string, s SeatID, t TypeID, place Place, n uint8) {
	if n > 0 {
		w.All(kind, "R11.1", seatArg("owner", s), g.cardArg(p, s, t), flow.Arg("number", int(n)), placeArg("location", place),
			flow.Said(times(n, g.deckOf(p, s).cards[t].Name)))
	}
}

// moraleOfBoth returns the morale of both seats.
func (p *Position) moraleOfBoth() []int { return []int{int(p.Morale[0]), int(p.Morale[1])} }
