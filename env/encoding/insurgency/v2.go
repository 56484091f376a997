// Package insurgency encodes 2040: An American Insurgency.
//
// The two sides play by different rules, so the board is not mirrored: pieces, tracks
// and spaces are given as Rebel and Federal, and two numbers say which of them the
// observer is. Hands are given as own and opponent; the running card, the turn and the
// decision are positive if they are the observer's, negative if they are the
// opponent's. Cards, stories and spaces keep their places in all scenarios.
//
// The layout is that of R21.3. What a seat that is to act may know of the running card is
// all in it: two views that differ have different observations.
package insurgency

import (
	"math/bits"
	"sync"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
	"powderkeg/env/encoding"
)

// layout of version 2. Version 1 had no groups that are chosen before they move and went
// with the rules that knew none.
var layout = encoding.Layout{Game: "insurgency", Version: 2}

// Numbers of one space, in order.
const (
	spaceStatus       = 0 // five
	spaceUnrest       = 5
	spaceAgents       = 6
	spaceSleepers     = 7
	spaceActive       = 8
	spaceFederalBases = 9
	spaceRebelBases   = 10
	spacePlague       = 11
	spaceInPlay       = 12
	spaceControl      = 13
	spacePicked       = 14
	spaceLeaving      = 15 // two
	spaceComing       = 17 // two
	spaceFocus        = 19
	spaceOrigin       = 20
	spaceUnhandled    = 21
	spaceKept         = 22
	spaceLastRemoval  = 23
	spaceTarget       = 24
	spaceSize         = 25

	constantSize = 5
	storySize    = 6
)

// Bounds of what is shown.
const (
	maxUnits  = 30
	maxPoints = 65 // the whole population and nine bases
	maxRounds = 6
	maxHacked = 6
	maxShield = 3
	maxBases  = 9
	maxHand   = 92 // a lenient position may give any
	steps     = 8  // scale of a place in a card text
	choosing  = 6  // the decision at which selections are still being chosen (D6)
)

var (
	spaceLabels = []string{
		"unmarked", "order", "anger", "defiance", "revolt", "unrest", "agents", "sleepers", "active", "federal_bases",
		"rebel_bases", "plague", "in_play", "control", "picked", "leaving", "leaving_active", "coming", "coming_active",
		"focus", "origin", "unhandled", "kept", "last_removal", "target",
	}
	sides = []string{"rebel", "federal"}

	spacesAt = layout.Add("spaces", -1, 1,
		"per space: status one-hot; unrest/3; agents, sleepers, active/30; bases/2; plague marker; in play; control (1 Rebel, -1 Federal); picked in the "+
			"running operation, or selected by the running event: 1/8, in Net Ops 1/2 for the first selection, 1/4 for the second and so on, in a Move the "+
			"same for the groups that go there; agents or sleepers/30 and active militia/30 that the groups chosen in the running Move take from here; "+
			"those that they bring here, before arrests; the space that the decision is about; origin of the running group or relocation; picks or "+
			"selections of the running operation here that are still to be handled/8; chosen by an earlier step of the running event; place of the last "+
			"voluntary removal before this card; may be chosen now", spaceLabels, insurgency.Spaces, spaceSize)
	constantsAt = layout.Add("space_constants", 0, 1, "per space: population/3 and terrain one-hot",
		[]string{"population", "city_or_mountain", "forest_or_desert", "open", "none"}, insurgency.Spaces, constantSize)

	pointsAt   = layout.Add("victory_points", 0, maxPoints/40., "victory points, divided by 40", sides, 2)
	moneyAt    = layout.Add("resources", 0, 1, "dollars, divided by 30", sides, 2)
	reservesAt = layout.Add("reserves", 0, 1, "one-hot: reserves of the Rebel, the Federal", []string{"0", "1", "2"}, 2, 3)
	markerAt   = layout.Add("social_media", 0, 1, "one-hot: space of the Social Media marker", []string{"A", "B", "C", "D", "E", "F"}, 6)
	powerAt    = layout.Add("rebellion_power", 0, 1, "Rebellion Power, divided by 11", nil, 1)
	factorAt   = layout.Add("rebellion_power_factor", 0, 1, "one-hot: its factor", []string{"0", "1", "2", "3", "4"}, 5)
	hackedAt   = layout.Add("hacked", 0, 1, "Hacked markers on the HQ, divided by 6", sides, 2)
	shieldsAt  = layout.Add("shields", 0, 1, "Shields on the HQ, divided by 3", sides, 2)
	stockAt    = layout.Add("stock", 0, 1, "pieces that are not on the map, share of all",
		[]string{"agents", "militia", "federal_bases", "rebel_bases"}, 4)
	momentumAt  = layout.Add("momentum", 0, 1, "1 for each event that stays in play", insurgency.MomentumKeys(), insurgency.Momenta)
	handAt      = layout.Add("own_hand", 0, 1, "1 for each event card in hand, cards 1 to 92", nil, insurgency.Events)
	enemyHandAt = layout.Add("known_enemy_hand", 0, 1, "1 for each card that the observer has seen and that is still in the other hand", nil,
		insurgency.Events)
	seenAt   = layout.Add("own_hand_seen", 0, 1, "1 for each own card that the opponent has seen", nil, insurgency.Events)
	goneAt   = layout.Add("played_or_removed", 0, 1, "1 for each card played, discarded or removed at set-up", nil, insurgency.Events)
	unseenAt = layout.Add("unseen", 0, 1, "1 for each card that may be in the deck or in the other hand", nil, insurgency.Events)
	cardAt   = layout.Add("card_in_play", -1, 1, "one-hot: the running card, 1 if the observer plays it, -1 if the opponent does", nil,
		insurgency.Events)
	modeAt = layout.Add("card_mode", 0, 1, "one-hot: how it is played, zero until that is chosen",
		[]string{"event", "ops", "ops_then_event", "event_then_ops", "burn"}, 5)
	opsAt = layout.Add("card_ops", 0, 1, "one-hot: Ops of the running operation, reserves included, before it those of the card",
		[]string{"1", "2", "3"}, insurgency.MaxOps)
	storiesAt = layout.Add("stories", 0, 1, "per story: where it is; zero for the deck",
		[]string{"pool", "slot1", "slot2", "slot3", "discarded", "drawn"}, insurgency.Stories, storySize)

	roundAt = layout.Add("round", 0, 1, "round, divided by 6", nil, 1)
	deckAt  = layout.Add("event_deck", 0, 1, "cards in the event deck, divided by 92", nil, 1)
	handsAt = layout.Add("hand_sizes", 0, maxHand/9., "cards in the own hand, the opponent's hand, divided by 9", []string{"own", "opponent"}, 2)
	pairAt  = layout.Add("cards_left_in_pair", -1, 1,
		"one-hot: cards left in the pair, the running one included, 1 if it is the observer's pair, -1 if it is the opponent's", []string{"1", "2"}, 2)
	usedAt     = layout.Add("social_media_used", 0, 1, "1 if the side has used Social Media this round", sides, 2)
	decisionAt = layout.Add("decision", -1, 1,
		"one-hot: the decision that is asked, D1 to D43, 1 of the observer, -1 of the opponent; zero at chance and at the end", nil, insurgency.Decisions-1)
	opAt = layout.Add("operation", 0, 1, "one-hot: the running operation, or the one chosen before D4", insurgency.OperationNames(),
		insurgency.Operations)
	progressAt = layout.Add("progress", 0, 4,
		"selections, groups or pieces to come/8; dollars that the picks or groups cost/30; arrests on the road/30; Ops left for attacks/3; a piece must "+
			"be lifted; place in the card text/8", []string{"selections", "cost", "arrests", "budget", "source", "step"}, 6)

	selectionAt  = layout.Add("selection", 0, 1, "number of the Net Ops selection that is being handled, divided by 8 (D7)", nil, 1)
	sleepersAt   = layout.Add("sleepers_chosen", 0, 1, "sleepers chosen for the running group, divided by 30 (D12)", nil, 1)
	relocatedAt  = layout.Add("relocated", 0, 1, "sleepers chosen to be relocated, divided by 30 (the second D35)", nil, 1)
	agentsLeftAt = layout.Add("agents_left", 0, 1, "agents that the running Deploy may still place, divided by 3; zero with deploy=each", nil, 1)
	baseMadeAt   = layout.Add("base_made", 0, 1, "1 if a base has been made in the running Deploy", nil, 1)
	takesNoneAt  = layout.Add("opponent_done", 0, 1, "1 if the opponent takes no more spaces in a custom set-up", nil, 1)
	removedAt    = layout.Add("last_removal", 0, 1, "one-hot: piece of the last voluntary removal before this card",
		[]string{"agent", "sleeper", "active", "base"}, 4)

	scenarioAt = layout.Add("scenario", 0, 1, "one-hot: the scenario", insurgency.ScenarioNames(), 3)
	sideAt     = layout.Add("observer", 0, 1, "one-hot: the side of the observer", sides, 2)
	deployAt   = layout.Add("deploy_each", 0, 1, "1 if the option deploy is each", nil, 1)
)

// template holds the constants of the map, the spaces that are always in play, and zeroes.
var template = sync.OnceValue(func() []float32 {
	list := make([]float32, layout.Size)
	spaces, err := insurgency.Map()
	if err != nil {
		return list // the game itself cannot be made either
	}
	for i := range spaces {
		writeConstants(list, i, &spaces[i])
		list[spacesAt+i*spaceSize+spaceInPlay] = flag(i < insurgency.USSpaces)
	}
	return list
})

// writeConstants writes what is printed on a space.
func writeConstants(dst []float32, i int, s *insurgency.SpaceFacts) {
	row := dst[constantsAt+i*constantSize:][:constantSize]
	clear(row)
	row[0] = float32(s.Population) / 3
	switch s.Terrain {
	case "city", "mountain":
		row[1] = 1
	case "forest", "desert":
		row[2] = 1
	case "open":
		row[3] = 1
	case "none":
		row[4] = 1
	}
}

// Encoder is the encoder of 2040: An American Insurgency, the same for all options.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*insurgency.View)
	dst = dst[:layout.Size]
	encodeConstants(dst, s)
	for i := range s.P.Spaces {
		encodeSite((*[spaceSize]float32)(dst[spacesAt+i*spaceSize:]), &s.P.Spaces[i])
	}
	encodeMarks(dst, s)
	encodeTracks(dst, s)
	encodeCards(dst, s, p)
	encodeRunning(dst, s, p)
	encodeStories(dst, s)
	encodeTurn(dst, s, p)
	encodeQuestion(dst, s, p)
}

// encodeConstants writes what is printed on the map, and zeroes everywhere else.
func encodeConstants(dst []float32, s *insurgency.View) {
	copy(dst, template())
	if !s.Shipped() {
		for i := range insurgency.Spaces {
			facts := s.Space(i)
			writeConstants(dst, i, &facts)
		}
	}
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// encodeSite writes what stands in a space. Half of the spaces are empty most of the time,
// so what stands there is looked at in one.
func encodeSite(row *[spaceSize]float32, at *insurgency.Site) {
	row[statusAt[at.Status]] = 1
	if at.Unrest|at.Agents|at.Sleepers|at.Active|at.FederalBases|at.RebelBases == 0 {
		return
	}
	row[spaceUnrest] = float32(at.Unrest) * (1. / 3)
	row[spaceAgents] = float32(at.Agents) * (1. / maxUnits)
	row[spaceSleepers] = float32(at.Sleepers) * (1. / maxUnits)
	row[spaceActive] = float32(at.Active) * (1. / maxUnits)
	row[spaceFederalBases] = float32(at.FederalBases) * (1. / 2)
	row[spaceRebelBases] = float32(at.RebelBases) * (1. / 2)
	switch at.Control() {
	case insurgency.Rebel:
		row[spaceControl] = 1
	case insurgency.Federal:
		row[spaceControl] = -1
	}
}

// encodeMarks writes what markers, question and procedure say about the spaces (marked).
func encodeMarks(dst []float32, s *insurgency.View) {
	for targets := s.Targets(); targets != 0; targets &= targets - 1 {
		mark(dst, int(targets.First()), spaceTarget)
	}
	mark(dst, s.Plague(), spacePlague)
	mark(dst, s.Focus(), spaceFocus)
	mark(dst, s.Origin(), spaceOrigin)
	if i, _ := s.LastRemoval(); i >= 0 {
		mark(dst, i, spaceLastRemoval)
	}
	encodePicks(dst, s)
	encodeGroups(dst, s)
}

// encodePicks writes the spaces that the running operation or event has picked, and
// which of them are still to be handled. Selections of Net Ops are handled in the order in
// which they are listed, so each has a power of two of its own.
func encodePicks(dst []float32, s *insurgency.View) {
	const one = 1. / insurgency.MaxSelected
	for set := uint64(s.Picks()); set != 0; set &= set - 1 {
		dst[spacesAt+bits.TrailingZeros64(set)*spaceSize+spacePicked] = one
	}
	for set := uint64(s.P.Op.Pick.Todo); set != 0; set &= set - 1 {
		dst[spacesAt+bits.TrailingZeros64(set)*spaceSize+spaceUnhandled] = one
	}
	for set := uint64(s.P.Event.Named[0]); set != 0; set &= set - 1 {
		dst[spacesAt+bits.TrailingZeros64(set)*spaceSize+spaceKept] = 1
	}
	net := &s.P.Op.Net
	place := float32(0.5)
	for k, at := range net.Selected[:net.Count] {
		row := dst[spacesAt+int(at)*spaceSize:][:spaceSize]
		row[spacePicked] += place
		if k >= int(net.At) {
			row[spaceUnhandled] += one
		}
		place /= 2
	}
}

// encodeGroups writes the groups that have been chosen in the running Move.
func encodeGroups(dst []float32, s *insurgency.View) {
	place := float32(0.5)
	op := &s.P.Op.Move
	for _, g := range op.Groups[:op.NumGroups] {
		from, to := dst[spacesAt+int(g.From)*spaceSize:][:spaceSize], dst[spacesAt+int(g.To)*spaceSize:][:spaceSize]
		from[spaceLeaving] += float32(g.Units) * (1. / maxUnits)
		from[spaceLeaving+1] += float32(g.Active) * (1. / maxUnits)
		to[spaceComing] += float32(g.Units) * (1. / maxUnits)
		to[spaceComing+1] += float32(g.Active) * (1. / maxUnits)
		to[spacePicked] += place
		place /= 2
	}
}

// statusAt is the place of a status in a row: unmarked stands first.
var statusAt = [5]int{insurgency.Order: 1, insurgency.Anger: 2, insurgency.Defiance: 3, insurgency.Revolt: 4, insurgency.Unmarked: spaceStatus}

// mark sets one number of a space, if there is such a space.
func mark(dst []float32, i, at int) {
	if i >= 0 {
		dst[spacesAt+i*spaceSize+at] = 1
	}
}

// encodeTracks writes the tracks of both sides.
func encodeTracks(dst []float32, s *insurgency.View) {
	q, points := &s.P, s.Points()
	for i := range points {
		dst[pointsAt+i] = float32(points[i]) * (1. / 40)
		dst[moneyAt+i] = float32(q.Resources[i]) * (1. / insurgency.MaxMoney)
		dst[reservesAt+3*i+int(q.Reserves[i])] = 1
		dst[hackedAt+i] = float32(q.Hacked[i]) * (1. / maxHacked)
		dst[shieldsAt+i] = float32(q.Shields[i]) * (1. / maxShield)
		dst[usedAt+i] = flag(q.SocialUsed[i])
	}
	dst[markerAt+int(q.Social)] = 1
	power, factor := s.RebellionPower()
	dst[powerAt] = float32(power) * (1. / insurgency.MaxPower)
	dst[factorAt+factor] = 1
	dst[stockAt] = float32(s.UnitsInStock(insurgency.Federal)) * (1. / maxUnits)
	dst[stockAt+1] = float32(s.UnitsInStock(insurgency.Rebel)) * (1. / maxUnits)
	dst[stockAt+2] = float32(s.BasesInStock(insurgency.Federal)) * (1. / maxBases)
	dst[stockAt+3] = float32(s.BasesInStock(insurgency.Rebel)) * (1. / maxBases)
	for in := uint32(q.Momentum); in != 0; in &= in - 1 {
		dst[momentumAt+bits.TrailingZeros32(in)] = 1
	}
	for i := insurgency.USSpaces; i < insurgency.Spaces; i++ { // the others stand in the template
		dst[spacesAt+i*spaceSize+spaceInPlay] = flag(s.InPlay()>>i&1 != 0)
	}
}

// cards writes 1 for every card of a set.
func cards(dst []float32, set insurgency.CardSet) {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			dst[i*64+bits.TrailingZeros64(word)] = 1
		}
	}
}

// eights are the numbers of eight cards, by the byte of a set that holds them.
var eights = func() (list [256][8]float32) {
	for b := range list {
		for i := range list[b] {
			list[b][i] = float32(b >> i & 1)
		}
	}
	return list
}()

// manyCards is cards for sets with many of them: it writes eight at a time.
func manyCards(dst []float32, set insurgency.CardSet) {
	const whole = insurgency.Events / 8
	dst = dst[:insurgency.Events]
	for i := range whole {
		*(*[8]float32)(dst[8*i:]) = eights[uint8(set[i>>3]>>(i&7*8))]
	}
	copy(dst[8*whole:], eights[uint8(set[whole>>3]>>(whole&7*8))][:])
}

// encodeCards writes the zones of the event cards.
func encodeCards(dst []float32, s *insurgency.View, p engine.Player) {
	cards(dst[handAt:], s.P.Hand[p])
	cards(dst[enemyHandAt:], s.P.Known[1-p])
	cards(dst[seenAt:], s.P.Known[p])
	manyCards(dst[goneAt:], s.Gone())
	manyCards(dst[unseenAt:], s.Unseen())
}

// encodeRunning writes the card that is being played.
func encodeRunning(dst []float32, s *insurgency.View, p engine.Player) {
	if card, mode := s.RunningCard(); card != 0 {
		dst[cardAt+card-1] = own(s.Turn(), p)
		if mode != insurgency.NoMode {
			dst[modeAt+mode-1] = 1
		}
	}
	if n := s.Ops(); n > 0 {
		dst[opsAt+n-1] = 1
	}
}

// encodeStories writes where every story is.
func encodeStories(dst []float32, s *insurgency.View) {
	p := &s.P
	where := func(n insurgency.StoryID, place int) { dst[storiesAt+int(n-1)*storySize+place] = 1 }
	for pool := p.Pool; pool != 0; pool &= pool - 1 {
		where(pool.First(), 0)
	}
	for discards := p.StoryDiscard; discards != 0; discards &= discards - 1 {
		where(discards.First(), 4)
	}
	for i, n := range p.Slots {
		if n != 0 {
			where(n, 1+i)
		}
	}
	if p.Drawn != 0 {
		where(p.Drawn, 5)
	}
}

// encodeTurn writes how far the game has come.
func encodeTurn(dst []float32, s *insurgency.View, p engine.Player) {
	dst[roundAt] = float32(min(int(s.P.Round), maxRounds)) * (1. / maxRounds)
	dst[deckAt] = float32(s.DeckSize()) * (1. / insurgency.Events)
	dst[handsAt] = float32(int(s.P.HandSize[p])) * (1. / 9)
	dst[handsAt+1] = float32(int(s.P.HandSize[1-p])) * (1. / 9)
	if n := int(s.P.PairLeft); n > 0 {
		dst[pairAt+n-1] = own(s.Turn(), p)
	}
	dst[takesNoneAt] = flag(s.P.Done[1-p])
	if i, piece := s.LastRemoval(); i >= 0 {
		dst[removedAt+piece] = 1
	}
	dst[scenarioAt+s.Scenario()] = 1
	dst[sideAt+int(p)] = 1
	dst[deployAt] = flag(s.DeployEach())
}

// own returns 1 for the observer, -1 for its opponent, 0 for nobody.
func own(who, p engine.Player) float32 {
	switch who {
	case p:
		return 1
	case insurgency.Nobody:
		return 0
	}
	return -1
}

// encodeQuestion writes what is asked and how far it has come.
func encodeQuestion(dst []float32, s *insurgency.View, p engine.Player) {
	if d := s.Decision(); d > 0 {
		dst[decisionAt+d-1] = own(s.ToAct(), p)
		if net := &s.P.Op.Net; net.Count > 0 && d != choosing {
			dst[selectionAt] = float32(net.At+1) * (1. / insurgency.MaxSelected)
		}
	}
	if k := s.Operation(); k >= 0 {
		dst[opAt+k] = 1
	}
	pr := s.Progress()
	dst[progressAt] = float32(pr.Selections) * (1. / insurgency.MaxSelected)
	dst[progressAt+1] = float32(pr.Cost) * (1. / insurgency.MaxMoney)
	dst[progressAt+2] = float32(pr.Arrests) * (1. / maxUnits)
	dst[progressAt+3] = float32(pr.Budget) * (1. / insurgency.MaxOps)
	dst[progressAt+4] = flag(pr.Source)
	dst[progressAt+5] = float32(int(s.P.Event.PC)) * (1. / steps)
	dst[sleepersAt] = float32(pr.Sleepers) * (1. / maxUnits)
	dst[relocatedAt] = float32(pr.Relocated) * (1. / maxUnits)
	dst[agentsLeftAt] = float32(pr.AgentsLeft) * (1. / insurgency.MaxOps)
	dst[baseMadeAt] = flag(pr.BaseChosen)
}
