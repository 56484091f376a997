package insurgency

import (
	"math"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// The sides, as indices and seats.
const (
	rebel   = insurgency.Rebel
	federal = insurgency.Federal
)

const spaces = insurgency.Spaces

// space is what stands in a space.
type space struct {
	status   int // insurgency.Order to Revolt, or Unmarked
	unrest   int
	agents   int
	sleepers int
	active   int
	bases    [2]int
}

func (s *space) militia() int { return s.sleepers + s.active }

// site is the space as the rules look at it.
func (s *space) site() insurgency.Site {
	return insurgency.Site{
		Status: insurgency.Status(s.status), Unrest: uint8(s.unrest), Agents: uint8(s.agents), Sleepers: uint8(s.sleepers), Active: uint8(s.active),
		FederalBases: uint8(s.bases[federal]), RebelBases: uint8(s.bases[rebel]),
	}
}

// place is what is printed on a space, in the numbers that the player needs.
type place struct {
	index      int
	population float64
	kind       int
	perEffect  int // agents that a Hunt needs for an effect
	us         bool
	adjacent   insurgency.SpaceSet
}

// readPlaces reads the map off any view.
func readPlaces(s *insurgency.View) (list [spaces]place) {
	for i := range list {
		f := s.Space(i)
		list[i] = place{
			index: i, population: float64(f.Population), kind: f.Kind, perEffect: f.AgentsPerEffect,
			us: i < insurgency.USSpaces, adjacent: f.Adjacent,
		}
	}
	return list
}

// board is a situation in numbers, as far as the player weighs it.
type board struct {
	at       [spaces]space
	money    [2]int
	reserves [2]int
	shields  [2]int
	hand     [2]int
	seen     [2]int // cards of the hand that the other side has seen
	units    [2]int // in stock
	bases    [2]int // in stock
	built    [2]int // bases on the map
	pieces   [2]int // on the map
	marker   int
	edge     engine.Player
	power    int
	factor   int // Rebellion Power Factor
	slot     [insurgency.Slots]int
	next     int // Rebellion Factor of the story that a cycle would bring, -1 for none
	momenta  insurgency.MomentumSet
	deck     int
	horizon  horizon
	w        *weights
	game     *rules
}

// rules are what is printed, and what the player makes of it.
type rules struct {
	*insurgency.Box
	limits  insurgency.Limits
	sideOps [2][]int  // what each side may choose, Social Media apart
	turns   [6]int    // steps that turn the Edge from a space of the track
	hands   []float64 // dollars from which on a hand is larger
}

// readRules reads what is printed off any view.
func readRules(s *insurgency.View) *rules {
	r := &rules{Box: s.Box(), limits: s.Box().Limits()}
	for p := range engine.Player(2) {
		r.sideOps[p] = slices.DeleteFunc(r.Operations(p), func(op int) bool { return op == insurgency.SocialMedia })
	}
	for i := range r.turns {
		r.turns[i] = r.stepsToTurn(i)
	}
	for n := 1; n <= insurgency.MaxMoney; n++ {
		if r.HandSize(n) > r.HandSize(n-1) {
			r.hands = append(r.hands, float64(n))
		}
	}
	return r
}

// stepsToTurn counts the steps of the Social Media marker to a space where the other side has
// the Edge (R13.3.1).
func (r *rules) stepsToTurn(i int) int {
	_, edge := r.MarkerSteps(i)
	reached := []int{i}
	for steps := 1; ; steps++ {
		var next []int
		for _, at := range reached {
			to, _ := r.MarkerSteps(at)
			for _, n := range to {
				if _, e := r.MarkerSteps(int(n)); e != edge {
					return steps
				}
				next = append(next, int(n))
			}
		}
		reached = next
	}
}

// room reports whether another base fits into a space (R1.6).
func (r *rules) room(s *space) bool { return s.bases[rebel]+s.bases[federal] < r.limits.Bases }

// horizon is how much of the game is to come, from 1 to 0: what a card can still
// make of an opportunity is worth as much.
type horizon struct {
	game  float64 // for what takes a few cards
	long  float64 // for what pays over rounds
	round float64 // of the current round
	deal  float64 // how near the next hands are, 0 if there will be none
	cards [2]float64
	can   [2][insurgency.MaxOps + 1]float64 // chance that a later card of a side gives so many Ops
	urge  [2]float64                        // what a victory point of a side is worth; more near domination
}

// read takes in a view. Only what both sides see is read, so that the views of one
// position look alike, the number of seen cards apart.
func (b *board) read(s *insurgency.View) {
	b.pieces, b.built = [2]int{}, [2]int{}
	for i := range b.at {
		at := &s.P.Spaces[i]
		b.at[i] = space{
			status: int(at.Status), unrest: int(at.Unrest), agents: int(at.Agents), sleepers: int(at.Sleepers), active: int(at.Active),
			bases: [2]int{rebel: int(at.RebelBases), federal: int(at.FederalBases)},
		}
		b.pieces[rebel] += b.at[i].militia() + b.at[i].bases[rebel]
		b.pieces[federal] += b.at[i].agents + b.at[i].bases[federal]
		b.built[rebel] += b.at[i].bases[rebel]
		b.built[federal] += b.at[i].bases[federal]
	}
	for side := range engine.Player(2) {
		b.money[side] = int(s.P.Resources[side])
		b.reserves[side] = int(s.P.Reserves[side])
		b.shields[side] = int(s.P.Shields[side])
		b.hand[side] = int(s.P.HandSize[side])
		b.seen[side] = s.P.Known[side].Count()
		b.units[side] = s.UnitsInStock(side)
		b.bases[side] = s.BasesInStock(side)
	}
	b.marker, b.edge = int(s.P.Social), s.Edge()
	b.power, b.factor = s.RebellionPower()
	for i := range b.slot {
		b.slot[i] = int(s.P.Slots[i])
	}
	b.readPool(s)
	b.momenta = s.P.Momentum
	b.deck = s.DeckSize()
}

// readPool finds the story that the next cycle brings, with the highest Virality.
func (b *board) readPool(s *insurgency.View) {
	b.next = -1
	top := 0
	pool := s.P.Pool
	for n := 1; n <= insurgency.Stories; n++ {
		if !pool.Has(insurgency.StoryID(n)) {
			continue
		}
		if virality, factor := s.Story(n); virality > top {
			top, b.next = virality, factor
		}
	}
}

// readHorizon counts the cards to come. A round takes some 16 cards of the deck, and
// the game ends when it cannot be dealt (R5.4).
func (b *board) readHorizon(s *insurgency.View) {
	const (
		roundCards = 16
		soon       = 10. // card plays within which an opportunity can be taken
		later      = 40.
	)
	hands := b.hand[rebel] + b.hand[federal]
	plays := float64(hands + b.deck/roundCards*roundCards)
	b.horizon = horizon{
		game: min(1, plays/soon), long: min(1, plays/later), round: min(1, float64(hands)/roundCards),
	}
	for side := range b.hand {
		b.horizon.cards[side] = min(1, (plays/2-float64(hands)/2+float64(b.hand[side]))/5)
	}
	late := max(0, 1-float64(hands)/roundCards)
	if b.deck >= roundCards {
		b.horizon.deal = late
	}
	// A side that has the points for domination when the round ends has won (R5.3).
	for side := range b.horizon.urge {
		d := float64(b.game.DominationPoints()-s.VictoryPoints(engine.Player(side))) / 4
		b.horizon.urge[side] = 1 + b.w.near*late*math.Exp(-d*d)
	}
}
