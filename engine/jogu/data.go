package jogu

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"powderkeg/engine/flow"
	"powderkeg/engine/ruledata"
)

// What people read of the rules: package ruledata takes them apart.
//
//go:embed data/rules.json
var rules []byte

//go:embed RULINGS.md
var rulings string

// What the engine plays by. The other data files say what the rulebook has, and the
// tests hold the engine and these three against them.
//
//go:embed data/cards.json data/factions.json data/setup.json
var files embed.FS

// Sizes that the arrays of a position are made for. The tests compare the data with
// them.
const (
	numSeats  = 2
	numPlaces = 5  // Locations 2 to 6 (R1.4)
	numCards  = 37 // card types of all decks
	maxTypes  = 10 // card types in one deck
	maxPile   = 40 // cards in one deck (R1.2)
	maxFrames = 9  // nested plays (R9.6)
	maxSlots  = 3  // face-down cards of one owner at a Location (R3.1)
	maxRounds = 10 // spaces of the round track (R1.6)
	maxLoc    = 10 // Location Cards of one player (R1.3)
	firstLoc  = 2  // number of the first Location
)

// SeatID is a seat, noSeat for nobody.
type SeatID uint8

const noSeat SeatID = 0xFF

// DeckID is a faction, by its index in data/factions.json; noDeck before one is drawn.
type DeckID uint8

const noDeck DeckID = 0xFF

// CardID is a card type among those of all decks, TypeID among those of its own deck.
type (
	CardID uint8
	TypeID uint8
)

const noType TypeID = 0xFF

// Place is a Location, 0 for Location 2 up to 4 for Location 6; noPlace for none.
type Place uint8

const noPlace Place = 0xFF

// Here stands in a card's text for the Location of the card itself.
const Here = noPlace

// The fixed actions; the card actions follow from actCard on by global id.
const (
	actEnd = iota
	actOwnFirst
	actScramblerFirst
	actLoc       // LOC_2, four more follow
	actSlot      = actLoc + numPlaces
	actCard      = actSlot + maxSlots
	fixedActions = actCard
)

// box is what is in the game's box.
type box struct {
	decks     []deck
	baseDecks int // decks 0 to baseDecks-1 belong to the base game
	cards     []*card
	baseCards int // cards of the base decks come first

	startMorale uint16
	handSize    uint8
	endStart    uint8
	endMax      uint8
	capacity    uint16
	tokenSupply uint8
	locCopies   [numPlaces]uint8

	kinds *flow.Kinds
	names map[string]string // printed names of factions, cards and causes of the end
}

// deck is one faction, as data/factions.json has it, with its cards.
type deck struct {
	ruledata.Source
	Index         int      `json:"index"`
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	NameSource    string   `json:"name_source"`
	Edition       string   `json:"edition"` // base or expansion
	Theme         string   `json:"theme"`
	DeckSize      int      `json:"deck_size"`
	TotalStrength int      `json:"total_strength"`
	TotalMorale   int      `json:"total_morale"`
	CardKeys      []string `json:"card_keys"`

	first CardID // its first card type; the others follow
	cards []card // by type, 0 to 9
	// The numbers of the cards side by side, for what adds them up.
	copies, strength, morale [maxTypes]uint8

	spare uint16 // morale that all its cards can give in one Resolution (R10.3)

	// Bit sets of types.
	protected typeSet
	faceDown  typeSet
	traits    [numTraits]typeSet
	// Types with an effect in Resolution, so that it need not look at the others.
	resolving typeSet
	// watcher is the type that reacts to the opponent's plays (Scrambler), tokened
	// the one that can bear Stay tokens; none is noType. A deck has at most one of
	// each, so that a position can count them by Location alone.
	watcher TypeID
	tokened TypeID
}

// typeSet is a set of card types of one deck.
type typeSet uint16

func (s typeSet) has(t TypeID) bool { return s>>t&1 != 0 }

// card is one type of Faction Card, as data/cards.json has it.
type card struct {
	ID        int    `json:"id"` // global id
	Key       string `json:"key"`
	Name      string `json:"name"`
	Copies    uint8  `json:"copies"`
	Strength  uint8  `json:"strength"`
	Morale    uint8  `json:"morale"`
	Capacity  uint8  `json:"capacity_strength"` // as it is played (R2.4)
	Protected bool   `json:"protected"`         // R2.5
	FaceDown  bool   `json:"face_down"`         // R13.21
	OrderFree bool   `json:"order_free"`        // R9.4.1
	conditions
	Traits       []trait       `json:"traits"`
	Timing       []timing      `json:"timing"`
	Restrictions []restriction `json:"restrictions"`
	Effects      []Effect      `json:"effects"`
	Text         string        `json:"text"`
	Rule         string        `json:"rule"` // number of the rule that describes it

	Faction       string `json:"faction"`
	NameSource    string `json:"name_source"`
	AbilitySource string `json:"ability_source"`
	NumbersSource string `json:"numbers_source"`
	ruledata.Source
}

// timing is a class of abilities (R2.6, Q27). A card has one at most beside its
// restrictions.
type timing uint8

const (
	restricted        timing = iota
	whenPlayed               // at the moment it is played
	opponentPlaysHere        // when the opponent plays a card to its Location
	atResolution             // in the Resolution phase
)

var timingNames = []string{"restriction", "played", "opponent_plays_here", "resolution"}

// has reports whether the card has an ability of that class.
func (c *card) has(at timing) bool { return slices.Contains(c.Timing, at) }

// trait is a word that other cards' texts refer to.
type trait uint8

const (
	gang trait = iota
	engineer
	tower
	numTraits
)

var traitNames = []string{"gang", "engineer", "tower"}

// Zone is where an effect takes a card from.
type Zone uint8

const (
	OwnDiscard Zone = iota
	OwnHand
)

var zoneNames = []string{"own_discard", "own_hand"}

// Effect is a primitive of a card's ability with what it leaves open.
type Effect struct {
	Op         Op    `json:"op"`
	N          uint8 `json:"n"`                     // how many, or by how much
	At         Place `json:"location"`              // of AddBattleLocation and RemoveBattleLocation
	Trait      trait `json:"trait"`                 // of MoveCards
	From       Zone  `json:"from"`                  // of PlayCard
	IfPrevious bool  `json:"only_if_previous_done"` // R9.8
}

// On returns the place that the effect of a card at a place means.
func (e *Effect) On(place Place) Place {
	if e.At == Here {
		return place
	}
	return e.At
}

// restriction is a condition on how a card is played.
type restriction struct {
	Op  string `json:"op"`
	At  Place  `json:"location"`
	Max int    `json:"max"`
}

// conditions are all restrictions of a card, and what others count.
type conditions struct {
	places          PlaceSet // Locations that it may be played to at all
	emptyOnly       bool
	spare           int16 // the most capacity strength that may lie there before the play
	moreEngineers   bool
	anyCapacity     bool // the Capacity test is skipped
	opponentChooses bool
	engineer, tower bool
}

// PlaceSet is a set of Locations, bit 0 for Location 2 up to bit 4 for 6.
type PlaceSet uint8

const allPlaces PlaceSet = 1<<numPlaces - 1

func (s PlaceSet) has(place Place) bool { return s>>place&1 != 0 }

// numbers returns the numbers of the Locations.
func (s PlaceSet) numbers() []int {
	list := []int{}
	for place := range Place(numPlaces) {
		if s.has(place) {
			list = append(list, int(place)+firstLoc)
		}
	}
	return list
}

// word reads one of the words of the data.
func word[T ~uint8](dst *T, text []byte, words []string) error {
	i := slices.Index(words, string(text))
	if i < 0 {
		return fmt.Errorf("%q is none of %s", text, strings.Join(words, ", "))
	}
	*dst = T(i)
	return nil
}

// UnmarshalText implements encoding.TextUnmarshaler, here and below.
func (t *timing) UnmarshalText(text []byte) error { return word(t, text, timingNames) }

func (t *trait) UnmarshalText(text []byte) error { return word(t, text, traitNames) }

func (z *Zone) UnmarshalText(text []byte) error { return word(z, text, zoneNames) }

func (o *Op) UnmarshalText(text []byte) error { return word(o, text, opNames[:]) }

// UnmarshalJSON reads "here" or the number of a Location.
func (p *Place) UnmarshalJSON(data []byte) error {
	*p = Here
	if string(data) == `"here"` {
		return nil
	}
	var n uint8
	if err := json.Unmarshal(data, &n); err != nil || n < firstLoc || n >= firstLoc+numPlaces {
		return fmt.Errorf("location %s is not here or %d to %d", data, firstLoc, firstLoc+numPlaces-1)
	}
	*p = Place(n - firstLoc)
	return nil
}

// loadBox reads the data once. Its error is a fault of the program, which the tests
// rule out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b := &box{}
	if err := b.readSetup(); err != nil {
		return nil, fmt.Errorf("jogu: data: %w", err)
	}
	if err := b.readCards(); err != nil {
		return nil, fmt.Errorf("jogu: data: %w", err)
	}
	b.name()
	return b, nil
})

// readSetup reads the parameters of setup.json that are no options of the game.
func (b *box) readSetup() error {
	var setup struct {
		Players    json.RawMessage `json:"players"`
		Scenarios  json.RawMessage `json:"scenarios"` // the match-ups, which follow from the decks
		Parameters []struct {
			ruledata.Source
			Name  string          `json:"name"`
			Value json.RawMessage `json:"value"`
		} `json:"parameters"`
	}
	if err := ruledata.Read(files, "setup", &setup); err != nil {
		return err
	}
	var pile []Place
	wanted := map[string]any{
		"start_morale": &b.startMorale, "hand_size": &b.handSize, "end_marker_start": &b.endStart, "end_marker_max": &b.endMax,
		"stay_token_supply": &b.tokenSupply, "capacity": &b.capacity, "location_pile": &pile,
	}
	for _, p := range setup.Parameters {
		if v := wanted[p.Name]; v != nil {
			if err := json.Unmarshal(p.Value, v); err != nil {
				return fmt.Errorf("parameter %s: %w", p.Name, err)
			}
		}
	}
	for _, place := range pile {
		b.locCopies[place]++
	}
	return nil
}

// readCards reads the factions and hands each its cards. The global ids of cards follow
// that order, and the actions that of the ids.
func (b *box) readCards() error {
	var factions struct {
		Game           json.RawMessage `json:"game"`
		MembershipNote string          `json:"membership_note"`
		Factions       []deck          `json:"factions"`
	}
	if err := ruledata.Read(files, "factions", &factions); err != nil {
		return err
	}
	var cards struct {
		ruledata.Source
		FieldNotes   map[string]string `json:"field_notes"`
		PrimitiveOps map[string]string `json:"primitive_ops"`
		Cards        []card            `json:"cards"`
	}
	if err := ruledata.Read(files, "cards", &cards); err != nil {
		return err
	}
	b.decks = factions.Factions
	for i := range b.decks {
		d := &b.decks[i]
		d.first, d.watcher, d.tokened = CardID(len(b.cards)), noType, noType
		for _, c := range cards.Cards {
			if c.Faction != d.ID {
				continue
			}
			if err := c.compile(b.capacity); err != nil {
				return fmt.Errorf("card %s: %w", c.Key, err)
			}
			d.cards = append(d.cards, c)
		}
		for t := range d.cards {
			d.index(TypeID(t), b.capacity)
			b.cards = append(b.cards, &d.cards[t])
		}
		if d.Edition == "base" {
			b.baseDecks, b.baseCards = i+1, len(b.cards)
		}
	}
	return nil
}

// name collects what the words of events read like.
func (b *box) name() {
	b.names = map[string]string{}
	for i, word := range causeNames {
		b.names[word] = causeWords[i]
	}
	for _, d := range b.decks {
		b.names[d.ID] = d.Name
	}
	for _, c := range b.cards {
		b.names[c.Key] = c.Name
	}
	b.kinds = flow.NewKinds(b.word, kinds)
}

// compile sums up the restrictions and traits of a card. capacity is that of a Location.
func (c *card) compile(capacity uint16) error {
	c.conditions = conditions{places: allPlaces}
	limit := int(capacity)
	c.engineer, c.tower = slices.Contains(c.Traits, engineer), slices.Contains(c.Traits, tower)
	for _, r := range c.Restrictions {
		switch r.Op {
		case "only_location":
			c.places = 1 << r.At
		case "only_empty_location":
			c.emptyOnly = true
		case "opponent_chooses_location":
			c.opponentChooses = true
		case "capacity_limit":
			limit = min(limit, r.Max)
		case "more_engineers_than_towers":
			c.moreEngineers = true
		case "may_exceed_capacity":
			c.anyCapacity = true
		default:
			return fmt.Errorf("unknown restriction %q", r.Op)
		}
	}
	c.spare = int16(limit - int(c.Capacity))
	return nil
}

// index enters card type t into the deck's sets and sums.
func (d *deck) index(t TypeID, capacity uint16) {
	c, bit := &d.cards[t], typeSet(1)<<t
	d.copies[t], d.strength[t], d.morale[t] = c.Copies, c.Strength, c.Morale
	if c.Protected {
		d.protected |= bit
	}
	if c.FaceDown {
		d.faceDown |= bit
	}
	for _, trait := range c.Traits {
		d.traits[trait] |= bit
	}
	if c.has(atResolution) {
		d.resolving |= bit
	}
	if c.has(opponentPlaysHere) {
		d.watcher = t
	}
	for _, e := range c.Effects {
		switch e.Op {
		case PlaceStayToken:
			d.tokened = t
		case GainMorale:
			d.spare += uint16(c.Copies) * (capacity - uint16(c.Strength))
		}
	}
}

// actionNames returns the vocabulary of actions, those of the base cards first.
func (b *box) actionNames() []string {
	names := []string{"END", "OWN_FIRST", "SCRAMBLER_FIRST"}
	for i := range numPlaces {
		names = append(names, fmt.Sprintf("LOC_%d", firstLoc+i))
	}
	for i := range maxSlots {
		names = append(names, fmt.Sprintf("SLOT_%d", 1+i))
	}
	for _, c := range b.cards {
		names = append(names, "CARD_"+c.Key)
	}
	return names
}
