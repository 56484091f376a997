package insurgency

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/ruledata"
)

// R8.1: numbers in order, and as many cards of each sort as the file says.
func TestEventRecords(t *testing.T) {
	f := file[struct {
		ruledata.Source
		Note        notes
		CountSource notes `json:"count_source"`
		Numbering   notes `json:"numbering_why"`
		Count       int
		Counts      map[string]int
		Cards       []cardRow
	}](t, "event_cards")
	b, counts := compiled(t), map[string]int{}
	for i, c := range f.Cards {
		if c.Number != i+1 || c.Ops < 1 || c.Ops > maxOps || c.Name == "" || !strings.HasSuffix(c.Text, ".") ||
			c.Scenario != "" && !slices.Contains(scenarioNames[:custom], c.Scenario) {
			t.Errorf("card %d: %d Ops, tag %q, or a name or text that is missing", c.Number, c.Ops, c.Scenario)
		}
		counts[cardSide(c.Side)]++
		counts[fmt.Sprintf("ops_%d", c.Ops)]++
		if c.Scenario == "" {
			counts["unmarked"]++
		} else {
			counts[c.Scenario]++
		}
		w := form{t: t, card: c.Number, stored: map[string]bool{}}
		w.block(c.Effect)
		if c.Momentum != (len(w.starts) > 0) {
			t.Errorf("card %d: the MOMENTUM mark does not agree with the effect", c.Number)
		}
		for _, s := range w.starts {
			if m := b.momentum[s.Key]; int(m.card) != c.Number || m.round != (s.Until == "round") || !m.round && s.Until != "game" {
				t.Errorf("card %d starts %s until %v, which the registry knows otherwise", c.Number, momentumNames[s.Key], s.Until)
			}
		}
		if n := len(b.programs[i+1].code); n == 0 || n >= 0xFF || len(w.stored) > 1 {
			t.Errorf("card %d: %d instructions, %d kept amounts", c.Number, n, len(w.stored))
		}
	}
	if f.Count != numEvents || len(f.Cards) != numEvents {
		t.Errorf("%d of %d cards, want %d", len(f.Cards), f.Count, numEvents)
	}
	for name, n := range counts {
		if f.Counts[name] != n {
			t.Errorf("%d cards of %s, want %d", n, name, f.Counts[name])
		}
	}
}

// R8.7, R14.1: data/effects.json explains every op and every key, in the order of the code.
func TestEffectRecords(t *testing.T) {
	v := file[any](t, "effects")
	ops := raw(v, "ops").(map[string]any)
	for _, e := range effects[:opJump] {
		if ops[e.name] == nil {
			t.Errorf("op %s is not explained", e.name)
		}
	}
	keys := raw(v, "momentum").([]any)
	if len(ops) != int(opJump) || len(keys) != int(numMomentum) {
		t.Errorf("%d ops and %d momentum keys, want %d and %d", len(ops), len(keys), opJump, numMomentum)
	}
	for i, k := range keys {
		if until := raw(k, "until"); raw(k, "key") != momentumNames[i] || until != "round" && until != "game" {
			t.Errorf("momentum %v until %v", raw(k, "key"), until)
		}
	}
}

// R8.7: the names of the keys, and the constants by which players know them.
func TestMomentumKeys(t *testing.T) {
	want := []string{
		FusionCenters: "fusion_centers", NoTravel: "no_travel", HighwayPatrol: "highway_patrol", InternetOfThings: "iot", Leader: "leader",
		Analytics: "analytics", GhostGuns: "ghost_guns", TaxRevolt: "tax_revolt", Truckers: "truckers", Plague: "plague",
		Ceasefire: "ceasefire", Blackout: "blackout", OpenBorders: "open_borders", OilShock: "oil_shock", Blizzard: "blizzard",
		BroadbandPlus: "broadband_plus", BroadbandMinus: "broadband_minus",
	}
	if !slices.Equal(momentumNames, want) {
		t.Errorf("the keys are %v, want %v", momentumNames, want)
	}
}

// form checks the steps of a card for what the interpreter relies on.
type form struct {
	t      *testing.T
	card   int
	names  name // selections kept so far
	stored map[string]bool
	starts []*step
}

func (w *form) fail(s *step, format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("card %d: %s: %s", w.card, effects[s.Op].name, fmt.Sprintf(format, args...))
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
