package insurgency

import (
	"powderkeg/engine"
)

// Limits that strict positions keep and lenient ones need not.
const (
	lastRound = 5 // R17.2
	maxHand   = 9 // R15, step 7
	minDeal   = 14
)

// validate checks a position against every limit of the rules, and frames against
// what the engine relies on, so that no position that passes can make it stop
// without a question. Lenient positions may lack stories and have any number of cards in
// hand and of rounds behind them; they never have too much of anything.
func (g *game) validate(p *position, how engine.Strictness) error {
	for _, step := range []func(*position, engine.Strictness) error{
		g.validateBoard, g.validateCards, g.validateStories, g.validatePhase, g.validateSetUp, g.validatePlay, g.validateFrames,
	} {
		if err := step(p, how); err != nil {
			return err
		}
	}
	return nil
}

// validateBoard implements R1.1, R1.6, R4.3 and R4.5 for positions.
func (g *game) validateBoard(p *position, _ engine.Strictness) error {
	var total [numPieces]int
	for i := range uint8(numSpaces) {
		pieces := int(p.spaces[i].Agents) + int(p.militiaAt(i)) + int(p.spaces[i].FederalBases) + int(p.spaces[i].RebelBases)
		switch id := g.box.ids[i]; {
		case p.spaces[i].FederalBases+p.spaces[i].RebelBases > g.box.maxBases:
			return wrong("%s has %d bases, at most %d (R1.6)", id, p.spaces[i].FederalBases+p.spaces[i].RebelBases, g.box.maxBases)
		case i >= numUS && pieces > 0 && p.spaces[i].Status == unmarked && p.testing != i:
			return wrong("%s holds pieces, so it has been tested (R4.3)", id)
		}
		total[agent] += int(p.spaces[i].Agents)
		total[militia] += int(p.militiaAt(i))
		total[federalBase] += int(p.spaces[i].FederalBases)
		total[rebelBase] += int(p.spaces[i].RebelBases)
	}
	for k, n := range total {
		if n > int(g.box.limits[k]) {
			return wrong("%d pieces of kind %s on the map, there are %d (R1.1)", n, kindOfPiece[k], g.box.limits[k])
		}
		p.onMap[k] = uint8(n)
	}
	if p.has(BroadbandPlus) && p.has(BroadbandMinus) {
		return wrong("momentum: both keys of one card (R8.7)")
	}
	if (p.phase == actionPhase) && (p.pieces(rebel) == 0 || p.pieces(federal) == 0) {
		return wrong("a side without pieces on the map has lost (R5.2)")
	}
	return nil
}

var kindOfPiece = [numPieces]string{"agent", "militia", "federal base", "rebel base"}

// validateStories implements R9.1: every story is in one place.
func (g *game) validateStories(p *position, how engine.Strictness) error {
	n := p.pool.count() + p.storyDiscard.count()
	all := p.pool | p.storyDiscard
	for _, s := range append([]uint8{p.drawn}, p.slots[:]...) {
		if s != 0 {
			all.add(s)
			n++
		}
	}
	if all.count() != n {
		return wrong("a story is in two places (R1.2)")
	}
	if p.drawn != 0 && (p.news.do != newsFeed || p.news.n == 0) {
		return wrong("story_drawn: only a story that is fed waits for a decision (D25)")
	}
	if n := p.pool.count(); p.round == 1 && p.phase <= layingOut &&
		(p.storyDiscard != 0 || p.phase < layingOut && (n > 0 || p.slots != [numSlots]uint8{}) || n > poolSize || n < poolSize && p.slots[0] != 0 || p.gap()) {
		return wrong("pool, active_stories: three to the pool, then one to each slot, after the hands (R16.1)")
	}
	if how == engine.Lenient || p.phase == over || p.phase < actionPhase && (p.phase != dealing || p.round == 1) {
		return nil
	}
	for slot, n := range p.slots {
		if n == 0 && uint8(slot) != p.movingSlot() {
			return wrong("active_stories: slot %d is empty (R9.1)", slot+1)
		}
	}
	return nil
}

// movingSlot returns the slot that the change to the stories under way has emptied and will
// fill, numSlots if there is none.
func (p *position) movingSlot() uint8 {
	switch f := &p.news; {
	case (f.do == newsCycle || f.do == newsChoose) && f.stage == newsPick:
		return 0
	case f.do == newsReplace && f.stage == newsRefill:
		return f.n
	}
	return numSlots
}

// validateCards implements R1.2 and R17.1: every card is in one place.
func (g *game) validateCards(p *position, how engine.Strictness) error {
	sets := []cardSet{p.hand[rebel], p.hand[federal], p.discards, p.removed}
	var all cardSet
	n := 0
	for _, s := range sets {
		all = all.or(s)
		n += s.count()
	}
	if all.count() != n {
		return wrong("an event card is in two places (R1.2)")
	}
	for side := range p.known {
		if !p.known[side].less(p.hand[side]).empty() {
			return wrong("%s_hand_known has a card that is not in the hand (R19.2)", sideNames[side])
		}
	}
	if p.removed != g.start.removed {
		return wrong("removed_events must be the cards of the other scenarios (R8.8)")
	}
	deal := int(p.toDeal[rebel]) + int(p.toDeal[federal])
	if deal > p.deckSize() || p.phase > dealing && deal > 0 {
		return wrong("to_deal: %d cards, the deck has %d", deal, p.deckSize())
	}
	if int(p.round)+p.deckSize()/minDeal > 0xFF {
		return wrong("round is %d with %d cards in the deck (R17.2)", p.round, p.deckSize())
	}
	if how == engine.Lenient {
		return nil
	}
	for side := range p.handSize {
		if p.handSize[side]+p.toDeal[side] > maxHand {
			return wrong("%s_hand has %d cards, at most %d (R15)", sideNames[side], p.handSize[side], maxHand)
		}
	}
	dealt := p.discards.count() + int(p.handSize[rebel]) + int(p.handSize[federal]) + deal
	if least := 2*int(g.box.openingHand) + minDeal*(int(p.round)-1); p.round > lastRound || dealt < least {
		return wrong("round is %d with %d cards dealt; by then %d are (R17.2)", p.round, dealt, least)
	}
	return nil
}

// validatePhase checks what belongs to single phases.
func (g *game) validatePhase(p *position, _ engine.Strictness) error {
	idle := p.card == idleCard && p.removal == idleRemoval && p.op == idleOp && p.event.card == 0 && p.placing.kind == placeNothing
	news := p.news.do == newsNone
	switch {
	case p.phase != actionPhase && !idle:
		return wrong("phase %s has no card, operation, event or placing", phaseNames[p.phase])
	case p.phase != actionPhase && p.testing != noSpace && p.phase != setUpTests:
		return wrong("phase %s has no tests", phaseNames[p.phase])
	case !news && (p.phase != administration || p.adminDue != adminDeal || p.news.do != newsCycle) && p.phase != actionPhase:
		return wrong("phase %s has no news", phaseNames[p.phase])
	case (p.phase < dealing || p.phase == layingOut) && p.round != 1:
		return wrong("round is %d in phase %s (R16.1)", p.round, phaseNames[p.phase])
	case p.phase < dealing && p.toDeal != [numSeats]uint8{g.box.openingHand, g.box.openingHand}:
		return wrong("to_deal: hands of %d are dealt after the set-up (R16.4)", g.box.openingHand)
	case p.phase < dealing && p.deckSize() != g.start.deckSize():
		return wrong("phase %s: no cards have been dealt (R16.4)", phaseNames[p.phase])
	case p.phase != administration && p.adminDue != 0:
		return wrong("step belongs to phase administration")
	case p.phase != actionPhase && p.pairLeft != 0:
		return wrong("cards_left_in_pair belongs to phase action")
	case (p.phase == over) != (p.result.winner != nobody) || (p.phase == over) == (p.result.cause == undecided):
		return wrong("game_over and phase over belong together")
	case p.result.decisive && p.result.cause != domination:
		return wrong("only domination is decisive (R5.3)")
	case p.phase < setUpTests && g.scenario != custom || p.phase == setUpTests && g.scenario != custom:
		return wrong("phase %s belongs to scenario=custom (R16.4)", phaseNames[p.phase])
	case p.phase < setUpTests && g.mode == modePreset:
		return wrong("a preset set-up has no phase %s (R16.3)", phaseNames[p.phase])
	case p.phase != setUpSpaces && p.done != [numSeats]bool{}:
		return wrong("spaces_done belongs to phase set_up_spaces (R16.4)")
	case p.phase == administration && (p.handSize[rebel] > 0 || p.handSize[federal] > 0):
		return wrong("the Administration Phase follows when both hands are empty (R6.2)")
	}
	return nil
}

// validateSetUp implements R16.3 and R16.4: the limits of a custom set-up, kept
// while it is built and met when it is complete. A space may be tested already.
func (g *game) validateSetUp(p *position, _ engine.Strictness) error {
	if p.phase > setUpTests {
		return nil
	}
	for i := range uint8(numSpaces) {
		held := p.spaces[i].Agents+p.militiaAt(i)+p.spaces[i].FederalBases+p.spaces[i].RebelBases > 0
		tested := p.phase == setUpTests && held && (p.testing == noSpace || i <= p.testing)
		id, s := g.box.ids[i], p.spaces[i].Status
		switch {
		case i >= numUS && (held || s != unmarked):
			return wrong("a custom set-up leaves out %s (R16.3)", id)
		case p.spaces[i].Unrest > 0 || p.spaces[i].Active > 0:
			return wrong("%s: a custom set-up has no Unrest, and militia are sleepers (R16.3)", id)
		case (s == anger || s == defiance) && !tested:
			return wrong("%s is in %s; a custom set-up gives Order and Revolt alone (R16.3)", id, statusNames[s])
		case p.spaces[i].Agents > 0 && s != order && p.spaces[i].FederalBases == 0:
			return wrong("%s: agents stand in Order spaces or where a Federal base is (R16.3)", id)
		case p.spaces[i].Sleepers > 0 && s != revolt && p.spaces[i].RebelBases == 0:
			return wrong("%s: militia stand in Revolt spaces or where a Rebel base is (R16.3)", id)
		}
	}
	for side := range uint8(numSeats) {
		if err := g.validateSide(p, side); err != nil {
			return err
		}
	}
	return nil
}

// validateSide checks the totals of one side of a custom set-up.
func (g *game) validateSide(p *position, side uint8) error {
	l, name := g.customLimits(side), sideNames[side]
	population, vp, units := g.ownPopulation(p, side), g.vp(p, side), int(p.onMap[unitOf(side)])
	least := l.MinPopulation
	if p.phase == setUpSpaces && !p.done[side] {
		least = 0
	}
	switch {
	case population < least || population > l.MaxPopulation:
		return wrong("%s: population %d in its spaces, it must be %d to %d (R16.3)", name, population, least, l.MaxPopulation)
	case vp > l.VP || p.phase > setUpBases && vp != l.VP:
		return wrong("%s: %d victory points, it must be %d (R16.3)", name, vp, l.VP)
	case units > l.Units || p.phase == setUpTests && units != l.Units:
		return wrong("%s: %d units, it must be %d (R16.3)", name, units, l.Units)
	case p.phase == setUpSpaces && p.onMap[baseOf(side)] > 0, p.phase < setUpUnits && units > 0:
		return wrong("%s: no such pieces yet in phase %s (R16.4)", name, phaseNames[p.phase])
	}
	return nil
}
