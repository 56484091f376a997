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

// validate checks a position against every limit of the rules, so that none that passes can
// make the engine stop without a question. Lenient positions may lack stories and have any number of cards in
// hand and of rounds behind them; they never have too much of anything.
func (g *game) validate(p *Position, how engine.Strictness) error {
	for _, step := range []func(*Position, engine.Strictness) error{
		g.validateBoard, g.validateCards, g.validateStories, g.validatePhase, g.validateSetUp,
	} {
		if err := step(p, how); err != nil {
			return err
		}
	}
	return nil
}

// validateBoard implements R1.1, R1.6, R4.3 and R4.5 for positions.
func (g *game) validateBoard(p *Position, _ engine.Strictness) error {
	for i := range SpaceID(numSpaces) {
		at := &p.Spaces[i]
		bases := at.FederalBases + at.RebelBases
		switch id := g.box.ids[i]; {
		case bases > g.box.maxBases:
			return wrong("%s has %d bases, at most %d (R1.6)", id, bases, g.box.maxBases)
		case i >= numUS && p.piecesAt(i) != pieces{} && at.Status == unmarked && p.Testing != i:
			return wrong("%s holds pieces, so it has been tested (R4.3)", id)
		}
	}
	for k, n := range p.countPieces() {
		if n > int(g.box.limits[k]) {
			return wrong("%d pieces of kind %s on the map, there are %d (R1.1)", n, kindOfPiece[k], g.box.limits[k])
		}
	}
	if p.has(BroadbandPlus) && p.has(BroadbandMinus) {
		return wrong("momentum: both keys of one card (R8.7)")
	}
	if p.Phase > setUpTests && p.Phase < over && (p.pieces(rebel) == 0 || p.pieces(federal) == 0) {
		return wrong("a side without pieces on the map has lost (R5.2)")
	}
	return nil
}

var kindOfPiece = [numPieces]string{"agent", "militia", "federal base", "rebel base"}

// validateStories implements R9.1: every story is in one place.
func (g *game) validateStories(p *Position, how engine.Strictness) error {
	n := p.Pool.Count() + p.StoryDiscard.Count()
	all := p.Pool | p.StoryDiscard
	for _, s := range append([]StoryID{p.Drawn}, p.Slots[:]...) {
		if s != 0 {
			all.add(s)
			n++
		}
	}
	if all.Count() != n {
		return wrong("a story is in two places (R1.2)")
	}
	if n := p.Pool.Count(); p.Round == 1 && p.Phase <= layingOut &&
		(p.StoryDiscard != 0 || p.Phase < layingOut && (n > 0 || p.Slots != [numSlots]StoryID{}) || n > poolSize || n < poolSize && p.Slots[0] != 0 ||
			p.gap()) {
		return wrong("pool, active_stories: three to the pool, then one to each slot, after the hands (R16.1)")
	}
	if how == engine.Lenient || p.Phase == over || p.Phase < actionPhase && (p.Phase != dealing || p.Round == 1) {
		return nil
	}
	for slot, n := range p.Slots {
		if n == 0 {
			return wrong("active_stories: slot %d is empty (R9.1)", slot+1)
		}
	}
	return nil
}

// validateCards implements R1.2 and R17.1: every card is in one place.
func (g *game) validateCards(p *Position, how engine.Strictness) error {
	sets := []CardSet{p.Hand[rebel], p.Hand[federal], p.Discards, p.Removed}
	var all CardSet
	n := 0
	for _, s := range sets {
		all = all.or(s)
		n += s.Count()
	}
	if all.Count() != n {
		return wrong("an event card is in two places (R1.2)")
	}
	for side := range p.Known {
		if !p.Known[side].less(p.Hand[side]).empty() {
			return wrong("%s_hand_known has a card that is not in the hand (R19.2)", sideNames[side])
		}
	}
	if p.Removed != g.start.Removed {
		return wrong("removed_events must be the cards of the other scenarios (R8.8)")
	}
	deal := int(p.ToDeal[rebel]) + int(p.ToDeal[federal])
	if deal > p.deckSize() || p.Phase > dealing && deal > 0 {
		return wrong("to_deal: %d cards, the deck has %d", deal, p.deckSize())
	}
	if int(p.Round)+p.deckSize()/minDeal > 0xFF {
		return wrong("round is %d with %d cards in the deck (R17.2)", p.Round, p.deckSize())
	}
	if how == engine.Lenient {
		return nil
	}
	for side := range p.HandSize {
		if p.HandSize[side]+p.ToDeal[side] > maxHand {
			return wrong("%s_hand has %d cards, at most %d (R15)", sideNames[side], p.HandSize[side], maxHand)
		}
	}
	dealt := p.Discards.Count() + int(p.HandSize[rebel]) + int(p.HandSize[federal]) + deal
	if least := 2*int(g.box.openingHand) + minDeal*(int(p.Round)-1); p.Round > lastRound || dealt < least {
		return wrong("round is %d with %d cards dealt; by then %d are (R17.2)", p.Round, dealt, least)
	}
	return nil
}

// validatePhase checks what belongs to single phases.
func (g *game) validatePhase(p *Position, _ engine.Strictness) error {
	switch {
	case (p.Phase < dealing || p.Phase == layingOut) && p.Round != 1:
		return wrong("round is %d in phase %s (R16.1)", p.Round, phaseNames[p.Phase])
	case p.Phase < dealing && p.ToDeal != [numSeats]uint8{g.box.openingHand, g.box.openingHand}:
		return wrong("to_deal: hands of %d are dealt after the set-up (R16.4)", g.box.openingHand)
	case p.Phase < dealing && p.deckSize() != g.start.deckSize():
		return wrong("phase %s: no cards have been dealt (R16.4)", phaseNames[p.Phase])
	case p.Phase != administration && p.AdminDue != 0:
		return wrong("step belongs to phase administration")
	case p.Phase != actionPhase && p.PairLeft != 0:
		return wrong("cards_left_in_pair belongs to phase action")
	case p.Card.Number == 0 && p.PairLeft > p.HandSize[p.Side]:
		return wrong("cards_left_in_pair is %d, the hand has %d (R6.2)", p.PairLeft, p.HandSize[p.Side])
	case (p.Phase == over) != (p.Result.Winner != nobody) || (p.Phase == over) == (p.Result.Cause == undecided):
		return wrong("game_over and phase over belong together")
	case p.Result.Decisive && p.Result.Cause != domination:
		return wrong("only domination is decisive (R5.3)")
	case p.Phase <= setUpTests && g.scenario != custom:
		return wrong("phase %s belongs to scenario=custom (R16.4)", phaseNames[p.Phase])
	case p.Phase < setUpTests && g.mode == modePreset:
		return wrong("a preset set-up has no phase %s (R16.3)", phaseNames[p.Phase])
	case p.Phase != setUpSpaces && p.Done != [numSeats]bool{}:
		return wrong("spaces_done belongs to phase set_up_spaces (R16.4)")
	case p.Phase == administration && (p.HandSize[rebel] > 0 || p.HandSize[federal] > 0):
		return wrong("the Administration Phase follows when both hands are empty (R6.2)")
	}
	return nil
}

// validateSetUp implements R16.3 and R16.4: the limits of a custom set-up, kept
// while it is built and met when it is complete. A space may be tested already.
func (g *game) validateSetUp(p *Position, _ engine.Strictness) error {
	if p.Phase > setUpTests {
		return nil
	}
	for i := range SpaceID(numSpaces) {
		at, id := &p.Spaces[i], g.box.ids[i]
		held := p.piecesAt(i) != pieces{}
		tested := p.Phase == setUpTests && held && (p.Testing == noSpace || i <= p.Testing)
		switch s := at.Status; {
		case i >= numUS && (held || s != unmarked):
			return wrong("a custom set-up leaves out %s (R16.3)", id)
		case at.Unrest > 0 || at.Active > 0:
			return wrong("%s: a custom set-up has no Unrest, and militia are sleepers (R16.3)", id)
		case (s == anger || s == defiance) && !tested:
			return wrong("%s is in %s; a custom set-up gives Order and Revolt alone (R16.3)", id, statusNames[s])
		case at.Agents > 0 && s != order && at.FederalBases == 0:
			return wrong("%s: agents stand in Order spaces or where a Federal base is (R16.3)", id)
		case at.Sleepers > 0 && s != revolt && at.RebelBases == 0:
			return wrong("%s: militia stand in Revolt spaces or where a Rebel base is (R16.3)", id)
		}
	}
	for side := range Side(numSeats) {
		if err := g.validateSide(p, side); err != nil {
			return err
		}
	}
	return nil
}

// validateSide checks the totals of one side of a custom set-up.
func (g *game) validateSide(p *Position, side Side) error {
	l, name := g.customLimits(side), sideNames[side]
	population, vp, units := g.ownPopulation(p, side), g.vp(p, side), int(p.OnMap[unitOf(side)])
	least := l.MinPopulation
	if p.Phase == setUpSpaces && !p.Done[side] {
		least = 0
	}
	switch {
	case population < least || population > l.MaxPopulation:
		return wrong("%s: population %d in its spaces, it must be %d to %d (R16.3)", name, population, least, l.MaxPopulation)
	case vp > l.VP || p.Phase > setUpBases && vp != l.VP:
		return wrong("%s: %d victory points, it must be %d (R16.3)", name, vp, l.VP)
	case units > l.Units || p.Phase == setUpTests && units != l.Units:
		return wrong("%s: %d units, it must be %d (R16.3)", name, units, l.Units)
	case p.Phase == setUpSpaces && p.OnMap[baseOf(side)] > 0, p.Phase < setUpUnits && units > 0:
		return wrong("%s: no such pieces yet in phase %s (R16.4)", name, phaseNames[p.Phase])
	}
	return nil
}
