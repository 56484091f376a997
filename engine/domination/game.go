package domination

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	codec "powderkeg/engine/position"
)

// title is a working title: the printed one is lost (Q1).
const title = "A deck-building world war (working title: Domination)"

// randomChoice leaves a question of the set-up to the lot.
const randomChoice = "random"

// Family makes Domination. The ranges of its options are those of
// data/setup.json, as a test makes sure.
var Family = engine.Family{
	Name:  "domination",
	Title: title,
	Options: []option.Option{
		{Name: "players", Kind: option.Int, Default: "2", Min: minSeats, Max: MaxSeats,
			Help: "number of seats"},
		{Name: "first_player", Kind: option.Choice, Default: randomChoice, Choices: []string{randomChoice, "0", "1", "2", "3", "4", "5"},
			Help: "First Player: by lot, or a seat"},
		{Name: "extended_pool", Kind: option.Bool, Default: "false",
			Help: "admits Strategic Bombers and Attack Submarines to the pool"},
		{Name: "fixed_pool", Kind: option.Text, Default: randomChoice,
			Help: "the 10 card types in the game: drawn by lot, or ids joined by +, such as airborne_forces+bad_leadership+..."},
		{Name: "turns", Kind: option.Int, Default: "8", Min: 1, Max: 20,
			Help: "Game Turns"},
		{Name: "copies_per_stack", Kind: option.Int, Default: "6", Min: 1, Max: 12,
			Help: "cards of each type of the pool"},
		{Name: "logistics_max", Kind: option.Int, Default: "10", Min: 4, Max: 20,
			Help: "right end of the Logistical track"},
		{Name: "rotate_first_player", Kind: option.Bool, Default: "false",
			Help: "the First Player token moves one seat to the left each Game Turn"},
		{Name: "auto_forced", Kind: option.Bool, Default: "true",
			Help: "a decision with one legal action is carried out unasked"},
	},
	Configure: engine.Configured(loadBox),
	Data:      &data,
	Rules:     ruleList,
	Rulings:   rulings,
}

// game is a configured game.
type game struct {
	box          *box
	spec         engine.Spec
	seats        SeatID
	types        CardSet // Action types that may be in the pool
	turns        uint8
	copies       uint8 // cards in a full stack
	maxLogistics uint8
	rotate       bool // rotate_first_player
	autoForced   bool
	start        Position
	table        []row
	kinds        *flow.Kinds
	codec        *codec.Codec[Position]
	// Where the kinds of chance outcomes begin in Spec.Outcomes; the pool is at 0.
	outFirst, outDraw engine.Action
}

// Configure implements engine.Compiled, R1.5, R12.1 and R12.2: there are no other variants.
func (b *box) Configure(v option.Values) (engine.Game, error) {
	g := &game{
		box: b, seats: SeatID(v.Int("players")), turns: uint8(v.Int("turns")), copies: uint8(v.Int("copies_per_stack")),
		maxLogistics: uint8(v.Int("logistics_max")), rotate: v.Bool("rotate_first_player"), autoForced: v.Bool("auto_forced"),
	}
	types := baseCards
	if v.Bool("extended_pool") {
		types = Cards
	}
	g.types = (1<<types - 1) &^ (1 << domination)
	pool, err := g.fixedPool(v.Text("fixed_pool"))
	if err != nil {
		return nil, err
	}
	first := NoSeat
	if choice := v.Choice("first_player"); choice != randomChoice {
		first = SeatID(choice[0] - '0')
		if first >= g.seats {
			return nil, fmt.Errorf("%w: domination: first_player=%s with players=%d; it is random or 0 to %d", option.ErrUsage, choice, g.seats, g.seats-1)
		}
	}
	g.spec = engine.Spec{
		Name: "domination", Title: title, Version: data.Version, NetworksSince: 1, Seats: int(g.seats),
		// A pool has one spelling, whatever the order in which its types were named.
		Text:    strings.Replace(v.Format("domination"), v.Text("fixed_pool"), g.poolText(pool), 1),
		Actions: b.actionNames(), MinReturn: 0, MaxReturn: 1, Payoff: engine.GeneralSum, AsksInSecret: true,
	}
	g.bound()
	g.nameOutcomes(types)
	g.table, g.kinds, g.codec = g.newTable(), flow.NewKinds(b.read, nil), g.newCodec()
	start := g.newPosition(pool, first)
	s := g.state(&start)
	s.Settle()
	g.start = s.P
	return g, nil
}

// fixedPool reads the option of that name (R5.4): ten different ids, joined by +.
func (g *game) fixedPool(text string) (CardSet, error) {
	if text == randomChoice {
		return 0, nil
	}
	bad := func(format string, args ...any) (CardSet, error) {
		return 0, fmt.Errorf("%w: domination: fixed_pool: %s", option.ErrUsage, fmt.Sprintf(format, args...))
	}
	var ids []string
	for c := range CardID(Cards) {
		if g.types.Has(c) {
			ids = append(ids, g.box.Cards[c].ID)
		}
	}
	pool := CardSet(0)
	for id := range strings.SplitSeq(text, "+") {
		c := slices.IndexFunc(g.box.Cards[:], func(c Card) bool { return c.ID == id })
		switch {
		case c >= baseCards && !g.types.Has(CardID(c)):
			return bad("%s needs extended_pool=true", id)
		case c < 0 || !g.types.Has(CardID(c)):
			return bad("%q is no Action card; they are %s", id, strings.Join(ids, ", "))
		case pool.Has(CardID(c)):
			return bad("%s is named twice", id)
		}
		pool |= 1 << c
	}
	if pool.Size() != PoolSize {
		return bad("%d types are named; it has %d", pool.Size(), PoolSize)
	}
	return pool, nil
}

// poolText is the value of the option fixed_pool that stands for a pool, in the order
// of the cards.
func (g *game) poolText(pool CardSet) string {
	if pool == 0 {
		return randomChoice
	}
	var ids []string
	for ; pool != 0; pool &= pool - 1 {
		ids = append(ids, g.box.Cards[pool.First()].ID)
	}
	return strings.Join(ids, "+")
}

// maxScoring is the most VPs of one player in one scoring (R9.3).
const maxScoring = 100

// mostUses bounds the cards that one player uses, and so those it draws (R10.3):
// its Logistical Support in all Game Turns.
func (g *game) mostUses() int {
	return int(g.box.startLogistics) + int(g.maxLogistics)*(int(g.turns)-1)
}

// maxVP implements R10.4: 100 in each scoring, and 6 for each use, the most that a
// text gives (Propaganda War).
func (g *game) maxVP() int { return maxScoring*int(g.turns) + Regions*g.mostUses() }

// bound implements R10.3: with U uses by all n players a game has at most
// U(77+n) + 4nT decisions. Chance draws the pool, the First Player, and each card
// that is drawn at most once.
func (g *game) bound() {
	n := int(g.seats)
	uses := n * g.mostUses()
	g.spec.MaxDecisions = uses*(77+n) + 4*n*int(g.turns)
	g.spec.MaxMoves = g.spec.MaxDecisions + PoolSize + 1 + uses
}

// nameOutcomes lays out the vocabulary of chance outcomes: lots and draws, no dice (R1.7).
func (g *game) nameOutcomes(types int) {
	var names []string
	for c := 1; c < types; c++ {
		names = append(names, "POOL "+g.box.Cards[c].Name)
	}
	g.outFirst = engine.Action(len(names))
	for i := range g.seats {
		names = append(names, fmt.Sprintf("FIRST_PLAYER %d", i))
	}
	g.outDraw = engine.Action(len(names))
	for c := range types {
		names = append(names, "DRAW "+g.box.Cards[c].Name)
	}
	g.spec.Outcomes = names
}

// Spec implements engine.Game.
func (g *game) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *game) New() engine.State { return g.state(&g.start) }

// state returns the state at a position.
func (g *game) state(p *Position) *State {
	return &State{flow.NewState[*game, Position, actionSet](g, p)}
}

// Waits implements flow.Rules, R11.1 and Q46: it reports whether the game waits for the answer to
// the question at rest. An answer without an alternative is given unasked, but not
// where the hand leaves no other one: that nobody was asked would tell the others
// what is in it. Its size, which is public, may do so: an empty hand is not asked at
// all, and the last card of a hand is the second discard.
func (g *game) Waits(p *Position) bool {
	n := p.Choices().Size()
	if n != 1 || !g.autoForced {
		return n > 0
	}
	switch p.asked() {
	case TurnDecision:
		return true
	case SecondDiscardDecision:
		return p.Seats[p.Actor].HandSize > 1
	}
	return false
}

// Next implements flow.Rules: it carries out the next thing of the Game Turn, whose
// steps are those of the constants of phase.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	b := Board{g, p, w}
	if p.Frame.Way != NoWay {
		return b.resolve()
	}
	switch p.Phase {
	case setUp:
		return b.setUp()
	case endOfGameTurn:
		return b.beginGameTurn()
	case startOfGameTurn:
		return b.draw()
	case cardPlay:
		if p.Window != noWindow {
			return b.askWindow()
		}
		return b.turn()
	case scoringWindow, logisticsWindow:
		return b.askWindow()
	case scoringStep:
		return b.score()
	case logisticsStep:
		return b.moveLogistics()
	case over:
		return p.Put(uint8(askNothing), engine.Terminal)
	}
	panic("domination: unknown phase")
}

// next returns the seat to the left of s (R2.11).
func (g *game) next(s SeatID) SeatID {
	if s++; s == g.seats {
		return 0
	}
	return s
}

// place returns the seat at a place counted clockwise from seat s, which is
// place 0.
func (g *game) place(s, place SeatID) SeatID {
	if s += place; s >= g.seats {
		s -= g.seats
	}
	return s
}

// everybody returns the set of all seats.
func (g *game) everybody() SeatSet { return 1<<g.seats - 1 }
