package domination

import (
	"fmt"

	"powderkeg/engine"
)

// What encoders and agents read (R4.6, R11.3). All methods work on views; what a view hides
// is said at each. Seats are 0 to Seats-1, Areas and card types are indexes of
// data/map.json and data/cards.json, and sets of Areas have bit a for Area a. None
// of them allocates.

// Sizes of the arrays below.
const (
	MaxSeats  = maxSeats
	Areas     = numAreas
	LandAreas = numLand    // Areas 0 to LandAreas-1 are Land
	Regions   = numRegions // and as many Resources
	Cards     = numCards
	PoolSize  = poolSize
	Decisions = int(numDecisions)
	MaxTurns  = 20 // the largest value of the option turns
)

// First action of each verb; the others follow in the order of cards, of Areas, or
// of seats clockwise from the actor.
const (
	ActDone           engine.Action = actDone
	ActEndTurn        engine.Action = actEndTurn
	ActPass           engine.Action = actPass
	ActDecline        engine.Action = actDecline
	ActAccept         engine.Action = actAccept
	ActBuildWith      engine.Action = actBuildWith
	ActAttackWith     engine.Action = actAttackWith
	ActTextOf         engine.Action = actTextOf
	ActDiscard1       engine.Action = actDiscard1
	ActDiscard2First  engine.Action = actDiscard2First
	ActDiscard2Second engine.Action = actDiscard2Second
	ActBuy            engine.Action = actBuy
	ActBuildAt        engine.Action = actBuildAt
	ActReduceAt       engine.Action = actReduceAt
	ActRemoveAt       engine.Action = actRemoveAt
	ActTargetPlayer   engine.Action = actTargetPlayer
)

// Decision is one of the sixteen questions, D1 to D16, or none.
type Decision int

// The decisions in the order of the specification's section 11.
const (
	TurnDecision Decision = iota
	SecondDiscardDecision
	BuyDecision
	BuildStepDecision
	AttackStepDecision
	MixedStepDecision
	PlayerDecision
	DisruptRegionDecision
	SurrenderRegionDecision
	InsurgentPickDecision
	StormStepDecision
	BioStepDecision
	BioResponseDecision
	AnytimeDecision
	ScoringDecision
	LogisticsDecision
	NoDecision
)

// String returns the id of a decision, such as D10.
func (d Decision) String() string {
	if d < 0 || d >= NoDecision {
		return "none"
	}
	return fmt.Sprintf("D%d", int(d)+1)
}

// Phase is a part of a Game Turn in which somebody can be asked, or another one.
type Phase int

// The phases of the specification's section 6.
const (
	OtherPhase Phase = iota // set-up, draws, the end
	CardPlay
	BeforeVPs // window D15
	AfterVPs  // window D16
)

// Counts is a number of cards by type.
type Counts = [numCards]uint8

// CardFacts is what is printed on a card.
type CardFacts struct {
	ID, Name, Text   string
	Build, Reduction int
	Cost             int // Logistical Support when it is bought
	AnyTime          bool
	ScoringOnly      bool
	Ops              []string // the primitives of its text, as cards.json names them
	// Points is the number of points, Reductions or picks of the first of them, or the
	// VPs for each Area or Region; Resource is whose Areas it scores, -1 for none.
	Points, Resource int
}

// AreaFacts is what is printed on an Area.
type AreaFacts struct {
	ID, Name         string
	Region, Resource int    // -1 for a Sea Area
	Adjacent         uint32 // set of Areas
}

// GroupFacts is a Region, or a Resource with the Areas that bear it.
type GroupFacts struct {
	Name  string
	Areas uint32 // set of Areas
}

// Facts is what is printed on the board and the cards.
type Facts struct {
	Cards     [Cards]CardFacts
	Areas     [Areas]AreaFacts
	Regions   [Regions]GroupFacts
	Resources [Regions]GroupFacts
}

// NewFacts returns the printed facts, in a copy that belongs to the caller.
func NewFacts() (*Facts, error) {
	b, err := loadBox()
	if err != nil {
		return nil, err
	}
	f := &Facts{}
	for i := range b.cards {
		c := &b.cards[i]
		f.Cards[i] = CardFacts{
			ID: c.id, Name: c.name, Text: c.text, Build: int(c.build), Reduction: int(c.reduction),
			Cost: int(c.cost), AnyTime: c.anyTime, ScoringOnly: c.scoringOnly, Resource: -1,
		}
		if text := c.ways[TextWay]; len(text) > 0 {
			f.Cards[i].Points = int(text[0].n)
			if text[0].op == vpPerArea {
				f.Cards[i].Resource = int(text[0].resource)
			}
		}
		for _, e := range c.ways[TextWay] {
			f.Cards[i].Ops = append(f.Cards[i].Ops, opNames[e.op])
		}
	}
	for i := range b.areas {
		a := &b.areas[i]
		f.Areas[i] = AreaFacts{ID: a.id, Name: a.name, Region: -1, Resource: -1, Adjacent: uint32(a.adjacent)}
		if i < numLand {
			f.Areas[i].Region, f.Areas[i].Resource = int(a.region), int(a.resource)
		}
	}
	for i := range b.regions {
		f.Regions[i] = GroupFacts{b.regions[i].name, uint32(b.regions[i].areas)}
		f.Resources[i] = GroupFacts{b.resources[i].name, uint32(b.resources[i].areas)}
	}
	return f, nil
}

// Seats returns the number of players.
func (s *View) Seats() int { return int(s.G.seats) }

// Turns returns the number of Game Turns, Copies the cards in a full stack,
// MaxLogistics the right end of the Logistical track, and Rotates whether the First
// Player token moves: the options of the game.
func (s *View) Turns() int { return int(s.G.turns) }

// Copies is described at Turns.
func (s *View) Copies() int { return int(s.G.copies) }

// MaxLogistics is described at Turns.
func (s *View) MaxLogistics() int { return int(s.G.maxLogistics) }

// Rotates is described at Turns.
func (s *View) Rotates() bool { return s.G.rotate }

// Turn returns the Game Turn, 0 before the first and Turns+1 after the last.
func (s *View) Turn() int { return int(s.P.Turn) }

// FirstPlayer returns the First Player, -1 before it is drawn.
func (s *View) FirstPlayer() engine.Player { return seatOrNone(s.P.First) }

// Active returns whose turn it is in card play, -1 elsewhere.
func (s *View) Active() engine.Player {
	if s.P.Phase != cardPlay {
		return -1
	}
	return seatOrNone(s.P.Active)
}

func seatOrNone(s SeatID) engine.Player {
	if s == noSeat {
		return -1
	}
	return engine.Player(s)
}

// UsedThisTurn reports whether the active player has used a card in this turn.
func (s *View) UsedThisTurn() bool { return s.P.Used }

// Passed reports whether seat p is locked out until the next Game Turn.
func (s *View) Passed(p engine.Player) bool { return s.P.Passed.has(SeatID(p)) }

// Forces returns the Areas that hold a Force of seat p.
func (s *View) Forces(p engine.Player) uint32 { return uint32(s.P.Own[p]) }

// FullForces returns the Areas that hold a Full Force of whomever.
func (s *View) FullForces() uint32 { return uint32(s.P.Full) }

// Owner returns whose Force is in Area a, -1 if it is empty.
func (s *View) Owner(a int) engine.Player { return seatOrNone(s.P.ownerOf(AreaID(a))) }

// VP returns seat p's Victory Points.
func (s *View) VP(p engine.Player) int { return int(s.P.VP[p]) }

// ScoreNow returns what seat p would score with the map, and the Fogs of War, as
// they are.
func (s *View) ScoreNow(p engine.Player) int { return int(s.G.scoreNow(&s.P, SeatID(p))) }

// Logistics returns seat p's Logistical Support.
func (s *View) Logistics(p engine.Player) int { return int(s.P.Logistics[p]) }

// RegionMonopolies returns how many Regions seat p controls whole.
func (s *View) RegionMonopolies(p engine.Player) int {
	return s.G.box.regionMonopolies(&s.P, SeatID(p))
}

// ResourceMonopolies returns how many Resources seat p controls whole.
func (s *View) ResourceMonopolies(p engine.Player) int {
	return s.G.box.resourceMonopolies(&s.P, SeatID(p))
}

// PlayedFog reports whether seat p's Fog of War is in force in this scoring step.
func (s *View) PlayedFog(p engine.Player) bool { return s.P.Fog.has(SeatID(p)) }

// Hand returns the cards in seat p's hand; in another seat's view those that
// everybody knows of. The result points into the state and must not be changed,
// here and below.
func (s *View) Hand(p engine.Player) *Counts { return &s.P.Seats[p].Hand }

// Known returns the cards that everybody knows to be in seat p's hand.
func (s *View) Known(p engine.Player) *Counts { return &s.P.Seats[p].Known }

// Deck returns, in seat p's own view, the cards in its draw deck; in another
// seat's view all its cards that may be in the draw deck or, unknown, in the hand.
func (s *View) Deck(p engine.Player) *Counts { return &s.P.Seats[p].Deck }

// Discards returns seat p's discard pile.
func (s *View) Discards(p engine.Player) *Counts { return &s.P.Seats[p].Discard }

// HandSize returns the number of cards in seat p's hand.
func (s *View) HandSize(p engine.Player) int { return int(s.P.Seats[p].HandSize) }

// DeckSize returns the number of cards in seat p's draw deck.
func (s *View) DeckSize(p engine.Player) int { return int(s.P.Seats[p].DeckSize) }

// DiscardSize returns the number of cards in seat p's discard pile.
func (s *View) DiscardSize(p engine.Player) int { return int(s.P.Seats[p].Discards) }

// Pool returns the card types in the game, bit c for type c; Domination is not
// among them.
func (s *View) Pool() uint32 { return uint32(s.P.Pool) }

// Stack returns the number of cards of type c that can still be bought.
func (s *View) Stack(c int) int { return int(s.P.Stack[c]) }

// Decision returns the decision that the actor faces, NoDecision at chance and at
// the end.
func (s *View) Decision() Decision {
	if s.P.Actor < 0 {
		return NoDecision
	}
	return Decision(s.P.Ask)
}

// Use describes the use of a card that is not over.
type Use struct {
	Way    Way // NoWay if no card is being used; the rest is then of no meaning
	Card   int
	Actor  engine.Player // who uses the card
	Points int           // points, Reductions or picks left of the present effect
	Spent  bool          // one was made, so that DONE is possible
	Lowest int           // lowest Area open to the next point (R7.9)
	Region int           // in D8 and D9 the Region that is asked about, else 0
	Target engine.Player // the player chosen, hit, or performing Reductions; -1 for none
}

// Use returns the use of a card that is not over.
func (s *View) Use() Use {
	f := &s.P.Frame
	return Use{
		Way: f.Way, Card: int(f.Card), Actor: engine.Player(f.Actor), Points: int(f.Points), Spent: f.Spent,
		Lowest: int(f.Last), Region: int(f.Region), Target: seatOrNone(f.Target),
	}
}

// Phase returns the phase that the game is in.
func (s *View) Phase() Phase {
	switch s.P.Phase {
	case cardPlay:
		return CardPlay
	case scoringWindow, scoringStep:
		return BeforeVPs
	case logisticsWindow, logisticsStep:
		return AfterVPs
	}
	return OtherPhase
}

// Borders returns the Areas adjacent to a Land Area with a Force of seat p, and those
// adjacent to a Sea Area with one (R8.2); and the Areas with a Force, of whomever, that
// has none of the same owner in an adjacent Area, as Out of Supply looks for them (R8.3).
func (s *View) Borders(p engine.Player) (land, sea, isolated uint32) {
	b, own := s.G.box, s.P.Own[p]
	nearLand, nearSea := b.neighbours(own&landAreas), b.neighbours(own&seaAreas)
	lone := own &^ (nearLand | nearSea)
	for q := range s.G.seats {
		if q != SeatID(p) {
			lone |= b.isolated(&s.P, q)
		}
	}
	return uint32(nearLand), uint32(nearSea), uint32(lone)
}

// Winners returns the set of winners, bit p for seat p; none before the end.
func (s *View) Winners() uint8 { return uint8(s.G.winners(&s.P)) }
