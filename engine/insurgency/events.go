package insurgency

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The events of the game, a line for each; README.md lists them, too.
var (
	choiceDrawn    = flow.Tells("lot", "side action {}", "Set-up of the {side}: {}")
	cardGiven      = flow.Veil("The {side} is dealt a card", flow.Tells("dealt", "side (card)", "The {side} is dealt {card}"))
	roundBegun     = flow.Tells("round", "round", "Round {round} begins")
	pairBegun      = flow.Tells("pair", "side cards_left_in_pair", "The {side} is to play, cards of the pair: {cards_left_in_pair}")
	eventGiven     = flow.Tells("event", "side card", "The {side} gets the event of {card}")
	operationBegun = flow.Tells("operation", "side operation ops free", "Operation of the {side}: {operation} with {ops} Ops")
	targetMissing  = flow.Tells("no_target", "side operation", "The {operation} of the {side} has no target")

	spaceTested     = flow.Tells("test", "space die status", "A roll of {die}: {space} comes to {status}")
	statusShifted   = flow.Tells("status", "space from status", "{space} shifts from {from} to {status}")
	unrestChanged   = flow.Tells("unrest", "space change unrest", "Unrest in {space} changes by {change} to {unrest}")
	moneyChanged    = flow.Tells("money", "side change resources {}", "The {side} {} and has ${resources}")
	reservesChanged = flow.Tells("reserves", "side reserves", "The {side} has {reserves} reserves")
	hqChanged       = flow.Tells("hq", "side hacked shields", "The HQ of the {side} has {hacked} Hacked markers and {shields} Shields")
	markerMoved     = flow.Tells("social_media", "social_media edge", "The Social Media marker goes to {social_media}, and the {edge} has the Edge")
	socialMediaUsed = flow.Tells("social_media_used", "side", "The {side} has used its right to Social Media this round")
	momentumBegun   = flow.Tells("momentum", "key owner {}", "{key} is in play{}")
	momentumPlaced  = flow.Tells("momentum", "key owner space {}", "{key} is in play{}")
	momentumEnded   = flow.Tells("momentum_ends", "key", "{key} is in play no more")
	handSeen        = flow.Tells("hand_seen", "side cards", "The hand of the {side} is seen: {cards}")
	cardGone        = flow.Tells("lost", "side card", "The {side} loses {card} from its hand")

	piecesPlaced   = flow.Tells("placed", "side piece number space {}", "The {side} places {} in {space}")
	piecesUnplaced = flow.Tells("not_placed", "side number space", "The {side} leaves {number} unplaced in {space}")
	piecesRemoved  = flow.Tells("removed", "side piece number space {}", "The {side} loses {} in {space}")
	militiaTurned  = flow.Tells("turned", "space sleepers active", "The militia in {space} turn: {sleepers} sleepers, {active} active")
	groupMoved     = flow.Tells("moved", "side from to units active arrested {}", "A group of the {side} goes from {from} to {to}: {}")

	selectionsCounted = flow.Tells("selections", "type total choices", "{total} selections of kind {type}, {choices} of them by choice")
	spaceRolled       = flow.Tells("rolled", "die space", "A roll of {die} selects {space}")
	attackDieRolled   = flow.Tells("attack_die", "space die hit", "A militia in {space} rolls {die} and {hit}")
	battleFought      = flow.Tells("battle", "space militia hits agents_lost bases_lost",
		"Attack in {space} by {militia} militia: {hits} hits; lost are {agents_lost} agents and {bases_lost} bases")
	spaceHunted = flow.Tells("hunted", "space effects removed turned bases_lost",
		"Hunt in {space} with {effects} effects: {removed} active militia go, {turned} sleepers turn active, {bases_lost} bases go")
	hackDieRolled = flow.Tells("hack_roll", "side die ops success", "The {side} rolls {die} with {ops} Ops: the hack {success}")
	dieRolled     = flow.Tells("die", "die", "A roll of {die}")

	newsCycled      = flow.Tells("news_cycle", "", "The news cycles, and the active stories move on")
	storyTurnedUp   = flow.Tells("story_drawn", "story", "Story {story} is drawn")
	storyPooled     = flow.Tells("story_pool", "story", "Story {story} comes to the pool")
	storyActive     = flow.Tells("story_active", "story slot", "Story {story} comes to slot {slot}")
	storyDiscarded  = flow.Tells("story_discarded", "story", "Story {story} is discarded")
	storiesShuffled = flow.Tells("reshuffle", "", "The discarded stories are shuffled into a new deck")

	administrationBegun = flow.Tells("administration", "round", "Administration Phase of round {round}")
	militiaAsleep       = flow.Tells("asleep", "", "All militia go to sleep")
	sidesReset          = flow.Tells("reset", "", "Reserves are lost, and both sides may use Social Media again")
	handsCounted        = flow.Tells("hands", "round rebel federal", "Hands of {rebel} and {federal} cards are dealt for round {round}")
	pointsChanged       = flow.Tells("victory_points", "rebel federal", "Victory points: Rebel {rebel}, Federal {federal}")
	powerChanged        = flow.Tells("rebellion_power", "rebellion_power rpf", "Rebellion Power is {rebellion_power}, with the factor {rpf}")
	gameWon             = flow.Tells("game_over", "winner by decisive rebel federal {}",
		"The {winner} wins by {}{by}, with {rebel} victory points of the Rebel and {federal} of the Federal")
)

// eventWord returns how the arguments of events read in a sentence, "" where they stand as
// they are.
func (b *Box) eventWord() func(name string, value any) string {
	words := map[string]string{sideNames[rebel]: "Rebel", sideNames[federal]: "Federal", opNames[socialMedia]: "social media"}
	for i := range b.spaces {
		words[b.ids[i]] = b.spaces[i].name
	}
	for k, m := range b.momentum {
		words[momentumNames[k]] = b.programs[m.card].name
	}
	return func(name string, value any) string {
		switch v := value.(type) {
		case string:
			return words[v]
		case int:
			switch name {
			case "card", "cards":
				return fmt.Sprintf("%d %s", v, b.programs[v].name)
			case "story":
				return fmt.Sprintf("%d %s", v, b.stories[v].title)
			}
		case bool:
			return map[string]map[bool]string{
				"hit": {true: "hits", false: "misses"}, "success": {true: "succeeds", false: "fails"},
			}[name][v]
		}
		return ""
	}
}

// tell tells everybody what has happened, and by which rule. The values are those of the
// kind's arguments, each of a type with its own words (fact). Where nobody listens that costs
// nothing, as long as the values fit a byte; others are told behind a test for a listener, for
// to pass them takes memory.
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

// fact returns a value as events have it: a word, or a number.
func (b Board) fact(value any) any {
	switch v := value.(type) {
	case Side:
		return sideNames[v]
	case SpaceID:
		return b.box.ids[v]
	case kind:
		return kindNames[v]
	case Status:
		return statusNames[v]
	case Marker:
		return smNames[v]
	case MomentumKey:
		return momentumNames[v]
	case opKind:
		return opNames[v]
	case ownPiece:
		return pieceNames[v]
	case cause:
		return causeNames[v]
	case CardID:
		return int(v)
	case StoryID:
		return int(v)
	case uint8:
		return int(v)
	}
	return value
}

// tellLot tells of a choice that chance makes in a random set-up.
func (b Board) tellLot(a engine.Action) {
	if b.w == nil {
		return
	}
	q := *b.Position
	q.Actor = engine.Player(b.Side)
	q.Ask, _, _ = b.buildChoices()
	b.tell(choiceDrawn, "R16.4", b.Side, b.spec.Actions[a], b.Describe(&q, a))
}

// tellMoved tells of a group that has gone from a space to another; what did not arrive
// was arrested.
func (b Board) tellMoved(rule string, side Side, gr, arrived Group) {
	arrested := gr.Units + gr.Active - arrived.Units - arrived.Active
	said := fmt.Sprintf("%d agents", gr.Units)
	if side == rebel {
		said = fmt.Sprintf("%s and %d active militia, %d of them arrested", flow.Count(gr.Units, "sleeper"), gr.Active, arrested)
	}
	b.tell(groupMoved, rule, side, gr.From, gr.To, gr.Units, gr.Active, arrested, said)
}

// tellMomentum tells that an event is in play from now on.
func (b Board) tellMomentum(key MomentumKey) {
	switch {
	case b.w == nil:
	case key == Plague:
		b.tell(momentumPlaced, "R8.7", key, b.owner(key), b.Plague, " in "+b.box.spaces[b.Plague].name)
	default:
		b.tell(momentumBegun, "R8.7", key, b.owner(key), "")
	}
}

// pieces are what stands in a space, in the order of the vocabulary, bases by side.
type pieces [5]uint8

func (p *Position) piecesAt(i SpaceID) pieces {
	return pieces{p.Spaces[i].Agents, p.Spaces[i].Sleepers, p.Spaces[i].Active, p.Spaces[i].FederalBases, p.Spaces[i].RebelBases}
}

// tellPieces tells which pieces have come to a space and which have gone since it held
// those before.
func (b Board) tellPieces(rule string, i SpaceID, before pieces) {
	if b.w == nil {
		return
	}
	for k, n := range b.piecesAt(i) {
		kind, change := piecesPlaced, int(n)-int(before[k])
		if change < 0 {
			kind, change = piecesRemoved, -change
		}
		if change == 0 {
			continue
		}
		side, piece := [...]Side{federal, rebel, rebel, federal, rebel}[k], min(ownPiece(k), removeBasePiece)
		said := pieceTexts[piece]
		if change > 1 {
			said = fmt.Sprintf("%d %s", change, [...]string{"agents", "sleepers", "active militia", "bases"}[piece])
		}
		b.tell(kind, rule, side, piece, change, i, said)
	}
	if now := b.piecesAt(i); now[3] != before[3] || now[4] != before[4] {
		b.tellPoints("R5.1", [numSeats]int{-1, -1})
	}
}

// heardPoints returns the victory points, if anybody listens.
func (b Board) heardPoints() (n [numSeats]int) {
	if b.w != nil {
		n = b.points()
	}
	return n
}

// tellPoints tells the victory points if they are other ones than before.
func (b Board) tellPoints(rule string, before [numSeats]int) {
	if now := b.heardPoints(); now != before {
		b.tell(pointsChanged, rule, now[rebel], now[federal])
	}
}

// tellPower tells Rebellion Power if it is another than before.
func (b Board) tellPower(before uint8) {
	if now := b.power(); b.w != nil && now != before {
		b.tell(powerChanged, "R9.2", now, b.rpf())
	}
}
