package insurgency

import (
	"encoding/json"
	"fmt"

	"powderkeg/engine/ruledata"
)

// step is one step of a card text (R14.1), as data/event_cards.json has it and as the
// interpreter reads it. data/effects.json explains the fields; which of them a step
// uses depends on Op. Those in lower case are compiled.
type step struct {
	Op             effectOp
	side           who   // whose pieces, money, hand or HQ, or who acts
	jump           uint8 // if: where the else part begins; jump: where to go
	untested       bool  // the card itself tests these spaces (R4.4)
	N              quantity
	Max            uint8 // sm_move
	Ops            uint8 // free_op
	Piece          piece
	Target         target
	State          militiaState // of militia that go; of flip, what they become
	Dir            direction
	Do             newsDo
	Optional       bool
	Hacked, Shield quantity
	Operation      opKind
	IgnoreShield   bool `json:"ignore_shield"`
	grant          grant
	Key            MomentumKey
	keys           MomentumSet // cancel_momentum: which may be ended
	Spread         string      // split: piece by piece
	Sign           string
	Store          string // the amount is kept
	Set, Add       *uint8 // reserve: the new value, or what is added
	At             selector
	Amount         amount
	Cond           condition
	dest           selector // relocate: where to
	options        []alternative

	// What is compiled into other fields.
	Side, By, Of who // at most one of them is given
	Keys         []MomentumKey
	Options      json.RawMessage // of choice a list, of free_op a grant
	From, To     json.RawMessage // words, or of relocate selectors
	Then, Else   []step

	// Words that never differ.
	Steps, Free, Until notes
	AutoSuccess        notes `json:"auto_success"`
}

// split reports whether a step places or removes piece by piece.
func (in *step) split() bool { return in.Spread == "split" }

// most returns how many pieces, steps of the marker or cards a step is about.
func (in *step) most() uint8 { return max(uint8(max(in.N.n, 0)), in.Max) }

// who names a side in a card text.
type who uint8

const (
	theOwner    who = iota // who gets the event
	theOpponent            // of the owner
	theRebel
	theFederal
)

// of returns the side that w is when owner gets the event. Choices belong to the owner
// unless the text names another side (R14.2).
func (w who) of(owner Side) Side {
	switch w {
	case theOwner:
		return owner
	case theOpponent:
		return 1 - owner
	}
	return Side(w - theRebel)
}

// how says in what way a selection is made.
type how uint8

const (
	choose how = iota
	allOf
	fixed
	ref
	anyOf     // piece by piece
	ownSuburb // relocate: the suburb of the city
)

// name is the letter by which a selection of a card is kept, from 1 on; 0 is none.
type name uint8

// maxNames bounds the selections that a card can keep.
const maxNames = 2

// selector picks spaces.
type selector struct {
	How    how
	N, Min uint8
	By     who
	Ref    name     // an earlier selection
	As     name     // where the selection is kept
	ids    SpaceSet // fixed
	Filter filter
	IDs    []string // what is compiled into ids
}

// piece is what place puts on the map.
type piece uint8

const (
	aUnit piece = iota
	aBase
)

// target is what remove takes, or convert replaces.
type target uint8

const (
	targetAgent target = iota
	targetMilitia
	targetUnit // agents and militia, each
	targetEnemy
	targetFederalBase
	targetRebelBase
)

// militiaState is a state of militia that remove and flip speak of.
type militiaState uint8

const (
	anyState militiaState = iota
	activeOnly
	sleeperOnly
)

// direction is where a shift goes.
type direction uint8

const (
	towardOrder direction = iota
	toggles
	towardRevolt
)

// newsDo is what a news step does.
type newsDo uint8

const (
	newsNone newsDo = iota
	newsCycle
	newsChoose // a cycle in which the owner picks the story for slot 1
	newsCensor
	newsFeed
	newsSwap
	newsReplace
	newsRefresh
)

var newsNames = []string{"", "cycle", "cycle_choose", "censor", "feed", "swap_slot1", "replace_active", "refresh_pool"}

// dicePool is a number of dice.
type dicePool uint8

// The words of the card texts decode themselves.

func (o *effectOp) UnmarshalText(text []byte) error {
	for i := range effects[:opJump] {
		if effects[i].name == string(text) {
			*o = effectOp(i)
			return nil
		}
	}
	return fmt.Errorf("unknown op %q", text)
}

func (k *opKind) UnmarshalText(text []byte) error { return readWord(k, text, opNames[:]) }
func (d *newsDo) UnmarshalText(text []byte) error { return readWord(d, text, newsNames) }

func (w *who) UnmarshalText(text []byte) error {
	return readWord(w, text, []string{"owner", "opponent", "rebel", "federal"})
}

func (h *how) UnmarshalText(text []byte) error {
	return readWord(h, text, []string{"choose", "all", "fixed", "ref", "any", "own_suburb"})
}

func (n *name) UnmarshalText(text []byte) error { return readWord(n, text, []string{"", "A", "B"}) }

func (p *piece) UnmarshalText(text []byte) error {
	return readWord(p, text, []string{"unit", "base"})
}

func (t *target) UnmarshalText(text []byte) error {
	return readWord(t, text, []string{"agent", "militia", "unit", "enemy_unit", "base_federal", "base_rebel"})
}

func (m *militiaState) UnmarshalText(text []byte) error {
	return readWord(m, text, []string{"any", "active", "sleeper"})
}

func (d *direction) UnmarshalText(text []byte) error {
	return readWord(d, text, []string{"order", "toggle", "revolt"})
}

func (d *dicePool) UnmarshalText(text []byte) error {
	return readWord(d, text, []string{"", "1d6", "2d6"})
}

// quantity is a number, or a word for one.
type quantity struct {
	n    int8
	word quantityWord // aNumber where n counts
}

type quantityWord uint8

const (
	aNumber  quantityWord = iota
	all                   // of them
	halfUp                // of them, rounded up
	clearing              // down to 0
)

// UnmarshalJSON implements json.Unmarshaler.
func (q *quantity) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &q.n) == nil {
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	return readWord(&q.word, []byte(text), []string{"", "all", "half_up", "clear"})
}

// of returns how many of n pieces a quantity means.
func (q quantity) of(n uint8) uint8 {
	switch q.word {
	case all:
		return n
	case halfUp:
		return (n + 1) / 2
	}
	return min(n, uint8(q.n))
}

// amount is a number of dollars.
type amount struct {
	fixed     uint8
	Dice      dicePool
	Plus      uint8
	Count     *filter // Mult for each space that it matches, at most Max
	CountRef  name    `json:"count_ref"` // Mult for each space of a selection
	Mult, Max uint8
	Stored    string // the kept amount divided by Div
	Div       uint8
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *amount) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &a.fixed) == nil {
		return nil
	}
	type form amount
	return ruledata.Decode(data, (*form)(a))
}

// grant is what an event lifts or narrows of an operation that it grants (R14.4).
type grant struct {
	NoUnrest  bool  `json:"no_unrest"`
	NoArrest  bool  `json:"no_arrest"`
	Within    name  // a selection, of which one space is picked
	MaxSpaces uint8 `json:"max_spaces"`
	Margin    uint8 `json:"agents_over_militia"`
}

// noLimit says that the number of spaces is bounded by the operation alone.
const noLimit = 0xFF

// alternative is one of those of a choice.
type alternative struct {
	Label string
	Do    []step
	at    uint8 // where it goes on
}

// condition asks whether one of some spaces matches a filter.
type condition struct {
	AnyOf  []string `json:"any_of"`
	ids    SpaceSet
	Ref    name // instead: an earlier selection
	Filter filter
}
