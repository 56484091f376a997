package insurgency

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// effectOp is a primitive of the card texts (R14.1); the names are those of
// data/effects.json.
type effectOp uint8

const (
	opSelect effectOp = iota
	opPlace
	opRemove
	opConvert
	opShift
	opTest
	opUnrest
	opMoney
	opStep
	opNews
	opHQ
	opFlip
	opInspect
	opDiscard
	opReserve
	opFree
	opFreeHack
	opMomentum
	opCancel
	opRelocate
	opChoice
	opIf
	opJump // the compiler's own: on to another place
)

var effectNames = [...]string{
	"select", "place", "remove", "convert", "shift", "test", "unrest", "money", "sm_move", "news", "hq", "flip",
	"inspect_hand", "discard_random", "reserve", "free_op", "free_hack", "momentum", "cancel_momentum", "relocate",
	"choice", "if", "jump",
}

// who names a side in a card text.
type who uint8

const (
	theRebel who = iota
	theFederal
	theOwner    // who gets the event
	theOpponent // of the owner
)

var whoNames = []string{"rebel", "federal", "owner", "opponent"}

// of returns the side that w is when owner gets the event. Choices belong to the owner
// unless the text names another side (R14.2).
func (w who) of(owner uint8) uint8 {
	switch w {
	case theOwner:
		return owner
	case theOpponent:
		return 1 - owner
	}
	return uint8(w)
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

var howNames = []string{"choose", "all", "fixed", "ref", "any"}

// selector picks spaces.
type selector struct {
	how    how
	n, min uint8
	by     who
	filter filter
	ids    spaceSet // fixed
	ref    uint8    // an earlier selection
	as     uint8    // where the selection is kept, noName for nowhere
}

// Selections that a card can keep by name.
const (
	maxNames = 2
	noName   = 0xFF
)

// target is what remove takes.
type target uint8

const (
	targetAgent target = iota
	targetMilitia
	targetUnit // agents and militia, each
	targetEnemy
	targetFederalBase
	targetRebelBase
)

var targetNames = []string{"agent", "militia", "unit", "enemy_unit", "base_federal", "base_rebel"}

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

// instr is one compiled step. Which fields it uses depends on op.
type instr struct {
	op   effectOp
	side who // whose pieces, money, hand, HQ, or who acts
	at   selector
	to   selector // relocate

	n      uint8 // how many pieces, steps, dollars, stories; the value of a set
	all    bool  // remove, relocate: all of them
	half   bool  // remove: half of them, rounded up
	split  bool  // place, remove: piece by piece
	base   bool  // place: a base, not a unit
	target target
	state  uint8 // remove: anyState, activeOnly or sleeperOnly; flip: the new state
	dir    int8  // shift: -1 toward Order, 1 toward Revolt, 0 toggle; unrest: what is added
	clear  bool  // unrest
	minus  bool  // money
	amount amount
	stores bool // money: the amount is kept

	do       newsDo
	optional bool

	hackedClear, shieldClear bool
	hacked, shield           uint8

	set bool // reserve: n is the new value

	operation  opKind // free_op
	noUnrest   bool
	noArrest   bool
	ignore     bool // free_hack: Shields do not count
	within     uint8
	maxSpaces  uint8
	overMargin uint8

	key  uint8  // momentum
	keys uint32 // cancel_momentum: which may be ended

	options [4]uint8  // choice: where each goes on; 0 for none
	labels  [4]string // choice: what each is called
	cond    selector  // if: fixed or ref, with a filter
	jump    uint8     // if: where the else part begins; jump: where to go

	untested bool // the card itself tests these spaces (R4.4)
}

// States of militia that remove and flip speak of.
const (
	anyState uint8 = iota
	activeOnly
	sleeperOnly
)

// amount is a number of dollars.
type amount struct {
	dice, plus uint8 // so many d6, and so much more
	counts     bool  // mult for each space that the filter matches, at most max
	filter     filter
	mult, max  uint8
	countsRef  bool // mult for each space of a selection
	ref        uint8
	stored     bool // the kept amount divided by div
	div        uint8
	fixed      uint8
}

// step is the JSON form of an instruction.
type step struct {
	Op           string
	Side, By, Of string
	At           *selectorRow
	From, To     json.RawMessage
	N            json.RawMessage
	Max          uint8
	Piece        string
	Spread       string
	Target       string
	State        string
	Dir          string
	Steps        int
	Sign         string
	Amount       json.RawMessage
	Store        string
	Do           string
	Optional     bool
	Hacked       json.RawMessage
	Shield       json.RawMessage
	Set, Add     *uint8
	Operation    string
	Ops          uint8
	Free         bool
	Options      json.RawMessage
	AutoSuccess  bool `json:"auto_success"`
	IgnoreShield bool `json:"ignore_shield"`
	Key, Until   string
	Keys         []string
	Cond         *condRow
	Then, Else   []step
}

type selectorRow struct {
	How    string
	N, Min uint8
	By     string
	Filter *filterRow
	IDs    []string
	Ref    string
	As     string
}

type condRow struct {
	AnyOf  []string `json:"any_of"`
	Ref    string
	Filter filterRow
}

// compiler turns the steps of one card into a list of instructions. Choices and
// conditions become jumps, so that a running event is described by one place in
// the list.
type compiler struct {
	b      *box
	code   []instr
	names  []string
	stored []string
	starts []string // momentum keys that it puts into play
}

func (c *compiler) block(steps []step) error {
	for i := range steps {
		if err := c.step(&steps[i]); err != nil {
			return fmt.Errorf("%s: %w", steps[i].Op, err)
		}
	}
	return nil
}

// name looks up a word, "" if the step does not have it.
func name(word string, words []string, otherwise int) (int, error) {
	if word == "" && otherwise >= 0 {
		return otherwise, nil
	}
	i := slices.Index(words, word)
	if i < 0 || word == "" {
		return 0, fmt.Errorf("unknown word %q; words: %s", word, strings.Join(words, ", "))
	}
	return i, nil
}

// step compiles one step.
func (c *compiler) step(s *step) error {
	op := slices.Index(effectNames[:opJump], s.Op)
	if op < 0 {
		return fmt.Errorf("unknown op")
	}
	in := instr{op: effectOp(op), within: noName, maxSpaces: noLimit}
	in.at.as, in.to.as = noName, noName
	side := s.Side + s.By + s.Of // a step has at most one of them
	w, err := name(side, whoNames, int(theOwner))
	if err != nil {
		return err
	}
	in.side = who(w)
	if s.At != nil {
		if in.at, err = c.selector(s.At, s.Spread == "split"); err != nil {
			return err
		}
	}
	switch in.op {
	case opChoice:
		return c.choice(s, in)
	case opIf:
		return c.condition(s, in)
	}
	if err := c.arguments(s, &in); err != nil {
		return err
	}
	c.code = append(c.code, in)
	return nil
}

// selector compiles a selector and declares its name.
func (c *compiler) selector(r *selectorRow, split bool) (selector, error) {
	s := selector{n: r.N, min: r.Min, as: noName}
	h, err := name(r.How, howNames, -1)
	if err != nil {
		return s, err
	}
	s.how = how(h)
	by, err := name(r.By, whoNames, int(theOwner))
	if err != nil {
		return s, err
	}
	s.by = who(by)
	if (s.how == anyOf) != split || s.how == choose && (s.n < 1 || s.min > s.n) {
		return s, fmt.Errorf("selector %s with n %d, min %d", r.How, r.N, r.Min)
	}
	switch s.how {
	case fixed:
		s.ids, err = c.b.spacesOf(r.IDs)
	case ref:
		s.ref, err = c.selection(r.Ref)
	default:
		if r.Filter == nil {
			return s, fmt.Errorf("selector %s without a filter", r.How)
		}
		s.filter, err = c.filter(r.Filter)
	}
	if err == nil && r.As != "" {
		if len(c.names) == maxNames {
			return s, fmt.Errorf("more than %d named selections", maxNames)
		}
		s.as = uint8(len(c.names))
		c.names = append(c.names, r.As)
	}
	return s, err
}

// selection looks up an earlier selection.
func (c *compiler) selection(name string) (uint8, error) {
	i := slices.Index(c.names, name)
	if i < 0 {
		return 0, fmt.Errorf("unknown selection %q", name)
	}
	return uint8(i), nil
}

// choice compiles the options one after the other, each followed by a jump behind
// the last.
func (c *compiler) choice(s *step, in instr) error {
	var options []struct {
		Label string
		Do    []step
	}
	if err := strictly(s.Options, &options); err != nil {
		return err
	}
	if len(options) < 2 || len(options) > len(in.options) {
		return fmt.Errorf("%d options", len(options))
	}
	at := len(c.code)
	c.code = append(c.code, in)
	var ends []int
	for i, o := range options {
		c.code[at].options[i], c.code[at].labels[i] = uint8(len(c.code)), o.Label
		if err := c.block(o.Do); err != nil {
			return err
		}
		ends = append(ends, len(c.code))
		c.code = append(c.code, instr{op: opJump})
	}
	for _, i := range ends {
		c.code[i].jump = uint8(len(c.code))
	}
	return nil
}

// condition compiles the then part, a jump behind the else part, and the else part.
func (c *compiler) condition(s *step, in instr) error {
	if s.Cond == nil {
		return fmt.Errorf("no condition")
	}
	var err error
	if s.Cond.Ref != "" {
		in.cond.how = ref
		in.cond.ref, err = c.selection(s.Cond.Ref)
	} else {
		in.cond.how = fixed
		in.cond.ids, err = c.b.spacesOf(s.Cond.AnyOf)
	}
	if err != nil {
		return err
	}
	if in.cond.filter, err = c.filter(&s.Cond.Filter); err != nil {
		return err
	}
	at := len(c.code)
	c.code = append(c.code, in)
	if err := c.block(s.Then); err != nil {
		return err
	}
	end := len(c.code)
	c.code = append(c.code, instr{op: opJump})
	c.code[at].jump = uint8(len(c.code))
	if err := c.block(s.Else); err != nil {
		return err
	}
	c.code[end].jump = uint8(len(c.code))
	return nil
}

// standForBoth implements the last sentence of R4.4: where a card orders a test of a
// selection, the steps before it do not test the same spaces.
func (c *compiler) standForBoth() {
	for i, in := range c.code {
		if in.op != opTest || in.at.how != ref {
			continue
		}
		for k := range c.code[:i] {
			if s := &c.code[k].at; s.how == ref && s.ref == in.at.ref || s.as == in.at.ref {
				c.code[k].untested = true
			}
		}
	}
}

// checkShape demands what the interpreter relies on: at most one step that keeps an
// amount, and a list short enough for a byte.
func (c *compiler) checkShape() error {
	if len(c.code) == 0 || len(c.code) >= 0xFF || len(c.stored) > 1 {
		return fmt.Errorf("%d instructions, %d kept amounts", len(c.code), len(c.stored))
	}
	return nil
}
