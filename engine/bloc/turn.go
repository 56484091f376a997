package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// stage is what the game is doing. Each has a line in stages.
type stage uint8

const (
	layTile stage = iota
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
	revealOps
	nextNight
	over
	numStages
)

// stageRow is one line of the table: the phase of R1.3 it belongs to, the
// function that asks or carries on (it returns true when the game waits), and the one
// that carries out a choice.
type stageRow struct {
	name   string
	phase  phase
	prompt func(g *game, p *position, w *flow.Witness) bool
	act    func(g *game, p *position, w *flow.Witness, a int)
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
)

var phaseNames = [...]string{"set_up", "sunset_1", "sunset_2", "sunset_3", "sunrise_1A", "sunrise_1B", "sunrise_1C", "sunrise_2", "sunrise_3", "over"}

// stages is filled in once, since the functions look up phases in it.
var stages = [numStages]stageRow{
	layTile:          {"lay_tile", inSetUp, (*game).promptTile, nil},
	turnTile:         {"turn_tile", inSetUp, (*game).promptRotation, nil},
	placePolice:      {"place_police", inSetUp, (*game).promptPolice, nil},
	dealFactions:     {"deal_factions", inSetUp, (*game).promptFaction, nil},
	dealLoot:         {"deal_loot", inSetUp, (*game).promptHand, nil},
	dealAgendas:      {"deal_agendas", inSetUp, (*game).promptAgenda, nil},
	chooseStart:      {"start_district", inSetUp, (*game).promptStart, (*game).actStart},
	drawFirst:        {"first_faction", inSetUp, (*game).promptFirst, nil},
	beginTurn:        {"begin_turn", inDice, (*game).beginTurn, nil},
	rollDice:         {"roll_dice", inDice, (*game).promptDice, nil},
	menu:             {"menu", inActions, (*game).promptMenu, (*game).actMenu},
	moveSource:       {"move_source", inActions, (*game).promptSource, (*game).actSource},
	moveCount:        {"move_count", inActions, (*game).promptCount, (*game).actCount},
	moveDestination:  {"move_destination", inActions, (*game).promptDestination, (*game).actDestination},
	barricadeCell:    {"barricade_cell", inActions, (*game).promptBarricadeCell, (*game).actBarricadeCell},
	barricadeArm:     {"barricade_arm", inActions, (*game).promptBarricadeArm, (*game).actBarricadeArm},
	advancedCell:     {"advanced_cell", inActions, (*game).promptAdvancedCell, (*game).actAdvancedCell},
	chooseOccupation: {"occupation_choice", inActions, (*game).promptOccupation, (*game).actOccupation},
	stopAction:       {"stop", inActions, (*game).promptStop, (*game).actStop},
	drawLoot:         {"draw_loot", inActions, (*game).promptDraw, nil},
	discardDrawn:     {"discard_drawn", inActions, (*game).promptDiscard, (*game).actDiscard},
	attackCell:       {"attack_cell", inActions, (*game).promptAttackCell, (*game).actAttackCell},
	attackBoost:      {"attack_boost", inActions, (*game).promptBoost, (*game).actBoost},
	kickArm:          {"kick_arm", inActions, (*game).promptKick, (*game).actKick},
	attackOn:         {"attack_continue", inActions, (*game).promptContinue, (*game).actContinue},
	rollReaction:     {"reaction_roll", inActions, (*game).promptReaction, nil},
	answerReaction:   {"reaction_response", inActions, (*game).promptScanner, (*game).actScanner},
	rollExtra:        {"extra_dice", inActions, (*game).promptExtra, nil},
	chooseCard:       {"card_choice", inActions, (*game).promptCard, (*game).actCard},
	cardCell:         {"card_cell", inActions, (*game).promptCardCell, (*game).actCardCell},
	runProgram:       {"run_program", inActions, (*game).runProgram, nil},
	tradePartner:     {"trade_partner", inActions, (*game).promptPartner, (*game).actPartner},
	tradeGive:        {"trade_give", inActions, (*game).promptGive, (*game).actGive},
	tradeWant:        {"trade_want", inActions, (*game).promptWant, (*game).actWant},
	tradeResponse:    {"trade_response", inActions, (*game).promptResponse, (*game).actResponse},
	tradePick:        {"trade_pick", inActions, (*game).promptPick, (*game).actPick},
	drawOps:          {"police_ops", inOps, (*game).promptOps, nil},
	repairVans:       {"repair_vans", inSunrise1A, (*game).repairVans, nil},
	scanVans:         {"van_attacks", inSunrise1B, (*game).scanVans, nil},
	askDoors:         {"van_cards", inSunrise1B, (*game).promptDoors, (*game).actDoors},
	scanCops:         {"cop_attacks", inSunrise1C, (*game).scanCops, nil},
	askMasks:         {"cop_cards", inSunrise1C, (*game).promptMasks, (*game).actMasks},
	nameVictims:      {"victims", inSunrise1C, (*game).promptVictim, (*game).actVictim},
	rescue:           {"medic_kit", inSunrise1C, (*game).promptMedic, (*game).actMedic},
	rescueTo:         {"medic_destination", inSunrise1C, (*game).promptMedicCell, (*game).actMedicCell},
	scanSound:        {"liberation_scan", inSunrise2, (*game).scanSound, nil},
	askSound:         {"liberation_cards", inSunrise2, (*game).promptSound, (*game).actSound},
	liberate:         {"liberation", inSunrise2, (*game).liberateNext, nil},
	turnUp:           {"manifestation", inSunrise2, (*game).promptManifest, nil},
	mutiny:           {"manifest_cops", inSunrise2, (*game).promptMutiny, (*game).actMutiny},
	torch:            {"manifest_van", inSunrise2, (*game).promptTorch, (*game).actTorch},
	marchOrNot:       {"manifest_march", inSunrise2, (*game).promptMarch, (*game).actMarch},
	occupyCell:       {"manifest_occupy", inSunrise2, (*game).promptOccupy, (*game).actOccupy},
	revealOps:        {"reveal_ops", inSunrise2, (*game).promptReveal, nil},
	nextNight:        {"next_night", inSunrise3, (*game).nextNight, nil},
	over:             {"over", isOver, (*game).promptOver, nil},
}

// phaseOf returns the phase that a position is in. Steps of a turn also serve the
// Police Ops step and manifestations, and the Medic Kit both kinds of police.
func (p *position) phaseOf() phase {
	switch {
	case p.step == rescue || p.step == rescueTo:
		if p.now.keep == byVan {
			return inSunrise1B
		}
	case p.now.program != noProgram && p.now.program >= firstManifest:
		return inSunrise2
	case p.step == drawOps && p.now.roll != 0:
		return inActions
	}
	return stages[p.step].phase
}

// run carries out what needs no choice until the game waits for a decision or a
// chance event, or is over. With auto_forced a decision with one option is carried
// out too, but for those of R13.1 that are always asked.
func (g *game) run(p *position, w *flow.Witness) {
	for {
		if !stages[p.step].prompt(g, p, w) {
			continue
		}
		if p.actor < 0 || !g.forced(p) {
			if p.turn == g.factions && !p.ask.secret() { // at Sunrise
				p.seenByAll()
			}
			return
		}
		g.act(p, w, p.legal.first())
	}
}

// act carries out a choice.
func (g *game) act(p *position, w *flow.Witness, a int) {
	if w != nil {
		g.tellMove(p, w, a)
	}
	stages[p.step].act(g, p, w, a)
}

// forced implements R13.1 (Ruling 38): a decision with one legal action may be taken
// unasked, where everybody can tell from what is public that there is just one. So the
// number of cards counts, and never which they are.
func (g *game) forced(p *position) bool {
	if !g.autoForced || p.legal.count() != 1 {
		return false
	}
	switch p.ask {
	case askMenu:
		return p.handSize[p.asked] == 0
	case askCard, askGive, askPick:
		return p.handSize[p.asked] <= 1
	case askDiscard, askResponse:
		return false
	}
	return true
}

// decide asks faction f a question.
func (g *game) decide(p *position, q ask, f uint8, legal actionSet) bool {
	p.ask, p.asked, p.actor, p.legal = q, f, engine.Player(g.owner(p, f)), legal
	return true
}

// decideCell asks for one of a set of cells.
func (g *game) decideCell(p *position, q ask, f uint8, cells cellSet) bool {
	var legal actionSet
	legal.addBits(actCell, uint32(cells))
	return g.decide(p, q, f, legal)
}

// wait asks chance.
func (p *position) wait(q ask) bool {
	p.ask, p.asked, p.actor, p.legal = q, noFaction, engine.Chance, actionSet{}
	return true
}

// promptOver implements the end of the game (R10.1).
func (g *game) promptOver(p *position, _ *flow.Witness) bool {
	p.ask, p.asked, p.actor, p.legal = askNothing, noFaction, engine.Terminal, actionSet{}
	return true
}

// beginTurn implements R4.1, R4.2 and R4.3 (Step 1): a bloc appears at the Faction
// Start, liberated or not (Ruling 17), and the dice are counted.
func (g *game) beginTurn(p *position, w *flow.Witness) bool {
	p.who = g.order(p, p.turn)
	if w != nil {
		w.All("turn", "R4.2", number("night", p.night), g.faction(p.who))
	}
	if c := p.place[p.who][factionStart]; c != noCell {
		g.form(p, w, "R4.3", p.who, c, uint8(g.box.factions[p.who].occs[factionStart].Ability[0].N))
	}
	p.now.left = min(g.box.dice[blocsEach-p.mat[p.who]]+p.bonusDice[p.who], g.box.limits.Dice)
	p.bonusDice[p.who] = 0
	if w != nil {
		w.All("dice", "R4.3", g.faction(p.who), number("dice", p.now.left))
	}
	p.step = rollDice
	return false
}

// promptDice implements C8: the action dice, one a chance event.
func (g *game) promptDice(p *position, _ *flow.Witness) bool {
	if p.now.left > 0 {
		return p.wait(askDie)
	}
	p.step = menu
	return false
}

// rolledDie takes an action die that shows v+1 (R4.3, R1.2).
func (g *game) rolledDie(p *position, w *flow.Witness, v uint8) {
	p.dice[v]++
	p.now.left--
	rule := "R4.3"
	if p.step == rollExtra {
		p.extraDice++
		rule = "R1.2"
	}
	if w != nil {
		w.All("die", rule, g.faction(p.who), number("value", v+1))
	}
}

// endTurn implements R4.5 (End of the turn) and R8.9: dice and counters of the turn
// are cleared, and a Metro Lockdown before this faction ends.
func (g *game) endTurn(p *position, w *flow.Witness) {
	p.dice, p.uses, p.barred = [sides]uint8{}, [numUses]uint8{}, [numBars]cellSet{}
	p.extraDice, p.bolt, p.jammers, p.trades = 0, 0, 0, 0
	if p.lockdown == p.who {
		p.lockdown = noFaction
		p.opsDiscard[g.box.lockdown]++
		if w != nil {
			w.All("metro_open", "R8.9")
		}
	}
	p.now = clearPending
	p.who = noFaction
	p.turn++
	if p.turn < g.factions {
		p.step = beginTurn
	} else {
		p.step = repairVans
	}
}

// backToMenu ends what was going on in the turn; the next verb can be chosen
// (R4.4).
func (p *position) backToMenu() {
	p.now = clearPending
	p.step = menu
}

// stepDone goes on after a step that cards and actions share: with the program that
// it belongs to, or at the menu.
func (p *position) stepDone() {
	if p.now.program != noProgram {
		p.step = runProgram
		return
	}
	p.backToMenu()
}
