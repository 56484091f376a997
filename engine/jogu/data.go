package jogu

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// What people read of the rules: package ruledata takes them apart.
//
//go:embed data/rules.json
var rules []byte

//go:embed RULINGS.md
var rulings string

// The printed matter of the game. balance.json, the model behind the
// reconstructed numbers, is read by the tests only.
//
//go:embed data/actions.json data/cards.json data/chance.json data/components.json
//go:embed data/decisions.json data/factions.json data/locations.json data/setup.json
var files embed.FS

// Sizes that the arrays of a position are made for. The loader checks the data
// against them.
const (
	numSeats  = 2
	numPlaces = 5  // Locations 2 to 6 (R1.4)
	maxTypes  = 10 // card types in one deck
	maxPile   = 40 // cards in one deck (R1.2)
	maxFrames = 9  // nested plays (R9.6)
	maxSlots  = 3  // face-down cards of one owner at a Location (R3.1)
	maxRounds = 10 // spaces of the round track (R1.6)
	maxLoc    = 10 // Location Cards of one player (R1.3)
	firstLoc  = 2  // number of the first Location
)

// box is what is in the game's box, compiled from the data files.
type box struct {
	decks     []deck
	baseDecks int // decks 0 to baseDecks-1 belong to the base game
	cards     []*card
	baseCards int // cards of the base decks come first
	actions   []string

	startMorale uint16
	handSize    uint8
	endStart    uint8
	endMax      uint8
	capacity    uint16
	tokenSupply uint8
	locCopies   [numPlaces]uint8
}

// deck is one faction.
type deck struct {
	id, name  string
	expansion bool
	first     int    // global id of its first card type; the others follow
	cards     []card // by type, 0 to 9
	copies    [maxTypes]uint8
	spare     uint16 // morale that all its cards can give in one Resolution (R10.3)

	// Bit sets of types.
	protected typeSet
	faceDown  typeSet
	traits    [numTraits]typeSet
	// Types with an effect in Resolution, so that it need not look at the others.
	resolving typeSet
	// watcher is the type that reacts to the opponent's plays (Scrambler), tokened
	// the one that can bear Stay tokens; none is noType. A deck has at most one of
	// each, so that a position can count them by Location alone.
	watcher uint8
	tokened uint8
}

const noType = 0xFF

// typeSet is a set of card types of one deck.
type typeSet uint16

func (s typeSet) has(t uint8) bool { return s>>t&1 != 0 }

// trait is a word that other cards' texts refer to.
type trait uint8

const (
	gang trait = iota
	engineer
	tower
	numTraits
)

var traitNames = [numTraits]string{"gang", "engineer", "tower"}

// card is one type of Faction Card.
type card struct {
	key, name, text string
	rule            string // number of the rule that describes it
	id              int    // global id
	strength        uint8
	morale          uint8
	capacity        uint8 // capacity strength as it is played (R2.4)
	protected       bool  // R2.5
	faceDown        bool  // R13.21
	orderFree       bool  // R9.4.1
	timing          timing
	restriction     restriction
	effects         []effect
}

// timing is the class of a card's ability (R2.6, Q27); restrictions are apart.
type timing uint8

const (
	noAbility         timing = iota
	whenPlayed               // at the moment it is played
	opponentPlaysHere        // when the opponent plays a card to its Location
	atResolution             // in the Resolution phase
)

var timingNames = [...]string{"", "played", "opponent_plays_here", "resolution"}

// restriction says how a card may be played.
type restriction struct {
	places          placeSet // Locations that it may be played to at all
	emptyOnly       bool
	limit           uint16 // the total there after the play may not exceed this
	moreEngineers   bool
	anyCapacity     bool // the Capacity test is skipped
	opponentChooses bool
}

// placeSet is a set of Locations, bit 0 for Location 2 up to bit 4 for 6.
type placeSet uint8

const allPlaces placeSet = 1<<numPlaces - 1

func (s placeSet) has(place uint8) bool { return s>>place&1 != 0 }

// effect is one compiled primitive.
type effect struct {
	op           op
	n            uint8 // how many, or by how much
	max          uint8 // bound of a marker
	place        uint8 // a fixed Location, or noPlace for "here"
	trait        trait
	fromHand     bool // play_card: from the hand, not the discard
	ifPrevious   bool // only if the effect before it was carried out
	opponentSide bool // it works on the opponent's cards
}

// op is a primitive of the card texts; the names are those of cards.json.
type op uint8

const (
	placeStayToken op = iota
	peekLocationPile
	revealLocationCard
	loseMorale
	playCard
	drawCards
	moveCards
	bottomFromDiscard
	bottomFromPlay
	mill
	randomDiscard
	discardInPlay
	discardSelf
	peekDrawPile
	bottomFromPeek
	moveEndMarker
	moveSelf
	addBattleLocation
	removeBattleLocation
	gainMorale
	numOps
)

var opNames = [numOps]string{
	"place_stay_token", "peek_location_pile", "reveal_location_card", "lose_morale", "play_card", "draw",
	"move_cards", "bottom_from_discard", "bottom_from_play", "mill", "random_discard", "discard_in_play",
	"discard_self", "peek_draw_pile", "bottom_from_peek", "move_end_marker", "move_self",
	"add_battle_location", "remove_battle_location", "gain_morale",
}

// loadBox reads the data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := readBox()
	if err != nil {
		return nil, fmt.Errorf("jogu: data: %w", err)
	}
	return b, nil
})

// source marks where a fact comes from.
type source struct {
	Source string          `json:"source"`
	Cite   json.RawMessage `json:"cite"`
	Why    string          `json:"why"`
}

// check demands a reason with every mark.
func (s source) check(what string) error {
	switch s.Source {
	case "rulebook", "public":
		if len(s.Cite) > 0 {
			return nil
		}
	case "reconstructed":
		if s.Why != "" {
			return nil
		}
	}
	return fmt.Errorf("%s: source %q without its cite or why", what, s.Source)
}

// decodeFile reads one data file and refuses fields that nothing declares.
func decodeFile(name string, v any) error {
	data, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s.json: %w", name, err)
	}
	return nil
}

// readBox reads, checks and compiles all data files.
func readBox() (*box, error) {
	b := &box{}
	for _, step := range []func(*box) error{readSetup, readLocations, readCards, readComponents, readMatchUps, readActions, readDecisions, readChance} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// typeOf returns the type of a card key in the deck; the error lists the keys.
func (d *deck) typeOf(key string) (uint8, error) {
	keys := make([]string, len(d.cards))
	for t := range d.cards {
		keys[t] = d.cards[t].key
		if keys[t] == key {
			return uint8(t), nil
		}
	}
	return 0, fmt.Errorf("%q is no card of %s; cards: %s", key, d.id, strings.Join(keys, ", "))
}
