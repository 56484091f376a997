package insurgency

import (
	"encoding/json"
	"fmt"
	"math"

	"powderkeg/engine/ruledata"
)

// filter is the condition that a card puts on a space, as data/event_cards.json has it;
// data/effects.json explains the keys.
type filter struct {
	spaces      SpaceSet // by kind and id
	control     Side     // side that must control the space, nobody for any
	noPlague    bool     // units would be placed
	Status      statusSet
	MaxPop      uint8 `json:"max_pop"`
	AgentsMin   uint8 `json:"agents_min"`
	AgentsMax   uint8 `json:"agents_max"`
	MilitiaMin  uint8 `json:"militia_min"`
	MilitiaMax  uint8 `json:"militia_max"`
	ActiveMin   uint8 `json:"active_min"`
	UnitsMin    uint8 `json:"units_min"`
	RebelMin    uint8 `json:"rebel_pieces_min"`
	RebelMax    uint8 `json:"rebel_pieces_max"`
	BasesMax    uint8 `json:"bases_max"`
	UnrestMin   uint8 `json:"unrest_min"`
	UnrestMax   uint8 `json:"unrest_max"`
	OwnerPieces uint8 `json:"owner_pieces_min"`
	OwnerUnits  uint8 `json:"owner_units_min"`
	EnemyUnits  uint8 `json:"enemy_units_min"`
	Margin      int8  `json:"agents_over_militia_min"`
	NotIn       name  `json:"not_in"`
	Adjacent    name  `json:"adjacent_to"`

	// What is compiled into spaces and control.
	Kind    []kind
	IDs     []string
	Control *Side
}

const (
	anyStatus statusSet = 1<<numStatuses - 1
	anyNumber           = math.MaxUint8
	anyMargin           = math.MinInt8
)

// UnmarshalJSON implements json.Unmarshaler. Limits that a filter does not name are so
// wide that they always hold.
func (f *filter) UnmarshalJSON(data []byte) error {
	type form filter
	*f = filter{
		Status: anyStatus, MaxPop: anyNumber, AgentsMax: anyNumber, MilitiaMax: anyNumber, RebelMax: anyNumber,
		BasesMax: anyNumber, UnrestMax: anyNumber, Margin: anyMargin,
	}
	return ruledata.Decode(data, (*form)(f))
}

// statusSet is a set of statuses: bit s stands for status s.
type statusSet uint8

// UnmarshalJSON implements json.Unmarshaler: a list of numbers and the word unmarked.
func (s *statusSet) UnmarshalJSON(data []byte) error {
	var list []any
	err := json.Unmarshal(data, &list)
	*s = 0
	for _, v := range list {
		switch n, ok := v.(float64); {
		case v == statusNames[unmarked]:
			*s |= 1 << unmarked
		case ok && n >= 0 && n < float64(unmarked) && n == math.Trunc(n):
			*s |= 1 << uint8(n)
		default:
			return fmt.Errorf("status %v, it must be one of 0 to %d or %q", v, unmarked-1, statusNames[unmarked])
		}
	}
	return err
}

// resolve looks up the spaces and the side that a filter names.
func (f *filter) resolve(b *Box) error {
	f.spaces, f.control = everywhere, nobody
	if f.Kind != nil {
		f.spaces = 0
		for _, k := range f.Kind {
			f.spaces |= b.kinds[k]
		}
	}
	if f.IDs != nil {
		ids, err := b.spacesOf(f.IDs)
		if err != nil {
			return err
		}
		f.spaces &= ids
	}
	if f.Control != nil {
		f.control = *f.Control
	}
	return nil
}

// matching returns the spaces in play that match the filter (R14.1) for the
// running event.
func (b Board) matching(f *filter) SpaceSet {
	set := f.spaces & b.inPlay()
	if f.NotIn != 0 {
		set &^= b.Event.kept(f.NotIn)
	}
	if f.Adjacent != 0 {
		var near SpaceSet
		for from := b.Event.kept(f.Adjacent); from != 0; from &= from - 1 {
			near |= b.box.spaces[from.First()].adjacent
		}
		set &= near
	}
	if f.noPlague && b.Plague != noSpace {
		set &^= 1 << b.Plague
	}
	matched := set
	for rest := set; rest != 0; rest &= rest - 1 {
		if i := rest.First(); !b.matches(f, i) {
			matched &^= 1 << i
		}
	}
	return matched
}

// matches tests what a filter says about the space itself.
func (b Board) matches(f *filter, i SpaceID) bool {
	s := &b.Spaces[i]
	agents, militia := s.Agents, s.Sleepers+s.Active
	if f.Status>>s.Status&1 == 0 || b.box.spaces[i].population > f.MaxPop ||
		agents < f.AgentsMin || agents > f.AgentsMax || militia < f.MilitiaMin || militia > f.MilitiaMax ||
		s.Active < f.ActiveMin || agents+militia < f.UnitsMin || s.FederalBases+s.RebelBases > f.BasesMax ||
		s.Unrest < f.UnrestMin || s.Unrest > f.UnrestMax {
		return false
	}
	rebels := militia + s.RebelBases
	if rebels < f.RebelMin || rebels > f.RebelMax || int8(agents)-int8(militia) < f.Margin {
		return false
	}
	own, ownBases, enemy := militia, s.RebelBases, agents
	if b.Event.Owner == federal {
		own, ownBases, enemy = agents, s.FederalBases, militia
	}
	return own+ownBases >= f.OwnerPieces && own >= f.OwnerUnits && enemy >= f.EnemyUnits && (f.control == nobody || Side(s.Control()) == f.control)
}
