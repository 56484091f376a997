package insurgency

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Momentum keys in the order of data/effects.json (R8.7).
const (
	fusionCenters uint8 = iota
	noTravel
	highwayPatrol
	iot
	leader
	analytics
	ghostGuns
	taxRevolt
	truckers
	plague
	ceasefire
	blackout
	openBorders
	oilShock
	blizzard
	broadbandPlus
	broadbandMinus
	numMomentum
)

var momentumNames = []string{
	"fusion_centers", "no_travel", "highway_patrol", "iot", "leader", "analytics", "ghost_guns", "tax_revolt", "truckers",
	"plague", "ceasefire", "blackout", "open_borders", "oil_shock", "blizzard", "broadband_plus", "broadband_minus",
}

// momentum is an event that stays in play.
type momentum struct {
	card  uint8
	round bool // it ends with the round, not with the game
	text  string
}

type effectFile struct {
	Source, Why string
	Sides       map[string]string
	Selectors   map[string]string
	Defaults    json.RawMessage   `json:"selector_defaults"`
	FilterKeys  map[string]string `json:"filter_keys"`
	Ops         map[string]string
	Momentum    []struct {
		Key           string
		Card          uint8
		Until, Effect string
	}
	MomentumSource string `json:"momentum_source"`
}

// readMomentum implements R8.7: the registry of events that stay in play. The words
// of data/effects.json and those of the compiler must be the same.
func readMomentum(b *box) error {
	var f effectFile
	if err := decodeFile("effects", &f); err != nil {
		return err
	}
	for name := range f.Ops {
		if !slices.Contains(effectNames[:], name) {
			return fmt.Errorf("effects.json: op %s is unknown to the engine", name)
		}
	}
	if len(f.Ops) != len(effectNames)-1 || len(f.Momentum) != int(numMomentum) {
		return fmt.Errorf("effects.json: %d ops and %d momentum keys, want %d and %d", len(f.Ops), len(f.Momentum), len(effectNames)-1, numMomentum)
	}
	for i, m := range f.Momentum {
		if m.Key != momentumNames[i] || m.Until != "round" && m.Until != "game" {
			return fmt.Errorf("effects.json: momentum %s until %s", m.Key, m.Until)
		}
		b.momentum[i] = momentum{m.Card, m.Until == "round", m.Effect}
	}
	return nil
}

// event is one event card (R8.1) and its compiled text (R14.1).
type event struct {
	name, text string
	side       uint8 // nobody for a neutral card
	ops        uint8
	tag        string // scenario tag, "" for none
	momentum   bool
	code       []instr
}

type cardFile struct {
	Note, Source, Cite string
	Count              int
	CountSource        string `json:"count_source"`
	NumberingWhy       string `json:"numbering_why"`
	Counts             map[string]int
	Cards              []cardRow
}

type cardRow struct {
	Number       int
	Name, Side   string
	Ops          uint8
	Scenario     *string
	Momentum     bool
	Text         string
	Effect       []step
	FieldsSource map[string]string `json:"fields_source"`
	source
}

// readEvents implements R8.1: the 92 event cards, each compiled.
func readEvents(b *box) error {
	var f cardFile
	if err := decodeFile("event_cards", &f); err != nil {
		return err
	}
	if len(f.Cards) != numEvents || f.Count != numEvents {
		return fmt.Errorf("event_cards.json: %d cards, want %d", len(f.Cards), numEvents)
	}
	counts := map[string]int{}
	started := map[string]uint8{}
	for i, c := range f.Cards {
		if c.Number != i+1 {
			return fmt.Errorf("event_cards.json: card %d stands at place %d", c.Number, i+1)
		}
		if err := b.readEvent(c, started); err != nil {
			return fmt.Errorf("event_cards.json: card %d (%s): %w", c.Number, c.Name, err)
		}
		e := &b.programs[c.Number]
		counts[c.Side]++
		counts[fmt.Sprintf("ops_%d", c.Ops)]++
		if e.tag == "" {
			counts["unmarked"]++
		} else {
			counts[e.tag]++
		}
	}
	for name, n := range counts {
		if f.Counts[name] != n {
			return fmt.Errorf("event_cards.json: %d cards of %s, want %d", n, name, f.Counts[name])
		}
	}
	for i, m := range b.momentum {
		if started[momentumNames[i]] != m.card {
			return fmt.Errorf("event_cards.json: %s comes from card %d, want %d", momentumNames[i], started[momentumNames[i]], m.card)
		}
	}
	return nil
}

func (b *box) readEvent(c cardRow, started map[string]uint8) error {
	if err := c.check("source"); err != nil {
		return err
	}
	e := event{name: c.Name, text: c.Text, side: nobody, ops: c.Ops, momentum: c.Momentum}
	if c.Side != "neutral" {
		side := slices.Index(sideNames[:], c.Side)
		if side < 0 {
			return fmt.Errorf("side %q", c.Side)
		}
		e.side = uint8(side)
	}
	if c.Scenario != nil {
		e.tag = *c.Scenario
	}
	if c.Ops < 1 || c.Ops > maxOps || e.name == "" || !strings.HasSuffix(e.text, ".") ||
		e.tag != "" && !slices.Contains(scenarioNames[:custom], e.tag) {
		return fmt.Errorf("%d Ops, tag %q, or a name or text that is missing", c.Ops, e.tag)
	}
	comp := compiler{b: b}
	if err := comp.block(c.Effect); err != nil {
		return err
	}
	comp.standForBoth()
	if err := comp.checkShape(); err != nil {
		return err
	}
	e.code = comp.code
	for _, key := range comp.starts {
		started[key] = uint8(c.Number)
	}
	if e.momentum != (len(comp.starts) > 0) {
		return fmt.Errorf("the MOMENTUM mark does not agree with the effect")
	}
	b.programs[c.Number] = e
	return nil
}
