package bloc

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// kinds are the events of the game; README.md lists them with their arguments. The
// arguments are the words of positions, districts the keys of their tiles.
var kinds = []flow.Kind{
	// Chapter 2.
	{Name: "tile", Text: "Cell {cell}: {tile}"},
	{Name: "rotation", Text: "{tile} is turned by {rotation} quarters"},
	{Name: "redraw", Text: "The city is unfit and is drawn again ({redraws})"},
	{Name: "stand_in", Text: "The city is unfit once more; the beginner city takes its place"},
	{Name: "faction", Text: "Seat {seat} plays the {faction}"},
	{Name: "agenda", Text: "The {faction} get the agenda {agenda}", Veiled: "The {faction} get an agenda card"},
	{Name: "first_faction", Text: "The {faction} get the first faction marker"},

	// Chapters 4 to 7.
	{Name: "played", Text: "The {faction} play {card}"},
	{Name: "discarded", Text: "The {faction} discard {card}"},
	{Name: "turn", Text: "Night {night}: the {faction} have their turn"},
	{Name: "dice", Text: "The {faction} roll {dice}"},
	{Name: "die", Text: "The {faction} roll a {value}"},
	{Name: "spent", Text: "The {faction} spend a {value}"},
	{Name: "formed", Text: "The {faction} form {blocs} in {district}"},
	{Name: "moved", Text: "{blocs} of the {faction} go from {from} to {to}"},
	{Name: "barricade", Text: "{district} has {barricades} in the {arm}"},
	{Name: "dismantled", Text: "{district} loses {barricades} in the {arm}"},
	{Name: "barred", Text: "The {faction} cannot {action} in {district} this turn while they could be stopped again"},
	{Name: "draw", Text: "The {faction} draw {card}", Veiled: "The {faction} draw a loot card"},
	{Name: "loot_shuffled", Text: "The loot discard pile becomes the new deck of {cards}"},
	{Name: "looted", Text: "A shopping centre in {district} is {how}"},
	{Name: "built", Text: "The {faction} have {occupation} in {district}"},
	{Name: "evicted", Text: "{occupation} of the {faction} leaves {district} for the mat"},
	{Name: "reaction", Text: "The reaction roll in {district} is a {value}"},
	{Name: "extra_dice", Text: "The {faction} get {dice} extra"},
	{Name: "attack", Text: "The {faction} attack in {district} with strength {strength}"},
	{Name: "van_hit", Text: "The riot van in {district} has taken {hits}"},
	{Name: "van_destroyed", Text: "The riot van in {district} is destroyed"},
	{Name: "bolt_cutters", Text: "The next advanced action of the {faction} needs {bolt_cutters} less"},
	{Name: "jammers", Text: "The police will draw {cards} fewer this turn"},
	{Name: "proposal", Text: "The {faction} offer {give} to the {partner} for {want}", Veiled: "The {faction} offer the {partner} a trade"},
	{Name: "handed", Text: "The {faction} hand {card} to the {partner}", Veiled: "The {faction} hand a card to the {partner}"},

	// Chapter 8.
	{Name: "ops_card", Text: "Police ops: {ops_card}"},
	{Name: "ops_shuffled", Text: "The police ops deck is shuffled and has {cards}"},
	{Name: "morale", Text: "Police morale is {morale}: {cards} a turn"},
	{Name: "cops_deployed", Text: "{cops} come to {district}"},
	{Name: "cops_withdrawn", Text: "{cops} leave {district} for staging"},
	{Name: "cops_moved", Text: "{cops} go from {from} to {to}"},
	{Name: "cops_stopped", Text: "Barricades stop {cops} on the way from {from} to {to}"},
	{Name: "van_deployed", Text: "A riot van comes to {district}"},
	{Name: "vans_moved", Text: "Riot vans go from {from} to {to}"},
	{Name: "metro_locked", Text: "The metro is locked until the {faction} have had their turn of the next night"},
	{Name: "metro_open", Text: "The metro is open again"},

	// Chapters 9 and 10.
	{Name: "sunrise", Text: "Sunrise of night {night}; riot vans repaired: {repaired}"},
	{Name: "van_attack", Text: "The riot van in {district} attacks {blocs}"},
	{Name: "cop_attack", Text: "Riot cops make {attacks} on {blocs} in {district}"},
	{Name: "defeated", Text: "The {faction} lose {blocs} in {district}"},
	{Name: "saved", Text: "The {faction} save {blocs} in {district}"},
	{Name: "protected", Text: "The occupation in {district} is protected"},
	{Name: "cancelled", Text: "The attacks of {cops} in {district} are void"},
	{Name: "boost", Text: "{district} counts as {blocs} more"},
	{Name: "liberated", Text: "{district} is liberated by {blocs} of the {liberating}, where {needed} are needed"},
	{Name: "manifestation", Text: "Manifestation: {manifestation}"},
	{Name: "bonus_dice", Text: "The {faction} have {dice} more in their next turn"},
	{Name: "revealed", Text: "Number {place} of the police ops deck is {ops_card}"},
	{Name: "night", Text: "Night {night} begins, {nights_left} are left; the {faction} get the first faction marker"},
	{Name: "agenda_shown", Text: "The {faction} show the agenda {agenda}"},
	{Name: "game_over", Text: "The game is over after night {night}, {by}; winners: {winners}"},
}

// endingWords say in a sentence how a game ended.
var endingWords = map[string]string{
	"no_blocs": "since a faction has no bloc in the city", "win_alone": "for one faction has met its aim alone",
	"success": "for the insurrection has succeeded", "time_out": "since no night is left",
}

// readKinds makes the table of events, which tells things by their printed names.
func readKinds(b *box) error {
	printed := map[string]string{"N": "north", "E": "east", "S": "south", "W": "west"}
	for key, words := range endingWords {
		printed[key] = words
	}
	for i := range b.tiles {
		printed[b.tiles[i].Key] = b.tiles[i].Name
	}
	for i := range b.factions {
		for k := range b.factions[i].occs {
			printed[b.factions[i].occs[k].Key] = b.factions[i].occs[k].Name
		}
	}
	for i := range b.loot {
		printed[b.loot[i].Key], printed[b.actions[ActCard+i]] = b.loot[i].Name, b.loot[i].Name
	}
	for i := range b.ops {
		printed[b.ops[i].Key] = b.opsName(OpsID(i))
	}
	for i := range b.manifest {
		printed[b.manifest[i].Key] = b.manifest[i].Name
	}
	for i := range b.agendas {
		printed[b.agendas[i].Key] = b.agendas[i].Name
	}
	for _, a := range []int{ActAny, ActNothing} {
		printed[b.actions[a]] = b.cardText(a)
	}
	b.kinds = flow.NewKinds(func(name string, value any) string {
		switch value := value.(type) {
		case string:
			return printed[value]
		case int:
			if one, counted := units[name]; counted {
				return count(value, one)
			}
		}
		return ""
	}, kinds)
	return nil
}

// units are the arguments that count things, with the word for one of them.
var units = map[string]string{
	"attacks": "attack", "barricades": "barricade", "blocs": "bloc", "cards": "card", "cops": "riot cop", "dice": "die", "hits": "hit",
}

// count writes a number of things.
func count(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case one == "die":
		return fmt.Sprint(n, " dice")
	}
	return fmt.Sprint(n, " ", one, "s")
}

// Arguments that many events have.

func number[T ~uint8](name string, n T) engine.Arg { return flow.Arg(name, int(n)) }

func arm(e End) engine.Arg { return flow.Arg("arm", armNames[e%Arms]) }

func (g *game) faction(f FactionID) engine.Arg { return flow.Arg("faction", f.String()) }

func (b Board) district(c CellID) engine.Arg { return b.cell("district", c) }

// cell is an argument for a cell with a tile.
func (b Board) cell(name string, c CellID) engine.Arg {
	return flow.Arg(name, b.box.tiles[b.Tile[c]].Key)
}

// districts is an argument for a set of cells, by ascending cell.
func (b Board) districts(name string, cells CellSet) engine.Arg {
	list := []string{}
	for ; cells != 0; cells &= cells - 1 {
		list = append(list, b.box.tiles[b.Tile[cells.First()]].Key)
	}
	return flow.Arg(name, list)
}

func (g *game) occupation(f FactionID, kind OccID) engine.Arg {
	return flow.Arg("occupation", g.box.factions[f].occs[kind].Key)
}

// seatOf returns the player who decides for a faction, as a set.
func (b Board) seatOf(f FactionID) uint8 { return 1 << b.owner(f) }

// tellCard tells the player of a faction which card it gets, and the others that it does.
func (b Board) tellCard(kind, rule string, f FactionID, card engine.Arg) {
	b.w.Some(b.seatOf(f), kind, rule, b.faction(f), card)
	b.w.Others(b.seatOf(f), kind, rule, b.faction(f))
}

// lootCard is an argument for a loot card.
func (g *game) lootCard(t LootID) engine.Arg { return flow.Arg("card", g.box.loot[t].Key) }

// tellEnd tells how the game has ended, and shows the agendas.
func (b Board) tellEnd() {
	for seat := range b.factions {
		if f := b.Seats[seat]; b.Agenda[f] < Agendas {
			b.w.All("agenda_shown", "R10.1", b.faction(f), flow.Arg("agenda", b.box.agendas[b.Agenda[f]].Key), flow.Arg("met", b.wonBy(f) != nil))
		}
	}
	b.w.All("game_over", "R10.1", number("night", b.Night), flow.Arg("by", endingNames[b.Ending]), flow.Arg("winners", b.factionList(b.Winners)))
}
