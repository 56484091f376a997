package insurgency

import (
	"encoding/json"
	"fmt"
	"slices"
)

// filter is the compiled condition that a card puts on a space; the keys are those
// of data/effects.json. Numbers that a filter does not name are so wide that they
// always hold.
type filter struct {
	spaces     spaceSet // by kind and id
	status     uint8    // bit s stands for status s
	maxPop     uint8
	control    uint8 // side that must control the space, nobody for any
	notIn      uint8 // selections, noName for none
	adjacentTo uint8
	noPlague   bool // units would be placed

	agentsMin, agentsMax    uint8
	militiaMin, militiaMax  uint8
	activeMin, unitsMin     uint8
	rebelMin, rebelMax      uint8
	basesMax                uint8
	unrestMin, unrestMax    uint8
	ownerPieces, ownerUnits uint8
	enemyUnits              uint8
	margin                  int8 // agents less militia, at least; noMargin for any
}

const (
	anyStatus = 1<<numStatuses - 1
	noMargin  = -128
)

type filterRow struct {
	Kind        []string
	IDs         []string
	NotIn       string `json:"not_in"`
	AdjacentTo  string `json:"adjacent_to"`
	Status      []json.RawMessage
	MaxPop      *uint8 `json:"max_pop"`
	Control     string
	AgentsMin   uint8  `json:"agents_min"`
	AgentsMax   *uint8 `json:"agents_max"`
	MilitiaMin  uint8  `json:"militia_min"`
	MilitiaMax  *uint8 `json:"militia_max"`
	ActiveMin   uint8  `json:"active_min"`
	UnitsMin    uint8  `json:"units_min"`
	RebelMin    uint8  `json:"rebel_pieces_min"`
	RebelMax    *uint8 `json:"rebel_pieces_max"`
	BasesMax    *uint8 `json:"bases_max"`
	UnrestMin   uint8  `json:"unrest_min"`
	UnrestMax   *uint8 `json:"unrest_max"`
	OwnerPieces uint8  `json:"owner_pieces_min"`
	OwnerUnits  uint8  `json:"owner_units_min"`
	EnemyUnits  uint8  `json:"enemy_units_min"`
	Margin      *int8  `json:"agents_over_militia_min"`
}

// filter compiles a filter.
func (c *compiler) filter(r *filterRow) (filter, error) {
	most := func(n *uint8) uint8 {
		if n == nil {
			return 0xFF
		}
		return *n
	}
	f := filter{
		spaces: everywhere, status: anyStatus, maxPop: most(r.MaxPop), control: nobody, notIn: noName, adjacentTo: noName,
		agentsMin: r.AgentsMin, agentsMax: most(r.AgentsMax), militiaMin: r.MilitiaMin, militiaMax: most(r.MilitiaMax),
		activeMin: r.ActiveMin, unitsMin: r.UnitsMin, rebelMin: r.RebelMin, rebelMax: most(r.RebelMax), basesMax: most(r.BasesMax),
		unrestMin: r.UnrestMin, unrestMax: most(r.UnrestMax), ownerPieces: r.OwnerPieces, ownerUnits: r.OwnerUnits,
		enemyUnits: r.EnemyUnits, margin: noMargin,
	}
	if r.Margin != nil {
		f.margin = *r.Margin
	}
	if r.Kind != nil {
		f.spaces = 0
		for _, word := range r.Kind {
			k, err := name(word, kindNames, -1)
			if err != nil {
				return f, err
			}
			f.spaces |= c.b.kinds[k]
		}
	}
	if r.IDs != nil {
		ids, err := c.b.spacesOf(r.IDs)
		if err != nil {
			return f, err
		}
		f.spaces &= ids
	}
	if err := f.readStatus(r.Status); err != nil {
		return f, err
	}
	if r.Control != "" {
		side := slices.Index(sideNames[:], r.Control)
		if side < 0 {
			return f, fmt.Errorf("control of %q", r.Control)
		}
		f.control = uint8(side)
	}
	var err error
	if r.NotIn != "" {
		f.notIn, err = c.selection(r.NotIn)
	}
	if r.AdjacentTo != "" && err == nil {
		f.adjacentTo, err = c.selection(r.AdjacentTo)
	}
	return f, err
}

// readStatus reads a list of status numbers and the word unmarked.
func (f *filter) readStatus(list []json.RawMessage) error {
	if list == nil {
		return nil
	}
	f.status = 0
	for _, raw := range list {
		s := unmarked
		if string(raw) != `"unmarked"` {
			if err := json.Unmarshal(raw, &s); err != nil || s > revolt {
				return fmt.Errorf("status %s", raw)
			}
		}
		f.status |= 1 << s
	}
	return nil
}

// matching returns the spaces in play that match the filter (R14.1) for the
// running event.
func (g *game) matching(p *position, f *filter) spaceSet {
	set := f.spaces & g.inPlay(p)
	if f.notIn != noName {
		set &^= p.event.named[f.notIn]
	}
	if f.adjacentTo != noName {
		var near spaceSet
		for from := p.event.named[f.adjacentTo]; from != 0; from &= from - 1 {
			near |= g.box.spaces[from.first()].adjacent
		}
		set &= near
	}
	if f.noPlague && p.plague != noSpace {
		set &^= 1 << p.plague
	}
	matched := set
	for rest := set; rest != 0; rest &= rest - 1 {
		if i := rest.first(); !g.matches(p, f, i) {
			matched &^= 1 << i
		}
	}
	return matched
}

// matches tests what a filter says about the space itself.
func (g *game) matches(p *position, f *filter, i uint8) bool {
	agents, militia, bases := p.agents[i], p.militiaAt(i), p.fedBases[i]+p.rebBases[i]
	if f.status>>p.status[i]&1 == 0 || g.box.spaces[i].population > f.maxPop ||
		agents < f.agentsMin || agents > f.agentsMax || militia < f.militiaMin || militia > f.militiaMax ||
		p.active[i] < f.activeMin || agents+militia < f.unitsMin || bases > f.basesMax ||
		p.unrest[i] < f.unrestMin || p.unrest[i] > f.unrestMax {
		return false
	}
	rebels := militia + p.rebBases[i]
	if rebels < f.rebelMin || rebels > f.rebelMax || f.margin != noMargin && int8(agents)-int8(militia) < f.margin {
		return false
	}
	owner := p.event.owner
	return p.units(owner, i)+p.bases(owner, i) >= f.ownerPieces && p.units(owner, i) >= f.ownerUnits &&
		p.units(1-owner, i) >= f.enemyUnits && (f.control == nobody || p.control(i) == f.control)
}
