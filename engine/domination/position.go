package domination

import (
	"encoding/json"
	"fmt"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// document is the JSON position; README.md describes it field by field. Fields
// that may be left out are pointers, maps or slices, nil then. Objects by seat have
// the seat's number as key.
type document struct {
	Phase        *string `json:"phase"`
	Decision     *string `json:"decision"`
	Turn         *int    `json:"turn"`
	FirstPlayer  *int    `json:"first_player"`
	Active       *int    `json:"active"`
	UsedThisTurn bool    `json:"used_this_turn"`
	Passed       []bool  `json:"passed"`
	VP           []int   `json:"vp"`
	Logistics    []int   `json:"logistics"`

	Pool   []string          `json:"pool"`
	Stacks map[string]int    `json:"stacks"`
	Areas  map[string]*force `json:"areas"`

	Hands         map[string][]string    `json:"hands"`
	HandSizes     map[string]int         `json:"hand_sizes"`
	DrawDecks     map[string][]deckEntry `json:"draw_decks"`
	DrawDeckSizes map[string]int         `json:"draw_deck_sizes"`
	Discards      map[string][]string    `json:"discards"`
	Known         map[string][]string    `json:"known"`

	FogPlayers []int       `json:"fog_players"`
	WindowSeat *int        `json:"window_seat"`
	Drawer     *int        `json:"drawer"`
	DrawsMade  int         `json:"draws_made"`
	Frame      *frameEntry `json:"frame"`
}

// force is a Force in an Area; null is an empty Area.
type force struct {
	Owner    int    `json:"owner"`
	Strength string `json:"strength"`
}

const (
	strugglingName = "struggling"
	fullName       = "full"
)

// frameEntry is the use of a card that is not over.
type frameEntry struct {
	Card       string `json:"card"`
	Way        string `json:"way"`
	Actor      int    `json:"actor"`
	Effect     int    `json:"effect"`
	Points     int    `json:"points"`
	Spent      bool   `json:"spent"`
	LowestArea string `json:"lowest_area"`
	Region     int    `json:"region"`
	Regions    []int  `json:"regions"`
	Target     *int   `json:"target"`
	StormsLeft []int  `json:"storms_left"`
}

// deckEntry is an element of a draw deck: a card, or the part in unknown order,
// {"unknown": {card: number}}.
type deckEntry struct {
	card    string
	unknown map[string]int
}

type unknownCards struct {
	Unknown map[string]int `json:"unknown"`
}

// MarshalJSON implements json.Marshaler.
func (e deckEntry) MarshalJSON() ([]byte, error) {
	if e.unknown != nil {
		return json.Marshal(unknownCards{e.unknown})
	}
	return json.Marshal(e.card)
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *deckEntry) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var u unknownCards
		if err := format.Decode(data, &u); err != nil {
			return err
		}
		if u.Unknown == nil {
			u.Unknown = map[string]int{}
		}
		e.unknown = u.Unknown
		return nil
	}
	return json.Unmarshal(data, &e.card)
}

// MarshalJSON implements engine.State. In a view the hands of others hold what is
// known of them, and their draw decks all the rest: such a document shows a table
// and cannot be loaded, because its sizes do not agree.
func (s *State) MarshalJSON() ([]byte, error) {
	g, p := s.g, &s.p
	d := document{
		Phase: new(phaseNames[p.phase]), Turn: new(int(p.turn)), FirstPlayer: optionalSeat(p.first), UsedThisTurn: p.used,
		Pool: []string{}, Stacks: map[string]int{}, Areas: map[string]*force{},
		Hands: map[string][]string{}, HandSizes: map[string]int{}, DrawDecks: map[string][]deckEntry{},
		DrawDeckSizes: map[string]int{}, Discards: map[string][]string{}, Known: map[string][]string{},
		FogPlayers: []int{}, DrawsMade: int(p.drawn),
	}
	if p.ask != askNothing {
		d.Decision = new(askNames[p.ask])
	}
	if p.phase == cardPlay {
		d.Active = optionalSeat(p.active)
	}
	for c := range uint8(numCards) {
		if p.pool.has(c) {
			d.Pool = append(d.Pool, g.box.cards[c].name)
			d.Stacks[g.box.cards[c].name] = int(p.stack[c])
		}
	}
	for a := range uint8(numAreas) {
		d.Areas[g.box.areas[a].id] = p.force(a)
	}
	for i := range g.seats {
		g.writeSeat(p, i, &d)
	}
	if p.window != noWindow && p.actor != engine.Nobody {
		d.WindowSeat = new(int(g.place(g.windowBase(p), p.window)))
	}
	if p.phase == startOfGameTurn {
		d.Drawer = new(int(g.drawer(p)))
	}
	if p.frame.way != wayNone {
		d.Frame = g.writeFrame(p)
	}
	return format.Encode(d)
}

// windowBase returns the seat from which the places of a window are counted.
func (g *game) windowBase(p *position) uint8 {
	if p.phase == cardPlay {
		return p.active
	}
	return p.first
}

// force returns the Force in an Area, nil if there is none.
func (p *position) force(a uint8) *force {
	owner := p.ownerOf(a)
	if owner == noSeat {
		return nil
	}
	f := &force{int(owner), strugglingName}
	if p.full.has(a) {
		f.Strength = fullName
	}
	return f
}

func optionalSeat(s uint8) *int {
	if s == noSeat {
		return nil
	}
	return new(int(s))
}

func (g *game) writeSeat(p *position, i uint8, d *document) {
	s, key := &p.seats[i], fmt.Sprint(i)
	d.Passed = append(d.Passed, p.passed.has(i))
	d.VP = append(d.VP, int(s.vp))
	d.Logistics = append(d.Logistics, int(s.logistics))
	d.Hands[key], d.HandSizes[key] = g.names(&s.hand), int(s.handSize)
	d.Discards[key], d.Known[key] = g.names(&s.discard), g.names(&s.known)
	d.DrawDeckSizes[key] = int(s.deckSize)
	deck := []deckEntry{}
	for _, c := range s.top[:s.tops] {
		deck = append(deck, deckEntry{card: g.box.cards[c].name})
	}
	if typesOf(&s.deck) != 0 {
		rest := map[string]int{}
		for c, n := range s.deck {
			if n > 0 {
				rest[g.box.cards[c].name] = int(n)
			}
		}
		deck = append(deck, deckEntry{unknown: rest})
	}
	d.DrawDecks[key] = deck
	if p.fog.has(i) {
		d.FogPlayers = append(d.FogPlayers, int(i))
	}
}

// names lists counts by name, in the order of the cards.
func (g *game) names(counts *[numCards]uint8) []string {
	list := []string{}
	for c, n := range counts {
		for range n {
			list = append(list, g.box.cards[c].name)
		}
	}
	return list
}

func (g *game) writeFrame(p *position) *frameEntry {
	f := &p.frame
	e := &frameEntry{
		Card: g.box.cards[f.card].name, Way: wayNames[f.way], Actor: int(f.actor), Effect: int(f.effect),
		Points: int(f.points), Spent: f.spent, LowestArea: g.box.areas[f.last].id, Region: int(f.region),
		Regions: []int{}, Target: optionalSeat(f.target), StormsLeft: []int{},
	}
	for r := range numRegions {
		if f.regions>>r&1 != 0 {
			e.Regions = append(e.Regions, r)
		}
	}
	for _, n := range f.halves[:g.seats] {
		e.StormsLeft = append(e.StormsLeft, int(n))
	}
	return e
}

// Load implements engine.Game. A position that names its decision must wait for
// it as it is; without the name, what needs no choice is carried out first.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	p, decision, err := g.read(data)
	if err != nil {
		return nil, err
	}
	if err := g.validate(&p, how); err != nil {
		return nil, err
	}
	if decision != nil && !g.waitsFor(&p, *decision) {
		return nil, wrong("decision is %s, but the rest of the position does not wait for it; leave it out to have it found", *decision)
	}
	g.settle(&p)
	return &State{g: g, p: p}, nil
}

// waitsFor reports whether a position waits for the decision without anything
// being carried out before.
func (g *game) waitsFor(p *position, decision string) bool {
	q := *p
	if !g.advance(&q) || askNames[q.ask] != decision || !g.waits(&q) {
		return false
	}
	q.ask, q.actor, q.legal = p.ask, p.actor, p.legal
	return q == *p
}
