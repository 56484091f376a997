package insurgency

import (
	"fmt"

	"powderkeg/engine/ruledata"
)

// MomentumKey is an event that can stay in play (R8.7), in the order of
// data/effects.json.
type MomentumKey uint8

const (
	FusionCenters MomentumKey = iota
	NoTravel
	HighwayPatrol
	InternetOfThings
	Leader
	Analytics
	GhostGuns
	TaxRevolt
	Truckers
	Plague
	Ceasefire
	Blackout
	OpenBorders
	OilShock
	Blizzard
	BroadbandPlus
	BroadbandMinus
	numMomentum
)

var momentumNames = []string{
	"fusion_centers", "no_travel", "highway_patrol", "iot", "leader", "analytics", "ghost_guns", "tax_revolt", "truckers",
	"plague", "ceasefire", "blackout", "open_borders", "oil_shock", "blizzard", "broadband_plus", "broadband_minus",
}

// MomentumSet is a set of events in play: bit k stands for the event of key k.
type MomentumSet uint32

// Has reports whether the event of a key is in play.
func (s MomentumSet) Has(k MomentumKey) bool { return s>>k&1 != 0 }

// UnmarshalText reads a key in the data.
func (k *MomentumKey) UnmarshalText(text []byte) error { return readWord(k, text, momentumNames) }

// momentum is an event that stays in play.
type momentum struct {
	card  CardID
	round bool // it ends with the round, not with the game
	text  string
}

// readMomentum implements R8.7: the registry of events that stay in play.
func readMomentum(b *Box) error {
	var f struct {
		ruledata.Source
		Sides, Selectors, Ops notes
		Defaults              notes `json:"selector_defaults"`
		FilterKeys            notes `json:"filter_keys"`
		Momentum              []struct {
			Key           MomentumKey
			Card          CardID
			Until, Effect string
		}
		MomentumSource notes `json:"momentum_source"`
	}
	if err := ruledata.Read(b.files, "effects", &f); err != nil {
		return err
	}
	for _, m := range f.Momentum {
		b.momentum[m.Key] = momentum{m.Card, m.Until == "round", m.Effect}
	}
	return nil
}

// event is one event card (R8.1) and its compiled text (R14.1).
type event struct {
	name, text string
	side       Side // nobody for a neutral card
	ops        uint8
	tag        string // scenario tag, "" for none
	momentum   bool
	code       []step
}

type cardRow struct {
	ruledata.Source
	Number       int
	Name         string
	Side         Side
	Ops          uint8
	Scenario     string
	Momentum     bool
	Text         string
	Effect       []step
	FieldsSource notes `json:"fields_source"`
}

// readEvents implements R8.1: the 92 event cards, each compiled.
func readEvents(b *Box) error {
	var f struct {
		ruledata.Source
		Note, Count, Counts notes
		CountSource         notes `json:"count_source"`
		NumberingWhy        notes `json:"numbering_why"`
		Cards               [numEvents]cardRow
	}
	if err := ruledata.Read(b.files, "event_cards", &f); err != nil {
		return err
	}
	for i := range f.Cards {
		c, e := &f.Cards[i], &b.programs[i+1]
		code, err := b.compile(c.Effect)
		if err != nil {
			return fmt.Errorf("event_cards.json: card %d (%s): %w", c.Number, c.Name, err)
		}
		*e = event{c.Name, c.Text, c.Side, c.Ops, c.Scenario, c.Momentum, code}
	}
	return nil
}
