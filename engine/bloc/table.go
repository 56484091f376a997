package bloc

import (
	"strconv"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Stage is what the game is doing: the step of a position, and a row of the table.
type Stage = uint8

const (
	layTile Stage = iota
	turnTile
	placePolice
	dealFactions
	dealLoot
	dealAgendas
	chooseStart
	drawFirst
	beginTurn
	rollDice
	menu
	moveSource
	moveCount
	moveDestination
	barricadeCell
	barricadeArm
	advancedCell
	chooseOccupation
	stopAction
	drawLoot
	discardDrawn
	attackCell
	attackBoost
	kickArm
	attackOn
	rollReaction
	answerReaction
	rollExtra
	chooseCard
	cardCell
	runProgram
	tradePartner
	tradeGive
	tradeWant
	tradeResponse
	tradePick
	drawOps
	repairVans
	scanVans
	askDoors
	scanCops
	askMasks
	nameVictims
	rescue
	rescueTo
	scanSound
	askSound
	liberate
	turnUp
	mutiny
	torch
	marchOrNot
	occupyCell
	manifestArm
	revealOps
	nextNight
	over
	numStages
)

type (
	row  = flow.Row[*game, Position]
	odds = flow.Odds[*game, Position]
)

// stageRow is a row of the table: its name in positions, its phase (R1.3), the question in
// words that follow the name of the faction asked, and what happens in it.
type stageRow struct {
	name     string
	phase    phase
	question string
	stage
}

// stage is what happens in a stage: ask puts its question, or carries the game on to another
// stage and returns false.
type stage struct {
	ask prompt
	row
}

// phase is a step of the night (R4.1, R4.2).
type phase uint8

const (
	inSetUp phase = iota
	inDice
	inActions
	inOps
	inSunrise1A
	inSunrise1B
	inSunrise1C
	inSunrise2
	inSunrise3
	isOver

	// Phases is how many there are.
	Phases = int(isOver) + 1
)

var phaseNames = [...]string{"set_up", "sunset_1", "sunset_2", "sunset_3", "sunrise_1A", "sunrise_1B", "sunrise_1C", "sunrise_2", "sunrise_3", "over"}

// stages is the table of the game.
var stages = [numStages]stageRow{
	layTile:     {"lay_tile", inSetUp, "", drawn("C2_tile", "R2.2", Board.promptTile, Board.tileDrawn, tileOdds)},
	turnTile:    {"turn_tile", inSetUp, "", drawn("C2_rotation", "R2.2", Board.promptRotation, Board.rotationDrawn, die(outRotation, Arms))},
	placePolice: {"place_police", inSetUp, "", goesOn(Board.promptPolice)},
	dealFactions: {"deal_factions", inSetUp, "",
		drawn("C1", "R2.7", Board.promptFaction, Board.factionDrawn, each(outFaction, Factions, Board.factionOdds))},
	dealLoot: {"deal_loot", inSetUp, "", drawn("C11", "R2.8", Board.promptHand, Board.handDrawn, flow.Cards(outLoot, lootOdds))},
	dealAgendas: {"deal_agendas", inSetUp, "",
		drawn("C6", "R2.9", Board.promptAgenda, Board.agendaDrawn, each(outAgenda, Agendas, Board.agendaOdds))},
	chooseStart: {"start_district", inSetUp, "choose a district to start in", asked("D1", "R2.10", Board.promptStart, Board.actStart)},
	drawFirst: {"first_faction", inSetUp, "",
		drawn("C7", "R2.11", Board.promptFirst, Board.firstDrawn, each(outFaction, Factions, Board.firstOdds))},
	beginTurn:       {"begin_turn", inDice, "", goesOn(Board.beginTurn)},
	rollDice:        {"roll_dice", inDice, "", drawn("C8", "R4.3", Board.promptDice, Board.dieRolled, die(outDie, Sides))},
	menu:            {"menu", inActions, "choose what to do", asked("D2", "R5.1", Board.promptMenu, Board.actMenu)},
	moveSource:      {"move_source", inActions, "choose where blocs move from", asked("D3", "R5.3", Board.promptSource, Board.actSource)},
	moveCount:       {"move_count", inActions, "choose how many blocs move", asked("D4", "R5.3", Board.promptCount, Board.actCount)},
	moveDestination: {"move_destination", inActions, "choose where they move", asked("D5", "R5.3", Board.promptDestination, Board.actDestination)},
	barricadeCell: {"barricade_cell", inActions, "choose a district for a barricade",
		asked("D6", "R5.7", Board.promptBarricadeCell, Board.actBarricadeCell)},
	barricadeArm: {"barricade_arm", inActions, "choose a connection for a barricade",
		asked("D7", "R5.7", Board.promptBarricadeArm, Board.actBarricadeArm)},
	advancedCell:     {"advanced_cell", inActions, "choose a district", asked("D8", "R6.1", Board.promptAdvancedCell, Board.actAdvancedCell)},
	chooseOccupation: {"occupation_choice", inActions, "choose an occupation", asked("D9", "R6.3", Board.promptOccupation, Board.actOccupation)},
	stopAction:       {"stop", inActions, "stop this action or not", asked("D10", "R6.5", Board.promptStop, Board.actStop)},
	drawLoot:         {"draw_loot", inActions, "", drawn("C11", "R11.1", Board.promptDraw, Board.lootDrawn, flow.Cards(outLoot, lootOdds))},
	discardDrawn:     {"discard_drawn", inActions, "choose a drawn card to discard", asked("D16", "R6.2", Board.promptDiscard, Board.actDiscard)},
	attackCell:       {"attack_cell", inActions, "choose a clash", asked("D11", "R7.1", Board.promptAttackCell, Board.actAttackCell)},
	attackBoost:      {"attack_boost", inActions, "play Molotovs or attack", secretly("D12", "R7.1", Board.promptBoost, Board.actBoost)},
	kickArm:          {"kick_arm", inActions, "choose where the cops are kicked out", asked("D13", "R7.3", Board.promptKick, Board.actKick)},
	attackOn:         {"attack_continue", inActions, "attack again or not", asked("D14", "R7.5", Board.promptContinue, Board.actContinue)},
	rollReaction:     {"reaction_roll", inActions, "", drawn("C9", "R6.6", Board.promptReaction, Board.reactionRolled, die(outReaction, Sides))},
	answerReaction:   {"reaction_response", inActions, "cancel the reaction or not", secretly("D15", "R6.6", Board.promptScanner, Board.actScanner)},
	rollExtra:        {"extra_dice", inActions, "", drawn("C8", "R1.2", Board.promptExtra, Board.dieRolled, die(outDie, Sides))},
	chooseCard:       {"card_choice", inActions, "choose a card to play", asked("D17", "R11.2", Board.promptCard, Board.actCard)},
	cardCell:         {"card_cell", inActions, "choose a district for the card", asked("D18", "R11.3", Board.promptCardCell, Board.actCardCell)},
	runProgram:       {"run_program", inActions, "", goesOn(Board.runProgram)},
	tradePartner:     {"trade_partner", inActions, "choose a partner", asked("D19", "R5.9", Board.promptPartner, Board.actPartner)},
	tradeGive:        {"trade_give", inActions, "choose what to give", asked("D20", "R5.9", Board.promptGive, Board.actGive)},
	tradeWant:        {"trade_want", inActions, "choose what to ask for", asked("D21", "R5.9", Board.promptWant, Board.actWant)},
	tradeResponse:    {"trade_response", inActions, "answer the proposal", asked("D22", "R5.9", Board.promptResponse, Board.actResponse)},
	tradePick:        {"trade_pick", inActions, "choose a card to hand over", asked("D23", "R5.9", Board.promptPick, Board.actPick)},
	drawOps:          {"police_ops", inOps, "", drawn("C12", "R8.2", Board.promptOps, Board.opsDrawn, flow.Cards(outOps, opsOdds))},
	repairVans:       {"repair_vans", inSunrise1A, "", goesOn(Board.repairVans)},
	scanVans:         {"van_attacks", inSunrise1B, "", goesOn(Board.scanVans)},
	askDoors:         {"van_cards", inSunrise1B, "play a card against the police or not", secretly("D24", "R9.2", Board.promptDoors, Board.actDoors)},
	scanCops:         {"cop_attacks", inSunrise1C, "", goesOn(Board.scanCops)},
	askMasks:         {"cop_cards", inSunrise1C, "play a card against the police or not", secretly("D24", "R9.3", Board.promptMasks, Board.actMasks)},
	nameVictims:      {"victims", inSunrise1C, "name a victim", asked("D25", "R9.3", Board.promptVictim, Board.actVictim)},
	rescue:           {"medic_kit", inSunrise1C, "play a Medic Kit or not", secretly("D26", "R9.4", Board.promptMedic, Board.actMedic)},
	rescueTo: {"medic_destination", inSunrise1C, "choose where the saved blocs go",
		asked("D27", "R9.4", Board.promptMedicCell, Board.actMedicCell)},
	scanSound: {"liberation_scan", inSunrise2, "", goesOn(Board.scanSound)},
	askSound:  {"liberation_cards", inSunrise2, "play a Sound System or not", secretly("D28", "R9.5", Board.promptSound, Board.actSound)},
	liberate:  {"liberation", inSunrise2, "", goesOn(Board.liberateNext)},
	turnUp: {"manifestation", inSunrise2, "",
		drawn("C15", "R9.6", Board.promptManifest, Board.manifestDrawn, flow.Cards(outManifest, manifestOdds))},
	mutiny:     {"manifest_cops", inSunrise2, "choose where a cop leaves", asked("D30", "R11.4", Board.promptMutiny, Board.actMutiny)},
	torch:      {"manifest_van", inSunrise2, "choose a van", asked("D31", "R11.4", Board.promptTorch, Board.actTorch)},
	marchOrNot: {"manifest_march", inSunrise2, "march or not", asked("D32", "R11.4", Board.promptMarch, Board.actMarch)},
	occupyCell: {"manifest_occupy", inSunrise2, "choose where to build", asked("D33", "R11.4", Board.promptOccupy, Board.actOccupy)},
	manifestArm: {"barricade_arm", inSunrise2, "choose a connection for a barricade",
		asked("D29", "R11.4", Board.promptBarricadeArm, Board.actBarricadeArm)},
	revealOps: {"reveal_ops", inSunrise2, "", drawn("C12", "R11.4", Board.promptReveal, Board.opsRevealed, flow.Cards(outOps, opsOdds))},
	nextNight: {"next_night", inSunrise3, "", goesOn(Board.nextNight)},
	over:      {"over", isOver, "", goesOn(Board.promptOver)},
}

type (
	prompt = func(b Board) bool
	act    = func(b Board, a engine.Action)
)

// asked makes the stage of a decision.
func asked(name, rule string, ask prompt, do act) stage { return drawn(name, rule, ask, do, nil) }

// secretly makes the stage of a secret decision (R15.1, Ruling 37). Only a faction that holds
// a card for it is asked. The others learn neither that it was asked nor that it answered
// DONE.
func secretly(name, rule string, ask prompt, do act) stage {
	s := asked(name, rule, ask, func(b Board, a engine.Action) {
		b.seenBy(a)
		do(b, a)
	})
	s.Secret = true
	return s
}

// drawn makes the stage of a chance event.
func drawn(name, rule string, ask prompt, do act, odds *odds) stage {
	return stage{ask, row{Name: name, Rule: rule, Odds: odds, Do: func(g *game, p *Position, w *flow.Witness, a engine.Action) {
		do(Board{g, p, w}, a)
	}}}
}

// goesOn makes the stage of a step that asks nothing.
func goesOn(carryOut prompt) stage { return stage{ask: carryOut} }

// table is stages as the shell reads it, and decisions the number of the decision in
// each, from 0 on, -1 for none.
var table, decisions = func() (t []row, d [numStages]int8) {
	for i := range stages {
		t, d[i] = append(t, stages[i].row), -1
		t[i].Says = func(g *game, p *Position) string { return Board{g, p, nil}.says() }
		if name := stages[i].Name; stages[i].Odds == nil && name != "" {
			n, _ := strconv.Atoi(name[1:])
			d[i] = int8(n - 1)
		}
	}
	return t, d
}()

// Decisions is the number of decisions, D1 to D33.
const Decisions = 33

// Table implements flow.Rules.
func (g *game) Table() []row { return table }
