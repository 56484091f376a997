package insurgency

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine/ruledata"
)

// events implements R8.1 and R8.7: numbers in order, as many cards of each sort as the file
// says, effects that the interpreter carries out, and the events that stay in play as the
// registry has them.
func (c *checker) events() {
	var f struct {
		ruledata.Source
		Note        notes
		CountSource notes `json:"count_source"`
		Numbering   notes `json:"numbering_why"`
		Count       int
		Counts      map[string]int
		Cards       []cardRow
	}
	var raw struct {
		Cards []struct{ Effect []rawStep }
	}
	c.read("event_cards", &f)
	if text, err := c.b.files.ReadFile("data/event_cards.json"); err == nil {
		err = json.Unmarshal(text, &raw)
		if err != nil || len(raw.Cards) != len(f.Cards) {
			c.fault("event_cards.json: %v", err)
			return
		}
	}
	counts, starts := map[string]int{}, map[MomentumKey]int{}
	for i, card := range f.Cards {
		if card.Number != i+1 || card.Ops < 1 || card.Ops > maxOps || card.Name == "" || !strings.HasSuffix(card.Text, ".") ||
			card.Scenario != "" && !slices.Contains(scenarioNames[:custom], card.Scenario) {
			c.fault("event_cards.json, card %d: its Ops, its scenario or its name is wrong, or its text does not end with a full stop", card.Number)
		}
		counts[cardSide(card.Side)]++
		counts[fmt.Sprintf("ops_%d", card.Ops)]++
		if card.Scenario == "" {
			counts["unmarked"]++
		} else {
			counts[card.Scenario]++
		}
		c.card(&card, raw.Cards[i].Effect, starts)
	}
	if f.Count != numEvents || len(f.Cards) != numEvents {
		c.fault("event_cards.json: %d of %d cards, want %d", len(f.Cards), f.Count, numEvents)
	}
	for name, n := range f.Counts {
		if counts[name] != n {
			c.fault("event_cards.json: counts has %d of %s, the cards are %d", n, name, counts[name])
		}
	}
	for k := range numMomentum {
		if starts[k] != 1 {
			c.fault("effects.json: %d cards put %s into play, want one", starts[k], momentumNames[k])
		}
	}
}

// card looks at the effect of one card.
func (c *checker) card(card *cardRow, raw []rawStep, starts map[MomentumKey]int) {
	if fault := keysFault(raw); fault != "" {
		c.fault("event_cards.json, card %d: %s", card.Number, fault)
		return
	}
	w := form{fault: c.fault, card: card.Number, stored: map[string]bool{}}
	w.block(card.Effect)
	if card.Momentum != (len(w.starts) > 0) {
		c.fault("event_cards.json, card %d: the MOMENTUM mark does not agree with the effect", card.Number)
	}
	for _, s := range w.starts {
		starts[s.Key]++
		if m := c.b.momentum[s.Key]; int(m.card) != card.Number || m.round != (s.Until == "round") || !m.round && s.Until != "game" {
			c.fault("event_cards.json, card %d starts %s until %v, effects.json says card %d and otherwise", card.Number, momentumNames[s.Key], s.Until,
				m.card)
		}
	}
	if n := len(c.b.programs[card.Number].code); n == 0 || n > maxCode || len(w.stored) > 1 {
		c.fault("event_cards.json, card %d: %d instructions and %d kept amounts, want 1 to %d and at most one", card.Number, n, len(w.stored), maxCode)
	}
	if n := attacks(card.Effect); n > 1 {
		c.fault("event_cards.json, card %d: it grants %d operations, want at most one (R17.3)", card.Number, n)
	}
}

// maxCode bounds the instructions of a card; the longest that ships has 14.
const maxCode = 40

// attacks returns how many operations an effect can grant in one play.
func attacks(steps []step) int {
	n := 0
	for i := range steps {
		s := &steps[i]
		switch s.Op {
		case opFree, opFreeHack:
			n++
		case opIf:
			n += max(attacks(s.Then), attacks(s.Else))
		case opChoice:
			var options []alternative
			most := 0
			if ruledata.Decode(s.Options, &options) == nil {
				for _, o := range options {
					most = max(most, attacks(o.Do))
				}
			}
			n += most
		}
	}
	return n
}

// rawStep is a step as it is written.
type rawStep map[string]json.RawMessage

// keysOf are the keys that the steps of each op need and, behind the bar, may have.
var keysOf = map[string]string{
	"select": "at", "place": "side piece n spread at", "remove": "target n spread state at", "convert": "from n at", "shift": "dir steps at",
	"test": "at", "unrest": "n at", "money": "side sign amount | store", "sm_move": "by max", "news": "do | n by optional", "hq": "side | hacked shield",
	"flip": "to at", "inspect_hand": "of", "discard_random": "of n", "reserve": "side | set add", "free_op": "side operation ops free options",
	"free_hack": "side ignore_shield auto_success", "momentum": "key until | at", "cancel_momentum": "n by | keys", "relocate": "side n from to",
	"choice": "by options", "if": "cond then | else",
}

// keysFault says which key a step of an effect lacks, or has and does not read.
func keysFault(steps []rawStep) string {
	for _, s := range steps {
		var op string
		if err := json.Unmarshal(s["op"], &op); err != nil {
			return "a step has no op"
		}
		needs, may, _ := strings.Cut(keysOf[op], "|")
		for _, key := range strings.Fields(needs) {
			if s[key] == nil || string(s[key]) == "null" {
				return fmt.Sprintf("%s lacks %s", op, key)
			}
		}
		for key := range s {
			if key != "op" && !slices.Contains(strings.Fields(needs+may), key) {
				return fmt.Sprintf("%s does not read %q", op, key)
			}
		}
		var inner []rawStep
		var options []struct{ Do []rawStep }
		for _, key := range []string{"then", "else"} {
			var block []rawStep
			if s[key] != nil && json.Unmarshal(s[key], &block) == nil {
				inner = append(inner, block...)
			}
		}
		if op == "choice" && json.Unmarshal(s["options"], &options) == nil {
			for _, o := range options {
				inner = append(inner, o.Do...)
			}
		}
		if fault := keysFault(inner); fault != "" {
			return fault
		}
	}
	return ""
}

// form checks the steps of a card for what the interpreter relies on.
type form struct {
	fault  func(format string, args ...any)
	card   int
	names  name // selections kept so far
	stored map[string]bool
	starts []*step
}

func (w *form) fail(s *step, format string, args ...any) {
	w.fault("event_cards.json, card %d: %s: %s", w.card, effects[s.Op].name, fmt.Sprintf(format, args...))
}

func (w *form) block(steps []step) {
	for i := range steps {
		w.step(&steps[i])
	}
}

func (w *form) step(s *step) {
	if n := given(s.Side) + given(s.By) + given(s.Of); n > 1 {
		w.fail(s, "%d sides", n)
	}
	if s.Spread != "" && s.Spread != "each" && s.Spread != "split" || s.Sign != "" && s.Sign != "+" && s.Sign != "-" {
		w.fail(s, "spread %q, sign %q", s.Spread, s.Sign)
	}
	w.selector(s, &s.At)
	switch s.Op {
	case opShift:
		if s.Steps != 1. {
			w.fail(s, "%v steps", s.Steps)
		}
	case opMoney:
		w.amount(s)
	case opReserve:
		if (s.Set == nil) == (s.Add == nil) {
			w.fail(s, "neither set nor add, or both")
		}
	case opFree:
		if s.Free != true || s.Ops < 1 || s.Ops > maxOps || s.Operation >= reservesOp {
			w.fail(s, "%s with %d Ops cannot be granted", opNames[s.Operation], s.Ops)
		}
	case opFreeHack:
		if s.AutoSuccess != true {
			w.fail(s, "a free hack succeeds")
		}
	case opMomentum:
		if w.starts = append(w.starts, s); (s.Key == Plague) != (s.At.How == ref) {
			w.fail(s, "%s needs a space, or must not have one", momentumNames[s.Key])
		}
	case opRelocate:
		w.relocate(s)
	case opChoice:
		var options []alternative
		if err := ruledata.Decode(s.Options, &options); err != nil || len(options) < 2 || len(options) > int(ActYes-ActOption) {
			w.fail(s, "%d options, %v", len(options), err)
		}
		for i := range options {
			w.block(options[i].Do)
		}
	case opIf:
		w.known(s, s.Cond.Ref)
		w.filter(s, &s.Cond.Filter)
		if (s.Cond.Ref == 0) == (len(s.Cond.AnyOf) == 0) {
			w.fail(s, "spaces by name or by an earlier selection")
		}
		w.block(s.Then)
		w.block(s.Else)
	}
}

func given(w who) int { return int(min(w, 1)) }

// known demands that a selection has been kept.
func (w *form) known(s *step, n name) {
	if n > w.names {
		w.fail(s, "selection %d is not known", n)
	}
}

// selector checks a selector and counts the name that it gives.
func (w *form) selector(s *step, at *selector) {
	if at.How == choose && at.N == 0 && at.Filter.Status == 0 { // there is none
		return
	}
	if (at.How == anyOf) != s.split() || at.How == choose && (at.N < 1 || at.Min > at.N) || (at.How == ref) != (at.Ref != 0) ||
		(at.How == fixed) != (at.IDs != nil) || (at.How == fixed || at.How == ref) != (at.Filter.Status == 0) {
		w.fail(s, "a selector with how %d, n %d, min %d, and a filter, ids or ref that does not fit", at.How, at.N, at.Min)
	}
	w.known(s, at.Ref)
	w.filter(s, &at.Filter)
	if at.As != 0 {
		if w.names++; at.As != w.names {
			w.fail(s, "selection %d is kept out of order", at.As)
		}
	}
}

func (w *form) filter(s *step, f *filter) {
	w.known(s, f.NotIn)
	w.known(s, f.Adjacent)
}

// amount checks that an amount has one form, and that what it keeps or needs is known.
func (w *form) amount(s *step) {
	a, forms := &s.Amount, 0
	for _, is := range []bool{a.fixed > 0, a.Dice > 0, a.Count != nil, a.CountRef != 0, a.Stored != ""} {
		if is {
			forms++
		}
	}
	if forms != 1 || s.Sign == "" || a.Stored != "" && (!w.stored[a.Stored] || a.Div == 0) {
		w.fail(s, "an amount of %d forms, or what is kept is not known or divided by %d", forms, a.Div)
	}
	w.known(s, a.CountRef)
	if a.Count != nil {
		w.filter(s, a.Count)
	}
	if s.Store != "" {
		w.stored[s.Store] = true
	}
}

// relocate checks origin and destination.
func (w *form) relocate(s *step) {
	var from, to selector
	if err := ruledata.Decode(s.From, &from); err != nil || from.How != choose || from.N != 1 {
		w.fail(s, "the origin must be one chosen space: %v", err)
	}
	w.selector(s, &from)
	if string(s.To) == `"own_suburb"` {
		return
	}
	if err := ruledata.Decode(s.To, &to); err != nil {
		w.fail(s, "to: %v", err)
	}
	w.selector(s, &to)
}
