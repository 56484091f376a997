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
func (b Board) validate(how engine.Strictness) error {
	for _, step := range []func(engine.Strictness) error{
		b.validateBoard, b.validateCards, b.validateStories, b.validatePhase, b.validateSetUp,
	} {
		if err := step(how); err != nil {
			return err
		}
	}
	return nil
}

// validateBoard implements R1.1, R1.6, R4.3 and R4.5 for positions.
func (b Board) validateBoard(_ engine.Strictness) error {
	for i := range SpaceID(numSpaces) {
		at := &b.Spaces[i]
		bases := at.FederalBases + at.RebelBases
		switch id := b.box.ids[i]; {
		case bases > b.box.maxBases:
			return wrong("%s has %d bases, at most %d (R1.6)", id, bases, b.box.maxBases)
		case i >= numUS && b.piecesAt(i) != pieces{} && at.Status == unmarked && b.Testing != i:
			return wrong("%s holds pieces, so it has been tested (R4.3)", id)
		}
	}
	for k, n := range b.countPieces() {
		if n > int(b.box.limits[k]) {
			return wrong("%d pieces of kind %s on the map, there are %d (R1.1)", n, kindOfPiece[k], b.box.limits[k])
		}
	}
	if b.has(BroadbandPlus) && b.has(BroadbandMinus) {
		return wrong("momentum: both keys of one card (R8.7)")
	}
	if b.Phase > setUpTests && b.Phase < over && (b.pieces(rebel) == 0 || b.pieces(federal) == 0) {
		return wrong("a side without pieces on the map has lost (R5.2)")
	}
	return nil
}

var kindOfPiece = [numPieces]string{"agent", "militia", "federal base", "rebel base"}

// validateStories implements R9.1: every story is in one place.
func (b Board) validateStories(how engine.Strictness) error {
	n := b.Pool.Count() + b.StoryDiscard.Count()
	all := b.Pool | b.StoryDiscard
	for _, s := range append([]StoryID{b.Drawn}, b.Slots[:]...) {
		if s != 0 {
			all.add(s)
			n++
		}
	}
	if all.Count() != n {
		return wrong("a story is in two places (R1.2)")
	}
	if n := b.Pool.Count(); b.Round == 1 && b.Phase <= layingOut &&
		(b.StoryDiscard != 0 || b.Phase < layingOut && (n > 0 || b.Slots != [numSlots]StoryID{}) || n > poolSize || n < poolSize && b.Slots[0] != 0 ||
			b.gap()) {
		return wrong("pool, active_stories: three to the pool, then one to each slot, after the hands (R16.1)")
	}
	if how == engine.Lenient || b.Phase == over || b.Phase < actionPhase && (b.Phase != dealing || b.Round == 1) {
		return nil
	}
	for slot, n := range b.Slots {
		if n == 0 {
			return wrong("active_stories: slot %d is empty (R9.1)", slot+1)
		}
	}
	return nil
}

// validateCards implements R1.2 and R17.1: every card is in one place.
func (b Board) validateCards(how engine.Strictness) error {
	sets := []CardSet{b.Hand[rebel], b.Hand[federal], b.Discards, b.Removed}
	var all CardSet
	n := 0
	for _, s := range sets {
		all = all.or(s)
		n += s.Count()
	}
	if all.Count() != n {
		return wrong("an event card is in two places (R1.2)")
	}
	for side := range b.Known {
		if !b.Known[side].less(b.Hand[side]).empty() {
			return wrong("%s_hand_known has a card that is not in the hand (R19.2)", sideNames[side])
		}
	}
	if b.Removed != b.start.Removed {
		return wrong("removed_events must be the cards of the other scenarios (R8.8)")
	}
	deal := int(b.ToDeal[rebel]) + int(b.ToDeal[federal])
	if deal > b.deckSize() || b.Phase > dealing && deal > 0 {
		return wrong("to_deal: %d cards, the deck has %d", deal, b.deckSize())
	}
	if int(b.Round)+b.deckSize()/minDeal > 0xFF {
		return wrong("round is %d with %d cards in the deck (R17.2)", b.Round, b.deckSize())
	}
	if how == engine.Lenient {
		return nil
	}
	for side := range b.HandSize {
		if b.HandSize[side]+b.ToDeal[side] > maxHand {
			return wrong("%s_hand has %d cards, at most %d (R15)", sideNames[side], b.HandSize[side], maxHand)
		}
	}
	dealt := b.Discards.Count() + int(b.HandSize[rebel]) + int(b.HandSize[federal]) + deal
	if least := 2*int(b.box.openingHand) + minDeal*(int(b.Round)-1); b.Round > lastRound || dealt < least {
		return wrong("round is %d with %d cards dealt; by then %d are (R17.2)", b.Round, dealt, least)
	}
	return nil
}

// validatePhase checks what belongs to single phases.
func (b Board) validatePhase(_ engine.Strictness) error {
	switch {
	case (b.Phase < dealing || b.Phase == layingOut) && b.Round != 1:
		return wrong("round is %d in phase %s (R16.1)", b.Round, phaseNames[b.Phase])
	case b.Phase < dealing && b.ToDeal != [numSeats]uint8{b.box.openingHand, b.box.openingHand}:
		return wrong("to_deal: hands of %d are dealt after the set-up (R16.4)", b.box.openingHand)
	case b.Phase < dealing && b.deckSize() != b.start.deckSize():
		return wrong("phase %s: no cards have been dealt (R16.4)", phaseNames[b.Phase])
	case b.Phase != administration && b.AdminDue != 0:
		return wrong("step belongs to phase administration")
	case b.Phase != actionPhase && b.PairLeft != 0:
		return wrong("cards_left_in_pair belongs to phase action")
	case b.Card.Number == 0 && b.PairLeft > b.HandSize[b.Side]:
		return wrong("cards_left_in_pair is %d, the hand has %d (R6.2)", b.PairLeft, b.HandSize[b.Side])
	case (b.Phase == over) != (b.Result.Winner != nobody) || (b.Phase == over) == (b.Result.Cause == undecided):
		return wrong("game_over and phase over belong together")
	case b.Result.Decisive && b.Result.Cause != domination:
		return wrong("only domination is decisive (R5.3)")
	case b.Phase <= setUpTests && b.scenario != custom:
		return wrong("phase %s belongs to scenario=custom (R16.4)", phaseNames[b.Phase])
	case b.Phase < setUpTests && b.mode == modePreset:
		return wrong("a preset set-up has no phase %s (R16.3)", phaseNames[b.Phase])
	case b.Phase != setUpSpaces && b.Done != [numSeats]bool{}:
		return wrong("spaces_done belongs to phase set_up_spaces (R16.4)")
	case b.Phase == administration && (b.HandSize[rebel] > 0 || b.HandSize[federal] > 0):
		return wrong("the Administration Phase follows when both hands are empty (R6.2)")
	}
	return nil
}

// validateSetUp implements R16.3 and R16.4: the limits of a custom set-up, kept
// while it is built and met when it is complete. A space may be tested already.
func (b Board) validateSetUp(_ engine.Strictness) error {
	if b.Phase > setUpTests {
		return nil
	}
	for i := range SpaceID(numSpaces) {
		at, id := &b.Spaces[i], b.box.ids[i]
		held := b.piecesAt(i) != pieces{}
		tested := b.Phase == setUpTests && held && (b.Testing == noSpace || i <= b.Testing)
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
		if err := b.validateSide(side); err != nil {
			return err
		}
	}
	return nil
}

// validateSide checks the totals of one side of a custom set-up.
func (b Board) validateSide(side Side) error {
	l, name := b.customLimits(side), sideNames[side]
	population, vp, units := b.ownPopulation(side), b.vp(side), int(b.OnMap[unitOf(side)])
	least := l.MinPopulation
	if b.Phase == setUpSpaces && !b.Done[side] {
		least = 0
	}
	switch {
	case population < least || population > l.MaxPopulation:
		return wrong("%s: population %d in its spaces, it must be %d to %d (R16.3)", name, population, least, l.MaxPopulation)
	case vp > l.VP || b.Phase > setUpBases && vp != l.VP:
		return wrong("%s: %d victory points, it must be %d (R16.3)", name, vp, l.VP)
	case units > l.Units || b.Phase == setUpTests && units != l.Units:
		return wrong("%s: %d units, it must be %d (R16.3)", name, units, l.Units)
	case b.Phase == setUpSpaces && b.OnMap[baseOf(side)] > 0, b.Phase < setUpUnits && units > 0:
		return wrong("%s: no such pieces yet in phase %s (R16.4)", name, phaseNames[b.Phase])
	}
	return nil
}
