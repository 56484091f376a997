package insurgency

import "powderkeg/engine"

// What encoders (R21.3) and agents read. All methods work on views; what a view hides is
// said at each. Seats are Rebel (0) and Federal (1), spaces 0 to 32 in the order of
// data/map.json, event cards 1 to 92, stories 1 to 20. None of them allocates.

// Seats.
const (
	Rebel   engine.Player = engine.Player(rebel)
	Federal engine.Player = engine.Player(federal)
	// Nobody is the seat of what belongs to no side.
	Nobody engine.Player = -1
)

// Sizes, and limits that the data sets.
const (
	Spaces      = numSpaces
	USSpaces    = numUS // Canada and Mexico follow
	Events      = numEvents
	Stories     = numStories
	Slots       = numSlots
	Momenta     = int(numMomentum)
	Operations  = int(numOps)
	Decisions   = numDecisions // D1 to D43; 0 is none
	MaxMoney    = maxMoney
	MaxPower    = maxPower
	MaxOps      = maxOps
	MaxSelected = maxSelected
	NoSpace     = -1
)

// Statuses of a space.
const (
	Order    = int(order)
	Anger    = int(anger)
	Defiance = int(defiance)
	Revolt   = int(revolt)
	Unmarked = int(unmarked)
)

// Operations, as OpAction and Operation number them.
const (
	Fundraise   = int(fundraise)
	Recruit     = int(recruit)
	Unrest      = int(unrestOp)
	Attack      = int(attackOp)
	Surge       = int(surge)
	Move        = int(moveOp)
	Tax         = int(tax)
	Deploy      = int(deploy)
	Hunt        = int(hunt)
	Pacify      = int(pacify)
	Secure      = int(secure)
	Reserves    = int(reservesOp)
	SocialMedia = int(socialMedia)
	Hack        = int(hack)
)

// Social Media attacks, as the actions from ActAttack on number them.
const (
	Feed     = int(feed)
	Censor   = int(censor)
	Persuade = int(persuade)
	Distract = int(distract)
	Enrage   = int(enrage)
	Convert  = int(convert)
)

// Effects of a hack, as the actions from ActHack on number them.
const (
	Intelligence    = int(hackIntelligence)
	Theft           = int(hackTheftEffect)
	DenialOfService = int(hackDenial)
	RestoreService  = int(hackRestore)
	SecureHQ        = int(hackSecure)
	Invade          = int(hackInvade)
)

// Kinds of space.
const (
	City   = int(city)
	Suburb = int(suburb)
	Region = int(region)
)

// Modes of play (D2); ActMode + mode - 1 chooses one.
const (
	NoMode       = int(noMode)
	ModeEvent    = int(modeEvent)
	ModeOps      = int(modeOps)
	ModeOpsEvent = int(modeOpsEvent)
	ModeEventOps = int(modeEventOps)
	ModeBurn     = int(modeBurn)
)

// SpaceFacts is what is printed on the map.
type SpaceFacts struct {
	ID, Name, Terrain string // terrain city, mountain, forest, desert, open or none
	Kind              int
	Population        int
	AgentsPerEffect   int // of a Hunt
	Adjacent          SpaceSet
}

// Space returns what is printed on space i.
func (s *View) Space(i int) SpaceFacts {
	return s.G.box.spaces[i].facts()
}

func (f *space) facts() SpaceFacts {
	return SpaceFacts{f.id, f.name, f.terrain, int(f.kind), int(f.population), int(f.perEffect), f.adjacent}
}

// Map returns what is printed on all spaces.
func Map() ([]SpaceFacts, error) {
	b, err := loadBox()
	if err != nil {
		return nil, err
	}
	list := make([]SpaceFacts, numSpaces)
	for i := range list {
		list[i] = b.spaces[i].facts()
	}
	return list, nil
}

// CardFacts is what is printed on an event card.
type CardFacts struct {
	Name, Text string
	Side       engine.Player // Nobody for a neutral card
	Ops        int
	Momentum   bool
}

// Card returns what is printed on event card n, 1 to 92.
func (s *View) Card(n int) CardFacts { return s.G.box.Card(n) }

// Story returns the Virality and the Rebellion Factor of story n, 1 to 20.
func (s *View) Story(n int) (virality, factor int) {
	st := &s.G.box.stories[n]
	return int(st.virality), int(st.factor)
}

// MomentumKeys returns the keys of the events that can stay in play.
func MomentumKeys() []string { return momentumNames }

// OperationNames returns the names of the operations.
func OperationNames() []string { return opNames[:] }

// ScenarioNames returns the names of the scenarios.
func ScenarioNames() []string { return scenarioNames }

func player(side Side) engine.Player {
	if side == nobody {
		return Nobody
	}
	return engine.Player(side)
}

// Plague returns the space of the Plague marker, NoSpace if there is none.
func (s *View) Plague() int { return index(s.P.Plague) }

func index(i SpaceID) int {
	if i == noSpace {
		return NoSpace
	}
	return int(i)
}

// InPlay returns the spaces that are open.
func (s *View) InPlay() SpaceSet { return s.G.board(&s.P).inPlay() }

// Points returns the victory points of both seats.
func (s *View) Points() [2]int { return s.G.board(&s.P).points() }

// VictoryPoints returns the victory points of seat p.
func (s *View) VictoryPoints(p engine.Player) int { return s.G.board(&s.P).vp(Side(p)) }

// UnitsInStock returns the agents or militia of seat p that are not on the map.
func (s *View) UnitsInStock(p engine.Player) int { return int(s.G.board(&s.P).stock(unitOf(Side(p)))) }

// BasesInStock returns the bases of seat p that are not on the map.
func (s *View) BasesInStock(p engine.Player) int { return int(s.G.board(&s.P).stock(baseOf(Side(p)))) }

// Edge returns who holds the Social Media Edge.
func (s *View) Edge() engine.Player { return engine.Player(s.G.board(&s.P).edge()) }

// RebellionPower returns Rebellion Power, 0 to 11, and its factor, 0 to 4.
func (s *View) RebellionPower() (power, factor int) {
	n := s.G.board(&s.P).power()
	return int(n), int(s.G.box.rpf[n])
}

// Unseen returns the cards that are in the deck; in a view those that may be in the
// deck or in the other hand.
func (s *View) Unseen() CardSet { return s.P.deck() }

// Gone returns the cards that were played, discarded or removed at set-up, the
// running card included.
func (s *View) Gone() CardSet { return s.P.Discards.or(s.P.Removed) }

// DeckSize returns the number of cards in the event deck.
func (s *View) DeckSize() int { return s.P.deckSize() }

// Scenario returns the scenario, as ScenarioNames numbers them.
func (s *View) Scenario() int { return int(s.G.scenario) }

// Turn returns who plays a card, or chooses in a custom set-up; Nobody otherwise.
func (s *View) Turn() engine.Player {
	if s.P.Phase == actionPhase || s.P.Phase <= setUpUnits {
		return engine.Player(s.P.Side)
	}
	return Nobody
}

// Decision returns the number of the decision that the actor faces, 1 (D1) to 43, and
// 0 at chance and at the end.
func (s *View) Decision() int {
	if s.P.Actor < 0 {
		return 0
	}
	return int(s.P.Ask)
}

// RunningCard returns the card that is being played, 0 for none, and its mode.
func (s *View) RunningCard() (card, mode int) { return int(s.P.Card.Number), int(s.P.Card.Mode) }

// Ops returns the Ops of the running operation, reserves included; before it begins
// those of the running card; 0 without a card.
func (s *View) Ops() int {
	switch {
	case s.P.Op.Kind != noOp:
		return int(s.P.Op.Ops)
	case s.P.Card.Number != 0:
		return int(s.G.board(&s.P).cardOps())
	}
	return 0
}

// Operation returns the running operation, or the one chosen before D4; -1 for none.
func (s *View) Operation() int {
	switch {
	case s.P.Op.Kind != noOp:
		return int(s.P.Op.Kind)
	case s.P.Card.Operation != noOp:
		return int(s.P.Card.Operation)
	}
	return -1
}

// EventOwner returns the side that gets the event that is being resolved, and
// Nobody if none is.
func (s *View) EventOwner() engine.Player {
	if s.P.Event.Card == 0 {
		return Nobody
	}
	return engine.Player(s.P.Event.Owner)
}

// RoadEntries returns how many spaces with enemy units a group of seat p enters on the
// cheapest road between two different spaces of the United States.
func (s *View) RoadEntries(p engine.Player, from, to int) int {
	return int(s.G.box.roads.entries(SpaceID(from), SpaceID(to), s.P.withUnits(1-Side(p))))
}

// Winner returns the winner of a finished game, Nobody before, whether by
// "domination", "endurance" or "military", and whether decisively.
func (s *View) Winner() (winner engine.Player, by string, decisive bool) {
	return player(s.P.Result.Winner), causeNames[s.P.Result.Cause], s.P.Result.Decisive
}
