// Package bloc encodes views of Bloc by Bloc: planes over the 25 cells of the city, then
// globals. The factions come in the order of the seats from the observer's own: the faction
// that is asked where the observer decides, else the first one that it owns.
package bloc

import (
	"powderkeg/engine/bloc"
	"powderkeg/env/encoding"
)

// layout of version 3. Version 1 divided every count by its limit, so that one bloc, one
// cop and one die, which decide most, showed as a tenth or less; and it left to the
// learner where blocs can go and where cops may come from. Version 2 had the first fields
// of this one, and left out what version 3 adds at the end: situations looked alike that
// are not. Version 4 adds what version 4 of the rules distinguishes.
var layout = encoding.Layout{Game: "bloc", Version: 4}

// Sizes of fields. They are numbers, those of the game when the fields were made: a game
// that grows leaves what networks read where it is. What is new is shown by a field of its
// own, behind the last one.
const (
	decisions = 33
	scenarios = 13
	verbs     = 16
	uses      = 5
	offers    = 18
)

// phases are the phases of the night.
var phases = []string{"set_up", "sunset_1", "sunset_2", "sunset_3", "sunrise_1A", "sunrise_1B", "sunrise_1C", "sunrise_2", "sunrise_3", "over"}

// plane adds a field of n planes over the cells.
func plane(name string, min, max float32, meaning string, n int) int {
	return layout.Add(name, min, max, meaning+"; planes over the cells row by row", nil, n, bloc.Cells)
}

var (
	factions = []string{"own", "next", "opposite", "previous"}

	typeAt = plane("tile_type", 0, 1,
		"one-hot: district of own, next, opposite, previous faction (one not in the game comes last), State, Public, Commercial, highway", bloc.Types)
	idAt        = plane("police_id", 0, 1, "police ID divided by 26", 1)
	diffAt      = plane("difficulty", 0, 1, "difficulty of the side that lies up, divided by 6", 1)
	metroAt     = plane("metro", 0, 1, "1 with a metro station", 1)
	circleAt    = plane("occupation_circle", 0, 1, "1 if the district can hold an occupation", 1)
	liberableAt = plane("can_be_liberated", 0, 1, "1 if the tile has a liberated side", 1)
	liberatedAt = plane("liberated", 0, 1, "1 if liberated", 1)
	armAt       = plane("connections", 0, 1, "1 if a connection leaves by arm N, E, S, W", bloc.Arms)
	armRowAt    = plane("connection_rows", -1, 1, "rows from here to its other end, divided by 4", bloc.Arms)
	armColAt    = plane("connection_columns", -1, 1, "columns from here to its other end, divided by 4", bloc.Arms)
	armOverAt   = plane("connection_highway", 0, 1, "1 if it runs over a highway", bloc.Arms)
	armBarrAt   = plane("connection_barricades", 0, 1, "barricades of the connection, divided by 3", bloc.Arms)
	armHereAt   = plane("entrance_barricades", 0, 1, "of these at this end, divided by 3", bloc.Arms)

	presentAt  = plane("present", 0, 1, "1 with a bloc of the faction", bloc.Factions)
	blocsAt    = plane("blocs", 0, 2.5, "blocs by faction, divided by 4", bloc.Factions)
	attackedAt = plane("attacked", 0, 2.5, "of these have attacked in their clash, divided by 4", bloc.Factions)
	policeAt   = plane("police", 0, 1, "1 with a riot cop or a riot van", 1)
	copsAt     = plane("cops", 0, 7.5, "riot cops divided by 4", 1)
	comingAt   = plane("coming", 0, 7.5, "most riot cops that one ops card may move here from an adjacent group, divided by 4", 1)
	reachAt    = plane("reach", 0, 1, "1 where own blocs can move now: from any district, or from the pending one", 1)
	vanAt      = plane("van", 0, 1, "1 with a riot van", 1)
	hitsAt     = plane("van_hits", 0, 1, "hits that it has taken, divided by 3", 1)
	occAt      = plane("occupations", 0, 1, "1 for the occupation of faction f and kind k at plane 5*f+k", bloc.Factions*bloc.Occupations)
	centersAt  = plane("shopping_centers", 0, 1, "unlooted, graffitied, burned, divided by 6", 3)
	sunriseAt  = plane("sunrise", 0, 1, "occupation protected; void cop attacks divided by 10; liberation boost divided by 6", 3)
	barredAt   = plane("barred", 0, 1, "1 where loot, build, swap is barred this turn", 3)
	cellAt     = plane("pending_cell", 0, 1, "1 for the district that the action, card or attack is about", 1)
	fromAt     = plane("pending_from", 0, 1, "1 for the district that blocs move from", 1)

	scenarioAt = layout.Add("scenario", 0, 1, "one-hot, in the order of the option", nil, scenarios)
	modeAt     = layout.Add("semi_cooperative", 0, 1, "1 with agendas", nil, 1)
	playersAt  = layout.Add("players", 0, 1, "one-hot: number of players", []string{"2", "3", "4"}, 3)
	inPlayAt   = layout.Add("in_play", 0, 1, "1 if there is such a faction", factions, bloc.Factions)
	mineAt     = layout.Add("mine", 0, 1, "1 if the observer decides for it", factions, bloc.Factions)
	phaseAt    = layout.Add("phase", 0, 1, "one-hot: phase", phases, len(phases))
	nightAt    = layout.Add("night", 0, 1.125, "number of the night, nights left, turns over: divided by 8, 8, 4", []string{"night", "left", "turns"}, 3)
	firstAt    = layout.Add("first_faction", 0, 1, "one-hot: whose turn is first this night", factions, bloc.Factions)
	activeAt   = layout.Add("active", 0, 1, "one-hot: whose turn it is", factions, bloc.Factions)
	toActAt    = layout.Add("to_act", 0, 1, "1 if the observer is to act", nil, 1)
	askedAt    = layout.Add("asked", 0, 1, "one-hot: the faction that decides", factions, bloc.Factions)
	decisionAt = layout.Add("decision", 0, 1, "one-hot: D1 to D33; zero at chance and at the end", nil, decisions)
	matAt      = layout.Add("mat", 0, 2, "blocs on the mat, divided by 5", factions, bloc.Factions)
	matOccAt   = layout.Add("mat_occupations", 0, 1, "1 for each kind of occupation on the mat, by faction", nil, bloc.Factions, bloc.Occupations)
	handSizeAt = layout.Add("hand_size", 0, 15, "cards in hand, divided by 4", factions, bloc.Factions)
	handAt     = layout.Add("hand", 0, 3.5,
		"cards in hand that the observer knows, by faction and kind, divided by 2", nil, bloc.Factions, bloc.LootCards)
	toldAt     = layout.Add("own_hand_known", 0, 3.5, "cards of the own hand that another player is certain of, divided by 2", nil, bloc.LootCards)
	unseenAt   = layout.Add("loot_unseen", 0, 1, "loot cards that the observer has not seen, share of the copies", nil, bloc.LootCards)
	discardAt  = layout.Add("loot_discard", 0, 1, "loot discard pile, share of the copies", nil, bloc.LootCards)
	drawnAt    = layout.Add("drawn", 0, 1.5, "cards just drawn by the observer, divided by 2", nil, bloc.LootCards)
	deckSizeAt = layout.Add("loot_deck_size", 0, 1, "cards in the loot deck, divided by 60", nil, 1)
	opsAt      = layout.Add("ops_deck", 0, 1, "police ops cards of unknown place in the deck, divided by 3", nil, bloc.OpsCards)
	opsDiscAt  = layout.Add("ops_discard", 0, 1, "police ops discard pile, divided by 3", nil, bloc.OpsCards)
	opsAheadAt = layout.Add("ops_ahead", 0, 1, "one-hot: first to fifth card of the ops deck, zero if not known", nil, ahead, bloc.OpsCards)
	manifestAt = layout.Add("manifestations", 0, 1, "manifestation cards not turned up, divided by 4", nil, bloc.Manifestations)
	agendaAt   = layout.Add("agenda", 0, 1, "one-hot: own agenda card", nil, bloc.Agendas)
	meetsAt    = layout.Add("agenda_met", 0, 1, "1 if the own agenda's first, second option is met now; success of the insurrection", nil, 3)
	bonusAt    = layout.Add("bonus_dice", 0, 5, "bonus dice of the next turn, divided by 4", factions, bloc.Factions)
	moraleAt   = layout.Add("morale", 0, 1, "one-hot: police morale step", nil, bloc.MoraleSteps)
	lockdownAt = layout.Add("metro_lockdown", 0, 1, "one-hot: the faction with the Metro Lockdown before it", factions, bloc.Factions)
	diceAt     = layout.Add("dice", 0, 3.5, "unspent action dice by value, divided by 2", nil, 6)
	leastAt    = layout.Add("dice_at_least", 0, 3.5, "unspent action dice that show at least 1 to 6, divided by 2", nil, 6)
	turnAt     = layout.Add("turn", 0, 1,
		"extra dice divided by 14, Bolt Cutters pending, Signal Jammers divided by 2, proposals divided by 3",
		[]string{"extra_dice", "bolt_cutters", "jammers", "trades"}, 4)
	usesAt = layout.Add("uses", 0, 1,
		"uses this turn divided by 2", []string{"assembly_hall", "hacker_space", "propaganda_workshop", "social_center", "molotov_factory"}, uses)
	supplyAt = layout.Add("supply", 0, 1,
		"cops and vans in staging, vans destroyed, barricades in the pile, divided by 30, 6, 6, 40", []string{"cops", "vans", "destroyed", "barricades"}, 4)
	verbAt    = layout.Add("pending_verb", 0, 1, "one-hot: the action under way", nil, verbs)
	cardAt    = layout.Add("pending_card", 0, 1, "one-hot: the loot card that is carried out", nil, bloc.LootCards)
	manifAt   = layout.Add("pending_manifestation", 0, 1, "one-hot: the manifestation card that is carried out", nil, bloc.Manifestations)
	numbersAt = layout.Add("pending_numbers", 0, 7.5,
		"blocs or cops that move, choices left, bonus of the attack, divided by 4; basic action", []string{"count", "left", "bonus", "basic"}, 4)
	rollAt    = layout.Add("reaction_roll", 0, 1, "one-hot: the reaction roll that is answered", nil, 6)
	partnerAt = layout.Add("trade_partner", 0, 1, "one-hot: who is offered a trade", factions, bloc.Factions)
	giveAt    = layout.Add("trade_give", 0, 1, "one-hot: not chosen, a loot card, any, nothing; zero if hidden", nil, offers)
	wantAt    = layout.Add("trade_want", 0, 1, "one-hot: the same for what is asked for", nil, offers)
	liberAt   = layout.Add("liberating", 0, 1, "1 for each liberating faction", factions, bloc.Factions)
	chooserAt = layout.Add("chooser", 0, 1, "one-hot: who chooses for the manifestation", factions, bloc.Factions)
	lostAt    = layout.Add("lost", 0, 2.5, "blocs just defeated that may be saved, divided by 4", factions, bloc.Factions)
)

// Since version 3.
var (
	opsMoreAt = layout.Add("ops_further_ahead", 0, 1,
		"one-hot: sixth to fifteenth card of the ops deck, zero if not known", nil, further, bloc.OpsCards)
	opsSizesAt = layout.Add("ops_deck_sizes", 0, 1,
		"known cards on top of the ops deck, cards of the whole deck, cards shown by manifestations this Sunrise: divided by 34",
		[]string{"known", "deck", "revealed"}, 3)
	occupyAt = layout.Add("pending_occupation", 0, 1, "one-hot: kind of the occupation that is to be built or swapped in", nil, bloc.Occupations)
	restAt   = layout.Add("pending_rest", 0, 1,
		"cards to keep of those drawn divided by 3; least arm, faction, cell or Molotovs that may be chosen next divided by 25; "+
			"1 if no more need be chosen",
		[]string{"keep", "least", "enough"}, 3)
	whichAt = layout.Add("which_faction", 0, 1,
		"one-hot for own, next, opposite, previous: workers, students, neighbors, prisoners",
		[]string{"workers", "students", "neighbors", "prisoners"}, bloc.Factions, bloc.Factions)
	gateAt    = layout.Add("win_gate", 0, 1, "1 if the scenario lets anybody win now", nil, 1)
	boltAt    = layout.Add("bolt_cutters_off", 0, 1, "what Bolt Cutters take off the next advanced action, divided by 2", nil, 1)
	knownByAt = layout.Add("own_hand_known_by", 0, 3.5,
		"cards of the own hand that the players of next, opposite, previous are certain of, divided by 2", nil, bloc.Factions-1, bloc.LootCards)
	secondAt = layout.Add("second_hand_known", 0, 3.5,
		"with two players: cards of the other own faction's hand that the other player is certain of, divided by 2", nil, bloc.LootCards)
)

// Since version 4.
var expiringAt = layout.Add("metro_lockdown_expiring", 0, 1,
	"1 if the Metro Lockdown was drawn before this night, and ends with its holder's turn", nil, 1)

// How many known cards of the ops deck are shown: by version 2, and beyond them. Three
// Leaked Orders in one Sunrise show fifteen.
const (
	ahead   = 5
	further = 10
)
