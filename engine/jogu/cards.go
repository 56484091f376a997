package jogu

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine/ruledata"
)

// What is printed on the cards, as data/cards.json and data/factions.json have it.

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
	cards []Card // by type, 0 to 9
	// The numbers of the cards side by side, for what adds them up.
	copies, strength, morale [Types]uint8

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

// Card is one type of Faction Card, as data/cards.json has it.
type Card struct {
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
	Traits       []Trait       `json:"traits"`
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
func (c *Card) has(at timing) bool { return slices.Contains(c.Timing, at) }

// Trait is a word that other cards' texts refer to.
type Trait uint8

const (
	Gang Trait = iota
	Engineer
	Tower
	numTraits
)

// Bears reports whether the card bears a word.
func (c *Card) Bears(t Trait) bool { return slices.Contains(c.Traits, t) }

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
	Trait      Trait `json:"trait"`                 // of MoveCards
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
	OpponentChooses bool
	engineer, tower bool
}

// PlaceSet is a set of Locations, bit 0 for Location 2 up to bit 4 for 6.
type PlaceSet uint8

const allPlaces PlaceSet = 1<<Places - 1

func (s PlaceSet) has(place Place) bool { return s>>place&1 != 0 }

// numbers returns the numbers of the Locations.
func (s PlaceSet) numbers() []int {
	list := []int{}
	for place := range Place(Places) {
		if s.has(place) {
			list = append(list, int(place)+FirstPlace)
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

func (t *Trait) UnmarshalText(text []byte) error { return word(t, text, traitNames) }

func (z *Zone) UnmarshalText(text []byte) error { return word(z, text, zoneNames) }

func (o *Op) UnmarshalText(text []byte) error { return word(o, text, opNames[:]) }

// UnmarshalJSON reads "here" or the number of a Location.
func (p *Place) UnmarshalJSON(data []byte) error {
	*p = Here
	if string(data) == `"here"` {
		return nil
	}
	var n uint8
	if err := json.Unmarshal(data, &n); err != nil || n < FirstPlace || n >= FirstPlace+Places {
		return fmt.Errorf("location %s is not here or %d to %d", data, FirstPlace, FirstPlace+Places-1)
	}
	*p = Place(n - FirstPlace)
	return nil
}

// compile sums up the restrictions and traits of a card. capacity is that of a Location.
func (c *Card) compile(capacity uint16) error {
	c.conditions = conditions{places: allPlaces}
	limit := int(capacity)
	c.engineer, c.tower = c.Bears(Engineer), c.Bears(Tower)
	for _, r := range c.Restrictions {
		switch r.Op {
		case "only_location":
			c.places = 1 << r.At
		case "only_empty_location":
			c.emptyOnly = true
		case "opponent_chooses_location":
			c.OpponentChooses = true
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
