package bloc

import (
	"fmt"

	"powderkeg/engine/flow"
)

// The events of the game, a line for each; README.md lists them, too. The arguments are the
// words of positions, districts the keys of their tiles.
var (
	// Chapter 2.
	tileLaid     = flow.Tells("tile", "cell tile", "Cell {cell}: {tile}")
	tileTurned   = flow.Tells("rotation", "tile rotation", "{tile} is turned by {rotation} quarters")
	cityRedrawn  = flow.Tells("redraw", "redraws", "The city is unfit and is drawn again ({redraws})")
	cityReplaced = flow.Tells("stand_in", "", "The city is unfit once more; the beginner city takes its place")
	factionDealt = flow.Tells("faction", "seat faction player", "Seat {seat} plays the {faction}")
	agendaDealt  = flow.Veil("The {faction} get an agenda card", flow.Tells("agenda", "faction (agenda)", "The {faction} get the agenda {agenda}"))
	firstChosen  = flow.Tells("first_faction", "faction", "The {faction} get the first faction marker")

	// Chapters 4 to 7.
	cardPlayed     = flow.Tells("played", "faction card", "The {faction} play {card}")
	cardDiscarded  = flow.Tells("discarded", "faction card", "The {faction} discard {card}")
	turnBegun      = flow.Tells("turn", "night faction", "Night {night}: the {faction} have their turn")
	diceCounted    = flow.Tells("dice", "faction dice", "The {faction} roll {dice}")
	dieShown       = flow.Tells("die", "faction value", "The {faction} roll a {value}")
	dieSpent       = flow.Tells("spent", "faction value", "The {faction} spend a {value}")
	blocsFormed    = flow.Tells("formed", "faction blocs district", "The {faction} form {blocs} in {district}")
	blocsMoved     = flow.Tells("moved", "faction blocs from to", "{blocs} of the {faction} go from {from} to {to}")
	barricadeBuilt = flow.Tells("barricade", "district arm barricades", "{district} has {barricades} in the {arm}")
	barricadesGone = flow.Tells("dismantled", "district arm barricades", "{district} loses {barricades} in the {arm}")
	actionBarred   = flow.Tells("barred", "faction action district",
		"The {faction} cannot {action} in {district} this turn while they could be stopped again")
	cardDrawn         = flow.Veil("The {faction} draw a loot card", flow.Tells("draw", "faction (card)", "The {faction} draw {card}"))
	lootShuffled      = flow.Tells("loot_shuffled", "cards", "The loot discard pile becomes the new deck of {cards}")
	centerLooted      = flow.Tells("looted", "district how", "A shopping centre in {district} is {how}")
	occupationBuilt   = flow.Tells("built", "faction occupation district", "The {faction} have {occupation} in {district}")
	occupationEvicted = flow.Tells("evicted", "faction occupation district", "{occupation} of the {faction} leaves {district} for the mat")
	reactionShown     = flow.Tells("reaction", "district value", "The reaction roll in {district} is a {value}")
	diceGained        = flow.Tells("extra_dice", "faction dice", "The {faction} get {dice} extra")
	attackMade        = flow.Tells("attack", "faction action district strength", "The {faction} attack in {district} with strength {strength}")
	vanHit            = flow.Tells("van_hit", "district hits", "The riot van in {district} has taken {hits}")
	vanDestroyed      = flow.Tells("van_destroyed", "district", "The riot van in {district} is destroyed")
	boltsCut          = flow.Tells("bolt_cutters", "faction bolt_cutters", "The next advanced action of the {faction} needs {bolt_cutters} less")
	opsJammed         = flow.Tells("jammers", "cards", "The police will draw {cards} fewer this turn")
	tradeProposed     = flow.Veil("The {faction} offer the {partner} a trade",
		flow.Tells("proposal", "faction partner (give) (want)", "The {faction} offer {give} to the {partner} for {want}"))
	cardHanded = flow.Veil("The {faction} hand a card to the {partner}",
		flow.Tells("handed", "faction partner (card)", "The {faction} hand {card} to the {partner}"))

	// Chapter 8.
	opsCard       = flow.Tells("ops_card", "ops_card", "Police ops: {ops_card}")
	opsShuffled   = flow.Tells("ops_shuffled", "cards", "The police ops deck is shuffled and has {cards}")
	moraleChanged = flow.Tells("morale", "morale_step morale cards", "Police morale is {morale}: {cards} a turn")
	copsDeployed  = flow.Tells("cops_deployed", "cops district", "{cops} come to {district}")
	copsWithdrawn = flow.Tells("cops_withdrawn", "cops district", "{cops} leave {district} for staging")
	copsMoved     = flow.Tells("cops_moved", "cops from to", "{cops} go from {from} to {to}")
	copsStopped   = flow.Tells("cops_stopped", "cops from to", "Barricades stop {cops} on the way from {from} to {to}")
	vanDeployed   = flow.Tells("van_deployed", "district", "A riot van comes to {district}")
	vansMoved     = flow.Tells("vans_moved", "from to", "Riot vans go from {from} to {to}")
	metroLocked   = flow.Tells("metro_locked", "faction", "The metro is locked until the {faction} have had their turn of the next night")
	metroOpened   = flow.Tells("metro_open", "", "The metro is open again")

	// Chapters 9 and 10.
	sunriseBegun        = flow.Tells("sunrise", "night repaired", "Sunrise of night {night}; riot vans repaired: {repaired}")
	vanAttacked         = flow.Tells("van_attack", "district blocs", "The riot van in {district} attacks {blocs}")
	copsAttacked        = flow.Tells("cop_attack", "district attacks blocs", "Riot cops make {attacks} on {blocs} in {district}")
	blocsDefeated       = flow.Tells("defeated", "faction blocs district", "The {faction} lose {blocs} in {district}")
	blocsSaved          = flow.Tells("saved", "faction blocs district", "The {faction} save {blocs} in {district}")
	occupationProtected = flow.Tells("protected", "district", "The occupation in {district} is protected")
	attacksCancelled    = flow.Tells("cancelled", "cops district", "The attacks of {cops} in {district} are void")
	districtBoosted     = flow.Tells("boost", "district blocs", "{district} counts as {blocs} more")
	districtLiberated   = flow.Tells("liberated", "district liberating blocs needed",
		"{district} is liberated by {blocs} of the {liberating}, where {needed} are needed")
	manifestationShown = flow.Tells("manifestation", "manifestation", "Manifestation: {manifestation}")
	bonusGiven         = flow.Tells("bonus_dice", "faction dice", "The {faction} have {dice} more in their next turn")
	opsRevealed        = flow.Tells("revealed", "place ops_card", "Number {place} of the police ops deck is {ops_card}")
	nightBegun         = flow.Tells("night", "night nights_left faction",
		"Night {night} begins, {nights_left} are left; the {faction} get the first faction marker")
	agendaShown = flow.Tells("agenda_shown", "faction agenda met", "The {faction} show the agenda {agenda}")
	gameOver    = flow.Tells("game_over", "night by winners", "The game is over after night {night}, {by}; winners: {winners}")
)

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
	}, nil)
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

// tell tells everybody what has happened, and by which rule. The values are those of the
// kind's arguments, each of a type with its own words (fact). Where nobody listens that costs
// nothing: values of one byte are passed without an allocation.
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

// fact returns a value as events have it: a word, a number, or a list of words.
func (b Board) fact(value any) any {
	switch v := value.(type) {
	case FactionID:
		return v.String()
	case factionSet:
		return factionList(v)
	case CellID:
		return b.box.tiles[b.Tile[v]].Key
	case CellSet:
		keys := []string{}
		for ; v != 0; v &= v - 1 {
			keys = append(keys, b.box.tiles[b.Tile[v.First()]].Key)
		}
		return keys
	case Holding:
		return b.box.factions[v.Faction()].occs[v.Kind()].Key
	case End:
		return v.Arm().String()
	case Verb:
		return b.box.actions[ActVerb+int(v)]
	case Offer:
		return b.box.actions[offerAction(v)]
	case LootID:
		return b.box.loot[v].Key
	case OpsID:
		return b.box.ops[v].Key
	case ManifestID:
		return b.box.manifest[v].Key
	case AgendaID:
		return b.box.agendas[v].Key
	case CenterState:
		return centerNames[v]
	case Bar:
		return barNames[v]
	case moraleID:
		return b.box.morale[v].Name
	case Ending:
		return endingNames[v]
	case uint8:
		return int(v)
	}
	return value
}

// seatOf returns the player who decides for a faction, as a set.
func (b Board) seatOf(f FactionID) uint8 { return 1 << b.owner(f) }

// tellEnd tells how the game has ended, and shows the agendas.
func (b Board) tellEnd() {
	for seat := range b.factions {
		if f := b.Seats[seat]; b.Agenda[f] < Agendas {
			b.tell(agendaShown, "R10.1", f, b.Agenda[f], b.wonBy(f) != nil)
		}
	}
	b.tell(gameOver, "R10.1", b.Night, b.Ending, factionSet(b.Winners))
}
