package jogu

import (
	"encoding/json"

	"powderkeg/engine"
	format "powderkeg/engine/position"
)

// document is the JSON position; README.md describes it field by field. Lists
// of two are by seat. Fields that may be left out are pointers or slices, nil
// then.
type document struct {
	Phase       *string   `json:"phase"`
	Decision    *string   `json:"decision"`
	Factions    []*string `json:"factions"`
	Round       int       `json:"round"`
	EndMarker   int       `json:"end_marker"`
	StartPlayer *int      `json:"start_player"`
	Active      *int      `json:"active"`
	Passed      []bool    `json:"passed"`
	Morale      []int     `json:"morale"`
	VPRounds    []int     `json:"vp_rounds"`

	Hand            [][]string       `json:"hand"`
	RevealedInHand  []map[string]int `json:"revealed_in_hand"`
	PendingDiscards [][]string       `json:"pending_discards"`
	Draw            [][]pileEntry    `json:"draw"`
	DrawKnown       [][][]int        `json:"draw_known"`
	DrawBottom      []*int           `json:"draw_bottom"`
	Discard         [][]string       `json:"discard"`
	Board           []boardCard      `json:"board"`

	LocationCard     []*int            `json:"location_card"`
	LocationRevealed []bool            `json:"location_revealed"`
	LocationPile     [][]locationEntry `json:"location_pile"`
	LocationTopKnown []bool            `json:"location_top_known"`
	LocationDiscard  [][]int           `json:"location_discard"`

	BattleLocations   []int  `json:"battle_locations"`
	Ratings           []int  `json:"ratings"`
	RoundWinner       *int   `json:"round_winner"`
	LastLocationCards []*int `json:"last_location_cards"`

	Stack    []stackEntry  `json:"stack"`
	GameOver *gameOverMark `json:"game_over"`
}

// boardCard is one card in play.
type boardCard struct {
	Owner  int    `json:"owner"`
	Card   string `json:"card"`
	Loc    int    `json:"loc"`
	Tokens int    `json:"tokens"`
}

// stackEntry is one play that is not over, the outermost first.
type stackEntry struct {
	Card              string `json:"card"`
	Location          *int   `json:"location"`
	Stage             string `json:"stage"`
	OwnAbility        bool   `json:"own_ability"`
	Scramblers        int    `json:"scramblers"`
	LowestDestination int    `json:"lowest_destination"`
	Effect            int    `json:"effect"`
	Count             int    `json:"count"`
	ChosenLocation    *int   `json:"chosen_location"`
	PreviousDone      bool   `json:"previous_done"`
}

type gameOverMark struct {
	Winner int    `json:"winner"`
	By     string `json:"by"`
}

// pileEntry is an element of a draw pile: a card, or the middle of the pile,
// {"unknown": {card: number}}.
type pileEntry struct {
	card    string
	unknown map[string]int
}

type unknownCards struct {
	Unknown map[string]int `json:"unknown"`
}

// MarshalJSON implements json.Marshaler.
func (e pileEntry) MarshalJSON() ([]byte, error) {
	if e.unknown != nil {
		return json.Marshal(unknownCards{e.unknown})
	}
	return json.Marshal(e.card)
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *pileEntry) UnmarshalJSON(data []byte) error {
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

// locationEntry is an element of a Location pile: a number, or the part in
// unknown order, {"unknown": [numbers]}.
type locationEntry struct {
	number  int
	unknown []int
}

type unknownLocations struct {
	Unknown []int `json:"unknown"`
}

// MarshalJSON implements json.Marshaler.
func (e locationEntry) MarshalJSON() ([]byte, error) {
	if e.unknown != nil {
		return json.Marshal(unknownLocations{e.unknown})
	}
	return json.Marshal(e.number)
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *locationEntry) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var u unknownLocations
		if err := format.Decode(data, &u); err != nil {
			return err
		}
		e.unknown = append([]int{}, u.Unknown...)
		return nil
	}
	return json.Unmarshal(data, &e.number)
}

// unknownName stands for a hidden card in the JSON of a view.
const unknownName = "?"

// cardName returns the key of a type, or unknownName.
func (d *deck) cardName(t uint8) string {
	if int(t) < len(d.cards) {
		return d.cards[t].Key
	}
	return unknownName
}

// MarshalJSON implements engine.State. In a view, hidden cards are "?" and hidden
// Location Cards are 0; such a document shows a table and cannot be loaded.
func (s *State) MarshalJSON() ([]byte, error) { return s.g.encode(&s.p) }

// encode writes a position, or a view of one.
func (g *game) encode(p *position) ([]byte, error) {
	d := document{
		Phase: new(phaseNames[p.phase]), Round: int(p.round), EndMarker: int(p.endMarker),
		StartPlayer: optionalSeat(p.start), VPRounds: []int{}, Board: []boardCard{},
		RoundWinner: optionalSeat(p.lastWinner), Stack: []stackEntry{},
	}
	if p.ask != askNothing {
		d.Decision = new(askNames[p.ask])
	}
	if p.phase == reinforcement || p.phase == deployment {
		d.Active = optionalSeat(p.turn)
	}
	for i := range p.scored {
		d.VPRounds = append(d.VPRounds, int(p.winners>>i&1))
	}
	for i := range uint8(numSeats) {
		g.writeSeat(p, i, &d)
	}
	if p.resolved {
		d.BattleLocations = p.lastBattle.numbers()
		d.Ratings = []int{int(p.lastRatings[0]), int(p.lastRatings[1])}
	}
	for _, f := range p.frames[:p.depth] {
		d.Stack = append(d.Stack, g.writeFrame(p, &f))
	}
	if p.winner != noSeat {
		d.GameOver = &gameOverMark{int(p.winner), causeNames[p.cause]}
	}
	return format.Encode(d)
}

// optionalSeat returns nil for noSeat.
func optionalSeat(s uint8) *int {
	if s == noSeat {
		return nil
	}
	return new(int(s))
}

// optionalLocation returns nil for 0, and 0 for a hidden Location Card.
func optionalLocation(n uint8) *int {
	switch n {
	case 0:
		return nil
	case hiddenLoc:
		return new(0)
	}
	return new(int(n))
}

var noCards = &deck{ID: "no faction"}

// writeSeat appends what belongs to seat i to every list of the document.
func (g *game) writeSeat(p *position, i uint8, d *document) {
	s, deck := &p.seats[i], noCards
	if s.deck == noDeck {
		d.Factions = append(d.Factions, nil)
	} else {
		deck = &g.box.decks[s.deck]
		d.Factions = append(d.Factions, new(deck.ID))
	}
	d.Passed = append(d.Passed, s.passed)
	d.Morale = append(d.Morale, int(s.morale))
	hand := deck.list(&s.hand)
	for len(hand) < int(s.handSize) {
		hand = append(hand, unknownName)
	}
	d.Hand = append(d.Hand, hand)
	d.RevealedInHand = append(d.RevealedInHand, deck.counts(&s.revealed))
	d.PendingDiscards = append(d.PendingDiscards, deck.list(&s.pending))
	d.Discard = append(d.Discard, deck.list(&s.discard))
	pile, known := deck.writePile(s)
	d.Draw = append(d.Draw, pile)
	d.DrawKnown = append(d.DrawKnown, known)
	d.DrawBottom = append(d.DrawBottom, new(int(s.bottom)))
	deck.writeBoard(s, i, d)

	d.LocationCard = append(d.LocationCard, optionalLocation(s.locCard))
	d.LocationRevealed = append(d.LocationRevealed, s.locRevealed)
	d.LocationTopKnown = append(d.LocationTopKnown, s.locTopKnown)
	d.LocationDiscard = append(d.LocationDiscard, locationList(&s.locDiscard))
	d.LastLocationCards = append(d.LastLocationCards, optionalLocation(p.lastCards[i]))
	locations := []locationEntry{}
	for _, n := range s.locFixed[:s.locTop] {
		if n == hiddenLoc {
			n = 0
		}
		locations = append(locations, locationEntry{number: int(n)})
	}
	if unknown := locationList(&s.locUnknown); len(unknown) > 0 {
		locations = append(locations, locationEntry{unknown: unknown})
	}
	d.LocationPile = append(d.LocationPile, locations)
}

// list writes counts as a list of keys in the order of the deck.
func (d *deck) list(counts *[maxTypes]uint8) []string {
	keys := []string{}
	for t, n := range counts {
		for range n {
			keys = append(keys, d.cardName(uint8(t)))
		}
	}
	return keys
}

// counts writes the counts that are not zero.
func (d *deck) counts(counts *[maxTypes]uint8) map[string]int {
	m := map[string]int{}
	for t, n := range counts {
		if n > 0 {
			m[d.cardName(uint8(t))] = int(n)
		}
	}
	return m
}

// writePile writes a draw pile, and for each of its elements who knows it.
func (d *deck) writePile(s *seat) ([]pileEntry, [][]int) {
	pile, known := []pileEntry{}, [][]int{}
	for i := range s.top + s.bottom + 1 {
		if i == s.top && s.middle > 0 {
			pile = append(pile, pileEntry{unknown: d.counts(&s.unknown)})
			known = append(known, []int{0, 0})
		}
		if i == s.top+s.bottom {
			break
		}
		c := s.fixed[i]
		pile = append(pile, pileEntry{card: d.cardName(c.card())})
		known = append(known, []int{int(c / ownerKnows & 1), int(c / opponentKnows & 1)})
	}
	return pile, known
}

// writeBoard writes the cards in play of seat i by Location: face-up cards in the
// order of the deck, those with Stay tokens first, then face-down ones in the
// order of play.
func (d *deck) writeBoard(s *seat, i uint8, doc *document) {
	for place := range s.play {
		at := boardCard{Owner: int(i), Loc: place + firstLoc}
		for t, n := range s.play[place] {
			for k := range n {
				at.Card, at.Tokens = d.cardName(uint8(t)), 0
				if uint8(t) == d.tokened && k < s.tokens[place] {
					at.Tokens = 1
				}
				doc.Board = append(doc.Board, at)
			}
		}
		at.Tokens = 0
		for _, c := range s.down[place] {
			if c != 0 {
				at.Card = d.cardName(c - 1)
				doc.Board = append(doc.Board, at)
			}
		}
	}
}

// locationList writes counts by Location as a list of numbers.
func locationList(counts *[numPlaces]uint8) []int {
	list := []int{}
	for place, n := range counts {
		for range n {
			list = append(list, place+firstLoc)
		}
	}
	return list
}

// writeFrame writes one play of the stack.
func (g *game) writeFrame(p *position, f *frame) stackEntry {
	d := g.deckOf(p, p.turn)
	e := stackEntry{
		Card: d.cardName(f.card), Stage: stageNames[f.stage], OwnAbility: f.own,
		Scramblers: int(f.scramblers), LowestDestination: int(f.bound) + firstLoc,
		Effect: int(f.effect), Count: int(f.count), PreviousDone: f.previous,
	}
	if f.place != noPlace {
		e.Location = new(int(f.place) + firstLoc)
	}
	if f.stage == acting && f.count > 0 && d.cards[f.card].Effects[f.effect].Op == BottomFromPlay {
		e.ChosenLocation, e.Count = new(int(f.count)-1+firstLoc), 0
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
	g.settle(&p, nil)
	return &State{g: g, p: p}, nil
}

// waitsFor tells whether a position waits for the decision without anything
// being carried out before.
func (g *game) waitsFor(p *position, decision string) bool {
	q := *p
	if !g.advance(&q, nil) || askNames[q.ask] != decision || !g.open(&q) {
		return false
	}
	q.ask, q.actor, q.legal = p.ask, p.actor, p.legal
	return q == *p
}
