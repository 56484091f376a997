package jogu

import (
	"embed"
	"encoding/json"
	"fmt"
	"sync"

	"powderkeg/engine"
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

// Sizes that the arrays of a position are made for, and limits that encoders and players
// need. The tests compare the data with them.
const (
	numSeats   = 2
	Places     = 5  // Locations 2 to 6 (R1.4)
	FirstPlace = 2  // number of the first Location, which is place 0
	numCards   = 37 // card types of all decks
	Types      = 10 // card types in one deck
	DeckSize   = 40 // cards in one deck (R1.2)
	MaxDepth   = 9  // nested plays (R9.6)
	Slots      = 3  // face-down cards of one owner at a Location (R3.1)
	Rounds     = 10 // spaces of the round track (R1.6)
	maxLoc     = 10 // Location Cards of one player (R1.3)
	MaxHand    = 7  // cards in a hand (R1.8)
	FirstEnd   = 7  // where the end-game marker begins (R1.6)
	Capacity   = 10 // of every Location

	// What encoders count on, whatever an edition says.
	MaxCopies     = 13  // of a card in its deck
	MaxStrength   = 150 // of a whole deck
	MaxStaying    = 5   // cards of a deck that can bear Stay tokens
	MaxScramblers = 8   // cards of a deck that react to plays
	MaxSunk       = 24  // cards that a deck's abilities can put under its pile
	MaxSpare      = 64  // morale that a deck can give in one Resolution (R10.3)
	maxHits       = 4   // cards of a deck that discard at random
)

// The fixed actions, and the first of each kind; the others follow in order, the card
// actions by global id.
const (
	ActEnd engine.Action = iota
	ActOwnFirst
	ActScramblerFirst
	ActLocation  // LOC_2
	ActSlot      = ActLocation + Places
	ActCard      = ActSlot + Slots
	fixedActions = int(ActCard)
)

// box is what is in the game's box.
type box struct {
	files     ruledata.Files
	decks     []deck
	baseDecks int // decks 0 to baseDecks-1 belong to the base game
	cards     []*Card
	baseCards int // cards of the base decks come first

	startMorale uint16
	handSize    uint8
	endStart    uint8
	endMax      uint8
	capacity    uint16
	tokenSupply uint8
	locCopies   [Places]uint8

	kinds *flow.Kinds
	names map[string]string // printed names of factions, cards and causes of the end
}

// loadBox reads the shipped data once. Its error is a fault of the program, which the tests
// rule out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := newBox(files)
	if err != nil {
		return nil, fmt.Errorf("jogu: data: %w", err)
	}
	return b, nil
})

// newBox reads data files.
func newBox(files ruledata.Files) (*box, error) {
	b := &box{files: files}
	if err := b.readSetup(); err != nil {
		return nil, err
	}
	if err := b.readCards(); err != nil {
		return nil, err
	}
	b.name()
	return b, nil
}

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
	if err := ruledata.Read(b.files, "setup", &setup); err != nil {
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
	if err := ruledata.Read(b.files, "factions", &factions); err != nil {
		return err
	}
	var cards struct {
		ruledata.Source
		FieldNotes   map[string]string `json:"field_notes"`
		PrimitiveOps map[string]string `json:"primitive_ops"`
		Cards        []Card            `json:"cards"`
	}
	if err := ruledata.Read(b.files, "cards", &cards); err != nil {
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

// actionNames returns the vocabulary of actions, those of the base cards first.
func (b *box) actionNames() []string {
	names := []string{"END", "OWN_FIRST", "SCRAMBLER_FIRST"}
	for i := range Places {
		names = append(names, fmt.Sprintf("LOC_%d", FirstPlace+i))
	}
	for i := range Slots {
		names = append(names, fmt.Sprintf("SLOT_%d", 1+i))
	}
	for _, c := range b.cards {
		names = append(names, "CARD_"+c.Key)
	}
	return names
}
